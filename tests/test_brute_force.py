import numpy as np
import pytest

from brute_force import assert_proved, chord_matrix, proved_loss
from toys import ToySpace


class Known:
    """P(v | w) ~ exp(epsilon * strength) for v = w, over the outputs of one class."""

    def __init__(self, space, strength=1.0):
        self.space, self.strength = space, strength

    def channel(self, ids, epsilon):
        out = np.zeros((len(ids), len(self.space.unit)))
        out[:, self.space.outputs[0]] = 1.0
        own = np.isin(ids, self.space.outputs[0])
        out[own, ids[own]] = np.exp(self.strength * epsilon[own])
        return out / out.sum(-1, keepdims=True)


@pytest.fixture
def space():
    return ToySpace(20, 3, ("a",))


def test_the_loss_of_randomised_response_is_its_epsilon(space):
    apart = 1.0 - np.eye(20)
    assert proved_loss(Known(space), space, 2.0, apart) == pytest.approx(2.0)
    assert proved_loss(Known(space), space, 2.0, 2 * apart) == pytest.approx(1.0)
    assert_proved(Known(space), space, 2.0, apart)


@pytest.mark.parametrize(("strength", "match"), [(1.1, "holds"), (0.85, "10 %")])
def test_wrong_claims_are_noticed(space, strength, match):
    with pytest.raises(AssertionError, match=match):
        assert_proved(Known(space, strength), space, 2.0, 1.0 - np.eye(20))


def test_equal_units_need_equal_laws_and_infinite_distances_promise_nothing(space):
    zero = np.zeros((20, 20))
    assert proved_loss(Known(space), space, 2.0, zero) == np.inf
    assert proved_loss(Known(space, 0.0), space, 2.0, zero) == 0.0
    assert proved_loss(Known(space), space, 2.0, np.where(np.eye(20), 0.0, np.inf)) == 0.0


def test_differing_supports_have_an_infinite_loss(space):
    class Cut(Known):
        def channel(self, ids, epsilon):
            out = super().channel(ids, epsilon)
            out[3, 5] = 0.0
            return out

    assert proved_loss(Cut(space), space, 2.0, 1.0 - np.eye(20)) == np.inf


def test_pairs_of_different_classes_are_not_compared():
    space = ToySpace(20, 3)
    outside = np.where(space.class_of[:, None] == space.class_of, 0.0, 1e-9)
    assert proved_loss(Known(space, 0.0), space, 2.0, outside) == 0.0


def test_chords_are_those_of_unit_vectors(space):
    chord = chord_matrix(space)
    assert np.all(np.diag(chord) == 0) and chord.max() <= 2.0
    assert chord[0, 1] == pytest.approx(np.sqrt(2 - 2 * float(space.unit[0] @ space.unit[1])))
