from __future__ import annotations

import numpy as np
import pytest

from brute_force import assert_proved, proved_loss
from privstamp.mechanisms.randomized_response import RandomizedResponse
from statistical import DRAWS, assert_scale, fresh, has_counts
from toys import ToySpace


def different(space):
    return 1.0 - np.eye(len(space.unit))


def test_channel_is_warners():
    space = ToySpace(80, 4)
    rows = RandomizedResponse(space).channel(np.array([0, 18]), np.array([3.0, 3.0]))
    outputs = space.outputs[0]
    total = np.exp(3.0) + len(outputs) - 1
    assert rows[0, 0] == pytest.approx(np.exp(3.0) / total)
    assert rows[0, outputs[1:]] == pytest.approx(1.0 / total)
    assert 18 not in outputs
    assert rows[1, outputs] == pytest.approx(1.0 / len(outputs))


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
def test_the_bound_is_met_exactly(epsilon):
    space = ToySpace(80, 4)
    mechanism = RandomizedResponse(space)
    assert proved_loss(mechanism, space, epsilon, different(space)) == pytest.approx(epsilon)
    assert_proved(mechanism, space, epsilon, different(space))


def test_alternatives_are_uniform_and_the_unit_is_kept_as_often_as_the_budget_says():
    space = ToySpace(80, 4)
    got = RandomizedResponse(space).privatize(
        np.zeros(DRAWS, np.int32), np.full(DRAWS, 3.0), fresh(DRAWS)
    )
    counts = np.bincount(got, minlength=80)[space.outputs[0]]

    def p_value(epsilon):
        law = np.full(36, 1.0)
        law[0] = np.exp(epsilon)
        return has_counts(counts, law / law.sum())

    assert_scale(p_value, 3.0)


def test_a_law_does_not_grow_with_the_outputs():
    small, large = (RandomizedResponse(ToySpace(rows, 4))._law(3, 1.0) for rows in (40, 4000))
    assert small.nbytes == large.nbytes < 100
    assert RandomizedResponse(ToySpace(40, 4)).diameter == 1.0


def test_a_class_with_one_output_can_only_release_it():
    space = ToySpace(40, 4)
    space.outputs = (space.outputs[0][:1], space.outputs[1])
    mechanism = RandomizedResponse(space)
    ids = np.array([0, 2], dtype=np.int32)
    assert mechanism.privatize(ids, np.ones(2), fresh(2)).tolist() == [0, 0]
    assert mechanism.channel(ids, np.ones(2))[:, 0].tolist() == [1.0, 1.0]
