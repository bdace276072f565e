"""The public map: what it marks, and that it never looks beside a word."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.errors import PolicyError
from privstamp.registry import SENSITIVITY, SPACES
from privstamp.sensitivity.lexicon import Lexicon
from privstamp.types import Kind, Label, Units


@pytest.fixture(scope="module")
def space():
    return SPACES.build("glove", {})


@pytest.fixture(scope="module")
def part():
    return SENSITIVITY.build("lexicon", {})


@pytest.fixture(scope="module")
def found(space, part):
    def run(text):
        [findings] = part.find([space.split(text)])
        return {text[one.start : one.end]: one for one in findings}

    return run


def test_names_places_digits_and_rare_words_are_marked_with_their_reason(found):
    marked = found(
        "Priya from Lisbon, 47, took ibuprofen and florbitrane; her doctor was away on Tuesday."
    )
    assert {word: (one.kind, one.rule) for word, one in marked.items()} == {
        "Priya": ("PERSON", "listed given name"),
        "Lisbon": ("LOCATION", "listed place"),
        "47": ("NUMBER", "digits"),
        "florbitrane": ("RARE", "unlisted word"),
    }
    assert all(one.source == "lexicon" and 0 < one.score <= 1 for one in marked.values())


def test_names_are_found_in_any_case_and_with_an_ending(found):
    assert set(found("priya PRIYA Priya's okonkwo Okonkwo-Smith")) == {
        "priya", "PRIYA", "Priya's", "okonkwo", "Okonkwo", "Smith"
    }  # fmt: skip


def test_identifiers_are_marked_by_their_shape(found):
    marked = found("mail ann@example.org or see https://example.org/x, order B2X9, the 3rd")
    assert {one.kind for one in marked.values()} == {"EMAIL_ADDRESS", "URL", "CODE", "NUMBER"}


@pytest.mark.parametrize("text", ["May I?", "Will you?", "Reading is nice.", "the bill", "I hope"])
def test_ordinary_words_that_are_also_listed_pass(found, text):
    assert not found(text)


@pytest.mark.parametrize(
    ("ambiguous", "lower", "title"),
    [("capital", False, True), ("always", True, True), ("never", False, False)],
)
def test_words_that_are_names_with_a_capital(space, ambiguous, lower, title):
    part = Lexicon(ambiguous=ambiguous)
    for text, expected in (("the bill", lower), ("ask Bill", title), ("ask BILL", title)):
        assert bool(part.find([space.split(text)])[0]) == expected


def test_initials_are_letters_with_a_capital(found):
    assert found("J. Smith")["J"].kind == "PERSON"
    assert not found("a plan for x and I")


def test_compounds_and_contractions_are_judged_by_their_parts(found):
    assert not found("a well-known mother-in-law doesn't, they're, the U.S. won't")
    assert not found("T-shirts and X-rays at a B&B")
    assert set(found("a Priya-like plan")) == {"Priya"}


def test_unknown_scripts_are_sensitive(found):
    marked = found("she wrote Приветствие and 東京")
    assert {one.rule for one in marked.values()} == {"unknown script"}
    assert len(marked) == 2


@pytest.mark.slow
def test_another_script_is_ordinary_in_its_own_language():
    assert Lexicon(language="ru").verdict("дом", Kind.FOREIGN, Label.LOWER) is None
    assert Lexicon(language="ru").verdict("house", Kind.WORD, Label.LOWER) is not None


WORDS = "the bill Bill Priya rose Rose 47 London may May okonkwo J it's A1c Приве https://a.org"


@given(words=st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=12))
def test_a_units_verdict_never_depends_on_its_neighbours(space, part, words):
    text = " ".join(words)
    [together] = part.find([space.split(text)])
    alone, position = [], 0
    for word in words:
        [findings] = part.find([space.split(word)])
        alone += [(position + one.start, position + one.end, one.kind) for one in findings]
        position += len(word) + 1
    assert [(one.start, one.end, one.kind) for one in together] == alone


def test_pieces_are_read_as_the_words_they_make_up(part):
    text = "see Raghunathan now"
    cuts = np.array([0, 3, 8, 12, 15, 19])
    units = Units(
        text=text,
        starts=cuts[:-1],
        ends=cuts[1:],
        rows=np.arange(5, dtype=np.int32),
        kinds=np.full(5, Kind.PIECE, dtype=np.uint8),
        labels=np.zeros(5, dtype=np.uint8),
    )
    [[one]] = part.find([units])
    assert text[one.start : one.end] == "Raghunathan"


def test_the_fingerprint_follows_the_options(part):
    assert part.fingerprint == Lexicon().fingerprint
    assert part.fingerprint != Lexicon(ambiguous="never").fingerprint
    assert not part.scope.contextual


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"language": "xx"}, "no word list"),
        ({"language": 3}, "language"),
        ({"rare": 0.5}, "from 1 to 7"),
        ({"rare": True}, "from 1 to 7"),
        ({"ambiguous": "sometimes"}, "ambiguous"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(PolicyError, match=message):
        Lexicon(**options)


def test_very_long_words_are_rare(part):
    assert part.verdict("a" * 500, Kind.WORD, Label.LOWER).rule == "unlisted word"
