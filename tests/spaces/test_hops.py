from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from privstamp.errors import Incompatible
from privstamp.spaces import hops as module
from privstamp.spaces.hops import Sweeps


def graph(count, pairs):
    matrix = np.zeros((count, count), dtype=bool)
    for one, other in pairs:
        matrix[one, other] = matrix[other, one] = True
    start = np.concatenate([[0], np.cumsum(matrix.sum(1))])
    return start, np.nonzero(matrix)[1].astype(np.int32), matrix


def plain(matrix):
    """All distances, one matrix product per step."""
    reach, steps = np.eye(len(matrix), dtype=bool), np.full(matrix.shape, -1)
    steps[reach] = 0
    for depth in range(1, len(matrix)):
        reach = reach | (reach @ matrix)
        steps[reach & (steps < 0)] = depth
    return steps


def random_pairs(count, seed):
    random = np.random.default_rng(seed)
    tree = [(node, int(random.integers(0, node))) for node in range(1, count)]
    return tree + random.integers(0, count, (count // 2, 2)).tolist()


CASES = {
    "random": (150, [(a, b) for a, b in random_pairs(150, 0) if a != b]),
    "sparse": (200, random_pairs(200, 1)[:199]),
    "star": (300, [(0, node) for node in range(1, 300)]),
    "two stars": (300, [(node % 2, node) for node in range(2, 300)] + [(0, 1)]),
    "path": (90, [(node, node + 1) for node in range(89)]),
    "pair": (2, [(0, 1)]),
    "alone": (1, []),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("words", [1, 64])
def test_shells_and_hops_are_those_of_all_pairs(name, words, monkeypatch):
    monkeypatch.setattr(module, "_WORDS", words)
    start, ends, matrix = graph(*CASES[name])
    steps, sweeps = plain(matrix), Sweeps(start, ends)
    shells = sweeps.shells()
    expected = [np.bincount(row, minlength=steps.max() + 1) for row in steps]
    assert np.array_equal(shells, expected)
    nodes = np.random.default_rng(2).permutation(len(steps))
    assert np.array_equal(sweeps.hops(nodes), steps[nodes])
    assert np.array_equal(sweeps.hops(nodes[:2]), steps[nodes[:2]])  # walked, not swept
    assert sweeps.hops(np.repeat(nodes[:1], 5)).tolist() == steps[np.repeat(nodes[:1], 5)].tolist()


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    ("walked", "walking", "alone"),
    [(0, 1, 0), (0, 1, 10**6), (3, 1, 0), (3, 7, 16), (10**6, 50, 0), (10**6, 10**6, 0)],
)
def test_every_node_of_a_shell_is_picked_by_its_share_of_uniforms(
    name, walked, walking, alone, monkeypatch
):
    monkeypatch.setattr(module, "_WALKED", walked)
    monkeypatch.setattr(module, "_WALKING", walking)
    monkeypatch.setattr(module, "_ALONE", alone)
    start, ends, matrix = graph(*CASES[name])
    steps, sweeps = plain(matrix), Sweeps(start, ends)
    shells = sweeps.shells()
    sources = np.random.default_rng(3).permutation(len(steps))[:12]
    nodes, depth, uniform = [], [], []
    for node in sources.tolist():
        for far, size in enumerate(shells[node][: int(steps[node].max()) + 1].tolist()):
            nodes += [node] * size
            depth += [far] * size
            uniform += ((np.arange(size) + 0.5) / size).tolist()
    order = np.random.default_rng(4).permutation(len(nodes))
    asked = np.array(nodes)[order], np.array(depth)[order]
    picked = sweeps.pick(*asked, np.array(uniform)[order])
    assert np.array_equal(steps[asked[0], picked], asked[1])
    for node in sources.tolist():
        for far in range(int(steps[node].max()) + 1):
            mine = picked[(asked[0] == node) & (asked[1] == far)]
            assert sorted(mine.tolist()) == np.flatnonzero(steps[node] == far).tolist()


def test_the_ends_of_the_uniforms_stay_inside_a_shell():
    start, ends, matrix = graph(*CASES["random"])
    steps, sweeps = plain(matrix), Sweeps(start, ends)
    nodes, depth = np.repeat(np.arange(150), 2), np.full(300, 3)
    asked = steps[nodes].max(axis=1) >= 3
    uniform = np.tile([5e-324, 1.0], 150)[asked]
    picked = sweeps.pick(nodes[asked], depth[asked], uniform)
    assert np.all(steps[nodes[asked], picked] == 3)


@pytest.mark.parametrize("hubs", [1, 2])
def test_memory_does_not_grow_with_the_number_of_picks_around_a_hub(hubs):
    count = 6000
    spokes = [(node % hubs, node) for node in range(hubs, count)] + [(0, 1)]
    one, other = np.array(spokes).T
    both = np.stack([np.concatenate([one, other]), np.concatenate([other, one])])
    both = both[:, np.lexsort((both[1], both[0]))]
    start = np.searchsorted(both[0], np.arange(count + 1))
    sweeps = Sweeps(start, both[1].astype(np.int32))
    nodes = np.arange(hubs, 3000)
    peaks = []
    for some in (nodes[:500], nodes):
        tracemalloc.start()
        picked = sweeps.pick(some, np.full(len(some), 2), np.full(len(some), 0.5))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert np.all(picked % hubs == some % hubs)
    assert peaks[1] < 1.5 * peaks[0] + 1e6


def test_small_blocks_sweep_the_same(monkeypatch):
    start, ends, matrix = graph(*CASES["random"])
    monkeypatch.setattr(module, "_BYTES", 64)
    assert np.array_equal(Sweeps(start, ends).hops(np.arange(150)), plain(matrix))


def test_a_graph_that_is_too_long_is_refused():
    start, ends, _ = graph(300, [(node, node + 1) for node in range(299)])
    with pytest.raises(Incompatible, match="larger k"):
        Sweeps(start, ends).shells()
