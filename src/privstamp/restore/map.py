"""The private map from what was sent to what it stood for, its file, and many maps as one.

A map undoes the protection: it stays on this machine, readable by its owner alone.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import mkstemp
from typing import Any, Final, Unpack

from privstamp.errors import InputError, MapError, trouble_of
from privstamp.restore.back import Back, Fits
from privstamp.restore.entry import Chain, MapEntry, Undo, release_from_json
from privstamp.restore.outcome import Choice, Format, Restored, RestoreLimits
from privstamp.restore.scan import Scan
from privstamp.sensitivity.spans import SECRETS

# The file of a map: readable by its owner alone from the first byte, never over another one.


LARGEST: Final = 2 << 30
"""Bytes of a map file; a larger one is refused unread."""
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_READ: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)  # a pipe must not keep us waiting


def write(target: Path, content: bytes, *, force: bool) -> str | None:
    """Write with mode 0600, or say why what is already there stays."""
    try:
        there = target.lstat()
    except FileNotFoundError:
        there = None
    if there is not None and not force:
        return "a map is not overwritten unless you say --force"
    if there is not None and not (stat.S_ISREG(there.st_mode) or stat.S_ISLNK(there.st_mode)):
        return "not an ordinary file, so not replaced"
    if there is None and not force:
        _fill(os.open(target, _CREATE, 0o600), target, content)
        return None
    handle, name = mkstemp(dir=target.parent, prefix=f".{target.name}.")  # mode 0600
    _fill(handle, Path(name), content)
    try:
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink()
        raise
    return None


def _fill(handle: int, path: Path, content: bytes) -> None:
    """Write all of it, or leave no file."""
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def read(target: Path) -> tuple[bytes | None, int]:
    """Content and mode; no content where it is no ordinary file or too large."""
    handle = os.open(target, _READ)
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode) or facts.st_size > LARGEST:
            return None, facts.st_mode
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(LARGEST), facts.st_mode
    finally:
        os.close(handle)


FORMAT: Final = "privstamp-map"
VERSION: Final = 3
NOTE: Final = "PRIVATE: this file undoes the protection of a release. Never send or share it."
HEAD: Final = {"format": FORMAT, "version": VERSION, "note": NOTE}
_FIELDS: Final = ("surrogate", "original", "kind")
_BESIDE: Final = "beside"


@dataclass(frozen=True, repr=False)
class SurrogateMap:
    """PRIVATE. Made once for a release, never changed.

    Numbers of one or two digits, single letters and percent signs are put back where they are the
    whole reply, or beside words that they stood beside. A surrogate that stood for two different
    things, a bare `[MASK]`, symbols and spacing cannot be put back: they are counted in `left_out`.
    """

    entries: tuple[MapEntry, ...] = ()
    releases: tuple[Undo | Chain, ...] = ()
    """How each released text, and the task beside it, is undone exactly."""
    wide_permissions: bool = False
    """Read from a file that others on this machine may read."""

    @classmethod
    def of(cls, entries: Iterable[tuple[str, str, str]]) -> SurrogateMap:
        """From (surrogate, original, kind), repeats welcome; a shared possessive 's is dropped."""
        bare = (
            MapEntry(*_bare(surrogate, original), kind) for surrogate, original, kind in entries
        )
        return cls(tuple(dict.fromkeys(bare)))

    def __repr__(self) -> str:
        return f"SurrogateMap(private, {len(self.entries)} entries, {self.left_out} left out)"

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def left_out(self) -> int:
        """Surrogates that cannot be put back."""
        return self._back.left_out

    @cached_property
    def _back(self) -> Back:
        return Back(self.entries)

    def more(
        self,
        entries: tuple[MapEntry, ...],
        releases: Iterable[Undo | Chain],
        new: Iterable[MapEntry],
    ) -> SurrogateMap:
        """The map with these entries and further releases. `new`: the entries of all surrogates of
        which something changed; what can be put back of the others is shared."""
        more = SurrogateMap(entries, (*self.releases, *releases))
        vars(more)["_back"] = Back(new, self._back)
        return more

    def restore(self, reply: str, **choice: Unpack[Choice]) -> str:
        """The reply with surrogates put back: whole words, longest first, never twice.

        A reply is hostile: nothing is put where a program would follow it, and no secret unless
        `kinds` names its kind. `allow` has exceptions, as "PERSON:url". JSON needs `format="json"`.
        `trusted` withholds nothing, for text of one's own; the release itself then comes back byte
        for byte.
        """
        return self.restored(reply, **choice).text

    def restored(
        self,
        reply: str,
        *,
        trusted: bool = False,
        kinds: Iterable[str] = (),
        allow: Iterable[str] = (),
        format: Format | None = None,  # noqa: A002
        fits: Fits | None = None,
    ) -> Restored:
        """The same with what was put back, and what was withheld and why. `fits`: whether a text
        may be the value at a pointer of JSON; if not, its surrogates stay."""
        if not isinstance(reply, str):
            raise InputError(f"a reply is a string, not {type(reply).__name__}")
        if format not in (None, "text", "json"):
            raise InputError('format is "text" or "json"')
        limits = RestoreLimits.of(kinds, allow)
        if trusted:
            for release in self.releases:
                original = release.undo(reply)
                if original is not None:
                    return Restored(original)
        as_json = format == "json"
        return self._back.restored(reply, limits, trusted=trusted, as_json=as_json, fits=fits)

    def restore_arguments(
        self,
        arguments: str,
        schema: Mapping[str, Any] | None = None,
        *,
        allow: Iterable[str] = (),
    ) -> str:
        """JSON arguments of a tool call with values put back, one by one, escaped.

        The rules for places hold in every value. Credentials, cards, accounts and official numbers
        stay out unless `allow` names them: "IBAN_CODE", or "IBAN_CODE:/payee/account" for one
        value. With a `schema`, only values that it declares to be text are touched.
        """
        return self.restored_arguments(arguments, schema, allow=allow).text

    def restored_arguments(
        self,
        arguments: str,
        schema: Mapping[str, Any] | None = None,
        *,
        allow: Iterable[str] = (),
        fits: Fits | None = None,
    ) -> Restored:
        """The same with what was put back, and what was withheld and why."""
        if not isinstance(arguments, str):
            raise InputError(f"arguments are a JSON string, not {type(arguments).__name__}")
        return self._back.arguments(arguments, schema, RestoreLimits.of((), allow, tool=True), fits)

    def stream(self, *, kinds: Iterable[str] = (), allow: Iterable[str] = ()) -> Scan:
        """For a reply that comes in pieces: `feed` each, then `finish`; the same as `restore`."""
        return self._back.scan(RestoreLimits.of(kinds, allow))

    def to_json(self) -> str:
        entries = list(map(_as_json, self.entries))
        releases = [release.to_json() for release in self.releases]
        return json.dumps(HEAD | {"entries": entries, "releases": releases}, indent=1)

    @classmethod
    def from_json(cls, content: str | bytes) -> SurrogateMap:
        """Read what `to_json` wrote; anything else is a MapError that quotes nothing."""
        try:
            loaded = json.loads(content)
        except (ValueError, RecursionError):
            loaded = None
        if not isinstance(loaded, dict) or loaded.get("format") != FORMAT:
            raise MapError("not a surrogate map. Make one with: privstamp privatize --map FILE")
        if loaded.get("version") != VERSION:
            raise MapError("a surrogate map of another version: use the privstamp that made it")
        entries, exact = loaded.get("entries"), loaded.get("releases")
        if not isinstance(entries, list) or not all(map(_is_entry, entries)):
            raise MapError("a damaged surrogate map: its entries are not as privstamp writes them")
        releases = list(map(release_from_json, exact)) if isinstance(exact, list) else [None]
        complete = tuple(release for release in releases if release is not None)
        if len(complete) < len(releases):
            raise MapError("a damaged surrogate map: its releases are not as privstamp writes them")
        return cls(tuple(map(_entry, entries)), complete)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write it, readable by the owner alone from the first byte; never over a file unforced."""
        target = Path(path)
        try:
            saved = write(target, self.to_json().encode("ascii"), force=force)
            trouble = None
        except (OSError, ValueError) as error:  # ValueError: a path that cannot be one
            saved, trouble = None, trouble_of(error)
        if trouble is not None:
            raise MapError(f"cannot write the map {target}: {trouble}")
        if saved is not None:
            raise MapError(f"{target} is there already: {saved}")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SurrogateMap:
        """Read a map file. `wide_permissions` tells if others on this machine may read it."""
        target = Path(path)
        try:
            content, mode = read(target)
            trouble = None
        except (OSError, ValueError) as error:
            trouble = trouble_of(error)
        if trouble is not None:
            raise MapError(f"cannot read the map {target}: {trouble}")
        if content is None:
            raise MapError(f"{target} is not an ordinary file of at most {LARGEST >> 20} MB")
        wide = os.name == "posix" and bool(mode & (stat.S_IRWXG | stat.S_IRWXO))
        return replace(cls.from_json(content), wide_permissions=wide)


def _bare(surrogate: str, original: str) -> tuple[str, str]:
    endings = ("'s", "\u2019s")
    if surrogate.endswith(endings) and original.endswith(endings):
        return surrogate[:-2], original[:-2]
    return surrogate, original


def _is_entry(value: object) -> bool:
    if not isinstance(value, dict) or not set(_FIELDS) <= set(value) <= {*_FIELDS, _BESIDE}:
        return False
    beside = value.get(_BESIDE, [])
    return (
        all(isinstance(value[name], str) for name in _FIELDS)
        and isinstance(beside, list)
        and all(isinstance(pair, list) and len(pair) == 2 for pair in beside)
        and all(isinstance(word, str) for pair in beside for word in pair)
    )


def in_parts(parts: Iterable[tuple[int, Undo]], entries: Iterable[MapEntry]) -> Iterator[str]:
    """The file of a map whose one release came in parts, piece by piece: entries are asked for
    last."""
    yield json.dumps(HEAD)[:-1] + ', "releases": [{"parts": ['
    between = "\n"
    for length, exact in parts:
        yield between + json.dumps([length, exact.to_json()], separators=(",", ":"))
        between = ",\n"
    yield ']}],\n"entries": ['
    between = "\n"
    for entry in entries:
        yield between + json.dumps(_as_json(entry))
        between = ",\n"
    yield "]}\n"


def _as_json(entry: MapEntry) -> dict[str, Any]:
    fields = {name: getattr(entry, name) for name in _FIELDS}
    return fields | ({_BESIDE: entry.beside} if entry.beside else {})


def _entry(value: dict[str, Any]) -> MapEntry:
    beside = tuple((before, after) for before, after in value.get(_BESIDE, ()))
    return MapEntry(value["surrogate"], value["original"], value["kind"], beside)


NOTED: Final = 64
"""Places of a short surrogate whose neighbours are noted."""


class Entries:
    """PRIVATE. Grows release by release."""

    def __init__(self, entries: Iterable[MapEntry] = ()) -> None:
        self._meanings: dict[str, dict[str, MapEntry]] = {}  # by surrogate, then by original
        self.add(entries)

    def __len__(self) -> int:
        return sum(map(len, self._meanings.values()))

    def __repr__(self) -> str:
        return f"Entries(private, {len(self)})"

    def add(self, entries: Iterable[MapEntry]) -> dict[str, None]:
        """Surrogates of which something is new."""
        new: dict[str, None] = {}
        for entry in entries:
            alike = self._meanings.setdefault(entry.surrogate, {})
            known = alike.get(entry.original)
            if known is None:
                alike[entry.original] = entry
            elif entry.kind in SECRETS and known.kind not in SECRETS:  # it opens something
                alike[entry.original] = replace(known, kind=entry.kind)
            elif len(known.beside) < NOTED and not set(entry.beside) <= set(known.beside):
                beside = tuple(dict.fromkeys((*known.beside, *entry.beside)))[:NOTED]
                alike[entry.original] = replace(known, beside=beside)
            else:
                continue
            new[entry.surrogate] = None
        return new

    def __iter__(self) -> Iterator[MapEntry]:
        return self.of(self._meanings)

    def of(self, surrogates: Iterable[str]) -> Iterator[MapEntry]:
        """A word that stood for a whole name in one release, and for itself in another, stands
        for itself."""
        for surrogate in surrogates:
            alike = self._meanings[surrogate]
            for original, entry in alike.items():
                if len(alike) == 1 or not any(
                    _holds(original, longer) for longer in alike if longer != original
                ):
                    yield entry


class Growing:
    """PRIVATE. The map of all releases so far. Asked for again, it takes as long as there is new of
    them: a conversation asks with every turn."""

    def __init__(self) -> None:
        self._entries = Entries()
        self._new: list[tuple[tuple[MapEntry, ...], tuple[Undo | Chain, ...]]] = []
        self._map = SurrogateMap()

    def __repr__(self) -> str:
        return f"Growing(private, {len(self._entries)})"

    def add(self, entries: tuple[MapEntry, ...], releases: tuple[Undo | Chain, ...]) -> None:
        self._new.append((entries, releases))

    @property
    def map(self) -> SurrogateMap:
        if self._new:
            surrogates = self._entries.add(entry for entries, _ in self._new for entry in entries)
            releases = tuple(release for _, every in self._new for release in every)
            self._new.clear()
            self._map = self._map.more(
                tuple(self._entries), releases, tuple(self._entries.of(surrogates))
            )
        return self._map


def _holds(name: str, part: str) -> bool:
    """Whether a name has words more than this part of it.

    >>> _holds("Fishers' Council", "Fishers'"), _holds("Fishery", "Fish")
    (True, False)
    """
    return f" {part} " in f" {name} "
