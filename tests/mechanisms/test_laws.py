from __future__ import annotations

import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from privstamp.mechanisms import _discrete as _laws
from privstamp.mechanisms._discrete import (
    Blocks,
    Listed,
    Recent,
    Shared,
    Weighted,
    fine_uniforms,
    pick_each,
)
from statistical import ALPHA, fits, fresh, has_counts

WEIGHTS = np.array([3.0, 0.0, 1e-30, 5.0, 1e-9, 0.5, 2.0, 0.0, 7.0, 1e-300])


class Given:
    """Noise whose uniforms are given."""

    def __init__(self, values):
        self.values = np.array([values])

    def uniform(self, count, lane, attempt=0):
        return self.values[:, :count]


def shares(law, count, points=40):
    """Exact share of each entry under uniforms spread evenly, by both steps."""
    grid = (np.arange(points) + 0.5) / points
    first, second = (x.ravel() for x in np.meshgrid(grid, grid))
    return np.bincount(law.draw(first, second), minlength=count) / points**2


# Uniforms


def test_uniforms_are_uniform_and_independent():
    first, second = fine_uniforms(fresh(20_000))
    for one in (first, second):
        assert fits(one, lambda x: x) > ALPHA
    assert abs(np.corrcoef(first, second)[0, 1]) < 6.5 / np.sqrt(20_000)


def test_uniforms_are_finest_near_zero_and_never_zero():
    step = 2.0**-52
    low, _ = fine_uniforms(Given([step / 2, 0.5, step / 2, 0.5]))
    assert low[0] == step * step / 2
    next_low, _ = fine_uniforms(Given([step / 2, 0.5, 3 * step / 2, 0.5]))
    assert next_low[0] == 3 * low[0]
    high, other = fine_uniforms(Given([1 - step / 2, 0.25 + step / 2, 0.5, 0.5]))
    assert 1 - step <= high[0] <= 1.0
    assert other[0] == pytest.approx(0.25)


# Laws


@pytest.mark.parametrize("block", [1, 3, 256])
def test_draws_follow_the_weights(block, monkeypatch):
    monkeypatch.setattr(_laws, "BLOCK", block)
    law = Weighted(WEIGHTS)
    entries = law.draw(*fine_uniforms(fresh(20_000)))
    counts = np.bincount(entries, minlength=len(WEIGHTS))
    assert has_counts(counts, WEIGHTS / WEIGHTS.sum()) > ALPHA
    wrong = WEIGHTS.copy()
    wrong[0] *= 1.3
    assert has_counts(counts, wrong / wrong.sum()) < ALPHA
    assert counts[1] == counts[7] == 0


@pytest.mark.parametrize("block", [1, 4, 256])
def test_rare_entries_have_their_exact_chance(block, monkeypatch):
    monkeypatch.setattr(_laws, "BLOCK", block)
    weights = np.array([1.0, 1e-25, 1.0, 3e-25, 1.0])
    law, total = Weighted(weights), 3.0
    # Where the first step decides alone, the smaller weight occupies [0, 1e-25 / 3), and so on.
    if block == 1:
        for value, entry in [(0.9e-25, 1), (1.1e-25, 3), (3.9e-25, 3), (4.2e-25, 0)]:
            assert law.draw(np.array([value / total]), np.array([0.5]))[0] == entry
    elif block == 256:
        for value, entry in [(0.9e-25, 1), (1.1e-25, 3), (3.9e-25, 3), (4.2e-25, 0)]:
            assert law.draw(np.array([0.5]), np.array([value / total]))[0] == entry
    else:
        assert law.draw(np.array([0.9]), np.array([1e-25 / 2.1]))[0] == 1


@pytest.mark.parametrize("block", [1, 4, 256])
def test_ends_of_the_uniforms_never_give_what_cannot_be(block, monkeypatch):
    monkeypatch.setattr(_laws, "BLOCK", block)
    law = Weighted(np.array([0.0, 1.0, 0.0, 0.0, 2.0, 0.0]))
    for first in (2.0**-105, 1.0):
        for second in (2.0**-105, 1.0):
            assert law.draw(np.array([first]), np.array([second]))[0] in (1, 4)
    least = Weighted(np.array([0.0, 5e-324, 0.0]))  # the product with a uniform becomes zero
    assert least.draw(np.array([2.0**-105]), np.array([2.0**-105]))[0] == 1


def test_entries_of_many_laws_at_once_are_those_of_each_law():
    random = np.random.default_rng(4)
    many = random.random((50, len(WEIGHTS))) * WEIGHTS * 1e-20 ** random.random((50, 1))
    first, second = fine_uniforms(fresh(50))
    second[:3] = 2.0**-105, 1.0 - 2.0**-53, 1.0
    each = [Weighted(line).draw(first[[i]], second[[i]])[0] for i, line in enumerate(many)]
    assert len(WEIGHTS) <= _laws.BLOCK and pick_each(many, second).tolist() == each
    least = np.array([[0.0, 5e-324, 0.0]])
    assert pick_each(least, np.array([2.0**-105])).tolist() == [1]


@pytest.mark.parametrize("block", [1, 3, 256])
def test_sums_from_logarithms_are_the_sums_up_to_a_factor(block, monkeypatch):
    monkeypatch.setattr(_laws, "BLOCK", block)
    logs = np.random.default_rng(5).uniform(-600.0, 0.0, (4, 20))
    for shift in (0.0, -1e5):  # the latter: weights that are all zero in themselves
        sums, top = _laws.scaled_block_sums(logs + shift)
        line = (sums * _laws.weights(top))[2]
        expected = _laws.block_sums(_laws.weights(logs[2]))
        assert np.allclose(line, expected, rtol=1e-13 if shift == 0.0 else 1e-10, atol=0.0)


