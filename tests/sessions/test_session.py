"""A conversation in memory: surrogates hold, history is byte-stable, replies tell no names."""

import json
import os
import pickle
import re
import unicodedata
from dataclasses import replace

import pytest

from line import Named
from privstamp.errors import InputError, UsageError
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.release.parts import assemble

NAMES = ["Ann Quux", "Quux", "Zworg Blarg", "Blarg", *(f"Name{chr(97 + n)}on" for n in range(26))]
KINDS = dict.fromkeys(NAMES, "PERSON") | {"4711-0815": "ACCOUNT_NUMBER", "Friday": "DATE_TIME"}
KINDS |= {"47": "CARDINAL"}
LIST = ["Quux", *(f"Name{chr(97 + n // 26)}{chr(97 + n % 26)}on" for n in range(51))]


class Counting(Named):
    """Named, and what it was shown; blind to what stands after "whisper"."""

    def __init__(self, kinds):
        super().__init__(kinds)
        self.shown = []

    def find(self, batch):
        self.shown += [page.text for page in batch]
        return [
            [one for one in found if "whisper" not in page.text]
            for page, found in zip(batch, super().find(batch), strict=True)
        ]


@pytest.fixture(scope="module")
def parts():
    return assemble(Policy.of({"sensitivity": {"name": "rules"}}))


@pytest.fixture
def privatizer(parts):
    return Privatizer(Policy(), parts=replace(parts, sensitivity=Counting(KINDS)))


def user(text):
    return {"role": "user", "content": text}


def said(text):
    return {"role": "assistant", "content": text}


def tool(text, name="crm"):
    return {"role": "tool", "name": name, "content": text}


def called(arguments, content=None):
    function = {"name": "look_up", "arguments": arguments}
    calls = [{"id": "call_1", "type": "function", "function": function}]
    return {"role": "assistant", "content": content, "tool_calls": calls}


def test_three_turns_keep_one_surrogate_for_each(privatizer):
    chat = privatizer.session()
    history = [user("I am Ann Quux, account 4711-0815, and asked Zworg Blarg.")]
    first = chat.privatize(history).text
    given, family, account, other = re.fullmatch(
        r"I am (\w+) (\w+), account (\S+), and asked (\w+ \w+)\.", first
    ).groups()
    answer = chat.restore(f"Thank you, {given}. {other} has {account}.")
    assert answer == "Thank you, Ann. Zworg Blarg has 4711-0815."
    history += [said(answer), user("Is Quux right about 4711-0815?")]
    second = chat.privatize(history)
    assert second.text == f"Is {family} right about {account}?"
    assert second.messages[1]["content"] == f"Thank you, {given}. {other} has {account}."
    history += [said(chat.restore(f"Yes, {family}.")), user("Blarg and Quux said no.")]
    third = chat.privatize(history).text
    assert third == f"{other.split()[1]} and {family} said no."
    assert chat.restore(third) == "Blarg and Quux said no."
    assert privatizer.session().privatize(history[:1]).text != first


def test_fifty_turns_resent_are_the_same_bytes_and_read_once(privatizer):
    chat, detector = privatizer.session(), privatizer.parts.sensitivity
    history, sent = [], []
    for turn in range(50):
        history.append(user(f"Turn {turn}: Ann Quux asks {NAMES[turn % 20]} about 47 on Friday."))
        before = len(detector.shown)
        out = chat.privatize(history)
        assert detector.shown[before:] == [history[-1]["content"]]
        assert out.messages[:-1] == sent
        assert out.certificate.session.new == 1
        received = f"So {out.text.split(': ')[1]}"
        history.append(said(chat.restore(received)))
        sent = [*out.messages, said(received)]
    again = chat.privatize([*history, user("Turn 1: Ann Quux asks nobody.")])
    assert again.messages[:-1] == sent
    whole = chat.privatize(history[:-1])
    assert whole.messages == sent[:-1] and whole.certificate.session.new == 0
    assert whole.certificate.counts.units > 400


