"""Words of medicine that lists lack, and people who are called like them."""

import pytest

from privstamp.sensitivity.jargon import without_clinical
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding

MEDICAL = Vocabulary(["medical"])


def stays(text, name, kind="RARE"):
    """Whether a finding of this name is left."""
    start = text.index(name)
    finding = Finding(start, start + len(name), kind, 0.9, "lexicon", "listed family name")
    return bool(without_clinical(text, [finding], MEDICAL.is_term))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("has Turner syndrome", "Turner"),
        ("with Crohn's disease", "Crohn's"),
        ("Ehlers-Danlos syndrome", "Ehlers-Danlos"),
        ("Ehlers-Danlos syndrome", "Ehlers"),
        ("von Willebrand disease", "von Willebrand"),
    ],
)
def test_diseases_called_by_names(text, name):
    assert not stays(text, name, "PERSON")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Turner has a syndrome", "Turner"),
        ("Zworg syndrome", "Zworg"),
        ("Mr Turner's diseased tree", "Turner's"),
        ("Turner Zworg disease", "Turner Zworg"),
    ],
)
def test_people_stay(text, name):
    assert stays(text, name, "PERSON")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("alopecia zworgata", "zworgata"),
        ("zworgidal sepsis", "zworgidal"),
        ("took zworgenamic acid", "zworgenamic"),
        ("zworgumab-qvwx weekly", "qvwx"),
    ],
)
def test_words_beside_a_term(text, name):
    assert not stays(text, name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("saw zworgata today", "zworgata"),
        ("sepsis Zworgidal", "Zworgidal"),
        ("sepsis zworg", "zworg"),
        ("table-qvwx", "qvwx"),
        ("under svc_zworgone with a code", "zworgone"),
        ("svc_zworgata sepsis", "zworgata"),
    ],
)
def test_other_unlisted_words_stay(text, name):
    assert stays(text, name)


def test_only_rare_words_are_told_by_their_neighbours():
    assert stays("alopecia zworgata", "zworgata", "PERSON")


@pytest.mark.parametrize(
    ("text", "name"), [("0.02 mIU/L low", "mIU"), ("174;\u00b5mol/L;high", "L")]
)
def test_parts_of_units(text, name):
    assert not stays(text, name, "PERSON")
    assert stays(text.replace("/", " "), name, "PERSON")
