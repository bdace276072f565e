"""Withholding everything is no answer: what honest replies hold comes back."""

import json

import pytest
from benign import JSON, RECORDS, TEXTS
from hostile import MAP


def share(outcome):
    back, left = len(outcome.put_back), len(outcome.withheld)
    return back / (back + left), [
        (outcome.text[w.start - 20 : w.end + 20], w.reason) for w in outcome.withheld
    ]


def test_nearly_all_surrogates_come_back_over_all_texts():
    outcomes = [MAP.restored(text) for text in TEXTS.values()]
    outcomes += [MAP.restored(text, format="json") for text in (JSON, RECORDS)]
    back = sum(len(outcome.put_back) for outcome in outcomes)
    left = sum(len(outcome.withheld) for outcome in outcomes)
    assert back > 200
    assert back / (back + left) >= 0.98


def test_no_honest_text_is_taken_for_one_that_acts():
    assert [name for name, text in TEXTS.items() if MAP.restored(text).active] == []


@pytest.mark.parametrize("name", TEXTS)
def test_each_kind_of_text_comes_back(name):
    outcome = MAP.restored(TEXTS[name])
    assert share(outcome) == (1.0, [])
    assert outcome.text == MAP.restore(TEXTS[name], trusted=True)
    for back in outcome.put_back:
        assert outcome.text[back.start : back.end] not in ("", "Melton", "Shauna")


def test_json_is_restored_in_values_and_escaped():
    outcome = MAP.restored(JSON, format="json")
    assert share(outcome) == (1.0, [])
    loaded = json.loads(outcome.text)
    assert loaded["patient"] == {"name": "Priya Raghunathan", "post": "M14 5TQ"}
    assert loaded["notes"][0] == 'Raghunathan "called"'
    assert loaded["notes"][2] == "Zoë met Raghunathan.\nPriya left."
    assert [outcome.text[b.start : b.end] for b in outcome.put_back][:2] == [
        "Priya Raghunathan",
        "M14 5TQ",
    ]


@pytest.mark.parametrize(
    ("reply", "restored"),
    [
        ("S. Melton", "P. Raghunathan"),
        ("Melton, S.", "Raghunathan, P."),
        ("S Melton's", "P Raghunathan's"),
        ("S.M. agreed", "P.R. agreed"),
        ("X. Melton", "X. Raghunathan"),  # somebody else
    ],
)
def test_initials_follow_the_name(reply, restored):
    assert MAP.restore(reply) == restored
