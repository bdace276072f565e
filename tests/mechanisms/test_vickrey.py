from __future__ import annotations

import numpy as np
import pytest

from plane import channel, circle, straight, tightness
from privstamp.decoding.exact import Exact
from privstamp.errors import BudgetError, Incompatible, PolicyError
from privstamp.mechanisms import decoded
from privstamp.mechanisms.laplace import LaplaceL2
from privstamp.mechanisms.polar import Polar, Vickrey
from privstamp.mechanisms.stated import unit_rows
from privstamp.noise import Lane, Noise
from statistical import ALPHA, DRAWS, assert_scale, fresh, has_counts, has_mean
from toys import ToySpace

KINDS = pytest.mark.parametrize(
    ("noise", "metric"), [("laplace-l2", "chordal"), ("polar", "chordal"), ("polar", "angular")]
)


def made(space=None, **options):
    space = space or ToySpace()
    return Vickrey(space, decoder=Exact(space), **options)


def second_chance(points, first, second, t):
    """The published coin, for points and rows as they are."""
    near = np.linalg.norm(points - first, axis=-1)
    far = np.linalg.norm(points - second, axis=-1)
    return t * near / (t * near + (1.0 - t) * far)


def draws(noise, metric, t, epsilon=40.0, count=DRAWS):
    """Noisy vectors on the table's scale, their two nearest rows, and whether the second left."""
    space = ToySpace()
    mechanism = made(space, noise=noise, metric=metric, t=t)
    ids = np.arange(count, dtype=np.int32) % 300
    budget, address = np.full(count, epsilon), fresh(count)
    points = mechanism._perturb(ids, budget, address)
    two = Exact(space).decode_two(points, space.class_of[ids])
    got = mechanism.privatize(ids, budget, address)
    assert np.all((got == two[:, 0]) | (got == two[:, 1]))
    points = points / epsilon if noise == "laplace-l2" else points
    rows = unit_rows(space, slice(None))
    return points, rows[two[:, 0]], rows[two[:, 1]], (got == two[:, 1]).astype(float)


# The coin


@KINDS
@pytest.mark.parametrize("t", [0.25, 0.5, 0.75])
def test_the_second_leaves_as_often_as_the_coin_says(noise, metric, t):
    points, first, second, left = draws(noise, metric, t)
    chance = second_chance(points, first, second, t)
    surprise = (left - chance) / np.sqrt(chance * (1.0 - chance))
    assert has_mean(surprise, 0.0) > ALPHA
    groups = np.argsort(chance).reshape(20, -1)  # alike chances together: the coin is not constant
    worst = max(abs(surprise[group].sum()) / np.sqrt(len(group)) for group in groups)
    assert worst < 6.5


def test_the_coin_test_notices_squared_distances_and_a_swapped_weight():
    t = 0.75
    points, first, second, left = draws("polar", "chordal", t)
    right = second_chance(points, first, second, t)
    near, far = (np.linalg.norm(points - row, axis=-1) for row in (first, second))
    squared = t * near**2 / (t * near**2 + (1 - t) * far**2)
    swapped = second_chance(points, first, second, 1.0 - t)
    unweighted = np.full(len(left), t)
    for chance, fine in [(right, True), (squared, False), (swapped, False), (unweighted, False)]:
        surprise = (left - chance) / np.sqrt(chance * (1.0 - chance))
        assert (has_mean(surprise, 0.0) > ALPHA) is fine


@KINDS
def test_the_ends_are_always_the_first_and_always_the_second(noise, metric):
    assert draws(noise, metric, 0.0, count=1000)[3].max() == 0
    assert draws(noise, metric, 1.0, count=1000)[3].min() == 1


@KINDS
def test_never_the_second_is_the_noise_mechanism_itself(noise, metric):
    space = ToySpace()
    ids = np.tile(np.arange(300, dtype=np.int32), 3)
    address, epsilon = fresh(900), np.full(900, 20.0)
    plain = {"laplace-l2": LaplaceL2, "polar": Polar}[noise](
        space, metric=metric, decoder=Exact(space)
    )
    mechanism = made(space, noise=noise, metric=metric, t=0)
    assert np.array_equal(
        mechanism.privatize(ids, epsilon, address), plain.privatize(ids, epsilon, address)
    )


def test_coin_and_noise_read_different_bits():
    read = []

    class Watched(Noise):
        def _words(self, count, lane, attempt):
            read.append(lane)
            return super()._words(count, lane, attempt)

        def take(self, index):
            return Watched(self._keys, self._documents[index], self._positions[index])

    plain = fresh(5)
    watched = Watched(plain._keys, plain._documents, plain._positions)
    made().privatize(np.arange(5), np.full(5, 9.0), watched)
    assert sorted(read) == [Lane.TANGENT, Lane.RADIUS, Lane.CHOICE]


def test_equal_rows_share_by_the_weight_alone():
    space = ToySpace(unit=np.ones((40, 4)), classes=("a",))
    ids = np.zeros(DRAWS, dtype=np.int32)
    got = made(space, t=0.3).privatize(ids, np.full(DRAWS, 9.0), fresh(DRAWS))
    counts = np.bincount(got, minlength=2)
    assert len(counts) == 2
    assert has_counts(counts, np.array([0.7, 0.3])) > ALPHA
    assert has_counts(counts, np.array([0.5, 0.5])) < ALPHA


