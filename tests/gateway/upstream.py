"""A reply as an upstream sends it: whole, or in events with its texts cut as one likes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

HEAD = {"id": "c-1", "created": 1, "model": "m"}
Item = tuple[str, str]
"""("text", words), ("refusal", words), ("thinking", words), or (tool, arguments)."""


def event(value: dict[str, Any], name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def woven(streams: Iterable[Iterable[Any]]) -> Iterator[Any]:
    """Several streams, one event of each in turn."""
    waiting = [iter(stream) for stream in streams]
    while waiting:
        for stream in list(waiting):
            try:
                yield next(stream)
            except StopIteration:
                waiting.remove(stream)


class Chat:
    """Chat completions with several choices."""

    @staticmethod
    def whole(choices: list[list[Item]]) -> dict[str, Any]:
        return HEAD | {
            "object": "chat.completion",
            "choices": [
                {"index": index, "finish_reason": "stop", "message": Chat.message(items)}
                for index, items in enumerate(choices)
            ],
        }

    @staticmethod
    def message(items: list[Item]) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": None}
        calls = []
        for kind, text in items:
            if kind in ("text", "refusal"):
                message["content" if kind == "text" else kind] = text
            else:
                function = {"name": kind, "arguments": text}
                calls.append({"id": f"call_{len(calls)}", "type": "function", "function": function})
        return message | ({"tool_calls": calls} if calls else {})

    @staticmethod
    def events(choices: list[list[Item]], size: int) -> Iterator[bytes]:
        yield from woven(Chat.choice(index, items, size) for index, items in enumerate(choices))
        yield event(Chat.chunk([]) | {"usage": {"prompt_tokens": 1, "completion_tokens": 1,
                                                "total_tokens": 2}})  # fmt: skip
        yield b"data: [DONE]\n\n"

    @staticmethod
    def chunk(choices: list[dict[str, Any]]) -> dict[str, Any]:
        return HEAD | {"object": "chat.completion.chunk", "choices": choices}

    @staticmethod
    def choice(index: int, items: list[Item], size: int) -> Iterator[bytes]:
        def one(delta: dict[str, Any], reason: str | None = None) -> bytes:
            choice = {"index": index, "delta": delta, "finish_reason": reason}
            return event(Chat.chunk([choice]) | {"obfuscation": "x7 y"})

        yield one({"role": "assistant", "content": ""})
        streams: list[list[bytes]] = []
        calls = 0
        for kind, text in items:
            if kind in ("text", "refusal"):
                name = "content" if kind == "text" else kind
                streams.append([one({name: piece}) for piece in cut(text, size)])
                continue
            at, calls = calls, calls + 1
            head = {"index": at, "id": f"call_{at}", "type": "function",
                    "function": {"name": kind, "arguments": ""}}  # fmt: skip
            rest = [
                one({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
                for piece in cut(text, size)
            ]
            streams.append([one({"tool_calls": [head]}), *rest])
        yield from woven(streams)
        yield one({}, "stop")

    @staticmethod
    def joined(events: list[dict[str, Any]]) -> list[list[Item]]:
        choices: dict[int, dict[Any, list[str]]] = {}
        for value in events:
            for choice in value["choices"]:
                parts = choices.setdefault(choice["index"], {})
                delta = choice["delta"]
                for name in ("content", "refusal"):
                    if delta.get(name):
                        parts.setdefault(name, []).append(delta[name])
                for call in delta.get("tool_calls", ()):
                    function = call["function"]
                    pieces = parts.setdefault(call["index"], [])
                    pieces += [function[key] for key in ("name", "arguments") if key in function]
        return [Chat.items(parts) for _, parts in sorted(choices.items())]

    @staticmethod
    def items(parts: dict[Any, list[str]]) -> list[Item]:
        out: list[Item] = []
        for name, pieces in parts.items():
            if isinstance(name, int):
                out.append((pieces[0], "".join(pieces[1:])))
            else:
                out.append(("text" if name == "content" else name, "".join(pieces)))
        return sorted(out)

    @staticmethod
    def of_whole(reply: dict[str, Any]) -> list[list[Item]]:
        out = []
        for choice in reply["choices"]:
            message = choice["message"]
            items = [("text", message["content"])] if message.get("content") else []
            items += [("refusal", message["refusal"])] if message.get("refusal") else []
            for call in message.get("tool_calls", ()):
                items.append((call["function"]["name"], call["function"]["arguments"]))
            out.append(sorted(items))
        return out


class Messages:
    """Anthropic's messages: one choice, blocks one after the other."""

    HEAD: ClassVar = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m",
            "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}  # fmt: skip

    @staticmethod
    def block(kind: str, text: str, number: int) -> dict[str, Any]:
        if kind == "text":
            return {"type": "text", "text": text, "citations": None}
        if kind == "thinking":
            return {"type": "thinking", "thinking": text, "signature": signed(text)}
        return {
            "type": "tool_use",
            "id": f"toolu_{number}",
            "name": kind,
            "input": json.loads(text),
        }

    @staticmethod
    def whole(choices: list[list[Item]]) -> dict[str, Any]:
        blocks = [Messages.block(*item, number) for number, item in enumerate(choices[0])]
        return Messages.HEAD | {"content": blocks, "stop_reason": "end_turn"}

    @staticmethod
    def events(choices: list[list[Item]], size: int) -> Iterator[bytes]:
        start = Messages.HEAD | {"content": [], "stop_reason": None}
        yield event({"type": "message_start", "message": start}, "message_start")
        yield event({"type": "ping"}, "ping")
        yield b": keep-alive\n\n"
        yield from woven(
            Messages.one(number, kind, text, size) for number, (kind, text) in enumerate(choices[0])
        )
        delta = {"stop_reason": "end_turn", "stop_sequence": None}
        yield event({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5}},
                    "message_delta")  # fmt: skip
        yield event({"type": "message_stop"}, "message_stop")

    @staticmethod
    def one(number: int, kind: str, text: str, size: int) -> Iterator[bytes]:
        block = Messages.block(kind, text, number)
        empty = {"text": "", "thinking": "", "signature": "", "input": {}}
        start = {key: empty.get(key, value) for key, value in block.items()}
        yield event({"type": "content_block_start", "index": number, "content_block": start})
        name = {"text": "text_delta", "thinking": "thinking_delta"}.get(kind, "input_json_delta")
        field = {"text": "text", "thinking": "thinking"}.get(kind, "partial_json")
        deltas = [{"type": name, field: piece} for piece in cut(text, size)]
        if kind == "thinking":
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        for delta in deltas:
            yield event({"type": "content_block_delta", "index": number, "delta": delta})
        yield event({"type": "content_block_stop", "index": number})

    @staticmethod
    def joined(events: list[dict[str, Any]]) -> list[list[Item]]:
        blocks: dict[int, dict[str, Any]] = {}
        closed = set()
        for value in events:
            if value["type"] == "content_block_start":
                blocks[value["index"]] = {**value["content_block"], "pieces": []}
            elif value["type"] == "content_block_delta":
                assert value["index"] not in closed
                delta = value["delta"]
                if delta["type"] == "signature_delta":
                    assert "signed" not in blocks[value["index"]]
                    blocks[value["index"]]["signed"] = True
                else:
                    assert "signed" not in blocks[value["index"]]  # all of it before
                    blocks[value["index"]]["pieces"].append(delta.get("text") or delta.get(
                        "thinking") or delta.get("partial_json") or "")  # fmt: skip
            elif value["type"] == "content_block_stop":
                closed.add(value["index"])
        return [[
            (block.get("name", block["type"]), "".join(block["pieces"]))
            for _, block in sorted(blocks.items())
        ]]  # fmt: skip

    @staticmethod
    def of_whole(reply: dict[str, Any]) -> list[list[Item]]:
        items = []
        for block in reply["content"]:
            kind = block.get("name", block["type"])
            text = block.get("text") or block.get("thinking") or json.dumps(block.get("input"))
            items.append((kind, text))
        return [items]


