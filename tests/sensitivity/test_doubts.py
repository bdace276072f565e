"""What one recogniser takes for names among public words."""

import pytest

from privstamp.sensitivity.doubts import Doubts
from privstamp.sensitivity.lexicon import CAPITAL
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding


@pytest.fixture(scope="module")
def doubts() -> Doubts:
    return Doubts(Vocabulary())


def finding(text: str, name: str, kind: str, source: str = "presidio", rule: str = "model"):
    start = text.index(name)
    return Finding(start, start + len(name), kind, 0.85, source, rule)


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ('sold by Arvo Ltd (the "Supplier") today', "Supplier", "ORGANIZATION"),
        ("crashes in the Android app", "Android app", "ORGANIZATION"),
        ("an ECG showed nothing", "ECG", "ORGANIZATION"),
        ("why does it raise a KeyError here", "KeyError", "ORGANIZATION"),
        ("took Tylenol for it", "Tylenol", "PERSON"),
        ("Constitutional: no fever", "Constitutional", "ORGANIZATION"),
        ("REVIEW OF SYSTEMS AS BEFORE", "REVIEW OF SYSTEMS", "ORGANIZATION"),
        ("stop before angiography", "angiography", "LOCATION"),
        ("stop before angiography", "angiogr", "PERSON"),
    ],
)
def test_public_words_are_no_names_where_capitals_tell_nothing(doubts, text, name, kind):
    assert doubts.kept(text, [finding(text, name, kind)]) == []


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("shares of General Motors rose", "General Motors", "ORGANIZATION"),
        ("we met Raghunathan today", "Raghunathan", "PERSON"),
        ("Raghunathan: hello", "Raghunathan", "PERSON"),
        ("bought at Shell again", "Shell", "ORGANIZATION"),
        ("they call him Bubble Frog now", "Bubble Frog", "PERSON"),
        ("Tableau Software\n12 Elm Road", "Tableau Software", "ORGANIZATION"),
    ],
)
def test_names_stay(doubts, text, name, kind):
    seen = [finding(text, name, kind)]
    assert doubts.kept(text, seen) == seen


def test_what_a_list_supports_stays(doubts):
    text = "Hyperbole: hello"
    model = finding(text, "Hyperbole", "PERSON")
    listed = finding(text, "Hyperbole", "PERSON", "lexicon", "listed family name")
    assert doubts.kept(text, [model]) == []
    assert doubts.kept(text, [model, listed]) == [model, listed]


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("Hyperbole was all of it.", False),
        ("It ended. Hyperbole was all of it.", False),
        ("Army Repels Hyperbole Near Border", False),
        ("we saw Hyperbole on stage", True),
    ],
)
def test_a_rare_word_with_a_capital_counts_inside_a_sentence(doubts, text, stays):
    seen = [finding(text, "Hyperbole", "RARE", "lexicon", CAPITAL)]
    assert doubts.kept(text, seen) == (seen if stays else [])


def test_words_of_a_public_identifier_are_no_names(doubts):
    text = 'API_KEY = "x"; HELLER_KEY = 1; Key'
    key = finding(text, "KEY", "PERSON", "lexicon", "listed family name")
    both = finding(text, "API_KEY", "LOCATION")
    heller = finding(text, "HELLER", "PERSON", "lexicon", "listed family name")
    alone = finding(text, "Key", "PERSON", "lexicon", "listed family name")
    assert doubts.kept(text, [key, both, heller, alone]) == [heller, alone]


def test_small_public_words_around_a_place_are_no_part_of_it(doubts):
    text = "after pardoning Khmer Rouge leaders"
    (kept,) = doubts.kept(text, [finding(text, "pardoning Khmer Rouge leaders", "ORGANIZATION")])
    assert text[kept.start : kept.end] == "Khmer Rouge"
    person = finding(text, "pardoning Khmer", "PERSON")
    assert doubts.kept(text, [person]) == [person]


