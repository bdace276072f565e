"""Order, limits and fingerprints depend on ids and content alone."""

import random
from dataclasses import replace

import pytest

from privstamp.errors import InputError
from privstamp.lab.evals.contracts import (
    Example,
    Span,
    Task,
    fingerprint,
    first_hashed,
    in_share,
)


def example(number, cluster=None, text=None, **more):
    return Example(
        f"e{number}", cluster or f"c{number // 5}", text or f"text {number // 5}", "?", **more
    )


EXAMPLES = [example(number) for number in range(60)]


def ids(task, limit=None):
    return [one.id for one in task.examples(limit)]


def test_the_order_is_that_of_the_ids_whatever_order_they_came_in():
    mixed = list(EXAMPLES)
    random.Random(1).shuffle(mixed)
    one, other = Task("t", "qa", EXAMPLES), Task("t", "qa", mixed)
    assert ids(one) == ids(other) != [example.id for example in EXAMPLES]
    assert one.fingerprint == other.fingerprint


def test_a_limit_takes_the_first_and_clusters_stand_together():
    task = Task("t", "qa", EXAMPLES)
    assert ids(task, 20) == ids(task)[:20]
    assert len({one.cluster for one in task.examples(20)}) == 4
    assert len({one.cluster for one in task.examples(22)}) == 5


@pytest.mark.parametrize(
    "change",
    [
        {"text": "another"},
        {"cluster": "c9"},
        {"answers": ("yes",)},
        {"label": "x"},
        {"spans": ()},
        {"spans": (Span(0, 1, "ID"),)},
        {"task_spans": (Span(0, 1, "ID"),)},
    ],
)
def test_any_change_is_another_fingerprint(change):
    changed = [example(0, **change), *EXAMPLES[1:]]
    assert Task("t", "qa", changed).fingerprint != Task("t", "qa", EXAMPLES).fingerprint


def test_labels_and_rules_count_too():
    one = Task("t", "classification", EXAMPLES, labels=["a", "b"])
    assert one.fingerprint != Task("t", "classification", EXAMPLES).fingerprint
    assert fingerprint(EXAMPLES, "a") != fingerprint(EXAMPLES, "b")


def test_training_never_holds_a_text_that_is_evaluated():
    taught = [example(100, text="text 3"), example(101, text="its own")]
    task = Task("t", "classification", EXAMPLES, training=lambda: taught)
    assert [one.id for one in task.training()] == ["e101"]


def test_the_whole_of_a_text_has_every_question_whatever_the_limit():
    asked = [
        replace(example(n), task=f"who is W{n}?", task_spans=(Span(7, 9, "PERSON"),), spans=())
        for n in range(5)
    ]
    task = Task("t", "qa", asked)
    (first,) = task.examples(1)
    whole = first.whole
    assert all(one.whole == whole for one in task.examples())
    assert whole.text == first.text and whole.spans == ()
    assert whole.task.split("\n") == [one.task for one in task.examples()]
    marked = [whole.task[span.start : span.end] for span in whole.task_spans]
    assert marked == [one.task[7:9] for one in task.examples()]


def test_a_question_of_two_lines_leaves_its_text_without_a_whole():
    asked = [example(0), replace(example(1), task="one\ntwo"), example(7)]
    kept = {one.id: one.whole for one in Task("t", "qa", asked).examples()}
    assert kept["e0"] is kept["e1"] is None
    assert kept["e7"].task == "?"


def test_no_examples_or_one_id_twice_is_refused():
    with pytest.raises(InputError, match="not one example"):
        Task("t", "qa", [])
    with pytest.raises(InputError, match="ids must differ"):
        Task("t", "qa", [example(1), example(1)])


def test_a_choice_of_rows_is_spread_and_steady():
    chosen = first_hashed(10_000, 500)
    assert chosen == first_hashed(10_000, 500) == sorted(set(chosen)) and len(chosen) == 500
    assert 4_000 < sum(chosen) / 500 < 6_000
    assert first_hashed(3, 500) == [0, 1, 2]


def test_a_share_of_clusters_is_about_that_large_and_grows_with_it():
    few, many = ({n for n in range(4000) if in_share(str(n), share)} for share in (0.2, 0.5))
    assert 700 < len(few) < 900 and 1900 < len(many) < 2100 and few < many


def test_a_repr_holds_no_text():
    assert "text" not in repr(Task("t", "qa", EXAMPLES)) + repr(EXAMPLES[0])
