"""What holds of every text and task: order, bounds, what counts for nothing, and who is asked."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privstamp.importance.passages import (
    MOST_UNITS,
    PassageReader,
    best_matches,
    bm25,
    match,
    nearness,
    sentence_numbers,
    sentence_starts,
)
from privstamp.importance.relevance import Relevance
from privstamp.importance.shares import Common, RunningWords, apply_keep, text_shares
from privstamp.importance.task_cosine import TaskCosine, weighted_quantile
from privstamp.importance.task_match import ALGORITHMS, TaskMatch, stemmer, wanted
from privstamp.types import Scores
from toys import ToySpace

SPACE = ToySpace(rows=200, dimensions=6, classes=("content", "function", "name"))
PUBLIC = RunningWords(SPACE)
COMMON = Common(SPACE)
READER = PassageReader(SPACE, stemmer("en"))
PARTS = (TaskCosine(SPACE), TaskMatch(SPACE), Relevance(SPACE))
words = st.one_of(
    st.integers(0, 199).map(lambda row: f"w{row}"),
    st.sampled_from(["Zebra", "was", "1987", "half", "Dr.", "no.", "W12", "e.g.", "\u2026", "!"]),
)
texts = st.lists(
    st.tuples(words, st.sampled_from([" ", ". ", "\n", "? ", ", ", "\t"])), max_size=60
)
TEXTS = texts.map(lambda pairs: "".join(word + gap for word, gap in pairs))
VALUES = st.lists(st.floats(0, 1e6, width=32), max_size=40).map(
    lambda values: np.array(values, dtype=np.float32)
)


@given(TEXTS)
def test_sentences_have_an_order_and_no_gaps(text):
    starts = sentence_starts(text)
    assert starts == sorted(set(starts)) and all(0 < start <= len(text) for start in starts)
    numbers = sentence_numbers(SPACE.split(text))
    assert set(np.diff(numbers).tolist()) <= {0, 1}
    assert not len(numbers) or (numbers[0] == 0 and np.bincount(numbers).max() <= MOST_UNITS)


@given(st.integers(1, 5 * MOST_UNITS))
def test_a_stretch_without_an_end_is_cut_where_it_is_full(count):
    sizes = np.bincount(sentence_numbers(SPACE.split("w1 " * count)))
    assert sizes[:-1].tolist() == [MOST_UNITS] * (len(sizes) - 1) and sizes[-1] > 0


@given(st.text(max_size=200))
def test_any_text_has_sentences(text):
    assert all(0 < start <= len(text) for start in sentence_starts(text))


@given(TEXTS, TEXTS)
@settings(deadline=None)
def test_what_speaks_for_sentences_is_bounded(text, task):
    if not text.strip() or not len(SPACE.split(text)):
        return
    read, asked = READER.read(SPACE.split(text)), READER.read(SPACE.split(task))
    matched = match(read, asked)
    assert ((matched.cosine >= 0) & (matched.cosine <= 1 + 1e-5)).all()
    assert (matched.cosine[matched.equal] == 1).all()
    covered = best_matches(read, matched)
    assert ((covered >= 0) & (covered <= 1 + 1e-5)).all()
    assert (bm25(read, matched) >= 0).all() and (nearness(read, matched) >= 0).all()
    unmatched = np.setdiff1d(read.sentence, read.sentence[matched.matched])
    assert not bm25(read, matched)[unmatched].any()
    assert not nearness(read, matched)[np.isin(read.sentence, unmatched)].any()


@given(VALUES)
def test_shares_of_a_text_keep_its_order(values):
    shares = text_shares(values)
    assert ((shares >= 0) & (shares < 1)).all() and not shares[values == 0].any()
    for low, high in pairwise(values.argsort(kind="stable").tolist()):
        assert shares[low] <= shares[high]
        equal = values[low] == values[high]
        assert equal == (shares[low] == shares[high]) or not values[low]


@given(VALUES)
def test_public_shares_rise_with_the_value_and_nothing_has_none(values):
    raw = np.linspace(0.0, 1e6, len(PUBLIC.rows), dtype=np.float32)
    shares = PUBLIC.scale(raw)(values)
    assert ((shares >= 0) & (shares <= 1)).all()
    assert ((shares > 0) == (values > 0)).all()
    assert (np.diff(shares[values.argsort()]) >= 0).all()


def test_small_words_say_nothing_and_rare_ones_most():
    information = COMMON.information(np.arange(200, dtype=np.int32))
    assert not information[SPACE.class_of == 1].any()
    content = np.flatnonzero(SPACE.class_of != 1)
    order = content[np.argsort(-SPACE.prior[content], kind="stable")]
    assert (np.diff(information[order]) >= -1e-6).all() and information.max() <= 1


@given(
    st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=50),
    st.one_of(st.floats(0.01, 0.99), st.sampled_from([0.25, 0.5, 0.75])),
    st.booleans(),
)
def test_a_quantile_is_the_first_that_has_its_part_below(values, part, weighted):
    cosines = np.array(values, dtype=np.float32)
    weights = np.arange(1.0, len(values) + 1) if weighted else None
    found = weighted_quantile(cosines, weights, part)
    mass = np.ones(len(values)) if weights is None else weights
    assert found in cosines
    assert mass[cosines <= found].sum() >= part * mass.sum() * (1 - 1e-9)
    assert mass[cosines < found].sum() < part * mass.sum()


@given(TEXTS, st.one_of(st.none(), TEXTS))
@settings(deadline=None, max_examples=40)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_a_batch_scores_like_its_texts_and_no_task_needs_nothing(part, text, task):
    units = SPACE.split(text)
    [alone] = part.score([units], [task])
    together = part.score([SPACE.split("w1 w2"), units, units], ["w3", task, None])
    assert np.array_equal(alone.values, together[1].values, equal_nan=True)
    assert alone.threshold == together[1].threshold or not (task or "").strip()
    assert len(alone.values) == len(units)
    assert together[2].threshold == np.inf and together[2].note


@given(TEXTS, st.lists(words, max_size=4))
def test_kept_words_are_important_and_no_others(text, keep):
    terms = [term for term in keep if any(map(str.isalnum, term))]
    units = SPACE.split(text)
    plain = Scores(np.zeros(len(units), dtype=np.float32), 1.0)
    kept = apply_keep(units, plain, terms)
    folded = {term.casefold().strip(".") for term in terms}
    for index, surface in enumerate(units.surfaces()):
        marked = kept.kept is not None and bool(kept.kept[index])
        if marked:
            assert any(surface.casefold().strip(".!?,\u2026") in term for term in folded)
        elif surface.casefold() in {term.casefold() for term in terms}:
            assert not surface.isalnum()


@pytest.mark.parametrize("language", sorted(ALGORITHMS))
def test_a_stem_does_not_hang_on_case_or_possession(language):
    stem = stemmer(language)
    for word in ("Doctors", "Haus", "\u0431\u043e\u043b\u044c", "\u03c0\u03cc\u03bd\u03bf\u03c2"):
        assert stem(word) == stem(word.upper().lower()) == stem(f"{word}'s") == stem(f" {word}. ")
    assert stem("...") == "..." and stem("") == ""


@given(st.text(max_size=60))
def test_any_task_wants_something(task):
    assert wanted(task) in ("time", "amount", "person", "place", "other")
    assert wanted(f"when {task}") == "time"
