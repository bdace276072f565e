"""A policy that lies in the folder may not send, fetch or weaken unless it is named or trusted."""

import json
import os
import stat

import pytest
from toy_desk import toy_policy

from privstamp.errors import PolicyError
from privstamp.policy import DEFAULT, PRESETS, Policy
from privstamp.policy.trust import Trust, hosts, may_stay, objections, seal

HOST = "collector.example.com"
NAMED = ("--policy", "privstamp.toml")


@pytest.fixture
def lay(desk):
    """Leave a policy in the folder."""

    def write(policy):
        (desk / "privstamp.toml").write_text(policy.to_toml())

    return write


def sending(**changes):
    repair = {"name": f"https://{HOST}/v1", "model": "m"}
    return toy_policy(repair=repair, **changes)


def replacing():
    """A toy policy that is strong, and still not one that comes with privstamp."""
    return toy_policy(budget={"epsilon": [0, 0, 1, 1]})


def test_a_found_policy_sends_nothing_and_names_the_host(run, lay, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "privstamp.models.endpoint.Endpoint.complete", lambda *a, **k: asked.append(a)
    )
    lay(sending())
    done = run("privatize", "note.txt")
    assert (done.exit_code, done.stdout, asked) == (2, "", [])
    assert HOST in done.stderr and "privstamp policy trust" in done.stderr


@pytest.mark.parametrize("command", ["explain", "group", "audit"])
def test_no_command_that_reads_texts_takes_it(run, lay, command):
    lay(replacing())
    done = run(command, "note.txt")
    assert done.exit_code == 2 and "nobody named it" in done.stderr


def test_check_and_calibrate_build_nothing_of_it_but_show_reads_it(run, lay):
    lay(replacing())
    assert run("policy", "check").exit_code == 2
    assert run("calibrate", "--sensitive", "0.05").exit_code == 2
    assert run("policy", "show").exit_code == 0


def test_naming_it_is_enough(run, lay):
    lay(toy_policy())
    assert run("privatize", "note.txt", *NAMED).exit_code == 0


def test_trust_lasts_until_the_file_changes(run, lay, desk):
    lay(replacing())
    told = run("policy", "trust")
    assert told.exit_code == 0 and "it sets" in told.stdout
    done = run("privatize", "note.txt")
    assert done.exit_code == 0 and "./privstamp.toml" in done.stderr
    with (desk / "privstamp.toml").open("a") as file:
        file.write("\n")
    assert run("privatize", "note.txt").exit_code == 2


def test_trust_can_be_taken_back(run, lay):
    lay(replacing())
    run("policy", "trust")
    assert "no longer" in run("policy", "trust", "--forget").stdout
    assert run("privatize", "note.txt").exit_code == 2
    assert "was not" in run("policy", "trust", "--forget").stdout


def test_a_weak_policy_must_be_named_or_accepted_even_if_trusted(run, lay):
    lay(toy_policy())
    assert "--accept" in run("policy", "trust").stdout
    done = run("privatize", "note.txt")
    assert done.exit_code == 2 and "as themselves" in done.stderr
    assert run("privatize", "note.txt", "--accept", "weak").exit_code == 0
    assert run("privatize", "note.txt", *NAMED).exit_code == 0
    odd = run("privatize", "note.txt", "--accept", "weke")
    assert odd.exit_code == 2 and 'Did you mean "weak"' in odd.stderr


def test_one_that_only_protects_more_needs_no_trust(run, lay):
    more = Policy.preset(DEFAULT).model_copy(update={"deny": ("harbour",), "numbers": "all"})
    assert objections(more) == []
    lay(more)
    done = run("privatize", "-", input="Nobody swims in the harbour.")
    assert done.exit_code == 0 and "harbour" not in done.stdout


@pytest.mark.parametrize(
    "changes",
    [
        {"allow": ("Sheffield",)},
        {"keep": ("pain",)},
        {"numbers": "perturb"},
        {"sensitivity": {"name": "rules"}},
        {"sensitivity": {"name": "hf:somebody/detector"}},
        {"repair": {"name": "local"}},
        {"draws": "independent"},
        {"budget": {"epsilon": [0, 0, 6, 6]}},
    ],
)
def test_everything_else_is_an_objection(changes):
    values = {**Policy.preset(DEFAULT).model_dump(mode="python"), **changes}
    assert objections(Policy.of(values))


def test_noise_on_values_counts_as_weak():
    assert may_stay(Policy().model_copy(update={"numeric": ({"kind": "AGE"},)})) == [1, 2]


def test_presets_are_strong_but_for_the_papers():
    assert {name for name, preset in PRESETS.items() if may_stay(preset)} == {"stamp", "paper"}


def test_hosts_are_told_before_anything_is_built_or_sent(run, lay, monkeypatch):
    said, known = [], []

    def build(*_, **__):
        known.extend(said)
        raise PolicyError("enough")

    monkeypatch.setattr("privstamp.cli.line.tell", said.append)
    monkeypatch.setattr("privstamp.cli.line.Privatizer", build)
    lay(sending())
    assert "enough" in run("privatize", "note.txt", *NAMED).stderr
    assert known == [f"{HOST} is sent released text"]


def test_hosts_are_found_wherever_they_stand(monkeypatch):
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    parts = ["rules", {"name": "onnx:x", "from": ["https://a.example.com:8/x"]}]
    policy = toy_policy(
        sensitivity={"name": "union", "parts": parts}, language_model={"name": "hf:gpt2"}
    )
    assert set(hosts(policy)) == {"a.example.com", "huggingface.co"}
    assert not hosts(toy_policy(deny=["https://a.example.com"]))


def test_privatize_repeats_the_warnings_of_check(run, desk):
    (desk / "careless.toml").write_text(
        toy_policy(budget={"epsilon": [50, 60, 1, 1]}, numbers="perturb").to_toml()
    )
    lines = run("policy", "check", "careless.toml").stdout.splitlines()
    warnings = [line for line in lines if line.startswith("warning: ")]
    told = run("privatize", "note.txt", "--policy", "careless.toml").stderr
    assert len(warnings) > 2 and all(warning in told for warning in warnings)


def test_the_seal_covers_place_bytes_and_named_files(tmp_path):
    policy = tmp_path / "privstamp.toml"
    content = b'[importance]\nname = "task-match"\nexamples = "examples.jsonl"\n'
    policy.write_bytes(content)
    seals = [seal(policy, content)]
    (tmp_path / "examples.jsonl").write_text("{}")
    seals.append(seal(policy, content))
    (tmp_path / "examples.jsonl").write_text("{ }")
    seals += [
        seal(policy, content),
        seal(policy, content + b"\n"),
        seal(tmp_path / "b.toml", content),
    ]
    assert len(set(seals)) == len(seals)
    assert seal(policy, content) == seals[2]


def test_the_record_is_private_and_a_doubtful_one_is_refused(tmp_path):
    trust = Trust(tmp_path / "config" / "trusted.json")
    policy = tmp_path / "privstamp.toml"
    policy.write_bytes(b"")
    trust.add(policy, b"")
    assert trust.holds(policy, b"") and not trust.holds(policy, b"\n")
    assert stat.S_IMODE(trust.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(trust.file.parent.stat().st_mode) == 0o700
    if os.name != "nt":
        trust.file.chmod(0o666)
        with pytest.raises(PolicyError, match="nobody else"):
            trust.holds(policy, b"")
    trust.file.chmod(0o600)
    trust.file.write_text(json.dumps(["odd"]))
    with pytest.raises(PolicyError):
        trust.holds(policy, b"")
