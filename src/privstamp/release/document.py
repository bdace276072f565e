"""One document on its way through the line, and the checks at its two ends. Private throughout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any, Final, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from privstamp.errors import InputError
from privstamp.protocols import Sensitivity
from privstamp.release.groups import Grouping
from privstamp.release.replaced import Pseudonyms, Replaced
from privstamp.result import Result
from privstamp.text.formats.recognition import read
from privstamp.text.formats.template import Template
from privstamp.text.invisible import Edits, Visible, visible
from privstamp.text.languages import KNOWN, Languages, told
from privstamp.types import PASSING, Epsilons, Finding, Ids, Scores, Units, between


class Addresses(Protocol):
    """Where the noise of a text's units is, under a key that many texts share."""

    @property
    def noise(self) -> bytes:
        """The key; surrogates may be drawn under one of their own."""

    def positions(self, document: Chosen) -> npt.NDArray[np.int64]:
        """Of all units."""

    def row(self, document: Chosen, unit: int, released: str, draw: Callable[[int], int]) -> int:
        """What `draw` gives for a unit whose law depends on what was released before it, at an
        address of its own."""


class Known(Protocol):
    """What is known of a text before it is read: a Roster, or what a column holds."""

    def more(self, page: Units, findings: list[Finding], sensitivity: Sensitivity) -> list[Finding]:
        """The findings of a text, with what is known."""


@dataclass(frozen=True, repr=False, eq=False)
class Document:
    """A text as it came, and what is asked of its release. Each stage makes the next record of it,
    with all that was known before."""

    index: int
    text: str
    task: str | None
    private_task: bool = False
    format: str = "plain"
    asked: str | None = None  # judges importance where there is no task; no part of the release
    header: str = ""  # of a table whose first rows are elsewhere
    pseudonyms: Pseudonyms | None = None  # carried through many texts; none: its own
    roster: Known | None = None  # names of earlier texts that are looked for in this one
    address: Addresses | None = None
    settle: Callable[[Labelled], Labelled] | None = None  # called once labels are known
    whole: bool = False  # one thing, in whatever language: all of it is replaced
    row: tuple[bytes, ...] = ()  # what the noise depends on beside the text: table, column, id

    @property
    def hides_task(self) -> bool:
        return self.private_task and bool(self.task)

    def checked(self, *, drop: bool = False) -> Checked:
        """Refuse what is not text, read its format, and take out what nobody sees; `drop` also
        parts of letters that are no text."""
        for what, value in (
            ("text", self.text),
            ("task", "" if self.task is None else self.task),
        ):
            if not isinstance(value, str):
                raise InputError(f"the {what} is not a string but {type(value).__name__}")
            try:
                value.encode()
            except UnicodeEncodeError as error:
                position = error.start
            else:
                continue
            raise InputError(
                f"the {what} has a lone surrogate at character {position}: not valid Unicode"
            )
        form = read(self.text, self.format, self.header, drop=drop)
        asked = visible(self.task or "")
        text = visible(self.text) if form is None else Visible(form.reading)  # clean already
        return grown(
            Checked,
            self,
            source=self.text,
            text=text.text,
            task=self.task if self.task is None else asked.text,
            template=form,
            unseen=(text.edits, asked.edits),
            languages=told(text.text),
        )


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Checked(Document):
    """`text` and `task` are as a reader sees them; of a structured text, its fields in a row."""

    source: str  # the text as it came
    template: Template | None  # of a structured text
    unseen: tuple[Edits, Edits]  # taken out of the text, and of the task
    languages: Languages

    @property
    def identity(self) -> list[bytes]:
        """What the text is to the noise: in another format, or row, it is another text."""
        if self.template is None:
            return [*self.row, self.text.encode()]
        return [*self.row, self.source.encode(), self.template.format.encode()]

    def check_language(self, served: frozenset[str]) -> None:
        """Refuse a text with a part in a language that the detectors do not read, or such a
        task."""
        what, others = "text, or a part of it,", self.languages.others(served)
        if not others:
            what, others = "task", told(self.task or "").others(served)
        if not others:
            return
        known = [language for language in others if language in KNOWN]
        remedy = "There are no words and lists for it here. "
        if known:
            codes = ", ".join(f'"{language}"' for language in [*sorted(served), *known])
            flags = " ".join(f"--language {language}" for language in known)
            remedy = f"Let it be read: [sensitivity] languages = [{codes}], or {flags}. "
        raise InputError(
            f"the {what} is in {', '.join(others)}, and this policy's detectors "
            f"read {', '.join(sorted(served))}: they would miss names and take ordinary words for "
            f'them. {remedy}Or release it all the same: other_languages = "accept", on the command '
            "line --accept languages"
        )

    def split(self, pages: list[Units]) -> Split:
        """With the units of the text, and of the task, as one row."""
        for page in pages:
            check_gaps(page)
        units = pages[0] if len(pages) == 1 else joined(*pages)
        return grown(Split, self, pages=tuple(pages), units=units)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Split(Checked):
    """The units of the task follow those of the text."""

    pages: tuple[Units, ...]  # the text, and the task if there is one
    units: Units  # of all pages

    @property
    def public(self) -> npt.NDArray[np.bool_]:
        """Units of a public task, or that only stand between fields: no part of what is
        protected."""
        starts = self.units.starts
        tail = starts >= len(self.text)
        outside = tail & (not self.hides_task)
        if self.template is not None:
            outside |= ~tail & ~self.template.inside(starts)
        return outside


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Searched(Split):
    findings: list[Finding]


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Weighed(Searched):
    scores: Scores


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Labelled(Weighed):
    """Nothing is drawn yet."""

    grouping: Grouping
    epsilon: Epsilons  # as applied: 0 replaced, inf released
    small: npt.NDArray[np.bool_]  # function words
    key: bytes = b""  # of the noise

    @property
    def labels(self) -> bytes:
        """Everything that was found, for the key of a release."""
        spans = [(finding.start, finding.end, finding.kind) for finding in self.findings]
        budgets = self.grouping.groups.astype("<i8"), self.epsilon.astype("<f8")
        return repr(spans).encode() + b"".join(array.tobytes() for array in budgets)

    @property
    def perturbed(self) -> npt.NDArray[np.bool_]:
        return (self.epsilon > 0) & np.isfinite(self.epsilon)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Chosen(Labelled):
    """Budgets are final."""

    drawn: npt.NDArray[np.intp]  # units that get a draw of their own
    shared: npt.NDArray[np.intp]  # for each perturbed unit, which draw
    positions: npt.NDArray[np.int64]  # addresses of the units' noise

    def addressed(self) -> Chosen:
        """Under a key of many texts, no two of them may share an address of its noise."""
        if self.pseudonyms is None or self.pseudonyms.row is not None:
            return self
        if self.address is None:
            raise ValueError("a text under a shared key has no addresses of its own")
        return replace(self, key=self.address.noise, positions=self.address.positions(self))


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Sampled(Chosen):
    """Everything is drawn."""

    outputs: Ids  # output row of each perturbed unit
    replaced: Replaced  # and what every unit became


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Written(Sampled):
    result: Result


