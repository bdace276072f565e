from __future__ import annotations

import numpy as np
import pytest

from privstamp.errors import Incompatible
from privstamp.spaces import hops as nearest
from privstamp.spaces.hops import GRID, Nearest, Representatives, closest_pair, on_grid
from toys import ToySpace


def table(rows, dimensions=6, seed=0):
    raw = np.random.default_rng(seed).standard_normal((rows, dimensions))
    return on_grid((raw / np.linalg.norm(raw, axis=1)[:, None]).astype(np.float32))


def plain(steps, queries, k, without=None):
    """Sorted by exact integer product, ties by number."""
    out = []
    for place, query in enumerate(queries.astype(np.int64)):
        scores = steps.astype(np.int64) @ query
        order = np.lexsort((np.arange(len(steps)), -scores)).tolist()
        if without is not None:
            order.remove(without[place])
        out.append(order[:k])
    return np.array(out)


@pytest.mark.parametrize("rows", [2, 63, 64, 65, 700])
@pytest.mark.parametrize("k", [1, 8])
def test_search_finds_what_a_plain_sort_finds(rows, k):
    steps, k = table(rows), min(k, rows - 1)
    everyone = np.arange(rows)
    found = Nearest(steps).search(steps, k, without=everyone)
    assert np.array_equal(found, plain(steps, steps, k, everyone))
    queries = table(20, seed=1)
    assert np.array_equal(Nearest(steps).search(queries, k), plain(steps, queries, k))


def test_equal_rows_are_told_apart_by_their_number():
    steps = np.repeat(table(3), 100, axis=0)[np.random.default_rng(2).permutation(300)]
    everyone = np.arange(300)
    found = Nearest(steps).search(steps, 8, without=everyone)
    assert np.array_equal(found, plain(steps, steps, 8, everyone))


def test_blocks_do_not_change_a_neighbour(monkeypatch):
    steps = table(200)
    whole = Nearest(steps).search(steps, 5)
    monkeypatch.setattr(nearest, "_BYTES", 4 * 256 * 7)
    assert np.array_equal(Nearest(steps).search(steps, 5), whole)


@pytest.mark.parametrize("dimensions", [2, 50, 768, 4096])
def test_products_on_the_grid_are_exact_in_any_order(dimensions):
    steps = table(40, dimensions)
    exact = steps.astype(np.int64) @ steps.astype(np.int64).T
    shuffled = steps[:, np.random.default_rng(3).permutation(dimensions)]
    assert np.array_equal((steps @ steps.T).astype(np.int64), exact)
    assert np.array_equal((shuffled @ shuffled.T).astype(np.int64), exact)
    assert exact.max() < 2**24 and abs(np.sqrt(exact.max()) / GRID - 1) < 0.01


def test_rows_that_would_leave_the_exact_range_are_refused():
    with pytest.raises(Incompatible, match="longer than one"):
        on_grid(np.array([[1.1, 0.0]], dtype=np.float32))


def test_an_output_stands_for_itself_and_others_for_their_nearest():
    space = ToySpace(rows=300, dimensions=5)
    ids = np.arange(300, dtype=np.int32)[::-1]
    places = Representatives(space).places(ids)
    for row, place in zip(ids.tolist(), places.tolist(), strict=True):
        outputs = space.outputs[space.class_of[row]]
        if row in outputs:
            assert outputs[place] == row
        else:
            cosine = space.unit[outputs].astype(np.float64) @ space.unit[row]
            assert cosine[place] > cosine.max() - 2e-3
    again = Representatives(space)
    assert [int(again.places(ids[i : i + 1])[0]) for i in range(300)] == places.tolist()


def test_closest_pair_is_the_best_of_all_pairs():
    steps = table(60)
    inside, outside = np.arange(0, 60, 3), np.setdiff1d(np.arange(60), np.arange(0, 60, 3))
    one, other = closest_pair(steps, inside, outside)
    scores = steps[inside] @ steps[outside].T
    assert steps[one] @ steps[other] == scores.max() and one in inside and other in outside
