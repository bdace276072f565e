from __future__ import annotations

import numpy as np
import pytest

from privstamp.errors import Incompatible, UsageError
from privstamp.registry import SPACES
from privstamp.spaces import graph as module
from privstamp.spaces.graph import neighbour_graph
from privstamp.spaces.hops import on_grid
from toys import ToySpace


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    monkeypatch.setattr(module, "_SMALL", 0)
    return tmp_path


def islands(sizes, dimensions=6, seed=0):
    """Tight heaps of rows, far from each other."""
    random = np.random.default_rng(seed)
    few = len(sizes) <= dimensions
    centres = np.eye(dimensions) if few else random.standard_normal((len(sizes), dimensions))
    heap = np.repeat(np.arange(len(sizes)), sizes)
    rows = centres[heap] + 0.01 * random.standard_normal((len(heap), dimensions))
    return ToySpace(unit=rows, classes=("a",))


def reached(graph):
    seen, waiting = {0}, [0]
    while waiting:
        node = waiting.pop()
        for end in graph.ends[graph.start[node] : graph.start[node + 1]].tolist():
            if end not in seen:
                seen.add(end)
                waiting.append(end)
    return len(seen)


def linked(graph):
    one = np.repeat(np.arange(len(graph)), graph.degree)
    matrix = np.zeros((len(graph), len(graph)), dtype=bool)
    matrix[one, graph.ends] = True
    return matrix


@pytest.mark.parametrize("k", [1, 3, 8])
def test_links_are_the_nearest_rows_and_go_both_ways(k):
    space = ToySpace(rows=200, dimensions=5)
    for graph in neighbour_graph(space, k).classes:
        steps = on_grid(space.unit[graph.rows]).astype(np.int64)
        scores = steps @ steps.T
        np.fill_diagonal(scores, -(2**30))
        near = np.argsort(-scores, axis=1, kind="stable")[:, :k]
        wanted = np.zeros_like(scores, dtype=bool)
        np.put_along_axis(wanted, near, True, axis=1)
        wanted |= wanted.T
        matrix = linked(graph)
        assert np.array_equal(matrix, matrix.T) and not matrix.diagonal().any()
        assert (matrix >= wanted).all()
        assert (matrix & ~wanted).sum() <= 2 * (graph.islands - 1)
        one, other = graph.edges
        assert 2 * len(one) == len(graph.ends) and (one < other).all() and matrix[one, other].all()


@pytest.mark.parametrize("sizes", [(40, 40), (30, 5, 60, 30), (12,) * 20])
def test_islands_are_linked_by_their_closest_rows(sizes):
    space = islands(sizes)
    graph = neighbour_graph(space, 3).classes[0]
    assert graph.islands >= len(sizes)
    assert reached(graph) == len(graph)
    assert (graph.shells.sum(1) == len(graph)).all()
    if len(sizes) == 2:
        steps = on_grid(space.unit[graph.rows])
        first = np.flatnonzero(steps[:, 0] > steps[:, 1])
        rest = np.setdiff1d(np.arange(len(graph)), first)
        between = linked(graph)[np.ix_(first, rest)]
        scores = (steps[first] @ steps[rest].T)[between]
        assert between.sum() == graph.islands - 1 == 1
        assert scores[0] == (steps[first] @ steps[rest].T).max()


def test_duplicate_rows_neither_part_nor_crowd_the_graph():
    rows = np.repeat(np.eye(4), 60, axis=0)
    graph = neighbour_graph(ToySpace(unit=rows, classes=("a",)), 8).classes[0]
    assert reached(graph) == len(graph)
    assert graph.diameter <= 10
    assert len(graph.ends) < 20 * len(graph)


def test_shells_give_diameter_and_mean_distance():
    graph = neighbour_graph(ToySpace(rows=120, dimensions=4), 2).classes[0]
    steps = graph.sweeps.hops(np.arange(len(graph)))
    assert graph.diameter == steps.max()
    away = steps[~np.eye(len(graph), dtype=bool)]
    assert graph.mean_distance == pytest.approx(away.mean())


