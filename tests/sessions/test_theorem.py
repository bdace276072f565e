"""The theorem of docs/concepts/sessions.md on a space of three words, all outputs enumerated.

Addresses are those of the session's own code; noise is one uniform number for each, read by the
inverse of each word's law. A build that leaves something out of its addresses breaks the bound.
"""

import re
from collections import defaultdict
from itertools import pairwise, permutations, product
from math import inf

import numpy as np
import pytest

from line import make
from privstamp.release.document import Chosen, Document, grown
from privstamp.sessions.stretches import Stretches

WORDS = ("w0", "w1", "w2")
HISTORIES = [  # messages: origin, text, epsilon
    [("own", "w0", 1.0), ("own", "w1", 1.0)],
    [("own", "w0", 0.5), ("own", "w0", 2.0)],
    [("own", "w0 w1", 1.0), ("tool:a", "w0", 1.0)],
    [("own", "w0", 1.0), ("tool:a", "w0", 1.0), ("own", "w0", 1.0)],
    [("own", "w0 w1", 1.0), ("own", "w0 w1\n\nw2", 1.0), ("own", "w0 w1", 1.0)],
    [("own", "w1 w1\n\nw1 w1", 1.0)],
    [("own", "w0 w1 w2", 1.0), ("own", "w0 w2 w2", 1.0), ("own", "w0 w2", 1.0)],  # edits
    [("own", "w0", 0.5), ("own", "w1 w0", 0.5), ("own", "w1 w0", 2.0)],  # reopened with more
    [("own", "w0 w1", 1.0), ("own", "w2 w2 w0 w1", 1.0)],  # a held redraw
]
REDRAWS = 1


def law(word, epsilon):
    """The exponential mechanism on a line of three points."""
    weights = np.exp(-epsilon / 2 * np.abs(np.arange(3) - WORDS.index(word)))
    return weights / weights.sum()


def addressed(line, stretches, history):
    """Word, epsilon and address of every unit, in order."""
    units = []
    for origin, text, epsilon in history:
        [labelled] = line._label([Document(0, text, None)])
        labelled.epsilon[:] = epsilon
        every = np.arange(len(labelled.units))
        document = grown(Chosen, labelled, drawn=every, shared=every, positions=every)
        places = stretches.of(origin).positions(document).tolist()
        units += [(word, epsilon, at) for word, at in zip(text.split(), places, strict=True)]
    return units


def outputs(units):
    """The exact probability of every sequence of outputs."""
    alike = defaultdict(list)
    for index, (word, epsilon, address) in enumerate(units):
        alike[address].append((index, np.cumsum(law(word, epsilon))))
    choices = []
    for members in alike.values():
        edges = sorted({0.0, *(float(edge) for _, sums in members for edge in sums[:-1]), 1.0})
        choices.append(
            [
                (
                    high - low,
                    {index: int((sums < (low + high) / 2).sum()) for index, sums in members},
                )
                for low, high in pairwise(edges)
            ]
        )
    found = defaultdict(float)
    for chosen in product(*choices):
        drawn = {index: word for _, words in chosen for index, word in words.items()}
        found[tuple(drawn[index] for index in range(len(units)))] += float(
            np.prod([share for share, _ in chosen])
        )
    return found


def renamed(history, words):
    """The same history with other words, by origin: its pattern of repeats is the same."""

    def text_of(origin, text):
        return re.sub(r"w\d", lambda word: words[origin][word[0]], text)

    return [(origin, text_of(origin, text), epsilon) for origin, text, epsilon in history]


def excess(line, history, kind=Stretches):
    """By how much the log ratio passes its bound at worst, over all histories of one pattern."""

    def session():
        return kind(b"k" * 32, line.facts, line.parts, line.policy.budget, redraws=REDRAWS)

    worst = -inf
    origins = sorted({origin for origin, *_ in history})
    here = addressed(line, session(), history)
    first = outputs(here)
    for chosen in product(permutations(WORDS), repeat=len(origins)):
        words = {
            o: dict(zip(WORDS, new, strict=True)) for o, new in zip(origins, chosen, strict=True)
        }
        there = addressed(line, session(), renamed(history, words))
        losses = {
            at: epsilon * abs(WORDS.index(word) - WORDS.index(new))
            for (word, epsilon, at), (new, *_) in zip(here, there, strict=True)
        }
        second = outputs(there)
        for sequence, chance in first.items():
            ratio = chance / second[sequence] if second.get(sequence) else inf
            worst = max(worst, np.log(ratio) - sum(losses.values()))
    return worst


class WithoutOwnText(Stretches):
    def stretches(self, document, origin):
        return [origin.encode() + bytes([unit]) for unit in range(len(document.units))]


class WithoutOrigin(Stretches):
    def stretches(self, document, origin):
        return super().stretches(document, "anybody")


class WithoutEpsilon(Stretches):
    def law(self, document, unit):
        return b"any"


@pytest.fixture
def line(monkeypatch):
    return make(monkeypatch)


@pytest.mark.parametrize("history", HISTORIES, ids=range(len(HISTORIES)))
def test_the_bound_holds_for_every_output(line, history):
    assert excess(line, history) <= 1e-9


@pytest.mark.parametrize(
    ("broken", "history"), [(WithoutOwnText, 0), (WithoutEpsilon, 1), (WithoutOrigin, 3)]
)
def test_an_address_that_leaves_something_out_breaks_it(line, broken, history):
    assert excess(line, HISTORIES[history], broken) > 0.1


def test_a_diff_that_does_not_look_at_words_breaks_it(line, monkeypatch):
    def by_place(before, after):
        return zip(range(len(before)), range(len(after)), strict=False)

    monkeypatch.setattr("privstamp.sessions.versions.matched", by_place)
    assert excess(line, HISTORIES[6]) > 0.1


def test_the_probabilities_are_probabilities_and_redraws_are_held(line):
    for history in HISTORIES:
        session = Stretches(b"k" * 32, line.facts, line.parts, line.policy.budget, redraws=REDRAWS)
        units = addressed(line, session, history)
        assert sum(outputs(units).values()) == pytest.approx(1.0)
        assert session.held > 0 or history is not HISTORIES[-1]
