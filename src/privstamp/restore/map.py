"""The private map from what was sent to what it stood for, and its file.

The map undoes the protection: it stays on this machine, readable by its owner alone.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from privstamp.errors import InputError, MapError, trouble_of
from privstamp.restore import files
from privstamp.restore.back import Back
from privstamp.restore.entry import Entry
from privstamp.restore.exact import Chain, Exact, release_from_json
from privstamp.restore.limits import Limits
from privstamp.restore.outcome import Restored
from privstamp.restore.scan import Scan

Format: TypeAlias = Literal["text", "json"]
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

    entries: tuple[Entry, ...] = ()
    releases: tuple[Exact | Chain, ...] = ()
    """How each released text, and the task beside it, is undone exactly."""
    wide_permissions: bool = False
    """Read from a file that others on this machine may read."""

    @classmethod
    def of(cls, entries: Iterable[tuple[str, str, str]]) -> SurrogateMap:
        """From (surrogate, original, kind), repeats welcome; a shared possessive 's is dropped."""
        made = (Entry(*_bare(surrogate, original), kind) for surrogate, original, kind in entries)
        return cls(tuple(dict.fromkeys(made)))

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

    def restore(
        self,
        reply: str,
        *,
        trusted: bool = False,
        kinds: Iterable[str] = (),
        allow: Iterable[str] = (),
        format: Format | None = None,  # noqa: A002
    ) -> str:
        """The reply with surrogates put back: whole words, longest first, never twice.

        A reply is hostile: nothing is put where a program would follow it, and no secret unless
        `kinds` names its kind. `allow` has exceptions, as "PERSON:url". JSON needs `format="json"`.
        `trusted` withholds nothing, for text of one's own; the release itself then comes back byte
        for byte.
        """
        outcome = self.restored(reply, trusted=trusted, kinds=kinds, allow=allow, format=format)
        return outcome.text

    def restored(
        self,
        reply: str,
        *,
        trusted: bool = False,
        kinds: Iterable[str] = (),
        allow: Iterable[str] = (),
        format: Format | None = None,  # noqa: A002
    ) -> Restored:
        """The same with what was put back, and what was withheld and why."""
        if not isinstance(reply, str):
            raise InputError(f"a reply is a string, not {type(reply).__name__}")
        if format not in (None, "text", "json"):
            raise InputError('format is "text" or "json"')
        limits = Limits.of(kinds, allow)
        if trusted:
            for release in self.releases:
                original = release.undo(reply)
                if original is not None:
                    return Restored(original)
        return self._back.restored(reply, limits, trusted=trusted, as_json=format == "json")

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
    ) -> Restored:
        """The same with what was put back, and what was withheld and why."""
        if not isinstance(arguments, str):
            raise InputError(f"arguments are a JSON string, not {type(arguments).__name__}")
        return self._back.arguments(arguments, schema, Limits.of((), allow, tool=True))

    def stream(self, *, kinds: Iterable[str] = (), allow: Iterable[str] = ()) -> Scan:
        """For a reply that comes in pieces: `feed` each, then `finish`; the same as `restore`."""
        return self._back.scan(Limits.of(kinds, allow))

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
        whole = tuple(release for release in releases if release is not None)
        if len(whole) < len(releases):
            raise MapError("a damaged surrogate map: its releases are not as privstamp writes them")
        return cls(tuple(map(_entry, entries)), whole)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write it, readable by the owner alone from the first byte; never over a file unforced."""
        target = Path(path)
        try:
            found = files.write(target, self.to_json().encode("ascii"), force=force)
            trouble = None
        except (OSError, ValueError) as error:  # ValueError: a path that cannot be one
            found, trouble = None, trouble_of(error)
        if trouble is not None:
            raise MapError(f"cannot write the map {target}: {trouble}")
        if found is not None:
            raise MapError(f"{target} is there already: {found}")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SurrogateMap:
        """Read a map file. `wide_permissions` tells if others on this machine may read it."""
        target = Path(path)
        try:
            content, mode = files.read(target)
            trouble = None
        except (OSError, ValueError) as error:
            trouble = trouble_of(error)
        if trouble is not None:
            raise MapError(f"cannot read the map {target}: {trouble}")
        if content is None:
            raise MapError(f"{target} is not an ordinary file of at most {files.LARGEST >> 20} MB")
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


def in_parts(parts: Iterable[tuple[int, Exact]], entries: Iterable[Entry]) -> Iterator[str]:
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


def _as_json(entry: Entry) -> dict[str, Any]:
    fields = {name: getattr(entry, name) for name in _FIELDS}
    return fields | ({_BESIDE: entry.beside} if entry.beside else {})


def _entry(value: dict[str, Any]) -> Entry:
    beside = tuple((before, after) for before, after in value.get(_BESIDE, ()))
    return Entry(value["surrogate"], value["original"], value["kind"], beside)