def test_a_reply_that_lists_names_goes_back_as_it_came(privatizer):
    chat = privatizer.session()
    history = [user("I am Quux.")]
    surrogate = chat.privatize(history).text.removeprefix("I am ").removesuffix(".")
    listed = ", ".join([*NAMES[4:20], "Quux"])
    history += [said(chat.restore(listed)), user("Which of them?")]
    out = chat.privatize(history)
    assert out.messages[1]["content"] == listed and surrogate not in out.messages[1]["content"]
    assert out.certificate.session.foreign_names == 0
    # the client edits it: as many guesses as are allowed, and counted
    edited = [history[0], said(f"{listed}!"), history[2]]
    out = chat.privatize(edited)
    assert surrogate in out.messages[1]["content"]
    assert out.certificate.session.foreign_names == 17


@pytest.mark.parametrize("way", ["restore", "reply_stream"])
@pytest.mark.parametrize(
    "held",
    [
        lambda text: text,
        lambda text: text.strip(),
        lambda text: f" {text}\n",
        lambda text: text.replace("\n", "\r\n"),
        lambda text: unicodedata.normalize("NFD", text),
    ],
)
def test_nor_do_clients_that_trim_it_tell_which_candidate_is_known(privatizer, way, held):
    chat = privatizer.session()
    history = [user("I am Ann Quux.")]
    name = chat.privatize(history).text.removeprefix("I am ").removesuffix(".")
    reply = f"Hello {name}, ol\u00e9.\nCandidates: Ann Quux, Zworg Blarg, Nameaon.\n"
    if way == "reply_stream":
        stream = chat.reply_stream()
        shown = "".join([*map(stream.feed, reply), stream.finish()])
    else:
        shown = getattr(chat, way)(reply)
    assert shown == reply.replace(name, "Ann Quux")
    again = chat.privatize([*history, said(held(shown)), user("Which one?")])
    assert again.messages[1] == said(reply)
    assert again.certificate.session.foreign_names == 0


def test_messages_keep_the_form_that_clients_give_them(privatizer):
    chat = privatizer.session()
    asked = {"type": "text", "text": "I am Ann Quux."}
    first = user([asked, {"type": "text", "text": "Ask Zworg Blarg."}]) | {"name": "Ann_Quux"}
    sent = chat.privatize([first])
    parts = sent.messages[0]["content"]
    assert sent.messages[0] == user(parts) | {"name": "participant_1"}
    assert [part["type"] for part in parts] == ["text", "text"]
    name = parts[0]["text"].removeprefix("I am ").removesuffix(".")
    other = parts[1]["text"].removeprefix("Ask ").removesuffix(".")
    assert sent.text == f"I am {name}.\n\nAsk {other}."

    foreign = called('{"who": ["Ann Quux"], "n": 3, "ok": true}', "")
    answer = tool("Blarg") | {"tool_call_id": "call_1"}
    del answer["name"]
    noise = {"refusal": None, "annotations": [], "audio": None, "function_call": None}
    again = chat.privatize([first, foreign | noise, answer])
    assert again.messages[0] == sent.messages[0]
    arguments = again.messages[1]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(arguments) == {"who": [name], "n": 3, "ok": True}
    assert again.messages[1] == called(arguments, "") | noise
    assert again.messages[2] == answer | {"content": other.split()[1]}
    assert chat.privatize([first, foreign | noise, answer]).messages == again.messages


@pytest.mark.parametrize("arguments", ["", "{}", '{"n": null}'])
def test_a_call_may_be_without_arguments(privatizer, arguments):
    history = [user("I am Ann Quux."), called(arguments)]
    assert privatizer.session().privatize(history).messages[1] == called(arguments)


@pytest.mark.parametrize("restored", [False, True])
def test_arguments_that_were_received_go_back_as_they_came(privatizer, restored):
    chat = privatizer.session()
    history = [user("I am Ann Quux.")]
    name = chat.privatize(history).text.removeprefix("I am ").removesuffix(".")
    received = json.dumps({"name": name, "or": ["Ann Quux", "Zworg Blarg"]})
    run = chat.restore_arguments(received)
    assert json.loads(run)["name"] == "Ann Quux"
    again = chat.privatize([*history, called(run if restored else received), tool("No.")])
    assert again.messages[1] == called(received)


