"""Events of Anthropic's messages: one restorer per block."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from privstamp.gateway.refused import bad_reply, refuse_more, upstream_error
from privstamp.gateway.reply import Telling, has_text
from privstamp.gateway.voices import Voice

_PIECES: Final = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "input_json_delta": "partial_json",
}
"""The field of each delta that is a piece of text."""
_KNOWN: Final = frozenset(
    {
        *("message_start", "message_delta", "message_stop"),
        *("content_block_start", "content_block_delta", "content_block_stop"),
    }
)


@dataclass
class _Block:
    """A block as it was received so far, and the one piece of it that is spoken."""

    received: dict[str, Any]
    voice: Voice | None = None
    kind: str = ""
    flushed: bool = False
    arguments: list[str] = field(default_factory=list)


class MessagesStream:
    """PRIVATE."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._blocks: dict[int, _Block] = {}
        self._begun: set[int] = set()
        self._said: list[str] = []
        self._speaking = 0
        self.over = False

    def event(self, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
        kind = value.get("type")
        if kind == "error":
            raise upstream_error(value.get("error"))
        if kind not in _KNOWN:
            if has_text({key: inner for key, inner in value.items() if key != "type"}):
                raise bad_reply("the upstream sent an event of no known type", "unknown_event")
            yield value
        elif kind == "content_block_start":
            yield self._start(value)
        elif kind == "content_block_delta":
            yield from self._delta(value)
        elif kind == "content_block_stop":
            yield from self._stop(value)
        else:
            self.over = self.over or kind == "message_stop"
            yield self._telling.root(value)

    def end(self) -> Iterator[dict[str, Any]]:
        return iter(())

    def _start(self, value: dict[str, Any]) -> dict[str, Any]:
        block = value.get("content_block")
        index = value.get("index")
        if not isinstance(block, dict) or not isinstance(index, int):
            raise bad_reply("a block of the upstream has no index")
        if index in self._begun:
            raise bad_reply("a block of the upstream begins twice")
        self._begun.add(index)
        opened = self._blocks[index] = _Block(copy.deepcopy(block))
        shown = dict(block)
        for name, delta in (("text", "text_delta"), ("thinking", "thinking_delta")):
            if isinstance(block.get(name), str) and block.get("type") == name:
                opened.received[name] = ""
                shown[name] = self._spoken(opened, index, delta, block[name])
        # what is spoken comes out of the voice, the rest by the table
        empty = {**shown, **{name: "" for name in ("text", "thinking") if name in shown}}
        self._telling.whole = False
        told = self._telling.root({**value, "content_block": empty})
        self._telling.whole = True
        told["content_block"] |= {n: shown[n] for n in ("text", "thinking") if n in shown}
        return told

    def _spoken(self, block: _Block, index: int, kind: str, piece: str) -> str:
        """A piece restored as far as it is clear."""
        if block.voice is None:
            voices = self._telling.voices
            if kind == "text_delta":
                block.voice = voices.text(lead=index == 0, after="".join(self._said))
                self._speaking = index
            elif kind == "thinking_delta":
                block.voice = voices.aside()
            else:
                block.voice = voices.arguments(str(block.received.get("name") or ""))
            block.kind = kind
        if block.kind != kind or block.flushed:
            raise bad_reply("a block of the upstream has two kinds")
        name = _PIECES[kind]
        if kind == "text_delta":
            if index != self._speaking:
                refuse_more(piece)
            self._said.append(piece)
        if kind == "input_json_delta":
            block.arguments.append(piece)
        else:
            block.received[name] = block.received.get(name, "") + piece
        return block.voice.feed(piece)

    def _delta(self, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
        index, delta = value.get("index"), value.get("delta")
        block = self._blocks.get(index) if isinstance(index, int) else None
        if block is None or not isinstance(delta, dict) or not isinstance(index, int):
            raise bad_reply("a delta of the upstream has no block")
        kind = delta.get("type")
        if isinstance(kind, str) and kind in _PIECES and isinstance(delta.get(_PIECES[kind]), str):
            name = _PIECES[kind]
            piece = self._spoken(block, index, kind, delta[name])
            if piece or not delta[name]:
                yield {**value, "delta": {"type": kind, name: piece}}
            return
        if kind == "signature_delta" and isinstance(delta.get("signature"), str):
            yield from self._flush(index, block)
            block.received["signature"] = block.received.get("signature", "") + delta["signature"]
            yield value
            return
        if kind == "citations_delta":
            citations = block.received.get("citations") or []
            block.received["citations"] = [*citations, delta.get("citation")]
            lost = self._telling.dropped
            told = self._telling.root({**value, "delta": {**delta}})
            if self._telling.dropped == lost:
                yield told
            return
        raise bad_reply("the upstream sent a delta of no known type", "unknown_event")

    def _flush(self, index: int, block: _Block) -> Iterator[dict[str, Any]]:
        """What is still held of a block."""
        if block.voice is None or block.flushed:
            return
        block.flushed = True
        rest = block.voice.finish()
        if block.kind == "input_json_delta":
            self._telling.heard(block.voice, tool=str(block.received.get("name") or ""))
        else:
            answer = block.kind == "text_delta"
            self._telling.heard(block.voice, answer=answer, first=index == 0)
        if rest:
            delta = {"type": block.kind, _PIECES[block.kind]: rest}
            yield {"type": "content_block_delta", "index": index, "delta": delta}

    def _stop(self, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
        index = value.get("index")
        block = self._blocks.pop(index, None) if isinstance(index, int) else None
        if block is None or not isinstance(index, int):
            raise bad_reply("a block of the upstream ends twice")
        yield from self._flush(index, block)
        self._telling.block(block.received, "".join(block.arguments), first=index == 0)
        yield value
