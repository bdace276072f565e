"""How much of what is sensitive the detectors find: the table of docs/sensitivity.md.

    PRIVSTAMP_DATA=FOLDER python benchmarks/coverage.py

The folder holds `pii_generated_100.json.gz` (presidio-research) and `wnut17_dev.conll.gz` (emerging
entities). Each cell is the share of the sensitive characters that are marked, and after @ the share
of all others that are; blanks do not count.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import defaultdict
from pathlib import Path

import numpy as np

from privstamp.registry import SENSITIVITY, SPACES

INDIRECT = ("ORGANIZATION", "TITLE", "DATE_TIME")


def generated(folder: Path) -> list[tuple[str, list[tuple[int, int, str]]]]:
    with gzip.open(folder / "pii_generated_100.json.gz", "rt") as file:
        rows = json.load(file)
    return [
        (
            row["full_text"],
            [(s["start_position"], s["end_position"], s["entity_type"]) for s in row["spans"]],
        )
        for row in rows
    ]


def emerging(folder: Path) -> list[tuple[str, list[tuple[int, int, str]]]]:
    texts = []
    with gzip.open(folder / "wnut17_dev.conll.gz", "rt") as file:
        for block in file.read().split("\n\n"):
            text, spans = "", []
            for line in filter(None, block.split("\n")):
                word, _, tag = line.partition("\t")
                start = len(text)
                text += word + " "
                if tag.endswith("-person"):
                    spans.append((start, start + len(word), "PERSON"))
            texts.append((text, spans))
    return texts


def measure(part, space, texts):
    """Characters found and sensitive, by kind, and others marked by mistake."""
    found = part.find([space.split(text) for text, _ in texts])
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    wrong = others = 0
    for (text, spans), findings in zip(texts, found, strict=True):
        marked = np.zeros(len(text), dtype=bool)
        for one in findings:
            marked[one.start : one.end] = True
        ink = np.array([not c.isspace() for c in text], dtype=bool)
        labelled = np.zeros(len(text), dtype=bool)
        for start, end, kind in spans:
            here = ink[start:end]
            kinds[kind][0] += int((marked[start:end] & here).sum())
            kinds[kind][1] += int(here.sum())
            labelled[start:end] = True
        wrong += int((marked & ink & ~labelled).sum())
        others += int((ink & ~labelled).sum())
    return kinds, wrong / others


def main() -> None:
    folder = Path(os.environ["PRIVSTAMP_DATA"])
    space = SPACES.build("glove", {})
    parts = {name: SENSITIVITY.build(name, {}) for name in ("rules", "presidio")}
    print("| set | " + " | ".join(f"`{name}`" for name in parts) + " |\n|---|---|---|")
    for title, texts in {"generated": generated(folder), "persons": emerging(folder)}.items():
        cells = []
        for name, part in parts.items():
            kinds, wrong = measure(part, space, texts)
            direct = [pair for kind, pair in kinds.items() if kind not in INDIRECT]
            share = sum(hit for hit, _ in direct) / sum(size for _, size in direct)
            cells.append(f"{share:.2f} @ {wrong:.2f}")
            if name == "presidio" and title == "generated":
                by_kind = {kind: f"{hit / size:.2f}" for kind, (hit, size) in sorted(kinds.items())}
        print(f"| {title} | " + " | ".join(cells) + " |")
    print("\n`presidio` by kind, generated:", by_kind)


if __name__ == "__main__":
    main()
