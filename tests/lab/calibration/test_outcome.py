"""What a calibration found, as people, programs and policies read it."""

import json

import pytest

from privstamp import registry
from privstamp.budget import Budget
from privstamp.lab.calibration.gauge import Attacker, GaugeReading
from privstamp.lab.calibration.outcome import (
    CalibrationPlan,
    ClassReading,
    Outcome,
    Point,
    as_json,
    draw,
    in_words,
)
from privstamp.lab.estimate import Estimate
from privstamp.policy import Policy

SHARE = Estimate(0.2, 0.15, 0.26, 400)
READING = GaugeReading(SHARE, Estimate(0.5, 0.4, 0.6, 400), Estimate.exact(0.7))


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    known = {**registry.SPACES._builtin, "toy": "toys:ToySpace"}
    monkeypatch.setattr(registry.SPACES, "_builtin", known)


def outcome(groups=(1, 2), epsilon=3.0, **more):
    classes = (ClassReading("a", 0.01, READING),) if epsilon else ()
    curve = (Point(2.0, "a", SHARE, SHARE), Point(3.0, "a", SHARE, SHARE))
    given = {"cannot": "", "best": None, "limit": 0.3, **more}
    return Outcome(
        groups, "exponential", "chordal", given["limit"], epsilon, (epsilon or 1.0, 3.2), classes,
        curve, given["cannot"], given["best"],
    )  # fmt: skip


def plan(*outcomes, **more):
    asked = Policy.of(
        {"extends": "stamp", "space": "toy", "mechanism": "exponential",
         "budget": Budget.of([1, 2, 8, 9])}
    )  # fmt: skip
    return CalibrationPlan(asked, Attacker(), 1, "ab" * 16, outcomes, **more)


def test_groups_without_an_outcome_keep_what_they_had():
    assert plan(outcome()).epsilon == (3.0, 3.0, 8.0, 9.0)
    assert plan(outcome((3,), 5.0)).epsilon == (1.0, 2.0, 5.0, 9.0)
    assert plan(outcome(), shared=(0.5, 0.5, 7.0, 6.0)).epsilon == (0.5, 0.5, 7.0, 6.0)
    assert plan().possible and plan().limits == {}


def test_one_outcome_that_cannot_be_spoils_the_plan():
    broken = outcome((3, 4), None, cannot="words are never kept", best=0.4)
    both = plan(outcome(), broken)
    assert not both.possible
    said = in_words(both)
    assert "Groups 3, 4 (limit 0.3): words are never kept." in said and "1, 2" not in said
    assert "best achievable is 0.400" in said and "epsilon of 0" in said
    data = as_json(both)
    assert data["epsilon"] is None and data["calibration"] is None and data["possible"] is False
    assert data["outcomes"][1]["cannot"] == "words are never kept"


def test_keep_is_the_lower_end_of_the_worst_class():
    loose = ClassReading("b", 0.0, GaugeReading(SHARE, Estimate(0.9, 0.35, 1.0, 9), SHARE))
    classes = (*outcome().classes, loose)
    assert Outcome((3,), "m", "c", None, 1.0, None, classes, ()).keep == 0.35
    assert outcome(epsilon=None).keep == 0.0


def test_json_has_every_figure_with_its_interval():
    data = json.loads(json.dumps(as_json(plan(outcome())), allow_nan=False))
    (found,) = data["outcomes"]
    assert found["groups"] == [1, 2] and found["edge"] == [3.0, 3.2] and found["cannot"] is None
    (words,) = found["classes"]
    assert words["class"] == "a" and words["floor"] == 0.01
    assert words["recovery"] == {"value": 0.2, "low": 0.15, "high": 0.26}
    assert set(words) == {"class", "floor", "recovery", "keep", "cosine"}
    assert [point["epsilon"] for point in found["curve"]] == [2.0, 3.0]
    assert data["calibration"]["target_recovery"] == {"1": 0.3, "2": 0.3}


def test_the_mark_of_a_calibration_follows_all_it_depends_on():
    def mark(found):
        return found.policy().calibration.fingerprint

    first = plan(outcome())
    assert mark(first) == mark(plan(outcome()))
    others = [
        plan(outcome(limit=0.4)),
        plan(outcome(), saw="private sample"),
        CalibrationPlan(first.asked, Attacker("uniform", "mean"), 1, first.space, first.outcomes),
        CalibrationPlan(first.asked, first.attacker, 2, first.space, first.outcomes),
        CalibrationPlan(first.asked, first.attacker, 1, "cd" * 16, first.outcomes),
    ]
    assert len({mark(first), *map(mark, others)}) == 6


def test_a_picture_has_a_panel_for_each_outcome(tmp_path):
    pytest.importorskip("matplotlib")
    for name in ("one.svg", "two.svg"):
        draw(plan(outcome(), outcome((3,), None, limit=None)), tmp_path / name)
    drawn = (tmp_path / "one.svg").read_text()
    assert "groups 1, 2: exponential" in drawn and "groups 3: exponential" in drawn
    assert "epsilon (chordal)" in drawn and "recovered, unigram prior" in drawn
    assert drawn == (tmp_path / "two.svg").read_text(), "the same picture, the same file"
