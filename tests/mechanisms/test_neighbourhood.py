from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from brute_force import assert_proved, proved_loss
from privstamp.errors import BudgetError, UsageError
from privstamp.mechanisms import neighbourhood as module
from privstamp.mechanisms._discrete import OBJECT_BYTES, Recent
from privstamp.mechanisms.neighbourhood import Neighbourhood
from privstamp.noise import Noise
from privstamp.spaces import hops
from statistical import ALPHA, DRAWS, fresh, has_counts
from toys import ToySpace

SPACE = ToySpace(rows=160, dimensions=4)


def step_matrix(mechanism, space):
    """Steps between the nodes that stand for two rows; infinite across classes."""
    nodes = mechanism.graph.nodes(np.arange(len(space.unit), dtype=np.int32))
    out = np.full((len(nodes), len(nodes)), np.inf)
    for number, graph in enumerate(mechanism.graph.classes):
        mine = np.flatnonzero(space.class_of == number)
        steps = graph.sweeps.hops(np.arange(len(graph))).astype(float)
        out[np.ix_(mine, mine)] = steps[np.ix_(nodes[mine], nodes[mine])]
    return out


@pytest.mark.parametrize("plateau", [0, 1])
@pytest.mark.parametrize("epsilon", [0.4, 3.0, 12.0])
def test_promise_holds_and_is_tight(plateau, epsilon):
    mechanism = Neighbourhood(SPACE, k=3, plateau=plateau)
    assert_proved(mechanism, SPACE, epsilon, step_matrix(mechanism, SPACE))


@pytest.mark.parametrize("plateau", [0, 1, 2])
@pytest.mark.parametrize("epsilon", [0.4, 3.0, 12.0])
def test_the_nominal_constant_holds_with_room_to_spare(plateau, epsilon):
    mechanism = Neighbourhood(SPACE, k=3, plateau=plateau, constant="nominal")
    loss = proved_loss(mechanism, SPACE, epsilon, step_matrix(mechanism, SPACE))
    for number in (0, 1):
        assert mechanism.scale(number, epsilon) == epsilon / 2
        assert mechanism.nominal(number, epsilon) == epsilon
    claimed = max(mechanism.proved(number, epsilon) for number in (0, 1))
    assert loss <= claimed <= epsilon
    assert proved_loss(mechanism, SPACE, epsilon / 0.7, step_matrix(mechanism, SPACE)) > loss


def test_a_distance_without_the_public_map_would_be_no_metric_of_the_promise():
    # Rows that never leave have the very law of the output nearest to them.
    mechanism = Neighbourhood(SPACE, k=3)
    inputs = np.setdiff1d(np.arange(160), np.concatenate(SPACE.outputs)).astype(np.int32)
    nodes = mechanism.graph.nodes(inputs)
    for row, node in zip(inputs.tolist(), nodes.tolist(), strict=True):
        stand = SPACE.outputs[SPACE.class_of[row]][node]
        both = mechanism.channel(np.array([row, stand]), np.array([2.0, 2.0]))
        assert np.array_equal(both[0], both[1]) and both[0, row] == 0.0


def test_chances_fall_by_one_factor_per_step_and_the_tail_is_never_cut():
    mechanism = Neighbourhood(SPACE, k=3, plateau=1)
    steps = step_matrix(mechanism, SPACE)
    row = int(SPACE.outputs[1][5])
    law = mechanism.channel(np.array([row]), np.array([4.0]))[0]
    scale = mechanism.scale(1, 4.0)
    for output in SPACE.outputs[1].tolist():
        paid = max(steps[row, output] - 1, 0)
        assert np.log(law[output] / law[row]) == pytest.approx(-scale * paid, abs=1e-9)
    assert (law[SPACE.outputs[1]] > 0).all()


def test_islands_keep_finite_losses():
    heaps = np.repeat(np.eye(5), 30, axis=0) + 0.01 * np.random.default_rng(0).normal(size=(150, 5))
    space = ToySpace(unit=heaps, classes=("a",))
    mechanism = Neighbourhood(space, k=3)
    assert mechanism.graph.classes[0].islands >= 5
    steps = step_matrix(mechanism, space)
    assert np.isfinite(steps).all() and steps.max() == mechanism.diameter
    assert proved_loss(mechanism, space, 2.0, steps) <= 2.0


