"""privstamp privatize: what goes where, and nothing before everything has succeeded."""

import json
import math
import os
import stat
import subprocess
from pathlib import Path

import pytest
from toy_desk import COMMAND, MARKER, NOTE, toy_policy

from privstamp.cli import privatize as module
from privstamp.restore.map import SurrogateMap

TOY = ("--policy", "toy.toml")


def test_text_goes_to_stdout_alone(run):
    done = run("privatize", "note.txt", *TOY)
    assert done.exit_code == 0
    assert done.stderr == ""
    assert MARKER not in done.stdout
    assert done.stdout_bytes.count(b"\r\n") == 1  # line ends stay as they were
    assert done.stdout_bytes.endswith(b"\n")
    assert "@example.com" in done.stdout


def test_stdin_is_a_dash(run):
    done = run("privatize", "-", *TOY, input=NOTE)
    assert done.exit_code == 0
    assert MARKER not in done.stdout


def test_json_holds_text_task_and_certificate(run):
    done = run("privatize", "note.txt", "--json", "--task", f"w1 {MARKER}?", *TOY)
    assert done.exit_code == 0
    content = json.loads(done.stdout)
    assert set(content) == {"text", "task", "certificate", "timings"}
    assert {"splitting", "sensitivity", "mechanism", "release"} <= set(content["timings"])
    assert all(seconds >= 0 for seconds in content["timings"].values())
    assert MARKER not in done.stdout  # in the task too it has its surrogate
    assert content["certificate"]["counts"]["units"] == 12
    assert json.loads(run("privatize", "note.txt", "--json", *TOY).stdout)["task"] is None


def test_a_changed_task_is_told(run):
    done = run("privatize", "note.txt", "--task", f"w1 w2 {MARKER}?", *TOY)
    assert "the task to send beside it: w1 w2" in done.stderr
    assert MARKER not in done.stderr
    unchanged = run("privatize", "note.txt", "--task", "w1 w2", *TOY)
    assert unchanged.stderr == ""


def test_a_task_file_is_private(run, desk):
    (desk / "task.txt").write_text(f"w3 {MARKER}\n")
    done = run("privatize", "note.txt", "--task-file", "task.txt", "--json", *TOY)
    content = json.loads(done.stdout)
    assert content["certificate"]["task"] == "private"
    assert MARKER not in content["task"]
    assert not content["task"].endswith("\n")


def test_a_task_is_given_once(run, desk):
    (desk / "task.txt").write_text("w3")
    both = run("privatize", "note.txt", "--task", "w1", "--task-file", "task.txt", *TOY)
    assert both.exit_code == 2
    assert "not both" in both.stderr
    dashes = run("privatize", "-", "--task-file", "-", *TOY, input="w1")
    assert dashes.exit_code == 2
    assert dashes.stdout == ""


def test_seed_repeats_and_says_that_it_is_insecure(run):
    first = run("privatize", "note.txt", "--seed", "7", *TOY)
    again = run("privatize", "note.txt", "--seed", "7", *TOY)
    other = run("privatize", "note.txt", "--seed", "8", *TOY)
    assert first.stdout == again.stdout != other.stdout
    assert "insecure" in first.stderr


def test_unprotected_units_are_always_told(run, desk):
    epsilon = {"epsilon": [1.0, 1.0, math.inf, math.inf]}
    (desk / "open.toml").write_text(toy_policy(budget=epsilon).to_toml())
    done = run("privatize", "note.txt", "--policy", "open.toml")
    assert done.exit_code == 0
    assert "released UNPROTECTED" in done.stderr


def test_map_is_private_and_restores(run, desk):
    done = run("privatize", "note.txt", "--map", "note.map.json", *TOY)
    assert done.exit_code == 0
    path = desk / "note.map.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert MARKER in SurrogateMap.load(path).restore(done.stdout)
    restored = run("restore", "-", "--map", path, input=done.stdout)
    assert MARKER in restored.stdout


def test_a_map_is_not_replaced_unless_forced(run, desk):
    (desk / "old.json").write_text("mine")
    done = run("privatize", "note.txt", "--map", "old.json", *TOY)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "--force" in done.stderr
    assert (desk / "old.json").read_text() == "mine"
    assert run("privatize", "note.txt", "--map", "old.json", "--force", *TOY).exit_code == 0
    assert len(SurrogateMap.load(desk / "old.json")) > 0


def test_force_without_map_is_refused(run):
    assert run("privatize", "note.txt", "--force", *TOY).exit_code == 2


