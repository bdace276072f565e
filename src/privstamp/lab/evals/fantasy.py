"""Invented passages with questions and marked spans: no model can know the answers beforehand."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final, TypeVar

from privstamp.errors import InputError
from privstamp.lab.evals.contracts import Span

T = TypeVar("T")
NAMES: Final = frozenset({"PERSON", "LOCATION", "ORGANIZATION"})
FIGURES: Final = frozenset({"DATE_TIME", "ID", "NUMBER"})
KINDS: Final = NAMES | FIGURES
WORDS: Final = (120, 180)
QUESTIONS: Final = 5
ANSWER_WORDS: Final = 5


@dataclass(frozen=True)
class PassageQuestion:
    """A question and the answers that count as right, each as it stands in the passage."""

    question: str
    answers: tuple[str, ...]


@dataclass(frozen=True)
class Mention:
    """A sensitive name or figure; every occurrence of it in the passage is meant."""

    text: str
    kind: str


@dataclass(frozen=True)
class Passage:
    """One text of the set, its questions and what in it is sensitive."""

    id: str
    title: str
    form: str
    text: str
    questions: tuple[PassageQuestion, ...]
    sensitive: tuple[Mention, ...]

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """All sensitive spans of the text."""
        return mark(self.text, self.sensitive)


def find(text: str, words: str) -> list[tuple[int, int]]:
    """Where the words stand whole: never inside a longer word or a longer number."""
    if not words:
        return []
    pattern = rf"(?<!\w)(?<!\d[.,]){re.escape(words)}(?!\w)(?![.,]\d)"
    return [match.span() for match in re.finditer(pattern, text)]


def mark(text: str, sensitive: Iterable[Mention]) -> tuple[Span, ...]:
    """Sensitive spans of a text, a passage or a question, in reading order; none overlap."""
    located = (span for spans in _locate(text, sensitive).values() for span in spans)
    return tuple(sorted(located, key=lambda span: span.start))


def check(passage: Passage) -> list[str]:
    """What is wrong with a passage, by position and not by quoting; empty when nothing is."""
    wrong = []
    if not passage.id or not passage.title or not passage.form:
        wrong.append("id, title or form is empty")
    low, high = WORDS
    if not low <= (length := len(passage.text.split())) <= high:
        wrong.append(f"passage has {length} words; {low} to {high} are asked for")
    if (number := len(passage.questions)) != QUESTIONS:
        wrong.append(f"{number} questions; {QUESTIONS} are asked for")
    if len({question.question for question in passage.questions}) < number:
        wrong.append("a question is asked twice")
    for place, question in enumerate(passage.questions, start=1):
        wrong += [f"question {place}: {fault}" for fault in _faults(question, passage.text)]
    located = _locate(passage.text, passage.sensitive)
    for place, mention in enumerate(passage.sensitive, start=1):
        if mention.kind not in KINDS:
            wrong.append(f"sensitive {place}: unknown kind. Known: {', '.join(sorted(KINDS))}")
        if not located[mention]:
            wrong.append(f"sensitive {place}: never stands by itself in the passage")
    if len({mention.text for mention in passage.sensitive}) < len(passage.sensitive):
        wrong.append("a sensitive text is listed twice")
    for text in (passage.text, *(question.question for question in passage.questions)):
        covered = {i for span in mark(text, passage.sensitive) for i in range(span.start, span.end)}
        if any(digit.start() not in covered for digit in re.finditer(r"\d", text)):
            wrong.append("a figure in digits, in passage or question, is not listed as sensitive")
    for kinds in (NAMES, FIGURES):
        if not any(answer_kinds(passage, question) & kinds for question in passage.questions):
            wrong.append(f"no answer is one of {', '.join(sorted(kinds))}")
    return wrong


def check_all(passages: Iterable[Passage]) -> list[str]:
    """What is wrong with a set: the faults of each passage, and ids used twice."""
    return faults_of((passage.id, check(passage)) for passage in passages)


def faults_of(items: Iterable[tuple[str, list[str]]]) -> list[str]:
    """Those of each item of a set, by its id, and ids used twice."""
    known = list(items)
    wrong = [f"{name}: {fault}" for name, faults in known for fault in faults]
    twice = Counter(name for name, _ in known)
    return wrong + [f"{name}: id is used {n} times" for name, n in twice.items() if n > 1]


def answer_kinds(passage: Passage, question: PassageQuestion) -> set[str]:
    """Kinds of the sensitive spans that an occurrence of an answer touches."""
    places = [place for answer in question.answers for place in find(passage.text, answer)]
    return {
        span.kind
        for span in passage.spans
        if any(start < span.end and span.start < end for start, end in places)
    }


def parse(lines: Iterable[str], name: str = "") -> tuple[Passage, ...]:
    """Passages from JSON lines, of a file of that name; empty lines are skipped."""
    where = f"{name}, line" if name else "line"
    return read_lines(lines, _passage, f"{where} {{}} is not a passage", "docs/lab/fantasy.md")


def read_lines(
    lines: Iterable[str], build: Callable[[Any], T], problem: str, page: str
) -> tuple[T, ...]:
    """An item for each line of JSON that is not empty, or what is wrong and where."""
    items = []
    for number, line in enumerate(lines, start=1):
        try:
            if line.strip():
                items.append(build(json.loads(line)))
            continue
        except (ValueError, KeyError, TypeError, AttributeError):
            pass
        raise InputError(f"{problem.format(number)}. See {page} for the format")
    return tuple(items)


@cache
def load() -> tuple[Passage, ...]:
    """The set shipped with privstamp, read once and when first asked for."""
    return parse((files(__package__) / "data" / "fantasy.jsonl").read_text("utf-8").splitlines())


def questions(rows: Iterable[Any]) -> tuple[PassageQuestion, ...]:
    """Questions with their answers, as files have them."""
    return tuple(
        PassageQuestion(str(row["question"]), tuple(map(str, row["answers"]))) for row in rows
    )


def _locate(text: str, sensitive: Iterable[Mention]) -> dict[Mention, list[Span]]:
    """The spans of each mention. A longer mention hides the shorter ones inside it."""
    taken: list[tuple[int, int]] = []
    placed = {}
    for mention in sorted(set(sensitive), key=lambda m: (-len(m.text), m.text, m.kind)):
        free = [
            (start, end)
            for start, end in find(text, mention.text)
            if all(end <= left or right <= start for left, right in taken)
        ]
        taken += free
        placed[mention] = [Span(start, end, mention.kind) for start, end in free]
    return placed


def _faults(question: PassageQuestion, text: str) -> list[str]:
    faults = [] if question.answers else ["has no answer"]
    for answer in question.answers:
        if not find(text, answer):
            faults.append("an answer does not occur in the passage")
        if not 1 <= len(answer.split()) <= ANSWER_WORDS:
            faults.append(f"an answer has no word or more than {ANSWER_WORDS}")
        if find(question.question.lower(), answer.lower()):
            faults.append("an answer is given away by the question")
    return faults


def _passage(row: dict[str, Any]) -> Passage:
    return Passage(
        id=str(row["id"]),
        title=str(row["title"]),
        form=str(row["form"]),
        text=str(row["passage"]),
        questions=questions(row["questions"]),
        sensitive=tuple(Mention(str(m["text"]), str(m["kind"])) for m in row["sensitive"]),
    )
