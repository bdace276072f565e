"""Attacks on repeated and edited releases, on misses and on whole texts, counted by hand; and an
audit that is killed goes on where it was."""

import math
import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from lab.audit.stand import TEXTS, quiet, stand
from privstamp.budget import Budget
from privstamp.lab.attackers import Candidates
from privstamp.lab.audit import labels, laws, leakage, repeats
from privstamp.lab.audit.laws import Draws
from privstamp.lab.audit.recovery import Guesser, entities, recovery, targets
from privstamp.lab.audit.repeats import DrawnWord, Likeness, _edited, fresh, recovered
from privstamp.lab.audit.subject import Cell, SampleText, traced
from privstamp.lab.audit.verdict import information
from privstamp.lab.journal import Journal
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.randomized_response import RandomizedResponse
from privstamp.types import Finding
from toys import ToySpace


def exponential(space, **_):
    return Exponential(space)


def test_averaging_is_bayes_rule_over_all_releases(monkeypatch):
    """By brute force: log frequency and the log law of each output, summed."""
    budget = Budget.uniform(8.0)
    subject = stand(monkeypatch, TEXTS[:1], budget=budget, mechanism=exponential)
    (target, *_) = targets(subject)
    words = Candidates(subject.parts.space, target.cell.number)
    mechanism = subject.parts.mechanisms[target.cell.group]
    channel = mechanism.channel(words.ids, np.full(len(words), 8.0))[:, words.ids]
    releases = [subject.releases(number) for number in range(repeats.REPEATS[-1])]
    total, wanted = np.log(words.unigram), []
    for count, release in enumerate(releases, 1):
        seen = words.place(int(traced(release[0]).rows[target.index]))
        total = total + np.log(channel[:, seen])
        if count in repeats.REPEATS:
            wanted.append(words.place(target.row) == int(total.argmax()))
    assert repeats._right(Guesser(subject.parts), target, releases) == wanted


def test_the_output_seen_most_often_is_the_guess(monkeypatch):
    subject = stand(monkeypatch, [SampleText("w4 w6")])
    trace = traced(subject.first[0])

    def release(*rows):
        return SimpleNamespace(trace=replace(trace, rows=np.array(rows, dtype=np.int32)))

    own = trace.units.rows.tolist()
    versions = [[release(own[0], 9)], [release(own[0], own[1])], [release(9, own[1])]]
    assert repeats._hits(versions).tolist() == [1.0, 1.0]
    assert repeats._hits(versions[:1]).tolist() == [1.0, 0.0]
    assert repeats._gain(versions).value == 0.5


def test_an_edited_text_that_meets_the_same_noise_is_all_alike(monkeypatch):
    subject = stand(monkeypatch, TEXTS[:1], budget=Budget.uniform(1.0))
    line = subject.privatizer.with_noise(secret=b"s" * 32)
    (before,), (edited,) = (repeats._release(subject, line, edit) for edit in ("", repeats.EDIT))
    assert len(edited.units) >= len(before.units)
    alike = repeats._alike([before], [edited])
    assert len(alike) > 0 and not all(alike)
    shorter = replace(edited, units=traced(stand(monkeypatch, [SampleText("w1")]).first[0]).units)
    assert repeats._alike([before], [shorter]) == []  # laid side by side, it does not fit


def test_draws_of_sessions_are_pooled_by_word(monkeypatch):
    """Three draws of one word are one guess, by the sum of what each says."""
    space = ToySpace(rows=40, dimensions=4, classes=("a",))
    response = RandomizedResponse(space)
    parts = SimpleNamespace(space=space, mechanisms=dict.fromkeys((1, 2, 3, 4), response))
    cell = Cell(3, 0, 2.0)
    words = Candidates(space, 0)
    rare, often = int(words.ids[30]), int(words.ids[0])
    seen = {0: [DrawnWord(0, rare, cell, row, n) for n, row in enumerate((rare, rare, rare))],
            1: [DrawnWord(1, rare, cell, often, 0)],
            2: [DrawnWord(2, often, cell, often, 0)]}  # fmt: skip
    assert recovered(Guesser(parts), seen) == [True, False, True]


def test_fresh_releases_are_read_word_by_word(monkeypatch):
    subject = stand(monkeypatch, [SampleText("w4 Zworg w6")], budget=Budget.uniform(1.0))
    releases = [subject.releases(number)[0] for number in range(3)]
    words = fresh(releases, subject.parts)
    assert list(words) == [0, 2]  # the unknown word met no mechanism
    for unit, seen in words.items():
        assert [word.address for word in seen] == [0, 1, 2]
        assert [word.seen for word in seen] == [int(traced(r).rows[unit]) for r in releases]
        assert {word.cell for word in seen} == {Cell(seen[0].cell.group, 0, 1.0)}