def test_certificate_file_is_the_certificate(run, desk):
    done = run("privatize", "note.txt", "--certificate", "c.json", "--json", *TOY)
    assert json.loads((desk / "c.json").read_text()) == json.loads(done.stdout)["certificate"]
    assert [path.name for path in desk.glob(".*")] == []


@pytest.mark.parametrize(
    "targets",
    [
        ("--certificate", "note.txt"),
        ("--map", "note.txt", "--force"),
        ("--map", "same.json", "--certificate", "same.json"),
        ("--map", "no/folder/m.json"),
        ("--certificate", "."),
    ],
)
def test_targets_that_would_do_harm_are_refused_first(run, desk, targets):
    done = run("privatize", "note.txt", *targets, *TOY)
    assert (done.exit_code, done.stdout) == (2, "")
    assert (desk / "note.txt").read_bytes() == NOTE.encode()


def test_nothing_is_printed_if_the_map_cannot_be_saved(run, desk, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("privstamp.restore.map.write", full)
    done = run("privatize", "note.txt", "--map", "m.json", "--certificate", "c.json", *TOY)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "the disk is full" in done.stderr
    assert sorted(p.name for p in desk.iterdir()) == ["note.txt", "toy.toml"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_a_certificate_is_its_owners_alone(run, desk):
    (desk / "c.json").write_text("an older one")
    (desk / "c.json").chmod(0o644)
    assert run("privatize", "note.txt", "--certificate", "c.json", *TOY).exit_code == 0
    assert (desk / "c.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_behind_the_certificate(run):
    done = run("privatize", "note.txt", "--certificate", "/dev/full", *TOY)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "the disk is full" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_what_belongs_to_a_text_that_did_not_get_out_is_taken_back(desk):
    command = [
        *COMMAND,
        "privatize",
        "note.txt",
        "--map",
        "m.json",
        "--certificate",
        "c.json",
        *TOY,
    ]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, cwd=desk, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1 and b"nothing was released" in done.stderr
    assert not (desk / "m.json").exists() and not (desk / "c.json").exists()


def test_a_file_is_needed_for_the_map(run):
    assert run("privatize", "note.txt", "--map", "-", *TOY).exit_code == 2


def test_policy_and_preset_exclude_each_other(run):
    done = run("privatize", "note.txt", "--preset", "stamp", *TOY)
    assert done.exit_code == 2
    assert "not both" in done.stderr


def test_unknown_preset_is_a_usage_error_with_the_options(run):
    done = run("privatize", "note.txt", "--preset", "papr")
    assert done.exit_code == 2
    assert 'Did you mean "paper"?' in done.stderr


@pytest.mark.parametrize("text", ["", " \n\t\n", ".", "w", "\0", "\ufeffw1", "e\u0301 \u202e"])
def test_odd_inputs_give_a_result(run, desk, text):
    (desk / "odd.txt").write_bytes(text.encode())
    done = run("privatize", "odd.txt", *TOY)
    assert (done.exit_code, done.stderr) == (0, "")
    if not text.strip():
        assert done.stdout_bytes.decode() == text


def test_summary_counts_without_text(run, desk):
    from privstamp.release.certificate import Certificate

    run("privatize", "note.txt", "--certificate", "c.json", *TOY)
    line = module.summary(Certificate.model_validate_json((desk / "c.json").read_text()))
    assert line.startswith("12 units (#1=0 #2=5 #3=0 #4=7): 7 randomised, 5 replaced")
    assert "no task" in line


def test_a_format_may_be_named(run, desk):
    (desk / "note.json").write_text('{"status": "w1 w2"}')
    done = run("privatize", "note.json", "--format", "json", *TOY)
    assert done.exit_code == 0 and list(json.loads(done.stdout)) == ["status"]
    wrong = run("privatize", "note.txt", "--format", "json", *TOY)
    assert wrong.exit_code == 2 and "not json: line 1, column 1" in wrong.stderr
    assert MARKER not in wrong.stderr and wrong.stdout == ""
    unknown = run("privatize", "note.txt", "--format", "jsn", *TOY)
    assert unknown.exit_code == 2 and 'Did you mean "json' in unknown.stderr


def test_of_a_long_text_a_person_is_told_what_takes_it_in_parts(run, monkeypatch):
    said = []
    monkeypatch.setattr(module, "note", said.append)
    assert run("privatize", "note.txt", *TOY).exit_code == 0
    assert not any("--large" in line for line in said)
    monkeypatch.setattr(module, "LONG", len(NOTE) - 1)
    assert run("privatize", "note.txt", *TOY).exit_code == 0
    assert any("--large -o OUT" in line and MARKER not in line for line in said)
