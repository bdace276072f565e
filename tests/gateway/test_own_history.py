"""Conversations of one principal: each goes on in its own session, and none reads another's
values, also where they begin alike and share one."""

import json
from itertools import pairwise

import pytest

from privstamp.gateway.cabinet import MemoryCabinet, StoredCabinet
from privstamp.gateway.choke import Allowed, Api
from privstamp.gateway.desk import Desk, Question, WholeReply
from privstamp.sessions.sqlite import SqliteStore

GREETING = "Hello! How can I help you today?"
ANN, ZORK = "I am Ann Quux.", "I am Zworg Blarg."


@pytest.fixture(params=["memory", "stored"])
def desk(request, privatizer, tmp_path):
    if request.param == "memory":
        return Desk(MemoryCabinet(privatizer), Allowed())
    return Desk(StoredCabinet(privatizer, SqliteStore(tmp_path / "s.db"), bytes(32)), Allowed())


class Talk:
    """A client that keeps its history, and what left at each turn."""

    def __init__(self, desk, *, system=(), named=None):
        self.desk, self.system, self.named = desk, list(system), named
        self.history, self.sent, self.labels = [], [], []

    def say(self, text, reply=GREETING):
        """What the client reads, where the upstream gives that reply."""
        self.history.append({"role": "user", "content": text})
        body = {"model": "m", "messages": [*self.system, *self.history]}
        question = Question(Api.CHAT, json.dumps(body).encode(), "dana", self.named)
        ready = self.desk.prepare(question)
        self.sent.append(json.loads(ready.body)["messages"][len(self.system) :])
        self.labels.append(ready.label)
        message = {"role": "assistant", "content": reply}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        whole = {"id": "c", "object": "chat.completion", "created": 1, "model": "m",
                 "choices": [choice]}  # fmt: skip
        job = WholeReply("dana", ready.label, ready.answer, json.dumps(whole).encode())
        restored, _, learned = self.desk.restore(job)
        assert learned
        self.history.append(json.loads(restored)["choices"][0]["message"])
        return self.history[-1]["content"]

    def surrogate(self, turn=-1):
        return self.sent[turn][-1]["content"].removeprefix("I am ").removesuffix(".")

    def assert_grows(self):
        """What left at a turn is the beginning of what left at the next, in one session."""
        for before, after in pairwise(self.sent):
            assert after[: len(before)] == before
        assert len(set(self.labels)) == 1


def test_equal_replies_do_not_merge_two_conversations(desk):
    first, second = Talk(desk), Talk(desk)
    first.say(ANN)
    second.say(ZORK)
    theirs = second.surrogate()
    assert first.say("Thanks a lot", f"You said {theirs}") == f"You said {theirs}"
    assert second.say("Thanks", f"Dear {theirs}") == "Dear Zworg Blarg"
    assert first.say("And who am I?", f"{first.surrogate(0)} is who") == "Ann Quux is who"
    first.assert_grows()
    second.assert_grows()
    assert first.labels[0] != second.labels[0]


def test_conversations_that_begin_alike_read_nothing_of_each_other(desk):
    first, second = Talk(desk), Talk(desk)
    for talk in (first, second):
        talk.say("Hi")
    assert first.labels == second.labels  # an identical first request replays
    first.say(ANN)
    theirs = first.surrogate()
    assert second.say("What is it like?", f"Ask {theirs}.") == f"Ask {theirs}."
    # what the upstream told them once is a reply of the session now, and still nobody's value
    assert second.say("Whom?", f"{theirs}, I said.") == f"{theirs}, I said."
    assert first.say("Me?", f"Yes, {theirs}.") == "Yes, Ann Quux."
    second.say(ZORK)
    assert second.say("And me?", f"{second.surrogate(3)} it is") == "Zworg Blarg it is"
    first.assert_grows()
    second.assert_grows()


def test_a_reply_that_is_held_with_its_value_brings_it_back(desk):
    """A client that drops its oldest messages and names its session."""
    talk = Talk(desk, named="s-1")
    talk.say(ANN)
    name = talk.surrogate()
    assert talk.say("Who am I?", f"You are {name}") == "You are Ann Quux"
    del talk.history[:2]
    assert talk.say("Again?", f"Still {name}") == "Still Ann Quux"
    del talk.history[:-1]
    talk.history[0]["content"] = GREETING  # nothing here holds the name any more
    assert talk.say("Again?", f"Still {name}") == f"Still {name}"


def test_a_name_of_this_history_comes_back_in_part_and_shortened(desk):
    talk = Talk(desk)
    talk.say("Hi")
    talk.say(ANN)
    given, family = talk.surrogate().split()
    written = f"{family}: {given[0]}. {family}, {given} {family}'s"
    assert talk.say("Who am I?", written) == "Quux: A. Quux, Ann Quux's"


def test_a_conversation_whose_system_words_change_goes_on(desk):
    talk = Talk(desk, system=[{"role": "system", "content": "It is Monday."}])
    talk.say(ANN)
    other = Talk(desk, system=[{"role": "system", "content": "It is Friday."}])
    other.say(ANN)
    talk.system[0] = {"role": "system", "content": "It is Tuesday."}
    talk.say("Thanks")
    other.say("Thanks")
    talk.say("Thanks")
    talk.assert_grows()
    other.assert_grows()
    assert talk.labels[0] != other.labels[0]


def test_sessions_that_are_named_are_found_by_name_alone(desk):
    named, plain = Talk(desk, named="s-1"), Talk(desk)
    named.say(ANN)
    plain.say(ANN)
    named.say("Thanks")
    plain.say("Thanks")
    assert len(set(named.labels)) == 1
    plain.assert_grows()
    assert plain.labels[0] != named.labels[0]


def test_a_client_that_keeps_replies_as_they_were_received_is_known(desk):
    talk = Talk(desk, system=[{"role": "system", "content": "It is Monday."}])
    talk.say(ANN, "x")
    talk.say("Who?", talk.surrogate())
    talk.history[-1]["content"] = talk.surrogate(0)
    talk.system[0] = {"role": "system", "content": "It is Tuesday."}
    talk.say("Thanks")
    talk.assert_grows()
