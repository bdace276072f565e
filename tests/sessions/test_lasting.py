"""A session that outlives its process: it goes on byte for byte, is charged first, and forgets."""

import json
import multiprocessing
import os
import random
import signal
import time
from dataclasses import replace
from itertools import count

import pytest

from line import Named, make
from privstamp.budget import Budget
from privstamp.errors import LimitReached, StoreError, UsageError, VaultError
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.release.parts import assemble
from privstamp.sessions import lasting
from privstamp.sessions.lasting import Lasting
from privstamp.sessions.ledger import Ledger, Payer
from privstamp.sessions.shelf import DAY, purge, sessions
from privstamp.sessions.sqlite import SqliteStore
from privstamp.sessions.vault import ENVIRONMENT, Vault
from toys import ToySpace

MASTER, OTHER = bytes(range(32)), bytes(range(1, 33))
NAMES = ["Ann Quux", "Quux", "Zworg Blarg", "Blarg", *(f"Name{chr(97 + n)}on" for n in range(26))]
KINDS = dict.fromkeys(NAMES, "PERSON") | {"4711-0815": "ACCOUNT_NUMBER", "Friday": "DATE_TIME"}


@pytest.fixture(scope="module")
def parts():
    built = assemble(Policy.of({"sensitivity": {"name": "rules"}}))
    return replace(built, sensitivity=Named(KINDS))


@pytest.fixture
def selective(parts):
    return Privatizer(Policy(), parts=parts)


@pytest.fixture
def noisy(monkeypatch):
    """Every word is drawn."""
    space, low = ToySpace(rows=400, dimensions=12), Budget.of([0.1, 0.1, 0.1, 0.1])
    return make(monkeypatch, space=space, kinds={}, budget=low)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "sessions.db"


def opened(line, path, label="case 17", principal="dana", **settings):
    return Lasting(label, line, path, principal, **{"key": MASTER, **settings})


def user(text):
    return {"role": "user", "content": text}


def said(text):
    return {"role": "assistant", "content": text}


def elsewhere(step):
    """What `step` gives in another process."""
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()
    process = context.Process(target=lambda: answers.put(step()))
    process.start()
    process.join()
    assert process.exitcode == 0
    return answers.get()


def limit(path, payer, quantity, most):
    vault = Vault(SqliteStore(path), MASTER)
    with vault.store.writing() as entries:
        Ledger(vault).limit(entries, payer, quantity, most)


def turns(line, path, count, *, reopened):
    """A conversation of many turns; what was sent and restored in each."""
    chat, history, seen = opened(line, path), [], []
    for turn in range(count):
        history.append(user(f"Turn {turn}: Ann Quux asks {NAMES[turn]} about 4711-0815 on Friday."))
        if reopened:
            chat.close()
            chat = opened(line, path)
        sent = chat.privatize(history)
        answer = chat.restore(f"So {sent.text.split(': ')[1]}")
        history.append(said(answer))
        seen.append((sent.messages, answer, sent.certificate.session))
    return history, seen


def test_it_goes_on_as_if_it_had_never_stopped(selective, path, monkeypatch):
    """The same keys, once in one go and once opened anew for each turn."""
    monkeypatch.setattr("privstamp.sessions.vault.token_bytes", lambda count: b"k" * count)
    at_once = turns(selective, path, 6, reopened=False)
    with opened(selective, path) as chat:
        chat.forget()
    assert turns(selective, path, 6, reopened=True) == at_once
    assert at_once[1][5][2].replies == 5


def test_keys_hold_in_another_process_and_kinds_keep_their_order(selective, path):
    first = '{"zelwicz": "Quux", "a": [1]}'
    with opened(selective, path) as chat:
        key = next(iter(json.loads(chat.privatize([user(first)]).text)))
        chat.privatize([user(first), user("About zelwicz and Zworg Blarg.")])
        kinds = [(entry.surrogate, entry.kind) for entry in chat.map.entries]
    with opened(selective, path) as chat:
        assert [(entry.surrogate, entry.kind) for entry in chat.map.entries] == kinds
        again = chat.privatize([user(first), user('{"blargow": 1, "zelwicz": 2}')])
        new = list(json.loads(again.text))
        assert new[1] == key != new[0]
        assert chat.restore(f"{key}, {new[0]}") == "zelwicz, blargow"


