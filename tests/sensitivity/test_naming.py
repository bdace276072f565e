"""Names after titles and cues, and streets: where they begin and end."""

import pytest

from privstamp.sensitivity.rules import Rules


def found(kind: str, text: str, language: str = "en") -> set[str]:
    return {text[f.start : f.end] for f in Rules(entities=[kind], language=language).scan(text)}


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("en", "I saw Dr. J. Smith left early", "J. Smith"),
        ("en", "Mrs. Ana. Then she", "Ana"),
        ("en", "Mr Ludwig van Beethoven's house", "Ludwig van Beethoven"),
        ("en", "(Prof. O'Neill)", "O'Neill"),
        ("en", "My name is Ngozi Okafor and", "Ngozi Okafor"),
        ("en", "Patient: Aoife Byrne, 44", "Aoife Byrne"),
        ("en", "Dear Tomasz,\nthanks", "Tomasz"),
        ("en", "See you.\n\nKind regards,\nIlse Brandt\nManager", "Ilse Brandt"),
        ("de", "Frau Dr. Jana Köhler rief an", "Jana Köhler"),
        ("de", "Ich heiße Mehmet Yılmaz.", "Mehmet Yılmaz"),
        ("fr", "Mme Élodie Garnier est là", "Élodie Garnier"),
        ("fr", "je m'appelle Aïcha.", "Aïcha"),
        ("es", "la Sra. Lucía Fernández vive", "Lucía Fernández"),
        ("it", "il sig. Rossi abita", "Rossi"),
        ("it", "mi chiamo Giulia Ferri", "Giulia Ferri"),
        ("nl", "Mevr. De Vries woont", "De Vries"),
        ("nl", "Mijn naam is Sanne Bakker.", "Sanne Bakker"),
        ("pt", "o Sr. João dos Santos mora", "João dos Santos"),
    ],
)
def test_a_name_after_a_title_or_cue(language, text, name):
    assert found("PERSON", text, language) == {name}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "the doctor is in; Miss the bus; Dear Sir or Madam, Dear All, Dear Customer"),
        ("en", "Name: unknown. drMr Smith. Sincerely, the team"),
        ("en", "Frisbee. The end of Mr."),
        ("de", "Sehr geehrte Damen und Herren, liebe Kunden"),
        ("fr", "Cher Monsieur, chers amis"),
        ("any", "Mr Smith and Frau Müller"),
        ("de", "Mr Smith"),
    ],
)
def test_no_name_without_one(language, text):
    assert found("PERSON", text, language) == set()


@pytest.mark.parametrize(
    ("language", "text", "street"),
    [
        ("en", "at 221B Baker Street, today", "221B Baker Street"),
        ("en", "she lives at 14 elm grove now", "14 elm grove"),
        ("en", "on St. Mary's Road at night", "St. Mary's Road"),
        ("en", "Apt 4B upstairs", "4B"),
        ("en", "write to P.O. Box 1182", "1182"),
        ("de", "in der Lindenstraße 5a wohnt", "Lindenstraße 5a"),
        ("de", "Berliner Straße 12, dann", "Berliner Straße 12"),
        ("de", "am Birkenweg 7", "Birkenweg 7"),
        ("de", "die Lindenstraße entlang", "Lindenstraße"),
        ("fr", "12 bis, rue de la Paix, à Paris", "12 bis, rue de la Paix"),
        ("fr", "rue d'Alésia", "rue d'Alésia"),
        ("es", "calle Mayor 12, Madrid", "calle Mayor 12"),
        ("it", "in via Garibaldi 7", "via Garibaldi 7"),
        ("it", "Corso Vittorio Emanuele II, 15", "Corso Vittorio Emanuele II, 15"),
        ("nl", "Keizersgracht 123 in", "Keizersgracht 123"),
        ("pt", "Rua das Flores, 45 em", "Rua das Flores, 45"),
    ],
)
def test_streets(language, text, street):
    assert street in found("LOCATION", text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "5 people in the street, a 10 minute walk, 4 lane road, 3 hour drive"),
        ("en", "The Street was empty. This Road, Our Avenue."),
        ("en", "flats and suites, room for 3"),
        ("de", "Die Straße ist lang. Unterweg. Hof 3"),
        ("fr", "la rue est belle, une place libre"),
        ("it", "andare via subito"),
        ("de", "221B Baker Street"),
    ],
)
def test_no_street_without_one(language, text):
    assert found("LOCATION", text, language) == set()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("paid by Northgate Widgets Ltd. in May", "Northgate Widgets Ltd."),
        ("bei Köhler & Söhne GmbH", "Köhler & Söhne GmbH"),
        ("from Hollis, Brand & Partners LLP", "Hollis, Brand & Partners LLP"),
    ],
)
def test_companies_by_their_form(text, name):
    assert name in found("ORGANIZATION", text)


def test_a_form_alone_is_no_company():
    assert found("ORGANIZATION", "an Inc. and the limited AG") == set()


@pytest.mark.parametrize("text", ["Dear Payroll,", "Patient: Presents with fever", "hello Team"])
def test_public_words_after_a_cue_are_no_name(text):
    assert found("PERSON", text) == set()
