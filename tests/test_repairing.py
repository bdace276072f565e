"""Repair on the line: it sees what was released alone, and the certificate says what it did."""

import json
from dataclasses import replace

import pytest

from line import make
from mender import Mender, crashes, is_down
from privstamp.budget import Budget
from privstamp.errors import PolicyError
from privstamp.policy import Part, Policy
from privstamp.release.certificate import Certificate
from privstamp.release.document import Document
from privstamp.release.repairs import must_stay, repaired
from privstamp.repair.checks import AGAIN, SYSTEM
from privstamp.repair.rewriter import ModelRepair
from privstamp.restore.map import SurrogateMap
from privstamp.types import Reply

TEXT = (
    "w1 Quixworth w2 paid 1234 to Zanzibarre, w3 w4 w5 w6 w7.\n\n"
    "  w8 w9 told Quixworth of w10 w11.\n"
)
KINDS = {"Quixworth": "PERSON", "Zanzibarre": "LOCATION"}
CANARIES = ("Quixworth", "Zanzibarre", "1234")


def line(monkeypatch, change, **more):
    mender = Mender(change)
    monkeypatch.setattr("privstamp.repair.checks.LETTERS", 0.0)  # toy words are mostly digits
    made = make(monkeypatch, kinds=KINDS, budget=Budget.uniform(1.0), **more)
    object.__setattr__(made.parts, "repair", mender)
    return made, mender


def replace_repair(made, repair):
    """The same line with another repair, or none."""
    plain = made.with_noise(seed=1)
    plain.parts = replace(made.parts, repair=repair)
    return plain


def reordered(window):
    """Harmless under the checks: one function word more."""
    return window[:-1] + " too."


def test_only_released_text_is_shown(monkeypatch):
    made, mender = line(monkeypatch, reordered, seed=1)
    result = made.privatize(TEXT, "w1 Quixworth?")
    shown = "\n".join(mender.shown)
    assert mender.shown and all(window in result.unrepaired for window in mender.shown)
    assert not any(canary in shown for canary in CANARIES)
    assert (
        result.text.count(" too.") == 2 and result.text.replace(" too.", ".") == result.unrepaired
    )
    assert result.text.endswith(".\n") and "\n\n  " in result.text


class Recorder:
    """Stands for a model elsewhere, and keeps every prompt."""

    name, place, fingerprint = "recorder", "example.com", "r"

    def __init__(self):
        self.prompts = []

    def complete(self, prompts, *, temperature, max_tokens):
        self.prompts += prompts
        return [Reply("nonsense", 1, 1) for _ in prompts]


def test_whole_prompts_hold_released_text_and_fixed_words_alone(monkeypatch):
    """Neither originals nor groups, nor which words must stay, in the first round or the second."""
    made, _ = line(monkeypatch, reordered, seed=1)
    recorder = Recorder()
    object.__setattr__(made.parts, "repair", ModelRepair(recorder))
    result = made.privatize(TEXT, "w1 Quixworth?")
    assert result.text == result.unrepaired and result.certificate.repair.refused == 2
    assert len(recorder.prompts) == 4
    assert {one.system for one in recorder.prompts} == {SYSTEM, AGAIN}
    assert all(one.text in result.unrepaired for one in recorder.prompts)
    assert not any(canary in one.text for one in recorder.prompts for canary in CANARIES)


def test_the_certificate_says_where_and_what(monkeypatch):
    made, _ = line(monkeypatch, reordered)
    plain = make(monkeypatch, kinds=KINDS, budget=Budget.uniform(1.0)).privatize(TEXT).certificate
    certificate = made.privatize(TEXT).certificate
    facts = certificate.repair
    assert (facts.repaired, facts.unchanged, facts.refused, facts.failed) == (2, 0, 0, 0)
    assert (facts.model, facts.place, facts.trouble) == ("mender", "this machine", None)
    assert plain.repair is None
    assert certificate.loss == plain.loss and certificate.counts == plain.counts
    assert certificate.scope == plain.scope and certificate.groups == plain.groups
    assert any("post-processing" in note for note in certificate.notes)
    again = Certificate.model_validate_json(json.dumps(certificate.to_dict()))
    assert again.repair == facts


def test_a_host_is_named(monkeypatch):
    made, mender = line(monkeypatch, reordered)
    mender.place, mender.repeatable = "example.com", False
    certificate = made.privatize(TEXT).certificate
    assert certificate.repair.away and not certificate.repair.repeatable
    assert any("example.com, which was sent the released text" in one for one in certificate.notes)


