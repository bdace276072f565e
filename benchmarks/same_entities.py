"""Entities by our reading of spaCy's recogniser beside those of spaCy itself, text by text.

    python benchmarks/same_entities.py FILE ... --documents 10000 [--write]

Texts of each file (.csv.gz, .json.gz, .conll.gz) are cut into documents of 160 words, at most an
equal share of `--documents` from each. All kinds are read of all words; names, which the default
looks for, only near what may be one. Prints counts by kind, never text.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from privstamp.sensitivity.greedy import NAMES
from privstamp.sensitivity.ner import Ner

WORDS, BATCH = 160, 200
RESULTS = Path(__file__).parent / "results" / "same_entities.json"


def documents(path: Path) -> Iterator[str]:
    """The texts of a file, cut into documents of so many words; line ends are kept."""
    words: list[str] = []
    for text in _texts(path):
        words += f"{text}\n".split(" ")
        while len(words) >= WORDS:
            yield " ".join(words[:WORDS])
            words = words[WORDS:]


def _texts(path: Path) -> Iterator[str]:
    """Of a table the last column, of tagged words each sentence, of JSON all strings of 80
    characters."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        if path.name.endswith(".csv.gz"):
            yield from (row[-1] for row in csv.reader(file))
        elif path.name.endswith(".json.gz"):
            yield from _strings(json.load(file))
        else:
            sentences = file.read().replace("\r", "").split("\n\n")
            for sentence in sentences:
                yield " ".join(line.split("\t")[0] for line in sentence.splitlines())


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from [value] if len(value) >= 80 else []
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    model = Ner("en", None)
    share = -(-given.documents // len(given.files))
    read, same = 0, Counter[str]()
    kinds = {label: Counter[str]() for label in sorted(model.labels)}
    for path in given.files:
        texts = islice(documents(path), share)
        while batch := list(islice(texts, BATCH)):
            read += len(batch)
            columns = (
                model.by_spacy(batch),
                model.entities(batch),
                model.entities(batch, names=True),
            )
            for spacy, every, near in zip(*map(_sets, columns), strict=True):
                same["by spaCy"] += len(spacy)
                same["that only one of both has"] += len(spacy ^ every)
                for *_, label in spacy:
                    kinds[label]["by spaCy"] += 1
                for *_, label in spacy - near:
                    kinds[label]["by spaCy alone"] += 1
                for *_, label in near - spacy:
                    kinds[label]["by ours alone"] += 1
    names = {label: dict(kinds[label]) for label in kinds if label in NAMES}
    record = {"documents": read, "all kinds": dict(same), "names": names}
    print(json.dumps(record, indent=1))
    if given.write:
        RESULTS.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def _sets(entities: list[Any]) -> list[set[Any]]:
    return [set(found) for found in entities]


if __name__ == "__main__":
    main()
