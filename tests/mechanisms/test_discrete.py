"""What every mechanism with a known law does; what one alone promises is in its own file."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from privstamp.budget import METRICS
from privstamp.errors import BudgetError, Incompatible
from privstamp.mechanisms import _discrete as _laws
from privstamp.mechanisms import exponential
from privstamp.mechanisms._discrete import Recent
from privstamp.mechanisms._geometry import within
from privstamp.mechanisms.exponential import CusText, Exponential, PolarVocabulary, Tem
from privstamp.mechanisms.randomized_response import Clusters, RandomizedResponse
from privstamp.noise import Noise
from privstamp.types import UNKNOWN
from statistical import ALPHA, DRAWS, assert_scale, fresh, has_counts
from toys import ToySpace

KINDS = [PolarVocabulary, Exponential, Tem, CusText, RandomizedResponse]
CASES = [(kind, metric) for kind in KINDS for metric in kind.metrics]
EACH = pytest.mark.parametrize("kind", KINDS)
SCALE = {"chordal": 5.0, "angular": 15.0, "euclidean": 3.0, "truncated": 8.0, "ldp": 4.0}
"""Epsilons at which 36 outputs tell 30 % apart."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))


@pytest.mark.parametrize("block", [7, 256])
@pytest.mark.parametrize("row", [0, 18])  # row 18 is an input that never leaves
@pytest.mark.parametrize(("kind", "metric"), CASES)
def test_release_follows_the_channel(kind, metric, row, block, monkeypatch):
    monkeypatch.setattr(_laws, "BLOCK", block)
    space = ToySpace(80, 4)
    assert (row in space.outputs[0]) is (row == 0)
    mechanism, epsilon = kind(space, metric=metric), SCALE[metric]
    ids = np.full(DRAWS, row, dtype=np.int32)
    counts = np.bincount(
        mechanism.privatize(ids, np.full(DRAWS, epsilon), fresh(DRAWS)), minlength=80
    )

    def p_value(tried):
        return has_counts(counts, mechanism.channel(ids[:1], np.array([tried]))[0])

    if kind is RandomizedResponse and row == 18:
        assert p_value(epsilon) == p_value(9.0) > 1e-9  # uniform at any epsilon
        assert has_counts(counts, mechanism.channel(np.array([0]), np.array([1.0]))[0]) < 1e-9
    else:
        assert_scale(p_value, epsilon)


@EACH
def test_channel_is_a_law_over_the_outputs_of_the_class(kind):
    space = ToySpace(90, 6, ("a", "b", "c"))
    ids = np.arange(90, dtype=np.int32)
    rows = kind(space).channel(ids, np.geomspace(1e-3, 1e3, 90))
    assert rows.shape == (90, 90) and np.abs(rows.sum(-1) - 1.0).max() < 1e-12
    for number, outputs in enumerate(space.outputs):
        mine = space.class_of[ids] == number
        assert not np.delete(rows[mine], outputs, axis=1).any()
    assert kind(space).channel(ids[:0], np.empty(0)).shape == (0, 90)


@EACH
@pytest.mark.parametrize("epsilon", [1e-300, 1e-6, 1e6, 1e300])
def test_extreme_budgets_are_ordinary(kind, epsilon):
    space = ToySpace()
    mechanism, ids = kind(space), space.outputs[1]
    rows = mechanism.channel(ids, np.full(len(ids), epsilon))
    assert np.isfinite(rows).all() and np.abs(rows.sum(-1) - 1).max() < 1e-12
    got = mechanism.privatize(ids, np.full(len(ids), epsilon), fresh(len(ids)))
    assert bool((got == ids).all()) is (epsilon > 1)
    never = np.setdiff1d(np.flatnonzero(space.class_of == 1), ids).astype(np.int32)
    got = mechanism.privatize(never, np.full(len(never), epsilon), fresh(len(never)))
    assert np.isin(got, ids).all()


@pytest.fixture(params=[7, 256])
def block(request, monkeypatch):
    """Small blocks: outputs of a class are many of them, made in several parts."""
    monkeypatch.setattr(_laws, "BLOCK", request.param)
    monkeypatch.setattr(_laws, "_AT_ONCE", 3 * request.param)


