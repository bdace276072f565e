"""Public words with a capital that are no names where they stand, and names that are."""

import pytest

from privstamp.sensitivity.doubts import Doubts
from privstamp.sensitivity.lexicon import RARE
from privstamp.sensitivity.lexicon_claims import FAMILY, NAME, PLACE
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding


@pytest.fixture(scope="module")
def doubts() -> Doubts:
    return Doubts(Vocabulary())


def finding(text: str, word: str, rule: str, source: str = "lexicon", kind: str = "PERSON"):
    start = text.index(word)
    score = 0.6 if source == "lexicon" else 0.85
    return Finding(start, start + len(word), kind, score, source, rule)


@pytest.mark.parametrize(
    ("text", "word", "rule", "kind"),
    [
        ("It was old. Bones from it lay about.", "Bones", FAMILY, "PERSON"),
        ("Enumerators visited each house.", "Enumerators", RARE, "RARE"),
        ("In 1702 the Duchy fell.", "Duchy", RARE, "RARE"),
    ],
)
def test_the_first_word_of_a_sentence_and_a_noun_with_its_article_stay(
    doubts, text, word, rule, kind
):
    assert doubts.kept(text, [finding(text, word, rule, kind=kind)]) == []


@pytest.mark.parametrize(
    ("text", "word", "rule"),
    [
        ("We met Bones from work.", "Bones", FAMILY),  # a capital inside of a sentence
        ("Bones Miller came.", "Bones", FAMILY),  # a name follows
        ("Rose from work came.", "Rose", NAME),  # a given name
        ("Harrak from work came.", "Harrak", RARE),  # no public word
        ("BONES from it lay about.", "BONES", FAMILY),
    ],
)
def test_names_go(doubts, text, word, rule):
    seen = [finding(text, word, rule)]
    assert doubts.kept(text, seen) == seen


def test_a_first_word_goes_that_is_a_name_elsewhere_or_to_a_reader(doubts):
    text = "Bones from work came, and Carla Bones."
    other = finding(text, "Carla Bones", "model", "presidio")
    first = finding(text, "Bones", FAMILY)
    assert first in doubts.kept(text, [first, other])
    read = finding(text, "Bones", "model", "presidio")
    assert first in doubts.kept(text, [first, read])


@pytest.mark.parametrize(
    ("text", "word", "stays"),
    [
        ("He called the League office.", "League", True),
        ("Pilgrims have walked here.", "Pilgrims", True),
        ("He called League office.", "League", False),
        ("He called the Orchard office.", "Orchard", False),  # which one, not what it is
        ("Orchard has closed.", "Orchard", False),
    ],
)
def test_what_a_body_is_stays_and_its_name_goes(doubts, text, word, stays):
    seen = [finding(text, word, "model", "presidio", "ORGANIZATION")]
    assert doubts.kept(text, seen) == ([] if stays else seen)


@pytest.mark.parametrize("text", ["Drummond rose at the post.", "Ask Ann Cole, shepherd, today."])
def test_a_small_word_beside_a_name_with_a_capital_stays(doubts, text):
    name, word = ("Drummond", "rose") if "rose" in text else ("Ann Cole", "shepherd")
    sure = finding(text, name, "model", "presidio")
    assert doubts.kept(text, [sure, finding(text, word, NAME)]) == [sure]


def test_a_small_word_in_a_name_that_a_reader_sees_goes(doubts):
    text = "Today I met Sam brown again."
    seen = [finding(text, "Sam brown", "model", "presidio"), finding(text, "brown", NAME)]
    assert doubts.kept(text, seen) == seen
    small = "Today I met sam brown again."
    pair = [finding(small, "sam", NAME), finding(small, "brown", NAME)]
    assert doubts.kept(small, pair) == pair


def test_a_role_before_a_name_stays(doubts):
    text = "Driver Joachim Ntare came."
    kept = doubts.kept(text, [finding(text, "Driver Joachim Ntare", "model", "presidio")])
    assert [text[one.start : one.end] for one in kept] == ["Joachim Ntare"]
    assert doubts.is_title("enumerator") and not doubts.is_title("harrak")


@pytest.mark.parametrize(
    ("text", "name", "stays"),
    [
        ('then log.info("done")', "log.info", True),
        ("see log.info for more", "log.info", True),
        ("see garden.info for more", "garden.info", False),
        ("unpack a.zip first", "a.zip", True),
        ("unpack quillfeather.zip first", "quillfeather.zip", False),
        ('quillfeather.info("done")', "quillfeather.info", False),
    ],
)
def test_functions_and_files_of_public_words_stay(doubts, text, name, stays):
    seen = [finding(text, name, "domain", "rules", "URL")]
    assert doubts.kept(text, seen) == ([] if stays else seen)


def test_divided_grades_and_cited_laws_stay(doubts):
    text = "stage IIIB under 18 U.S.C. 1030"
    seen = [finding(text, "IIIB", RARE, kind="RARE"), finding(text, "U", "initial")]
    seen.append(finding(text, "C", "initial"))
    assert doubts.kept(text, seen) == []
    named = "met IIIR and 3 men, U. S. Cole"
    seen = [finding(named, "IIIR", RARE, kind="RARE"), finding(named, "U", "initial")]
    assert doubts.kept(named, seen) == seen


def test_places_with_an_article_go(doubts):
    text = "We saw the Harwich ferry."
    seen = [finding(text, "Harwich", PLACE, kind="LOCATION")]
    assert doubts.kept(text, seen) == seen
