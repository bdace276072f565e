"""privstamp privatize --repair: warnings go where they belong, and no failure holds a text back."""

import json

import pytest
from toy_desk import MARKER, toy_policy

from mender import Mender, crashes
from privstamp import registry
from privstamp.repair import checks

TOY = ("--policy", "toy.toml")


def wide():
    """Says the same with a word more."""
    return Mender(lambda window: f"{window[:-1]} too." if window.endswith(".") else window, "wide")


def broken():
    """Fails always."""
    return Mender(crashes, "broken")


def chatty():
    """Says what a repair may not say, always."""
    return Mender(lambda window: f"In 1987 {window}", "chatty")


def away(argument, *, model=None):
    """Runs elsewhere."""
    mender = wide()
    mender.place, mender.name = argument.strip("/"), model or "unnamed"
    return mender


@pytest.fixture(autouse=True)
def repairs(monkeypatch):
    monkeypatch.setattr(checks, "LETTERS", 0.0)
    monkeypatch.setattr(checks, "FEWEST", 2)
    built = {name: f"{__name__}:{name}" for name in ("wide", "broken", "chatty")}
    table = registry.REPAIRS._builtin
    monkeypatch.setattr(
        registry.REPAIRS, "_builtin", {**table, **built, "https:": f"{__name__}:away"}
    )


def test_a_repair_is_asked_for_by_name(run):
    done = run("privatize", "note.txt", "--repair", "wide", "--json", *TOY)
    assert done.exit_code == 0 and done.stderr == ""
    content = json.loads(done.stdout)
    assert " too.\r\n" in content["text"] and MARKER not in done.stdout
    assert content["certificate"]["repair"]["repaired"] == 1
    assert content["timings"]["repair"] >= 0
    plain = json.loads(run("privatize", "note.txt", "--json", *TOY).stdout)
    assert plain["certificate"]["repair"] is None and "repair" not in plain["timings"]


def test_it_is_said_if_all_was_refused(run):
    done = run("privatize", "note.txt", "--repair", "chatty", *TOY)
    assert done.exit_code == 0 and done.stdout and "1987" not in done.stdout
    assert "all that came back was refused, 2 of 2 windows" in done.stderr


def test_a_failure_is_warned_of_and_the_text_goes_out(run):
    done = run("privatize", "note.txt", "--repair", "broken", *TOY)
    assert done.exit_code == 0 and done.stdout
    assert "warning: not repaired (the text is private all the same)" in done.stderr
    assert MARKER not in done.stdout + done.stderr


def test_where_the_text_was_sent_is_told(run):
    url = ("--repair", "https://example.com", "--repair-model", "some-model")
    done = run("privatize", "note.txt", *url, *TOY)
    assert done.exit_code == 0
    assert "the released text was sent to example.com for repair" in done.stderr


def test_wrong_options_release_nothing(run):
    alone = run("privatize", "note.txt", "--repair-model", "m", *TOY)
    assert alone.exit_code == 2 and "--repair" in alone.stderr and alone.stdout == ""
    unknown = run("privatize", "note.txt", "--repair", "nobody", *TOY)
    assert unknown.exit_code == 2 and 'no repair "nobody"' in unknown.stderr
    option = run("privatize", "note.txt", "--repair", "wide", "--repair-model", "m", *TOY)
    assert option.exit_code == 2 and option.stdout == ""


def test_restore_puts_back_what_a_repair_kept(run, desk):
    done = run("privatize", "note.txt", "--repair", "wide", "--map", "map.json", *TOY)
    (desk / "reply.txt").write_text(done.stdout)
    assert MARKER in run("restore", "reply.txt", "--map", "map.json").stdout


def test_explain_and_group_need_no_repairing_model(run, desk):
    (desk / "away.toml").write_text(toy_policy(repair={"name": "broken", "odd": 1}).to_toml())
    for command in ("explain", "group"):
        assert run(command, "note.txt", "--policy", "away.toml").exit_code == 0
    assert run("privatize", "note.txt", "--policy", "away.toml").exit_code == 2
