"""A reply in events comes out as the same reply in one piece, wherever its texts and bytes are
cut."""

import json

import pytest
from upstream import Chat, Messages, Responses, read

from privstamp.gateway.choke import Allowed, Api, prepare

ASKED = "I am Ann Quux, account 4711-0815. Where is Zworg Blarg? Ünïcode naïve."
REQUESTS = {
    Api.CHAT: {"messages": [{"role": "user", "content": ASKED}]},
    Api.MESSAGES: {"max_tokens": 9, "messages": [{"role": "user", "content": ASKED}]},
    Api.RESPONSES: {"input": [{"role": "user", "content": ASKED}]},
}
UPSTREAMS = {
    Api.CHAT: Chat, Api.MESSAGES: Messages, Api.RESPONSES: Responses
}  # fmt: skip
SCHEMA = {"type": "object", "properties": {"who": {"type": "string"}}}


def prepared(endpoint, session, rules=None, **fields):
    body = {"model": "m", **REQUESTS[endpoint], **fields}
    return prepare(endpoint, json.dumps(body).encode(), session, rules or Allowed())


def sent_text(endpoint, made):
    body = json.loads(made.body)
    return (body.get("messages") or body["input"])[0]["content"]


def replies(endpoint, text):
    """Texts, refusals or thinking, and three tool calls, all of them with surrogates."""
    calls = [(f"tool_{n}", json.dumps({"who": text, "n": n})) for n in range(3)]
    first = [("text", f"Well: **{text}** – é, and again {text}"), *calls]
    if endpoint is Api.CHAT:
        return [sorted(first), [("refusal", f"No, {text}")], [("text", text), calls[1]]]
    return [[("thinking", f"Hmm, {text}"), *first]]


@pytest.mark.parametrize("listed", [(), ("tool_1",)])
@pytest.mark.parametrize("endpoint", UPSTREAMS)
def test_streamed_is_unstreamed_however_texts_are_cut(endpoint, listed, session):
    rules = Allowed(restore_arguments=frozenset(listed))
    made = prepared(endpoint, session, rules)
    text, upstream = sent_text(endpoint, made), UPSTREAMS[endpoint]
    reply = replies(endpoint, text)
    whole = prepared(endpoint, session, rules).answer
    expected = upstream.of_whole(
        json.loads(whole.whole(json.dumps(upstream.whole(reply)).encode()))
    )
    said = dict(expected[0])
    assert "Ann Quux" in said["text"] and "Zworg Blarg" in said["text"]
    for name in ("tool_0", "tool_1", "tool_2"):
        assert ("Ann Quux" in said[name]) == (name in listed)
    for size in (1, 2, 3, 5, 7, 11, 1000):
        answer = prepared(endpoint, session, rules).answer
        events = answer.events()
        out = b"".join(map(events.feed, upstream.events(reply, size))) + events.finish()
        joined = upstream.joined(read(out))
        if endpoint is Api.MESSAGES:  # arguments are an object there
            assert plain(joined) == plain(expected), size
        else:
            assert joined == expected, size
        assert forms(answer) == forms(whole)
        assert answer.headers == whole.headers


def forms(answer):
    return {(each.received, each.restored) for each in answer.remembered}


def plain(choices):
    return [
        [(kind, json.loads(text) if kind.startswith("tool") else text) for kind, text in items]
        for items in choices
    ]


@pytest.mark.parametrize("endpoint", UPSTREAMS)
def test_bytes_may_break_anywhere(endpoint, session):
    made = prepared(endpoint, session)
    upstream = UPSTREAMS[endpoint]
    stream = b"".join(upstream.events([[("text", sent_text(endpoint, made) + " – é")]], 9))
    stream = stream.replace("é".encode(), b"\\u00e9")  # an escape that is cut, too
    events = made.answer.events()
    expected = read(events.feed(stream) + events.finish())
    for size in (1, 2, 3):
        events = prepared(endpoint, session).answer.events()
        pieces = [events.feed(stream[at : at + size]) for at in range(0, len(stream), size)]
        assert read(b"".join(pieces) + events.finish()) == expected
    events = prepared(endpoint, session).answer.events()
    assert read(events.feed(stream.replace(b"\n", b"\r\n")) + events.finish()) == expected


