"""Every field of a text exchanged for something nasty, every name for an invented one."""

from __future__ import annotations

from itertools import cycle

from privstamp.mechanisms.invented import Identifiers, Renamed
from privstamp.text.formats.names import passes
from privstamp.text.formats.recognition import read
from privstamp.text.formats.template import Template

NASTY = ("O'Brien", 'say "no"', "a<b>&amp;c", "back\\slash", "semi;colon, comma", "*b* _i_ `c`")
NASTY += ("line\nbreak", "{brace}", "[link](x)", "a|b", "# no", "--", "/* c */", "]]>", "100%", "é")
KEY = bytes(range(32))


def fields(template: Template) -> list[str]:
    pairs = zip(template.firsts.tolist(), template.lasts.tolist(), strict=True)
    return [template.reading[first:last] for first, last in pairs]


def exchanged(
    text: str, name: str, *, words: tuple[str, ...] = NASTY
) -> tuple[str, dict[str, str]]:
    """The text with no field as it was, and the new names of all names."""
    template = read(text, name)
    assert template is not None
    names = Identifiers(passes, Renamed(KEY)).replaced(template.keys())
    new = [word for word, _ in zip(cycle(words), fields(template), strict=False)]
    written, edits = template.write(new, names)
    assert undone(written, edits) == text
    return written, names


def undone(text: str, edits: tuple[tuple[int, int, str], ...]) -> str:
    """What was there before the edits."""
    pieces, position = [], 0
    for start, end, was in edits:
        pieces += [text[position:start], was]
        position = end
    return "".join([*pieces, text[position:]])


def kept(text: str, name: str) -> str:
    """The text written again with every field and every name as it was."""
    template = read(text, name)
    assert template is not None
    return template.write(fields(template), {})[0]
