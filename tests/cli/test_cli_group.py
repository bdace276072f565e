"""privstamp group: labels with reasons, and the text only when it is asked for."""

import json

from toy_desk import MARKER, NOTE

TOY = ("--policy", "toy.toml")


def units(done):
    assert done.exit_code == 0
    content = json.loads(done.stdout)
    assert content["private"] is True
    return content["units"]


def test_each_unit_has_its_group_and_the_reason(run):
    done = run("group", "note.txt", "--task", "w1", "--json", *TOY)
    found = {NOTE[unit["start"] : unit["end"]]: unit for unit in units(done)}
    assert found["w1"]["group"] == 3 and found["w1"]["importance"] > 0.9
    assert found["w1"]["important"] and not found["w1"]["sensitive"]
    assert found[MARKER]["group"] == 2 and found[MARKER]["rule"] == "unknown word"
    address = found["bob@example"]
    assert (address["kind"], address["finder"], address["score"]) == (
        "EMAIL_ADDRESS",
        "rules",
        0.95,
    )
    start, end = address["span"]
    assert NOTE[start:end] == "bob@example.org"


def test_the_text_is_shown_only_when_asked_for(run):
    assert MARKER not in run("group", "note.txt", "--json", *TOY).stdout
    assert MARKER not in run("group", "note.txt", *TOY).stdout
    shown = units(run("group", "note.txt", "--json", "--show-text", *TOY))
    assert MARKER in {unit["unit"] for unit in shown}


def test_groups_are_those_of_a_release(run):
    explained = json.loads(
        run("explain", "note.txt", "--task", "w1", "--limit", "0", "--json", *TOY).stdout
    )
    grouped = units(run("group", "note.txt", "--task", "w1", "--json", *TOY))
    assert [u["group"] for u in grouped] == [u["group"] for u in explained["units"]]


def test_without_json_it_is_a_table_of_one_line_per_unit(run, desk):
    (desk / "odd.txt").write_text("w1 \x1b[31m\tw2\n")
    lines = run("group", "odd.txt", "--show-text", *TOY).stdout.splitlines()
    assert lines[0].startswith("start\tend\tgroup")
    assert len({line.count("\t") for line in lines}) == 1
    assert not any("\x1b" in line for line in lines)


def test_an_empty_text_has_no_units(run, desk):
    (desk / "empty.txt").write_text("")
    assert units(run("group", "empty.txt", "--json", *TOY)) == []
