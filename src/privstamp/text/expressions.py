"""Regular expressions of a policy: refused when it is read, not while a text is inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from privstamp.errors import PolicyError

if TYPE_CHECKING:
    import regex

CUSTOM: Final = "custom"
PATTERN: Final = "pattern"
_PROBES: Final = ("a", "1", " ", "a1", "-", ".", "A ", "aA")
_PROBED, _PATIENCE = 2_000, 0.5


def check_patterns(options: object, where: str) -> None:
    """Refuse options of a part, or of one inside it, with a pattern that cannot be used."""
    for place, entry in _entries(options, where):
        if isinstance(entry, Mapping) and PATTERN in entry:
            compiled(entry[PATTERN], f"{place}: {PATTERN}")


def _entries(options: object, where: str) -> Iterator[tuple[str, Any]]:
    """Everything that is listed as custom, however deep, by its number there."""
    if isinstance(options, Mapping):
        listed = options.get(CUSTOM)
        if isinstance(listed, Sequence) and not isinstance(listed, str):
            for number, entry in enumerate(listed, 1):
                yield f"{where}.{CUSTOM} {number}", entry
        for key, value in options.items():
            if key != CUSTOM:
                yield from _entries(value, where)
    elif isinstance(options, Sequence) and not isinstance(options, str | bytes):
        for value in options:
            yield from _entries(value, where)


def compiled(pattern: object, where: str) -> regex.Pattern[str]:
    """A pattern that matches something, and does not run away on plain hostile texts."""
    if not isinstance(pattern, str) or not pattern:
        raise PolicyError(f"{where} is a text in quotes; single quotes keep backslashes")
    import regex  # here: most policies have none

    problem = ""
    try:
        expression = regex.compile(pattern)
    except regex.error as error:
        problem = f"not a regular expression: {error.msg} at position {error.pos}"
    if problem:
        raise PolicyError(f"{where}: {problem}")
    try:
        for probe in _PROBES:
            hostile = probe * (_PROBED // len(probe)) + "!"
            for match in expression.finditer(hostile, timeout=_PATIENCE):
                if match.start() == match.end():
                    problem = "it matches the empty text; let it need a character"
                    break
    except TimeoutError:
        problem = "it takes too long on plain text; bound its repeats, or write \\w++ for \\w+"
    if problem:
        raise PolicyError(f"{where}: {problem}")
    return expression
