"""Ways to run one answering model: time for a question, score, and how often they say the same.

    privstamp assets pull qwen-1.5b
    python benchmarks/answering.py [--model qwen-1.5b] [--limit 40] [--write]

Questions of `fantasy` about the original passages, five to a passage, at temperature 0 on one
thread. Opening is apart: the first question is asked twice, and the second time counts. `--write`
stores the numbers in benchmarks/results/answering.json.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from privstamp.lab.evals.answers import PHRASE_TOKENS, question, token_f1
from privstamp.lab.evals.contracts import Example
from privstamp.lab.evals.tasks import load_task
from privstamp.models.answering import open_answerer

RESULTS = Path(__file__).parent / "results" / "answering.json"
WAYS = {"llama.cpp, 4 bits": "{}", "transformers, float32": "hf:{}", "transformers, int8": "hf8:{}"}


def asked(name: str, examples: list[Example]) -> tuple[list[str], float]:
    """Replies and seconds."""
    prompts = [question(one.text, one.task) for one in examples]
    with open_answerer(name) as model:
        model.complete(prompts[:1], temperature=0.0, max_tokens=1)
        started = time.perf_counter()
        replies = model.complete(prompts, temperature=0.0, max_tokens=PHRASE_TOKENS)
        return [one.text.strip() for one in replies], time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="qwen-1.5b")
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    examples = list(load_task("fantasy").examples(given.limit))
    said = {way: asked(form.format(given.model), examples) for way, form in WAYS.items()}
    like = said["transformers, float32"][0]
    rows = {
        way: {
            "seconds": round(seconds / len(examples), 3),
            "f1": round(
                sum(token_f1(a, one.answers) for a, one in zip(replies, examples, strict=True))
                / len(examples),
                3,
            ),
            "same": sum(a == b for a, b in zip(replies, like, strict=True)),
        }
        for way, (replies, seconds) in said.items()
    }
    print(
        f"| {given.model}, {len(examples)} questions | seconds a question | F1 | same as float32 |"
    )
    print("|---|---|---|---|")
    for way, row in rows.items():
        print(f"| {way} | {row['seconds']:.2f} | {row['f1']:.3f} | {row['same']} |")
    if given.write:
        known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        known[given.model] = {"questions": len(examples), "ways": rows}
        RESULTS.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
