"""privstamp policy init, show, check."""

import json
import math

import pytest
from toy_desk import toy_policy

from privstamp.budget import Budget
from privstamp.cli.policy_file import _comments, commented, in_words
from privstamp.policy import DEFAULT, PRESETS, Policy


@pytest.mark.parametrize("name", list(PRESETS))
def test_init_writes_exactly_the_preset(run, desk, name):
    done = run("policy", "init", "--preset", name, "--path", "new.toml")
    assert (done.exit_code, done.stdout) == (0, "")
    written = Policy.load(desk / "new.toml")
    assert written == PRESETS[name]
    assert written.fingerprint() == PRESETS[name].fingerprint()


def test_init_does_not_replace_unless_forced(run, desk):
    assert run("policy", "init").exit_code == 0
    again = run("policy", "init", "--preset", "paper")
    assert again.exit_code == 2
    assert "--force" in again.stderr
    assert Policy.load(desk / "privstamp.toml") == PRESETS[DEFAULT]
    assert run("policy", "init", "--preset", "paper", "--force").exit_code == 0
    assert Policy.load(desk / "privstamp.toml") == PRESETS["paper"]


def test_every_key_has_a_comment_and_odd_values_come_back():
    assert set(_comments()) == set(Policy.model_fields)
    odd = toy_policy(
        allow=["New York", 'a "quoted" [x]\n'],
        deny=["\\d", "é"],
        budget=Budget.of([0, math.inf, 1.5, 2]),
        mechanism={"name": "polar-radial", "nested": {"a": [1, 2]}},
    )
    assert Policy.from_toml(commented(odd)) == odd


def test_show_is_a_policy_file_itself(run, desk):
    done = run("policy", "show", "--preset", "paper")
    assert Policy.from_toml(done.stdout) == PRESETS["paper"]
    assert PRESETS["paper"].fingerprint() in done.stdout
    here = run("policy", "show", "--policy", "toy.toml")
    assert Policy.from_toml(here.stdout) == toy_policy()


def test_show_json(run, desk):
    (desk / "open.toml").write_text(toy_policy(budget={"epsilon": [1, 2, 3, math.inf]}).to_toml())
    content = json.loads(run("policy", "show", "--policy", "open.toml", "--json").stdout)
    assert content["origin"] == "open.toml"
    assert content["policy"]["budget"]["epsilon"] == [1.0, 2.0, 3.0, "inf"]
    assert content["fingerprint"] == Policy.load(desk / "open.toml").fingerprint()


def test_check_accepts_a_careful_policy(run):
    done = run("policy", "check", "toy.toml", "--strict")
    assert done.exit_code == 0 and done.stdout.endswith("\ntoy.toml: valid, no warnings\n")


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (Policy(), "names and identifiers are replaced by surrogates; all other words leave as "
         "they are"),
        (Policy(extends="stamp"), "names and identifiers are moved at random by polar at ε = 30 "
         "chordal where the task needs them, else are moved"),
        (Policy(numbers="all"), "every number is replaced"),
        (Policy(deny=("a", "b")), "2 terms of the owner are always sensitive"),
        (Policy(repair={"name": "https://example.com/v1"}), "example.com is sent released text"),
    ],
)  # fmt: skip
def test_check_says_in_words_what_happens(policy, sentence):
    assert any(line.startswith(sentence) for line in in_words(policy))


def test_check_warns_and_strict_fails(run, desk):
    careless = Budget.of([50, 60, math.inf, 1])
    (desk / "careless.toml").write_text(toy_policy(budget=careless).to_toml())
    done = run("policy", "check", "careless.toml")
    assert done.exit_code == 0
    assert "above the cliff" in done.stdout
    assert "unprotected" in done.stdout
    assert "other way round" in done.stdout
    assert run("policy", "check", "careless.toml", "--strict").exit_code == 1


def test_the_cliff_is_that_of_polar_mechanisms(run, desk):
    sharp = toy_policy(
        budget=Budget.uniform(50, metric="l1"), mechanism={"name": "laplace-coordinate"}
    )
    (desk / "other.toml").write_text(sharp.to_toml())
    assert "cliff" not in run("policy", "check", "other.toml").stdout


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("spase = 1", 'Did you mean "space"?'),
        ("= 1", "not valid TOML"),
        ('[space]\nname = "toyy"', 'no space "toyy"'),
        ('[space]\nname = "toy"\nrowz = 3', 'no option "rowz"'),
        ("[budget]\nepsilon = [1, 2, 3]", "four epsilons"),
        ('[mechanism]\nname = "surrogate"', "replaces at epsilon 0"),
    ],
)
def test_check_refuses_with_the_fix(run, desk, text, complaint):
    (desk / "bad.toml").write_text(f"extends = 'stamp'\n{text}")
    done = run("policy", "check", "bad.toml")
    assert (done.exit_code, done.stdout) == (2, "")
    assert complaint in done.stderr


def test_check_needs_a_file_that_is_there(run):
    done = run("policy", "check", "nowhere.toml")
    assert done.exit_code == 2
    assert "privstamp policy init" in done.stderr


@pytest.mark.parametrize("command", [["privatize", "note.txt"], ["policy", "init"]], ids=" ".join)
def test_an_empty_name_of_a_preset_is_not_the_default(run, command):
    done = run(*command, "--preset", "")
    assert done.exit_code == 2 and 'no policy preset ""' in done.stderr