def test_another_process_sends_the_same_bytes_and_pays_nothing(noisy, path):
    chat = opened(noisy, path)
    first = chat.privatize([user("w1 w2 w3 w4 w5 w6 w7")])
    assert first.charges["draws"] == 7
    assert first.charges["nats"] >= sum(
        amount for name, amount in first.charges.items() if name.startswith("epsilon")
    )
    before = chat.spent
    chat.close()

    def again():
        there = opened(noisy, path)
        sent = there.privatize([user("w1 w2 w3 w4 w5 w6 w7")])
        more = there.privatize([user("w1 w2 w3 w4 w5 w6 w7"), user("w8 w9")])
        return sent.messages, sent.charges, more.messages, more.charges["draws"]

    messages, charges, more, draws = elsewhere(again)
    assert (messages, charges, more[:1], draws) == (first.messages, {}, first.messages, 2)
    chat = opened(noisy, path)
    assert chat.spent["session"]["draws"] == before["session"]["draws"] + 2
    assert chat.spent["session"] == chat.spent["principal"]
    assert chat.privatize([user("w1 w2 w3 w4 w5 w6 w7"), user("w8 w9")]).messages == more


def test_an_address_is_paid_once(noisy, path):
    """A stretch that stands in two messages is one draw for each word."""
    chat = opened(noisy, path)
    words = "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12"
    assert chat.privatize([user(words)]).charges["draws"] == 12
    longer = chat.privatize([user(f"{words} w13")])
    assert longer.charges["draws"] == 1  # it is a version of the first
    assert chat.privatize([user(f"w20\n\n{words} w13")]).charges["draws"] == 1
    assert longer.certificate.loss.draws == 13


def test_nats_are_those_of_the_certificate(noisy, path):
    sent = opened(noisy, path).privatize([user("w1 w2 w3 w4 w5")])
    loss = sent.certificate.loss
    assert sent.charges["nats"] == pytest.approx(1e6 * loss.worst_case, abs=5)
    assert sent.certificate.session.charges["nats"] == sent.charges["nats"] / 1e6
    assert sent.certificate.session.charges["draws"] == 5
    for metric, epsilon in loss.summed_epsilon.items():
        assert sent.charges[f"epsilon:{metric}"] == pytest.approx(1e6 * epsilon, abs=5)


def test_a_limit_stops_before_it_is_passed(noisy, path):
    chat = opened(noisy, path)
    history = [user("w1 w2 w3 w4")]
    first = chat.privatize(history)
    limit(path, Payer("principal", "dana"), "draws", 6)
    with pytest.raises(
        LimitReached, match=r"'dana': the limit of draws is 6, spent are 4, asked w"
    ):
        chat.privatize([*history, user("w5 w6 w7")])
    assert chat.spent["session"]["draws"] == 4
    assert chat.privatize(history).messages == first.messages
    two = chat.privatize([*history, user("w5 w6")])
    assert two.charges["draws"] == 2
    other = opened(noisy, path, label="another")  # the principal's, over all sessions
    with pytest.raises(LimitReached):
        other.privatize("w1")
    limit(path, Payer("principal", "dana"), "draws", None)
    three = chat.privatize([*history, user("w5 w6 w7")])
    assert three.charges["draws"] == 1  # refused, it was not paid


def test_guesses_and_unprotected_units_are_charged(selective, path):
    chat = opened(selective, path)
    limit(path, Payer("session", "case 17"), "guesses", 2)
    first = chat.privatize([user("I am Quux.")])
    assert first.charges == {"unprotected": 2}
    tool = {"role": "tool", "name": "crm", "content": "Blarg or Quux?"}
    assert chat.privatize([user("I am Quux."), tool]).charges["guesses"] == 2
    with pytest.raises(LimitReached, match="guesses"):
        chat.privatize([user("I am Quux."), {**tool, "content": "Nameaon?"}])


