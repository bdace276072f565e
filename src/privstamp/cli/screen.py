"""What a person sees: notes on standard error, and text coloured by group."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.columns import Columns
    from rich.console import Console
    from rich.status import Status
    from rich.text import Text

    from privstamp.result import Trace

STYLES: Final = {1: "#000000 on #ffd75f", 2: "#000000 on #ff8787", 3: "#000000 on #5fd7ff", 4: ""}
MARKS: Final = {1: "¹", 2: "²", 3: "³", 4: ""}
"""What stands for the colours where there are none."""
BIDI: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_status: Status | None = None


def out(width: int | None = None) -> Console:
    """Standard output. Nothing printed on it is read as markup."""
    from rich.console import Console

    return Console(file=sys.stdout, markup=False, emoji=False, highlight=False, width=width)


def err() -> Console:
    """Standard error, for everything that is not the result."""
    from rich.console import Console

    return Console(stderr=True, markup=False, emoji=False, highlight=False)


def complain(message: str) -> None:
    _say("error", "bold red", message)


def warn(message: str) -> None:
    """Said always: something about the privacy of this run that its owner has to know."""
    _say("warning", "bold red", message)


def tell(message: str) -> None:
    """Said always, without alarm."""
    _say("note", "dim", message)


def note(message: str) -> None:
    """Said to a person only: silent where standard error is not a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        tell(message)


def _say(word: str, style: str, message: str) -> None:
    from rich.text import Text

    if sys.stderr is not None:
        line = Text.assemble("privstamp: ", (f"{word}: ", style), visible(message))
        err().print(line, soft_wrap=True)


@contextmanager
def working(label: str) -> Iterator[None]:
    """A spinner while something takes its time; one inside another only changes the label."""
    global _status
    console = err()
    if not console.is_terminal:
        yield
    elif _status is not None:
        before = _status.status
        _status.update(f"{label} ...")
        yield
        _status.update(before)
    else:
        with console.status(f"{label} ...") as _status:
            try:
                yield
            finally:
                _status = None


@contextmanager
def building(label: str) -> Iterator[None]:
    """What is made once and takes its time: told where there is no terminal to show it, too."""
    if not err().is_terminal:
        tell(f"{label}: this may take some seconds")
    with working(label):
        yield


def colours(console: Console) -> bool:
    return console.color_system is not None and not console.no_color


def visible(text: str) -> str:
    """The text with characters that would steer a terminal shown instead of obeyed."""
    return "".join(map(_shown, text.replace("\r\n", "\n")))


def _shown(character: str) -> str:
    if character in "\n\t" or not (character in BIDI or unicodedata.category(character) == "Cc"):
        return character
    return chr(0x2400 + ord(character)) if ord(character) < 0x20 else "\ufffd"


def key(group: int, console: Console) -> Text:
    """A group in its colour (or with its mark, without colours) and in words."""
    from rich.text import Text

    from privstamp.budget import GROUP_NAMES

    sign = f" {group} " if colours(console) else f"{group}{MARKS[group]}"
    return Text.assemble((sign, STYLES[group] or "reverse dim"), f" {GROUP_NAMES[group]}")


def legend(console: Console) -> Columns:
    """All groups with their colours."""
    from rich.columns import Columns

    from privstamp.budget import GROUPS

    return Columns([key(group, console) for group in GROUPS], padding=(0, 3))


def painted(trace: Trace, surfaces: list[str], console: Console, units: slice) -> Text:
    """Some units of a trace and what lies between them, each unit in the colour of its group.

    With the trace's own surfaces it is the text as released: inside a span that was replaced
    whole, units are empty and so are the gaps before them.
    """
    from rich.text import Text

    text, marked = Text(), not colours(console)
    starts, ends = trace.units.starts.tolist(), trace.units.ends.tolist()
    groups = trace.grouping.groups.tolist()
    first, stop, _ = units.indices(len(starts))
    position = ends[first - 1] if first else 0
    for index in range(first, stop):
        surface, group = surfaces[index], groups[index]
        if surface:
            text.append(visible(trace.units.text[position : starts[index]]))
            text.append(visible(surface), STYLES[group])
            text.append(MARKS[group] if marked else "")
        position = ends[index]
    if stop == len(starts):
        text.append(visible(trace.units.text[position:]))
    return text
