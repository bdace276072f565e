"""privstamp policy diff."""

import json

from toy_desk import toy_policy

from privstamp.budget import Budget


def test_two_files_are_compared(run, desk):
    (desk / "a.toml").write_text(toy_policy(mechanism="exponential", deny=["Quixworth"]).to_toml())
    (desk / "b.toml").write_text(
        toy_policy(mechanism="exponential", budget=Budget.of([0, 0, 12, 12])).to_toml()
    )
    done = run("policy", "diff", "a.toml", "b.toml", "--sample", "note.txt")
    assert done.exit_code == 0, done.stderr
    assert "surrogate" in done.stdout and "deny: 1 terms -> 0 terms" in done.stdout
    assert "A, units of the sample by group" in done.stdout and "B, units" in done.stdout
    assert "Quixworth" not in done.stdout + done.stderr
    data = json.loads(run("policy", "diff", "a.toml", "b.toml", "--json").stdout)
    pairs = data["groups"]
    assert [one["epsilon"] for one in pairs[2]] == [4.0, 12.0]
    assert pairs[2][0]["recovery"]["value"] < pairs[2][1]["recovery"]["value"]
    assert data["sample"] is None and data["changed"]["deny"] == ["1 terms", "0 terms"]


def test_an_unknown_policy_is_named(run):
    done = run("policy", "diff", "stamp", "nowhere.toml")
    assert done.exit_code == 2 and "nowhere.toml" in done.stderr
