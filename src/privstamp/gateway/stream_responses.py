"""Events of OpenAI's responses: one restorer per item and part, numbers without gaps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from privstamp.gateway.refused import bad_reply, refuse_more, upstream_error
from privstamp.gateway.reply import Telling, has_text
from privstamp.gateway.voices import Spoken, Voice

_LAST: Final = frozenset({"response.completed", "response.failed", "response.incomplete"})
_ARGUMENTS: Final = (
    *("response.function_call_arguments", "response.mcp_call_arguments"),
    *("response.custom_tool_call_input", "response.code_interpreter_call_code"),
    "response.shell_call_command",
)
_ASIDES: Final = (
    *("response.refusal", "response.reasoning_text", "response.reasoning_summary_text"),
    *("response.audio.transcript", "response.audio_transcript"),
)
_ANSWER: Final = "response.output_text"
_ENDS: Final = ("response.content_part.done", "response.output_item.done", *_LAST)
"""Events that end whatever is still open beneath them."""
_BEGINS: Final = ("added", "created", "queued", "in_progress")
"""Events that show items before their text comes."""
_TEXTS: Final = ("text", "refusal", "arguments", "input", "code", "command", "transcript")
_PLACES: Final = ("output_index", "content_index", "summary_index", "command_index")

Key = tuple[Any, ...]


class ResponsesStream:
    """PRIVATE."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._open: dict[Key, tuple[Voice, dict[str, Any]]] = {}
        self._closed: set[Key] = set()
        self._full: set[Any] = set()  # items that came with a text
        self._said: list[str] = []
        self._speaking: Key = ()
        self._waiting: dict[Key, list[dict[str, Any]]] = {}
        self._tools: dict[Any, str] = {}
        self.number = 0
        self.over = False

    def event(self, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
        kind = value.get("type")
        if kind == "error":
            raise upstream_error(value)
        for told in self._told(str(kind), value):
            if "sequence_number" in value:
                told["sequence_number"] = self.number
                self.number += 1
            yield told
        self.over = self.over or kind in _LAST

    def end(self) -> Iterator[dict[str, Any]]:
        return iter(())

    def _told(self, kind: str, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
        stem, _, step = kind.rpartition(".")
        if step in _BEGINS:
            self._full.update(_spoken(value))
        item = value.get("item")
        if isinstance(item, dict):
            named = str(item.get("name") or str(item.get("type")).removesuffix("_call"))
            if self._tools.setdefault(value.get("output_index"), named) != named:
                raise bad_reply("a call of the upstream changes its name")
        if step == "delta" and isinstance(value.get("delta"), str) and self._speaks(stem):
            yield from self._delta(stem, value)
            return
        if kind == "response.output_text.annotation.added":
            key = (_ANSWER, *(value.get(place) for place in _PLACES))
            if key in self._open:
                self._waiting.setdefault(key, []).append(value)
                return
        if step == "done" or kind in _ENDS:
            yield from self._ended(stem, kind, value)
        if not self._known(value):
            if has_text({key: inner for key, inner in value.items() if key != "type"}):
                raise bad_reply("the upstream sent an event of no known type", "unknown_event")
            yield dict(value)
            return
        tool = self._tools.get(value.get("output_index"), "")
        self._telling.whole = kind in _LAST or step == "done"
        told = self._telling.event(value, tool)
        self._telling.whole = True
        if isinstance(told.get("response"), dict):
            told["response"] = self._telling.echoed(told["response"], "Response")
        yield told

    def _known(self, value: dict[str, Any]) -> bool:
        return self._telling.knows(value)

    @staticmethod
    def _speaks(stem: str) -> bool:
        return stem == _ANSWER or stem in _ARGUMENTS or stem in _ASIDES

    def _key(self, stem: str, value: dict[str, Any]) -> Key:
        return (stem, *(value.get(place) for place in _PLACES))

    def _delta(self, stem: str, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
        key = self._key(stem, value)
        if key in self._closed or value.get("output_index") in self._full:
            refuse_more(value["delta"])
            return
        if key not in self._open:
            voices = self._telling.voices
            if stem == _ANSWER:
                voice = voices.text(after="".join(self._said))
                self._speaking = key
            elif stem in _ASIDES:
                voice = voices.aside()
            else:
                voice = voices.arguments(self._tools.get(value.get("output_index"), ""))
            self._open[key] = voice, {}
        voice, _ = self._open[key]
        shown = {name: inner for name, inner in value.items() if name != "obfuscation"}
        if self._telling.voices.rules.restore and "logprobs" in shown:
            shown["logprobs"] = []
        self._open[key] = voice, shown
        if stem == _ANSWER:
            if key != self._speaking:
                refuse_more(value["delta"])
            self._said.append(value["delta"])
        piece = voice.feed(value["delta"])
        if piece:
            yield {**shown, "delta": piece}

    def _ended(self, stem: str, kind: str, value: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """What is still held of what ends here, then what waited for it."""
        if kind in _LAST:
            keys = list(self._open)
        elif kind in _ENDS:
            whole = kind == "response.output_item.done"
            at = [value.get(place) for place in (_PLACES[:1] if whole else _PLACES[:2])]
            keys = [key for key in self._open if list(key[1 : 1 + len(at)]) == at]
        else:
            keys = [key for key in (self._key(stem, value),) if key in self._open]
        for key in keys:
            voice, shown = self._open.pop(key)
            self._closed.add(key)
            rest = voice.finish()
            tool = self._tools.get(key[1], "") if key[0] in _ARGUMENTS else None
            self._telling.heard(voice, tool=tool, answer=key[0] == _ANSWER)
            if rest:
                yield {**shown, "delta": rest}
            for waiting in self._waiting.pop(key, []):
                moves = tuple(voice.put_back) if isinstance(voice, Spoken) else ()
                told = self._telling.event(waiting, "", moves)
                if told:
                    yield told


def _spoken(value: dict[str, Any]) -> Iterator[Any]:
    """Items that have a text before a piece of it came: clients would join both."""
    response = value.get("response")
    items = response.get("output") if isinstance(response, dict) else None
    shown: list[tuple[Any, Any]] = list(enumerate(items if isinstance(items, list) else ()))
    at = value.get("output_index")
    shown += [(at, value.get("item")), (at, value.get("part"))]
    shown += [(at, {"command": value.get("command")})]
    return (index for index, item in shown if _holds_text(item))


def _holds_text(value: Any) -> bool:
    if isinstance(value, dict):
        if any(isinstance(value.get(name), str) and value[name] for name in _TEXTS):
            return True
        value = list(value.values())
    return isinstance(value, list) and any(map(_holds_text, value))
