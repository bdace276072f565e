"""More invented passages, written by any model that answers, as the published procedure has it.

A model is asked for a passage on something that does not exist, five questions with answers that
stand in it, and the list of what is sensitive. Only what passes every check is kept.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, ValidationError

from privstamp.errors import InputError, UsageError
from privstamp.lab.evals import fantasy
from privstamp.lab.evals.datasets import content
from privstamp.lab.evals.fantasy import (
    ANSWER_WORDS,
    KINDS,
    QUESTIONS,
    WORDS,
    Mention,
    Passage,
    PassageQuestion,
)
from privstamp.lab.progress import Progress, silent
from privstamp.protocols import Answerer
from privstamp.types import Prompt

SUBJECTS: Final = ("a historical event", "a city", "an animal or plant species")
FORMS: Final = ("encyclopedia entry", "short narrative", "chronicle", "letter", "report")
LETTERS: Final = "ABDEFGHIKLMNOPRSTUVWYZ"
WRITER: Final = "You invent worlds, and you reply with one JSON object and nothing else."
SHAPE: Final = (
    '{"title": "...", "passage": "...", '
    '"questions": [{"question": "...", "answers": ["..."]}, ...], '
    '"sensitive": [{"text": "...", "kind": "..."}, ...]}'
)


def wish(number: int) -> Prompt:
    """The number turns subject, form and a first letter, so that no two prompts are alike."""
    return Prompt(_wish(number), WRITER)


def again(number: int, reply: str, wrong: Sequence[str]) -> Prompt:
    """The same once more, with what came and what is wrong with it."""
    listed = "\n".join(f"- {fault}" for fault in wrong)
    return Prompt(
        f"{_wish(number)}\n\nYour last reply was:\n{reply.strip()}\n\nIt is refused:\n{listed}\n\n"
        "Reply with the whole JSON object, corrected.",
        WRITER,
    )


def form(number: int) -> str:
    """What kind of writing the passage of a number is."""
    return FORMS[number % len(FORMS)]


def _wish(number: int) -> str:
    low, high = WORDS
    return " ".join(
        (
            f"Write a text about {SUBJECTS[number % len(SUBJECTS)]} that does not exist in the",
            f"real world, in the form of: {form(number)}. It is one paragraph of {low + 15} to",
            f"{high - 20} words. Invent every proper noun, and let the most important one begin",
            f"with {LETTERS[number * 7 % len(LETTERS)]}. People, places, an organisation, dates",
            "and numbers occur in it.",
            f"\nThen write {QUESTIONS} questions that only this text can answer. Each answer is",
            f"copied from the text letter by letter, has at most {ANSWER_WORDS} words, and is not",
            "part of its question. At least one answer is a name, and at least one a date or a",
            "number.",
            "\nThen list everything sensitive in the text and the questions: names, places,",
            "organisations, dates, identifiers and numbers. Every figure written in digits must be",
            "in the list.",
            f"\nReply with this JSON object, number {number} of a series:\n{SHAPE}",
            f"\nA kind is one of {', '.join(sorted(KINDS))}.",
        )
    )


ATTEMPTS: Final = 3
"""Times that one passage is asked for, each time with the faults of the last."""
SPARE: Final = 3
"""Subjects that are tried at most for each passage that is still missing."""
BATCH: Final = 4
TEMPERATURE: Final = 0.9
MAX_TOKENS: Final = 1600
LONGEST_TITLE: Final = 200
MOST_ALIKE: Final = 0.3
"""Passages about different things share a few runs of three words; variations share most."""


@dataclass(frozen=True)
class Made:
    """What came of it; faults over all replies that were refused, the most frequent first."""

    written: int
    in_file: int
    given_up: int
    replies: int
    faults: dict[str, int]


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    title: str
    passage: str
    questions: list[PassageQuestion]
    sensitive: list[Mention]


def make_fantasy(model: Answerer, count: int, out: Path, progress: Progress = silent) -> Made:
    """Add passages to `out` until it holds `count`; a run that was stopped goes on where it was.

    Gives up after SPARE subjects for each one missing.
    """
    if count < 1:
        raise UsageError(f"count must be 1 or more, not {count}")
    old = _written(out)
    known = {passage.text for passage in (*fantasy.load(), *old)}
    number = max((_number(passage.id) for passage in old), default=0)
    last = number + SPARE * (count - len(old))
    faults: Counter[str] = Counter()
    held, replies, given_up = len(old), 0, 0
    progress("passages", held)
    while held < count and number < last:
        numbers = range(number + 1, min(number + BATCH, number + count - held, last) + 1)
        number = numbers[-1]
        left = set(numbers)
        for invented, wrong in _asked(model, numbers, known):
            replies += 1
            faults.update(map(_kind, wrong))
            if invented is not None:
                _append(out, invented)  # at once: the next request may fail
                known.add(invented.text)
                left.discard(_number(invented.id))
                held += 1
                progress("passages", held)
        given_up += len(left)
    return Made(held - len(old), held, given_up, replies, dict(faults.most_common()))


def _asked(
    model: Answerer, numbers: Sequence[int], known: set[str]
) -> Iterator[tuple[Passage | None, list[str]]]:
    """Of each reply the passage, or what is wrong with it, which is said when asking again."""
    prompts = {number: wish(number) for number in numbers}
    for _ in range(ATTEMPTS):
        left = list(prompts)
        replies = model.complete(
            [prompts[number] for number in left], temperature=TEMPERATURE, max_tokens=MAX_TOKENS
        )
        for number, reply in zip(left, replies, strict=True):
            passage, wrong = read_reply(reply.text, number, known)
            if passage is None:
                prompts[number] = again(number, reply.text, wrong)
            else:
                del prompts[number]
            yield passage, wrong
        if not prompts:
            return


def read_reply(reply: str, number: int, known: set[str]) -> tuple[Passage | None, list[str]]:
    """The passage of a reply if nothing is wrong with it, else what is."""
    try:
        read = _Reply.model_validate_json(_object(reply))
    except ValidationError as error:
        return None, list(
            dict.fromkeys(_in_words(error["type"], error["loc"]) for error in error.errors())
        )
    passage = Passage(
        id=f"made-{number}",
        title=read.title.strip(),
        form=form(number),
        text=" ".join(read.passage.split()),
        questions=tuple(replace(q, question=q.question.strip()) for q in read.questions),
        sensitive=tuple(read.sensitive),
    )
    wrong = fantasy.check(passage)
    if not 0 < len(passage.title) <= LONGEST_TITLE or not passage.title.isprintable():
        wrong.append(f"the title is empty, longer than {LONGEST_TITLE} letters, or no plain line")
    if any(alike(passage.text, text) > MOST_ALIKE for text in known):
        wrong.append("the passage is too much like one that was written before")
    return (None, wrong) if wrong else (passage, [])


def alike(first: str, second: str) -> float:
    """The share of runs of three words that two passages have in common, of the shorter one's."""
    runs = [
        {tuple(words[n : n + 3]) for n in range(len(words) - 2)}
        for words in (first.casefold().split(), second.casefold().split())
    ]
    return len(runs[0] & runs[1]) / max(1, min(map(len, runs)))