@EACH
def test_units_of_one_batch_have_each_its_own_law(kind, block):
    space, draws = ToySpace(120, 4, ("a", "b")), 4000
    mechanism, scale = kind(space), SCALE[kind.metrics[0]]
    pairs = [(row, part * scale) for row in (0, 1, 18, 40, 41) for part in (0.5, 2.0)]
    rows, epsilons = (np.array(column) for column in zip(*pairs, strict=True))
    which = np.tile(np.arange(len(pairs)), draws)
    got = mechanism.privatize(rows[which].astype(np.int32), epsilons[which], fresh(len(which)))
    laws = mechanism.channel(rows.astype(np.int32), epsilons)
    different = 0
    for mine, own in enumerate(laws):
        counts = np.bincount(got[which == mine], minlength=120)
        for other, law in enumerate(laws):
            if mine == other:
                assert has_counts(counts, law) > ALPHA / len(pairs)
            elif np.abs(own - law).sum() > 0.5:
                different += 1
                assert has_counts(counts, law) < ALPHA
    assert different > 40


@EACH
def test_batches_and_order_and_the_cache_never_change_a_release(kind, block):
    space = ToySpace(300, 8, ("a", "b", "c"))
    random = np.random.default_rng(9)
    keys = [bytes([number]) * 32 for number in range(5)]
    documents = random.integers(0, 5, 2000)
    noise = Noise(keys, documents, np.arange(2000))
    ids = random.integers(0, 300, 2000).astype(np.int32)
    epsilon = random.choice([1.0, 5.0, 20.0], 2000)
    mechanism = kind(space)
    whole = mechanism.privatize(ids, epsilon, noise)
    order = random.permutation(2000)
    shuffled = mechanism.privatize(ids[order], epsilon[order], noise.take(order))
    assert np.array_equal(shuffled, whole[order])
    for size in (0, 10_000):
        mechanism._laws = Recent(size)
        assert np.array_equal(mechanism.privatize(ids, epsilon, noise), whole)
        assert mechanism._laws.nbytes <= size
    for document in range(5):
        mine = documents == document
        alone = mechanism.privatize(ids[mine], epsilon[mine], noise.take(mine))
        assert np.array_equal(alone, whole[mine])


@pytest.mark.parametrize("kind", [*KINDS, Clusters])
def test_many_new_units_leave_as_each_would_alone(kind):
    space = ToySpace(300, 8, ("a", "b", "c"))
    ids = np.random.default_rng(4).permutation(300).astype(np.int32)
    assert any(row not in space.outputs[space.class_of[row]] for row in ids)
    epsilon = np.resize([2.0, 9.0], 300)
    noise = Noise.of_document(bytes(32), np.arange(300))
    together, alone = kind(space).privatize(ids, epsilon, noise), kind(space)
    for place in range(300):
        mine = slice(place, place + 1)
        one = alone.privatize(ids[mine], epsilon[mine], noise.take(mine))
        assert one[0] == together[place]


@pytest.mark.parametrize("kind", [CusText, Clusters])
def test_new_units_outside_the_outputs_are_looked_up_together(kind, monkeypatch):
    space = ToySpace(300, 8, ("a", "b", "c"))
    mechanism, asked = kind(space), []
    find = mechanism._representatives._nearest
    monkeypatch.setattr(
        mechanism._representatives, "_nearest", lambda n, rows: asked.append(n) or find(n, rows)
    )
    ids, noise = np.arange(300, dtype=np.int32), Noise.of_document(bytes(32), np.arange(300))
    for _ in range(2):
        mechanism.privatize(ids, np.full(300, 5.0), noise)
    assert sorted(asked) == [0, 1, 2]


def test_near_outputs_of_new_units_are_found_together(monkeypatch):
    space, asked = ToySpace(300, 8, ("a", "b", "c")), []
    monkeypatch.setattr(
        exponential,
        "within",
        lambda s, rows, *more: asked.append(len(rows)) or within(s, rows, *more),
    )
    ids = np.repeat(np.arange(300, dtype=np.int32), 2)
    mechanism, noise = Tem(space), Noise.of_document(bytes(32), np.arange(600))
    mechanism.privatize(ids, np.tile([2.0, 5.0], 300), noise)
    assert sum(asked) == 300  # once for both epsilons
    assert len(asked) < 40