@pytest.mark.parametrize("change", [crashes, is_down])
def test_a_failure_releases_the_unrepaired_text_and_says_so(monkeypatch, change):
    made, _ = line(monkeypatch, change)
    result = made.privatize(TEXT)
    assert result.text == result.unrepaired
    assert result.certificate.repair.failed == 2 and result.certificate.repair.trouble
    assert "SECRET" not in result.certificate.to_json()


def test_a_break_before_the_loop_releases_the_unrepaired_text(monkeypatch):
    made, _ = line(monkeypatch, reordered)
    monkeypatch.setattr("privstamp.release.repairs.must_stay", crashes)
    result = made.privatize(TEXT)
    assert result.text == result.unrepaired and result.certificate.repair.trouble


def test_dropped_surrogates_are_refused_and_restore_still_works(monkeypatch):
    made, mender = line(monkeypatch, lambda w: w, seed=1)
    [written] = replace_repair(made, None).run([Document(0, TEXT, None)])
    result = written.result
    names = [one.surrogate for one in result.map.entries if one.original in CANARIES]
    assert len(names) == 3
    stay = must_stay(written, made.parts, made.policy)
    assert set(names) <= stay
    for name in names:
        mender._change = lambda w, name=name: w.replace(name, "it")
        again = repaired([written], made.parts, made.policy, lambda _: None)[0]
        assert again.text == result.text and again.certificate.repair.reasons["kept"] >= 1
    mender._change = reordered
    good = repaired([written], made.parts, made.policy, lambda _: None)[0]
    for canary in CANARIES:
        assert canary in good.restore(good.text)


def test_placeholders_and_the_owners_words_must_stay(monkeypatch):
    made, _ = line(monkeypatch, reordered, style="placeholder", keep=["w5"], allow=["w8"])
    [written] = made.run([Document(0, TEXT, None)])
    result = replace(written.result, text="[PERSON_1] saw W5 and w8")
    stay = must_stay(replace(written, result=result), made.parts, made.policy)
    assert {"[PERSON_1]", "[LOCATION_1]"} <= stay
    assert {"W5", "w8"} <= stay  # as they stand in what was released


def test_what_must_stay_does_not_depend_on_what_a_word_was(monkeypatch):
    """Neither on the original rows, nor on the map, which leaves out draws that hit theirs."""
    made, _ = line(monkeypatch, reordered, seed=1, deny=["W12", "W13"])
    [written] = made.run([Document(0, "W12 W13 paid w1 w2 w3 w4.", None)])
    result = written.result
    first = must_stay(written, made.parts, made.policy)
    assert {word for word in result.text.split() if word[0] == "W"} <= first
    written.units.rows[written.perturbed] = written.outputs  # as if every word came out as itself
    unmapped = replace(written, result=replace(result, map=SurrogateMap()))
    assert must_stay(unmapped, made.parts, made.policy) == first


def test_many_are_repaired_together_and_traces_stay_private(monkeypatch):
    made, mender = line(monkeypatch, reordered)
    results = list(made.privatize_many([TEXT, 7, TEXT.replace("w1", "w2")]))
    assert [one.ok for one in results] == [True, False, True]
    assert mender.rounds == [False]
    assert results[0].trace is None
    assert made.privatize(TEXT, trace=True).trace is not None


def test_the_stage_is_watched(monkeypatch):
    made, _ = line(monkeypatch, reordered)
    seen = []
    made.watch(lambda stage, done: seen.append((stage, done)))
    made.privatize(TEXT)
    assert ("repair", 0.0) in seen and ("repair", 1.0) in seen
    assert seen[-1][0] == "repair"


def test_a_repaired_release_is_no_second_release(monkeypatch):
    """Under a secret the noise is the same with and without a repair."""
    secret = bytes(range(32))
    plain = make(monkeypatch, kinds=KINDS, budget=Budget.uniform(1.0), secret=secret)
    made, _ = line(monkeypatch, reordered, secret=secret, repair={"name": "local"})
    assert made.policy.repair is not None
    first, again = made.privatize(TEXT), made.privatize(TEXT)
    assert first.text == again.text != first.unrepaired
    assert first.unrepaired == plain.privatize(TEXT).text


def test_a_policy_names_its_repair():
    policy = Policy.from_toml(
        'extends = "selective"\n[repair]\nname = "https://example.com/v1"\nmodel = "m"\n'
    )
    assert policy.repair == Part.model_validate({"name": "https://example.com/v1", "model": "m"})
    assert Policy.from_toml(policy.to_toml()) == policy
    assert Policy.of({"repair": "local"}).repair.name == "local"
    assert policy.fingerprint() != policy.unrepaired.fingerprint() == Policy().fingerprint()
    assert Policy().unrepaired == Policy()
    with pytest.raises(PolicyError, match="repair"):
        Policy.of({"repair": {"model": "m"}})