def test_duplicate_rows_are_different_units_with_a_promise():
    space = ToySpace(unit=np.repeat(np.eye(4), 30, axis=0), classes=("a",))
    mechanism = Neighbourhood(space)
    assert proved_loss(mechanism, space, 3.0, step_matrix(mechanism, space)) <= 3.0


@pytest.mark.parametrize(("plateau", "epsilon"), [(0, 2.0), (1, 5.0)])
@pytest.mark.parametrize("walked", [0, 4096])
def test_neighbourhood_release_follows_its_channel(plateau, epsilon, walked, monkeypatch):
    monkeypatch.setattr(hops, "_WALKED", walked)
    mechanism = Neighbourhood(SPACE, k=3, plateau=plateau)
    row = int(SPACE.outputs[0][7])
    ids = np.full(DRAWS, row, dtype=np.int32)
    drawn = mechanism.privatize(ids, np.full(DRAWS, epsilon), fresh(DRAWS))
    counts = np.bincount(drawn, minlength=160)
    p = {
        factor: has_counts(counts, mechanism.channel(ids[:1], np.array([epsilon * factor]))[0])
        for factor in (0.7, 1.0, 1.3)
    }
    assert p.pop(1.0) > ALPHA
    assert max(p.values()) < ALPHA


def test_mixed_batches_and_blocks_never_change_a_draw(monkeypatch):
    ids = np.random.default_rng(0).integers(0, 160, 700).astype(np.int32)
    epsilon = np.random.default_rng(1).choice([0.3, 2.0, 9.0], 700)
    noise = Noise.of_document(bytes(32), np.arange(700))
    mechanism = Neighbourhood(SPACE, k=3)
    whole = mechanism.privatize(ids, epsilon, noise)
    assert np.array_equal(mechanism.privatize(ids, epsilon, noise), whole)
    monkeypatch.setattr(module, "_UNITS", 13)
    monkeypatch.setattr(hops, "_PICKING", 1)
    monkeypatch.setattr(hops, "_WALKING", 5)
    monkeypatch.setattr(hops, "_ALONE", 0)
    small = Neighbourhood(SPACE, k=3)
    assert np.array_equal(small.privatize(ids, epsilon, noise), whole)
    monkeypatch.setattr(hops, "_ALONE", 10**6)
    assert np.array_equal(small.privatize(ids, epsilon, noise), whole)
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(small.privatize, ids, epsilon, noise) for _ in range(8)]
    assert all(np.array_equal(job.result(), whole) for job in jobs)


def test_what_is_held_is_bounded_and_the_same():
    mechanism, small = Neighbourhood(SPACE, k=3), Neighbourhood(SPACE, k=3)
    most = 3 * (72 + OBJECT_BYTES)
    small._balls = Recent(most)
    for row in np.tile(SPACE.outputs[0][:5], 2).tolist():
        scores = [one.half_scores(row, 2.0) for one in (mechanism, small)]
        assert np.array_equal(*scores)
        assert 0 < small._balls.nbytes <= most


def test_extreme_budgets_draw_everything_or_the_unit_itself():
    mechanism = Neighbourhood(SPACE, k=3)
    ids = SPACE.outputs[0][np.arange(2000) % len(SPACE.outputs[0])]
    huge = mechanism.privatize(ids, np.full(2000, 1e6), fresh(2000))
    assert np.array_equal(huge, ids)
    tiny = mechanism.privatize(ids, np.full(2000, 1e-12), fresh(2000))
    assert len(np.unique(tiny)) == len(SPACE.outputs[0])


def test_loss_of_far_pairs_is_a_bound_and_below_epsilon_times_steps():
    for plateau in (0, 1):
        mechanism = Neighbourhood(SPACE, k=3, plateau=plateau)
        steps = step_matrix(mechanism, SPACE)
        ids = SPACE.outputs[0]
        with np.errstate(divide="ignore"):
            logs = np.log(mechanism.channel(ids, np.full(len(ids), 5.0))[:, ids])
        gap = (logs[:, None, :] - logs[None, :, :]).max(-1)
        apart = steps[np.ix_(ids, ids)]
        for distance in range(1, int(apart.max()) + 1):
            assert gap[apart == distance].max() <= mechanism.loss(0, 5.0, distance) + 1e-9
        far = int(apart.max())
        assert mechanism.loss(0, 5.0, 1) <= 5.0
        assert mechanism.loss(0, 5.0, far) < 5.0 * far
        assert mechanism.loss(0, 2.0, far) < 0.9 * 2.0 * far
        assert mechanism.loss(0, 5.0, 10**6) == mechanism.loss(0, 5.0, far)


