"""SQuAD 1.1: questions on paragraphs of an encyclopedia, answered by words of the paragraph."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from privstamp.errors import InputError
from privstamp.lab.evals.contracts import Example
from privstamp.lab.evals.listed import ListedTask
from privstamp.lab.evals.sources import Source, columns, content, is_parquet

QUESTIONS: Final = 5
"""Of a paragraph, at most: more of them would say little more, and paragraphs differ."""
SOURCE: Final = Source(
    ("squad-dev",),
    ".json",
    "rajpurkar/squad",
    "plain_text/validation-00000-of-00001.parquet",
    "7b6d24c440a36b6815f21b70d25016731768db1f",
)


def squad(revision: str | None = None) -> ListedTask:
    """The development set; a cluster is a paragraph, with the first questions of its order."""
    path = SOURCE.find(revision)
    every = ListedTask("squad", "qa", _hub(path) if is_parquet(path) else _file(path)).examples()
    taken: dict[str, int] = {}
    chosen = []
    for one in every:
        taken[one.cluster] = taken.get(one.cluster, 0) + 1
        if taken[one.cluster] <= QUESTIONS:
            chosen.append(one)
    return ListedTask("squad", "qa", chosen)


def _file(path: Path) -> list[Example]:
    """The JSON of the original publication."""
    try:
        return list(_articles(json.loads(content(path))["data"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise InputError(f"{path.name} is not SQuAD's JSON: data, paragraphs, qas, answers")


def _articles(articles: list[dict[str, Any]]) -> Iterator[Example]:
    paragraphs = (paragraph for article in articles for paragraph in article["paragraphs"])
    for paragraph in paragraphs:
        asked = paragraph["qas"]
        cluster = min(str(question["id"]) for question in asked) if asked else ""
        for question in asked:
            answers = [answer["text"] for answer in question["answers"]]
            yield _example(
                question["id"], cluster, paragraph["context"], question["question"], answers
            )


def _hub(path: Path) -> list[Example]:
    rows = list(zip(*columns(path, ("id", "context", "question", "answers")), strict=True))
    smallest: dict[str, str] = {}
    for id_, context, _, _ in rows:
        smallest[context] = min(smallest.get(context, id_), id_)
    return [
        _example(id_, smallest[context], context, question, answers["text"])
        for id_, context, question, answers in rows
    ]


def _example(
    id_: object, cluster: str, context: object, question: object, answers: list[object]
) -> Example:
    known = tuple(dict.fromkeys(str(answer).strip() for answer in answers))
    return Example(str(id_), cluster, str(context), str(question).strip(), known)
