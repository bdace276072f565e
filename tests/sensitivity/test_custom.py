"""Recognisers of the policy: what they find, and that every mistake is named by its key."""

import time

import pytest

from privstamp.errors import PolicyError, StageFailed
from privstamp.sensitivity import custom
from privstamp.sensitivity.custom import Custom


def found(text: str, **options: object) -> list[str]:
    made = Custom({"kind": "CASE", **options}, "sensitivity.custom 1")
    return [text[one.start : one.end] for one in made.find(text)]


def test_a_pattern():
    assert found("case QX-77 and QX-8", pattern=r"QX-\d\d") == ["QX-77"]


def test_a_group_named_value_is_the_span():
    assert found("matter no. 77/B", pattern=r"matter no\. (?P<value>\S+)") == ["77/B"]


def test_words_and_files(tmp_path):
    assert found("the Falcon plan, falcons", words=["falcon"]) == ["Falcon"]
    file = tmp_path / "terms.txt"
    file.write_text("project falcon\n\nösterreich\n", encoding="utf-8")
    assert found("Project-Falcon in Österreich", file=str(file)) == ["Project-Falcon", "Österreich"]


def test_case():
    assert found("Falcon falcon", words=["Falcon"], case=True) == ["Falcon"]


@pytest.mark.parametrize(
    ("checksum", "right", "wrong"),
    [
        ("luhn", "4111-1111-1111-1111", "4111-1111-1111-1112"),
        ("mod97", "GB82 WEST 1234 5698 7654 32", "GB82 WEST 1234 5698 7654 33"),
        ("verhoeff", "2363", "2364"),
        ("mod11", "080442957X", "0804429570"),
        ("mod11-10", "86095742719", "86095742718"),
        ("ean", "4006381333931", "4006381333932"),
    ],
)
def test_checksums(checksum, right, wrong):
    assert found(f"{right}; {wrong}; ????", pattern=r"[^;]+", checksum=checksum) == [right]


def test_a_checksum_of_letters_is_no_accident():
    assert found("abc 18", pattern=r"\w+", checksum="luhn") == ["18"]


def test_context_raises_the_score_and_says_so():
    options = {"kind": "CASE", "pattern": r"\d{4}", "score": 0.3, "context": ["docket"]}
    made = Custom(options, "sensitivity.custom 1")
    near, far = (next(made.find(text)) for text in ("Docket no 4411", "call 4411"))
    assert (near.score, far.score) == (pytest.approx(0.65), 0.3)
    assert near.rule == "entry 1, in context" and near.source == "custom"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pattern": "("}, r"custom 1: pattern: not a regular expression.*position"),
        ({"pattern": ""}, "pattern is a text"),
        ({"pattern": 3}, "pattern is a text"),
        ({"pattern": r"\d*"}, "matches the empty text"),
        ({"pattern": r"(\w+\s?)+$"}, "takes too long"),
        ({"pattern": "a", "words": ["b"]}, "give one of pattern, words, file"),
        ({}, "give one of"),
        ({"patern": "a"}, 'unknown key "patern".*Did you mean "pattern"'),
        ({"words": []}, "words is a list"),
        ({"words": "falcon"}, "words is a list"),
        ({"words": ["ok", 3]}, "words is a list"),
        ({"words": ["ok", "--"]}, "custom 1, entry 2"),
        ({"file": "/no/such/file"}, "cannot be read"),
        ({"pattern": "a", "kind": "case"}, "kind is in capitals"),
        ({"pattern": "a", "score": 2}, "score is above 0"),
        ({"pattern": "a", "checksum": "luhm"}, 'no checksum "luhm".*Did you mean "luhn"'),
        ({"pattern": "a", "context": "x"}, "is a list of words"),
        ({"words": ["a"], "case": "no"}, "case is true or false"),
        ({"pattern": "a", "name": 1}, "name is a text"),
    ],
)
def test_mistakes_are_named_by_key(options, message):
    with pytest.raises(PolicyError, match=message):
        Custom({"kind": "CASE", **options}, "sensitivity.custom 1")


def test_a_list_of_tables_is_asked_for():
    assert custom.custom(None) == []
    with pytest.raises(PolicyError, match=r"\[\[sensitivity\.custom\]\]"):
        custom.custom("pattern")
    with pytest.raises(PolicyError, match="custom 2: a table"):
        custom.custom([{"kind": "CASE", "pattern": "a"}, "b"])


def test_a_pattern_that_runs_away_stops_the_release_without_the_text(monkeypatch):
    monkeypatch.setattr(custom, "SECONDS", 0.2)
    made = Custom({"kind": "CASE", "pattern": r"(?:x+x+)+y"}, "sensitivity.custom 1")
    began = time.process_time()
    with pytest.raises(StageFailed, match="CASE in the policy took too long") as caught:
        list(made.find("secret " + "x" * 3000))
    assert time.process_time() - began < 10
    assert "secret" not in str(caught.value)
    assert caught.value.__context__ is None and caught.value.__cause__ is None


def test_facts_tell_recognisers_apart():
    one, two = ({"kind": "CASE", "words": [word]} for word in ("falcon", "eagle"))
    assert Custom(one, "x 1").facts == Custom(one, "x 1").facts != Custom(two, "x 1").facts
    assert "falcon" not in str(Custom(one, "x 1").facts)
