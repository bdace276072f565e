"""Keep rates, entropy and recovery of a cell: against closed forms and brute force."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from stand import stand

from privstamp.budget import Budget
from privstamp.errors import InputError
from privstamp.lab.attackers import Candidates
from privstamp.lab.audit import cells, claims, laws
from privstamp.lab.audit.canaries import LINES, NEW, SHARED, crowd, letters
from privstamp.lab.audit.claims import Pair
from privstamp.lab.audit.line import _honest, _unlisted
from privstamp.lab.audit.subject import MOST, SampleText, bounded, promised, read, traced
from privstamp.lab.estimate import Estimate
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.randomized_response import RandomizedResponse
from toys import ToySpace

SPACE = ToySpace(rows=30, dimensions=4)
WORDS = Candidates(SPACE, 0)
COUNT = len(WORDS)


def test_randomised_response_has_the_figures_of_the_books():
    epsilon = 2.0
    risk = cells.risk_of(RandomizedResponse(SPACE), WORDS, epsilon)
    keep = math.exp(epsilon) / (math.exp(epsilon) + COUNT - 1)
    other = (1 - keep) / (COUNT - 1)
    for figure in (risk.keep_mean, risk.keep_weighted, risk.keep_max, risk.recovery_uniform):
        assert figure.value == pytest.approx(keep, rel=1e-5)
    entropy = -keep * math.log2(keep) - (1 - keep) * math.log2(other)
    assert risk.entropy_bits == pytest.approx(entropy, rel=1e-4)
    inside = math.ceil((0.95 - keep) / other) + 1  # the word, and others up to 95 %
    assert abs(risk.support - inside) <= 1
    assert risk.floor_unigram == pytest.approx(WORDS.unigram.max())
    assert risk.how == "exact"


@pytest.mark.parametrize("epsilon", [0.5, 4.0, 16.0])
def test_an_exact_cell_is_what_the_whole_channel_says(epsilon):
    mechanism = Exponential(SPACE)
    channel = mechanism.channel(WORDS.ids, np.full(COUNT, epsilon))[:, WORDS.ids]
    keep = channel.diagonal()
    risk = cells.risk_of(mechanism, WORDS, epsilon)
    assert risk.keep_mean.value == pytest.approx(keep.mean(), rel=1e-4)
    assert risk.keep_weighted.value == pytest.approx(keep @ WORDS.unigram, rel=1e-4)
    assert risk.keep_max.value == pytest.approx(keep.max(), rel=1e-4)
    # Who knows the law guesses, for every output, the word with the largest joint chance.
    best = (channel * WORDS.even[:, None]).max(axis=0).sum()
    frequent = (channel * WORDS.unigram[:, None]).max(axis=0).sum()
    assert risk.recovery_uniform.value == pytest.approx(best, rel=1e-3)
    assert risk.recovery_unigram.value == pytest.approx(frequent, rel=1e-3)
    assert risk.recovery_unigram.value >= risk.floor_unigram * (1 - 1e-6)


def test_entropy_and_support_of_small_laws():
    assert cells._entropy(np.array([0.5, 0.5, 0.0])) == pytest.approx(1.0)
    assert cells._entropy(np.array([1.0])) == 0.0
    assert cells._entropy(np.full(8, 1 / 8)) == pytest.approx(3.0)
    assert cells._support(np.array([0.96, 0.02, 0.02])) == 1
    assert cells._support(np.array([0.5, 0.3, 0.16, 0.04])) == 3
    assert cells._support(np.array([4.0, 1.0])) == 2  # need not be normed


def test_cells_are_weighted_by_their_units():
    figures = [Estimate(0.2, 0.1, 0.3), Estimate(0.6, 0.5, 0.7)]
    mean = cells._weighted(figures, np.array([0.75, 0.25]))
    assert (mean.value, mean.low, mean.high) == pytest.approx((0.3, 0.2, 0.4))


def test_the_exact_ratio_is_the_largest_loss_over_its_claim():
    epsilon = 3.0
    response = laws.exact_ratio(RandomizedResponse(SPACE), WORDS, epsilon)
    assert response == pytest.approx(1.0, rel=1e-4)
    mechanism = Exponential(SPACE)
    channel = mechanism.channel(WORDS.ids, np.full(COUNT, epsilon))[:, WORDS.ids]
    first, second = np.triu_indices(COUNT, 1)
    apart = mechanism.distance(WORDS.ids[first], WORDS.ids[second])
    lost = np.abs(np.log(channel[first]) - np.log(channel[second])).max(axis=1)
    brute = float((lost / (epsilon * apart)).max())
    ratio = laws.exact_ratio(mechanism, WORDS, epsilon)
    assert ratio <= brute * (1 + 1e-4)
    assert ratio == pytest.approx(brute, rel=1e-3)  # 30 words: all of them are looked at
    assert ratio <= 1 + laws.SLACK


def test_no_ratio_where_no_law_is_known():
    assert laws.exact_ratio(SimpleNamespace(distance=None), WORDS, 1.0) is None


def test_pairs_are_near_in_between_and_far_at_both_claims():
    mechanism = Exponential(SPACE)
    pairs = claims.chosen_pairs(mechanism, WORDS)
    assert len(pairs) == 6
    for pair in pairs:
        ends = np.array([[pair.first], [pair.second]], dtype=np.int32)
        assert pair.distance == pytest.approx(float(mechanism.distance(*ends)[0]))
    assert [round(pair.claim, 9) for pair in pairs] == [1.0] * 3 + [3.0] * 3
    near, between, far = (pair.distance for pair in pairs[:3])
    assert near < between < far
    assert claims.chosen_pairs(SimpleNamespace(), WORDS) == []


def test_the_leaning_of_an_output_is_its_log_ratio():
    mechanism = RandomizedResponse(SPACE)
    pair = Pair(int(WORDS.ids[0]), int(WORDS.ids[1]), 2.0, 1.0)
    lean = claims.leaning(mechanism, SPACE, pair, WORDS.ids[:3])
    assert lean == pytest.approx([2.0, -2.0, 0.0], abs=1e-5)


def test_letters_are_all_different_and_are_read_back():
    sent = letters(20)
    for name in NEW:
        assert len({letter.things[name] for letter in sent}) == 20
    assert len({letter.things["shared"] for letter in sent}) == SHARED
    for letter in sent:
        clean = letter.text.replace("\u200b", "")
        assert letter.things.keys() == LINES.keys()
        assert letter.read(letter.text) == letter.things
        assert letter.things["owner"] == letter.things["person"].split()[1] + "'s"
        assert letter.read(clean + "\nmore") is None
        assert letter.read(clean.replace(", ", " ", 1)) is None
    assert letters(20) is sent


def test_a_crowd_has_as_many_people_as_lines():
    lines = crowd(50).split("\n")
    assert len(lines) == len({line.rsplit(", ", 1)[1] for line in lines}) == 50


def test_what_is_promised_is_the_policys_word_for_every_group(monkeypatch):
    budget = Budget.of([0.0, 0.5, 1.0, 2.0])
    subject = stand(
        monkeypatch, [SampleText("w1 w2 Zworgling w4 12", None, None, None)], budget=budget
    )
    trace = traced(subject.first[0])
    epsilon = promised(trace, subject.policy)
    for unit, group in enumerate(trace.grouping.groups.tolist()):
        known = trace.units.surface(unit).startswith("w")
        assert epsilon[unit] == (budget.epsilon[group - 1] if known else 0.0)


def test_a_certificate_that_miscounts_is_not_honest(monkeypatch):
    subject = stand(monkeypatch, [SampleText("w1 w2 Zworgling w4", None, None, None)])
    result = subject.first[0]
    assert _honest(result, subject.policy)
    told = result.certificate

    def with_(**update):
        return replace(result, certificate=told.model_copy(update=update))

    for change in ({"units": 9}, {"perturbed": 0}, {"unknown": 0}, {"unprotected": 1}):
        counts = told.counts.model_copy(update=change)
        assert not _honest(with_(counts=counts), subject.policy)
    groups = [facts.model_copy(update={"epsilon": 0.1}) for facts in told.groups]
    assert not _honest(with_(groups=groups), subject.policy)
    loss = told.loss.model_copy(update={"worst_case": math.inf})
    assert not _honest(with_(loss=loss), subject.policy)


def test_unlisted_words_are_looked_for_in_every_release(monkeypatch):
    subject = stand(monkeypatch, [SampleText("w1 Zworgling w4", None, None, None)])
    result = subject.first[0]
    assert _unlisted([result] * 30, subject.policy).kept
    leaky = replace(result, text="w1 ZWORGLING w4")
    promise = _unlisted([leaky] * 15 + [result] * 15, subject.policy)
    assert promise.found == 0.5 and promise.trials == 30 and not promise.kept


def test_a_sample_is_bounded_evenly_and_marks_follow_the_cut():
    text = "word " * 4000
    marks = read(
        f'{{"text": "{text}", "spans": [[0, 4, "A"], [19990, 19994, "B"]]}}', "a.jsonl", "?"
    )
    sample = bounded(marks * 3)
    assert len(sample) == 3 and sum(len(one.text) for one in sample) <= MOST
    assert all(one.text.endswith("word") for one in sample)  # cut at a blank
    assert [span.kind for span in sample[0].marked] == ["A"]
    assert sample[0].task == "?"
    short = [SampleText("w1", None)]
    assert bounded(short) is short


@pytest.mark.parametrize(
    "line",
    [
        "no json", "[]", '{"text": 3}', '{"text": "a", "task": 1}', '{"text": "a", "spans": [[0]]}',
        '{"text": "abc", "spans": [[0, 9, "A"]]}', '{"text": "abc", "spans": [[2, 1, "A"]]}',
    ],
)  # fmt: skip
def test_lines_of_a_sample_that_say_nothing_are_named_by_their_number(line):
    with pytest.raises(InputError, match="line 2 of the sample") as caught:
        read('{"text": "fine"}\n' + line, "a.jsonl", None)
    assert "abc" not in str(caught.value)
