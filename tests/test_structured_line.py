"""Structured texts through the whole line."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from line import make
from privstamp.errors import InputError, UnknownName
from privstamp.mechanisms.invented import Identifiers, Renamed
from privstamp.policy import Policy
from privstamp.release.certificate import STRUCTURE
from privstamp.release.document import Document
from privstamp.release.parts import assemble
from privstamp.release.writer import public_words
from privstamp.text.formats.names import words_of

KEY = bytes(range(32))
SELECTIVE = Policy.preset("selective")
IS_PUBLIC = public_words(assemble(SELECTIVE), SELECTIVE)
KINDS = {"w1 w2": "PERSON", "w7": "PERSON"}
TEXT = '{"status": "w3 w1 w2", "qqzar_total": ["w1", "w2 w7"], "ok": true}'
BUDGET = {"epsilon": [0, 0, float("inf"), float("inf")]}


def line(monkeypatch, **more):
    return make(monkeypatch, kinds=KINDS, budget=BUDGET, format="auto", seed=3, **more)


def test_a_finding_stays_in_its_field_and_the_structure_is_kept(monkeypatch):
    result = line(monkeypatch).privatize(TEXT)
    new = json.loads(result.text)
    first, second, third = new
    assert (first, third, new["ok"]) == ("status", "ok", True)
    assert second.endswith("_total") and "qqzar" not in result.text
    assert new["status"].startswith("w3 ") and "w1" not in new["status"]
    assert "w7" not in result.text


def test_the_certificate_tells_format_fields_and_names(monkeypatch):
    certificate = line(monkeypatch).privatize(TEXT).certificate
    facts = certificate.structure
    assert (facts.format, facts.fields, facts.names_passed, facts.names_replaced) == (
        "json",
        3,
        2,
        1,
    )
    assert STRUCTURE in certificate.not_protected
    assert certificate.counts.units == 6
    inside = sum(map(len, ("w3", "w1", "w2", "w1", "w2", "w7", "status", "qqzar_total", "ok")))
    assert certificate.counts.characters_passed == len(TEXT) - inside


def test_a_plain_text_says_nothing_of_structure(monkeypatch):
    certificate = line(monkeypatch).privatize("w1 w2 w3").certificate
    assert certificate.structure is None and STRUCTURE not in certificate.not_protected


def test_names_come_back_in_a_reply(monkeypatch):
    result = line(monkeypatch).privatize(TEXT)
    name = next(iter(json.loads(result.text).keys() - {"status", "ok"}))
    assert result.restore(f"The key {name} is odd.") == "The key qqzar_total is odd."


def test_a_format_may_be_named_by_call_and_by_policy(monkeypatch):
    privatizer = line(monkeypatch)
    assert privatizer.privatize(TEXT, format="plain").certificate.structure is None
    with pytest.raises(InputError, match="the text is not json: line 1, column 1"):
        privatizer.privatize("w1 w2", format="json")
    with pytest.raises(InputError, match='Did you mean "json"'):
        privatizer.privatize("w1 w2", format="jsn")
    with pytest.raises(Exception, match='Did you mean "jsonl"'):
        Policy.of({"format": "jsonll"})
    assert Policy.preset("selective").format == "auto"
    assert Policy.preset("stamp").format == "plain"


def test_a_failing_text_of_many_stands_in_its_place(monkeypatch):
    results = list(line(monkeypatch).privatize_many([TEXT, "w1", TEXT], format="json"))
    assert [one.ok for one in results] == [True, False, True]


def test_the_same_secret_gives_the_same_names(monkeypatch):
    first = line(monkeypatch).privatize(TEXT).text
    assert line(monkeypatch).privatize(TEXT).text == first


@given(st.lists(st.text(min_size=1), max_size=8, unique=True))
def test_names_are_replaced_one_to_one(names):
    renamed = Identifiers(lambda word: word.lower() in ("total", "id"), Renamed(KEY)).replaced(
        names
    )
    after = [renamed.get(name, name) for name in names]
    assert len(set(after)) == len(names)
    for name, new in renamed.items():
        assert new not in names
        public = {"total", "id"}
        assert not {w.casefold() for w in words_of(name) if len(w) > 2} & set(
            map(str.casefold, words_of(new))
        ) - public - {w for w in words_of(name) if w.isdigit()}


def test_names_keep_their_form_and_share_words():
    identifiers = Identifiers(IS_PUBLIC, Renamed(KEY))
    renamed = identifiers.replaced(
        ["order_id", "zelwicz_total", "ZelwiczAccount", "ZELWICZ", "k84729104"]
    )
    assert "order_id" not in renamed
    word = renamed["zelwicz_total"].removesuffix("_total")
    assert renamed["ZelwiczAccount"] == f"{word.title()}Account"
    assert renamed["ZELWICZ"] == word.upper()
    assert renamed["k84729104"][0] == "k" and renamed["k84729104"][1:].isdigit()


def test_common_names_are_not_public_and_common_keys_are():
    assert not any(map(IS_PUBLIC, ["marguerite", "dubois", "zelwicz"]))
    assert all(map(IS_PUBLIC, ["customer", "status", "price", "email", "null", "groupby", "isnan"]))


def test_unknown_formats_are_named(monkeypatch):
    with pytest.raises((InputError, UnknownName)):
        line(monkeypatch).privatize("w1", format="docx")


def test_a_release_comes_back_byte_for_byte(monkeypatch):
    text = '\ufeff{ "status" : "w3\\u00a0w1 w2",\r\n "qqzar_total": ["\\u0077\\u0031", 12e3] }\r\n'
    result = line(monkeypatch).privatize(text)
    assert result.text != text
    assert result.restore(result.text, trusted=True) == text


def test_words_of_the_policy_decide_first():
    policy = SELECTIVE.model_copy(update={"allow": ("Zelwicz",), "deny": ("status page",)})
    is_public = public_words(assemble(policy), policy)
    assert is_public("zelwicz") and not is_public("status")


@pytest.mark.parametrize("word", ["wielgosz", "mdubois", "johndoe", "blackthorpe"])
def test_names_written_in_one_are_no_public_words(word):
    assert not IS_PUBLIC(word)


def test_a_name_in_a_key_becomes_what_it_becomes_in_text():
    renamed = Identifiers(
        IS_PUBLIC, Renamed(KEY, {"zelwicz": "whitney", "84729104": "62311"})
    ).replaced(["zelwicz_total", "Zelwicz", "user84729104", "zelkova9"])
    assert renamed["zelwicz_total"] == "whitney_total"
    assert (renamed["Zelwicz"], renamed["user84729104"]) == ("Whitney", "user62311")


def test_what_another_name_is_called_already_is_not_taken():
    renamed = Identifiers(IS_PUBLIC, Renamed(KEY, {"zelwicz": "total"})).replaced(
        ["zelwicz", "total"]
    )
    assert renamed["zelwicz"] != "total"


def test_a_structured_text_is_not_repaired(monkeypatch):
    privatizer = line(monkeypatch)

    class Mender:
        name = fingerprint = "mender"
        place, repeatable = "this machine", True

        def rewrite(self, windows, *, again=False):
            return [window.upper() for window in windows]

    privatizer.parts = replace(privatizer.parts, repair=Mender())
    result = privatizer.privatize(TEXT)
    assert next(iter(json.loads(result.text))) == "status"
    assert "not repaired: the text has a structure to keep" in result.certificate.notes


def test_a_text_read_in_two_formats_has_two_keys():
    keys = set()
    for name in ("plain", "json", "jsonl"):
        document = Document(0, '{"a": "w1"}', None, format=name).checked()
        keys.add(tuple(document.identity))
    assert len(keys) == 3
