"""The sample of an audit and its releases: what is read, marked, cut and drawn."""

import json

import numpy as np
import pytest

from lab.audit.stand import TEXTS, stand
from line import make
from privstamp.budget import Budget
from privstamp.errors import InputError, StageFailed
from privstamp.lab.audit import canaries, subject
from privstamp.lab.audit.canaries import LINES, SentLetters, kinds_of, letters
from privstamp.lab.audit.subject import (
    Cell,
    SampleText,
    Subject,
    bounded,
    perturbed,
    promised,
    read,
    traced,
)
from privstamp.types import UNKNOWN, Finding


def test_marks_are_taken_out_and_remembered():
    source = "Dear [[Ann Lee|PERSON]], see [[Rome|LOCATION]]. Ann"
    text = subject._marked(source, "who?", "letter")
    assert text.text == "Dear Ann Lee, see Rome. Ann"
    assert [(text.text[mark.start : mark.end], mark.kind) for mark in text.marked] == [
        ("Ann Lee", "PERSON"), ("Rome", "LOCATION"),
    ]  # fmt: skip
    assert (text.task, text.label) == ("who?", "letter")
    bare = subject._marked("no marks [here] or |there|", "", "")
    assert bare.text == "no marks [here] or |there|" and bare.marked == ()


@pytest.mark.parametrize(
    ("length", "kept"), [(100, "one two\nthree four"), (9, "one two"), (8, "one two"), (2, "on")]
)
def test_a_text_is_cut_at_a_blank_or_a_line_end(length, kept):
    marks = tuple(Finding(start, start + 3, "P", 1.0, "s", "m") for start in (0, 8))
    cut = subject._cut(SampleText("one two\nthree four", "t", "l", marks), length)
    assert cut.text == kept and (cut.task, cut.label) == ("t", "l")
    assert all(mark.end <= len(kept) for mark in cut.marked)
    assert len(cut.marked) == (2 if length == 100 else 0 if length == 2 else 1)


def test_texts_are_taken_evenly_and_small_samples_as_they_are():
    few = [SampleText("w1 " * 20)] * 40
    assert bounded(few) is few
    many = [SampleText(f"w{n} " * 400) for n in range(200)]
    taken = bounded(many)
    numbers = [int(text.text.split()[0][1:]) for text in taken]
    assert numbers == list(range(0, 200, numbers[1])) and len(taken) <= 60


@pytest.mark.parametrize(
    ("spans", "length", "good"),
    [
        ([[0, 2, "P"]], 2, True), ([], 2, True), ([[0, 3, "P"]], 2, False),
        ([[1, 1, "P"]], 2, False),
        ([[-1, 1, "P"]], 2, False), ([[0, 1]], 2, False), ([[0, 1, 2]], 2, False),
        ([[0, True, "P"]], 2, False), ({"0": 1}, 2, False),
    ],
)  # fmt: skip
def test_spans_are_triples_within_the_text(spans, length, good):
    line = json.dumps({"text": "a" * length, "spans": spans})
    if good:
        (sample,) = read(line, "a.jsonl", None)
        assert [[mark.start, mark.end, mark.kind] for mark in sample.marked] == spans
    else:
        with pytest.raises(InputError, match="line 1 of the sample"):
            read(line, "a.jsonl", None)


def test_an_empty_sample_is_refused():
    with pytest.raises(InputError, match="at least one text"):
        Subject(None, [], seed=1)
    assert subject.read("  \n ", "a.txt", None) == []
    assert subject.read("\n\n", "a.jsonl", None) == []


def test_a_cell_is_group_class_and_epsilon(monkeypatch):
    budget = Budget.of([0.5, 1.0, 1.5, 2.0])
    here = stand(monkeypatch, budget=budget)
    counted = {}
    for result in here.first:
        trace = traced(result)
        for unit in range(len(trace.units)):
            row = int(trace.units.rows[unit])
            if row == UNKNOWN or not 0 < trace.epsilon[unit] < np.inf:
                assert not perturbed(trace)[unit]
                continue
            cell = Cell.of(trace, unit, here.parts.space)
            assert cell.epsilon == budget.epsilon[cell.group - 1]
            assert cell.number == row % 2  # of the toy space
            counted[cell] = counted.get(cell, 0) + 1
    assert dict(here.cells) == counted and len(counted) > 2
    assert sorted(counted) == sorted(counted, key=lambda c: (c.group, c.number, c.epsilon))


def test_releases_have_noise_of_their_own_and_are_made_once(monkeypatch):
    here = stand(monkeypatch, budget=Budget.uniform(1.0))
    first, second = here.releases(0), here.releases(1)
    assert here.releases(0) is first is here.first
    assert [result.text for result in first] != [result.text for result in second]
    again = stand(monkeypatch, budget=Budget.uniform(1.0))
    assert [result.text for result in again.first] == [result.text for result in first]


def test_keys_differ_by_purpose_and_seed(monkeypatch):
    here = stand(monkeypatch)
    assert len({here.key(purpose) for purpose in ("a", "b", "release 0", "release 1")}) == 4
    assert here.key("a") == here.key("a")
    other = Subject(here.policy, TEXTS, seed=2)
    assert other.key("a") != here.key("a")


