"""privstamp chat and privstamp session: turns through many commands, limits, and the end."""

import json
import stat
from datetime import UTC, datetime

import pytest
from toy_desk import MARKER

from privstamp.sessions.vault import ENVIRONMENT

KEY = bytes(range(32)).hex()
FIRST = {"role": "user", "content": f"w1 w2 {MARKER} w3"}
SECOND = {"role": "user", "content": f"w4 {MARKER}"}


@pytest.fixture
def chat(run, desk, monkeypatch):
    """Give a command that is about sessions on this desk."""
    monkeypatch.setenv(ENVIRONMENT, KEY)

    def give(*arguments, **settings):
        return run(*arguments, "--store", desk / "s.db", **settings)

    return give


def written(desk, *messages):
    file = desk / "history.jsonl"
    file.write_text("".join(json.dumps(message) + "\n" for message in messages))
    return file


def talk(chat, desk, *messages, more=()):
    given = ("chat", written(desk, *messages), "--policy", "toy.toml", "--session", "case 17")
    return chat(*given, *more)


def test_turns_through_many_commands(chat, desk):
    first = talk(chat, desk, FIRST)
    assert first.exit_code == 0, first.stderr
    assert MARKER not in first.stdout and stat.S_IMODE((desk / "s.db").stat().st_mode) == 0o600
    surrogate = json.loads(first.stdout)["content"].split()[2]
    reply = desk / "reply.txt"
    reply.write_text(f"Dear {surrogate}.")
    restored = chat("chat", "--reply", reply, "--session", "case 17", "--policy", "toy.toml").stdout
    assert restored == f"Dear {MARKER}."
    history = [FIRST, {"role": "assistant", "content": restored}, SECOND]
    second = talk(chat, desk, *history, more=["--json"])
    content = json.loads(second.stdout)
    assert content["messages"][0] == json.loads(first.stdout)
    assert content["messages"][1]["content"] == f"Dear {surrogate}."
    assert content["messages"][2]["content"].endswith(surrogate)
    assert content["charges"]["draws"] == 1 and content["certificate"]["session"]["replies"] == 1
    again = talk(chat, desk, *history, more=["--json"])
    assert json.loads(again.stdout)["charges"] == {}


def test_without_a_session_it_is_once_and_needs_no_key(run, desk):
    file = written(desk, FIRST, SECOND)
    done = run("chat", file, "--policy", "toy.toml")
    names = [json.loads(line)["content"].split() for line in done.stdout.splitlines()]
    assert done.exit_code == 0 and names[0][2] == names[1][1] != MARKER
    assert not list(desk.glob("*.db"))


def test_what_sessions_have_spent_and_their_limits(chat, desk):
    talk(chat, desk, FIRST)
    today = datetime.now(UTC).date().isoformat()
    assert chat("session", "list").stdout.splitlines()[1] == f"case 17\tlocal\t1\t{today}"
    rows = json.loads(chat("session", "list", "--json").stdout)
    assert rows == [{"session": "case 17", "principal": "local", "turns": 1, "used": today}]
    limited = chat("session", "limit", "draws", "3", "--session", "case 17")
    assert "session case 17\tdraws\t3\t3" in limited.stdout
    refused = talk(chat, desk, FIRST, SECOND)
    assert refused.exit_code == 1 and refused.stdout == ""
    words = " ".join(refused.stderr.split())
    assert "'case 17': the limit of draws is 3, spent are 3, asked were 1" in words
    assert MARKER not in refused.stderr
    chat("session", "limit", "draws", "none", "--session", "case 17")
    assert talk(chat, desk, FIRST, SECOND).exit_code == 0
    shown = json.loads(chat("session", "show", "case 17", "--json").stdout)
    assert [facts["spent"]["draws"] for facts in shown] == [4, 4] and not shown[0]["limits"]
    exported = json.loads(chat("session", "export", "--json").stdout)["accounts"]
    assert {"session": "case 17", **shown[0]} in exported and len(exported) == 2
    rows = chat("session", "export").stdout.splitlines()
    assert rows[0].split("\t") == ["account", "quantity", "spent", "limit"]
    assert "session case 17\tdraws\t4\t" in rows


