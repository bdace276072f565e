from __future__ import annotations

import numpy as np
import pytest

from privstamp.errors import UsageError
from privstamp.spaces import graph as module
from privstamp.spaces.graph import balanced_clusters, cluster
from privstamp.spaces.hops import on_grid
from toys import ToySpace


def table(rows, dimensions=6, seed=0):
    raw = np.random.default_rng(seed).standard_normal((rows, dimensions))
    return on_grid((raw / np.linalg.norm(raw, axis=1)[:, None]).astype(np.float32))


def inside(steps, labels):
    """Similarity summed over pairs of one cluster."""
    steps = steps.astype(np.float64)
    return (steps @ steps.T)[labels[:, None] == labels].sum()


@pytest.mark.parametrize(("rows", "size"), [(160, 16), (171, 16), (500, 2), (33, 16), (17, 16)])
def test_sizes_differ_by_one_at_most_and_none_is_small(rows, size):
    labels = cluster(table(rows), size)
    sizes = np.bincount(labels)
    assert len(sizes) == rows // size
    assert sizes.min() >= size and sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize("rows", [1, 2, 15, 31])
def test_few_rows_are_one_cluster(rows):
    assert not cluster(table(rows), 16).any()


def test_heaps_are_found():
    random = np.random.default_rng(1)
    heap = np.repeat(np.arange(8), 16)[random.permutation(128)]
    raw = np.eye(8)[heap] + 0.05 * random.standard_normal((128, 8))
    labels = cluster(on_grid((raw / np.linalg.norm(raw, axis=1)[:, None]).astype("f4")), 16)
    assert len(set(zip(heap.tolist(), labels.tolist(), strict=True))) == 8


def test_exchanges_bring_similar_rows_together():
    steps = table(600)
    before = inside(steps, cluster(steps, 8, rounds=0))
    sums = [inside(steps, cluster(steps, 8, rounds=n)) for n in range(1, 5)]
    assert before < sums[0] and (np.diff(sums) >= 0).all()
    assert sums[-1] > 1.02 * before
    random = np.random.default_rng(0).permutation(np.repeat(np.arange(75), 8))
    assert sums[-1] > 2 * inside(steps, random)


def test_a_gain_is_what_the_exchange_brings():
    steps = table(64)
    labels = cluster(steps, 8, rounds=0)
    sums = np.array([steps[labels == n].sum(0, dtype=np.float64) for n in range(8)])
    mine, theirs = np.flatnonzero(labels == 2)[:1], np.flatnonzero(labels == 5)[None, :]
    gains = module._gains(steps, sums, labels[mine], np.array([5]), mine, theirs)[0]
    for gain, other in zip(gains, theirs[0], strict=True):
        swapped = labels.copy()
        swapped[mine], swapped[other] = 5, 2
        assert 2 * gain == pytest.approx(inside(steps, swapped) - inside(steps, labels))


def test_duplicates_stay_balanced():
    labels = cluster(np.repeat(table(2), 50, axis=0), 10)
    assert (np.bincount(labels) == 10).all()


def test_blocks_do_not_change_a_cluster(monkeypatch):
    steps = table(300)
    whole = cluster(steps, 8)
    monkeypatch.setattr(module, "_BYTES", 1)
    assert np.array_equal(cluster(steps, 8), whole)


def test_clusters_are_made_once(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    space = ToySpace(rows=300)
    small = balanced_clusters(space, 8)
    monkeypatch.setattr(module, "_SMALL_TABLE", 0)
    made = balanced_clusters(space, 8)
    monkeypatch.setattr(module, "cluster", None)
    read = balanced_clusters(space, 8)
    for one, two, three in zip(small, made, read, strict=True):
        assert np.array_equal(one, two) and np.array_equal(two, three)
    with pytest.raises(TypeError):
        balanced_clusters(space, 9)


@pytest.mark.parametrize("size", [1, 0, -4, 2.5, True, "16"])
def test_a_cluster_of_one_row_is_refused(size):
    with pytest.raises(UsageError, match="2 rows or more"):
        balanced_clusters(ToySpace(), size)