def test_a_forked_child_is_told_that_the_session_is_not_its_own(privatizer):
    chat = privatizer.session()
    chat.privatize("I am Ann Quux.")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        for act in (chat.privatize, chat.restore):
            try:
                act("Zworg Blarg")
                told = "nothing"
            except UsageError as error:
                told = str(error)
            os.write(writing, told.encode() + b"\n")
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        assert pipe.read() == "a session stays in the process that it began in\n" * 2
    assert chat.privatize("I am Ann Quux.").messages


@pytest.mark.parametrize("limits", [(16, 200), (50, 16), (0, 0)])
def test_too_many_foreign_names_get_surrogates_of_their_own(privatizer, limits):
    chat = privatizer.session(foreign_names=limits)
    first = [user("I am Quux.")]
    surrogate = chat.privatize(first).text.removeprefix("I am ").removesuffix(".")
    many = tool(", ".join([*NAMES[4:20], "Quux"]))
    out = chat.privatize([*first, many])
    listed = out.messages[1]["content"].split(", ")
    assert surrogate not in listed and "Quux" not in listed
    assert (out.certificate.session.apart, out.certificate.session.foreign_names) == (1, 0)
    # by the count alone: without the user's name it goes the same way
    other = chat.privatize([*first, tool(", ".join(NAMES[4:21]))])
    assert other.certificate.session.apart == 1
    assert chat.restore(f"{surrogate} and {listed[-1]}") == "Quux and Quux"


KEYS = [f"zelwi{chr(97 + n)}arg" for n in range(20)]
STRUCTURED = {
    "json": lambda keys: json.dumps(dict.fromkeys(keys, 1)),
    "code": lambda keys: "\n".join(f"def {key}():\n    return 1\n" for key in keys),
    "xml": lambda keys: "".join(["<a>", *(f"<{key}>1</{key}>" for key in keys), "</a>"]),
    "words of one": lambda keys: json.dumps({"_".join(keys): 1}),
}


@pytest.mark.parametrize("written", STRUCTURED.values(), ids=STRUCTURED)
def test_keys_and_identifiers_of_others_are_guesses_too(privatizer, written):
    """The key that becomes what the user's became is the user's."""
    first = [user(json.dumps({KEYS[7]: 1}))]
    for most, apart in ((18, 1), (20, 0)):
        chat = privatizer.session(foreign_names=(most, 200))
        users = next(iter(json.loads(chat.privatize(first).text)))
        out = chat.privatize([*first, tool(written(KEYS))])
        assert out.certificate.session.apart == apart
        assert (users in out.messages[1]["content"]) == (not apart)
        assert apart or out.certificate.session.foreign_names >= 19
        assert not any(key in out.messages[1]["content"] for key in KEYS)
    harmless = privatizer.session().privatize([tool('{"total": 1, "name": "w"}')])
    assert harmless.certificate.session.foreign_names == 0


def test_a_word_of_a_key_stays_what_it_became(privatizer):
    chat = privatizer.session()
    key = next(iter(json.loads(chat.privatize('{"zelwicz": 1}').text)))
    asked = chat.privatize("What is zelwicz, and ZELWICZ?").text
    assert asked == f"What is {key}, and {key.upper()}?"
    assert chat.restore(asked) == "What is zelwicz, and ZELWICZ?"


@pytest.mark.parametrize("writing", ["Zworg  Blargé", "Zworg\nBlargé", "Zworg Blarge\u0301"])
def test_one_name_in_two_writings_is_one(parts, writing):
    """Wrapped, or from a keyboard that takes accents apart: and still put back."""
    kinds = dict.fromkeys(["Zworg Blargé", writing], "ORGANIZATION")
    line = Privatizer(Policy(), parts=replace(parts, sensitivity=Named(kinds)))
    chat = line.session()
    first = chat.privatize("We asked Zworg Blargé for it.").text
    name = first.removeprefix("We asked ").removesuffix(" for it.")
    again = chat.privatize(f"Again {writing} said no.").text
    assert again.split() == f"Again {name} said no.".split()
    assert chat.restore(f"Is {name} right?") == "Is Zworg Blargé right?"


