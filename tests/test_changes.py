"""Result.changes: what was replaced in a text, where, and why."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from line import make

TEXT = "w1 W2 Quixworth, w3 bob@example.org W2."


@pytest.fixture
def release(monkeypatch):
    def run(text, **policy):
        line = make(monkeypatch, kinds={"W2": "PERSON"}, budget={"epsilon": [0, 0, 9, 9]}, **policy)
        return line.privatize(text)

    return run


def test_every_replaced_span_is_listed_with_its_reason(release):
    result = release(TEXT)
    found = [(TEXT[one.start : one.end], one.kind, one.source) for one in result.changes]
    assert ("W2", "PERSON", "named") in found and found.count(("W2", "PERSON", "named")) == 2
    assert ("Quixworth", "UNKNOWN", "space") in found
    assert {word for word, _, _ in found} == {"W2", "Quixworth", "bob@example", "org"}


@pytest.mark.parametrize("text", [TEXT, "W2\u200b w1 W\u200b2\u00a0W2 \u200bW2", "", "w1"])
def test_places_lie_in_the_original_and_in_the_release(release, text):
    result = release(text)
    changed = result.text
    for one in reversed(result.changes):
        before = changed[: one.released_start]
        changed = before + text[one.start : one.end] + changed[one.released_end :]
    kept = str.maketrans({"\u200b": None, "\u00a0": " "})
    # Words that were moved at random differ still; what was replaced is back.
    assert changed.translate(kept).count("W2") == text.translate(kept).count("W2")
    spans = [(one.start, one.end) for one in result.changes]
    assert spans == sorted(spans) and all(0 <= low < high <= len(text) for low, high in spans)


def test_fields_of_a_structured_text_are_listed(release):
    text = json.dumps({"name": "W2 w1", "w1": "Quixworth"})
    result = release(text, format="json")
    replaced = {text[one.start : one.end]: one.kind for one in result.changes}
    assert "PERSON" in replaced["W2 w1"] and replaced["Quixworth"] == "UNKNOWN"


def test_they_do_not_show_text(release):
    assert "Quixworth" not in repr(release(TEXT).changes)


@given(st.text("W2w1 \u200b.,x", max_size=40))
def test_spans_never_overlap(text):
    with pytest.MonkeyPatch.context() as patch:
        result = make(patch, kinds={"W2": "PERSON"}).privatize(text)
    ends = [0, *(one.end for one in result.changes)]
    assert all(end <= one.start for end, one in zip(ends, result.changes, strict=False))
