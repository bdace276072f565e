"""What a reader raises: where a text leaves its format, and nothing of the text."""

from __future__ import annotations

from privstamp.errors import InputError


class Malformed(InputError):
    """The text is not in the format that it should be in."""

    def __init__(self, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}")
        self.line, self.column = line, column


def place(text: str, position: int) -> tuple[int, int]:
    """Line and column of a character, counted from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
