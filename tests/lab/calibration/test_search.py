"""The edge of a made-up curve, known beforehand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.lab.calibration.gauge import TOLERANCE, largest_epsilon, rounded
from privstamp.lab.estimate import Estimate

RANGE = {"start": 8.0, "least": 0.05, "most": 1000.0}


def cliff(epsilon, at=33.0, steep=4.0):
    return 1.0 / (1.0 + (at / epsilon) ** steep)


def crossing(limit, at=33.0, steep=4.0):
    return at * (limit / (1.0 - limit)) ** (1.0 / steep)


@pytest.mark.parametrize("limit", [0.001, 0.05, 0.5, 0.97])
@pytest.mark.parametrize("start", [0.06, 8.0, 900.0])
def test_a_known_edge_is_found_from_below_and_within_tolerance(limit, start):
    found = largest_epsilon(lambda e: Estimate.exact(cliff(e)), limit, **{**RANGE, "start": start})
    edge = crossing(limit)
    assert found.epsilon is not None and edge / TOLERANCE <= found.epsilon <= edge * 1.0000001
    assert len(found.points) <= 24


def test_few_measurements_are_needed():
    found = largest_epsilon(lambda e: Estimate.exact(cliff(e)), 0.05, **RANGE)
    assert len(found.points) <= 8


def test_the_unfavourable_end_counts():
    def wide(epsilon):
        value = cliff(epsilon)
        return Estimate(value, value * 0.8, min(value * 1.25, 1.0))

    found = largest_epsilon(wide, 0.05, **RANGE)
    assert found.epsilon == pytest.approx(crossing(0.04), rel=0.02)
    assert found.edge is not None
    low, high = found.edge
    assert low < crossing(0.05) < high


def test_a_limit_that_no_epsilon_keeps():
    found = largest_epsilon(lambda e: Estimate.exact(0.2 + cliff(e) / 2), 0.1, **RANGE)
    assert found.epsilon is None and found.edge is None
    assert found.best[0] == RANGE["least"] and found.best[1].value == pytest.approx(0.2)


def test_a_limit_that_every_epsilon_keeps():
    found = largest_epsilon(lambda e: Estimate.exact(cliff(e) * 0.1), 0.2, **RANGE)
    assert found.epsilon == RANGE["most"] and found.edge == (1000.0, None)


def test_a_figure_without_a_value_never_holds():
    assert largest_epsilon(lambda _: Estimate.missing("none"), 0.9, **RANGE).epsilon is None


@pytest.mark.parametrize(
    ("value", "short"),
    [
        (10.2999, 10.2),
        (10.3, 10.3),
        (0.045678, 0.0456),
        (999.9, 999.0),
        (1234.5, 1230.0),
        (1.0, 1.0),
    ],
)
def test_rounding_never_adds(value, short):
    assert rounded(value) == pytest.approx(short, rel=1e-12)
    assert rounded(value) <= value * (1 + 1e-8) and math.isfinite(rounded(value))


@given(
    at=st.floats(0.5, 200.0), steep=st.floats(0.8, 12.0), limit=st.floats(0.002, 0.98),
    start=st.floats(0.06, 900.0),
)  # fmt: skip
def test_whatever_the_curve_the_chosen_epsilon_holds_and_is_the_largest(at, steep, limit, start):
    edge = crossing(limit, at, steep)
    found = largest_epsilon(
        lambda e: Estimate.exact(cliff(e, at, steep)), limit, **{**RANGE, "start": start}
    )
    if edge < RANGE["least"]:
        assert found.epsilon is None
        return
    assert cliff(found.epsilon, at, steep) <= limit
    within = min(edge, RANGE["most"])
    assert found.epsilon <= within * (1 + 1e-9)
    # Eight steps narrow any bracket that was doubled to: to the tolerance, or nearly.
    assert found.epsilon >= within / 1.35


@given(st.floats(1e-4, 1e4))
def test_rounding_keeps_three_digits_and_nearly_everything(value):
    short = rounded(value)
    assert value * 0.99 <= short <= value * (1 + 1e-8)
    assert rounded(short) == pytest.approx(short, rel=1e-12)


def test_points_are_those_that_were_measured_in_order():
    measured = []

    def measure(epsilon):
        measured.append(epsilon)
        return Estimate.exact(cliff(epsilon))

    found = largest_epsilon(measure, 0.3, **RANGE)
    assert [epsilon for epsilon, _ in found.points] == sorted(set(measured))
    assert len(measured) == len(set(measured)), "no epsilon is measured twice"
    assert found.epsilon in measured


def test_the_safest_point_is_the_best_there_is():
    found = largest_epsilon(lambda e: Estimate(0.5, 0.2, 0.4 + 1 / e), 0.1, **RANGE)
    assert found.epsilon is None
    assert found.best[1].upper == min(estimate.upper for _, estimate in found.points)
