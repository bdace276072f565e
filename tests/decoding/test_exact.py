from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from privstamp.crew import threads
from privstamp.crew.threads import shared
from privstamp.decoding import exact, race
from privstamp.decoding.exact import Exact
from privstamp.errors import Incompatible
from toys import ToySpace


def brute_force(space, queries, classes):
    """The definition: float64 cosines by row sums, the lowest row id among equals."""
    out = np.empty(len(queries), dtype=np.int32)
    for number, ids in enumerate(space.outputs):
        rows = space.unit[ids].astype(np.float64)
        length = np.sqrt((rows * rows).sum(-1))
        for row in np.flatnonzero(classes == number):
            cosine = (exact.unit(queries[[row]]) * rows).sum(-1) / length
            out[row] = ids[np.argmax(cosine)]
    return out


def crowded(dimensions=8, seed=3):
    """A table full of trouble: copies, opposites, and rows one float32 step apart."""
    random = np.random.default_rng(seed)
    base = random.standard_normal((60, dimensions)).astype(np.float32)
    base /= np.linalg.norm(base, axis=1)[:, None]
    near = np.nextafter(base, np.float32(2.0))
    table = np.concatenate([base, base, near, -base, near, base])
    return ToySpace(unit=table, classes=("a", "b", "c"))


def queries_of(space, count, seed=4):
    random = np.random.default_rng(seed)
    rows = random.integers(0, len(space.unit), count)
    size = random.choice([0.0, 1e-7, 1e-3, 1.0], count)[:, None]
    noise = random.standard_normal((count, space.unit.shape[1]))
    return space.unit[rows] + size * noise, space.class_of[rows]


@pytest.mark.parametrize(
    "space",
    [ToySpace(), crowded(), crowded(2), ToySpace(400, 768)],
    ids=["plain", "crowded", "circle", "768"],
)
def test_is_the_plain_float64_search(space):
    queries, classes = queries_of(space, 3000)
    assert np.array_equal(
        Exact(space).decode(queries, classes), brute_force(space, queries, classes)
    )


def test_agrees_with_an_independent_product():
    space = ToySpace(3000, 50)
    queries, classes = queries_of(space, 2000)
    got = Exact(space).decode(queries, classes)
    for number, ids in enumerate(space.outputs):
        mine = classes == number
        cosine = queries[mine] @ space.unit[ids].astype(np.float64).T
        chosen = (queries[mine] * space.unit[got[mine]]).sum(-1)
        assert np.all(np.isin(got[mine], ids))
        assert np.abs(cosine.max(1) - chosen).max() < 1e-6 * np.abs(cosine).max()


@pytest.mark.slow
def test_blocking_and_order_never_change_an_id():
    space = crowded()
    queries, classes = queries_of(space, 100_000)
    expected = Exact(space).decode(queries, classes)
    for rows, columns in [(64, 16), (1000, 37), (333, 5), (4096, 4096)]:
        got = Exact(space, queries=rows, columns=columns).decode(queries, classes)
        assert np.array_equal(got, expected)
    order = np.random.default_rng(5).permutation(len(queries))
    decoder = Exact(space)
    assert np.array_equal(decoder.decode(queries[order], classes[order]), expected[order])
    for row in range(0, len(queries), 1000):
        one = slice(row, row + 1)
        assert decoder.decode(queries[one], classes[one]) == expected[one]


@pytest.mark.parametrize("search", ["decode", "decode_two", "decode_points"])
def test_threads_never_change_an_id(search, monkeypatch):
    space = crowded()
    queries, classes = queries_of(space, 2000)
    if search == "decode_points":
        queries = np.concatenate([queries, np.ones((2000, 1))], axis=1)
    expected = getattr(Exact(space, columns=7), search)(queries, classes)
    monkeypatch.setattr(threads, "WORTH_SHARING", 0.0)
    monkeypatch.setattr(threads._blas, "threads", lambda: 5)
    for _ in range(3):  # which thread gets which block is another matter every time
        assert np.array_equal(getattr(Exact(space, columns=7), search)(queries, classes), expected)