def test_every_row_has_a_node_of_its_own_class():
    space = ToySpace(rows=300, dimensions=5)
    graph = neighbour_graph(space, 4)
    ids = np.arange(300, dtype=np.int32)
    nodes = graph.nodes(ids)
    for number, outputs in enumerate(space.outputs):
        assert np.array_equal(outputs[nodes[outputs]], outputs)
        assert (nodes[space.class_of == number] < len(outputs)).all()


def test_small_classes_are_graphs_too():
    space = ToySpace(unit=np.eye(3), classes=("a", "b"))
    pair, alone = neighbour_graph(space, 8).classes
    assert (pair.diameter, alone.diameter) == (1, 0)
    assert pair.shells.tolist() == [[1, 1], [1, 1]] and alone.shells.tolist() == [[1]]
    assert alone.mean_distance == 0.0


def test_a_graph_is_made_once_and_read_from_then_on(own_cache, monkeypatch):
    space = ToySpace(rows=200)
    made = neighbour_graph(space)
    monkeypatch.setattr(module, "_build", None)
    read = neighbour_graph(space)
    assert read.fingerprint == made.fingerprint
    for one, other in zip(made.classes, read.classes, strict=True):
        for name in ("rows", "start", "ends", "shells"):
            assert np.array_equal(getattr(one, name), getattr(other, name))
        assert one.islands == other.islands
    assert isinstance(read.classes[0].ends, np.memmap)
    space.outputs = tuple(rows[1:] for rows in space.outputs)
    with pytest.raises(TypeError):  # other outputs, another graph
        neighbour_graph(space)
    monkeypatch.undo()


def test_fingerprint_names_table_and_neighbours():
    prints = {
        neighbour_graph(ToySpace(seed=seed), k).fingerprint for seed in (0, 1) for k in (4, 8)
    }
    assert len(prints) == 4


@pytest.mark.parametrize("k", [0, -1, 65, 2.0, True, "8"])
def test_a_number_of_neighbours_that_is_none_is_refused(k):
    with pytest.raises(UsageError, match="whole number"):
        neighbour_graph(ToySpace(), k)


def test_a_class_without_outputs_is_refused():
    space = ToySpace()
    space.outputs = (space.outputs[0], space.outputs[1][:0])
    with pytest.raises(Incompatible, match="without output rows"):
        neighbour_graph(space)


@pytest.mark.slow
def test_graph_of_the_default_space_is_as_documented():
    space = SPACES.build("glove", {})
    graph = neighbour_graph(space).classes[space.classes.index("content")]
    assert (len(graph), graph.diameter, graph.islands) == (50_000, 9, 1)
    assert np.median(graph.degree) == 10 and int(graph.degree.max()) < 100
    assert graph.mean_distance == pytest.approx(5.86, abs=0.02)
    nodes = np.arange(0, 50_000, 2500)
    counted = [np.bincount(row, minlength=10) for row in graph.sweeps.hops(nodes)]
    assert np.array_equal(graph.shells[nodes], counted)


def test_alike_prefers_neighbours_of_like_frequency():
    space = ToySpace(rows=300, dimensions=4, classes=("a",))
    plain, alike = neighbour_graph(space, 6).classes[0], neighbour_graph(space, 6, 60).classes[0]
    octaves = np.log2(space.prior[plain.rows])

    def apart(graph):
        one, other = graph.edges
        return np.abs(octaves[one] - octaves[other]).mean()

    assert apart(alike) < 0.5 * apart(plain)
    assert reached(alike) == len(alike)
    assert np.array_equal(linked(alike), linked(alike).T)
    even = ToySpace(rows=300, dimensions=4, classes=("a",))
    even.prior = np.full(300, 1 / 300)
    same = neighbour_graph(even, 6, 60).classes[0]
    assert np.array_equal(same.ends, plain.ends), "equal frequencies leave the nearest"


@pytest.mark.parametrize("alike", [-1, 129, True, 0.5])
def test_alike_outside_its_range_is_refused(alike):
    with pytest.raises(UsageError, match="alike"):
        neighbour_graph(ToySpace(), 8, alike)


def test_graphs_of_like_frequency_are_kept_apart(own_cache):
    space = ToySpace(rows=120, dimensions=4)
    first = {neighbour_graph(space, 4, alike).fingerprint for alike in (0, 30)}
    assert first == {neighbour_graph(space, 4, alike).fingerprint for alike in (0, 30)}
    assert len(first) == 2