Record = TypeVar("Record", bound=Document)


def grown(record: type[Record], document: Document, **more: Any) -> Record:
    """The next record of a document: all that was known, and what is new or changed."""
    return record(**{**vars(document), **more})


def check_gaps(units: Units) -> None:
    """Nothing but plain spacing and common punctuation lies outside of the units."""
    if not between(units) <= PASSING:
        raise ValueError("the space left characters outside of its units")


SEAM: Final = "\n"
"""Between text and task, so that no unit of one ever touches a unit of the other."""


def joined(first: Units, second: Units) -> Units:
    """Two texts as one row of units, with a seam between them."""
    shift = len(first.text) + len(SEAM)
    return Units(
        text=first.text + SEAM + second.text,
        starts=np.concatenate([first.starts, second.starts + shift]),
        ends=np.concatenate([first.ends, second.ends + shift]),
        rows=np.concatenate([first.rows, second.rows]),
        kinds=np.concatenate([first.kinds, second.kinds]),
        labels=np.concatenate([first.labels, second.labels]),
    )


def cut(units: Units, index: int, character: int) -> tuple[Units, Units]:
    """Undo `joined`, at a unit and the character of the seam. Both halves are whole, or refused."""

    def part(text: str, which: slice, shift: int) -> Units:
        return Units(
            text=text,
            starts=units.starts[which] - shift,
            ends=units.ends[which] - shift,
            rows=units.rows[which],
            kinds=units.kinds[which],
            labels=units.labels[which],
        )

    after = character + len(SEAM)
    front = part(units.text[:character], slice(0, index), 0)
    back = part(units.text[after:], slice(index, None), after)
    for half in (front, back):
        if len(half) and (half.starts.min() < 0 or half.ends.max() > len(half.text)):
            raise ValueError("a unit lies across the seam")
        check_gaps(half)
    return front, back


# Texts and their tasks as documents, a bounded number at a time.


BATCH_CHARACTERS = 200_000
BATCH_DOCUMENTS = 256
SHARE = 16
"""How much smaller batches for processes are: each has work soon, and loses little if ended."""


def batched(
    texts: Iterable[str],
    tasks: Iterable[str | None] | str | None,
    make: Callable[[int, str, str | None], Document],
    *,
    share: int = 1,
) -> Iterator[list[Document]]:
    """Documents in order; those before a text without a task come before the error."""
    asked = repeat(tasks) if tasks is None or isinstance(tasks, str) else iter(tasks)
    end = object()
    batch: list[Document] = []
    size = 0
    for index, text in enumerate(texts):
        task = next(asked, end)
        if task is end:
            yield batch
            raise InputError(f"there are more texts than tasks: text {index} has none")
        batch.append(make(index, text, task))  # type: ignore[arg-type]
        size += len(text) if isinstance(text, str) else 0
        if size * share >= BATCH_CHARACTERS or len(batch) * share >= BATCH_DOCUMENTS:
            yield batch
            batch, size = [], 0
    yield batch
    if not isinstance(asked, repeat) and next(asked, end) is not end:
        raise InputError("there are more tasks than texts")
