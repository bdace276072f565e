"""Nearness of what changed: exact laws, releases and brute force agree."""

import numpy as np
import pytest

from privstamp.lab.attackers import NEAR, Candidates, Draws, Queries, draw
from privstamp.lab.frontier.figures import (
    entropy_of_draws,
    entropy_of_rows,
    from_draws,
    from_rows,
)
from privstamp.registry import MECHANISMS
from toys import ToySpace


@pytest.fixture(scope="module")
def words():
    return Candidates(ToySpace(rows=400, dimensions=6), 0)


@pytest.fixture(scope="module")
def laws(words):
    space = words.space
    return MECHANISMS.build("polar-vocabulary", {}, space=space, metric="chordal").law(0)


def test_from_rows_is_the_definition(words, laws):
    places = np.array([0, 5, 17])
    rows, near, moved, along = laws.rows(places, 8.0), 0.0, 0.0, 0.0
    for row, place in zip(rows, places, strict=True):
        cosine = words.unit @ words.unit[place]
        order = [other for other in np.argsort(-cosine) if other != place]
        near += row[order[:NEAR]].sum()
        moved += row[order].sum()
        along += (row * cosine)[order].sum()
    found = from_rows(rows, Queries(words, places))
    assert found.n50.value == pytest.approx(near / moved, rel=1e-4)
    assert found.cosine == pytest.approx(along / moved, rel=1e-4)
    assert found.n50.low < found.n50.value < found.n50.high


def test_draws_agree_with_laws(words, laws):
    mechanism = MECHANISMS.build("polar-vocabulary", {}, space=words.space, metric="chordal")
    places = np.arange(20)
    exact = from_rows(laws.rows(places, 8.0), Queries(words, places))
    drawn = from_draws(draw(mechanism, words, np.repeat(places, 400), 8.0, "many"), words)
    assert drawn.n50.value == pytest.approx(exact.n50.value, abs=0.03)
    assert drawn.cosine == pytest.approx(exact.cosine, abs=0.03)
    assert drawn.rank == pytest.approx(exact.rank, abs=8)


def test_nothing_changed_is_no_number(words):
    same = Draws(np.arange(3), np.arange(3), 0.0)
    assert from_draws(same, words).n50.value is None
    rows = np.eye(len(words), dtype=np.float32)[:3]
    assert from_rows(rows, Queries(words, np.arange(3))).n50.value is None


def test_entropy(words):
    flat = np.full((2, 16), 1 / 16, dtype=np.float32)
    assert entropy_of_rows(flat) == pytest.approx(4.0, abs=1e-6)
    assert entropy_of_rows(np.eye(4, dtype=np.float32)) == 0.0
    outputs = np.tile(np.arange(16), 2 * 100)
    assert entropy_of_draws(Draws(outputs, outputs, 0.0), 2) == pytest.approx(4.0, abs=0.02)