class TestRefusals:
    def test_a_wrong_or_lost_key(self, selective, path, monkeypatch):
        opened(selective, path).privatize("I am Quux.")
        with pytest.raises(VaultError, match="not the one"):
            opened(selective, path, key=OTHER)
        monkeypatch.delenv(ENVIRONMENT, raising=False)
        with pytest.raises(VaultError, match="need a master key"):
            Lasting("case 17", selective, path, "dana")
        monkeypatch.setenv(ENVIRONMENT, MASTER.hex())
        Lasting("case 17", selective, path, "dana")

    def test_another_policy_version_or_principal(self, selective, parts, path, monkeypatch):
        opened(selective, path)
        with pytest.raises(UsageError, match="another policy"):
            opened(Privatizer(Policy.of({"deny": ["Zworg"]}), parts=parts), path)
        with pytest.raises(UsageError, match="another principal"):
            opened(selective, path, principal="eve")
        monkeypatch.setattr("privstamp.sessions.shelf.__version__", "0.0.0")
        with pytest.raises(UsageError, match="another version"):
            opened(selective, path)

    @pytest.mark.parametrize("space", ["record", "message"])
    def test_a_damaged_record(self, selective, path, space):
        opened(selective, path).privatize("I am Quux.")
        store = SqliteStore(path)
        with store.writing() as entries:
            for key, value in entries.items(space):
                entries.put(space, key, value[:-1] + bytes([value[-1] ^ 1]))
        with pytest.raises(StoreError, match="damaged"):
            opened(selective, path).privatize("I am Quux.")

    def test_an_old_state_under_a_new_turn(self, selective, path):
        chat, store = opened(selective, path), SqliteStore(path)
        chat.privatize("I am Quux.")
        with store.reading() as entries:
            old = entries.items("record")
        chat.privatize("It is Blarg.")
        with store.writing() as entries:
            for key, value in old:
                entries.put("record", key, value)
        with pytest.raises(StoreError, match="damaged"):
            opened(selective, path).privatize("I am Quux.")

    def test_a_store_that_fails_while_a_turn_is_written(self, selective, path):
        store = SqliteStore(path)
        chat = opened(selective, store)
        first = chat.privatize([user("I am Quux.")])
        store.open().execute("pragma query_only = on")
        with pytest.raises(StoreError, match="read-only"):
            chat.privatize([user("I am Quux."), user("It is Blarg.")])
        store.open().execute("pragma query_only = off")
        again = chat.privatize([user("I am Quux."), user("It is Blarg.")])
        assert again.messages[0] == first.messages[0] and again.certificate.session.new == 1

    @pytest.mark.parametrize("label", ["", 3, "x" * 1001])
    def test_an_id_that_is_none(self, selective, path, label):
        with pytest.raises(UsageError, match="an id is a string"):
            opened(selective, path, label=label)

    def test_a_closed_or_forgotten_session(self, selective, path):
        chat, other = opened(selective, path), opened(selective, path)
        chat.close()
        with pytest.raises(UsageError, match="closed"):
            chat.privatize("I am Quux.")
        opened(selective, path).forget()
        with pytest.raises(StoreError, match="forgotten"):
            other.privatize("I am Quux.")


def test_one_who_is_in_a_session_that_was_begun_anew_is_told(selective, path):
    old = opened(selective, path)
    old.privatize("I am Ann Quux.")
    with opened(selective, path) as chat:
        chat.forget()
    with opened(selective, path) as new:
        new.privatize("I am Zworg Blarg.")  # as many turns as the one before it had
        with pytest.raises(StoreError, match="was forgotten; nothing was released"):
            old.privatize("I am Ann Quux again.")
        sent = new.privatize([user("I am Zworg Blarg."), user("Ann Quux is here.")])
        assert new.restore(sent.text) == "Ann Quux is here."


def test_an_id_that_is_a_path_is_just_an_id(selective, path):
    opened(selective, path, label="../../x\0y").privatize("I am Quux.")
    assert {file.name.removeprefix("sessions.db") for file in path.parent.iterdir()} <= {
        "", "-wal", "-shm"
    }  # fmt: skip


def test_two_in_one_session_go_one_after_the_other(selective, path, monkeypatch):
    """Each is as if it had been told of the other's turns; and told, if that never ends."""
    one, two = opened(selective, path), opened(selective, path)
    first = one.privatize([user("I am Quux.")]).messages
    assert two.privatize([user("I am Quux.")]).messages == first
    surrogate = first[0]["content"].removeprefix("I am ").removesuffix(".")
    two.privatize([user("It is Blarg.")])
    assert one.restore(surrogate) == "Quux"
    write = one._at.shelf.write

    def late(*turn):
        """Another process goes on right before this one writes."""
        if len(raced) < most:
            raced.append(two.privatize(f"Note {len(raced)} on Blarg."))
        return write(*turn)

    monkeypatch.setattr(one._at.shelf, "write", late)
    raced, most = [], 3
    history = [user("I am Quux."), user("And Nameaon.")]
    sent = one.privatize(history).messages
    assert len(raced) == 3 and sent[0] == first[0]
    assert two.privatize(history).messages == sent
    monkeypatch.setattr(lasting, "TRIES", 2)
    raced, most = [], 100
    with pytest.raises(StoreError, match="other processes"):
        one.privatize([user("Late Nameaon.")])