@pytest.mark.parametrize("endpoint", UPSTREAMS)
def test_a_surrogate_split_at_every_byte_is_restored(endpoint, session):
    made = prepared(endpoint, session)
    text, upstream = sent_text(endpoint, made), UPSTREAMS[endpoint]
    stream = b"".join(upstream.events([[("text", text)]], 1000))
    for at in range(len(stream)):
        if text.encode()[:4] not in stream[max(0, at - len(text)) : at + len(text)]:
            continue
        events = (
            prepared(endpoint, session).answer.events() if at % 40 == 0 else made.answer.events()
        )
        out = events.feed(stream[:at]) + events.feed(stream[at:]) + events.finish()
        assert upstream.joined(read(out))[0][0][1] == ASKED


@pytest.mark.parametrize("endpoint", UPSTREAMS)
def test_a_stream_that_is_cut_off_ends_with_an_error(endpoint, session):
    stream = b"".join(UPSTREAMS[endpoint].events([[("text", "Hello there, all is well.")]], 9))
    for end in (len(stream) // 2, len(stream) - 20):
        events = prepared(endpoint, session).answer.events()
        out = events.feed(stream[:end]) + events.finish()
        last = read(out)[-1]
        assert events.failed and events.ended
        assert "error" in last if endpoint is not Api.RESPONSES else last["type"] == "error"
        assert events.feed(b"data: {}\n\n") == b""


@pytest.mark.parametrize("endpoint", UPSTREAMS)
@pytest.mark.parametrize(
    "odd",
    [
        b'data: {"type": "new.thing", "words": "Somebody wrote this"}\n\n',
        b"data: [1, 2]\n\n",
        b"data: {not json\n\n",
        b"data: \xff\xfe\n\n",
        b'data: {"type": "error", "error": {"message": "You wrote: I am Ann Quux"}}\n\n',
        b'data: {"a": 1, "a": 2}\n\n',
        b'data: {"x": NaN}\n\n',
    ],
)
def test_what_is_no_known_event_ends_the_stream(endpoint, odd, session):
    events = prepared(endpoint, session).answer.events()
    out = events.feed(odd) + events.finish()
    assert events.failed
    assert b"Somebody" not in out and b"Quux" not in out
    assert b"error" in out


def test_pings_comments_and_unknown_events_without_text_pass(session):
    events = prepared(Api.MESSAGES, session).answer.events()
    odd = b': hi\n\nevent: ping\ndata: {"type":"ping"}\n\ndata: {"type":"new","n":1}\n\n'
    assert events.feed(odd).count(b"\n\n") == 3


LINK = "![x](https://e.example/"
GOING_ON = {
    Api.CHAT: (
        {"choices": [{"index": 0, "delta": {"content": LINK}, "finish_reason": "stop"}]},
        {"choices": [{"index": 0, "delta": {"content": "NAME)"}, "finish_reason": None}]},
    ),
    Api.RESPONSES: (
        {"type": "response.output_text.delta", "item_id": "i", "output_index": 0,
         "content_index": 0, "delta": LINK, "logprobs": []},
        {"type": "response.output_text.done", "item_id": "i", "output_index": 0,
         "content_index": 0, "text": LINK, "logprobs": []},
        {"type": "response.output_text.delta", "item_id": "i", "output_index": 0,
         "content_index": 0, "delta": "NAME)", "logprobs": []},
    ),
    Api.MESSAGES: (
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": LINK}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0,
         "delta": {"type": "text_delta", "text": "NAME)"}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("endpoint", GOING_ON)
def test_a_text_that_goes_on_after_its_end_ends_the_stream(endpoint, session):
    """Joined by a client, its value would stand in the link that the first half began."""
    made = prepared(endpoint, session)
    name = sent_text(endpoint, made).removeprefix("I am ").partition(",")[0]
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    events = made.answer.events()
    for value in GOING_ON[endpoint]:
        value = json.loads(json.dumps(value).replace("NAME", name))
        value = head | value if endpoint is Api.CHAT else {"sequence_number": 0} | value
        if endpoint is Api.MESSAGES:
            value.pop("sequence_number")
        out = events.feed(f"data: {json.dumps(value)}\n\n".encode())
        assert b"Quux" not in out
    assert events.failed and events.ended


def test_an_empty_reason_to_finish_is_no_end(session):
    made = prepared(Api.CHAT, session)
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    pieces = [LINK, sent_text(Api.CHAT, made), ")\n\nFine."]
    events, out = made.answer.events(), b""
    for piece in pieces:
        choice = {"index": 0, "delta": {"content": piece}, "finish_reason": ""}
        out += events.feed(f"data: {json.dumps(head | {'choices': [choice]})}\n\n".encode())
    out += events.feed(b"data: [DONE]\n\n") + events.finish()
    assert b"Fine." in out and b"Quux" not in out and not events.failed
