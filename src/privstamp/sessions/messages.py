"""Messages of a chat, checked, with where each comes from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from privstamp.errors import InputError

OWN: Final = "own"
ASSISTANT: Final = "assistant"
TOOL: Final = "tool"
ROLES: Final = {
    "user": OWN,
    "system": OWN,
    "developer": OWN,
    "assistant": ASSISTANT,
    "tool": TOOL,
    "function": TOOL,
}
"""Where the text of each role comes from."""
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_KEYS: Final = {"role", "content", "name"}


@dataclass(frozen=True, repr=False)
class Message:
    """PRIVATE. One message as it came."""

    role: str
    text: str
    name: str | None = None

    def __repr__(self) -> str:
        return f"Message(private, {self.role})"

    @property
    def origin(self) -> str:
        """Whose text it is: equal text of two origins shares no noise."""
        origin = ROLES[self.role]
        return f"{origin}:{self.name or ''}" if origin == TOOL else origin

    @property
    def digest(self) -> bytes:
        """Of origin and text, to know it again."""
        return digest(self.origin.encode(), self.text.encode())

    def released(self, text: str) -> dict[str, str]:
        """As it leaves."""
        named = {} if self.name is None else {"name": self.name}
        return {"role": self.role, "content": text, **named}


def settled(text: str) -> bytes:
    """A text as clients may change it without being asked: blanks around it, line ends, accents."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", lines).strip().encode("utf-8", "surrogatepass")


def digest(*parts: bytes) -> bytes:
    """A digest of several strings that cannot run into each other."""
    state = blake2b(digest_size=32)
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.digest()


def read_messages(given: object) -> list[Message]:
    """Messages of a chat, or one text; anything else is refused before any of it is looked at."""
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    if not isinstance(given, Sequence) or not given:
        raise InputError("give a text, or a list of messages with role and content, not empty")
    return [_message(number, message) for number, message in enumerate(given, start=1)]


def _message(number: int, given: Any) -> Message:
    where = f"message {number}"
    if not isinstance(given, Mapping) or not {"role", "content"} <= set(given) <= _KEYS:
        raise InputError(f"{where} is not of the form role, content and, of a tool, name")
    role, text, name = given["role"], given["content"], given.get("name")
    if not isinstance(role, str) or role not in ROLES:
        raise InputError(f"{where} has a role that is none of {', '.join(ROLES)}")
    if not isinstance(text, str):
        raise InputError(f"{where}: content is a string, not {type(text).__name__}")
    if not text.strip():
        raise InputError(f"{where} is empty")
    try:
        text.encode()
        whole = True
    except UnicodeEncodeError:
        whole = False
    if not whole:
        raise InputError(f"{where} has a lone surrogate: not valid Unicode")
    if name is not None and (ROLES[role] != TOOL or not _is_name(name)):
        raise InputError(f"{where}: only tools have a name, of letters, digits and . _ -")
    return Message(role, text, name)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and _NAME.fullmatch(name) is not None