def test_killed_in_the_middle_of_turns(noisy, path, tmp_path):
    """What left was charged, leaves the same again, and a retry costs nothing."""
    log = tmp_path / "log"
    log.touch()

    def text_of(number):
        words = random.Random(number)
        return " ".join(f"w{words.randrange(300)}" for _ in range(6))

    def talk():
        """Until it is killed, however fast it goes."""
        chat = opened(noisy, path)
        with log.open("a") as releases:
            for number in count():
                releases.write(f"{number}\t{chat.privatize(text_of(number)).text}\n")
                releases.flush()

    context = multiprocessing.get_context("fork")
    for _ in range(8):
        before, process = log.stat().st_size, context.Process(target=talk)
        process.start()
        while process.is_alive() and log.stat().st_size == before:
            time.sleep(0.001)
        time.sleep(random.uniform(0, 0.05))
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL
    chat = opened(noisy, path)
    spent = chat.spent["session"].get("draws", 0)
    lines = [line.split("\t") for line in log.read_text().splitlines() if line.count("\t") == 1]
    released = {int(number): text for number, text in lines}
    assert released and all(released[int(number)] == text for number, text in lines[:-1])
    paid = sum(chat.privatize(text_of(number)).charges.get("draws", 0) for number in released)
    assert paid == 0
    assert spent <= 6 * (len(released) + 8)


@pytest.mark.parametrize("forgotten", [False, True])
def test_planted_strings_are_in_no_file(selective, parts, path, monkeypatch, forgotten):
    """Database, log, journal and temporary files; after forgetting, also the wrapped keys."""
    temporary = path.parent / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("SQLITE_TMPDIR", str(temporary))
    planted = [f"Zq{os.urandom(5).hex()}" for _ in range(200)]
    line = Privatizer(
        Policy(), parts=replace(parts, sensitivity=Named(dict.fromkeys(planted, "PERSON")))
    )
    chat = opened(line, path, label=planted[0], principal=planted[1])
    for start in range(0, 200, 20):
        sent = chat.privatize([user(f"We met {name}.") for name in planted[start : start + 20]])
        chat.restore(f"{sent.text} And {planted[start]}.")
    store = SqliteStore(path)
    with store.reading() as entries:
        wrapped = [value for _, value in entries.items("keys")]
    if forgotten:
        chat.forget()
    content = b"".join(file.read_bytes() for file in path.parent.rglob("*") if file.is_file())
    forms = [
        form
        for name in planted
        for form in (name.encode(), name.lower().encode(), name.encode("utf-16-le"))
    ]
    assert sum(form in content for form in forms) == 0
    assert [value in content for value in wrapped] == [not forgotten]
    if forgotten:
        with store.reading() as entries:
            for space in ("keys", "turn", "record", "message", "charge"):
                assert entries.items(space) == []
        assert opened(line, path, label="new", principal=planted[1]).spent["principal"][
            "unprotected"
        ]


def test_a_clock_that_goes_back_changes_nothing(selective, path, monkeypatch):
    """Turns are in the order of the store; and what was used later than now is not purged."""
    at = [1_000_000.0]
    monkeypatch.setattr("privstamp.sessions.shelf.time", lambda: at[0])
    history = []
    with opened(selective, path) as chat:
        for number in range(4):
            at[0] -= 100_000 * number
            history.append(user(f"Note {number} on Quux."))
            sent = chat.privatize(history)
    vault = Vault(SqliteStore(path), MASTER)
    with vault.store.reading() as entries:
        assert [row[2:] for row in sessions(vault, entries)] == [(4, 1_000_000)]
    assert opened(selective, path).privatize(history).messages == sent.messages
    assert purge(vault, Ledger(vault), 0) == 0
    at[0] = 1_000_000 + 3 * DAY
    opened(selective, path, label="young").privatize("I am Quux.")
    at[0] += 1
    assert purge(vault, Ledger(vault), 2) == 1
    with vault.store.reading() as entries:
        assert [row.label for row in sessions(vault, entries)] == ["young"]
        assert Ledger(vault).spent(entries, Payer("principal", "dana"))["unprotected"] > 0


