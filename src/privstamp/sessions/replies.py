"""PRIVATE. Replies as they were received and as they were restored, to send back the former."""

from __future__ import annotations

from privstamp.sessions.messages import Message, Text, digest, settled

START = digest()


def place_after(place: bytes, message: Message) -> bytes:
    """Where a conversation stands after one more message, as the client has it."""
    return digest(place, message.role.encode(), *(settled(text.content) for text in message.texts))


class Replies:
    """Finds a reply by its place in the conversation, or by its text if only one has it.

    Texts that differ in what clients change without being asked are one text.
    """

    def __init__(self) -> None:
        # received, by its settled form, for what the client may hold
        self._placed: dict[tuple[bytes, bytes], dict[bytes, str]] = {}
        self._forms: dict[bytes, dict[bytes, str]] = {}

    def __repr__(self) -> str:
        return f"Replies(private, {len(self._placed)})"

    def remember(self, place: bytes, received: str, restored: str) -> None:
        """A reply to what was sent at `place`; a client may keep it in either form."""
        form = digest(settled(received))
        for held in {form, digest(settled(restored))}:
            self._placed.setdefault((place, held), {})[form] = received
            self._forms.setdefault(held, {})[form] = received

    def received(self, place: bytes, text: Text) -> str | None:
        """The received form of an assistant's text; nothing where it is no reply, or could be
        two: the wrong one would tell what a surrogate stands for."""
        held = digest(settled(text.content))
        forms = self._placed.get((place, held)) or self._forms.get(held, {})
        return next(iter(forms.values())) if len(forms) == 1 else None
