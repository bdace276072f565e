"""People whom a recogniser takes for companies and towns, because of where their names are from."""

import pytest

from privstamp.sensitivity.people import renamed_people
from privstamp.types import Finding

GIVEN, FAMILY, PLACE, RARE = (
    "listed given name",
    "listed family name",
    "listed place",
    "unlisted word",
)


def kind(text, name, recognised, *rules):
    """What becomes of a span, given what lists say of its words; None where they say nothing."""
    start = text.index(name)
    findings = [Finding(start, start + len(name), recognised, 0.85, "presidio", "spaCy: X")]
    position = start
    for word, rule in zip(name.replace("-", " ").split(), rules, strict=True):
        position = text.index(word, position)
        if rule is not None:
            listed = "LOCATION" if rule == PLACE else "RARE" if rule == RARE else "PERSON"
            findings.append(Finding(position, position + len(word), listed, 0.9, "lexicon", rule))
        position += len(word)
    return renamed_people(text, findings)[0].kind


@pytest.mark.parametrize(
    ("name", "recognised", "rules"),
    [
        ("Adeoti Ogbuehi", "ORGANIZATION", (GIVEN, FAMILY)),
        ("Pakjira Wasunun", "LOCATION", (GIVEN, RARE)),
        ("Suvakit Losatap", "ORGANIZATION", (RARE, RARE)),
        ("Georgia Otiwa", "ORGANIZATION", (PLACE, RARE)),
        ("Maria de la Cruz", "ORGANIZATION", (GIVEN, None, None, FAMILY)),
        ("Wen-Pin Kan", "LOCATION", (GIVEN, None, FAMILY)),
    ],
)
def test_what_is_made_of_names_is_a_person(name, recognised, rules):
    assert kind(f"The nurse asked {name} again.", name, recognised, *rules) == "PERSON"


@pytest.mark.parametrize(
    ("text", "name", "recognised", "rules"),
    [
        ("Paid by Okafor Foods today.", "Okafor Foods", "ORGANIZATION", (FAMILY, None)),
        ("Paid by Goldmar Sachser today.", "Goldmar Sachser", "ORGANIZATION", (FAMILY, FAMILY)),
        ("He works at Morga Stanle now.", "Morga Stanle", "ORGANIZATION", (GIVEN, FAMILY)),
        ("They moved from Santa Rosa.", "Santa Rosa", "LOCATION", (GIVEN, GIVEN)),  # listed
        ("Ben & Jerrys sells ice.", "Ben & Jerrys", "ORGANIZATION", (GIVEN, None, FAMILY)),
        ("They left Nova Orlava.", "Nova Orlava", "LOCATION", (PLACE, GIVEN)),
        ("It was Okafor again.", "Okafor", "ORGANIZATION", (FAMILY,)),
    ],
)
def test_companies_and_towns_stay_what_they_are(text, name, recognised, rules):
    assert kind(text, name, recognised, *rules) == recognised


def test_a_name_is_whole_with_what_a_hyphen_joins_to_it():
    text = "A parcel for I-Ching Wu, and one for Anna-Lise; pro-Wu, Wu-like."
    found = [
        Finding(
            text.index(word, after), text.index(word, after) + len(word), "PERSON", 0.9, "x", ""
        )
        for word, after in (("Ching", 0), ("Anna", 0), ("Wu", 45))
    ]
    names = [text[one.start : one.end] for one in renamed_people(text, found)]
    assert names == ["I-Ching Wu", "Anna-Lise", "Wu"]


@pytest.mark.parametrize("sign", ["'", "\u2019"])
def test_a_name_is_whole_with_what_an_apostrophe_joins_to_it(sign):
    """Recognisers cut it at one sign and not at the other."""
    text = f"For Nuala O{sign}Shea{sign}s friend, D{sign}Angelo."
    found = [Finding(at := text.index(word), at + len(word), "PERSON", 0.9, "x", "")
             for word in ("Nuala O", "Angelo")]  # fmt: skip
    names = [text[one.start : one.end] for one in renamed_people(text, found)]
    assert names == [f"Nuala O{sign}Shea", f"D{sign}Angelo"]


def test_a_capitalised_word_beside_a_sure_name_is_a_part_of_it():
    text = (
        "yesterday evening we met Stormy Quillfeather beside the river and later on "
        "Minister Anna Quillfeather with others, and on Friday Bob came along"
    )
    seen = [
        Finding(text.index(name), text.index(name) + len(name), "PERSON", 0.85, "presidio", "model")
        for name in ("Quillfeather", "Anna Quillfeather", "Bob")
    ]
    grown = renamed_people(text, seen, {"minister", "friday"}.__contains__)
    assert [text[one.start : one.end] for one in grown] == [
        "Stormy Quillfeather",
        "Anna Quillfeather",
        "Bob",
    ]


def test_a_doubtful_name_or_an_organisation_takes_nothing_in():
    text = "they crossed Wide River and saw Lake Anna there"
    doubtful = Finding(18, 23, "PERSON", 0.6, "lexicon", "listed name")
    place = Finding(text.index("Lake"), text.index("Anna") + 4, "LOCATION", 0.85, "presidio", "m")
    anna = Finding(text.index("Anna"), text.index("Anna") + 4, "PERSON", 0.9, "lexicon", "given")
    assert renamed_people(text, [doubtful, place, anna]) == [doubtful, place, anna]


def test_a_title_is_taken_in():
    start = len("Then Mr ")
    finding = Finding(start, start + 5, "PERSON", 0.6, "rules", "title and name")
    (whole,) = renamed_people("Then Mr Welsh left.", [finding])
    assert (whole.start, whole.end) == (5, start + 5)


@pytest.mark.parametrize(
    ("text", "kind"), [("lives in Geneva", "LOCATION"), ("by Geneva", "PERSON")]
)
def test_a_name_that_is_read_as_a_place_and_stands_like_one(text, kind):
    start = text.index("Geneva")
    findings = [
        Finding(start, start + 6, "PERSON", 0.6, "lexicon", GIVEN),
        Finding(start, start + 6, "LOCATION", 0.85, "presidio", "spaCy: GPE"),
    ]
    assert next(one.kind for one in renamed_people(text, findings)) == kind
