"""A whole measurement: everything needed is looked for first, and every record is told."""

import pytest

from privstamp.errors import InputError, UnknownName
from privstamp.lab import frontier as run
from privstamp.lab.frontier import Outcome
from privstamp.lab.frontier.grid import Setting
from privstamp.lab.progress import NotReady
from toys import ToySpace

PLAIN = [Setting("exponential", "chordal", (4.0, 8.0)), Setting("clusters", "tree", (3.0,))]


@pytest.fixture
def spaces(monkeypatch):
    opened = []

    def open_space(part):
        opened.append(part.name)
        if part.name.startswith("absent"):
            raise InputError(f"{part.name} is not at hand")
        return ToySpace(rows=120, dimensions=4)

    monkeypatch.setattr(run, "open_space", open_space)
    return opened


def test_progress_counts_records_over_all_spaces(spaces):
    told = []
    outcomes = run.measure(["one", "two"], PLAIN, quick=True, progress=lambda *it: told.append(it))
    assert [len(outcome.records) for outcome in outcomes] == [3, 3]
    counts = [done for _, done in told]
    assert counts == sorted(counts) and counts[0] == 0 and counts[-1] == 6
    assert any("clusters" in label for label, _ in told)


def test_what_a_measurement_was_made_on_is_said(spaces):
    (outcome,) = run.measure(["one"], PLAIN, quick=True)
    about = outcome.about
    assert about["quick"] is True and about["space"] == "toy" and about["dimensions"] == 4
    assert about["fingerprint"] == ToySpace(rows=120, dimensions=4).fingerprint
    assert about["words"] == 54 and 0 < about["share_of_class_frequency"] <= 1
    assert about["floor_unigram"] == pytest.approx(outcome.records[0]["floor_unigram"], rel=1e-3)


def test_all_spaces_that_are_missing_are_named_before_any_is_measured(spaces, monkeypatch):
    monkeypatch.setattr(run, "Bench", lambda *_: pytest.fail("measured"))
    with pytest.raises(NotReady) as caught:
        run.measure(["absent-a", "here", "absent-b"], PLAIN, quick=True)
    assert "absent-a" in str(caught.value) and "absent-b" in str(caught.value)
    assert spaces == ["absent-a", "here", "absent-b"]


def test_a_name_that_is_none_is_told_as_such():
    with pytest.raises(UnknownName, match="glove"):
        run.measure(["glov"], PLAIN, quick=True)


def test_settings_keep_the_order_of_measurement(spaces):
    (outcome,) = run.measure(["one"], PLAIN, quick=True)
    assert [records[0]["setting"] for records in outcome.settings()] == ["exponential", "clusters"]
    assert [len(records) for records in outcome.settings()] == [2, 1]


def point(setting, epsilon, recovery):
    known = dict.fromkeys(
        ("n50", "n50_unigram", "cosine", "keep_weighted", "keep_max", "loss_near", "loss_random",
         "loss_worst", "entropy_bits"), epsilon,
    )  # fmt: skip
    return known | {
        "setting": setting, "mechanism": setting, "metric": "m", "epsilon": epsilon,
        "recovery_unigram": recovery, "floor_unigram": 0.0, "recovery_how": "exact",
    }  # fmt: skip


def test_whoever_is_not_compared_is_named_with_the_reason():
    records = [point("weak", 1.0, 0.01), point("weak", 2.0, 0.07)]
    records += [point("strong", 1.0, 0.5), point("strong", 2.0, 0.9)]
    outcome = Outcome("toy", {"class": "a"}, records)
    assert [(row["setting"], row["above_floor"]) for row in outcome.compared()] == [("weak", 0.05)]
    reasons = {(row["setting"], row["above_floor"]): row["why"] for row in outcome.left_out()}
    assert reasons["weak", 0.1] == "no epsilon measured reaches it"
    assert reasons["strong", 0.05] == "every epsilon exceeds it"
    assert len(reasons) == 5


def test_a_number_that_one_end_lacks_is_not_made_up():
    low, high = point("a", 1.0, 0.0), point("a", 3.0, 0.2)
    low["n50"] = None  # nothing changed there
    outcome = Outcome("toy", {"class": "a"}, [low, high])
    row = next(row for row in outcome.compared() if row["above_floor"] == 0.1)
    assert row["n50"] is None and row["cosine"] == pytest.approx(2.0)
    assert row["n50_times"] is None  # no polar to stand beside
