"""The int8 search is the float32 search, whatever the table; both against each other."""

from __future__ import annotations

import numpy as np
import pytest

from privstamp.crew import threads
from privstamp.decoding import certified
from privstamp.decoding.certified import Int8
from privstamp.decoding.exact import Exact
from privstamp.mechanisms.decoded import vmf
from privstamp.noise import Noise
from toys import ToySpace

torch = pytest.importorskip("torch")


def noisy(space, count, kappa, key=bytes(32)):
    rows = np.random.default_rng(1).integers(0, len(space.unit), count)
    centres = space.unit[rows].astype(np.float64)
    centres /= np.sqrt((centres * centres).sum(-1))[:, None]
    noise = Noise.of_document(key, np.arange(count))
    return vmf(centres, np.full(count, kappa), noise), space.class_of[rows]


def heavy(dimensions):
    """Coordinates with outliers, copies, opposites, and rows one step apart: hard to code."""
    random = np.random.default_rng(3)
    table = random.standard_t(2.5, (900, dimensions))
    table[300:400] = table[:100]
    table[400:500] = -table[:100]
    table[500:600] = np.nextafter(table[:100].astype(np.float32), np.float32(9.0))
    return ToySpace(unit=table)


@pytest.mark.parametrize("kappa", [0.0, 20.0, 100.0, 1e4])
@pytest.mark.parametrize(
    "space", [ToySpace(5000, 50), ToySpace(3000, 300, ("a",)), heavy(40), ToySpace(300, 3)],
    ids=["a", "b", "c", "d"],
)  # fmt: skip
def test_both_searches_agree_on_the_same_noise(space, kappa):
    queries, classes = noisy(space, 3000, kappa)
    decoder = Int8(space)
    assert np.array_equal(decoder.decode(queries, classes), Exact(space).decode(queries, classes))
    assert decoder.tally.queries + decoder.tally.fallbacks == 3000


@pytest.mark.slow
def test_a_hundred_thousand_draws_agree():
    space = ToySpace(20_000, 64)
    decoder, plain = Int8(space), Exact(space)
    for key in range(5):
        queries, classes = noisy(space, 20_000, 45.0, bytes([key]) * 32)
        assert np.array_equal(decoder.decode(queries, classes), plain.decode(queries, classes))
    assert decoder.tally.fallbacks == 0
    assert decoder.tally.share < 0.01


def test_threads_never_change_an_id(monkeypatch):
    space = ToySpace(5000, 50)
    queries, classes = noisy(space, 1000, 20.0)
    expected = Exact(space).decode(queries, classes)
    monkeypatch.setattr(threads, "WORTH_SHARING", 0.0)
    monkeypatch.setattr(threads._blas, "threads", lambda: 4)
    monkeypatch.setattr(certified, "ROWS", 300)
    decoder = Int8(space)
    assert np.array_equal(decoder.decode(queries, classes), expected)
    assert decoder.tally.queries == 1000


def test_int8_alone_would_often_be_wrong():
    """Otherwise the second look would be there for nothing."""
    space = ToySpace(5000, 50, ("a",))
    queries, classes = noisy(space, 2000, 20.0)
    coded = Int8(space)._coded(0)
    numbers = coded._coded(queries).codes.T
    scores = np.concatenate([
        torch._int_mm(block.codes, numbers).numpy() * block.scale for block in coded._blocks
    ])  # fmt: skip
    best = space.outputs[0][coded._order[scores.argmax(axis=0)]]
    assert 10 < (best != Exact(space).decode(queries, classes)).sum() < 1000


@pytest.mark.parametrize("space", [ToySpace(600, 64, ("a",)), heavy(64)], ids=["a", "b"])
def test_the_bound_covers_what_int8_loses(space):
    queries, _ = noisy(space, 200, 30.0)
    coded = Int8(space)._coded(0)
    given = coded._coded(queries)
    rows = coded.directions.rows(slice(None)).astype(np.float64)
    for block in coded._blocks:
        part = coded._order[block.start : block.start + len(block.codes)]
        approximate = torch._int_mm(block.codes, given.codes.T).numpy() * (
            given.scale * block.scale
        )
        lost = np.abs(approximate - rows[part] @ queries.T).max(axis=0)
        bound = block.error + given.error * block.reach
        assert np.all(lost <= bound)
        assert lost.max() > 0.02 * bound.max()  # it is no empty promise


def test_a_crowd_of_candidates_is_left_to_float32(monkeypatch):
    space = ToySpace(unit=np.ones((3000, 8)) + 1e-3 * np.random.default_rng(0).random((3000, 8)))
    queries, classes = noisy(space, 50, 1.0)
    monkeypatch.setattr(certified, "CROWD", 20)
    decoder = Int8(space)
    assert np.array_equal(decoder.decode(queries, classes), Exact(space).decode(queries, classes))
    assert decoder.tally.fallbacks > 0


@pytest.mark.parametrize("queries", [np.zeros((3, 8)), np.full((2, 8), 1e300), np.empty((0, 8))])
def test_odd_queries_are_answered_alike(queries):
    space, classes = ToySpace(), np.zeros(len(queries), np.uint8)
    got = Int8(space).decode(queries, classes)
    assert np.array_equal(got, Exact(space).decode(queries, classes))


def test_the_runner_up_is_the_same():
    space = ToySpace()
    queries, classes = noisy(space, 100, 10.0)
    expected = Exact(space).decode_two(queries, classes)
    assert np.array_equal(Int8(space).decode_two(queries, classes), expected)
