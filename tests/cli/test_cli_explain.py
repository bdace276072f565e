"""privstamp explain: a private view with everything in it."""

import io
import json
import math

import pytest
from rich.console import Console
from toy_desk import MARKER, toy_policy

from privstamp.cli import explain as module
from privstamp.cli.explain import explanation
from privstamp.lab.estimate import Estimate
from privstamp.pipeline import Privatizer

TOY = ("--policy", "toy.toml")


def test_says_private_at_both_ends(run):
    done = run("explain", "note.txt", "--task", "w1", *TOY)
    lines = done.stdout.strip().splitlines()
    assert done.exit_code == 0
    assert lines[0] == lines[-1] == module.PRIVATE
    assert f"{MARKER}²" in done.stdout  # marked by group where there are no colours
    assert "unknown word" in done.stdout
    assert done.stderr == ""


def test_json_holds_the_facts_of_each_unit(run):
    done = run("explain", "note.txt", "--task", "w1", "--json", *TOY)
    content = json.loads(done.stdout)
    assert content["private"] is True
    units = {unit["unit"]: unit for unit in content["units"]}
    assert units["w1"]["group"] == 3
    assert 0 <= units["w1"]["keep"]["low"] <= units["w1"]["keep"]["high"] <= 1
    assert units[MARKER] | {"replacement": ""} == {
        "unit": MARKER, "start": 10, "end": 19, "kind": "word", "known": False, "entity": None,
        "source": None, "rule": None, "certainty": None, "score": None, "group": 2,
        "epsilon": 0.0, "keep": None, "replacement": "",
    }  # fmt: skip
    address = units["bob@example"]  # the toy space cuts it at the dot
    assert (address["entity"], address["source"]) == ("EMAIL_ADDRESS", "rules")


def test_limit_says_what_it_leaves_out(run):
    done = run("explain", "note.txt", "--limit", "2", *TOY)
    assert "10 more units are not shown" in done.stdout
    assert "bob@" not in done.stdout
    content = json.loads(run("explain", "note.txt", "--limit", "2", "--json", *TOY).stdout)
    assert (len(content["units"]), content["left_out"]) == (2, 10)
    everything = json.loads(run("explain", "note.txt", "--limit", "0", "--json", *TOY).stdout)
    assert (len(everything["units"]), everything["left_out"]) == (12, 0)


def test_unprotected_units_are_named(run, desk):
    (desk / "open.toml").write_text(toy_policy(budget={"epsilon": [math.inf] * 4}).to_toml())
    done = run("explain", "note.txt", "--policy", "open.toml")
    assert "unprotected" in done.stdout
    content = json.loads(run("explain", "note.txt", "--policy", "open.toml", "--json").stdout)
    assert content["units"][0]["epsilon"] == "inf"
    assert content["units"][0]["keep"]["estimate"] == 1.0


def test_the_task_is_not_taken_for_the_text(run, desk):
    (desk / "task.txt").write_text("w77 w78")
    done = run("explain", "note.txt", "--task-file", "task.txt", *TOY)
    assert "w1" in done.stdout and "w78" not in done.stdout


@pytest.mark.parametrize("text", ["", "...", "\x1b[31mred \x07"])
def test_odd_texts(run, desk, text):
    (desk / "odd.txt").write_text(text)
    done = run("explain", "odd.txt", *TOY)
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout
    assert "\x07" not in done.stdout


def test_keep_is_one_estimate_per_row_and_epsilon(desk, monkeypatch):
    line = Privatizer(toy_policy())
    trace = line.privatize("w1 w2 w1 w1 " * 20, "w1", trace=True).trace
    asked = []

    def counted(mechanism, ids, epsilon, *, draws):
        asked.extend(zip(ids.tolist(), epsilon.tolist(), strict=True))
        return [Estimate.exact(0.5)] * len(ids)

    monkeypatch.setattr("privstamp.lab.attackers.keep_rates", counted)
    found = explanation(trace, line.parts.mechanisms, 0)
    assert sorted(asked) == [(1, 4.0), (2, 3.0)]
    assert len(found.units) == 80


def test_colours_follow_groups(desk):
    line = Privatizer(toy_policy())
    trace = line.privatize(f"w1 {MARKER}", "w1", trace=True).trace
    console = Console(
        record=True,
        width=100,
        color_system="truecolor",
        force_terminal=True,
        file=io.StringIO(),
    )
    module.show(explanation(trace, line.parts.mechanisms, 0), console)
    shown = console.export_text(styles=True)
    assert f"\x1b[38;2;0;0;0;48;2;255;135;135m{MARKER}\x1b[0m" in shown
    assert "\x1b[38;2;0;0;0;48;2;95;215;255mw1\x1b[0m" in shown
