"""privstamp calibrate, and targets in policy files."""

import json

import pytest
from toy_desk import toy_policy

from privstamp.policy import Policy


@pytest.fixture(autouse=True)
def cache(desk, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(desk / "cache"))
    (desk / "exact.toml").write_text(toy_policy(mechanism="exponential").to_toml())


QUICK = ("--policy", "exact.toml", "--prior", "uniform", "--statistic", "mean")


def test_it_finds_shows_and_writes_a_policy(run, desk):
    done = run("calibrate", "--sensitive", "0.1", "--other", "0.5", "--out", "new.toml", *QUICK)
    assert done.exit_code == 0, done.stderr
    assert "limit 0.1: epsilon" in done.stdout and "metric = " in done.stdout
    made = Policy.load(desk / "new.toml")
    first, second, third, fourth = made.budget.epsilon
    assert 0 < first == second < third == fourth
    assert made.calibrated is not None
    assert run("policy", "check", "new.toml").exit_code == 0


def test_json_and_one_limit_for_all(run):
    done = run("calibrate", "--max-recovery", "0.2", "--json", *QUICK)
    data = json.loads(done.stdout)
    assert data["possible"] and len(set(data["epsilon"])) == 1
    assert data["outcomes"][0]["groups"] == [1, 2, 3, 4]


def test_cannot_is_exit_code_one_and_writes_nothing(run, desk):
    done = run("calibrate", "--sensitive", "0.001", "--out", "new.toml", *QUICK)
    assert done.exit_code == 1 and not (desk / "new.toml").exists()
    assert "cannot." in done.stdout and "best achievable" in done.stdout
    both = run("calibrate", "--other", "0.2", "--keep-at-least", "0.9", *QUICK)
    assert both.exit_code == 1 and "under the limit words are kept" in both.stdout


def test_another_mechanism_gets_its_own_metric(run):
    done = run(
        "calibrate", "--max-recovery", "0.2", "--mechanism", "neighbourhood", "--json", *QUICK
    )
    assert json.loads(done.stdout)["metric"] == "hops", done.stderr


def test_a_mean_is_shared_out_and_a_sample_is_named(run, desk):
    done = run("calibrate", "--sensitive", "0.1", "--mean-epsilon", "6", "--sample", "note.txt",
               "--out", "new.toml", *QUICK)  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert Policy.load(desk / "new.toml").calibration.saw == "private sample"
    assert "Quixworth" not in (desk / "new.toml").read_text() + done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "name what you want"),
        (("--max-recovery", "0"), "above 0"),
        (("--max-recovery", "1.2"), "at most 1"),
        (("--max-recovery", "0.1", "--prior", "contextual", "--statistic", "max"), "weighted"),
        (("--max-recovery", "0.1", "--prior", "unigramm"), "Did you mean"),
        (("--max-recovery", "0.1", "--statistic", "median"), "Known: max, mean, weighted"),
        (("--max-recovery", "0.1", "--mechanism", "surrogate"), "no strength"),
        (("--keep-at-least", "1.5"), "between 0 and 1"),
        (("--max-recovery", "0.1", "--sample", "note.txt"), "--mean-epsilon"),
        (("--max-recovery", "0.1", "--out", "nowhere/x.toml"), "no folder"),
    ],
)
def test_what_cannot_be_is_refused_with_the_fix(run, arguments, complaint):
    done = run("calibrate", "--policy", "exact.toml", *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert complaint in done.stderr


def test_a_target_in_a_policy_file_is_resolved_for_use_and_shown_as_written(run, desk):
    target = {"target_recovery": [0.1, 0.1, 0.5, 0.5], "prior": "uniform", "statistic": "mean"}
    wanted = toy_policy(mechanism="exponential", budget=target)
    (desk / "target.toml").write_text(wanted.to_toml())
    shown = run("policy", "show", "--policy", "target.toml")
    assert Policy.from_toml(shown.stdout) == wanted
    as_json = json.loads(run("policy", "show", "--policy", "target.toml", "--json").stdout)
    assert as_json["policy"]["budget"]["target_recovery"] == [0.1, 0.1, 0.5, 0.5]
    done = run("privatize", "note.txt", "--policy", "target.toml", "--seed", "1")
    assert done.exit_code == 0, done.stderr
    found = run("calibrate", "--policy", "target.toml", "--json")
    assert json.loads(found.stdout)["prior"] == "uniform"
