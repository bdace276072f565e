"""What words announce: secrets, codes, user names, telephones, postcodes, dates, ages."""

import pytest

from privstamp.sensitivity.languages import WORDS, Words
from privstamp.sensitivity.rules import Rules
from privstamp.sensitivity.wordrules import word_rules


def found(kind: str, text: str, language: str = "en") -> set[str]:
    return {text[f.start : f.end] for f in Rules(entities=[kind], language=language).scan(text)}


@pytest.mark.parametrize(
    ("language", "text", "secret"),
    [
        ("en", "password: hunter2", "hunter2"),
        ("en", "pwd is t0psecret!", "t0psecret!"),
        ("en", "My password is 'correct horse'.", "correct horse"),
        ("en", "Server=x;Password=S3cr3t!;", "S3cr3t!"),
        ("en", "api_key = abcd", "abcd"),
        ("en", "the PIN is 4821", "4821"),
        ("en", "door code: 9931#", "9931#"),
        ("de", "Kennwort: geheim12", "geheim12"),
        ("de", "das Passwort lautet 'sesam öffne'", "sesam öffne"),
        ("fr", "Mot de passe : azerty12", "azerty12"),
        ("es", "Contraseña: gato1234", "gato1234"),
        ("it", "la password è gatto99", "gatto99"),
        ("nl", "wachtwoord: poes1234", "poes1234"),
        ("pt", "A senha é gato1234.", "gato1234"),
    ],
)
def test_secrets(language, text, secret):
    assert found("CREDENTIAL", text, language) == {secret}


@pytest.mark.parametrize(
    "text",
    [
        "The password is wrong.",
        "The secret is patience.",
        "spin 4821",
        "a token of thanks",
        "pinned 12",
    ],
)
def test_talk_about_secrets_is_none(text):
    assert found("CREDENTIAL", text) == set()


def test_words_of_another_language_are_not_heard():
    assert found("CREDENTIAL", "Kennwort: geheim", "en") == set()
    assert found("CREDENTIAL", "password: geheim", "any") == set()


@pytest.mark.parametrize(
    ("text", "user"), [("username: anna_k ;", "anna_k"), ("login is jdoe42", "jdoe42")]
)
def test_user_names(text, user):
    assert found("HANDLE", text) == {user}


@pytest.mark.parametrize("text", ["user: The end", "the user is happy", "superuser: x1"])
def test_no_user_names(text):
    assert found("HANDLE", text) == set()


@pytest.mark.parametrize(
    ("language", "text", "code"),
    [
        ("en", "ZIP code 02139,", "02139"),
        ("en", "Boston, MA 02139-4307", "MA 02139-4307"),
        ("en", "at SW1A 1AA.", "SW1A 1AA"),
        ("en", "leeds ls1 4dy", "ls1 4dy"),
        ("en", "K1A 0B1 Ottawa", "K1A 0B1"),
        ("any", "1012 AB Amsterdam", "1012 AB"),
        ("any", "CH-8001", "CH-8001"),
        ("any", "4050-262 Porto", "4050-262"),
        ("any", "01310-100", "01310-100"),
        ("any", "00-950 Warszawa", "00-950"),
        ("de", "PLZ: 80331", "80331"),
        ("fr", "code postal 75002", "75002"),
    ],
)
def test_postcodes(language, text, code):
    assert code in found("POSTCODE", text, language)


@pytest.mark.parametrize("text", ["2024 US Open", "at 1100 AM", "A4 1ab2", "Su1 4dy"])
def test_no_postcodes(text):
    assert found("POSTCODE", text) == set()


@pytest.mark.parametrize(
    ("language", "text", "date"),
    [
        ("en", "on March 3rd, 2024", "March 3rd, 2024"),
        ("de", "am 12. März 2024.", "12. März 2024"),
        ("fr", "le 1er mai", "1er mai"),
        ("es", "3 de mayo de 2024", "3 de mayo de 2024"),
        ("it", "15 agosto 1999", "15 agosto 1999"),
        ("nl", "5 mei 2020", "5 mei 2020"),
        ("pt", "7 de abril de 2001", "7 de abril de 2001"),
    ],
)
def test_dates(language, text, date):
    assert date in found("DATE_TIME", text, language)


@pytest.mark.parametrize(
    ("language", "text", "age"),
    [
        ("en", "a 47-year-old", "47-year-old"),
        ("en", "aged 47", "47"),
        ("de", "die 47-jährige", "47-jährige"),
        ("fr", "âgée de 47 ans", "47 ans"),
        ("nl", "is 9 jaar oud", "9 jaar oud"),
    ],
)
def test_ages(language, text, age):
    assert age in found("AGE", text, language)


def test_prices_and_quantities_are_by_choice():
    text = "paid $1,200.50 or 300 EUR (12.5 %) for 5 mg"
    by_kind = {kind: found(kind, text) for kind in ("MONEY", "PERCENT", "QUANTITY")}
    assert by_kind == {
        "MONEY": {"$1,200.50", "300 EUR"},
        "PERCENT": {"12.5 %"},
        "QUANTITY": {"5 mg"},
    }
    assert not {f.kind for f in Rules().scan(text)} & by_kind.keys()


def test_without_words_only_telephones_and_companies_are_left():
    assert {rule.kind for rule in word_rules(Words())} == {"PHONE_NUMBER", "ORGANIZATION"}
    assert all(len(word_rules(words)) > 10 for words in WORDS.values())


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("she grew up in Little Snoring and left", {"Little Snoring"}),
        ("from Stoke Zworg-on-the-Quux by train", {"Stoke Zworg-on-the-Quux"}),
        ("in great need of Little things", set()),
        ("a Little Snoring was heard", set()),
        ("Steps In Great Detail For Every Reader", set()),
    ],
)
def test_places_of_two_words(text, place):
    assert found("LOCATION", text) == place


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("I am sorry, sir. It was late", set()),
        ("tell my brother I'm late", set()),
        ("met Prof. Zworg, then Dr. Will", {"Zworg", "Will"}),
        ("Sir Zworg came", {"Zworg"}),
    ],
)
def test_titles_end_sentences_too(text, people):
    assert found("PERSON", text) == people