@EACH
def test_threads_may_share_a_mechanism(kind):
    space = ToySpace(300, 8)
    mechanism, ids = kind(space), np.arange(300, dtype=np.int32)
    noise, epsilon = Noise.of_document(bytes(32), np.arange(300)), np.full(300, 5.0)
    mechanism._laws = Recent(5_000)
    whole = kind(space).privatize(ids, epsilon, noise)
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(mechanism.privatize, ids, epsilon, noise) for _ in range(12)]
    assert all(np.array_equal(job.result(), whole) for job in jobs)


@EACH
def test_a_law_is_made_once_for_each_unit_and_budget(kind, monkeypatch):
    space = ToySpace(300, 8)
    mechanism, made = kind(space), []
    make = mechanism._made
    monkeypatch.setattr(mechanism, "_made", lambda keys: made.extend(keys) or make(keys))
    ids = np.array([4, 6, 4, 4, 6], dtype=np.int32)
    for _ in range(3):
        mechanism.privatize(ids, np.array([1.0, 1.0, 2.0, 1.0, 1.0]), fresh(5))
    assert sorted(made) == [(4, 1.0), (4, 2.0), (6, 1.0)]


@EACH
def test_units_draw_independently_even_where_they_share_a_law(kind):
    mechanism = kind(ToySpace())
    got = mechanism.privatize(np.full(400, 4, np.int32), np.full(400, 1e-3), fresh(400))
    assert len(set(got.tolist())) > 10


@pytest.mark.parametrize(("kind", "metric"), CASES)
def test_guarantee_names_the_table_and_the_diameter_is_finite(kind, metric):
    space = ToySpace()
    mechanism = kind(space, metric=metric)
    assert mechanism.metric == metric and metric in METRICS and not mechanism.decodes
    assert space.fingerprint[:12] in mechanism.guarantee
    assert 0 < mechanism.diameter <= min(METRICS[metric].diameter, 100.0)


@EACH
def test_a_foreign_metric_is_refused(kind):
    with pytest.raises(BudgetError, match=r'"l1".*Known: '):
        kind(ToySpace(), metric="l1")


def _long(space):
    space.unit[7] *= 1.01


def _empty(space):
    space.outputs = (space.outputs[0], np.empty(0, np.int32))


def _foreign(space):
    space.outputs = (space.outputs[0], np.array([1, 2, 3], np.int32))


@EACH
@pytest.mark.parametrize("spoil", [_long, _empty, _foreign])
def test_a_space_that_breaks_its_contract_is_refused_when_made(kind, spoil):
    space = ToySpace()
    spoil(space)
    with pytest.raises(Incompatible):
        kind(space)


@EACH
@pytest.mark.parametrize("value", [0.0, -1.0, np.inf, -np.inf, np.nan])
def test_what_is_no_budget_is_refused_before_any_draw(kind, value):
    mechanism = kind(ToySpace())
    for refused in (
        lambda: mechanism.privatize(np.array([1, 2]), np.array([1.0, value]), fresh(2)),
        lambda: mechanism.channel(np.array([1, 2]), np.array([1.0, value])),
    ):
        with pytest.raises(ValueError, match="0 < epsilon < inf"):
            refused()


@EACH
@pytest.mark.parametrize("row", [UNKNOWN, 300])
def test_units_without_a_row_and_unequal_lengths_are_refused(kind, row):
    mechanism = kind(ToySpace())
    with pytest.raises(ValueError, match="without a row") as caught:
        mechanism.privatize(np.array([1, row]), np.ones(2), fresh(2))
    assert str(row) not in str(caught.value)
    with pytest.raises(ValueError, match="without a row"):
        mechanism.channel(np.array([row]), np.ones(1))
    for epsilon, count in [([1.0], 2), ([1.0, 1.0], 1)]:
        with pytest.raises(ValueError, match="per unit"):
            mechanism.privatize(np.array([1, 2]), np.array(epsilon), fresh(count))
