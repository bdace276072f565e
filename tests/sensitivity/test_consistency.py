"""A name found once is found again, however it is written; common words are not."""

import time

import pytest

from privstamp.sensitivity.consistency import Consistency
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding


@pytest.fixture(scope="module")
def english() -> Consistency:
    return Consistency("en")


def repeats(consistency: Consistency, first: str, rest: str, kind: str = "PERSON") -> list[str]:
    text = f"{first} | {rest}"
    seen = [Finding(0, len(first), kind, 0.9, "ner", "model")]
    return [text[one.start : one.end] for one in consistency.repeats(text, seen)]


@pytest.mark.parametrize(
    ("rest", "again"),
    [
        ("later Raghunathan, PRIYA and Priya's", ["Raghunathan", "PRIYA", "Priya"]),
        ("p.raghunathan@example.com", ["raghunathan"]),
        ("praghunathan, priyar", ["praghunathan", "priyar"]),
        ("priyaraghunathan", ["priyaraghunathan"]),
        ("/home/raghunathan/cv_priya.pdf", ["raghunathan", "priya"]),
        ("a Raghunathan-led team", ["Raghunathan"]),
        ("nobody else", []),
        ("Priyanka and priyaa", []),
    ],
)  # fmt: skip
def test_parts_of_a_persons_name(english, rest, again):
    assert repeats(english, "Priya Raghunathan", rest) == again


@pytest.mark.parametrize(
    ("name", "rest", "again"),
    [
        ("Will Thornbury", "you will see. Will you? I asked Will.", ["Will"]),
        ("May Lindqvist", "it may rain; ask May", ["May"]),
        ("Rose Baker", "a baker rose early; Rose said", ["Rose"]),
        ("Dr Ana de la Cruz", "the dr of de la, Cruz", ["Cruz"]),
        ("J. Smith", "J is a letter, smith too; Smith", ["Smith"]),
        ("Müller", "MULLER und müller", ["MULLER", "müller"]),
        ("王小明", "王小明说", []),
    ],
)
def test_common_words_need_a_capital(english, name, rest, again):
    assert repeats(english, name, rest) == again


def test_places_and_organisations_whole(english):
    text = "the Northgate Clinic again, a clinic, northgate clinic, Northgate"
    assert repeats(english, "Northgate Clinic", text, "ORGANIZATION") == [
        "Northgate Clinic",
        "northgate clinic",
    ]
    assert repeats(english, "Reading", "reading a book in Reading", "LOCATION") == ["Reading"]


def test_without_a_word_list_only_capitals_count():
    assert repeats(Consistency("xx"), "Priya", "PRIYA and priya") == ["PRIYA"]


def test_names_of_another_text(english):
    first, text = "Priya Raghunathan", "Who is Raghunathan?"
    other = first, [Finding(0, len(first), "PERSON", 0.9, "ner", "model")]
    [found] = english.repeats(text, [], other=other)
    assert text[found.start : found.end] == "Raghunathan"
    assert english.repeats(text, [found], other=other) == []


def test_other_kinds_are_not_repeated(english):
    assert repeats(english, "AB12345", "AB12345", "NUMERIC_ID") == []


def test_what_is_found_already_is_not_found_again(english):
    text = "Priya Raghunathan met Priya"
    seen = [
        Finding(0, 17, "PERSON", 0.9, "ner", "model"),
        Finding(22, 27, "PERSON", 0.9, "ner", "model"),
    ]
    assert english.repeats(text, seen) == []


def test_every_repeat_says_why(english):
    text = "Priya | priya"
    (one,) = english.repeats(text, [Finding(0, 5, "PERSON", 0.9, "ner", "model")])
    assert (one.source, one.rule, one.kind) == ("consistency", "repeats a PERSON", "PERSON")


@pytest.mark.slow
def test_time_is_linear_in_text_and_names(english):
    names = [f"{a}{b}{c}ova" for a in "BCDFGHJKLM" for b in "aeiou" for c in "bcdfghjklmnprstvz"]
    text = " ".join(names) * 40
    seen = [Finding(i, i + 6, "PERSON", 0.9, "x", "y") for i in range(0, 7 * len(names), 7)]
    began = time.process_time()
    assert len(english.repeats(text, seen)) > 30_000
    assert time.process_time() - began < 5


def test_public_words_never_spread_by_themselves():
    consistency = Consistency("en", Vocabulary())
    for name in ("Subject", "Payroll", "Thank", "Thank you", "Date"):
        assert repeats(consistency, name, f"{name} of it, {name.lower()}, {name.upper()}") == []
    assert repeats(consistency, "Clinic", "the Clinic, a clinic", "ORGANIZATION") == []
    assert repeats(consistency, "Will Thornbury", "I asked Will") == ["Will"]


def test_a_name_spreads_if_two_agree_on_it_or_if_it_is_found_twice():
    consistency = Consistency("en", finders=2)
    text = "Thornbury wrote; thornbury again, Thornbury"
    one = Finding(0, 9, "PERSON", 0.9, "presidio", "model")
    both = Finding(0, 9, "PERSON", 0.9, "presidio + lexicon", "model; unlisted word")
    twice = [one, Finding(len(text) - 9, len(text), "PERSON", 0.9, "presidio", "model")]
    assert consistency.repeats(text, [one]) == []
    assert len(consistency.repeats(text, [both])) == 2
    assert len(consistency.repeats(text, twice)) == 1
