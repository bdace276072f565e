import numpy as np

from privstamp.decoding.exact import Exact
from privstamp.lab.attackers import keep_rates
from privstamp.lab.estimate import Estimate
from privstamp.mechanisms.polar import Polar
from toys import ToySpace

SPACE = ToySpace()
KEY = bytes(32)


class Halves:
    """Keeps with probability one half, else moves to the next row of the same class."""

    def channel(self, ids, epsilon):
        rows = np.zeros((len(ids), 300))
        rows[np.arange(len(ids)), ids] = 0.5
        rows[np.arange(len(ids)), (ids + 2) % 300] = 0.5
        return rows

    def privatize(self, ids, epsilon, noise):
        raise AssertionError("the exact channel is enough")


def test_exact_where_the_channel_is_known():
    made = keep_rates(Halves(), np.array([1, 4]), np.array([1.0, 1.0]))
    assert made == [Estimate.exact(0.5)] * 2


def test_estimates_grow_with_epsilon_and_bracket_themselves():
    polar = Polar(SPACE, decoder=Exact(SPACE))
    ids = np.zeros(3, dtype=np.int32)
    made = keep_rates(polar, ids, np.array([0.1, 8.0, 2000.0]), draws=300, key=KEY)
    assert made[0].value < 0.1 < made[1].value < 0.95 < made[2].value
    assert all(rate.low <= rate.value <= rate.high and rate.n == 300 for rate in made)


def test_rows_that_never_leave_are_never_kept():
    polar = Polar(SPACE, decoder=Exact(SPACE))
    inside = set(np.concatenate(SPACE.outputs).tolist())
    outsider = next(row for row in range(300) if row not in inside)
    made = keep_rates(polar, np.array([outsider], dtype=np.int32), np.array([5000.0]), draws=50)
    assert made[0].value == 0
