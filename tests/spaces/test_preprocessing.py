"""Preprocessing: what each recipe takes away, and that the result does not hang on the machine."""

from __future__ import annotations

import numpy as np
import pytest

from privstamp.errors import UsageError
from privstamp.spaces.words import _directions, components, preprocess
from privstamp.types import Table


@pytest.fixture(scope="module")
def raw() -> Table:
    """Rows that share a mean and two strong directions, of very different lengths."""
    random = np.random.default_rng(5)
    table = random.standard_normal((20_000, 12)) * [9, 6, *[1] * 10] + 4.0
    return (table * random.uniform(0.1, 10, (20_000, 1))).astype(np.float32)


def naive(raw: Table, count: int) -> np.ndarray:
    unit = raw.astype(np.float64)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    rest = unit - unit.mean(axis=0)
    top = np.linalg.svd(rest, full_matrices=False)[2][:count]
    rest -= rest @ top.T @ top
    return rest


def test_raw_only_normalises(raw: Table) -> None:
    unit, radius = preprocess(raw, "raw")
    assert unit.dtype == radius.dtype == np.float32
    np.testing.assert_allclose(unit * radius[:, None], raw, rtol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(unit, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize(("recipe", "count"), [("centred", 0), ("abtt1", 1), ("abtt2", 2)])
def test_recipes_agree_with_a_plain_computation(raw: Table, recipe: str, count: int) -> None:
    unit, radius = preprocess(raw, recipe)
    expected = naive(raw, count)
    length = np.linalg.norm(expected, axis=1)
    np.testing.assert_allclose(radius, length, atol=1e-5)
    np.testing.assert_allclose(unit, expected / length[:, None], atol=2e-5)


def test_removing_components_flattens_the_table(raw: Table) -> None:
    spread = {}
    for recipe in ("raw", "centred", "abtt2"):
        unit = preprocess(raw, recipe)[0]
        spread[recipe] = np.linalg.eigvalsh(np.cov(unit.T))[::-1]
    assert spread["centred"][0] > 2 * spread["centred"][2]
    assert spread["abtt2"][9] > 0.01
    assert (spread["abtt2"][10:] < 1e-9).all(), "two directions are gone"


def test_order_of_rows_does_not_change_a_row(raw: Table) -> None:
    """Sums over rows run in another order then; the rounding in between hides it."""
    order = np.random.default_rng(0).permutation(len(raw))
    unit, radius = preprocess(raw, "abtt2")
    shuffled, lengths = preprocess(raw[order], "abtt2")
    assert (shuffled == unit[order]).all()
    assert (lengths == radius[order]).all()
    for found, again in zip(_directions(raw, 2), _directions(raw[order], 2), strict=True):
        assert (np.abs(found) == np.abs(again)).all(), "last bits must not depend on the order"


@pytest.mark.parametrize("recipe", ["raw", "centred", "abtt2"])
def test_rows_without_direction_have_radius_zero(raw: Table, recipe: str) -> None:
    table = raw[:1000].copy()
    table[7] = 0.0
    unit, radius = preprocess(table, recipe)
    assert radius[7] == 0.0
    assert not unit[7].any()
    assert (np.delete(radius, 7) > 0).all()
    np.testing.assert_allclose(np.linalg.norm(np.delete(unit, 7, axis=0), axis=1), 1, atol=1e-6)


def test_equal_rows_have_nothing_left_after_centring() -> None:
    unit, radius = preprocess(np.ones((50, 4), dtype=np.float32), "centred")
    assert not unit.any()
    assert not radius.any()


@pytest.mark.parametrize("recipe", ["", "abtt", "abtt0", "abtt-1", "ABTT2", "abtt2.5", "whitened"])
def test_unknown_recipes_are_refused(recipe: str) -> None:
    with pytest.raises(UsageError, match="Known: raw, centred, abttN"):
        components(recipe)


def test_bad_tables_are_refused(raw: Table) -> None:
    with pytest.raises(UsageError, match="leaves nothing of 12 dimensions"):
        preprocess(raw, "abtt12")
    with pytest.raises(UsageError, match="rows and columns"):
        preprocess(raw[0], "raw")
    with pytest.raises(UsageError, match="not finite"):
        preprocess(np.full((3, 3), np.nan, dtype=np.float32), "raw")
