"""What a surrogate tells of what it stands for: nothing, and a line that told something is seen.

Several hundred names go through the replacer, each in a document of its own with a fresh key.
Statistics of (original, surrogate) pairs are compared with those of the same pairs shuffled; seven
standard deviations are out of reach of luck, and each test sees a broken line fail.
"""

import random
from collections import Counter
from math import log

import numpy as np
import pytest

from privstamp.mechanisms import invented
from privstamp.mechanisms.surrogate import Surrogate
from privstamp.mechanisms.wordlists import pools
from privstamp.noise import Randomness
from privstamp.release.groups import group
from privstamp.release.replaced import Pseudonyms
from privstamp.release.surrogates import Replacer
from privstamp.spaces.splitter import Plain
from privstamp.types import Finding, Scores

SPACE, REPLACEMENTS = Plain(), dict.fromkeys((1, 2, 3, 4), Surrogate())
FAR = 7.0
SHUFFLES = 60


def release(name, kind):
    units = SPACE.split(name)
    finding = Finding(0, len(name), kind, 1.0, "t", "t")
    scores = Scores(np.zeros(len(units), dtype=np.float32), 1.0)
    grouping = group(units, [finding], scores, replace_numbers=True)
    replacer = Replacer(REPLACEMENTS, Pseudonyms(Randomness.make().key()), ())
    done = replacer.document(units, grouping, np.ones(len(units), dtype=bool), units.surfaces())
    return " ".join(done.surfaces[index] for index in done.kept.tolist())


def names(count=400):
    """Names of lists and names of nobody, long and short."""
    lists = pools()
    listed = [*lists.family, *lists.city, *lists.given, "Xi", "Bartholomewson", "Ng"]
    nobody = [
        invented.spell(invented.PARTS, map(random.randrange, map(len, invented.PARTS))).capitalize()
        for _ in range(count // 4)
    ]
    return random.sample(listed, count - len(nobody)) + nobody


def information(pairs):
    """Nats that first letter, last letter and length of one tell of those of the other."""
    total = 0.0
    for mine in (lambda s: s[0], lambda s: s[-1], len):
        for theirs in (lambda s: s[0], lambda s: s[-1], len):
            both = Counter((mine(a), theirs(b)) for a, b in pairs)
            left, right = Counter(mine(a) for a, _ in pairs), Counter(theirs(b) for _, b in pairs)
            size = len(pairs)
            total += sum(
                n / size * log(n * size / (left[x] * right[y])) for (x, y), n in both.items()
            )
    return total


def shared(pairs):
    """Letters that the two have in common."""
    return sum((Counter(a.lower()) & Counter(b.lower())).total() for a, b in pairs)


def deviations(statistic, pairs):
    """How far the pairs are from what chance pairs give, in standard deviations of the latter."""
    ours, others = [a for a, _ in pairs], [b for _, b in pairs]
    chance = [
        statistic(list(zip(ours, random.sample(others, len(others)), strict=True)))
        for _ in range(SHUFFLES)
    ]
    return (statistic(pairs) - np.mean(chance)) / np.std(chance)


@pytest.mark.parametrize("kind", ["PERSON", "LOCATION", "ORGANIZATION", "RARE"])
def test_surrogates_tell_nothing_of_names(kind):
    pairs = [(name, release(name, kind)) for name in names()]
    assert deviations(information, pairs) < FAR
    assert deviations(shared, pairs) < FAR


def test_a_broken_line_is_seen():
    pairs = [(name, release(name, "PERSON")) for name in names()]
    first = [(a, a[:1] + b[1:] if n % 2 else b) for n, (a, b) in enumerate(pairs)]
    assert deviations(information, first) > FAR  # every second one keeps its first letter
    assert deviations(information, [(a, (b * 4)[: len(a)]) for a, b in pairs]) > FAR  # the length
    assert deviations(shared, [(a, a[:3] + b[3:]) for a, b in pairs]) > FAR  # three letters


@pytest.mark.parametrize("kind", ["PERSON", "LOCATION", "ORGANIZATION", "RARE"])
def test_two_documents_draw_apart(kind):
    """A surrogate that is a hash of the name, or one key for all, would be the same in both."""
    first, second = ([release(name, kind) for name in names()[:200]] for _ in range(2))
    again = [(release(name, kind), release(name, kind)) for name in names()[:200]]
    assert sum(a == b for a, b in again) <= 12
    assert len(set(first)) > 120 and len(set(second)) > 120
    assert deviations(information, again) < FAR
    assert deviations(shared, [(a, a) for a in first]) > FAR