@pytest.mark.parametrize("count", [0, 1, 20, 21, 22, 100])
def test_parts_hold_whole_blocks(count, monkeypatch):
    monkeypatch.setattr(_laws, "BLOCK", 7)
    monkeypatch.setattr(_laws, "_AT_ONCE", 23)
    parts = [range(count)[part] for part in _laws.wholes(count)]
    assert [place for part in parts for place in part] == list(range(count))
    assert all(part.start % 7 == 0 and 0 < len(part) <= 23 for part in parts)


def test_a_law_of_blocks_is_the_first_step(monkeypatch):
    monkeypatch.setattr(_laws, "BLOCK", 3)
    first, second = fine_uniforms(fresh(500))
    blocks = Blocks(_laws.block_sums(WEIGHTS))
    assert np.array_equal(blocks.draw(first, second), Weighted(WEIGHTS).draw(first, second) // 3)


@pytest.mark.parametrize("listed", [[], [0], [4], [0, 1], [1, 3], [0, 2, 4]])
@pytest.mark.parametrize("other", [2e-3, 0.7, 3.0])
def test_a_shared_weight_is_the_same_law_as_writing_it_out(listed, other):
    entries = np.array(listed, dtype=np.int64)
    weights = 1.0 + np.arange(len(listed))
    law = Shared(entries, weights, other, 5)
    written = np.full(5, other)
    written[entries] = weights
    counts = np.bincount(law.draw(*fine_uniforms(fresh(20_000))), minlength=5)
    assert has_counts(counts, written / written.sum()) > ALPHA
    assert np.abs(shares(law, 5) - written / written.sum()).max() < 0.05


def test_a_shared_weight_of_zero_or_nobody_is_never_drawn():
    for law in (
        Shared(np.array([1, 2]), np.ones(2), 0.0, 4),
        Shared(np.arange(4), np.array([0.0, 1.0, 1.0, 0.0]), 1.0, 4),
    ):
        for value in (2.0**-105, 0.5, 1.0):
            assert law.draw(np.array([value]), np.array([value]))[0] in (1, 2)


def test_a_shared_weight_keeps_rare_chances():
    law = Shared(np.array([2]), np.ones(1), 1e-25, 4)
    assert law.draw(np.array([2e-25]), np.array([0.5]))[0] == 1
    assert law.draw(np.array([4e-25]), np.array([0.5]))[0] == 2
    assert law.draw(np.array([1e-25]), np.array([1.0]))[0] == 3


def test_a_listed_law_draws_the_places_of_its_list():
    law = Listed(np.array([7, 3, 9]), Weighted(np.array([0.0, 1.0, 0.0])))
    assert set(law.draw(*fine_uniforms(fresh(50))).tolist()) == {3}
    assert law.nbytes > Weighted(np.zeros(3)).nbytes


# The cache


class Sized:
    def __init__(self, nbytes):
        self.nbytes = nbytes


@pytest.fixture
def bare(monkeypatch):
    """Laws that take no more than they say."""
    monkeypatch.setattr(_laws, "OBJECT_BYTES", 0)


def test_the_cache_holds_what_was_used_last_and_no_more_bytes(bare):
    made = []

    def make(keys):
        made.extend(row for row, _ in keys)
        return [Sized(40) for _ in keys]

    cache = Recent(100)
    for row in (1, 2, 1, 3, 1, 2):
        cache.get([(row, 1.0)], make)
        assert cache.nbytes <= 100
    assert made == [1, 2, 3, 2]
    cache.get([(1, 2.0)], make)
    assert made[-1] == 1 and len(made) == 5, "another epsilon is another law"


def test_what_the_cache_lacks_is_made_together_and_given_back_in_order(bare):
    asked = []

    def make(keys):
        asked.append(list(keys))
        return [Sized(row) for row, _ in keys]

    cache = Recent(100)
    cache.get([(20, 1.0), (30, 1.0)], make)
    laws = cache.get([(40, 1.0), (20, 1.0), (50, 1.0), (30, 1.0)], make)
    assert [law.nbytes for law in laws] == [40, 20, 50, 30]
    assert asked == [[(20, 1.0), (30, 1.0)], [(40, 1.0), (50, 1.0)]]
    assert cache.nbytes == sum(law.nbytes for law in cache._held.values()) <= 100
    assert cache.get([], make) == [] and len(asked) == 2


def test_a_law_larger_than_the_cache_is_used_and_not_kept(bare):
    cache = Recent(100)
    assert cache.get([(1, 1.0)], lambda _: [Sized(101)])[0].nbytes == 101
    assert cache.nbytes == 0


def test_threads_may_share_a_cache(bare):
    cache = Recent(400)

    def use(number):
        row = number % 17
        [law] = cache.get([(row, 1.0)], lambda _: [Sized(40 + row)])
        return law.nbytes == 40 + row

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(4000)))
    assert cache.nbytes == sum(law.nbytes for law in cache._held.values()) <= 400


def test_the_bytes_of_the_cache_cover_what_python_takes():
    law = Shared(np.array([2]), np.ones(1), 0.5, 40)
    cache = Recent()
    tracemalloc.start()
    for row in range(500):
        cache.get([(row, 1.0)], lambda _: [Shared(np.array([2]), np.ones(1), 0.5, 40)])
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert law.nbytes * 500 < taken <= cache.nbytes < 2 * taken