def test_the_most_drawn_unit_is_charged_and_limited(noisy, path):
    """Epsilon of the word that was drawn most often between the same neighbours."""
    chat = opened(noisy, path)
    [quantity] = [name for name in chat.privatize("w1 w2 w3").charges if name.startswith("unit:")]
    single = chat.spent["session"][quantity]
    chat.privatize("w7 w8 w9 w10 w11 w1 w2 w3")  # w2 again, elsewhere
    assert chat.spent["session"][quantity] == chat.spent["principal"][quantity] == 2 * single
    chat.privatize("w20 w21")
    assert chat.spent["session"][quantity] == 2 * single
    limit(path, Payer("session", "other"), quantity, int(1.5 * single * 1e6))
    other = opened(noisy, path, label="other")
    other.privatize("w1 w2 w3")
    with pytest.raises(LimitReached, match=quantity):
        other.privatize("w7 w8 w9 w10 w11 w1 w2 w3")


def test_edits_and_redraws_go_on_in_another_process(noisy, path):
    words = " ".join(f"w{n}" for n in range(20))
    first = opened(noisy, path).privatize(words).text.split()
    texts = [" ".join(f"w{30 + 9 * n + k}" for k in range(9)) for n in range(6)]
    seen = []
    for text in texts:
        with opened(noisy, path) as chat:
            edited = chat.privatize(f"{words} w{len(text)}").text.split()
            assert edited[:20] == first
            seen.append(chat.privatize(f"{text} w301 w302 w303 {text}").text.split()[10])
    assert set(seen[2:]) == {seen[0]}


def test_a_task_is_reopened_in_another_process_and_charged(monkeypatch, path):
    space, budget = ToySpace(rows=400, dimensions=12), Budget.of([0.1, 0.1, 0.1, 0.2])
    line = make(monkeypatch, space=space, kinds={}, budget=budget)
    words = " ".join(f"w{n}" for n in range(16))

    def sent(task, **rules):
        with opened(line, path, **rules) as chat:
            return chat.privatize(words, task=task)

    first = sent("w1 w2")
    assert first.charges["draws"] == 16
    assert sent("w9 w8").messages == first.messages and sent("w9 w8").charges == {}
    again = sent("w9 w8", on_new_task="reopen")
    assert 0 < again.charges["draws"] < 16
    assert sent("w9 w8", on_new_task="reopen").charges == {}
    assert sum(
        one != two for one, two in zip(first.text.split(), again.text.split(), strict=True)
    ) <= again.charges["draws"]  # fmt: skip


@pytest.mark.each_store
def test_a_conversation_in_each_store(noisy, place):
    """Opened anew for every turn; two at once; forgotten in the end."""
    history = []
    for turn in range(4):
        with opened(noisy, place) as chat, opened(noisy, place) as other:
            history.append(user(" ".join(f"w{10 * turn + k}" for k in range(8))))
            sent = chat.privatize(history)
            assert other.privatize(history).messages == sent.messages
            assert other.privatize(history).charges == {}
            history.append(said(other.restore(sent.text)))
    with opened(noisy, place) as chat:
        assert chat.spent["session"]["draws"] == 32 == chat.spent["principal"]["draws"]
        chat.forget()
    with opened(noisy, place) as chat:
        assert chat.privatize(history[:1]).messages != sent.messages[:1]


def test_rotation_leaves_sessions_as_they_are(selective, path):
    first = opened(selective, path).privatize("I am Quux.").messages
    Vault(SqliteStore(path), MASTER).rotate(OTHER)
    with pytest.raises(VaultError):
        opened(selective, path)
    assert opened(selective, path, key=OTHER).privatize("I am Quux.").messages == first


def test_the_privatizer_opens_it(selective, path):
    with selective.open_session("case 17", store=path, principal="dana", key=MASTER) as chat:
        first = chat.privatize("I am Quux.").messages
    assert "Quux" not in repr(chat)
    assert opened(selective, path).privatize("I am Quux.").messages == first
    with pytest.raises(UsageError, match="give no seed"):
        selective.with_noise(seed=1).open_session("x", store=path, principal="dana", key=MASTER)