# The guarantee, against the exact channel of the plane


def coin(rows, t):
    """Two nearest directions of every point, and the coin between them."""

    def decide(points):
        order = np.argsort(-(points @ rows.T), axis=1)[:, :2]
        first, second = order[:, 0], order[:, 1]
        return first, second, second_chance(points, rows[first], rows[second], t)

    return decide


def round_density(epsilon):
    return lambda z: epsilon**2 / (2 * np.pi) * np.exp(-epsilon * np.sqrt((z * z).sum(-1)))


@pytest.mark.parametrize("t", [0.3, 0.7])
def test_release_matches_the_exact_channel_of_the_plane(t):
    space, row = circle(), 9  # an input that never leaves
    ids = np.full(DRAWS, row, dtype=np.int32)
    got = made(space, t=t).privatize(ids, np.full(DRAWS, 4.0), fresh(DRAWS))
    counts = np.bincount(np.searchsorted(space.outputs[0], got), minlength=11)
    unit = unit_rows(space, slice(None))

    def p_value(epsilon, weight=t):
        decide = coin(unit[space.outputs[0]], weight)
        line = channel(unit[[row]], 11, round_density(epsilon), decide, 12.0)[0]
        return has_counts(counts, line / line.sum())

    assert_scale(p_value, 4.0)
    assert p_value(4.0, 1.0 - t) < ALPHA


@pytest.mark.parametrize("t", [0.0, 0.5, 1.0])
def test_exact_channel_keeps_the_promise_and_no_smaller_one(t):
    """Ten per cent less epsilon would be a lie, and 30 % less noise would break the promise."""
    space = circle(24)
    unit = unit_rows(space, slice(None))
    decide = coin(unit[space.outputs[0]], t)
    for given, low, high in [(0.05, 0.9, 1.0), (0.05 / 0.7, 1.0001, 1.43)]:
        lines = channel(unit, 22, round_density(given), decide, 40.0 / given)
        assert np.abs(lines.sum(-1) - 1).max() < 1e-3
        assert low < tightness(lines, straight(unit), 0.05) <= high


# What every mechanism does


@KINDS
@pytest.mark.parametrize("epsilon", [1e-300, 1e-6, 1e6, 1e300])
@pytest.mark.parametrize("t", [0.0, 0.5, 1.0])
def test_extreme_budgets_are_ordinary(noise, metric, epsilon, t):
    space = ToySpace()
    ids = space.outputs[1]
    mechanism = made(space, noise=noise, metric=metric, t=t)
    got = mechanism.privatize(ids, np.full(len(ids), epsilon), fresh(len(ids)))
    assert np.isin(got, ids).all()
    if epsilon > 1:  # the nearest is the word itself and d1 all but zero: only t = 1 changes it
        kept = float((got == ids).mean())
        assert kept == 0.0 if t == 1.0 else kept > 0.9


def test_a_unit_leaves_as_an_output_of_its_own_class():
    space = ToySpace()
    ids = np.tile(np.arange(300, dtype=np.int32), 5)
    got = made(space).privatize(ids, np.full(1500, 3.0), fresh(1500))
    for number, outputs in enumerate(space.outputs):
        assert set(got[space.class_of[ids] == number].tolist()) <= set(outputs.tolist())


@KINDS
def test_blocks_and_order_never_change_a_release(noise, metric, monkeypatch):
    mechanism = made(noise=noise, metric=metric)
    ids = np.random.default_rng(2).integers(0, 300, 1500).astype(np.int32)
    address, epsilon = Noise.of_document(bytes(32), np.arange(1500)), np.full(1500, 20.0)
    whole = mechanism.privatize(ids, epsilon, address)
    order = np.random.default_rng(3).permutation(1500)
    shuffled = mechanism.privatize(ids[order], epsilon[order], address.take(order))
    assert np.array_equal(shuffled, whole[order])
    for size in (1, 100):
        monkeypatch.setattr(decoded, "BLOCK", size)
        assert np.array_equal(mechanism.privatize(ids, epsilon, address), whole)


def test_guarantee_is_that_of_the_noise():
    space = ToySpace()
    for metric, plain in [("chordal", LaplaceL2), ("angular", Polar)]:
        same = plain(space, metric=metric, decoder=Exact(space))
        assert made(space, metric=metric).guarantee == same.guarantee
        assert made(space, metric=metric).diameter == same.diameter


@pytest.mark.parametrize("t", [-0.1, 1.1, np.nan, True, "half"])
def test_a_weight_that_is_none_is_refused(t):
    with pytest.raises(PolicyError, match="t is a number"):
        made(t=t)


def test_what_cannot_be_is_refused():
    with pytest.raises(PolicyError, match=r'no noise "polr".*"polar"'):
        made(noise="polr")
    with pytest.raises(BudgetError, match='"laplace-l2" has no budget in "angular"'):
        made(noise="laplace-l2", metric="angular")
    with pytest.raises(BudgetError, match='"euclidean"'):
        made(metric="euclidean")
    with pytest.raises(Incompatible, match="no second output"):
        made(ToySpace(4, classes=("a", "b", "c")))


def test_a_decoder_without_a_runner_up_is_refused():
    class First:
        def decode(self, queries, classes):
            return np.zeros(len(queries), dtype=np.int32)

    with pytest.raises(Incompatible, match="decode_two"):
        Vickrey(ToySpace(), decoder=First())