@pytest.mark.parametrize("count", [1, 2, 13])
@pytest.mark.parametrize("columns", [1, 7, 40])
def test_few_queries_take_blocks_together_and_find_the_same(count, columns, monkeypatch):
    space = crowded()
    queries, classes = queries_of(space, 200)
    expected = brute_force(space, queries, classes)
    sizes = []

    def noted(parts, *args):
        sizes.append(max(len(stack) for _, stack in parts))
        return shared(parts, *args)

    decoder = Exact(space, queries=count, columns=columns)
    blocks = [len(decoder._direction(number).stacks[0][1]) for number in range(len(space.classes))]
    monkeypatch.setattr(exact, "shared", noted)
    assert np.array_equal(decoder.decode(queries, classes), expected)
    assert max(sizes) == min(max(blocks), exact.STACKED)
    monkeypatch.setattr(exact, "TOGETHER", 0)
    sizes.clear()
    assert np.array_equal(decoder.decode(queries, classes), expected)
    assert set(sizes) == {1}


def test_few_pairs_at_a_time_give_the_same_ids(monkeypatch):
    space = crowded()
    queries, classes = queries_of(space, 500)
    expected = Exact(space).decode(queries, classes)
    monkeypatch.setattr(race, "PAIRS", 7)
    monkeypatch.setattr(race, "PENDING", 11)
    assert np.array_equal(Exact(space).decode(queries, classes), expected)


def test_plain_float32_would_get_near_ties_wrong():
    """Otherwise the comparison in float64 would be there for nothing."""
    space = crowded()
    queries, classes = queries_of(space, 3000)
    expected = Exact(space).decode(queries, classes)
    wrong = 0
    for number, ids in enumerate(space.outputs):
        mine = classes == number
        scores = exact.unit(queries[mine]).astype(np.float32) @ space.unit[ids].T
        wrong += int((ids[scores.argmax(1)] != expected[mine]).sum())
    assert wrong > 30


@pytest.mark.parametrize("dimensions", [2, 50, 768, 4096])
def test_the_window_covers_what_float32_loses(dimensions):
    space = ToySpace(600, dimensions)
    queries, _ = queries_of(space, 200)
    unit = exact.unit(queries)
    wide = space.unit.astype(np.float64)
    length = np.sqrt((wide * wide).sum(-1))
    lost = np.abs(unit.astype(np.float32) @ space.unit.T - unit @ wide.T / length).max()
    bound = exact._product_error(dimensions, length)
    assert 0 < lost < bound < 1e-3


def test_ties_go_to_the_lowest_row():
    table = np.zeros((40, 4), dtype=np.float32)
    table[:, 0] = 1.0
    space = ToySpace(unit=table, classes=("a", "b"))
    got = Exact(space, columns=3).decode(np.eye(4)[[0, 0, 1]], np.array([0, 1, 1], np.uint8))
    assert got.tolist() == [0, 1, 1]


def test_zero_queries_are_decoded_alike_and_without_a_warning():
    space = ToySpace()
    got = Exact(space).decode(np.zeros((3, 8)), np.array([0, 1, 0], np.uint8))
    assert got.tolist() == [0, 1, 0]


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e-8, 1e30, 1e300])
def test_only_the_direction_counts(size):
    space = ToySpace()
    queries, classes = queries_of(space, 200)
    decoder = Exact(space)
    assert np.array_equal(decoder.decode(size * queries, classes), decoder.decode(queries, classes))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_query_that_is_not_finite_is_refused(bad):
    queries = np.ones((2, 8))
    queries[1, 3] = bad
    with pytest.raises(ValueError, match="finite"):
        Exact(ToySpace()).decode(queries, np.zeros(2, np.uint8))