class Responses:
    """OpenAI's responses: items, with parts in a message."""

    @staticmethod
    def item(kind: str, text: str, number: int) -> dict[str, Any]:
        if kind in ("text", "refusal"):
            part = {"type": "output_text", "text": text, "annotations": []}
            if kind == "refusal":
                part = {"type": "refusal", "refusal": text}
            return {"type": "message", "id": f"msg_{number}", "role": "assistant",
                    "status": "completed", "content": [part]}  # fmt: skip
        if kind == "thinking":
            return {"type": "reasoning", "id": f"rs_{number}", "encrypted_content": signed(text),
                    "summary": [{"type": "summary_text", "text": text}]}  # fmt: skip
        return {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}",
                "name": kind, "arguments": text, "status": "completed"}  # fmt: skip

    @staticmethod
    def whole(choices: list[list[Item]]) -> dict[str, Any]:
        items = [Responses.item(*item, number) for number, item in enumerate(choices[0])]
        return {"id": "resp_1", "object": "response", "created_at": 1, "model": "m",
                "output": items, "status": "completed", "instructions": None, "tools": [],
                "parallel_tool_calls": True, "tool_choice": "auto", "metadata": {}}  # fmt: skip

    @staticmethod
    def events(choices: list[list[Item]], size: int) -> Iterator[bytes]:
        whole = Responses.whole(choices)
        number = 0

        def numbered(value: dict[str, Any]) -> bytes:
            nonlocal number
            number += 1
            return event(value | {"sequence_number": number - 1}, value["type"])

        yield numbered({"type": "response.created", "response": whole | {"output": []}})
        streams = [
            list(Responses.one(number, kind, text, size))
            for number, (kind, text) in enumerate(choices[0])
        ]
        for value in woven(streams):
            yield numbered(value)
        yield numbered({"type": "response.completed", "response": whole})

    @staticmethod
    def one(at: int, kind: str, text: str, size: int) -> Iterator[dict[str, Any]]:
        item = Responses.item(kind, text, at)
        empty = {"content": [], "arguments": "", "summary": [], "status": "in_progress"}
        start = {key: empty.get(key, value) for key, value in item.items()}
        yield {"type": "response.output_item.added", "output_index": at, "item": start}
        stem, field, place = {
            "text": ("response.output_text", "text", {"content_index": 0}),
            "refusal": ("response.refusal", "refusal", {"content_index": 0}),
            "thinking": ("response.reasoning_summary_text", "text", {"summary_index": 0}),
        }.get(kind, ("response.function_call_arguments", "arguments", {}))
        where = {"item_id": item["id"], "output_index": at, **place}
        more = {"logprobs": []} if kind == "text" else {}
        for piece in cut(text, size):
            yield {"type": f"{stem}.delta", **where, "delta": piece, **more, "obfuscation": "q"}
        name = {"name": kind} if field == "arguments" else {}
        yield {"type": f"{stem}.done", **where, field: text, **more, **name}
        if kind in ("text", "refusal"):
            part = item["content"][0]
            yield {"type": "response.content_part.done", **where, "part": part}
        yield {"type": "response.output_item.done", "output_index": at, "item": item}

    @staticmethod
    def joined(events: list[dict[str, Any]]) -> list[list[Item]]:
        assert [value["sequence_number"] for value in events] == list(range(len(events)))
        assert not any("obfuscation" in value for value in events)
        names: dict[int, str] = {}
        pieces: dict[int, str] = {}
        for value in events:
            kind, at = value["type"], value.get("output_index")
            if kind == "response.output_item.added":
                item = value["item"]
                names[at] = item.get("name") or item["type"]
            elif kind.endswith(".delta"):
                names[at] = {"message": kind.split(".")[1]}.get(names[at], names[at])
                pieces[at] = pieces.get(at, "") + value["delta"]
            elif kind.endswith(("_text.done", "arguments.done")):
                assert (value.get("text") or value.get("arguments")) == pieces[at]
            elif kind == "response.output_item.done":
                assert Responses.said(value["item"]) == pieces[at]
            elif kind == "response.completed":
                said = [Responses.said(item) for item in value["response"]["output"]]
                assert said == [pieces[each] for each in sorted(pieces)]
        called = {"output_text": "text", "reasoning": "thinking"}
        return [[(called.get(names[at], names[at]), pieces[at]) for at in sorted(pieces)]]

    @staticmethod
    def said(item: dict[str, Any]) -> str:
        if "arguments" in item:
            return str(item["arguments"])
        part = (item.get("content") or item.get("summary"))[0]
        return str(part.get("text") or part.get("refusal"))

    @staticmethod
    def of_whole(reply: dict[str, Any]) -> list[list[Item]]:
        items = []
        for item in reply["output"]:
            kind = item.get("name") or {"reasoning": "thinking"}.get(item["type"], "text")
            if item["type"] == "message" and item["content"][0]["type"] == "refusal":
                kind = "refusal"
            items.append((kind, Responses.said(item)))
        return [items]


def signed(text: str) -> str:
    """What only the upstream could have written."""
    from hashlib import blake2b

    return blake2b(text.encode(), key=b"upstream", digest_size=16).hexdigest()


def read(stream: bytes) -> list[dict[str, Any]]:
    """The events of a stream, without comments and its end."""
    values = []
    for block in stream.decode().split("\n\n"):
        data = [line[6:] for line in block.split("\n") if line.startswith("data: ")]
        if data and data != ["[DONE]"]:
            values.append(json.loads("\n".join(data)))
    return values