def test_one_name_with_either_apostrophe_is_one(parts):
    """A phone writes the one, a keyboard the other: two surrogates would be two people."""
    name, other = "Brendan O'Neill", "Brendan O\u2019Neill"
    kinds = dict.fromkeys([name, other, name.split()[1], other.split()[1]], "PERSON")
    chat = Privatizer(Policy(), parts=replace(parts, sensitivity=Named(kinds))).session()
    given, family = chat.privatize(f"I am {name}.").text.removesuffix(".").split()[2:]
    again = chat.privatize(f"Ask {other}, or {other.split()[1]}'s friend.")
    assert again.text == f"Ask {given} {family}, or {family}'s friend."
    assert chat.restore(f"{family} called {given} {family}.") == f"O'Neill called {name}."
    assert again.certificate.session.late == 0
    foreign = chat.privatize([user(f"I am {name}."), tool(f"{name} and {other} came.")])
    assert foreign.certificate.session.foreign_names == 2  # two pairs of words, as of one


def test_what_is_a_secret_in_one_text_comes_back_from_none(parts):
    class Called(Named):
        def _one(self, text):
            kind = "CREDENTIAL" if "password" in text else "NUMERIC_ID"
            return [replace(finding, kind=kind) for finding in super()._one(text)]

    sensitivity = Called({"88213-B77Q-12": "NUMERIC_ID"})
    line = Privatizer(Policy(), parts=replace(parts, sensitivity=sensitivity))
    chat = line.session()
    number = chat.privatize("It is number 88213-B77Q-12.").text.split()[-1][:-1]
    assert chat.restore(number) == "88213-B77Q-12"
    chat.privatize("My password is 88213-B77Q-12.")
    assert chat.restore(number) == number
    assert chat.restore(number, kinds=["CREDENTIAL"]) == "88213-B77Q-12"


@pytest.mark.parametrize("between", [" ", "-", " & "])
def test_a_list_that_passes_for_one_long_name_counts_as_a_list(parts, between):
    kinds = {between.join(LIST): "ORGANIZATION", "Quux": "PERSON"}
    line = Privatizer(Policy(), parts=replace(parts, sensitivity=Named(kinds)))
    for most, apart in ((50, 1), (51, 0)):
        chat = line.session(foreign_names=(most, 200))
        first = [user("I am Quux.")]
        surrogate = chat.privatize(first).text.removeprefix("I am ").removesuffix(".")
        out = chat.privatize([*first, tool(between.join(LIST) + " came.")])
        facts = out.certificate.session
        assert (facts.apart, facts.foreign_names) == (apart, 0 if apart else 51)
        assert (surrogate in out.messages[1]["content"]) == (not apart)


def test_two_replies_that_restore_to_one_text_are_told_apart_by_place(privatizer):
    """One had the surrogate, the other a guess: sent in each other's place they would tell."""
    chat = privatizer.session()
    history = [user("I am Quux.")]
    surrogate = chat.privatize(history).text.removeprefix("I am ").removesuffix(".")
    history.append(said(chat.restore(surrogate)))
    history.append(user("Again."))
    chat.privatize(history)
    history.append(said(chat.restore("Quux")))
    assert [one["content"] for one in history if one["role"] == "assistant"] == ["Quux", "Quux"]
    out = chat.privatize([*history, user("Well?")])
    assert [out.messages[1]["content"], out.messages[3]["content"]] == [surrogate, "Quux"]
    cut = chat.privatize([*history[2:], user("Well?")])  # a client that forgets the beginning
    assert cut.messages[1]["content"] == "Quux" and cut.certificate.session.foreign_names == 0
    cut = chat.privatize([*history[3:], user("Well?")])  # also what was asked: it could be either
    assert cut.certificate.session.replies == 0 and cut.certificate.session.foreign_names == 1


