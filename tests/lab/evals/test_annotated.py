import pytest

from line import SPACE, Named
from privstamp.errors import InputError
from privstamp.lab.evals.contracts import Example, Span
from privstamp.lab.evals.lines import Annotated


def made(**more):
    return Example("one", "one", "w1 w2", "w3?", **more)


def test_finds_what_is_annotated_in_text_and_task():
    part = Annotated(Named({}))
    part.learn([made(spans=(Span(3, 5, "PERSON"),), task_spans=(Span(0, 2, "LOCATION"),))])
    text, task = part.find([SPACE.split("w1 w2"), SPACE.split("w3?")])
    assert [(one.start, one.end, one.kind) for one in text] == [(3, 5, "PERSON")]
    assert [(one.start, one.end, one.kind) for one in task] == [(0, 2, "LOCATION")]


def test_forgets_earlier_examples_and_shows_none():
    part = Annotated(Named({"w1": "PERSON"}))
    part.learn([made(spans=())])
    assert part.find([SPACE.split("w1 w2")]) == [[]]
    assert "w1" not in repr(part)
    part.learn([])
    assert [one.kind for one in part.find([SPACE.split("w1 w2")])[0]] == ["PERSON"]  # the detector


def test_an_example_without_annotation_is_refused_by_its_id():
    with pytest.raises(InputError, match='"one" has no annotated spans') as caught:
        Annotated(Named({})).learn([made()])
    assert "w1" not in str(caught.value)


def test_other_texts_are_read_by_a_detector():
    part = Annotated(Named({"w1": "PERSON"}))
    part.learn([made(spans=(Span(3, 5, "LOCATION"),))])
    first, known, last = part.find([SPACE.split(text) for text in ("w1", "w1 w2", "w9 w1")])
    assert [one.kind for one in (*first, *known, *last)] == ["PERSON", "LOCATION", "PERSON"]
    assert last[0].start == 3
