"""What comes out is what the SDKs read; text without surrogates is not held back."""

import json

import anthropic.types
import openai.types.chat
import openai.types.responses
import pytest
from pydantic import TypeAdapter
from upstream import Chat, Messages, Responses, cut, read

from privstamp.gateway.choke import Allowed, Api, learn, prepare
from privstamp.gateway.subschemas import fits
from privstamp.sessions import Lasting

ASKED = "I am Ann Quux. Where is Zworg Blarg?"
SDKS = {
    Api.CHAT: (
        Chat,
        openai.types.chat.ChatCompletion,
        openai.types.chat.ChatCompletionChunk,
    ),
    Api.MESSAGES: (
        Messages,
        anthropic.types.Message,
        anthropic.types.RawMessageStreamEvent,
    ),
    Api.RESPONSES: (
        Responses,
        openai.types.responses.Response,
        openai.types.responses.ResponseStreamEvent,
    ),
}


def asked(endpoint, session, **fields):
    key = "input" if endpoint is Api.RESPONSES else "messages"
    body = {"model": "m", key: [{"role": "user", "content": ASKED}], **fields}
    if endpoint is Api.MESSAGES:
        body["max_tokens"] = 10
    return prepare(endpoint, json.dumps(body).encode(), session, Allowed())


@pytest.mark.parametrize("endpoint", SDKS)
def test_the_sdks_types_accept_what_comes_out(endpoint, session):
    upstream, whole, event = SDKS[endpoint]
    prepared = asked(endpoint, session)
    sent = json.loads(prepared.body)
    text = (sent.get("messages") or sent["input"])[0]["content"]
    items = [("text", text), ("crm", json.dumps({"who": text}))]
    if endpoint is not Api.CHAT:
        items = [("thinking", text), *items]
    body = prepared.answer.whole(json.dumps(upstream.whole([items])).encode())
    TypeAdapter(whole).validate_json(body)
    adapter = TypeAdapter(event)
    events = asked(endpoint, session).answer.events()
    stream = b"".join(map(events.feed, upstream.events([items], 4))) + events.finish()
    for value in read(stream):
        if value.get("type") != "ping":
            adapter.validate_python(value)


def test_text_without_surrogates_goes_out_word_by_word(session):
    prepared = asked(Api.CHAT, session)
    events = prepared.answer.events()
    text = "The quick brown fox jumps over the lazy dog, and 12.5 of them slept all day. " * 5
    received = given = ""
    for piece in cut(text, 4):
        choice = {"index": 0, "delta": {"content": piece}, "finish_reason": None}
        chunk = json.dumps(Chat.chunk([choice]))
        out = read(events.feed(f"data: {chunk}\n\n".encode()))
        received += piece
        given += "".join(each["choices"][0]["delta"].get("content", "") for each in out)
        assert received.startswith(given)
        assert len(received[len(given) :].split()) <= 2  # a word, and one that may go on


def test_a_lasting_session_knows_its_replies_in_another_process(privatizer, tmp_path):
    """As two workers have it: one prepares and learns, the other goes on."""
    store, key = tmp_path / "sessions.db", bytes(32)

    def opened():
        return Lasting("chat", privatizer, store, "ann", key=key)

    with opened() as first:
        prepared = asked(Api.MESSAGES, first)
        text = json.loads(prepared.body)["messages"][0]["content"]
        whole = Messages.whole([[("thinking", f"Hm, {text}"), ("text", text)]])
        reply = json.loads(prepared.answer.whole(json.dumps(whole).encode()))
        learn(first, prepared.answer.remembered)
    history = [{"role": "user", "content": ASKED},
               {"role": "assistant", "content": reply["content"]},
               {"role": "user", "content": "And Quux?"}]  # fmt: skip
    body = {"model": "m", "max_tokens": 10, "messages": history}
    with opened() as second:
        again = prepare(Api.MESSAGES, json.dumps(body).encode(), second, Allowed())
    sent = json.loads(again.body)["messages"]
    assert sent[0]["content"] == text
    assert sent[1]["content"][0]["thinking"] == f"Hm, {text}"
    assert sent[1]["content"][1]["text"] == text


def test_text_completions_and_counts_of_tokens(session):
    body = {"model": "m", "prompt": [ASKED, "Hello"], "suffix": "Zworg Blarg"}
    prepared = prepare(Api.COMPLETIONS, json.dumps(body).encode(), session, Allowed())
    assert "Quux" not in prepared.body.decode() and "Blarg" not in prepared.body.decode()
    text = json.loads(prepared.body)["prompt"][0]

    def choice(words, reason=None):
        return {"index": 0, "text": words, "finish_reason": reason, "logprobs": None}

    head = {"id": "c", "object": "text_completion", "created": 1, "model": "m"}
    whole = json.loads(
        prepared.answer.whole(json.dumps(head | {"choices": [choice(text, "stop")]}).encode())
    )
    assert whole["choices"][0]["text"] == ASKED
    events = prepared.answer.events()
    chunks = [head | {"choices": [choice(piece)]} for piece in cut(text, 3)]
    chunks.append(head | {"choices": [choice("", "stop")]})
    stream = b"".join(events.feed(f"data: {json.dumps(chunk)}\n\n".encode()) for chunk in chunks)
    out = read(stream + events.feed(b"data: [DONE]\n\n") + events.finish())
    assert "".join(chunk["choices"][0]["text"] for chunk in out) == ASKED
    body = {"model": "m", "messages": [{"role": "user", "content": ASKED}]}
    prepared = prepare(Api.COUNT_TOKENS, json.dumps(body).encode(), session, Allowed())
    assert "Quux" not in prepared.body.decode()
    assert prepared.answer.whole(b'{"input_tokens": 7}') == b'{"input_tokens":7}'


def test_errors_of_the_upstream_keep_their_code_alone(session):
    events = asked(Api.MESSAGES, session).answer.events()
    error = {"type": "overloaded_error", "message": "You said: I am Ann Quux"}
    out = events.feed(f"data: {json.dumps({'type': 'error', 'error': error})}\n\n".encode())
    assert b"event: error" in out and b"overloaded_error" in out and b"Quux" not in out


def test_schemas_that_refer_to_themselves_end():
    loop = {"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#/$defs/a"}], "maxLength": 5}
    loop["$defs"] = {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#/$defs/a"}]}}
    assert fits(loop, "/a/0/b", "a long text")
    assert fits(loop, "", "short") and not fits(loop, "", "too long")


def test_arguments_that_are_no_json_end_a_stream(session):
    events = asked(Api.MESSAGES, session).answer.events()
    stream = b"".join(Messages.events([[("crm", '{"who": 1}')]], 40))
    stream = stream.replace(b': 1}"', b': Quux"')
    out = events.feed(stream)
    assert events.failed and b"not JSON" in out
