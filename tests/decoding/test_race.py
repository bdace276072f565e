from __future__ import annotations

import numpy as np
import pytest

from privstamp.decoding import race
from privstamp.decoding.race import Race, reaching


@pytest.mark.parametrize("kind", [np.float32, np.int32])
@pytest.mark.parametrize("level", [-10, 0, 2, 3, 10])
def test_reaching_finds_every_score_from_the_floor_up(kind, level):
    random = np.random.default_rng(0)
    scores = random.integers(-3, 4, (50, 40)).astype(kind)
    floor = (level + random.integers(-1, 2, 50)).astype(kind)
    which, row = reaching(scores, floor, np.empty(scores.shape, dtype=np.bool_))
    expected = np.argwhere(scores >= floor[:, None])
    assert [*zip(which.tolist(), row.tolist(), strict=True)] == [*map(tuple, expected.tolist())]


def ranked(limit, monkeypatch):
    """A race of 30 rows entering in any order, their exact score a public table."""
    monkeypatch.setattr(race, "PENDING", limit)
    random = np.random.default_rng(1)
    table = random.integers(0, 5, (4, 30)).astype(np.float64)
    one = Race(np.arange(4.0)[:, None], lambda q, row: table[q[:, 0].astype(int), row], 2)
    low = np.full(4, -1.0, dtype=np.float32)
    for row in random.permutation(30):
        one.enter(np.arange(4), np.full(4, row), table[:, row].astype(np.float32), low)
    return table, one.finish(*one.waiting(low))


@pytest.mark.parametrize("limit", [0, 7, 1000])
def test_best_two_win_and_ties_go_to_the_lower_row(limit, monkeypatch):
    table, winners = ranked(limit, monkeypatch)
    for line, found in zip(table, winners, strict=True):
        assert found.tolist() == np.lexsort((np.arange(30), -line))[:2].tolist()


@pytest.mark.parametrize("limit", [0, 7, 1000])
def test_races_run_apart_end_like_one(limit, monkeypatch):
    monkeypatch.setattr(race, "PENDING", limit)
    random = np.random.default_rng(2)
    table = random.integers(0, 4, (5, 30)).astype(np.float64)
    whole = Race(np.arange(5.0)[:, None], lambda q, row: table[q[:, 0].astype(int), row], 2)
    apart = []
    for rows in np.split(random.permutation(30), [1, 12]):
        one, floor = whole.another(), np.full(5, -np.inf, dtype=np.float32)
        for row in rows:
            one.enter(np.arange(5), np.full(5, row), table[:, row].astype(np.float32), floor)
        if len(rows) > 1:
            floor = np.sort(table[:, rows])[:, -2].astype(np.float32)
        apart.append((one, floor))
    for line, found in zip(table, whole.finish(*whole.joined(apart)), strict=True):
        assert found.tolist() == np.lexsort((np.arange(30), -line))[:2].tolist()


def test_whoever_cannot_reach_the_floor_is_not_compared():
    compared = []

    def score(queries, row):
        compared.extend(row.tolist())
        return row.astype(np.float64)

    one = Race(np.zeros((1, 1)), score)
    zeros = np.zeros(3, dtype=np.intp)
    low, high = np.float32([0.0]), np.float32([2.0])
    one.enter(zeros, np.array([5, 6, 7]), np.float32([1.0, 2.0, 3.0]), low)
    assert one.finish(*one.waiting(high)).tolist() == [[7]]
    assert compared == [6, 7]


def test_only_rows_with_a_rival_are_compared():
    compared = []

    def score(queries, row):
        compared.extend(zip(queries[:, 0].tolist(), row.tolist(), strict=True))
        return -row.astype(np.float64)

    one = Race(np.arange(3.0)[:, None], score)
    winners = one.finish(np.array([2, 0, 1, 1]), np.array([9, 4, 8, 6]))
    assert winners[:, 0].tolist() == [4, 6, 9]
    assert sorted(compared) == [(1.0, 6), (1.0, 8)]


def test_a_row_that_comes_last_meets_the_winner_so_far(monkeypatch):
    monkeypatch.setattr(race, "PENDING", 0)
    one = Race(np.zeros((1, 1)), lambda _, row: -row.astype(np.float64))
    low, first = np.full(1, -100.0, dtype=np.float32), np.zeros(1, dtype=np.intp)
    one.enter(first, np.array([3]), np.float32([-3]), low)
    assert one.finish(first, np.array([5])).tolist() == [[3]]
