"""Several languages in one policy: each passage is read by the detectors of its own."""

import importlib.util

import pytest

from privstamp import Policy, Privatizer
from privstamp.errors import AssetError, PolicyError
from privstamp.sensitivity.doubts import Doubts
from privstamp.sensitivity.lexicon import Lexicon
from privstamp.sensitivity.own_words import read_vocabulary
from privstamp.sensitivity.union import Union
from privstamp.text.wordforms import is_compound
from privstamp.types import Finding, Kind, Label

SPANISH = (
    "Estimado señor Zubizarreta: le escribo porque desde el martes hay humedad en el techo del "
    "salón, calle Olivares 31, Gijón. He avisado dos veces al fontanero y nadie ha venido. Puede "
    "llamarme al 655 210 987. Atentamente, Begoña Larrañaga"
)
ENGLISH = "The neighbour, Begoña Larrañaga, wrote again on Monday about the damp in the ceiling."
GERMAN = (
    "Sehr geehrter Herr Obermüller, seit Montag tropft das Wasser in unsere Wohnung. Bitte "
    "schicken Sie den Klempner noch vor Freitag in die Lindenstraße 14, 79098 Freiburg. Mit "
    "freundlichen Grüßen, Hannelore Tischendorf"
)


def accepting(*languages: str) -> Privatizer:
    """Without recognisers where none are installed."""
    sensitivity = {"languages": [*languages]}
    return Privatizer(Policy.of({"sensitivity": sensitivity, "other_languages": "accept"}), seed=1)


@pytest.fixture(scope="module")
def both():
    return accepting("en", "es")


def test_ordinary_words_of_another_language_stay_and_names_go(both):
    result = both.privatize(SPANISH, task="¿Qué pide la vecina?")
    for word in ("humedad", "techo del salón", "fontanero", "nadie ha venido", "Atentamente"):
        assert word in result.text
    for name in ("Zubizarreta", "Olivares", "Begoña", "Larrañaga", "655 210 987", "Gijón"):
        assert name not in result.text
    assert result.task == "¿Qué pide la vecina?"
    assert result.restore(result.text, trusted=True) == SPANISH


def test_each_passage_is_read_in_its_own_language_and_names_are_known_to_both(both):
    text = f"{ENGLISH}\n\n{SPANISH}\n\n{ENGLISH}"
    result = both.privatize(text)
    assert "Larrañaga" not in result.text and "Begoña" not in result.text
    assert "wrote again on Monday about the damp in the ceiling" in result.text
    assert "He avisado dos veces al fontanero y nadie ha venido" in result.text
    assert set(result.certificate.languages) == {"en", "es"}
    assert result.restore(result.text, trusted=True) == text


def test_a_language_without_its_recogniser_is_refused_with_the_line_that_installs_it():
    if importlib.util.find_spec("de_core_news_md"):
        pytest.skip("de_core_news_md is installed here")
    with pytest.raises(AssetError, match=r"spacy download de_core_news_md.*--accept languages"):
        Privatizer(Policy.of({"sensitivity": {"languages": ["en", "de"]}}))


def test_german_nouns_and_compounds_stay_and_the_certificate_names_the_missing_recogniser():
    result = accepting("de").privatize(GERMAN)
    for word in ("Montag", "Wasser", "Wohnung", "Klempner", "Freitag", "freundlichen Grüßen"):
        assert word in result.text
    for name in ("Obermüller", "Linden", "79098", "Tischendorf"):
        assert name not in result.text
    assert result.restore(result.text, trusted=True) == GERMAN
    if not importlib.util.find_spec("de_core_news_md"):
        assert any("no recogniser of de" in note for note in result.certificate.notes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "word"),
    [("es", "fontanero"), ("fr", "soussignée"), ("it", "idraulico"), ("pt", "encanador"),
     ("nl", "loodgieter"), ("de", "wasserrohrbruch")],
)  # fmt: skip
def test_rare_words_of_a_language_are_ordinary_in_small_letters(language, word):
    lexicon = Lexicon(language=language)
    assert lexicon.verdict(word, Kind.WORD, Label.LOWER) is None
    assert lexicon.verdict("wojciszke", Kind.WORD, Label.LOWER) is not None


def test_compounds_are_made_of_whole_words():
    words = {"wasser", "rohr", "bruch", "zahlung", "auftrag"}
    assert is_compound("wasserrohrbruch", words, "de")
    assert is_compound("zahlungsauftrag", words, "de")
    assert not is_compound("wasser", words, "de")
    assert not is_compound("wassermannbruch", words, "de")
    assert not is_compound("wasserrohr", words, "es")


@pytest.mark.parametrize("languages", ["es", [], [3]])
def test_languages_are_a_list_of_codes(languages):
    with pytest.raises(PolicyError, match="list of codes"):
        Union(parts=["rules"], languages=languages)


def test_a_part_with_a_language_of_its_own_reads_that_one_alone():
    parts = [{"name": "rules", "language": "es"}, {"name": "rules", "language": "en"}]
    assert Union(parts=parts, languages=["en", "es"]).languages == {"en", "es"}
    with pytest.raises(PolicyError, match='none for language "de"'):
        Union(parts=parts, languages=["en", "de"])


@pytest.mark.parametrize(
    ("language", "text", "stays"),
    [
        ("fr", "Elle vit au 23 rue du Port. Pas d'allergie à la pénicilline.", "Pas d'allergie"),
        ("es", "Vive en la calle Mayor 5. No es alérgica a la penicilina.", "No es alérgica"),
    ],
)
def test_a_street_ends_with_its_sentence(language, text, stays):
    assert stays in accepting(language).privatize(text).text


def test_verbs_that_open_sentences_are_no_names():
    doubts = Doubts(read_vocabulary(None, "es"), "es")
    text = "Tenemos prisa. Vive en casa. Soy Joaquín Belmonte. La llamó Belmonte."
    spans = [(0, 7), (15, 19), (29, 49), (60, 68)]
    found = [Finding(*span, "PERSON", 0.85, "presidio", "spaCy: PER") for span in spans]
    kept = [text[one.start : one.end] for one in doubts.kept(text, found)]
    assert kept == ["Joaquín Belmonte", "Belmonte"]
