"""Chunks hold the whole text and every short span of it whole; views keep their length."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.sensitivity.ner import OVERLAP, SIZE, broken_up, calmed, chunked


@pytest.mark.parametrize(
    "piece", ["x", "word ", "a line of words\n", "one\r\n\r\ntwo ", "\U0001f600"]
)
@pytest.mark.parametrize("length", [0, 1, SIZE - 1, SIZE, SIZE + 1, 5 * SIZE + 77])
def test_every_short_span_lies_whole_in_a_chunk(piece, length):
    text = (piece * length)[:length]
    chunks = list(chunked(text, 3))
    assert all(text[c.start : c.start + len(c.text)] == c.text for c in chunks)
    assert all(len(c.text) <= SIZE and c.document == 3 for c in chunks)
    assert chunks[0].start == 0
    assert chunks[-1].start + len(chunks[-1].text) == length
    for one, two in pairwise(chunks):
        assert two.start + OVERLAP <= one.start + len(one.text)


def test_cuts_fall_between_words():
    text = "word " * SIZE
    assert all(chunk.text.startswith("word") for chunk in chunked(text))


def test_chunks_do_not_show_their_text():
    assert "secret" not in repr(list(chunked("secret")))


@given(st.text(st.sampled_from("ab.,- \n\u00df\U0001f600"), max_size=900))
def test_views_keep_the_length_and_break_long_runs(text):
    view = broken_up(text)
    assert len(view) == len(text)
    assert all(len(run) < 200 for run in view.split())


def test_ordinary_words_are_not_touched():
    text = "The quick brown fox, " * 100
    assert broken_up(text) == text
    assert list(calmed(text)) == []


def test_runs_are_broken_at_punctuation_where_there_is_some():
    assert broken_up("name," * 60).split()[0].endswith("name")


def test_runs_of_capitals_are_calmed_with_their_surroundings():
    assert list(calmed("NHS: JOHN O'NEILL, USA")) == [(0, "NHS: John O'Neill, Usa")]
    assert list(calmed("The NHS is FREE")) == []


@given(st.text(st.sampled_from("aAB .\n\u00d6\U0001f600"), max_size=900))
def test_calmed_stretches_differ_in_case_only_and_cover_every_run(text):
    stretches = list(calmed(text))
    for start, view in stretches:
        assert view.lower() == text[start : start + len(view)].lower()
    for start in (i for i in range(len(text)) if text.startswith("AB BA", i)):
        assert any(at <= start and start + 5 <= at + len(view) for at, view in stretches)
    for (one, view), (two, _) in pairwise(stretches):
        assert one + len(view) <= two + 200


def test_far_runs_have_stretches_of_their_own():
    text = "JOHN DOE" + " and so on" * 100 + " JANE ROE"
    assert [len(view) < 250 for _, view in calmed(text)] == [True, True]


def test_views_take_linear_time():
    began = time.process_time()
    for piece in ("a", "(", "a ", "A ", "AB ", "AB.", "b" * 199 + " "):
        text = piece * (1_000_000 // len(piece))
        broken_up(text)
        list(calmed(text))
    assert time.process_time() - began < 20
