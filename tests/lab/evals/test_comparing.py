"""Settings are compared at what they have in common, and only within what was measured."""

import numpy as np
import pytest

from privstamp.lab import estimate
from privstamp.lab.evals.contracts import Record
from privstamp.lab.evals.report import ahead, at_recovery, compared, interpolated
from privstamp.lab.evals.results import SettingRow


def row(scores, recovered, *, epsilon=None, open_units=0.0, condition="", **labels):
    """Texts with a score each, and of a hundred sensitive units so many recovered."""
    scores, recovered = np.atleast_1d(scores), np.atleast_1d(recovered)
    recovered = np.broadcast_to(recovered, len(scores))
    privacy = {"sensitive": 100.0, "unprotected": open_units}
    if epsilon is not None:
        privacy |= {"units_chordal": 1.0, "epsilon_chordal": epsilon}
    records = [
        Record("c", f"{n}", f"{n}", {"correct": float(one)},
               {**privacy, "recovered_unigram": 100.0 * float(share)}, {})
        for n, (one, share) in enumerate(zip(scores, recovered, strict=True))
    ]  # fmt: skip
    return SettingRow(
        "mechanisms", "ag_news", "tfidf", condition, "policy", labels, {}, [1], records
    )


def test_interpolation_stays_within_what_was_measured():
    points = [(0.3, 0.9), (0.1, 0.5)]
    assert interpolated(points, 0.2) == pytest.approx(0.7)
    assert interpolated(points, 0.05) is None
    assert interpolated(points, 0.31) is None
    assert interpolated([], 0.1) is None


def test_points_at_one_place_count_as_their_mean():
    points = [(0.0, 0.5), (0.0, 0.3), (0.0, 0.4), (0.2, 0.8)]
    assert interpolated(points, 0.0) == pytest.approx(0.4)
    assert interpolated(points, 0.1) == pytest.approx(0.6)


def test_mechanisms_stand_at_equal_recovery_best_first():
    rows = [
        row(0.5, 0.0, mechanism="polar"),
        row(0.7, 0.1, mechanism="polar"),
        row(0.7, 0.0, mechanism="hops"),
        row(0.9, 0.25, mechanism="hops"),
    ]
    found = compared("mechanisms", "ag_news", {"tfidf": rows})
    sheet = found["mechanisms, at equal recovery", "ag_news"]
    assert sheet.title == "mechanisms, at equal recovery: ag_news"
    assert [line[1] for line in sheet.lines] == ["hops", "polar"]
    assert sheet.lines[1][2:] == ["0.520", "0.600", ""]
    assert sheet.lines[0][4] == "0.860"


def test_variants_stand_beside_uniform_at_equal_mean_and_at_equal_recovery():
    rows = [
        row(0.8, 0.05, epsilon=20.0, variant="all", condition="all 10"),
        row(0.9, 0.05, epsilon=20.0, variant="private-only", open_units=3.0, condition="private"),
        row(0.4, 0.0, epsilon=10.0, variant="uniform"),
        row(0.9, 0.5, epsilon=30.0, variant="uniform"),
    ]
    (sheet,) = compared("stamp-vs-uniform", "ag_news", {"tfidf": rows}).values()
    found = {line[1]: line[2:] for line in sheet.lines}
    assert found["all 10"] == ["0.800", "0.050", "20", "0.650", "0.450", "+0.350"]
    assert found["private"] == ["0.900", "0.050", "", "", "0.450", "+0.450"]  # its mean is infinite


def ladders(random, texts, gap):
    """Two ladders on the same texts, some harder than others; the second is `gap` ahead."""
    hard = random.uniform(-0.3, 0.3, texts)

    def drawn(score):
        return (random.random(texts) < np.clip(score + hard, 0, 1)).astype(float)

    lower = [row(drawn(0.4), random.uniform(0, 0.04, texts)), row(drawn(0.6), 0.2)]
    upper = [row(drawn(0.4 + gap), random.uniform(0, 0.04, texts)), row(drawn(0.6 + gap), 0.2)]
    middle = row(drawn(0.5 + gap), random.uniform(0.09, 0.13, texts))
    return lower, upper, middle


def test_intervals_at_equal_recovery_hold_what_is_true(monkeypatch):
    monkeypatch.setattr(estimate, "DRAWS", 500)
    random = np.random.default_rng(5)
    scores, gaps, wrong = [], [], []
    for _ in range(120):
        lower, _, middle = ladders(random, 150, 0.1)
        at = at_recovery(lower, 0.11)
        scores.append(at.low <= 0.5 <= at.high)
        found = ahead(middle, lower)
        gaps.append(found.low <= 0.1 <= found.high)
        wrong.append(found.low <= -0.05 <= found.high)
    assert min(np.mean(scores), np.mean(gaps)) > 0.88
    assert np.mean(wrong) < 0.35


def test_no_bounds_where_many_draws_fall_outside_what_was_measured(monkeypatch):
    monkeypatch.setattr(estimate, "DRAWS", 500)
    random = np.random.default_rng(6)
    rows = [row(random.random(50), random.uniform(0, 0.1, 50)), row(random.random(50), 0.2)]
    edge = float(np.mean([one.privacy["recovered_unigram"] for one in rows[0].records])) / 100
    assert at_recovery(rows, edge + 1e-6).low is None
    assert at_recovery(rows, 0.15).low is not None


def test_other_experiments_have_no_further_tables():
    assert compared("restore", "fantasy", {"tfidf": [row(0.5, 0.1)]}) == {}
