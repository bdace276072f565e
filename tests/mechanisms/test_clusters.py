from __future__ import annotations

import numpy as np
import pytest

from brute_force import assert_proved
from privstamp.errors import BudgetError, UsageError
from privstamp.mechanisms.randomized_response import Clusters
from statistical import ALPHA, DRAWS, fresh, has_counts
from toys import ToySpace


def tree_matrix(mechanism, space):
    """0 inside a cluster, 1 between clusters of one class, infinite across classes."""
    sets = [(c, *mechanism.members(row).tolist()) for row, c in enumerate(space.class_of.tolist())]
    same = np.array([[a == b for b in sets] for a in sets])
    classes = space.class_of[:, None] == space.class_of
    return np.where(same, 0.0, np.where(classes, 1.0, np.inf))


@pytest.mark.parametrize("rows", [160, 177])  # equal sizes, and sizes that differ by one
@pytest.mark.parametrize("epsilon", [0.3, 4.0, 15.0])
def test_promise_is_tight_across_clusters_and_nothing_shows_inside(rows, epsilon):
    space = ToySpace(rows=rows, dimensions=4)
    mechanism = Clusters(space, size=6)
    # A loss above zero inside a cluster would make the proved loss infinite.
    assert_proved(mechanism, space, epsilon, tree_matrix(mechanism, space))


def test_sizes_in_the_uneven_case_do_differ():
    space = ToySpace(rows=177, dimensions=4)
    sizes = {len(mechanism_set) for mechanism_set in Clusters(space, size=6)._members[0]}
    assert len(sizes) == 2 and max(sizes) - min(sizes) == 1


def test_rows_outside_are_equally_likely_for_every_unit():
    space = ToySpace(rows=177, dimensions=4, classes=("a",))
    mechanism = Clusters(space, size=6)
    ids = space.outputs[0]
    laws = mechanism.channel(ids, np.full(len(ids), 3.0))[:, ids]
    outside = np.array([laws[row][laws[row] == laws[row].min()][0] for row in range(len(ids))])
    assert np.ptp(outside) < 1e-15
    for place, row in enumerate(ids.tolist()):
        inside = mechanism.members(row)
        assert laws[place, inside].sum() == pytest.approx(mechanism.stay(row, 3.0))
        assert np.ptp(laws[place, inside]) == 0.0


def test_a_unit_outside_the_outputs_is_in_the_cluster_of_its_nearest():
    space = ToySpace(rows=200, dimensions=4)
    mechanism = Clusters(space, size=8)
    inputs = np.setdiff1d(np.arange(200), np.concatenate(space.outputs))
    for row in inputs.tolist():
        outputs = space.outputs[space.class_of[row]]
        cosine = space.unit[outputs].astype(np.float64) @ space.unit[row]
        assert max(cosine[mechanism.members(row)]) > cosine.max() - 2e-3
        assert mechanism.channel(np.array([row]), np.array([9.0]))[0, row] == 0.0


def test_clusters_release_follows_its_channel():
    space = ToySpace(rows=160, dimensions=4)
    mechanism = Clusters(space, size=6)
    ids = np.full(DRAWS, int(space.outputs[1][3]), dtype=np.int32)
    counts = np.bincount(mechanism.privatize(ids, np.full(DRAWS, 3.0), fresh(DRAWS)), minlength=160)
    p = {
        factor: has_counts(counts, mechanism.channel(ids[:1], np.array([3.0 * factor]))[0])
        for factor in (0.7, 1.0, 1.3)
    }
    assert p.pop(1.0) > ALPHA
    assert max(p.values()) < ALPHA


def test_a_class_that_is_one_cluster_tells_nothing():
    space = ToySpace(rows=30, dimensions=4, classes=("a",))
    mechanism = Clusters(space, size=16)
    laws = mechanism.channel(np.arange(30, dtype=np.int32), np.full(30, 50.0))
    assert (laws == laws[0]).all()
    assert mechanism.stay(0, 50.0) == 1.0
    drawn = mechanism.privatize(np.zeros(2000, dtype=np.int32), np.full(2000, 50.0), fresh(2000))
    assert set(drawn.tolist()) == set(space.outputs[0].tolist())


def test_duplicates_may_part_and_the_promise_holds():
    space = ToySpace(unit=np.repeat(np.eye(4), 25, axis=0), classes=("a",))
    mechanism = Clusters(space, size=7)
    assert_proved(mechanism, space, 2.0, tree_matrix(mechanism, space))


def test_extreme_budgets_leave_the_cluster_always_or_never():
    space = ToySpace(rows=160, dimensions=4)
    mechanism = Clusters(space, size=6)
    row = int(space.outputs[0][3])
    for epsilon, stay in ((1e-12, 6 / 72), (1e6, 1.0)):
        assert mechanism.stay(row, epsilon) == pytest.approx(stay, rel=1e-6)
        ids = np.full(500, row, dtype=np.int32)
        drawn = mechanism.privatize(ids, np.full(500, epsilon), fresh(500))
        inside = np.isin(drawn, space.outputs[0][mechanism.members(row)])
        assert inside.all() if stay == 1.0 else 0 < inside.mean() < 0.5


def test_guarantee_states_both_levels_and_names_the_clusters():
    mechanism = Clusters(ToySpace(rows=160, dimensions=4), size=6)
    assert "exactly as likely" in mechanism.guarantee and "exp(epsilon)" in mechanism.guarantee
    assert mechanism.fingerprint[:12] in mechanism.guarantee
    assert mechanism.diameter == 1.0


def test_clusters_of_one_row_and_other_metrics_are_refused():
    with pytest.raises(UsageError, match="2 rows or more"):
        Clusters(ToySpace(), size=1)
    with pytest.raises(BudgetError):
        Clusters(ToySpace(), metric="ldp")
