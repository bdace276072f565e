"""Single letters: somebody's initials, names that are spelt, and letters that are nobody's."""

import pytest

from privstamp.sensitivity.given_words import is_letter
from privstamp.sensitivity.rules import Rules
from privstamp.spaces.splitter import split
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding


@pytest.fixture(scope="module")
def rules() -> Rules:
    return Rules()


def people(rules: Rules, text: str) -> list[str]:
    (findings,) = rules.find([split(text, {})])
    return [text[name.start : name.end] for name in findings if name.kind == "PERSON"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("seen with R.T.W.'s mother", ["R.T.W."]),
        ("the juvenile A.W., who drove", ["A.W."]),
        ("she spells it P-E-T-T-Y to us", ["P-E-T-T-Y"]),
        ("under U.S. law at 9 A.M. in D.C. today", []),
        ("charged by R.C. 2925.11 and C.A. No. 27418", []),
        ("the M.R.I. was clear", []),
        ("a T-X of it", []),
    ],
)
def test_initials_and_spelt_names(rules, text, names):
    assert people(rules, text) == names


@pytest.mark.parametrize(
    ("text", "letter", "nobody"),
    [
        ("grew E. coli in both", "E", True),
        ("spoke to E. Raghunathan", "E", False),
        ("hepatitis C was found", "C", True),
    ],
)
def test_a_letter_before_a_species_is_no_initial(text, letter, nobody):
    start = text.index(letter)
    finding = Finding(start, start + 1, "PERSON", 0.6, "lexicon", "initial")
    assert is_letter(text, finding, Vocabulary()) is nobody
