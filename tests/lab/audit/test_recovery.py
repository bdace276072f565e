"""Guesses on the sample's releases: Bayes' rule, entities over their mentions, floors."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lab.audit.stand import quiet, stand
from privstamp.budget import Budget
from privstamp.decoding.exact import Exact
from privstamp.lab.attackers import Candidates, best, evidence
from privstamp.lab.audit.recovery import Guesser, draws, entities, recovery, spread, targets
from privstamp.lab.audit.subject import SampleText, Subject
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.neighbourhood import Neighbourhood
from privstamp.mechanisms.polar import Polar
from privstamp.mechanisms.randomized_response import RandomizedResponse
from privstamp.policy import Policy
from privstamp.types import Finding
from toys import ToySpace

SPACE = ToySpace(60, 4, ("a",))


@pytest.mark.parametrize(
    "mechanism",
    [
        Exponential(SPACE, metric="chordal"),
        Neighbourhood(SPACE, k=3),
        RandomizedResponse(SPACE, metric="ldp"),
    ],
    ids=lambda one: one.name,
)
def test_sharp_evidence_is_the_channel_up_to_a_constant(mechanism):
    words = Candidates(SPACE, 0)
    held = evidence(mechanism, words, 3.0)
    everyone = np.arange(len(words))
    rows = mechanism.channel(words.ids, np.full(len(words), 3.0))[:, words.ids]
    for seen in (0, 7, 40):
        apart = held.sharp(seen, everyone) - np.log(rows[:, seen])
        assert np.ptp(apart) < 1e-4
        assert held.loose(seen).argmax() == seen or mechanism.name == "neighbourhood"


def test_evidence_of_draws_prefers_what_is_near():
    words = Candidates(SPACE, 0)
    held = evidence(Polar(SPACE, metric="chordal", decoder=Exact(SPACE)), words, 6.0)
    assert held.loose(5).argmax() == 5


def test_best_is_in_order_and_ties_go_to_the_first():
    assert best(np.array([1.0, 3.0, 3.0, 2.0]), 3).tolist() == [1, 2, 3]
    assert best(np.array([1.0, 3.0]), 9).tolist() == [1, 0]


def test_more_epsilon_is_more_recovery(monkeypatch):
    few, many = (
        recovery(stand(monkeypatch, budget=Budget.uniform(one)), quiet).figures
        for one in (0.5, 400.0)
    )
    for name in ("recovered_uniform", "recovered_unigram"):
        assert few[name].value < 0.4 < many[name].value
    assert few["recovered_unigram_top5"].value < 0.6 < many["recovered_unigram_top5"].value
    assert few["recovered_unigram"].value <= few["recovered_unigram_top5"].value
    assert few["floor_unigram"].value < 0.3


MENTIONS = SampleText(
    "w2 w3 w5 w2 w7 w2 w8", None, None, tuple(Finding(n, n + 2, "P", 1, "s", "m") for n in (0, 9))
)


def test_mentions_of_a_word_drawn_once_are_one_draw(monkeypatch):
    once = stand(monkeypatch, [MENTIONS], budget=Budget.uniform(2.0))
    (thing,) = entities(once)
    assert len(thing.words) == 1 and len(thing.words[0]) == 2 and thing.whole
    assert len(draws(once, thing.words[0])) == 1
    free = stand(monkeypatch, [MENTIONS], budget=Budget.uniform(2.0), policy_draws="independent")
    assert len(draws(free, entities(free)[0].words[0])) == 2


def test_two_draws_of_a_word_tell_more_than_one(monkeypatch):
    many = [replace(MENTIONS, text=f"{MENTIONS.text} w{n}") for n in range(60)]
    subject = stand(monkeypatch, many, budget=Budget.uniform(9.0), policy_draws="independent")
    guesser, right = Guesser(subject.parts), {1: 0, 2: 0}
    words = guesser.words(0)
    for thing in entities(subject):
        for count in right:
            ranked = guesser.ranked(np.zeros(len(words)), thing.words[0][:count], 1)
            right[count] += words.ids[ranked[0]] == 2
    assert right[2] > right[1]


def test_entities_that_leave_as_they_were_or_are_in_no_list(monkeypatch):
    free = recovery(stand(monkeypatch, budget=Budget.uniform(math.inf)), quiet)
    assert free.figures["entities_recovered"].value == 1.0
    strange = SampleText("Zworg w1", None, None, (Finding(0, 5, "P", 1, "s", "m"),))
    gone = recovery(stand(monkeypatch, [strange]), quiet)
    assert gone.figures["entities_recovered"].value == 0.0


def test_only_private_lines_name_what_was_guessed(monkeypatch):
    section = recovery(stand(monkeypatch, budget=Budget.uniform(400.0)), quiet)
    assert any('"w2"' in line for line in section.private)


def test_targets_are_spread_evenly(monkeypatch):
    found = targets(stand(monkeypatch))
    few = spread(found, 3)
    assert [few[0], few[-1]] == [found[0], found[-1]] and len(few) == 3
    assert spread(found, 1000) == found


def test_a_space_without_words_leaves_nothing_to_guess_from():
    """The default's: an entity of a released word is told, one of a replaced word is not."""
    text = "Ask Mara Quillfeather about the tea"
    start = text.index("tea")
    marked = [Finding(4, 21, "PERSON", 1, "s", "m"), Finding(start, start + 3, "MISC", 1, "s", "m")]
    section = recovery(
        Subject(Policy(), [SampleText(text, None, None, tuple(marked))], seed=1), quiet
    )
    assert section.figures["entities_recovered"].value == 0.5
    assert section.figures["entities_floor"].value == 0.0