@pytest.mark.parametrize(
    ("text", "word", "rule", "stays"),
    [
        ("Doctor: how are you?", "Doctor", "listed name", False),
        ("on the Effective Date of it", "Date", "listed family name", False),
        ("had a TIA last year", "TIA", "listed given name", False),
        ("runs in Docker now", "Docker", "listed family name", False),
        ("Kaito Date wrote", "Date", "listed family name", True),
        ("ask Ana about it", "Ana", "listed name", True),
        ("ANA LOPEZ called", "ANA", "listed name", True),
        ("met Heller there", "Heller", "listed family name", True),
    ],
)
def test_roles_and_terms_are_names_only_beside_one(doubts, text, word, rule, stays):
    seen = [finding(text, word, "PERSON", "lexicon", rule)]
    assert doubts.kept(text, seen) == (seen if stays else [])


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("the C-reactive protein", False),
        ("has hepatitis C since", False),
        ("signed by C. Heller", True),
        ("we met C today", True),
        ("bake at 180 C until done", False),
        ("press ctrl+C to stop", False),
        ("91 y/o C with pain", False),
        ("patient C Heller", True),
    ],
)
def test_a_letter_of_a_term_is_no_initial(doubts, text, stays):
    seen = [finding(text, "C", "PERSON", "lexicon", "initial")]
    assert doubts.kept(text, seen) == (seen if stays else [])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We had rice. It was brown rice. Not bad at all.", "brown"),
        ("It was worth every penny.", "penny"),
        ("I paid the bell boy and went up.", "bell"),
    ],
)
def test_everyday_words_in_small_letters_are_no_names_where_lines_have_capitals(doubts, text, name):
    assert doubts.kept(text, [finding(text, name, "PERSON", "lexicon", "listed name")]) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("had a word with brown today. he said no. fine by me", "brown"),
        ("Told brown to wait for us.", "brown"),
        ("It is late. We are here. Thanks mark", "mark"),
        ("It is late. We are here. I saw mike there.", "mike"),
        ("It is late. We are here. I saw Brown there.", "Brown"),
    ],
)
def test_they_are_names_where_nothing_says_words(doubts, text, name):
    seen = [finding(text, name, "PERSON", "lexicon", "listed name")]
    assert doubts.kept(text, seen) == seen


def test_an_everyday_word_beside_a_name_is_a_part_of_it(doubts):
    text = "It is late. We are here. I saw john brown there."
    seen = [finding(text, word, "PERSON", "lexicon", "listed name") for word in ("john", "brown")]
    assert doubts.kept(text, seen) == seen


def test_small_public_words_are_nobody_where_lines_have_capitals(doubts):
    cased, small = "It came with cilantro lime rice.", "it came with cilantro lime rice"
    assert doubts.kept(cased, [finding(cased, "cilantro lime", "PERSON")]) == []
    assert doubts.kept(small, [finding(small, "cilantro lime", "PERSON")])


def test_peoples_and_languages_name_nobody_but_behind_a_title_or_a_name(doubts):
    text = "The French cook spoke Thai to Mr Welsh and Dawn French."
    for word in ("French", "Thai"):
        assert doubts.kept(text, [finding(text, word, "PERSON", "lexicon", "listed name")]) == []
    for word in ("Welsh", "Dawn French"):
        seen = [finding(text, word, "PERSON", "lexicon", "listed name")]
        assert doubts.kept(text, seen) == seen
    asked = [finding(text, "French", "NRP")]
    assert doubts.kept(text, asked) == asked


def test_a_law_is_no_place(doubts):
    text = "Governed by the laws of England and Wales; delivery in Wales, courts of Leeds."
    laws = [finding(text, name, "LOCATION") for name in ("England", "Wales")]
    places = [finding(text[::1], "Leeds", "LOCATION")]
    start = text.index("in Wales") + 3
    places.insert(0, Finding(start, start + 5, "LOCATION", 0.85, "presidio", "model"))
    assert doubts.kept(text, [*laws, *places]) == places


def test_a_maiden_name_begins_behind_its_mark(doubts):
    text = "Anna Brandt (née Okafor) came."
    kept = doubts.kept(text, [finding(text, "née Okafor", "PERSON")])
    assert [text[one.start : one.end] for one in kept] == ["Okafor"]


def test_addresses_for_examples_and_attributes_of_programs_stay(doubts):
    text = "see https://app.example.com/login, decimal.InvalidOperation and InvalidOperation"
    seen = [finding(text, "https://app.example.com/login", "URL", "rules")]
    seen.append(finding(text, "InvalidOperation", "RARE", "lexicon", "unlisted word"))
    assert doubts.kept(text, seen) == []
    last = text.rindex("Invalid")
    alone = [Finding(last, len(text), "RARE", 0.5, "lexicon", "unlisted word")]
    assert doubts.kept(text, alone) == alone