def test_an_edit_changes_one_word_into_another_of_its_class(monkeypatch):
    subject = stand(monkeypatch, [SampleText("w4 W6 w8")])
    base = SimpleNamespace(units=traced(subject.first[0]).units, text="w4 W6 w8")
    dice = SimpleNamespace(randrange=lambda count: count - 1)
    edited = _edited(base, 1, subject.parts, dice)
    (other,) = subject.parts.space.words(subject.parts.space.outputs[0][-1:])
    assert edited == f"w4 {other.capitalize()} w8"


def test_likeness_counts_pairs():
    like, cell = Likeness(), Cell(3, 0, 1.0)
    for before, after in ((1, 1), (1, 2), (3, 3)):
        like.add(DrawnWord(0, 0, cell, before, 0), DrawnWord(0, 0, cell, after, 0))
    assert (like.alike, like.of) == (2, 3)


def test_entities_are_mentions_taken_together(monkeypatch):
    text = SampleText("w4 w6 w9 w4 w6", None, None,
                tuple(Finding(at, at + 5, "P", 1.0, "s", "m") for at in (0, 9)))  # fmt: skip
    (thing,) = entities(stand(monkeypatch, [text]))
    assert thing.whole and [len(mentions) for mentions in thing.words] == [2, 2]
    assert [mention.index for mention in thing.words[0]] == [0, 3]
    torn = SampleText("w4 Zworg", None, None, (Finding(0, 7, "P", 1.0, "s", "m"),))
    (part,) = entities(stand(monkeypatch, [torn]))
    assert not part.whole and len(part.words) == 1  # the unknown word cannot be guessed


def test_what_leaves_as_it_is_is_recovered_and_what_is_replaced_is_on_the_floor(monkeypatch):
    marked = [SampleText("w2 w4", None, None, (Finding(0, 2, "P", 1.0, "s", "m"),))]
    open_ = recovery(stand(monkeypatch, marked, budget=Budget.of([math.inf] * 4)), quiet)
    assert open_.figures["entities_recovered"].value == 1.0
    gone = recovery(stand(monkeypatch, marked, budget=Budget.uniform(0.0)), quiet)
    assert gone.figures["entities_recovered"].value == gone.figures["entities_floor"].value
    assert gone.figures["recovered_unigram"].value is None and gone.rows == []


def test_a_rare_word_names_its_text_only_where_no_other_has_it(monkeypatch):
    subject = stand(
        monkeypatch, [SampleText("w4"), SampleText("w6")], budget=Budget.of([math.inf] * 4)
    )
    units = traced(subject.first[0]).units

    def release(*surfaces):
        return SimpleNamespace(trace=SimpleNamespace(
            units=SimpleNamespace(surfaces=lambda: list(surfaces)), surfaces=list(surfaces)
        ))  # fmt: skip

    both = [release("marsupial", "house"), release("marsupial", "ocelotine")]
    assert leakage._singled_out(subject, both).value == 0.5  # ocelotine is of one text alone
    same = [release("marsupial"), release("Marsupial")]
    assert leakage._singled_out(subject, same).value == 0.0
    assert leakage._singled_out(subject, [release("xyz"), release("house")]).value == 0.0
    assert len(units) == 1


def test_mutual_information_of_labels_is_that_of_a_coin():
    words, coins = [1, 1, 2, 2, 3, 3], [0, 0, 1, 1, 0, 0]
    share = 1 / 3  # of the words under label 1
    entropy = -share * math.log(share) - (1 - share) * math.log(1 - share)
    assert information(words, coins) == pytest.approx(entropy)  # labels follow the word
    assert information(words, words) == pytest.approx(math.log(3))
    assert information(words, [0] * 6) == 0.0 and information([], []) == 0.0
    assert information(coins, words) == pytest.approx(information(words, coins))


def test_bits_of_a_group_are_those_of_its_frequency(monkeypatch):
    """w2 alone is sensitive: what its label tells of the word is the entropy of the label."""
    text = SampleText("w2 w4 w6 w8")
    figures = labels.labels(stand(monkeypatch, [text]), quiet).figures
    groups = traced(stand(monkeypatch, [text]).first[0]).grouping.groups.tolist()
    shares = [groups.count(group) / 4 for group in set(groups)]
    wanted = -sum(share * math.log2(share) for share in shares)
    assert figures["bits_of_group"].value == pytest.approx(wanted)
    assert figures["bits_of_class"].value == 0.0  # all of one class


