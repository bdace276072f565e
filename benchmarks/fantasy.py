"""What the shipped fantasy passages hold: the counts of docs/lab/fantasy.md.

python benchmarks/fantasy.py
"""

from __future__ import annotations

from collections import Counter
from statistics import mean

from privstamp.lab.evals import fantasy


def main() -> None:
    passages = fantasy.load()
    lengths = [len(passage.text.split()) for passage in passages]
    spans = Counter(span.kind for passage in passages for span in passage.spans)
    asked = [(passage, question) for passage in passages for question in passage.questions]
    touched = [fantasy.answer_kinds(passage, question) for passage, question in asked]
    answers = Counter(kind for kinds in touched for kind in kinds)
    print(f"faults found by check_all: {len(fantasy.check_all(passages))}")
    print(f"passages: {len(passages)}, in {len({passage.form for passage in passages})} forms")
    print(f"words: {sum(lengths)}, from {min(lengths)} to {max(lengths)}, mean {mean(lengths):.0f}")
    print(
        f"questions: {len(asked)}, of these answered by nothing sensitive: {touched.count(set())}"
    )
    print(f"sensitive spans: {spans.total()}, {spans.total() / len(passages):.1f} per passage")
    print("\n| kind | spans | questions whose answer holds one |\n|---|---|---|")
    for kind in sorted(fantasy.KINDS, key=lambda kind: -spans[kind]):
        print(f"| {kind} | {spans[kind]} | {answers[kind]} |")


if __name__ == "__main__":
    main()
