"""Ten turns with signed thinking and tools: nothing signed is altered, and what was sent at one
turn is the beginning of what is sent at the next."""

import json

import pytest
from upstream import Chat, Messages, Responses, read, signed

from privstamp.gateway.choke import Allowed, Api, learn, prepare

ASKED = "I am Ann Quux, account 4711-0815. Where is Zworg Blarg?"
NAMES = ("Ann Quux", "Quux", "Zworg", "Blarg", "4711-0815")
TOOLS = {
    Api.CHAT: {"type": "function", "function": {"name": "crm", "parameters": {}}},
    Api.MESSAGES: {"name": "crm", "input_schema": {"type": "object"}},
    Api.RESPONSES: {"type": "function", "name": "crm", "parameters": {}, "strict": None},
}
UPSTREAMS = {
    Api.CHAT: Chat, Api.MESSAGES: Messages, Api.RESPONSES: Responses
}  # fmt: skip


class Altered(Exception):
    """What an upstream says to a signed block that it did not write."""


def check_signed(value):
    """What an upstream does with what comes back."""
    if isinstance(value, dict):
        if value.get("type") == "thinking" and value["signature"] != signed(value["thinking"]):
            raise Altered
        sealed = value.get("encrypted_content")
        if sealed is not None and sealed != signed(value["summary"][0]["text"]):
            raise Altered
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            check_signed(inner)


def sent_history(prepared):
    body = json.loads(prepared.body)
    check_signed(body)
    assert not any(name in prepared.body.decode() for name in NAMES)
    key = b'"input":[' if "input" in body else b'"messages":['
    at = prepared.body.index(key) + len(key)
    history = body.get("messages") or body["input"]
    written = json.dumps(history, separators=(",", ":"), ensure_ascii=False)[1:-1].encode()
    assert prepared.body[at : at + len(written)] == written
    return history, written


def go_on(endpoint, history, whole, turn):
    """The client's history after a reply and the tool's result."""
    text = f"Turn {turn}: Quux, see Zworg Blarg and 4711-081{turn}"
    if endpoint is Api.MESSAGES:
        calls = [block["id"] for block in whole["content"] if block["type"] == "tool_use"]
        content = [
            {
                "type": "tool_result",
                "tool_use_id": call,
                "content": [{"type": "text", "text": text}],
            }
            for call in calls
        ]
        return [*history, {"role": "assistant", "content": whole["content"]},
                {"role": "user", "content": content}]  # fmt: skip
    if endpoint is Api.RESPONSES:
        calls = [item["call_id"] for item in whole["output"] if item["type"] == "function_call"]
        outputs = [
            {"type": "function_call_output", "call_id": call, "output": text} for call in calls
        ]
        return [*history, *whole["output"], *outputs]
    message = whole["choices"][0]["message"]
    results = [
        {"role": "tool", "tool_call_id": call["id"], "content": text}
        for call in message["tool_calls"]
    ]
    return [*history, message, *results]


def of_stream(endpoint, events):
    """The reply as an SDK puts it together from events."""
    if endpoint is Api.RESPONSES:
        return events[-1]["response"]
    if endpoint is Api.CHAT:
        return Chat.whole(Chat.joined(events))
    blocks = {}
    for value in events:
        if value["type"] == "content_block_start":
            blocks[value["index"]] = value["content_block"]
        elif value["type"] == "content_block_delta":
            block, delta = blocks[value["index"]], value["delta"]
            for key in ("text", "thinking", "signature"):
                if key in delta:
                    block[key] += delta[key]
            if "partial_json" in delta:
                block["json"] = block.get("json", "") + delta["partial_json"]
    for block in blocks.values():
        if "json" in block:
            block["input"] = json.loads(block.pop("json"))
    return {"content": [block for _, block in sorted(blocks.items())]}


@pytest.mark.parametrize("listed", [(), ("crm",)])
@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("endpoint", UPSTREAMS)
def test_ten_turns(endpoint, streamed, listed, session):
    upstream = UPSTREAMS[endpoint]
    rules = Allowed(restore_arguments=frozenset(listed))
    key = "input" if endpoint is Api.RESPONSES else "messages"
    history = [{"role": "user", "content": ASKED}]
    before = b""
    for turn in range(10):
        body = {"model": "m", "tools": [TOOLS[endpoint]], key: history, "stream": streamed}
        if endpoint is Api.MESSAGES:
            body["max_tokens"] = 100
        prepared = prepare(endpoint, json.dumps(body).encode(), session, rules)
        sent, written = sent_history(prepared)
        assert written.startswith(before)
        before = written
        surrogates = sent[0]["content"]
        items = [("text", f"{turn}: {surrogates}"),
                 ("crm", json.dumps({"b": surrogates, "a": {"n": turn}}))]  # fmt: skip
        if endpoint is not Api.CHAT:
            items = [("thinking", f"Hm {turn}, {surrogates}"), *items]
        answer = prepared.answer
        if streamed:
            events = answer.events()
            out = b"".join(map(events.feed, upstream.events([items], 7))) + events.finish()
            whole = of_stream(endpoint, read(out))
        else:
            whole = json.loads(answer.whole(json.dumps(upstream.whole([items])).encode()))
        shown = json.dumps(whole, ensure_ascii=False)
        assert shown.count("Ann Quux") == (2 if endpoint is not Api.CHAT else 1) + len(listed)
        learn(session, answer.remembered)
        history = go_on(endpoint, history, json.loads(json.dumps(whole)), turn)


def test_the_checker_notices_an_altered_block():
    block = {"type": "thinking", "thinking": "a", "signature": signed("a")}
    check_signed([block])
    with pytest.raises(Altered):
        check_signed([block | {"thinking": "b"}])


@pytest.mark.parametrize(
    ("endpoint", "item"),
    [
        (Api.MESSAGES, {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "Ann Quux", "signature": "s"}]}),
        (Api.MESSAGES, {"role": "assistant", "content": [
            {"type": "redacted_thinking", "data": "Ann Quux"}]}),
        (Api.RESPONSES, {"type": "reasoning", "id": "rs_1", "encrypted_content": "e",
            "summary": [{"type": "summary_text", "text": "Ann Quux"}]}),
        (Api.RESPONSES, {"type": "compaction", "id": "c_1", "encrypted_content": "e"}),
    ],
)  # fmt: skip
def test_what_is_sealed_and_unknown_is_refused(endpoint, item, session):
    key = "input" if endpoint is Api.RESPONSES else "messages"
    body = {"model": "m", key: [{"role": "user", "content": "Hello"}, item]}
    with pytest.raises(Exception, match=r"signed or encrypted") as refused:
        prepare(endpoint, json.dumps(body).encode(), session, Allowed())
    assert "[1]" in refused.value.path and "Quux" not in str(refused.value)


def test_a_sealed_part_of_another_session_is_unknown(privatizer):
    body = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": ASKED}]}
    first, other = privatizer.session(), privatizer.session()
    answer = prepare(Api.MESSAGES, json.dumps(body).encode(), first, Allowed()).answer
    whole = Messages.whole([[("thinking", "Hm"), ("text", "Yes")]])
    reply = json.loads(answer.whole(json.dumps(whole).encode()))
    learn(first, answer.remembered)
    body["messages"] += [{"role": "assistant", "content": reply["content"]},
                         {"role": "user", "content": "And?"}]  # fmt: skip
    prepare(Api.MESSAGES, json.dumps(body).encode(), first, Allowed())
    with pytest.raises(Exception, match="signed or encrypted"):
        prepare(Api.MESSAGES, json.dumps(body).encode(), other, Allowed())
