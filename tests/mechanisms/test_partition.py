from __future__ import annotations

import numpy as np
import pytest

from privstamp.mechanisms._partition import greedy, order_of, partition
from toys import ToySpace


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))


@pytest.mark.parametrize(
    ("rows", "size", "sizes"),
    [(40, 10, [10] * 4), (49, 10, [10, 10, 10, 19]), (7, 10, [7]), (11, 10, [11]), (4, 2, [2, 2])],
)
def test_sets_are_balanced_and_the_last_is_not_smaller(rows, size, sizes):
    unit = ToySpace(rows, 5).unit
    labels = greedy(unit, np.arange(rows, dtype=np.int32), size)
    assert np.bincount(labels).tolist() == sizes


def test_neighbours_are_together_and_opposites_apart():
    angle = np.radians([0, 180, 90, 270, 5, 185, 95, 275, -5, 175, 85, 265])
    unit = np.stack([np.cos(angle), np.sin(angle)], 1).astype(np.float32)
    labels = greedy(unit, np.arange(12, dtype=np.int32), 3)
    for first in range(4):
        assert len({labels[first], labels[first + 4], labels[first + 8]}) == 1
    assert len(set(labels[:4].tolist())) == 4


def test_each_seed_takes_its_nearest_of_those_left():
    unit = ToySpace(200, 6).unit
    order = np.random.default_rng(3).permutation(200).astype(np.int32)
    labels = greedy(unit, order, 8)
    rounded = np.rint(unit * 2.0**11).astype(np.int64)
    left = order.tolist()
    for number in range(200 // 8):
        seed = left[0]
        ranked = sorted(left[1:], key=lambda row: -(rounded[row] @ rounded[seed]))
        mine = {seed, *ranked[:7]}
        found = set(np.flatnonzero(labels == number).tolist())
        assert mine == found
        left = [row for row in left if row not in mine]
    assert not left


def test_sums_of_rounded_products_are_exact_in_any_order():
    unit = ToySpace(50, 768).unit
    rounded = np.rint(unit * np.float32(2.0**11)).astype(np.float32)
    exact = rounded.astype(np.int64) @ rounded.astype(np.int64).T
    assert np.array_equal(rounded @ rounded.T, exact)
    order = np.random.default_rng(4).permutation(768)
    assert np.array_equal(rounded[:, order] @ rounded[:, order].T, exact)


def test_frequent_rows_come_first():
    space = ToySpace(30, 4)
    rows = space.outputs[0]
    space.prior = space.prior[::-1].copy()
    assert np.array_equal(rows[order_of(space, rows)], rows[::-1])


def test_a_partition_is_made_once_per_space_outputs_and_size(tmp_path):
    space = ToySpace(200, 6)
    first = partition(space, 8)
    folders = set((tmp_path / "derived").glob("partition-*[!k]"))
    again = partition(ToySpace(200, 6), 8)
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert set((tmp_path / "derived").glob("partition-*[!k]")) == folders
    assert [len(labels) for labels in first] == [len(rows) for rows in space.outputs]
    partition(space, 9)
    space.outputs = (space.outputs[0][1:], space.outputs[1])
    assert len(partition(space, 8)[0]) == len(space.outputs[0])
    assert len(set((tmp_path / "derived").glob("partition-*[!k]"))) == len(folders) + 2