def _object(reply: str) -> str:
    """From the first brace to the last: some models put a fence or a greeting around it."""
    start, end = reply.find("{"), reply.rfind("}")
    return reply[start : end + 1] if 0 <= start < end else "null"


def _in_words(kind: str, place: tuple[int | str, ...]) -> str:
    if kind == "json_invalid" or not place:
        return "not one JSON object"
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        return "a field that was not asked for"
    kind = kind.replace("tuple", "list")  # as JSON calls it
    return ".".join("N" if isinstance(step, int) else step for step in place) + f": {kind}"


def _kind(fault: str) -> str:
    """A fault without its numbers, for counting."""
    return re.sub(r"\d+", "N", re.split(r"[;.] ", fault)[0])


def _number(id_: str) -> int:
    match = re.fullmatch(r"made-(\d+)", id_)
    return int(match[1]) if match else 0


def _written(out: Path) -> tuple[Passage, ...]:
    """What the file holds; a last line that was not finished is taken away."""
    try:
        out.open("a").close()  # refused here if it cannot be, not after a passage was written
        trouble = ""
    except OSError as error:
        trouble = type(error).__name__
    if trouble:
        raise UsageError(f"{out.name} cannot be written ({trouble}); name another file")
    text = content(out)
    lines = text[: text.rfind("\n") + 1]
    passages = fantasy.parse(lines.split("\n"), out.name)
    if fantasy.check_all(passages):
        raise InputError(f"{out.name} holds other things than made passages; name another file")
    if lines != text:
        out.write_text(lines, encoding="utf-8")
    return passages


def _append(out: Path, passage: Passage) -> None:
    row = asdict(passage)
    row["passage"] = row.pop("text")
    with out.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
