"""PRIVATE. Replies as they were received and as they were restored, to send back the former."""

from __future__ import annotations

from collections.abc import Callable

from privstamp.errors import InputError
from privstamp.restore.scan import Scan
from privstamp.sessions.messages import Message, Text, digest, settled

START = digest()


def place_after(place: bytes, message: Message) -> bytes:
    """Where a conversation stands after one more message, as the client has it: a digest of all of
    it, and one of this message, which clients keep that forget the beginning."""
    last = digest(message.role.encode(), *(settled(text.content) for text in message.texts))
    return digest(place, last) + last


class Replies:
    """Finds a reply by its place in the conversation, else by the message that it followed, else
    by its text if only one has it.

    Texts that differ in what clients change without being asked are one text.
    """

    def __init__(self) -> None:
        # received, by its settled form, for what the client may hold
        self._placed: dict[tuple[bytes, bytes], dict[bytes, str]] = {}

    def __repr__(self) -> str:
        return f"Replies(private, {len(self._placed)})"

    def remember(self, place: bytes, received: str, restored: str) -> None:
        """A reply to what was sent at `place`; a client may keep it in either form."""
        form = digest(settled(received))
        for held in {form, digest(settled(restored))}:
            for where in {place, _last(place), b""}:
                self._placed.setdefault((where, held), {})[form] = received

    def received(self, place: bytes, text: Text) -> str | None:
        """The received form of an assistant's text; nothing where it is no reply, or could be
        two: the wrong one would tell what a surrogate stands for."""
        held = digest(settled(text.content))
        known = (self._placed.get((where, held)) for where in (place, _last(place), b""))
        forms = next(filter(None, known), {})
        return next(iter(forms.values())) if len(forms) == 1 else None


def _last(place: bytes) -> bytes:
    return place[len(START) :]


class ReplyStream:
    """A reply in pieces: what may be shown comes back as soon as it is clear."""

    def __init__(self, scan: Scan, remember: Callable[[str, str], None]) -> None:
        self._scan, self._remember = scan, remember
        self._received: list[str] = []
        self._restored: list[str] = []

    def __repr__(self) -> str:
        return "ReplyStream(private)"

    def feed(self, piece: str) -> str:
        """Take the next piece."""
        if not isinstance(piece, str):
            raise InputError(f"a reply is a string, not {type(piece).__name__}")
        restored = self._scan.feed(piece)
        self._received.append(piece)
        self._restored.append(restored)
        return restored

    def finish(self) -> str:
        """The rest; the reply is remembered now."""
        rest = self._scan.finish()
        whole = "".join([*self._restored, rest])
        self._remember("".join(self._received), whole)
        return rest
