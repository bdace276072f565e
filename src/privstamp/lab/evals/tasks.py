"""Tasks by name, or by a file that describes the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from privstamp.errors import UnknownName, suggest
from privstamp.lab.evals import fantasy
from privstamp.lab.evals.contracts import Example, Task
from privstamp.lab.evals.labelled import labelled
from privstamp.lab.evals.listed import ListedTask
from privstamp.lab.evals.own_task import own_task
from privstamp.lab.evals.sources import content
from privstamp.lab.evals.squad import squad

NAMES: Final = ("fantasy", "squad", "ag_news", "yelp")


def load_task(name: str) -> Task:
    """A name, `NAME@REVISION` for another revision at the hub, a TOML file, or made passages.

    Made passages are a JSONL file in the format of the shipped ones (docs/fantasy.md).
    """
    known, _, revision = name.partition("@")
    if known == "fantasy" and not revision:
        return fantasy_task("fantasy", fantasy.load())
    if known == "squad":
        return squad(revision or None)
    if known in NAMES and known != "fantasy":
        return labelled(known, revision or None)
    path = Path(name).expanduser()
    if path.suffix == ".toml":
        return own_task(path)
    if path.suffix == ".jsonl":
        return fantasy_task(path.stem, fantasy.parse(content(path).split("\n"), path.name))
    raise UnknownName(
        f'no task "{name}".{suggest(name, NAMES)}; or a TOML file that describes your own data'
    )


def fantasy_task(name: str, passages: tuple[fantasy.Passage, ...]) -> ListedTask:
    """Invented passages, each a cluster of its questions, with the spans that were marked."""
    return ListedTask(name, "qa", _questions(passages))


def _questions(passages: tuple[fantasy.Passage, ...]) -> Iterator[Example]:
    for passage in passages:
        for number, asked in enumerate(passage.questions, start=1):
            yield Example(
                f"{passage.id}/{number}",
                passage.id,
                passage.text,
                asked.question,
                asked.answers,
                spans=passage.spans,
                task_spans=fantasy.mark(asked.question, passage.sensitive),
            )
