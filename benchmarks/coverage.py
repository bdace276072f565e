"""How much of what is sensitive the detectors find: the tables of docs/guides/sensitivity.md.

    PRIVSTAMP_DATA=FOLDER python benchmarks/coverage.py [--write]
    python benchmarks/coverage.py --lost [--limit 100] [--policy selective readable] [--json]
    python benchmarks/coverage.py --lost --documents 1000 --policy selective

The second form prints what users lose and what gets out, by kind of text (benchmarks/lost.py): on
the samples that ship with privstamp, and on the public sets where PRIVSTAMP_DATA names them.

The folder holds `pii_generated_100.json.gz` (presidio-research) and `wnut17_dev.conll.gz` (emerging
entities). Covered: share of the characters of sensitive spans that are marked. Over-marked: share
of the characters outside of all labelled spans that are. Whole: share of spans without a character
missed. Blanks do not count. `--write` stores the numbers in benchmarks/results/coverage.json.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from privstamp.registry import SENSITIVITY, SPACES

RESULTS = Path(__file__).parent / "results" / "coverage.json"
PARTS = ("rules", "presidio", "lexicon", "union")
INDIRECT = {
    "generated": ("ORGANIZATION", "TITLE", "DATE_TIME"),
    "emerging": ("corporation", "creative-work", "group", "location", "product"),
}
"""Labelled, but no direct identifiers: reported by kind, not summed."""

Texts = list[tuple[str, list[tuple[int, int, str]]]]


def generated(folder: Path) -> Texts:
    with gzip.open(folder / "pii_generated_100.json.gz", "rt") as file:
        rows = json.load(file)
    return [
        (
            row["full_text"],
            [(s["start_position"], s["end_position"], s["entity_type"]) for s in row["spans"]],
        )
        for row in rows
    ]


def emerging(folder: Path) -> Texts:
    texts: Texts = []
    with gzip.open(folder / "wnut17_dev.conll.gz", "rt") as file:
        for block in file.read().split("\n\n"):
            text, spans = "", []
            for line in filter(None, block.split("\n")):
                word, _, tag = line.partition("\t")
                start = len(text)
                text += word + " "
                if tag.startswith("I-") and spans:
                    spans[-1] = (spans[-1][0], start + len(word), spans[-1][2])
                elif tag != "O":
                    spans.append((start, start + len(word), tag[2:]))
            texts.append((text, spans))
    return texts


def measure(part, space, texts: Texts, indirect: tuple[str, ...]) -> dict[str, object]:
    """Covered, over-marked and whole, over direct identifiers and by kind."""
    found = part.find([space.split(text) for text, _ in texts])
    kinds: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(4, dtype=int))
    wrong = others = 0
    for (text, spans), findings in zip(texts, found, strict=True):
        marked = np.zeros(len(text), dtype=bool)
        for one in findings:
            marked[one.start : one.end] = True
        ink = np.array([not c.isspace() for c in text], dtype=bool)
        labelled = np.zeros(len(text), dtype=bool)
        for start, end, kind in spans:
            here = ink[start:end]
            hit = marked[start:end] & here
            kinds[kind] += (hit.sum(), here.sum(), hit.sum() == here.sum(), 1)
            labelled[start:end] = True
        wrong += int((marked & ink & ~labelled).sum())
        others += int((ink & ~labelled).sum())
    direct = sum(counts for kind, counts in kinds.items() if kind not in indirect)
    return {
        "covered": round(float(direct[0] / direct[1]), 3),
        "over": round(wrong / others, 3),
        "whole": round(float(direct[2] / direct[3]), 3),
        "kinds": {
            kind: {
                "covered": round(float(hit / size), 3),
                "whole": round(float(whole / count), 3),
                "spans": int(count),
            }
            for kind, (hit, size, whole, count) in sorted(kinds.items())
        },
    }


def main() -> None:
    if "--lost" in sys.argv:
        import lost

        lost.main([word for word in sys.argv[1:] if word != "--lost"])
        return
    folder = Path(os.environ["PRIVSTAMP_DATA"])
    space = SPACES.build("glove", {})
    parts = {name: SENSITIVITY.build(name, {}) for name in PARTS}
    sets = {"generated": generated(folder), "emerging": emerging(folder)}
    results = {
        title: {name: measure(part, space, texts, INDIRECT[title]) for name, part in parts.items()}
        for title, texts in sets.items()
    }
    if "--write" in sys.argv:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print("\n".join([*table(results), "", *kinds(results, "generated")]))
    print("\n".join(["", *kinds(results, "emerging")]))


def table(results: dict[str, dict[str, dict]]) -> list[str]:
    """Lines of Markdown: covered @ over-marked, whole spans."""
    lines = ["| set | " + " | ".join(f"`{name}`" for name in PARTS) + " |"]
    lines.append("|---|" + "---|" * len(PARTS))
    for title, by_part in results.items():
        cells = [
            f"{o['covered']:.2f} @ {o['over']:.2f}, {o['whole']:.2f}" for o in by_part.values()
        ]
        lines.append(f"| {title} | " + " | ".join(cells) + " |")
    return lines


def kinds(results: dict[str, dict[str, dict]], title: str) -> list[str]:
    """Lines of Markdown, one per kind: covered, whole spans."""
    lines = [f"| {title} | spans | " + " | ".join(f"`{name}`" for name in PARTS) + " |"]
    lines.append("|---|---|" + "---|" * len(PARTS))
    by_part = results[title]
    for kind, first in by_part[PARTS[0]]["kinds"].items():
        rows = [by_part[name]["kinds"][kind] for name in PARTS]
        cells = [f"{row['covered']:.2f}, {row['whole']:.2f}" for row in rows]
        lines.append(f"| {kind} | {first['spans']} | " + " | ".join(cells) + " |")
    return lines


if __name__ == "__main__":
    main()
