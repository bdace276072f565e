"""Chunks of chat and of text completions: one restorer per choice and field, and per call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from privstamp.gateway.refused import bad_reply, refuse_more, upstream_error
from privstamp.gateway.reply import Telling
from privstamp.gateway.voices import Voice

Key = tuple[int, str, int]
"""Choice, field, number of the call."""


@dataclass
class _Open:
    voice: Voice
    tool: str | None = None


class ChatStream:
    """PRIVATE."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._open: dict[Key, _Open] = {}
        self._ended: set[Key] = set()
        self._names: dict[Key, str] = {}  # of tools
        self._last: dict[str, Any] = {}
        self.over = False

    def event(self, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if "error" in value:
            raise upstream_error(value["error"])
        choices = value.get("choices")
        pieces = list(self._taken(choices)) if isinstance(choices, list) else []
        told = self._telling.root(value)
        self._last = {key: inner for key, inner in told.items() if key not in ("choices", "usage")}
        for choice, given in zip(pieces, told.get("choices") or (), strict=True):
            if given.get("finish_reason"):
                yield from self._flushed(given["index"], choice)
            else:
                for key, text in choice.items():
                    _put(given, key, text)
        yield told

    def end(self) -> Iterator[dict[str, Any]]:
        for index in sorted({key[0] for key in self._open}):
            yield from self._flushed(index, {})

    def _taken(self, choices: list[Any]) -> Iterator[dict[Key, str]]:
        """The pieces of each choice, taken out and restored as far as they are clear."""
        for choice in choices:
            if not isinstance(choice, dict) or not isinstance(choice.get("index"), int):
                raise bad_reply("a choice of the upstream has no index")
            restored: dict[Key, str] = {}
            for key, function in _calls(choice):
                self._named(key, function)
            for key, fields, name in _pieces(choice):
                if key in self._ended:
                    refuse_more(fields[name])
                    continue
                opened = self._opened(key)
                restored[key] = opened.voice.feed(fields[name])
                fields[name] = ""
            yield restored

    def _named(self, key: Key, function: dict[str, Any]) -> None:
        """A call has one name: clients join pieces of it, and the tool would be another one."""
        name = function.get("name")
        if not name:
            return
        if key in self._names:
            function["name"] = None
        if self._names.setdefault(key, name) != name:
            raise bad_reply("a call of the upstream changes its name")

    def _opened(self, key: Key) -> _Open:
        if key not in self._open:
            voices = self._telling.voices
            if key[1] in ("tool_calls", "function_call"):
                tool = self._names.get(key, "")
                self._open[key] = _Open(voices.arguments(tool), tool)
            elif key[1] in ("content", "text"):
                self._open[key] = _Open(voices.text(lead=True))
            else:
                self._open[key] = _Open(voices.aside())
        return self._open[key]

    def _flushed(self, index: int, pieces: dict[Key, str]) -> Iterator[dict[str, Any]]:
        """The last pieces of a choice and what is still held, each in a chunk of its own; its
        texts are remembered."""
        for key in [key for key in self._open if key[0] == index]:
            opened = self._open.pop(key)
            self._ended.add(key)
            rest = pieces.get(key, "") + opened.voice.finish()
            if rest:
                choice: dict[str, Any] = {"index": index, "finish_reason": None}
                if key[1] != "text":
                    choice["delta"] = {}
                _put(choice, key, rest)
                yield {**self._last, "choices": [choice]}
            self._remember(key, opened)

    def _remember(self, key: Key, opened: _Open) -> None:
        received = "".join(opened.voice.received)
        answer = key[1] in ("content", "text")
        if received and opened.tool is not None:
            self._telling.heard(opened.voice, tool=opened.tool)
            self._telling.arguments(received, opened.tool)
        elif received:
            self._telling.heard(opened.voice, answer=answer, first=answer)
            self._telling.text(received, answer=answer, first=answer)


def _pieces(choice: dict[str, Any]) -> Iterator[tuple[Key, dict[str, Any], str]]:
    """Where pieces of text stand in a choice."""
    index = choice["index"]
    if isinstance(choice.get("text"), str):
        yield (index, "text", 0), choice, "text"
    delta = choice.get("delta")
    if not isinstance(delta, dict):
        return
    for name in ("content", "refusal"):
        if isinstance(delta.get(name), str):
            yield (index, name, 0), delta, name
    for key, function in _calls(choice):
        if isinstance(function.get("arguments"), str):
            yield key, function, "arguments"


def _calls(choice: dict[str, Any]) -> Iterator[tuple[Key, dict[str, Any]]]:
    """Calls that a choice has a piece of."""
    index, delta = choice["index"], choice.get("delta")
    if not isinstance(delta, dict):
        return
    if isinstance(delta.get("function_call"), dict):
        yield (index, "function_call", 0), delta["function_call"]
    for number, call in enumerate(delta.get("tool_calls") or ()):
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            yield (index, "tool_calls", int(call.get("index", number))), function


def _put(choice: dict[str, Any], key: Key, text: str) -> None:
    """Put a restored piece where pieces of its kind stand."""
    _, name, number = key
    if name == "text":
        choice["text"] = text
    elif name == "function_call":
        choice["delta"].setdefault("function_call", {})["arguments"] = text
    elif name == "tool_calls":
        calls = choice["delta"].setdefault("tool_calls", [])
        for call in calls:
            if call.get("index", 0) == number:
                call["function"]["arguments"] = text
                return
        calls.append({"index": number, "function": {"arguments": text}})
    else:
        choice["delta"][name] = text
