"""PRIVATE. What a session knows, as bytes, and back. Plain values and the classes named here are
all that there may be: anything else is refused, and then nothing was released."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, Final

import msgpack

from privstamp.errors import StoreError
from privstamp.mechanisms.dates import Days
from privstamp.mechanisms.form import Person
from privstamp.mechanisms.invented import Renamed
from privstamp.release.certificate import Certificate
from privstamp.release.replaced import Drawn, Pseudonyms
from privstamp.release.roster import Roster
from privstamp.release.total import Account
from privstamp.restore.entry import Chain, MapEntry, Undo
from privstamp.sessions.session import Session
from privstamp.sessions.stretches import Draw, Learned
from privstamp.sessions.turn import Kept
from privstamp.sessions.versions import Version

_CLASSES: Final[dict[str, Any]] = {
    kind.__name__: kind
    for kind in (Account, Chain, Days, Draw, Drawn, MapEntry, Undo, Kept, Learned, Person,
                 Pseudonyms, Renamed, Roster, Version)
}  # fmt: skip
_MADE_AGAIN: Final[dict[type, tuple[str, ...]]] = {
    Roster: ("_index",),
    Session: (
        *("_line", "_rules", "_lock", "_at", "_kept", "_replies", "_stretches"),
        *("_growing", "_prefix", "_account", "_process"),
    ),
}
"""Attributes that are no knowledge: set by who makes the object, or None until they are needed."""
_TUPLE, _SET, _OBJECT, _CERTIFICATE = range(4)


def pack(value: object) -> bytes:
    packed: bytes = msgpack.packb(
        value, default=_extended, strict_types=True, unicode_errors="surrogatepass"
    )
    return packed


def unpack(content: bytes) -> Any:
    try:
        return msgpack.unpackb(
            content, ext_hook=_object, strict_map_key=False, unicode_errors="surrogatepass"
        )
    except Exception:  # noqa: S110 - said below, without what was read
        pass
    raise StoreError("a record of the session is of another version; nothing was released")


def knowledge(thing: object, kind: type | None = None) -> dict[str, Any]:
    """The attributes by which an object goes on where it was, as an object of that class."""
    of = kind or type(thing)
    again = _MADE_AGAIN.get(of, ())
    return {name: getattr(thing, name) for name in _names(thing) if name not in again}


def _names(thing: object) -> tuple[str, ...]:
    if is_dataclass(thing):
        return tuple(field.name for field in fields(thing))
    return tuple(getattr(thing, "_fields", None) or vars(thing))


def _extended(value: object) -> msgpack.ExtType:
    kind = type(value)
    if isinstance(value, Certificate):
        return msgpack.ExtType(_CERTIFICATE, value.model_dump_json().encode())
    if isinstance(value, tuple) and kind is tuple:
        return msgpack.ExtType(_TUPLE, pack(list(value)))
    if isinstance(value, set):
        return msgpack.ExtType(_SET, pack(list(value)))
    if _CLASSES.get(kind.__name__) is kind:
        return msgpack.ExtType(_OBJECT, pack([kind.__name__, knowledge(value)]))
    raise StoreError(f"a session does not know how to keep {kind.__name__}; nothing was released")


def _object(code: int, content: bytes) -> object:
    if code == _CERTIFICATE:
        return Certificate.model_validate_json(content)
    inner = unpack(content)
    if code == _TUPLE:
        return tuple(inner)
    if code == _SET:
        return set(inner)
    name, attributes = inner
    kind = _CLASSES[name]
    if issubclass(kind, tuple):
        return kind(**attributes)
    thing = object.__new__(kind)
    for missing in _MADE_AGAIN.get(kind, ()):
        object.__setattr__(thing, missing, None)
    for attribute, value in attributes.items():
        object.__setattr__(thing, attribute, value)
    return thing