def test_a_texts_length_tells_it_from_others_of_another_length(monkeypatch):
    texts = [SampleText("w4 w6"), SampleText("w6 w8"), SampleText("w4 w6 w8")]
    figures = labels.labels(stand(monkeypatch, texts), quiet).figures
    assert figures["length_alone"].value == pytest.approx(1 / 3)


def draws(seen, rows, epsilon=1.0):
    count = len(rows)
    return Draws(np.arange(count), np.array(rows, dtype=np.int32), np.full(count, 3, np.int8),
                 np.full(count, epsilon), np.array(seen, dtype=np.int32), 0)  # fmt: skip


def test_a_law_that_tells_more_than_it_claims_breaks_the_promise():
    space = ToySpace(rows=40, dimensions=4, classes=("a",))
    parts = SimpleNamespace(space=space)
    rows = space.outputs[0][:4].tolist()

    class Louder(RandomizedResponse):
        def channel(self, ids, epsilon):
            return super().channel(ids, 1.5 * epsilon)

    (sound,) = laws._claimed(draws([rows], rows), RandomizedResponse(space), parts)
    (wrong,) = laws._claimed(draws([rows], rows), Louder(space), parts)
    assert sound.kept and sound.found == pytest.approx(1.0, rel=1e-4)
    assert not wrong.kept and wrong.found == pytest.approx(1.5, rel=1e-3)


def test_equal_draws_of_a_word_are_counted_in_a_text_and_between_texts():
    dice = np.random.default_rng(6)
    policy = SimpleNamespace(draws="independent")
    even = dice.integers(0, 4, (400, 6))
    rows = [0, 1, 0, 1, 2, 3]
    between, inside = laws._collisions(draws(even, rows), policy, lambda _: 0.25)
    assert between.kept and inside.kept
    assert between.trials == 200 * 6 and inside.trials == 400 * 2
    tied = even.copy()
    tied[1::2] = tied[::2]  # every second release is the one before it
    between, _ = laws._collisions(draws(tied, rows), policy, lambda _: 0.25)
    assert not between.kept and between.found == 1.0
    twice = even.copy()
    twice[:, 2], twice[:, 3] = twice[:, 0], twice[:, 1]
    _, inside = laws._collisions(draws(twice, rows), policy, lambda _: 0.25)
    assert not inside.kept


def test_units_are_taken_with_all_that_belongs_to_them():
    some = draws([[5, 6, 7], [5, 9, 7]], [5, 6, 7]).take(np.array([True, False, True]))
    assert some.rows.tolist() == [5, 7] and some.seen.tolist() == [[5, 7], [5, 7]]
    assert some.kept == 4 and len(some.epsilon) == len(some.groups) == len(some.places) == 2


KILLED = """
    import os, signal, sys
    from pathlib import Path
    sys.path[:0] = {path!r}
    import pytest
    from lab.audit.stand import stand
    from privstamp.lab.audit import run
    def killed(_subject, told):
        told(0.5)
        os.kill(os.getpid(), signal.SIGKILL)
    quick = {{name: run.CHECKS[name] for name in ("recovery", "attributes")}}
    run.CHECKS = {{**quick, "leakage": killed, "labels": run.CHECKS["labels"]}}
    run.audit(stand(pytest.MonkeyPatch()), state=Path({state!r}))
"""


@pytest.mark.skipif(os.name == "nt", reason="kills by signal")
def test_a_killed_audit_goes_on_and_comes_to_the_same_end(monkeypatch, tmp_path):
    from privstamp.lab.audit import run

    state = tmp_path / "state"
    program = textwrap.dedent(KILLED.format(path=sys.path, state=str(state)))
    ended = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    with Journal.reading(state) as journal:
        assert [entry.key for entry in journal.entries("section")] == ["recovery", "attributes"]
    names = ("recovery", "attributes", "leakage")
    checks = {name: run.CHECKS[name] for name in names}
    monkeypatch.setattr(run, "CHECKS", checks)
    unbroken = run.audit(stand(monkeypatch))

    def done_already(*_):
        pytest.fail("measured again")

    again = {**dict.fromkeys(names, done_already), "leakage": checks["leakage"]}
    monkeypatch.setattr(run, "CHECKS", again)
    assert run.audit(stand(monkeypatch), state=state).as_json() == unbroken.as_json()
