"""One document on its way through the line, and the checks at its two ends. Private throughout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from privstamp.errors import InputError, PrivstampError
from privstamp.release.groups import Grouping
from privstamp.release.pseudonyms import Pseudonyms
from privstamp.release.roster import Roster
from privstamp.result import Result
from privstamp.text.formats.recognition import read
from privstamp.text.formats.template import Template
from privstamp.text.invisible import Edits, Visible, visible
from privstamp.text.languages import KNOWN, Languages, told
from privstamp.types import PASSING, Epsilons, Finding, Ids, Scores, Units, between


class Addresses(Protocol):
    """Where the noise of a text's units is, under a key that many texts share."""

    def positions(self, document: Document) -> npt.NDArray[np.int64]:
        """Of all units, once their budgets are final."""

    def after(self, position: int, released: str) -> int:
        """Of a unit whose law depends on what was released before it."""


@dataclass(repr=False)
class Document:
    """Filled in stage by stage. The units of the task follow those of the text."""

    index: int
    text: str  # once checked, as a reader sees it; of a structured text, its fields in a row
    task: str | None
    private_task: bool = False
    format: str = "plain"
    error: PrivstampError | None = None
    template: Template | None = None  # of a structured text
    unseen: list[Edits] = field(default_factory=list)  # taken out of the text, and of the task
    languages: Languages = field(default_factory=Languages)
    pseudonyms: Pseudonyms | None = None  # carried through many texts; none: its own
    roster: Roster | None = None  # names of earlier texts that are looked for in this one
    address: Addresses | None = None
    settle: Callable[[Document], None] | None = None  # called once labels are known
    header: str = ""  # of a table whose first rows are elsewhere
    source: str = field(init=False)  # the text as it came
    pages: list[Units] = field(init=False)  # the text, and the task if there is one
    units: Units = field(init=False)  # of all pages
    findings: list[Finding] = field(init=False)
    scores: Scores = field(init=False)
    grouping: Grouping = field(init=False)
    epsilon: Epsilons = field(init=False)  # as applied: 0 replaced, inf released
    key: bytes = field(init=False)
    positions: npt.NDArray[np.int64] = field(init=False)  # addresses of the units' noise
    drawn: npt.NDArray[np.intp] = field(init=False)  # units that get a draw of their own
    shared: npt.NDArray[np.intp] = field(init=False)  # for each perturbed unit, which draw
    outputs: Ids = field(init=False)  # output row of each perturbed unit
    result: Result = field(init=False)

    def __post_init__(self) -> None:
        self.source = self.text

    @property
    def perturbed(self) -> npt.NDArray[np.bool_]:
        return (self.epsilon > 0) & np.isfinite(self.epsilon)

    @property
    def identity(self) -> list[bytes]:
        """What the text is to the noise: in another format it is another text."""
        if self.template is None:
            return [self.text.encode()]
        return [self.source.encode(), self.template.format.encode()]

    @property
    def hides_task(self) -> bool:
        return self.private_task and bool(self.task)

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

    def check(self, *, drop: bool = False) -> None:
        """Refuse what is not text, read its format, and take out what nobody sees; `drop` also
        parts of letters that are no text."""
        for what, value in (
            ("text", self.source),
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
        self.template = read(self.source, self.format, self.header, drop=drop)
        asked = visible(self.task or "")
        form = self.template
        text = visible(self.source) if form is None else Visible(form.reading)  # clean already
        self.text = text.text
        self.unseen = [text.edits, asked.edits]
        self.task = self.task if self.task is None else asked.text
        self.languages = told(self.text)

    def check_language(self, served: frozenset[str]) -> None:
        """Refuse a text with a part in a language that the detectors do not read."""
        others = self.languages.others(served)
        if not others:
            return
        known = [language for language in others if language in KNOWN]
        remedy = "There are no words and lists for it here. "
        if known:
            codes = ", ".join(f'"{language}"' for language in [*sorted(served), *known])
            flags = " ".join(f"--language {language}" for language in known)
            remedy = f"Let it be read: [sensitivity] languages = [{codes}], or {flags}. "
        raise InputError(
            f"the text, or a part of it, is in {', '.join(others)}, and this policy's detectors "
            f"read {', '.join(sorted(served))}: they would miss names and take ordinary words for "
            f'them. {remedy}Or release it all the same: other_languages = "accept", on the command '
            "line --accept languages"
        )

    def take_address(self, pseudonyms: Pseudonyms) -> None:
        """Noise comes from the key of many texts: no two of them may share an address of it."""
        if self.address is None:
            raise ValueError("a text under a shared key has no addresses of its own")
        self.key, self.positions = pseudonyms.key, self.address.positions(self)

    def lay(self, pages: list[Units]) -> None:
        """Take the units of the text, and of the task, as one row."""
        for page in pages:
            check_gaps(page)
        self.pages = pages
        self.units = pages[0] if len(pages) == 1 else joined(*pages)
        self.positions = np.arange(len(self.units))


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
