"""An upstream that lies: every value of a reply, whole or in events, of another type or gone."""

import copy
import json
import pickle
from itertools import islice

import pytest
from upstream import Chat, Messages, Responses, read

from privstamp.gateway.answer import PORTION
from privstamp.gateway.choke import Allowed, Api, Refused, prepare
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy

ASKED = "I am Ann Quux. Where is Zworg Blarg?"
GONE = object()
ODD = (None, True, -1, 1.5, 10**18, "", "zz", [], ["zz"], [None], {}, {"zz": "zz"}, [[]], GONE)
UPSTREAMS = {Api.CHAT: Chat, Api.MESSAGES: Messages, Api.RESPONSES: Responses}


def asked(endpoint, session, words=ASKED):
    key = "input" if endpoint is Api.RESPONSES else "messages"
    body = {"model": "m", key: [{"role": "user", "content": words}]}
    if endpoint is Api.MESSAGES:
        body["max_tokens"] = 9
    return prepare(endpoint, json.dumps(body).encode(), session, Allowed())


def replies(endpoint, session):
    """A request, and what its reply says: text, a call of a tool, and something beside."""
    prepared = asked(endpoint, session)
    body = json.loads(prepared.body)
    (message,) = body.get("messages") or body["input"]
    aside = "refusal" if endpoint is Api.CHAT else "thinking"
    call = ("mail", json.dumps({"who": message["content"]}))
    said = [("text", f"Hello {message['content']}"), call, (aside, f"So {message['content']}")]
    return prepared, [said]


def places(value, path=()):
    if path:
        yield path
    listed = enumerate(value if isinstance(value, list) else ())
    for step, inner in value.items() if isinstance(value, dict) else listed:
        yield from places(inner, (*path, step))


def altered(value, path, odd):
    changed = copy.deepcopy(value)
    *way, last = path
    at = changed
    for step in way:
        at = at[step]
    if odd is GONE:
        del at[last]
    else:
        at[last] = odd
    return changed


@pytest.mark.parametrize("endpoint", UPSTREAMS)
def test_a_whole_reply_of_any_form_is_restored_or_refused(endpoint, session):
    prepared, said = replies(endpoint, session)
    packed = pickle.dumps(prepared.answer)  # each reply is the first one
    whole, outcomes = UPSTREAMS[endpoint].whole(said), {"restored": 0, "refused": 0}
    for path in places(whole):
        for odd in ODD:
            body = json.dumps(altered(whole, path, odd)).encode()
            trouble = None
            try:
                pickle.loads(packed).whole(body)
            except Refused as error:
                trouble = error
            assert trouble is None or (trouble.status == 502 and "Quux" not in str(trouble))
            outcomes["restored" if trouble is None else "refused"] += 1
    assert min(outcomes.values()) > 30


@pytest.mark.parametrize("endpoint", UPSTREAMS)
def test_events_of_any_form_are_restored_or_end_the_stream_aloud(endpoint, session):
    prepared, said = replies(endpoint, session)
    packed = pickle.dumps(prepared.answer)
    events = list(UPSTREAMS[endpoint].events(said, 40))
    outcomes = {"whole": 0, "ended": 0}
    for number, event in enumerate(events):
        for value in read(event):
            for path in places(value):
                for odd in islice(ODD, number % 2, None, 2):
                    lie = b"data: " + json.dumps(altered(value, path, odd)).encode() + b"\n\n"
                    stream = pickle.loads(packed).events()
                    out = stream.feed(b"".join([*events[:number], lie, *events[number + 1 :]]))
                    out += stream.finish()
                    assert stream.ended and b"internal" not in out
                    outcomes["ended" if stream.failed else "whole"] += 1
    assert min(outcomes.values()) > 30


def test_a_large_map_is_read_in_portions_and_restores_as_a_small_one():
    rules = Policy.of({"sensitivity": {"name": "rules"}, "other_languages": "accept"})
    names = [f"user{number}@example.com" for number in range(2 * PORTION + 1)]
    prepared = asked(Api.CHAT, Privatizer(rules).session(), f"Ask {' or '.join(names)} for it.")
    answer = pickle.loads(pickle.dumps(prepared.answer))
    assert answer.large and "map" not in vars(answer)
    (message,) = json.loads(prepared.body)["messages"]
    assert not any(name in message["content"] for name in names)
    reply = Chat.whole([[("text", message["content"])]])
    (choice,) = json.loads(answer.whole(json.dumps(reply).encode()))["choices"]
    assert all(name in choice["message"]["content"] for name in (names[0], names[-1]))
