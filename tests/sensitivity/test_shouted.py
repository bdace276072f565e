"""Names in lines in capitals: a recogniser alone is not believed of public words there."""

import pytest

from privstamp.sensitivity.doubts import Doubts
from privstamp.sensitivity.entity_cuts import confirmed, is_determined
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding

ORG = "ORGANIZATION"
WORDS = Vocabulary()
LISTED = frozenset({"tyrone", "mark", "grace", "hunter"})


def cut(text, name, kind="ORGANIZATION", source="presidio"):
    start = text.index(name)
    finding = Finding(start, start + len(name), kind, 0.85, source, "model")
    pieces = confirmed(text, finding, WORDS, LISTED.__contains__)
    return [(text[piece.start : piece.end], piece.kind) for piece in pieces]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("PLEASE LEAVE THE WITNESS STATEMENT THERE", "WITNESS STATEMENT"),
        ("THE DOCTOR GAVE APIXABAN 5MG AGAIN", "APIXABAN 5MG"),
        ("IT WAS TOO HIGH FOR ME", "TOO"),
        ("SEND THE BILL TO THEM TODAY", "BILL"),
    ],
)
def test_words_that_lists_know_are_no_names(text, name):
    assert cut(text, name) == []


@pytest.mark.parametrize(
    ("text", "name", "names"),
    [
        ("A KIND MAN CALLED TYRONE CAME HERE", "MAN CALLED TYRONE", [("TYRONE", "PERSON")]),
        ("TOLD BY MARK HUNTER YESTERDAY AT NOON", "MARK HUNTER", [("MARK HUNTER", ORG)]),
        (
            "WE ASKED QUILLBRAN SERVICES AGAIN",
            "QUILLBRAN SERVICES",
            [("QUILLBRAN", "ORGANIZATION")],
        ),
        (
            "SHE WENT TO HILLTOP SCHOOL DAILY",
            "HILLTOP SCHOOL",
            [("HILLTOP SCHOOL", "ORGANIZATION")],
        ),
        (
            "PAID BY WATER SUPPLY LTD AGAIN",
            "WATER SUPPLY LTD",
            [("WATER SUPPLY LTD", "ORGANIZATION")],
        ),
        ("PLEASE RING MRS YOUNG AGAIN SOON", "YOUNG", [("YOUNG", ORG)]),
    ],
)
def test_names_and_houses_are_left(text, name, names):
    assert cut(text, name) == names


def test_outside_of_lines_in_capitals_nothing_is_cut():
    assert cut("we use WITNESS STATEMENT here and there", "WITNESS STATEMENT")
    assert cut("please leave the Witness there", "Witness")


def test_what_a_list_says_is_not_cut():
    text = "SEND THE PARCEL TO GRACE TODAY PLEASE"
    start = text.index("GRACE")
    listed = Finding(start, start + 5, "PERSON", 0.6, "lexicon", "listed name")
    assert Doubts(WORDS, is_listed=LISTED.__contains__).kept(text, [listed]) == [listed]


@pytest.mark.parametrize(
    ("text", "name", "word"),
    [
        ("THE BILL WAS TOO HIGH AGAIN", "BILL", True),
        ("A NICE YOUNG MAN CAME HERE", "YOUNG", True),
        ("THEN BILL WAS AT HOME AGAIN", "BILL", False),
        ("THE MARK QUILLBRAN CASE IS OPEN", "MARK", False),
        ("HER CARER GRACE RANG US BACK", "GRACE", False),
        ("we paid the BILL was small", "BILL", False),
    ],
)
def test_an_article_makes_an_everyday_word_of_it(text, name, word):
    start = text.index(name)
    finding = Finding(start, start + len(name), "PERSON", 0.6, "lexicon", "listed name")
    assert is_determined(text, finding, WORDS) is word