def test_forgetting(chat, desk):
    first = talk(chat, desk, FIRST).stdout
    assert chat("session", "forget", "case 17").exit_code == 0
    assert json.loads(chat("session", "list", "--json").stdout) == []
    for command in ("forget", "show"):
        gone = chat("session", command, "case 17")
        assert gone.exit_code == 2 and "no such session" in gone.stderr
    assert talk(chat, desk, FIRST).stdout != first
    accounts = json.loads(chat("session", "export", "--json").stdout)["accounts"]
    assert {
        kind: facts["spent"]["draws"]
        for facts in accounts
        for kind in ("principal", "session")
        if kind in facts
    } == {"principal": 6, "session": 3}


def test_purging(chat, desk):
    talk(chat, desk, FIRST)
    kept = chat("session", "purge", "--unused", "1", "--json")
    assert json.loads(kept.stdout) == {"purged": 0}
    file, now = "privstamp.sessions.shelf.time", datetime.now(UTC).timestamp()
    with pytest.MonkeyPatch.context() as later:
        later.setattr(file, lambda: now + 2 * 86_400)
        assert "1 forgotten" in chat("session", "purge", "--unused", "1").stderr
    assert json.loads(chat("session", "list", "--json").stdout) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chat"], "FILE of messages or --reply"),
        (["chat", "--reply", "note.txt"], "name it with --session"),
        (["chat", "note.txt"], "line 1 is not JSON"),
        (["session", "limit", "draws", "3"], "--session or --principal"),
        (["session", "limit", "words", "3", "--session", "x"], "limits are on nats"),
        (["session", "limit", "draws", "many", "--session", "x"], "whole number"),
        (["session", "list"], "there is no store"),
    ],
)
def test_wrong_requests(chat, arguments, words):
    done = chat(*arguments)
    assert done.exit_code == 2 and words in " ".join(done.stderr.split())
    assert done.stdout == "" and MARKER not in done.stderr


def test_before_the_first_session_the_list_is_empty(run, desk, monkeypatch):
    """Without a key: there is nothing that it would open."""
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(desk / "data"))
    done = run("session", "list")
    assert (done.exit_code, done.stdout) == (0, "session\tprincipal\tturns\tused\n")
    assert "Begin with: privstamp chat" in " ".join(done.stderr.split())
    assert run("session", "list", "--json").stdout == "[]\n"
    assert "there is no store" in " ".join(run("session", "export").stderr.split())


def test_keys(chat, desk, monkeypatch):
    talk(chat, desk, FIRST)
    file = desk / "key"
    file.write_text(KEY)
    monkeypatch.delenv(ENVIRONMENT)
    lost = talk(chat, desk, FIRST)
    assert lost.exit_code == 1 and "need a master key" in " ".join(lost.stderr.split())
    file.chmod(0o644)
    assert "chmod 600" in chat("session", "list", "--key-file", file).stderr
    file.chmod(0o600)
    assert chat("session", "list", "--key-file", file).exit_code == 0
    file.write_text(KEY[::-1])
    wrong = chat("session", "list", "--key-file", file)
    assert wrong.exit_code == 1 and "not the one of this store" in " ".join(wrong.stderr.split())


def test_another_master_key(chat, desk):
    first = talk(chat, desk, FIRST).stdout
    new = desk / "new.key"
    new.write_text(KEY[::-1])
    assert "chmod 600" in chat("session", "rotate", "--to", new).stderr
    new.chmod(0o600)
    assert json.loads(chat("session", "rotate", "--to", new, "--json").stdout) == {"sessions": 1}
    old = talk(chat, desk, FIRST)
    assert old.exit_code == 1 and "not the one of this store" in " ".join(old.stderr.split())
    assert talk(chat, desk, FIRST, more=["--key-file", new]).stdout == first