def test_origins_share_surrogates_of_names_and_known_names_are_found_in_own_text(privatizer):
    chat = privatizer.session()
    first = user("I am Ann Quux, 4711-0815.")
    surrogate = chat.privatize([first]).text.split()[3].rstrip(",")
    account = chat.privatize([first]).text.split()[-1]
    out = chat.privatize([first, tool("Quux is here."), user("I whisper 4711-0815.")])
    assert out.messages[1]["content"] == f"{surrogate} is here."
    assert out.messages[2]["content"] == f"I whisper {account}"
    foreign = chat.privatize([first, tool("They whisper 4711-0815.")])
    assert foreign.text == "They whisper 4711-0815."  # what the detector finds, and nothing else


def test_a_name_that_is_found_late_is_counted(privatizer):
    chat = privatizer.session()
    first = user("They whisper Blarg.")
    assert chat.privatize([first]).text == "They whisper Blarg."
    out = chat.privatize([first, user("It is Blarg.")])
    assert out.messages[0]["content"] == "They whisper Blarg." and "Blarg" not in out.text
    assert out.certificate.session.late == 1


def test_small_pools_hold_for_a_paragraph(privatizer):
    chat = privatizer.session()
    drawn = [
        re.findall(r"(\d+) on (\w+)", chat.privatize(f"{n} 47 on Friday, 47 on Friday.").text)
        for n in range(100, 130)
    ]
    assert all(first == second for first, second in drawn)
    assert len({pair[0][0] for pair in drawn}) > 1 and len({pair[0][1] for pair in drawn}) > 1


def test_a_stream_is_the_whole_at_every_split(privatizer):
    chat = privatizer.session()
    text = chat.privatize("I am Ann Quux, 4711-0815, with Zworg Blarg. " * 2).text
    reply = f"Dear {text[5:]} See https://x.example/{text.split()[3]} and **{text[5:13]}**"
    whole = chat.restore(reply)
    assert "Ann Quux, 4711-0815, with Zworg Blarg" in whole
    for cut in range(len(reply) + 1):
        stream = chat.reply_stream()
        assert stream.feed(reply[:cut]) + stream.feed(reply[cut:]) + stream.finish() == whole
    with pytest.raises(InputError):
        stream.feed("more")


@pytest.mark.parametrize(
    ("messages", "why"),
    [
        ([], "not empty"),
        ("", "message 1: content is empty"),
        (" \n", "message 1: content is empty"),
        (7, "list of messages"),
        ([user("a"), 7], "message 2 is not of the form"),
        ([{"content": "Quux"}], "message 1 is not of the form"),
        ([{"role": "user"}], "message 1: content is missing"),
        ([user("a") | {"extra": "Quux"}], "a field is not known here; role, content, name are"),
        ([user("a") | {"Quux": "x"}], "message 1: a field is not known here"),
        ([user("a") | {"tool_call_id": "Quux"}], "message 1: tool_call_id is not known here"),
        ([user("a") | {"tool_calls": ["Quux"]}], "message 1: tool_calls is not known here"),
        ([user(["Quux"])], r"content\[0\] must be an object, not str"),
        ([user([{"type": "image_url", "url": "Quux"}])], r"content\[0\].type must be text"),
        ([user([])], "content is empty"),
        ([user(None)], "content is empty"),
        ([said(None)], "content is empty"),
        ([said("")], "content is empty"),
        ([user(7)], "content must be a string, not int"),
        ([user("Quux"), user("Quux \ud800")], "message 2: content is not valid Unicode"),
        ([tool("Quux") | {"tool_call_id": "Quux"}], "tool_call_id is none of a call before"),
        ([called("Quux")], r"tool_calls\[0\].function.arguments must be an object of JSON"),
        ([called("{}") | {"refusal": "Quux"}], "message 1: refusal is not known here"),
        ([{"role": "narrator", "content": "Quux"}], "a role that is none of"),
        ([user("Quux") | {"name": 7}], "name must be a string"),
        ([tool("Quux", name="Quux Ann!")], "name must be that of a tool"),
    ],
)
def test_what_is_no_conversation_is_refused_before_it_is_read(privatizer, messages, why):
    chat = privatizer.session()
    with pytest.raises(InputError, match=why) as caught:
        chat.privatize(messages)
    assert "Quux" not in str(caught.value) and caught.value.__context__ is None
    assert privatizer.parts.sensitivity.shown == [] and len(chat.map) == 0


