"""privstamp frontier: a table, JSON, files; and what it refuses."""

import errno
import json

from privstamp.cli import output
from privstamp.lab import frontier as frontier_run

CHOICE = ("--space", "toy", "--quick", "--mechanism", "randomized-response", "--mechanism", "polar")


def test_tables_for_a_person(run):
    done = run("frontier", *CHOICE)
    assert done.exit_code == 0, done.stderr
    assert "randomized-response" in done.stdout and "polar" in done.stdout
    assert "floor" in done.stdout


def test_json_and_files(run, desk):
    done = run("frontier", *CHOICE, "--json", "--out", "results")
    assert done.exit_code == 0, done.stderr
    (content,) = json.loads(done.stdout)
    assert content["about"]["space"] == "toy" and content["about"]["quick"] is True
    assert len(content["records"]) == 6
    assert json.loads((desk / "results" / "frontier.json").read_text()) == [content]
    assert (desk / "results" / "frontier-toy.svg").stat().st_size > 1000
    assert (desk / "results" / "frontier-toy.png").stat().st_size > 1000


def test_what_cannot_be_written_is_shown_and_the_old_record_stays(run, desk, monkeypatch):
    (desk / "results").mkdir()
    (desk / "results" / "frontier.json").write_text("old")

    def full(_handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(output.os, "fsync", full)
    done = run("frontier", *CHOICE, "--json", "--out", "results")
    assert done.exit_code == 1
    assert "--out" in done.stderr and "the disk is full" in done.stderr
    assert len(json.loads(done.stdout)) == 1
    assert (desk / "results" / "frontier.json").read_text() == "old"
    assert not list((desk / "results").glob(".*"))


def test_a_folder_that_takes_no_file_is_noticed_before_the_work(run, desk, monkeypatch):
    def never(*_args, **_given):
        raise AssertionError

    monkeypatch.setattr(frontier_run, "measure_space", never)
    for place in ("/proc/results", "/proc"):
        done = run("frontier", *CHOICE, "--out", place)
        assert done.exit_code in (1, 2)
        assert "--out" in done.stderr


def test_refusals(run, desk):
    (desk / "taken").write_text("")
    for arguments, words in [
        (("--mechanism", "polr"), "polar"),
        (("--mechanism", "placeholder"), "epsilon 0"),
        (("--space", "glov"), "glove"),
        (("--out", "taken"), "folder"),
    ]:
        done = run("frontier", "--quick", *arguments)
        assert done.exit_code == 2 and words in done.stderr, arguments


def test_whoever_is_not_compared_is_named(run):
    (content,) = json.loads(run("frontier", *CHOICE, "--json").stdout)
    left, compared = content["not_at_equal_recovery"], content["at_equal_recovery"]
    named = [(row["above_floor"], row["setting"]) for row in [*left, *compared]]
    assert sorted(named) == sorted(
        (level, name) for level in (0.05, 0.1, 0.2) for name in ("randomized-response", "polar")
    )
    shown = run("frontier", *CHOICE).stdout
    for row in left:
        assert f"not at {row['above_floor']:+.2f}: {row['setting']}, {row['why']}" in shown


def test_json_keeps_its_fields(run):
    (content,) = json.loads(run("frontier", *CHOICE, "--json").stdout)
    about = ["version", "quick", "space", "fingerprint", "source", "class", "words",
             "share_of_class_frequency", "dimensions", "floor_unigram", "queries",
             "draws"]  # fmt: skip
    assert list(content["about"]) == about
    record = content["records"][0]
    for name in ("recovery_uniform", "recovery_unigram", "keep_mean", "keep_weighted", "n50",
                 "n50_unigram"):  # fmt: skip
        assert {name, f"{name}_low", f"{name}_high"} <= set(record)
    assert {"keep_max", "loss_near", "loss_random", "loss_worst", "entropy_bits", "microseconds",
            "cosine", "rank", "recovery_how", "keep_how"} <= set(record)  # fmt: skip


def test_several_spaces_stand_below_each_other(run):
    done = run("frontier", *CHOICE, "--space", "toy", "--json")
    assert [one["about"]["space"] for one in json.loads(done.stdout)] == ["toy", "toy"]
