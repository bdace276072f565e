"""PRIVATE. Replies as they were received and as they were restored, to send back the former."""

from __future__ import annotations

from privstamp.sessions.messages import Message, digest

START = digest()


def place_after(place: bytes, message: Message) -> bytes:
    """Where a conversation stands after one more message, as the client has it."""
    return digest(place, message.role.encode(), message.text.encode())


class Replies:
    """Finds a reply by its place in the conversation, or by its text if only one has it."""

    def __init__(self) -> None:
        self._placed: dict[tuple[bytes, bytes], set[str]] = {}
        self._forms: dict[bytes, set[str]] = {}  # received, by digest of what the client may hold

    def __repr__(self) -> str:
        return f"Replies(private, {len(self._placed)})"

    def remember(self, place: bytes, received: str, restored: str) -> None:
        """A reply to what was sent at `place`; a client may keep it in either form."""
        for held in {received, restored}:
            text = digest(held.encode("utf-8", "surrogatepass"))
            self._placed.setdefault((place, text), set()).add(received)
            self._forms.setdefault(text, set()).add(received)

    def received(self, place: bytes, message: Message) -> str | None:
        """The received form of an assistant's message; nothing where it is no reply, or could be
        two: the wrong one would tell what a surrogate stands for."""
        text = digest(message.text.encode())
        forms = self._placed.get((place, text)) or self._forms.get(text, set())
        return next(iter(forms)) if len(forms) == 1 else None
