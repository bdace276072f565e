"""Lists of terms: word boundaries, longest term, case, memory, linear time."""

import math
import time

import pytest

from privstamp.errors import PolicyError
from privstamp.sensitivity.custom import LONGEST, Dictionary


def found(terms: list[str], text: str, **options: bool) -> list[str]:
    return [text[a:b] for a, b in Dictionary(terms, "list", **options).spans(text)]


def test_words_are_whole():
    assert found(["ann", "rob"], "Ann, annex, Rob's, robot, ROB-1") == ["Ann", "Rob", "ROB"]


def test_the_longest_term_wins_and_none_begins_inside_it():
    terms = ["new", "new york", "york times", "new york city hall"]
    assert found(terms, "New York Times, new york city, new") == ["New York", "new york", "new"]


def test_dashes_spacing_accents_and_signs():
    terms = ["re-entry", "AT&T", "C++", "cafe\u0301", "x-ray of chest"]
    text = "Re entry, at&t, c++, CAFÉ, X-ray  of\nchest"
    assert found(terms, text) == ["Re entry", "at&t", "c++", "CAFÉ", "X-ray  of\nchest"]


def test_case_on_demand():
    assert found(["Falcon"], "falcon Falcon FALCON", case=True) == ["Falcon"]


def test_scripts_without_blanks():
    assert found(["北京"], "我在北京住") == ["北京"]


@pytest.mark.parametrize("term", ["", " - ", " ".join("x" * (LONGEST + 1))])
def test_terms_that_are_none_are_named_by_place_alone(term):
    with pytest.raises(PolicyError, match="list, entry 2") as caught:
        Dictionary(["fine", term], "list")
    assert "x x" not in str(caught.value)


def test_nothing_in_nothing():
    assert found([], "text") == found(["term"], "") == []
    assert repr(Dictionary(["a secret"], "list")) == "Dictionary(1 terms)"


@pytest.mark.slow
def test_a_hundred_thousand_terms_stay_small_and_linear():
    terms = [f"term{i} of case {i % 977}" for i in range(100_000)]
    many = Dictionary(terms, "list")
    size = sum(a.nbytes for a in (many._whole, many._heads, many._lengths))
    assert size < 2_100_000 + 100
    text = "term5 of case 5 and term6 of case 7. " * 2_000

    def seconds(searched, count):
        """The least of five: what else the machine does only adds."""
        least = math.inf
        for _ in range(5):
            began = time.process_time()
            assert len(list(many.spans(searched))) == count
            least = min(least, time.process_time() - began)
        return least

    assert seconds(text * 8, 16_000) < 24 * seconds(text, 2_000)