def test_rows_that_may_not_leave_never_win():
    space = ToySpace()
    hidden = np.setdiff1d(np.arange(300), np.concatenate(space.outputs))
    queries = space.unit[hidden].astype(np.float64)
    got = Exact(space).decode(queries, space.class_of[hidden])
    assert len(hidden) >= 20
    assert not np.isin(got, hidden).any()
    assert np.array_equal(space.class_of[got], space.class_of[hidden])


def test_cosine_angle_and_chord_pick_the_same_row():
    """Proposition 1 of the paper, against three searches that know nothing of each other."""
    space = ToySpace(500, 6, ("a",))
    queries, classes = queries_of(space, 500)
    rows = space.unit[space.outputs[0]].astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    unit = exact.unit(queries)
    chord = np.sqrt(((unit[:, None, :] - rows[None]) ** 2).sum(-1))
    angle = 2.0 * np.arctan2(chord, np.sqrt(((unit[:, None, :] + rows[None]) ** 2).sum(-1)))
    cosine = unit @ rows.T
    expected = Exact(space).decode(queries, classes)
    for winner in (chord.argmin(1), angle.argmin(1), cosine.argmax(1)):
        assert np.array_equal(space.outputs[0][winner], expected)


def test_rows_of_uneven_length_are_compared_by_cosine():
    table = np.array([[1.0, 0.0], [0.0, 1.0], [0.9995, 0.0316]], dtype=np.float32)
    space = ToySpace(unit=table, classes=("a",))
    space.unit = table * np.array([[0.9995], [1.0], [1.0005]], dtype=np.float32)
    query = np.array([[1.0, 0.0157]])
    assert Exact(space).decode(query, np.zeros(1, np.uint8)).tolist() == [0]


def test_a_class_without_outputs_is_refused():
    space = ToySpace()
    space.outputs = (space.outputs[0], np.empty(0, np.int32))
    with pytest.raises(Incompatible, match='"b"'):
        Exact(space)


def test_an_output_of_length_zero_is_refused():
    space = ToySpace()
    space.unit[4] = 0.0
    with pytest.raises(Incompatible, match="length zero"):
        Exact(space).decode(np.ones((1, 8)), np.zeros(1, np.uint8))


def test_nothing_to_decode_gives_nothing():
    assert Exact(ToySpace()).decode(np.empty((0, 8)), np.empty(0, np.uint8)).shape == (0,)


def test_memory_is_a_block_even_when_every_row_ties():
    table = np.ones((20_000, 8), dtype=np.float32)
    space = ToySpace(unit=table, classes=("a",))
    decoder = Exact(space)
    queries, classes = np.ones((600, 8)), np.zeros(600, np.uint8)
    decoder.decode(queries[:1], classes[:1])
    tracemalloc.start()
    got = decoder.decode(queries[:200], classes[:200])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert np.all(got == 0)
    assert peak < 40e6  # all pairs would take 64 MB as indices, 500 MB as products


# The runner-up


def two_by_brute_force(space, queries, classes):
    out = np.empty((len(queries), 2), dtype=np.int32)
    for number, ids in enumerate(space.outputs):
        rows = space.unit[ids].astype(np.float64)
        length = np.sqrt((rows * rows).sum(-1))
        for row in np.flatnonzero(classes == number):
            cosine = (exact.unit(queries[[row]]) * rows).sum(-1) / length
            out[row] = ids[np.lexsort((ids, -cosine))[:2]]
    return out


@pytest.mark.parametrize("space", [ToySpace(), crowded(), crowded(2)], ids=["a", "b", "c"])
@pytest.mark.parametrize("columns", [1, 7, 1024])
def test_two_nearest_are_those_of_the_plain_float64_search(space, columns):
    queries, classes = queries_of(space, 600)
    decoder = Exact(space, columns=columns)
    two = decoder.decode_two(queries, classes)
    assert np.array_equal(two, two_by_brute_force(space, queries, classes))
    assert np.array_equal(two[:, 0], decoder.decode(queries, classes))


