import numpy as np

from line import SPACE
from privstamp.decoding.exact import Exact
from privstamp.lab.evals.lines import TimedDecoder
from privstamp.protocols import Neighbours


def test_it_decodes_the_same_and_counts_seconds():
    exact = Exact(SPACE)
    timed = TimedDecoder(exact)
    queries = SPACE.unit[:20].astype(np.float64) + 0.05
    classes = SPACE.class_of[:20]
    assert isinstance(timed, Neighbours)
    assert np.array_equal(timed.decode(queries, classes), exact.decode(queries, classes))
    first = timed.seconds
    assert first > 0
    assert np.array_equal(timed.decode_two(queries, classes), exact.decode_two(queries, classes))
    assert timed.seconds > first
