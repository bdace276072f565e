"""Allow takes away only what it names in full; deny adds; deny wins."""

import time

import pytest
from documents import as_units, said
from hypothesis import given
from hypothesis import strategies as st

from privstamp.errors import PolicyError
from privstamp.sensitivity.spans import apply_lists
from privstamp.types import Finding


def found(text: str, *parts: str) -> list[Finding]:
    return [
        Finding(text.index(part), text.index(part) + len(part), "PERSON", 0.8, "test", "rule")
        for part in parts
    ]


def left(text: str, findings: list[Finding], allow=(), deny=()) -> dict[str, str]:
    return said(text, apply_lists(as_units(text), findings, allow, deny))


@pytest.mark.parametrize("allowed", ["Sheffield", "sheffield", "SHEFFIELD"])
@pytest.mark.parametrize("span", ["Sheffield", "Sheffield's", "Sheffield\u2019s", "(Sheffield)"])
def test_allowed_words_are_taken_away(allowed, span):
    text = f"in {span} today"
    assert left(text, found(text, span), allow=[allowed]) == {}


@pytest.mark.parametrize("span", ["Ann Sheffield", "Sheffields", "Sheffield 12", "South-Sheffield"])
def test_a_longer_span_is_kept_whole(span):
    text = f"in {span} today"
    assert left(text, found(text, span), allow=["Sheffield"]) == {span: "PERSON"}


def test_a_phrase_is_not_its_words():
    text = "New York and York and New"
    spans = found(text, "New York")
    spans.append(Finding(13, 17, "LOCATION", 0.8, "test", "rule"))
    assert left(text, spans, allow=["new york"]) == {"York": "LOCATION"}


def test_two_allowed_terms_cover_a_span_together():
    text = "by Ann Lee"
    assert left(text, found(text, "Ann Lee"), allow=["ann", "lee"]) == {}


@pytest.mark.parametrize(
    ("term", "text", "hit"),
    [
        ("falcon", "project FALCON's plan", "FALCON"),
        ("red falcon", "the Red\r\nFalcon", "Red\r\nFalcon"),
        ("red falcon", "the red-falcon", "red-falcon"),
        ("O'Neill", "by O\u2019NEILL", "O\u2019NEILL"),
        ("AT&T", "at at&t now", "at&t"),
        ("C++", "in C++ code", "C++"),
        ("\u7530\u4e2d", "\u7530\u4e2d\u3055\u3093", "\u7530\u4e2d"),
        ("caf\u00e9", "the cafe\u0301 x", "cafe\u0301"),
        ("stra\u00dfe", "STRASSE 5", "STRASSE"),
        ("\u0928\u092e\u0938\u094d\u0924\u0947", "x \u0928\u092e\u0938\u094d\u0924\u0947 y",
         "\u0928\u092e\u0938\u094d\u0924\u0947"),
        ("\U0001f600", "\0\U0001f469\U0001f600", "\U0001f600"),
        ("ann@example.com", "to Ann@Example.com.", "Ann@Example.com"),
    ],
)  # fmt: skip
def test_denied_words_are_found(term, text, hit):
    assert left(text, [], deny=[term]) == {hit: "DENIED"}


@pytest.mark.parametrize("text", ["falconry", "a falco", "fal con", "re falcons"])
def test_other_words_are_not(text):
    assert left(text, [], deny=["falcon"]) == {}


def test_deny_wins():
    text = "by Ann"
    assert left(text, found(text, "Ann"), allow=["ann"], deny=["Ann"]) == {"Ann": "DENIED"}


def test_every_occurrence_and_overlapping_terms():
    text = "new york city, New York"
    hits = apply_lists(as_units(text), [], [], ["new york", "york city"])
    assert [(f.start, f.end) for f in hits] == [(0, 8), (4, 13), (15, 23)]


def test_no_lists_change_nothing():
    text = "by Ann"
    assert apply_lists(as_units(text), found(text, "Ann"), [], []) == found(text, "Ann")


@pytest.mark.parametrize("term", ["", "  ", "-"])
def test_an_empty_term_is_refused_without_naming_others(term):
    with pytest.raises(PolicyError, match="entry 2 of the deny list") as caught:
        apply_lists(as_units("x"), [], [], ["hidden", term])
    assert "hidden" not in str(caught.value)


@given(st.text(max_size=40), st.text(min_size=1, max_size=5))
def test_spans_stay_inside_the_text(text, term):
    try:
        hits = apply_lists(as_units(text), [], [], [term])
    except PolicyError:
        return
    assert all(0 <= f.start < f.end <= len(text) for f in hits)


def test_thousands_of_terms_in_one_pass():
    terms = [f"the term{i} of{i % 7}" for i in range(20_000)]
    text = "the term5 of5 and the rest of it " * 3_000
    began = time.process_time()
    assert len(apply_lists(as_units(text), [], terms[:5], terms)) == 3_000
    assert time.process_time() - began < 5


def test_a_denied_word_is_denied_by_its_looks_and_none_is_allowed_by_them():
    text = "in Sh\u0435ffi\u0435ld today"  # Cyrillic letters
    word = text.split()[1]
    assert left(text, [], deny=["Sheffield"]) == {word: "DENIED"}
    assert left(text, found(text, word), allow=["Sheffield"]) == {word: "PERSON"}
