"""Chat through the choke point: out without names, back with them."""

import json
import pickle

import pytest

from privstamp.gateway.choke import (
    Allowed,
    Api,
    Refused,
    hints,
    learn,
    prepare,
    read,
    refusal,
)

NAMES = ("Ann Quux", "Quux", "Zworg", "Blarg", "4711-0815")
LOOK_UP = {
    "type": "function",
    "function": {
        "name": "look_up",
        "description": "Finds customers such as Zworg Blarg",
        "parameters": {"type": "object", "properties": {"who": {"type": "string"}}},
    },
}


def request(*messages, **fields):
    return json.dumps({"model": "gpt-5", "messages": list(messages), **fields}).encode()


def hints_of(body):
    return hints(read(Api.CHAT, body, Allowed()))


def user(text):
    return {"role": "user", "content": text}


def reply(**message):
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}
    return {
        "id": "c-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
    }


def called(arguments, number=1):
    function = {"name": "look_up", "arguments": arguments}
    return {"id": f"call_{number}", "type": "function", "function": function}


def sent(prepared):
    return json.loads(prepared.body)


def test_a_conversation_goes_out_without_names_and_comes_back_with_them(session):
    history = [user("I am Ann Quux. Who is Zworg Blarg?")]
    prepared = prepare(Api.CHAT, request(*history, tools=[LOOK_UP]), session, Allowed())
    assert not any(name in prepared.body.decode() for name in NAMES)
    assert sent(prepared)["store"] is False
    text = sent(prepared)["messages"][0]["content"]
    answer = pickle.loads(pickle.dumps(prepared.answer))
    body = reply(content=text, tool_calls=[called('{"who": "x"}')])
    restored = json.loads(answer.whole(json.dumps(body).encode()))["choices"][0]["message"]
    assert restored["content"] == "I am Ann Quux. Who is Zworg Blarg?"
    learn(session, answer.remembered)
    history += [restored, {"role": "tool", "tool_call_id": "call_1", "content": "Quux is in."}]
    again = sent(prepare(Api.CHAT, request(*history, tools=[LOOK_UP]), session, Allowed()))
    assert again["messages"][0] == sent(prepared)["messages"][0]
    assert again["messages"][1]["content"] == text
    assert again["messages"][1]["tool_calls"][0]["function"]["arguments"] == '{"who": "x"}'
    assert "Quux" not in again["messages"][2]["content"]


def test_a_field_that_no_table_knows_is_refused_by_its_path(session):
    with pytest.raises(Refused) as refused:
        prepare(Api.CHAT, request(user("hi") | {"mood": "Ann Quux"}), session, Allowed())
    assert refused.value.path == "messages[0].mood"
    status, body, headers = refusal(Api.CHAT.dialect, refused.value)
    assert status == 400 and headers["x-should-retry"] == "false"
    assert json.loads(body)["error"]["param"] == "messages[0].mood"
    assert b"Quux" not in body


def test_hints_find_the_session_by_its_history(session):
    prepared = prepare(Api.CHAT, request(user("I am Ann Quux.")), session, Allowed())
    text = sent(prepared)["messages"][0]["content"]
    told = hints_of(request(user("I am Ann Quux.")))
    prepared.answer.trail = told.trail
    prepared.answer.whole(json.dumps(reply(content=text)).encode())
    (remembered,) = prepared.answer.remembered
    answered = {"role": "assistant", "content": "I am Ann Quux."}
    second = hints_of(request(user("I am Ann Quux."), answered))
    assert set(second.keys) < set(remembered.keys) and len(second.keys) == 2
    assert second.trail.first == told.trail.first != second.trail.prefix
    other = hints_of(request(user("I am Zworg Blarg."), answered))
    assert not set(other.keys) & set(remembered.keys)
