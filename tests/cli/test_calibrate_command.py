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


def test_all_that_was_tried_is_shown_with_the_choice_marked(run):
    done = run("calibrate", "--sensitive", "0.2", *QUICK)
    lines = done.stdout.splitlines()
    (title,) = [line for line in lines if line.startswith("groups 1, 2: exponential")]
    assert "limit 0.2: epsilon" in title
    chosen = [line for line in lines if " < " in line]
    assert chosen and all("exact" in line for line in chosen)
    assert any("recovered 0." in line and "blind guess" in line for line in lines)


def test_a_picture_is_drawn_and_a_wrong_one_refused_before_the_work(run, desk):
    pytest.importorskip("matplotlib")
    done = run("calibrate", "--sensitive", "0.2", "--plot", "curve.svg", *QUICK)
    assert done.exit_code == 0, done.stderr
    assert "groups 1, 2" in (desk / "curve.svg").read_text()
    for wrong, words in (("curve.pdf", ".svg"), ("exact.toml", "already named")):
        refused = run("calibrate", "--sensitive", "0.2", "--plot", wrong, *QUICK)
        assert refused.exit_code == 2 and words in refused.stderr


def test_json_keeps_its_fields(run):
    done = run("calibrate", "--sensitive", "0.2", "--other", "0.6", "--json", *QUICK)
    data = json.loads(done.stdout)
    assert list(data) == ["possible", "prior", "statistic", "seed", "epsilon", "metric",
                          "calibration", "outcomes"]  # fmt: skip
    first = data["outcomes"][0]
    assert list(first) == ["groups", "mechanism", "metric", "limit", "epsilon", "edge", "cannot",
                           "best", "classes", "curve"]  # fmt: skip
    assert list(first["classes"][0]) == ["class", "floor", "recovery", "keep", "cosine"]
    assert list(first["curve"][0]) == ["epsilon", "class", "recovery", "keep"]


def test_another_seed_is_another_search_of_mechanisms_without_a_law(run, desk):
    (desk / "noisy.toml").write_text(toy_policy(mechanism="polar").to_toml())
    attacker = ("--prior", "uniform", "--statistic", "mean")
    options = ("--policy", "noisy.toml", "--max-recovery", "0.3", "--json", *attacker)
    one, again, other = (
        json.loads(run("calibrate", *options, "--seed", seed).stdout) for seed in ("1", "1", "2")
    )
    assert one == again
    assert one["outcomes"][0]["curve"] != other["outcomes"][0]["curve"]


def test_replaced_groups_are_told_and_left(run, desk):
    replaced = toy_policy(mechanism="exponential", groups={"1": {"name": "surrogate"}},
                          budget={"epsilon": [0, 1, 2, 3]})  # fmt: skip
    (desk / "replaced.toml").write_text(replaced.to_toml())
    options = ("--policy", "replaced.toml", "--prior", "uniform", "--statistic", "mean")
    done = run("calibrate", "--sensitive", "0.2", "--json", *options)
    assert done.exit_code == 0, done.stderr
    assert "nothing to search for: [1]" in done.stderr
    assert json.loads(done.stdout)["epsilon"][0] == 0.0