def test_what_fails_leaves_the_session_as_it_was(privatizer, parts):
    class Fails(Counting):
        def find(self, batch):
            if any("Blarg" in page.text for page in batch):
                raise ValueError(batch[0].text)
            return super().find(batch)

    chat = Privatizer(Policy(), parts=replace(parts, sensitivity=Fails(KINDS))).session()
    history = [user("I am Quux.")]
    first = chat.privatize(history)
    before = chat.map
    with pytest.raises(Exception, match="nothing was released") as caught:
        chat.privatize([*history, user("Ann Quux came."), user("It is Blarg.")])
    assert "Blarg" not in str(caught.value) and caught.value.__context__ is None
    assert chat.map is before
    assert chat.privatize(history).messages == first.messages
    with pytest.raises(InputError, match="no message but replies"):
        chat.privatize([said(chat.restore("Hello."))])


def test_it_stays_where_it_is_and_shows_nothing(privatizer):
    chat = privatizer.session()
    sent = chat.privatize("I am Quux.")
    stream = chat.reply_stream()
    for thing in (chat, sent, stream, chat.map):
        assert "Quux" not in repr(thing)
    with pytest.raises(UsageError, match="stays in the process"):
        pickle.dumps(chat)
    with pytest.raises(UsageError, match="give no secret"):
        privatizer.with_noise(secret=b"x" * 32).session()
    with pytest.raises(UsageError, match="foreign_names"):
        privatizer.session(foreign_names=(1, -1))


def test_keys_of_structured_messages_hold_and_no_two_become_one(privatizer):
    chat = privatizer.session()
    first = json.loads(chat.privatize('{"zelwicz": "Quux", "a": [1]}').text)
    second = json.loads(chat.privatize('{"blargow": 1, "zelwicz": "Blarg", "a": [2]}').text)
    key = next(iter(first))
    assert key != "zelwicz" and list(second)[1] == key
    assert next(iter(second)) not in (key, "blargow")
    names = {entry.surrogate for entry in chat.map.entries if entry.kind == "IDENTIFIER"}
    assert len(names) == 2 and chat.map.left_out == 0


def test_the_certificate_says_so(privatizer):
    seeded = privatizer.with_noise(seed=1).session().privatize("I am Quux.").certificate
    assert seeded.randomness == "seed" and seeded.session is not None
    certificate = privatizer.session().privatize("I am Quux.").certificate
    assert certificate.randomness == "session" and "pattern of repeats" in certificate.scope
    assert type(certificate).model_validate_json(certificate.to_json()) == certificate
    assert "Quux" not in certificate.to_json()
    assert privatizer.privatize("I am Quux.").certificate.session is None


def test_the_certificate_adds_up_however_the_conversation_grew(privatizer):
    history = [user("I am Ann Quux."), tool("Blarg is here."), user("Ask Zworg Blarg on Friday.")]
    grown, at_once = privatizer.session(), privatizer.session()
    for end in range(1, 4):
        last = grown.privatize(history[:end]).certificate
    whole = at_once.privatize(history).certificate
    assert last.counts == whole.counts and last.loss == whole.loss
    assert [one.units for one in last.groups] == [one.units for one in whole.groups]
    assert last.fingerprints.text != grown.privatize(history[:2]).certificate.fingerprints.text
    single = [privatizer.privatize(message["content"]).certificate.counts for message in history]
    assert whole.counts.units == sum(counts.units for counts in single)


def test_a_text_that_is_no_message_is_refused_before_it_is_read(privatizer):
    detector = privatizer.parts.sensitivity
    chat = privatizer.session()
    with pytest.raises(InputError, match=r"message 2 has a text of more than 2,000,000 characters"):
        chat.privatize([user("I am Quux."), user("word " * 2_000_000)])
    assert detector.shown == [] and chat.privatize("I am Quux.").certificate.session.new == 1
