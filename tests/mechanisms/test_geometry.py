from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from privstamp.mechanisms import _geometry
from privstamp.mechanisms._geometry import angles, chords, cosines, nearest, within
from toys import ToySpace


def turned(*degrees):
    """Rows on the circle, at these angles from the first axis."""
    angle = np.radians(np.array(degrees, dtype=np.float64))
    return ToySpace(unit=np.stack([np.cos(angle), np.sin(angle)], 1), classes=("a",))


def of(distances, space, row, others):
    """Distances of one row: those that it has among many as well."""
    several = distances(space, np.array([row, 0, row]), others)
    alone = distances(space, np.array([row]), others)[0]
    assert np.array_equal(several[0], alone) and np.array_equal(several[2], alone)
    return alone


def test_distances_agree_with_their_definitions():
    space = ToySpace(300, 20)
    unit = space.unit.astype(np.float64)
    unit /= np.linalg.norm(unit, axis=1)[:, None]
    others = np.arange(5, 300, 3, dtype=np.int32)
    straight = np.linalg.norm(unit[others] - unit[8], axis=1)
    assert np.allclose(of(cosines, space, 8, others), unit[others] @ unit[8], atol=1e-15)
    assert np.allclose(of(chords, space, 8, others), straight, atol=1e-14)
    assert np.allclose(
        of(angles, space, 8, others), np.arccos(np.clip(unit[others] @ unit[8], -1, 1))
    )
    assert of(chords, space, 8, others)[1] == 0.0  # row 8 itself
    assert of(angles, space, 8, others)[1] == 0.0


def test_equal_rows_are_at_distance_zero_and_near_ones_keep_their_digits():
    space = turned(0, 0, 90, 180, 120)
    space.unit[2] = [1.0, 1e-7]
    space.unit[3] = [-1.0, 1e-7]
    others = np.arange(5, dtype=np.int32)
    chord, angle = of(chords, space, 0, others), of(angles, space, 0, others)
    assert chord[0] == chord[1] == angle[0] == angle[1] == 0.0
    assert chord[2] == pytest.approx(1e-7, rel=1e-6)
    assert angle[2] == pytest.approx(1e-7, rel=1e-6)
    assert np.pi - angle[3] == pytest.approx(1e-7, rel=1e-6)
    assert angle[4] == pytest.approx(2 * np.pi / 3, rel=1e-6)


def test_rows_of_nearly_unit_length_are_taken_at_length_one():
    space = ToySpace(50, 6)
    others = np.arange(50, dtype=np.int32)
    before = of(chords, space, 3, others)
    space.unit *= np.float32(1.0005)
    assert np.allclose(of(chords, space, 3, others), before, atol=1e-6)
    assert of(cosines, space, 3, others).max() == pytest.approx(1.0, abs=1e-15)


def test_blocks_do_not_matter(monkeypatch):
    space, others = ToySpace(300, 20), np.arange(300, dtype=np.int32)
    whole = of(chords, space, 4, others)
    monkeypatch.setattr(_geometry, "_BLOCK", 7)
    assert np.allclose(of(chords, space, 4, others), whole, atol=1e-14)


def test_no_others_give_none():
    assert of(chords, ToySpace(), 1, np.empty(0, np.int32)).shape == (0,)


def test_many_close_pairs_take_no_more_memory_than_few():
    space = ToySpace(unit=np.ones((3000, 32)) / np.sqrt(32.0), classes=("a",))
    others = np.arange(3000, dtype=np.int32)
    tracemalloc.start()
    assert not chords(space, np.arange(50), others).any()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 12_000_000  # 150,000 pairs of 32 numbers would take 38 MB, several times over


def crowded(dimensions=12):
    """Copies, opposites, rows one float32 step apart, and some not quite of length one."""
    random = np.random.default_rng(3)
    unit = random.standard_normal((60, dimensions))
    unit /= np.linalg.norm(unit, axis=1)[:, None]
    step = unit[:20].astype(np.float32)
    step[:, 0] = np.nextafter(step[:, 0], np.float32(1.0))
    rows = np.concatenate([unit, unit[:20], -unit[:20], step, 1.0005 * unit[40:50]])
    return ToySpace(unit=rows.astype(np.float32), classes=("a",))


@pytest.mark.parametrize("block", [5, 4096])
def test_the_nearest_is_that_of_a_plain_search_whoever_else_is_asked_for(block, monkeypatch):
    monkeypatch.setattr(_geometry, "_BLOCK", block)
    space = crowded()
    rows, others = np.arange(0, 130, dtype=np.int32), np.arange(10, 130, dtype=np.int32)
    unit = space.unit.astype(np.float64)
    unit /= np.linalg.norm(unit, axis=1)[:, None]
    cosine = (unit[rows, None] * unit[others]).sum(-1)
    together = nearest(space, rows, others)
    assert np.array_equal(together, [nearest(space, rows[i : i + 1], others)[0] for i in rows])
    assert (cosine[rows, together] >= cosine.max(axis=1) - 1e-15).all()
    copies = unit[others[together], None] == unit[others]
    assert np.array_equal(together, np.argmax(copies.all(-1), axis=1))  # the first of equal rows


@pytest.mark.parametrize("most", [1e-7, 0.3, 1.0, 1.3, 1.99])
@pytest.mark.parametrize("block", [5, 4096])
def test_what_lies_within_a_chord_is_what_all_chords_say(most, block, monkeypatch):
    monkeypatch.setattr(_geometry, "_BLOCK", block)
    space = crowded()
    rows, others = np.arange(0, 130, 3, dtype=np.int32), np.arange(5, 125, dtype=np.int32)
    expected = chords(space, rows, others)
    assert not (np.abs(expected - most) < 1e-12).any()
    for row, line, (place, chord) in zip(
        rows, expected, within(space, rows, others, most), strict=True
    ):
        assert np.array_equal(place, np.flatnonzero(line < most))
        assert np.allclose(chord, line[place], rtol=1e-12, atol=1e-15)
        ((alone, length),) = within(space, np.array([row]), others, most)
        assert np.array_equal(alone, place) and np.array_equal(length, chord)


def test_proposals_are_off_by_less_than_they_may_be():
    random = np.random.default_rng(5)
    for dimensions in (2, 50, 768):
        unit = random.standard_normal((400, dimensions))
        unit /= np.linalg.norm(unit, axis=1)[:, None]
        space = ToySpace(unit=unit.astype(np.float32), classes=("a",))
        space.unit *= random.uniform(0.9991, 1.0009, (400, 1)).astype(np.float32)
        ids = np.arange(400, dtype=np.int32)
        exact = cosines(space, ids, ids)
        units = _geometry._unit(space.unit)
        ((_, theirs, cosine),) = _geometry._proposed(units, space, ids)
        assert np.abs(cosine - exact).max() < 0.7 * _geometry._off(theirs)


def test_many_near_pairs_take_no_more_memory_than_few():
    space = ToySpace(unit=np.ones((3000, 32)) / np.sqrt(32.0), classes=("a",))
    others = np.arange(3000, dtype=np.int32)
    tracemalloc.start()
    assert all(len(place) == 3000 for place, _ in within(space, np.arange(50), others, 0.5))
    assert not nearest(space, np.arange(50), others).any()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20_000_000