def test_guarantee_names_graph_and_space():
    mechanism = Neighbourhood(SPACE)
    assert mechanism.graph.fingerprint[:12] in mechanism.guarantee
    assert SPACE.fingerprint[:12] in mechanism.guarantee
    assert mechanism.diameter == mechanism.graph.diameter > 1


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"plateau": -1}, BudgetError),
        ({"plateau": 1.5}, BudgetError),
        ({"plateau": True}, BudgetError),
        ({"constant": "tigth"}, BudgetError),
        ({"k": 0}, UsageError),
        ({"metric": "chordal"}, BudgetError),
    ],
)
def test_options_that_make_no_sense_are_refused(options, error):
    with pytest.raises(error):
        Neighbourhood(SPACE, **options)


def test_sharp_classes_have_no_plateau():
    space = ToySpace(rows=400, classes=("a", "b"))
    made = Neighbourhood(space, plateau=1, sharp=["b"])
    ids = np.array([0, 1], dtype=np.int32)  # one of each class
    rows = made.channel(ids, np.full(2, 3.0))
    flat, sharp = rows[0], rows[1]
    assert (flat == flat[0]).sum() > 1 and flat.max() == flat[0]
    assert (sharp == sharp[1]).sum() == 1 and sharp.max() == sharp[1]
    with pytest.raises(BudgetError, match='no class "c"'):
        Neighbourhood(space, sharp=["c"])


@pytest.mark.parametrize("plateau", [0, 1])
@pytest.mark.parametrize("epsilon", [0.4, 3.0, 12.0])
def test_with_a_reach_far_outputs_are_equally_likely_and_the_promise_counts_fewer_steps(
    plateau, epsilon
):
    mechanism = Neighbourhood(SPACE, k=3, plateau=plateau, reach=1)
    steps = step_matrix(mechanism, SPACE)
    assert mechanism.diameter == 1 < steps[np.isfinite(steps)].max()
    counted = np.where(np.isfinite(steps), np.minimum(steps, mechanism.diameter), np.inf)
    assert proved_loss(mechanism, SPACE, epsilon, counted) <= epsilon
    row = int(SPACE.outputs[1][5])
    law = mechanism.channel(np.array([row]), np.array([epsilon]))[0, SPACE.outputs[1]]
    far = steps[row, SPACE.outputs[1]] > plateau
    scale = mechanism.scale(1, epsilon)
    assert np.log(law[~far] / law[far].max()) == pytest.approx(scale, abs=1e-9)
    assert np.ptp(law[far]) < 1e-15
    for number in (0, 1):
        assert mechanism.proved(number, epsilon) <= epsilon
        assert mechanism.loss(number, epsilon, 1) <= epsilon
        assert mechanism.loss(number, epsilon, 50) <= epsilon


def test_with_a_reach_links_alone_would_not_do():
    # A chain of ever larger heaps: normalisers creep from link to link, and far apart they differ.
    chain = np.cumsum(np.linspace(0.3, 0.005, 160))
    space = ToySpace(unit=np.stack([np.cos(chain / 8), np.sin(chain / 8)], 1), classes=("a",))
    mechanism = Neighbourhood(space, k=4, plateau=6, reach=1)
    graph, scale = mechanism.graph.classes[0], mechanism.scale(0, 6.0)
    one, other = graph.edges
    log_z = np.log(graph.shells @ np.exp(-scale * mechanism.scores(0)))
    links = np.abs(log_z[one] - log_z[other]).max()
    assert np.ptp(log_z) > links
    assert mechanism.proved(0, 6.0) >= scale + np.ptp(log_z)


def test_like_frequencies_are_named_in_the_guarantee_and_odd_options_refused():
    assert "of like frequency" in Neighbourhood(SPACE, k=3, alike=20).guarantee
    assert "counted up to 1" in Neighbourhood(SPACE, k=3, plateau=1, reach=1).guarantee
    for reach in (0, -1, True, 1.5):
        with pytest.raises(BudgetError, match="reach"):
            Neighbourhood(SPACE, k=3, reach=reach)
