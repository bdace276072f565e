from __future__ import annotations

import numpy as np
import pytest

from brute_force import chord_matrix, proved_loss
from privstamp.errors import BudgetError, Incompatible
from privstamp.mechanisms import _geometry as module
from privstamp.mechanisms._geometry import SCALES, Constants
from privstamp.mechanisms.exponential import Exponential, PolarVocabulary, Tem
from toys import ToySpace

CASES = [
    (PolarVocabulary, "chordal"),
    (PolarVocabulary, "angular"),
    (Exponential, "chordal"),
    (Exponential, "angular"),
    (Tem, "truncated"),
]
EACH = pytest.mark.parametrize(("kind", "metric"), CASES)


@pytest.fixture(scope="module")
def space():
    twins = np.random.default_rng(3).standard_normal((90, 5))
    twins[7] = twins[3]  # equal rows have equal laws and no say
    return ToySpace(unit=twins)


def distance_matrix(space, metric):
    chord = chord_matrix(space)
    if metric == "angular":
        return 2.0 * np.arcsin(np.minimum(chord / 2.0, 1.0)) / np.pi
    return np.minimum(chord, 1.0) if metric == "truncated" else chord


def brute(space, kind, metric, number, scale):
    """L(scale) over all pairs of a class, by other formulas than the module's."""
    apart = distance_matrix(space, metric)
    score = -apart
    if kind is PolarVocabulary:
        score = (1.0 - chord_matrix(space) ** 2 / 2.0) / (np.pi if metric == "angular" else 1.0)
    rows = np.flatnonzero(space.class_of == number)
    log_z = np.logaddexp.reduce(scale * score[np.ix_(rows, space.outputs[number])], axis=1)
    gap, apart = np.abs(log_z[:, None] - log_z), apart[np.ix_(rows, rows)]
    return (gap[apart > 1e-7] / apart[apart > 1e-7]).max()


@EACH
def test_constants_are_those_of_all_pairs(space, kind, metric):
    for number, found in enumerate(kind(space, metric=metric, constant="tight")._constants):
        for scale, value in zip(SCALES, found.values.tolist(), strict=True):
            exact = brute(space, kind, metric, number, scale)
            assert min(exact, scale) <= value <= exact + 1e-4 * scale


@EACH
@pytest.mark.parametrize("epsilon", [0.5, 4.0, 11.0, 30.0])
def test_the_tight_promise_holds_for_every_pair(space, kind, metric, epsilon):
    mechanism = kind(space, metric=metric, constant="tight")
    for number in (0, 1):
        assert epsilon / 2 <= mechanism.scale(number, epsilon) < epsilon
        assert mechanism.proved(number, epsilon) <= epsilon <= mechanism.nominal(number, epsilon)
    assert proved_loss(mechanism, space, epsilon, distance_matrix(space, metric)) <= epsilon


def test_something_is_gained_and_more_would_break_the_promise():
    space = ToySpace(90, 5, ("a",))
    space.outputs = (np.arange(90, dtype=np.int32),)  # then the bound is met
    mechanism = Exponential(space, constant="tight")
    found = mechanism._constants[0].values
    proved = SCALES[6] + float(found[6])
    assert mechanism.scale(0, proved) == SCALES[6] > 1.1 * proved / 2
    apart = distance_matrix(space, "chordal")
    assert 0.99 * proved < proved_loss(mechanism, space, proved, apart) <= proved
    mechanism.scale = lambda number, epsilon: 1.1 * SCALES[6]
    assert proved_loss(mechanism, space, proved, apart) > proved


def test_between_and_outside_the_scales_nothing_is_claimed():
    some = Constants(np.full(len(SCALES), 0.25))
    assert some.scale(1.0) == 0.5 and some.proved(1.0) == 1.0
    assert some.scale(SCALES[3] + 0.25) == SCALES[3]
    assert some.scale(SCALES[4] + 0.2) == SCALES[3]
    assert some.proved(SCALES[4] + 0.2) == SCALES[3] + 0.25
    assert some.scale(1e6) == 5e5 and some.proved(1e6) == 1e6


def test_blocks_change_nothing_and_what_is_kept_is_read_again(space, monkeypatch, tmp_path):
    whole = Exponential(space, constant="tight")._constants[1].values
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    monkeypatch.setattr(module, "_SMALL", 0)
    monkeypatch.setattr(module, "_NUMBERS", 200)
    assert np.abs(Exponential(space, constant="tight")._constants[1].values - whole).max() < 1e-9
    monkeypatch.setattr(module, "lipschitz", None)  # not worked out again
    assert np.abs(Exponential(space, constant="tight")._constants[1].values - whole).max() < 1e-9
    with pytest.raises(TypeError):
        Tem(space, constant="tight")


def test_too_many_rows_metrics_without_it_and_unknown_names_are_refused(space, monkeypatch):
    with pytest.raises(BudgetError, match='Did you mean "tight"'):
        Exponential(space, constant="tigt")
    with pytest.raises(BudgetError, match="nominal"):
        Exponential(space, metric="euclidean", constant="tight")
    monkeypatch.setattr(module, "MOST_ROWS", 10)
    with pytest.raises(Incompatible, match='constant = "nominal"'):
        PolarVocabulary(space, constant="tight")
    PolarVocabulary(space)
