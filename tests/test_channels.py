import numpy as np

from privstamp.channels import keep, wilson
from privstamp.decoding.exact import Exact
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
    made = keep(Halves(), np.array([1, 4]), np.array([1.0, 1.0]))
    assert made.estimate.tolist() == made.low.tolist() == made.high.tolist() == [0.5, 0.5]


def test_estimates_grow_with_epsilon_and_bracket_themselves():
    polar = Polar(SPACE, decoder=Exact(SPACE))
    ids = np.zeros(3, dtype=np.int32)
    made = keep(polar, ids, np.array([0.1, 8.0, 2000.0]), draws=300, key=KEY)
    assert made.estimate[0] < 0.1 < made.estimate[1] < 0.95 < made.estimate[2]
    assert (made.low <= made.estimate).all() and (made.estimate <= made.high).all()


def test_rows_that_never_leave_are_never_kept():
    polar = Polar(SPACE, decoder=Exact(SPACE))
    inside = set(np.concatenate(SPACE.outputs).tolist())
    outsider = next(row for row in range(300) if row not in inside)
    made = keep(polar, np.array([outsider], dtype=np.int32), np.array([5000.0]), draws=50)
    assert made.estimate[0] == 0


def test_wilson_covers_the_truth_as_often_as_it_says():
    random = np.random.default_rng(1)
    hits = random.binomial(200, 0.05, size=4000).astype(float)
    made = wilson(hits, 200)
    covered = ((made.low <= 0.05) & (made.high >= 0.05)).mean()
    assert 0.93 < covered < 0.975
