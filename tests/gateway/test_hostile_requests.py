"""Requests of the worst kind: refused before anything is looked up, and nothing of them quoted."""

import json

import pytest

from privstamp.gateway.arguments import DEEPEST, Arguments
from privstamp.gateway.body import canonical, parsed
from privstamp.gateway.choke import Allowed, Api, Refused, prepare
from privstamp.gateway.request import _defined

SECRET = "Zworg Blarg"
HELLO = {"role": "user", "content": "Hello"}


def chat(**fields):
    return {"model": "m", "messages": [HELLO], **fields}


BODIES = {
    "empty": b"",
    "no object": b'["Zworg Blarg"]',
    "a string": b'"Zworg Blarg"',
    "null": b"null",
    "not JSON": b"{Zworg Blarg",
    "not UTF-8": b'{"model": "Zworg Blarg\xff"}',
    "UTF-16": '{"model": "Zworg Blarg"}'.encode("utf-16"),
    "a key twice": b'{"model": "m", "model": "Zworg Blarg", "messages": []}',
    "deep": b'{"model": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    "rather deep": b'{"model": ' + b"[" * 150 + b"]" * 150 + b"}",
    "NaN": b'{"model": "m", "temperature": NaN}',
    "infinite": b'{"model": "m", "temperature": 1e999}',
    "huge": b'{"model": "m", "seed": ' + b"9" * 5000 + b"}",
    "large": b'{"model": "m", "seed": 99999999999999999999}',
    "half a pair": b'{"model": "m", "messages": [{"role": "user", "content": "Zworg \\ud800"}]}',
    "half a pair in a key": b'{"model": "m", "\\udc00Zworg Blarg": 1}',
}
FIELDS = {
    "model a list": chat(model=[SECRET]),
    "model a sentence": chat(model="Zworg Blarg"),
    "messages an object": chat(messages={SECRET: SECRET}),
    "messages a string": chat(messages=SECRET),
    "a message a string": chat(messages=[SECRET]),
    "a message a list": chat(messages=[[HELLO]]),
    "role unknown": chat(messages=[{"role": SECRET, "content": SECRET}]),
    "role a list": chat(messages=[{"role": ["user"], "content": SECRET}]),
    "content a number": chat(messages=[{"role": "user", "content": 4}]),
    "content deep": chat(messages=[{"role": "user", "content": [[{"type": "text", "text": "x"}]]}]),
    "part unknown": chat(messages=[{"role": "user", "content": [{"type": SECRET, "x": SECRET}]}]),
    "temperature text": chat(temperature=SECRET),
    "stream text": chat(stream=SECRET),
    "n a flag": chat(n=True),
    "unknown field": chat(**{SECRET: 1}),
    "tool name": chat(tools=[{"type": "function", "function": {"name": SECRET}}]),
    "no such call": chat(
        messages=[HELLO, {"role": "tool", "tool_call_id": "call_9", "content": "x"}]
    ),
    "metadata key": chat(metadata={SECRET: "x"}),
    "store": chat(store=True),
    "bias": chat(logit_bias={"50256": 3}),
    "search": chat(web_search_options={}),
    "schema keyword": chat(
        tools=[{"type": "function", "function": {"name": "a", "parameters": {"x-of": SECRET}}}]
    ),
    "schema type": chat(
        tools=[{"type": "function", "function": {"name": "a", "parameters": {"type": SECRET}}}]
    ),
    "schema list": chat(tools=[{"type": "function", "function": {"name": "a", "parameters": []}}]),
    "image": chat(
        messages=[
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": SECRET}}]}
        ]
    ),
}


class Untouched:
    """A session that must not be asked for anything."""

    def __getattr__(self, name):
        raise AssertionError(name)


@pytest.mark.parametrize("name", [*BODIES, *FIELDS])
def test_refused_without_touching_the_session(name):
    body = BODIES.get(name) if name in BODIES else json.dumps(FIELDS[name]).encode()
    with pytest.raises(Refused) as refused:
        prepare(Api.CHAT, body, Untouched(), Allowed())
    error = refused.value
    assert error.status == 400 and not error.retry
    assert "Zworg" not in str(error) and "Zworg" not in error.path
    assert error.__cause__ is None and error.__context__ is None


@pytest.mark.parametrize(
    ("name", "path", "code"),
    [
        ("messages a string", "messages", "wrong_type"),
        ("a message a string", "messages[0]", "wrong_type"),
        ("temperature text", "temperature", "wrong_type"),
        ("n a flag", "n", "wrong_type"),
        ("role unknown", "messages[0].role", "unknown_type"),
        ("part unknown", "messages[0].content[0].type", "unknown_type"),
        ("stream text", "stream", "unknown_type"),
        ("unknown field", "?", "unknown_field"),
        ("model a sentence", "model", "unknown_value"),
    ],
)
def test_a_refusal_says_where_and_what_kind(name, path, code):
    with pytest.raises(Refused) as refused:
        prepare(Api.CHAT, json.dumps(FIELDS[name]).encode(), Untouched(), Allowed())
    assert (refused.value.path, refused.value.code) == (path, code)
    assert str(refused.value).startswith(f"{path}: ")


STATE = {
    Api.RESPONSES: [
        {"previous_response_id": "resp_1"},
        {"conversation": "conv_1"},
        {"conversation": {"id": "conv_1"}},
        {"background": True},
        {"store": True},
        {"prompt": {"id": "pmpt_1", "variables": {"a": "b"}}},
        {"input": [{"type": "item_reference", "id": "msg_1"}]},
        {"tools": [{"type": "web_search"}]},
        {"tools": [{"type": "mcp", "server_label": "a", "server_url": "https://example.com",
                    "authorization": "x", "headers": {"a": "b"}}]},
        {"tools": [{"type": "code_interpreter", "container": {"type": "auto"}}]},
        {"input": [{"role": "user", "content": [{"type": "input_file", "file_id": "file_1"}]}]},
    ],
    Api.MESSAGES: [
        {"container": "container_1"},
        {"tools": [{"type": "web_search_20250305", "name": "web_search"}]},
        {"tools": [{"type": "code_execution_20250825", "name": "code_execution"}]},
        {"messages": [{"role": "user", "content": [
            {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}]}]},
        {"messages": [{"role": "user", "content": [
            {"type": "document", "source": {"type": "file", "file_id": "file_1"}}]}]},
        {"user_profile_id": "up_1"},
    ],
    Api.COMPLETIONS: [{"echo": True}, {"prompt": [1, 2]}, {"prompt": [[1, 2]]}],
    Api.EMBEDDINGS: [{"input": [1, 2]}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("endpoint", "fields"), [(key, each) for key, rows in STATE.items() for each in rows]
)
def test_state_upstream_and_tools_of_the_upstream_are_refused(endpoint, fields, session):
    body = {"model": "m", **_smallest(endpoint)}
    prepare(endpoint, json.dumps(body).encode(), session, Allowed())
    with pytest.raises(Refused) as refused:
        prepare(endpoint, json.dumps(body | fields).encode(), session, Allowed())
    assert refused.value.path.split(".")[0].split("[")[0] in fields


def _smallest(endpoint):
    if endpoint is Api.MESSAGES:
        return {"max_tokens": 3, "messages": [HELLO]}
    return {"prompt": "Hello"} if endpoint is Api.COMPLETIONS else {"input": "Hello"}


def test_what_the_policy_allows_passes(session):
    url = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    body = chat(
        messages=[{"role": "user", "content": [url, {"type": "text", "text": "Zworg Blarg"}]}]
    )
    out = prepare(
        Api.CHAT,
        json.dumps(body).encode(),
        session,
        Allowed(allow=frozenset({"images"})),
    ).body
    assert b"a.png" in out and b"Blarg" not in out
    rules = Allowed(allow=frozenset({"token_arrays"}))
    tokens = {"model": "m", "input": [1, 2]}
    prepared = prepare(Api.EMBEDDINGS, json.dumps(tokens).encode(), session, rules)
    assert json.loads(prepared.body)["input"] == [1, 2] and prepared.certificate is None


def test_a_file_that_may_leave_leaves_without_its_name(session):
    file = {"file_data": "data:text/plain;base64,eA==", "filename": "letter to Zworg Blarg.txt"}
    body = chat(messages=[{"role": "user", "content": [{"type": "file", "file": file}]}])
    rules = Allowed(allow=frozenset({"files"}))
    out = prepare(Api.CHAT, json.dumps(body).encode(), session, rules).body
    assert b"base64,eA==" in out and b"Blarg" not in out and b"letter to" in out


@pytest.mark.parametrize("name", ["QuuxMail", "ask_Quux", "ask.quux"])
def test_a_tool_that_is_not_defined_names_nobody(name, session):
    function = {"name": name, "arguments": "{}"}
    call = {"id": "c", "type": "function", "function": function}
    body = chat(messages=[
        {"role": "user", "content": "Hello"}, {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "done"},
    ])  # fmt: skip
    with pytest.raises(Refused, match="names somebody") as refused:
        prepare(Api.CHAT, json.dumps(body).encode(), session, Allowed())
    assert refused.value.path == "messages[1].tool_calls[0].function.name"
    public = Allowed(public=frozenset({name}))
    assert prepare(Api.CHAT, json.dumps(body).encode(), session, public).body
    body["tools"] = [{"type": "function", "function": {"name": name}}]  # the client's own word
    assert prepare(Api.CHAT, json.dumps(body).encode(), session, Allowed()).body
    function["name"] = "look_up"
    assert prepare(Api.CHAT, json.dumps(body).encode(), session, Allowed()).body


def test_ids_are_keyed_and_stay_the_same_under_one_key(session):
    def sent(rules):
        body = chat(user="ann@example.com", metadata={"case": "Ann Quux"})
        return json.loads(prepare(Api.CHAT, json.dumps(body).encode(), session, rules).body)

    rules = Allowed(id_key=bytes(32))
    first, second, other = sent(rules), sent(rules), sent(Allowed())
    assert first["user"] == second["user"] != other["user"]
    assert "ann" not in first["user"] and "Quux" not in first["metadata"]["case"]


TOOL = {
    "type": "object",
    "properties": {
        "who": {"type": "string"},
        "unit": {"enum": ["Quux", "mile"]},
        "more": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}


def test_arguments_are_opened_and_closed_again():
    deep = "Ann Quux"
    for _ in range(DEEPEST - 1):
        deep = canonical([deep])
    value = {"who": "Ann", "unit": "Quux", "more": {"Ann": "b"}, "n": 123456, "x": deep, "y": 1.5}
    arguments = Arguments(value, TOOL)
    document, *keys = [text.content for text in arguments.texts]
    assert keys == ["Ann", "n", "x", "y"]
    assert json.loads(document)["unit"] is None and "123456" in document
    assert "Ann Quux" in document and "\\" not in document  # no string within a string is closed
    assert arguments.closed([document, *keys]) == value
    changed = document.replace("Ann", "Eve").replace("123456", "654321")
    out = arguments.closed([changed, "Eve", *keys[1:]])
    assert out["who"] == "Eve" and out["more"] == {"Eve": "b"} and out["n"] == 654321
    assert "Eve Quux" in out["x"] and out["unit"] == "Quux"


def test_arguments_that_hold_no_text_are_not_released():
    assert Arguments({"who": "", "unit": "mile"}, TOOL).texts == ()
    assert Arguments({"who": "", "unit": "mile"}, TOOL).closed([]) == {"who": "", "unit": "mile"}


def test_keys_that_run_together_stay_apart():
    arguments = Arguments({"a": 1, "b": 2})
    document = arguments.texts[0].content
    assert arguments.closed([document, "same", "same"]) == {"same": 1, "same_": 2}


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', "[NaN]", "1" * 400, '["\\ud800"]', "[1e999]"])
def test_json_that_others_read_differently_is_none(text):
    with pytest.raises(ValueError, match="has a"):
        parsed(text)


def test_calls_that_a_client_made_up_are_privatised(session):
    arguments = json.dumps({"who": "Ann Quux", "Zworg Blarg": json.dumps({"a": "Quux"})})
    function = {"name": "crm", "arguments": arguments}
    call = {"id": "call_1", "type": "function", "function": function}
    history = [HELLO, {"role": "assistant", "content": None, "tool_calls": [call]}]
    body = chat(messages=[*history, {"role": "tool", "tool_call_id": "call_1", "content": "Blarg"}])
    out = prepare(Api.CHAT, json.dumps(body).encode(), session, Allowed()).body.decode()
    assert not any(name in out for name in ("Ann Quux", "Quux", "Zworg", "Blarg"))
    sent = json.loads(out)["messages"][1]["tool_calls"][0]["function"]["arguments"]
    assert set(json.loads(sent)) > {"who"} or "who" in json.loads(sent)
    function["arguments"] = "not JSON, Ann Quux"
    out = prepare(Api.CHAT, json.dumps(body).encode(), session, Allowed()).body.decode()
    assert "Quux" not in out and "not JSON" in out


def test_arguments_of_numbers_alone_are_read_as_well():
    schema = {"properties": {"lat": {}, "pin": {}, "on": {}}}
    arguments = Arguments({"lat": -33.8688, "pin": 4410, "on": True}, schema)
    [text] = arguments.texts
    assert json.loads(text.content) == {"lat": -33.8688, "pin": 4410, "on": True}
    assert arguments.closed(['{"lat": 1.5, "pin": 9, "on": true}'])["lat"] == 1.5


@pytest.mark.parametrize("target", ["#/default", "#/properties/y/examples/0", "#/$defs/A/default"])
def test_a_reference_into_data_lists_nothing(target):
    listed = {"enum": ["Ann Quux"]}
    schema = {
        "properties": {"x": {"$ref": target}, "y": {"examples": [listed]}},
        "$defs": {"A": {"default": listed}, "B": listed},
        "default": listed,
    }
    [text] = Arguments({"x": "Ann Quux"}, schema).texts
    assert "Ann Quux" in text.content
    schema["properties"]["x"]["$ref"] = "#/$defs/B"
    assert Arguments({"x": "Ann Quux"}, schema).texts == ()


def test_an_example_is_no_tool():
    inner = {"name": "send", "parameters": {"properties": {"Ann": {}}}}
    tool = {"name": "lookup", "parameters": {"type": "object", "examples": [inner]}}
    assert dict(_defined({"tools": [{"type": "function", "function": tool}]})) == {
        "lookup": tool["parameters"]
    }
    assert "send" in dict(_defined({"tools": [{"type": "namespace", "tools": [inner]}]}))