def test_a_second_nearest_needs_a_second_row():
    space = ToySpace(4, classes=("a", "b", "c"))
    with pytest.raises(Incompatible, match="fewer than 2"):
        Exact(space).decode_two(np.ones((1, 8)), np.zeros(1, np.uint8))


# Raw vectors


def of_many_lengths(space, seed=6):
    random = np.random.default_rng(seed)
    space.radius = random.lognormal(0.0, 1.5, len(space.unit)).astype(np.float32)
    space.radius[::17] = 0.0
    return space


def points_of(space, count, seed=8):
    """Points on and around the vectors, some far away, each with a weight."""
    random = np.random.default_rng(seed)
    rows = random.integers(0, len(space.unit), count)
    size = random.choice([0.0, 1e-7, 1e-2, 1.0, 1e6], count)[:, None]
    noise = random.standard_normal((count, space.unit.shape[1]))
    points = space.unit[rows] * space.radius[rows, None].astype(np.float64) + size * noise
    weight = random.choice([1e-9, 1.0, 30.0], count)[:, None]
    return np.concatenate([points * weight, weight], axis=1), space.class_of[rows]


@pytest.mark.parametrize("space", [ToySpace(), crowded(), ToySpace(400, 300)], ids=["a", "b", "c"])
@pytest.mark.parametrize("columns", [7, 1024])
def test_nearest_raw_vector_is_that_of_a_search_by_differences(space, columns):
    of_many_lengths(space)
    points, classes = points_of(space, 800)
    got = Exact(space, columns=columns).decode_points(points, classes)
    places = points[:, :-1] / points[:, -1:]
    for number, ids in enumerate(space.outputs):
        mine = classes == number
        rows = space.unit[ids].astype(np.float64)
        rows *= (space.radius[ids] / np.sqrt((rows * rows).sum(-1)))[:, None]
        away = np.sqrt(((places[mine][:, None] - rows[None]) ** 2).sum(-1))
        chosen = away[np.arange(len(away)), np.searchsorted(ids, got[mine])]
        assert np.all(np.isin(got[mine], ids))
        assert np.all(chosen <= away.min(1) * (1 + 1e-9) + 1e-7)


def test_raw_search_is_blind_to_blocking():
    space = of_many_lengths(crowded())
    points, classes = points_of(space, 2000)
    expected = Exact(space).decode_points(points, classes)
    for rows, columns in [(1, 1024), (64, 16), (333, 5)]:
        decoder = Exact(space, queries=rows, columns=columns)
        assert np.array_equal(decoder.decode_points(points, classes), expected)


def test_the_nearest_raw_vector_need_not_be_the_nearest_direction():
    space = ToySpace(unit=np.array([[10.0, 1.0], [1.0, 0.3], [0.0, 1.0]]), classes=("a",))
    point, classes = np.array([[1.0, 0.1, 1.0]]), np.zeros(1, np.uint8)
    assert Exact(space).decode_points(point, classes).tolist() == [1]
    assert Exact(space).decode(point[:, :-1], classes).tolist() == [0]


@pytest.mark.parametrize("dimensions", [2, 50, 768])
def test_the_window_of_raw_vectors_covers_what_float32_loses(dimensions):
    space = of_many_lengths(ToySpace(600, dimensions, ("a",)))
    decoder = Exact(space)
    rows = decoder._point(0)
    points, _ = points_of(space, 200)
    points[:, -1] *= rows._largest / 2.0
    lifted = exact.unit(points)
    turned = np.concatenate([block for _, stack in rows._stacks for block in stack], axis=1)
    every = np.arange(turned.shape[1])
    true = np.array([rows._score(np.tile(q, (len(every), 1)), every) for q in lifted])
    lost = np.abs(lifted.astype(np.float32) @ turned - true).max()
    assert 0 < 2 * lost < rows._window < 1e-3
