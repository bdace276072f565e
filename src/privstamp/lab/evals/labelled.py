"""AG News and Yelp reviews: one label for a text."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from privstamp.errors import InputError
from privstamp.lab.evals.contracts import Example
from privstamp.lab.evals.listed import ListedTask, first_hashed
from privstamp.lab.evals.sources import Source, columns, content, csv_rows, is_parquet

TAUGHT: Final = 15_000
"""Training texts at most: enough for the classifiers here, and quick."""


@dataclass(frozen=True)
class Published:
    """One of the two sets: what is asked, and how its files say it."""

    name: str
    task: str
    labels: tuple[str, ...]
    clean: Callable[[str], str]
    asked: Source
    taught: Source


def labelled(name: str, revision: str | None = None) -> ListedTask:
    """The task of that name, `ag_news` or `yelp`."""
    known = SETS[name]
    path = known.asked.find(revision)
    return ListedTask(
        name,
        "classification",
        _read(known, path, "test", None),
        labels=known.labels,
        training=lambda: _read(known, known.taught.find(revision), "train", TAUGHT),
    )


def _read(known: Published, path: Path, split: str, limit: int | None) -> list[Example]:
    """Examples of a file; an id is the row, which is the same here and at the hub."""
    rows = _parquet(path) if is_parquet(path) else _csv(path)
    chosen = range(len(rows)) if limit is None else first_hashed(len(rows), limit)
    examples = []
    for number in chosen:
        place, cells = rows[number]
        if not 0 <= place < len(known.labels):
            raise InputError(
                f"{path.name}, row {number + 1}: the label is outside 1 to {len(known.labels)}"
            )
        id_ = f"{known.name}-{split}-{number}"
        text = known.clean(" ".join(cells))
        examples.append(Example(id_, id_, text, known.task, label=known.labels[place]))
    return examples


def _parquet(path: Path) -> list[tuple[int, list[str]]]:
    labels, texts = columns(path, ("label", "text"))
    return [(int(label), [str(text)]) for label, text in zip(labels, texts, strict=True)]


def _csv(path: Path) -> list[tuple[int, list[str]]]:
    """Label from 1, then the cells of the text; a first line of names is skipped."""
    rows = csv_rows(content(path))
    found = []
    for line, row in rows[1:] if rows and not rows[0][1][0].isdecimal() else rows:
        if len(row) < 2 or not row[0].isdecimal():
            raise InputError(f"{path.name}, line {line}: a label from 1 and a text are expected")
        found.append((int(row[0]) - 1, row[1:]))
    return found


def clean_news(text: str) -> str:
    """Entities that lost their ampersand, tags, and backslashes for line ends, as they were."""
    text = re.sub(r"(?:&| )(#\d{2,5}|quot|amp|lt|gt|nbsp|hellip);", r"&\1;", text)
    text = re.sub(r"</?\w[^<>]*>", " ", html.unescape(html.unescape(text)))
    return _blanks(text.replace("\\", " "))


def clean_review(text: str) -> str:
    """Line ends, quotes and characters that were written as escapes."""
    text = text.replace("\\n", "\n").replace('\\"\\"', '"').replace('\\"', '"')
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").strip()


def _blanks(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _sources(
    asked: Sequence[str], taught: str, hub: str, folder: str, revision: str
) -> tuple[Source, Source]:
    def place(split: str) -> str:
        return f"{folder}/{split}-00000-of-00001.parquet"

    return (
        Source(tuple(asked), ".csv", hub, place("test"), revision),
        Source((taught,), ".csv", hub, place("train"), revision),
    )


SETS: Final = {
    known.name: known
    for known in (
        Published(
            "ag_news",
            "Is this news about world affairs, sports, business or technology?",
            ("World", "Sports", "Business", "Sci/Tech"),
            clean_news,
            *_sources(
                ["ag_news_test"], "ag_news_train",
                "fancyzhx/ag_news", "data", "eb185aade064a813bc0b7f42de02595523103ca4",
            ),
        ),
        Published(
            "yelp",
            "How many stars does the reviewer give?",
            ("1", "2", "3", "4", "5"),
            clean_review,
            *_sources(
                ["yelp_test", "yelp_balanced"], "yelp_train",
                "Yelp/yelp_review_full", "yelp_review_full",
                "c1f9ee939b7d05667af864ee1cb066393154bf85",
            ),
        ),
    )
}  # fmt: skip