def test_no_text_stands_in_what_is_printed_of_a_subject(monkeypatch):
    here = stand(monkeypatch)
    assert repr(here) == "Subject(3 texts)"
    assert "w41" not in repr(TEXTS[1]) and "w1" not in repr(here.first[0].trace)


def test_a_text_that_cannot_be_released_ends_the_audit(monkeypatch):
    line = make(monkeypatch, seed=1, budget=Budget.uniform(1.0))

    def refuse(*_):
        raise ValueError("w1")

    monkeypatch.setattr(line.parts.sensitivity, "find", refuse)
    monkeypatch.setattr(subject, "Privatizer", lambda *_args, **_more: line)
    with pytest.raises(StageFailed) as caught:
        _ = Subject(line.policy, [SampleText("w1 w2")], seed=1).first
    assert "w1" not in str(caught.value)


def test_only_traced_releases_are_audited(monkeypatch):
    line = make(monkeypatch, seed=1)
    with pytest.raises(ValueError, match="trace"):
        traced(line.privatize("w1"))


def test_what_a_rule_replaces_is_promised_nothing(monkeypatch):
    here = stand(monkeypatch, [SampleText("w1 12 w3 Zworgling")], budget=Budget.uniform(2.0))
    trace = traced(here.first[0])
    words = trace.units.surfaces()
    epsilon = dict(zip(words, promised(trace, here.policy).tolist(), strict=True))
    assert epsilon == {"w1": 2.0, "12": 0.0, "w3": 2.0, "Zworgling": 0.0}
    assert trace.epsilon.tolist() == promised(trace, here.policy).tolist()  # and so it is


def kinds():
    return {"w2": "PERSON", "w4": "URL"}


LETTER = canaries.Letter("from w2\nsee w4, w6", "", {"person": "w2", "mail": "w6"}, 0)


def test_the_units_of_a_thing_are_those_at_the_end_of_its_line(monkeypatch):
    here = stand(monkeypatch, [SampleText(LETTER.text)], kinds=kinds())
    (result,) = here.first
    standing = dict(canaries._standing(LETTER, traced(result)))
    units = traced(result).units
    inside = {
        name: [units.surface(unit) for unit in np.flatnonzero(flags).tolist()]
        for name, flags in standing.items()
    }
    assert inside == {"person": ["w2"], "mail": ["w6"]}
    assert kinds_of(LETTER, result) == {"person": ("PERSON",), "mail": ("",)}


def test_a_thing_is_hidden_if_nearly_all_letters_hide_it(monkeypatch):
    here = stand(
        monkeypatch, [SampleText(LETTER.text)], kinds=kinds(), budget=Budget.of([0, 0, 9, 9])
    )
    (result,) = here.first
    hidden = canaries._hidden((LETTER,) * 10, (result,) * 10, here.policy)
    assert hidden == {"person"}
    open_ = stand(
        monkeypatch, [SampleText(LETTER.text)], kinds={"w99": "URL"}, budget=Budget.of([0, 0, 9, 9])
    )
    seldom = (*[open_.first[0]] * 2, *[result] * 8)
    assert canaries._hidden((LETTER,) * 10, seldom, here.policy) == frozenset()
    once = (open_.first[0], *[result] * 9)
    assert canaries._hidden((LETTER,) * 10, once, here.policy) == {"person"}


def test_dice_are_the_same_for_the_same_key_and_fall_evenly():
    first, second = (canaries.Dice(bytes(32), 1, 5_000) for _ in range(2))
    thrown = [first.below(6) for _ in range(5_000)]
    assert thrown == [second.below(6) for _ in range(5_000)]
    assert np.bincount(thrown) == pytest.approx(5_000 / 6, rel=0.1)
    other = canaries.Dice(b"\1" * 32, 1, 5_000)
    assert thrown != [other.below(6) for _ in range(5_000)]
    with pytest.raises(StopIteration):
        first.below(6)


def test_words_of_canaries_can_be_said_and_nobody_has_them():
    dice = canaries.Dice.of("words")
    words = {dice.word() for _ in range(300)}
    assert len(words) > 280 and all(word.isalpha() and word.islower() for word in words)
    assert dice.digits("+1 000-0") != dice.digits("+1 000-0")
    assert all(sign == form or form == "0" for sign, form in
               zip(dice.digits("+1 000-0"), "+1 000-0", strict=True))  # fmt: skip
    assert all(part.istitle() for part in dice.name().split())


def test_letters_that_were_torn_are_counted_and_no_others(monkeypatch):
    some = letters(3)
    results = stand(monkeypatch, [SampleText(letter.text, letter.task) for letter in some]).first
    sent = SentLetters.of(some, tuple(results), tuple(results), stand(monkeypatch).policy)
    assert sent.torn == 0 and len(sent.letters) == 3 and set(sent.first[0]) == set(LINES)
    assert sent.alike["person"] == [0, 1, 2]
    pairs = list(sent.pairs(("person",)))
    assert len(pairs) == 6 and pairs[0][2] == sent.first[1]["person"]  # that of another letter
