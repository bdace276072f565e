"""A structured text as a template: syntax that passes as written, and fields that are filled anew.

The text of all fields in a row, with plain seams and words of context between them, is what
detectors read. Offsets are kept in arrays: a table of a million cells has no object for each.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.text.formats.block import Block, WrittenBlocks
from privstamp.text.formats.codec import AS_WRITTEN, Codec
from privstamp.text.formats.names import STAYS, passes
from privstamp.text.invisible import Edits, visible
from privstamp.text.terms import words
from privstamp.text.vocabulary import is_public
from privstamp.types import Finding

Places: TypeAlias = npt.NDArray[np.int64]
_WORD: Final = re.compile(r"[^\W_]+(?:_+[^\W_]+)*")
_FEEDS: Final = re.compile("[\\0\\x0b\\x0c]")
_KEY: Final = 255
"""In the place of a hint: the field is a name, and is not read as text."""
_OF_WORDS: Final = frozenset({"PERSON", "ORGANIZATION", "LOCATION", "NRP", "RARE"})
HINT: Final = "field"
"""Source of findings that the name of a field makes."""


_SMALL: Final = frozenset(words("on in at by to from of the a an and or for as with re fw fwd"))


def _is_rest(text: str) -> bool:
    """Whether a piece that was cut off a finding holds no part of a name: signs, an On."""
    labelled = text.rstrip().endswith(":") and _is_plain(text)
    return labelled or all(word.lower() in _SMALL for word in _WORD.findall(text))


def _is_plain(text: str) -> bool:
    """Whether a piece that was cut off an organisation has public words alone, or is a label."""
    return text.isascii() and all(map(is_public, _WORD.findall(text)))


class FieldSheet:
    """Takes the fields of a text in order, from whoever reads its format."""

    def __init__(self, raw: str, blocks: tuple[Block, ...] = ()) -> None:
        self.raw = raw
        self.blocks = blocks  # of which the text as it came had a code
        self.parts: dict[str, int] = {}
        self._starts, self._ends = array("q"), array("q")
        self._codecs: list[Codec] = []
        self._before: list[str] = []
        self._hints = bytearray()
        self._kinds: dict[str, int] = {"": 0}

    def prose(
        self,
        start: int,
        end: int,
        codec: Codec = AS_WRITTEN,
        before: str = "\n",
        kind: str = "",
    ) -> None:
        """A field that is read as text; `before` separates it from what is read before it, and
        `kind` says what its name makes of it."""
        if start < end:
            self._add(start, end, codec, before, self._kinds.setdefault(kind, len(self._kinds)))

    def key(self, start: int, end: int, codec: Codec = AS_WRITTEN) -> None:
        """A name that passes if its words are public, and else becomes another name."""
        if start < end:
            self._add(start, end, codec, "", _KEY)

    def _add(self, start: int, end: int, codec: Codec, before: str, hint: int) -> None:
        if self._ends and start < self._ends[-1]:
            raise ValueError("fields are read in order")
        self._starts.append(start)
        self._ends.append(end)
        self._codecs.append(codec)
        self._before.append(before)
        self._hints.append(hint)

    def part(self, name: str) -> None:
        """Note that some of the text is in another format."""
        self.parts[name] = self.parts.get(name, 0) + 1

    def mark(self) -> int:
        """A place to go back to, should reading fail."""
        return len(self._starts)

    def rewind(self, mark: int) -> None:
        """Forget the fields since a mark."""
        for column in (self._starts, self._ends, self._codecs, self._before, self._hints):
            del column[mark:]

    def template(self, name: str) -> Template:
        """All of it, once the text was read. A word of the syntax that no list has is a name."""
        fenced = FieldSheet(self.raw, self.blocks)
        fenced.parts, fenced._kinds = self.parts, self._kinds
        known: dict[str, list[tuple[int, int]]] = {}
        position = 0
        for index, start in enumerate([*self._starts, len(self.raw)]):
            gap = self.raw[position:start]
            if gap not in known:
                known[gap] = [m.span() for m in _WORD.finditer(gap) if not passes(m[0])]
            for first, last in known[gap]:
                fenced.key(position + first, position + last)
            if index < len(self._starts):
                position = self._ends[index]
                fenced._add(
                    start,
                    position,
                    self._codecs[index],
                    self._before[index],
                    self._hints[index],
                )
        return fenced._template(name)

    def _template(self, name: str) -> Template:
        """Fields decoded into one text to read."""
        pieces: list[str] = []
        firsts, lasts, removed, length = array("q"), array("q"), 0, 0
        clean = bytearray()
        hidden = bool(visible(self.raw).edits)
        for start, end, codec, before, hint in zip(
            self._starts, self._ends, self._codecs, self._before, self._hints, strict=True
        ):
            if hint == _KEY:
                continue
            decoded = codec.decode(self.raw[start:end])
            shown = visible(decoded)
            removed += len(shown.edits)
            clean.append(not (shown.edits or (hidden and visible(self.raw[start:end]).edits)))
            seam = before if pieces else before.lstrip("\n")
            pieces += (seam, shown.text)
            length += len(seam)
            firsts.append(length)
            length += len(shown.text)
            lasts.append(length)
        hints = np.frombuffer(bytes(self._hints), dtype=np.uint8)
        if hidden:
            edges = zip([0, *self._ends], [*self._starts, len(self.raw)], strict=True)
            removed += sum(len(visible(self.raw[end:start]).edits) for end, start in edges)
        return Template(
            format=name,
            parts=self.parts,
            raw=self.raw,
            reading="".join(pieces),
            starts=np.array(self._starts, dtype=np.int64),
            ends=np.array(self._ends, dtype=np.int64),
            firsts=np.array(firsts, dtype=np.int64),
            lasts=np.array(lasts, dtype=np.int64),
            hints=hints,
            clean=np.frombuffer(bytes(clean), dtype=np.bool_),
            codecs=self._codecs,
            kinds=tuple(self._kinds),
            removed=removed,
            hidden=hidden,
            blocks=self.blocks,
        )


@dataclass(frozen=True, repr=False, eq=False)
class Template:
    """One structured text. Private. `starts` and `ends` are of all fields, in the raw text;
    `firsts` and `lasts` of those that are read, in the reading."""

    format: str
    parts: Mapping[str, int]
    raw: str
    reading: str
    starts: Places
    ends: Places
    firsts: Places
    lasts: Places
    hints: npt.NDArray[np.uint8]
    clean: npt.NDArray[np.bool_]
    codecs: Sequence[Codec]
    kinds: tuple[str, ...]
    removed: int  # characters that nobody sees
    hidden: bool  # whether the raw text has such characters
    blocks: tuple[Block, ...] = ()  # stretches of the raw text that are written in code

    def __repr__(self) -> str:
        return f"Template({self.format}, {len(self.starts)} fields)"

    @property
    def named(self) -> npt.NDArray[np.bool_]:
        """Which fields are names, and not read as text."""
        keys: npt.NDArray[np.bool_] = self.hints == _KEY
        return keys

    @property
    def passed(self) -> int:
        """Characters of syntax."""
        return len(self.raw) - int((self.ends - self.starts).sum())

    @property
    def read(self) -> int:
        """Characters of the reading that belong to a field."""
        return int((self.lasts - self.firsts).sum())

    def fields_at(self, place: int) -> list[int]:
        """The fields in a stretch of the text as it came: of a block in code, all of them."""
        grown = 0
        for block in self.blocks:
            if place < block.start + grown:
                break
            if place < block.start + grown + len(block.was):
                edges = np.searchsorted(self.starts, [block.start, block.end])
                return list(range(*edges.tolist()))
            grown += len(block.was) - (block.end - block.start)
        field = int(np.searchsorted(self.starts, place - grown, side="right")) - 1
        return [] if field < 0 or place - grown >= self.ends[field] else [field]

    def keys(self) -> dict[str, int]:
        """All names in order, and how often each stands there."""
        counts: dict[str, int] = {}
        for index in np.flatnonzero(self.hints == _KEY).tolist():
            raw = self.raw[self.starts[index] : self.ends[index]]
            name = self.codecs[index].decode(raw)
            counts[name] = counts.get(name, 0) + 1
        return counts

    def inside(self, places: Places) -> npt.NDArray[np.bool_]:
        """Which places of the reading lie in a field, and not in a seam or in context."""
        if not len(self.firsts):
            return np.zeros(len(places), dtype=bool)
        field = np.searchsorted(self.firsts, places, side="right") - 1
        inside: npt.NDArray[np.bool_] = (field >= 0) & (places < self.lasts[field])
        return inside

    def with_hints(self, findings: Sequence[Finding]) -> list[Finding]:
        """The findings and what fields are by their names. What reaches in from another field says
        nothing about a field that a name tells of: a cell of people is no part of an address."""
        findings = self._without_staying(findings)
        hints = list(self.hinted())
        starts = np.array([hint.start for hint in hints], dtype=np.int64)
        kept: list[Finding] = []
        for finding in findings:
            first = max(0, int(np.searchsorted(starts, finding.start, side="right")) - 1)
            start = finding.start
            for hint in hints[first:]:
                if hint.start >= finding.end:
                    break
                outside = finding.start < hint.start or finding.end > hint.end
                if outside and hint.end > start:
                    if hint.start > start:
                        kept.append(replace(finding, start=start, end=hint.start))
                    start = max(start, hint.end)
            if start == finding.start:
                kept.append(finding)
            elif start < finding.end:
                kept.append(replace(finding, start=start))
        return [*kept, *hints]

    def _without_staying(self, findings: Sequence[Finding]) -> Sequence[Finding]:
        """The findings less those of words in fields that name nobody."""
        if STAYS not in self.kinds:
            return findings
        read = self.hints[self.hints != _KEY]
        stays = read == self.kinds.index(STAYS)
        fields = np.searchsorted(self.firsts, [f.start for f in findings], side="right") - 1
        return [
            finding
            for finding, field in zip(findings, fields.tolist(), strict=True)
            if field < 0 or not stays[field] or finding.kind not in _OF_WORDS
        ]

    def hinted(self) -> Iterator[Finding]:
        """Fields that are sensitive by their name."""
        for field, hint in enumerate(self.hints[self.hints != _KEY].tolist()):
            if hint and self.kinds[hint] != STAYS:
                first, last = int(self.firsts[field]), int(self.lasts[field])
                yield Finding(first, last, self.kinds[hint], 0.9, HINT, "named so")

    def cut(self, findings: Sequence[Finding]) -> list[Finding]:
        """Findings field by field: none reaches into another one, or into context."""
        parts: list[Finding] = []
        for finding in findings:
            field = int(np.searchsorted(self.lasts, finding.start, side="right"))
            while field < len(self.firsts) and self.firsts[field] < finding.end:
                start = max(finding.start, int(self.firsts[field]))
                end = min(finding.end, int(self.lasts[field]))
                if start == finding.start and end == finding.end:
                    parts.append(finding)
                elif not _is_rest(self.reading[start : end + 1]) and not (
                    finding.kind == "ORGANIZATION" and _is_plain(self.reading[start:end])
                ):
                    parts.append(replace(finding, start=start, end=end))
                field += 1
        return parts

    def write(self, released: Sequence[str], names: Mapping[str, str]) -> tuple[str, Edits]:
        """The text with new fields in it, and where they differ: start, end, and what was there."""
        pieces: list[str] = []
        edits: list[tuple[int, int, str]] = []
        written = WrittenBlocks(self.blocks)
        position = length = field = 0
        for index, (start, end) in enumerate(
            zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        ):
            for stop in written.stops(start):
                if stop < position:
                    raise ValueError("a field lies across the end of a code")
                length = self._gap(position, stop, length, pieces, edits)
                written.reached(stop, length)
                position = stop
            length = self._gap(position, start, length, pieces, edits)
            raw, codec = self.raw[start:end], self.codecs[index]
            if self.hints[index] == _KEY:
                name = names.get(codec.decode(raw))
                new = raw if name is None else codec.encode(name, raw)
            else:
                text = released[field]
                first, last = int(self.firsts[field]), int(self.lasts[field])
                same = self.clean[field] and text == self.reading[first:last]
                new = raw if same else codec.encode(text, raw)
                field += 1
            if new != raw:
                edits.append((length, length + len(new), raw))
            pieces.append(new)
            length += len(new)
            position = end
        for stop in written.stops(len(self.raw)):
            length = self._gap(position, stop, length, pieces, edits)
            written.reached(stop, length)
            position = stop
        self._gap(position, len(self.raw), length, pieces, edits)
        return written.closed("".join(pieces), edits)

    def _gap(
        self,
        start: int,
        end: int,
        length: int,
        pieces: list[str],
        edits: list[tuple[int, int, str]],
    ) -> int:
        """Syntax, without what nobody sees; the length of all that is written by now."""
        gap = self.raw[start:end]
        if self.hidden:
            feeds = iter(_FEEDS.findall(gap))
            shown = visible(_FEEDS.sub("\0", gap))  # taken out: a new line would be syntax
            for first, last, was in shown.edits:
                sign = next(feeds) if was == "\0" else was
                edits.append((length + first, length + last, sign))
            gap = shown.text
        pieces.append(gap)
        return length + len(gap)
