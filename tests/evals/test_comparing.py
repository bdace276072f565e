"""Settings are compared at what they have in common, and only within what was measured."""

from types import SimpleNamespace

import pytest

from privstamp.evals.comparing import comparisons, interpolated


def row(score, recovered, *, epsilon=None, open_units=0.0, condition="", **labels):
    """What a comparison looks at."""
    return SimpleNamespace(
        method="policy", reader="tfidf", condition=condition, labels=labels,
        value=SimpleNamespace(value=score),
        shares={"recovered_unigram": SimpleNamespace(value=recovered)},
        epsilons={} if epsilon is None else {"chordal": epsilon},
        total=lambda _: open_units,
    )  # fmt: skip


def test_interpolation_stays_within_what_was_measured():
    points = [(0.3, 0.9), (0.1, 0.5)]
    assert interpolated(points, 0.2) == pytest.approx(0.7)
    assert interpolated(points, 0.05) is None
    assert interpolated(points, 0.31) is None
    assert interpolated([], 0.1) is None


def test_mechanisms_stand_at_equal_recovery_best_first():
    rows = [
        row(0.5, 0.0, mechanism="polar"),
        row(0.7, 0.1, mechanism="polar"),
        row(0.7, 0.0, mechanism="hops"),
        row(0.9, 0.25, mechanism="hops"),
    ]
    (sheet,) = comparisons("mechanisms", "ag_news", rows)
    assert sheet.experiment == "mechanisms, at equal recovery"
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
    (sheet,) = comparisons("stamp-vs-uniform", "ag_news", rows)
    found = {line[1]: line[2:] for line in sheet.lines}
    assert found["all 10"] == ["0.800", "0.050", "20", "0.650", "0.450"]
    assert found["private"] == ["0.900", "0.050", "", "", "0.450"]  # its mean is infinite


def test_other_experiments_have_no_further_tables():
    assert list(comparisons("restore", "fantasy", [row(0.5, 0.1)])) == []
