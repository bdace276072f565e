import math
import multiprocessing
import os
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from line import SPACE, Budget, make
from privstamp import pipeline
from privstamp.errors import InputError, PrivstampError, StageFailed
from privstamp.mechanisms.polar import Polar
from privstamp.pipeline import Privatizer
from privstamp.release import document as batches
from privstamp.result import Failure, Result
from privstamp.text.invisible import visible
from privstamp.types import PASSING, Finding, Kind, Units

INF = math.inf
TEXT = "W1 w2, w3 (w4) Zworg w5; w2 w1 w6 zworg 123."
SECRET = b"0123456789abcdef"


@pytest.fixture
def line(monkeypatch):
    def build(**policy):
        return make(monkeypatch, **policy)

    return build


def test_spacing_punctuation_and_case_stay_and_words_change(line):
    result = line(seed=1, budget=Budget.uniform(0.01)).privatize(TEXT)
    skeleton = re.sub(r"[^\s,();.]+", "x", result.text)
    assert skeleton == re.sub(r"[^\s,();.]+", "x", TEXT)
    assert result.text != TEXT and result.text[0].isupper()


def test_a_huge_epsilon_keeps_what_may_leave_and_never_unknown_words(line):
    result = line(seed=1, budget=Budget.uniform(1e6)).privatize(TEXT)
    words = result.text.replace(".", "").split()
    assert words[0] == "W1" and words[1] == "w2,"
    assert "ork" not in result.text and "123" not in result.text


def test_infinity_releases_untouched_but_not_what_is_unknown(line):
    result = line(seed=1, budget=Budget.uniform(INF)).privatize(TEXT)
    assert result.text.startswith("W1 w2, w3 (w4) ")
    assert "ork" not in result.text.casefold() and "123" not in result.text
    counts = result.certificate.counts
    assert counts.unprotected == 8 and counts.unknown == 3 and counts.perturbed == 0
    assert result.certificate.loss.worst_case == INF
    assert "unprotected" in " ".join(result.certificate.notes)


def test_zero_replaces_independently_of_the_input(line):
    kinds = {"w1": "PERSON", "w7": "PERSON"}
    policy = {"kinds": kinds, "budget": Budget.of([0, 0, INF, INF])}
    privatizer = line(**policy)
    privatizer._randomness.__class__.key = lambda self, *parts: bytes(32)  # the same noise
    one = privatizer.privatize("w2 w1 w3").text
    two = privatizer.privatize("w2 w7 w3").text
    assert one == two


@pytest.fixture(autouse=True)
def _keys_restored():
    kept = pipeline.Randomness.key
    yield
    pipeline.Randomness.key = kept


def test_equal_unknown_words_get_equal_surrogates_and_case_is_put_back(line):
    words = line().privatize("Zworg zworg Zworg quux").text.split()
    assert len({word.casefold() for word in words[:3]}) == 1
    assert words[0].istitle() and words[1].islower()
    assert words[3].casefold() != words[0].casefold()


def test_sensitive_words_are_drawn_once_and_others_every_time(line):
    text = " ".join(["w1 w2"] * 40)
    words = line(kinds={"w1": "PERSON"}, budget=Budget.uniform(1.0)).privatize(text).text.split()
    assert len(set(words[::2])) == 1
    assert len(set(words[1::2])) > 1


def test_independent_draws_are_the_papers_rule(line):
    text = " ".join(["w1"] * 60)
    made = line(kinds={"w1": "PERSON"}, draws="independent", budget=Budget.uniform(1.0))
    result = made.privatize(text)
    assert len(set(result.text.split())) > 1
    assert result.certificate.loss.draws == 60


def test_loss_counts_draws_not_mentions(line):
    made = line(kinds={"w1": "PERSON"}, budget=Budget.uniform(3.0))
    loss = made.privatize("w1 w1 w1 w2 w2").certificate.loss
    assert loss.draws == 3
    assert loss.summed_epsilon == {"chordal": 9.0} and loss.worst_case == 18.0
    assert loss.mean_epsilon == {"chordal": 3.0}


def test_fresh_noise_differs_and_a_secret_repeats_only_the_same_release(line):
    fresh = line(budget=Budget.uniform(0.5))
    assert fresh.privatize(TEXT).text != fresh.privatize(TEXT).text
    kept = line(secret=SECRET, budget=Budget.uniform(0.5))
    again = line(secret=SECRET, budget=Budget.uniform(0.5))
    assert kept.privatize(TEXT, "w9").text == again.privatize(TEXT, "w9").text
    others = [
        kept.privatize(TEXT + " ", "w9").text.strip(),
        kept.privatize(TEXT, "w8").text,
        kept.privatize(TEXT).text,
        line(secret=SECRET[::-1], budget=Budget.uniform(0.5)).privatize(TEXT, "w9").text,
        line(secret=SECRET, budget=Budget.uniform(0.6)).privatize(TEXT, "w9").text,
    ]
    assert len({kept.privatize(TEXT, "w9").text, *others}) == 6


def test_seeded_noise_depends_on_the_content_not_on_the_place(line):
    made = line(seed=3, budget=Budget.uniform(0.5))
    texts = [f"w{n} w{n + 1} zworg" for n in range(30)]
    together = [r.text for r in made.privatize_many(texts)]
    apart = [made.privatize(text).text for text in texts]
    backwards = [r.text for r in made.privatize_many(texts[::-1])]
    assert together == apart == backwards[::-1]


def test_block_size_and_batches_do_not_change_a_release(line, monkeypatch):
    texts = [" ".join(f"w{(n * k) % 390}" for k in range(60)) for n in range(1, 20)]
    made = line(seed=3, budget=Budget.uniform(2.0))
    whole = [r.text for r in made.privatize_many(texts)]
    monkeypatch.setattr(batches, "BATCH_DOCUMENTS", 2)
    monkeypatch.setattr("privstamp.mechanisms.decoded.BLOCK", 7)
    assert [r.text for r in made.privatize_many(texts)] == whole


def test_threads_give_the_same_and_forks_do_not_share_noise(line):
    made = line(seed=3, budget=Budget.uniform(0.5))
    expected = made.privatize(TEXT).text
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: made.privatize(TEXT).text, range(16))) == {expected}
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    fresh = line(budget=Budget.uniform(0.01))
    long = " ".join(f"w{n}" for n in range(50))
    read, write = multiprocessing.Pipe(duplex=False)
    pid = os.fork()
    if pid == 0:
        write.send(fresh.privatize(long).text)
        os._exit(0)
    mine = fresh.privatize(long).text
    theirs = read.recv()
    os.waitpid(pid, 0)
    assert mine != theirs


def test_many_keeps_order_and_reports_a_failure_in_its_place(line):
    made = line()
    results = list(made.privatize_many(["w1", 5, "w2", "\ud800", "w3"]))
    assert [r.ok for r in results] == [True, False, True, False, True]
    assert isinstance(results[1], Failure) and results[1].index == 1
    assert isinstance(results[1].error, InputError) and "int" in str(results[1].error)
    assert "surrogate at character 0" in str(results[3].error)
    assert isinstance(results[4], Result)


def test_many_is_lazy(line, monkeypatch):
    monkeypatch.setattr(batches, "BATCH_DOCUMENTS", 4)
    taken = []

    def endless():
        n = 0
        while True:
            taken.append(n)
            yield "w1"
            n += 1

    stream = line().privatize_many(endless(), "w2")
    assert next(stream).ok and len(taken) == 4


def test_missing_tasks_are_an_error_after_what_could_be_done(line):
    stream = line().privatize_many(["w1", "w2"], ["w3"])
    assert next(stream).ok
    with pytest.raises(InputError, match="text 1 has none"):
        next(stream)


@pytest.mark.parametrize(
    ("stage", "broken"),
    [
        ("splitting", "parts.space.split"),
        ("sensitivity", "parts.sensitivity.find"),
        ("importance", "parts.importance.score"),
        ("mechanism", "parts.mechanisms.1.privatize"),
        ("release", "parts.space.render"),
        ("release", "parts.replacements.1.draw"),
    ],
)
def test_when_a_stage_breaks_nothing_leaves_and_the_error_holds_no_text(
    line, monkeypatch, stage, broken
):
    made = line()
    owner, _, name = broken.rpartition(".")
    target = made
    for step in owner.split("."):
        target = target[int(step)] if step.isdigit() else getattr(target, step)

    def explode(*args, **kwargs):
        raise RuntimeError(f"could not handle {TEXT}")

    monkeypatch.setattr(target, name, explode, raising=False)
    with pytest.raises(StageFailed, match=stage) as caught:
        made.privatize(TEXT)
    error = caught.value
    assert "Zworg" not in str(error)
    assert error.__context__ is None and error.__cause__ is None
    results = list(made.privatize_many([TEXT, TEXT]))
    assert all(isinstance(r, Failure) and isinstance(r.error, PrivstampError) for r in results)


def test_one_broken_document_does_not_stop_the_others(line, monkeypatch):
    made = line()
    find = made.parts.sensitivity.find

    def picky(batch):
        if any("w13" in units.text for units in batch):
            raise RuntimeError("w13")
        return find(batch)

    monkeypatch.setattr(made.parts.sensitivity, "find", picky)
    results = list(made.privatize_many(["w1", "w13", "w2"]))
    assert [r.ok for r in results] == [True, False, True]


def test_a_space_that_leaks_between_units_is_refused(line, monkeypatch):
    made = line()
    split = made.parts.space.split
    monkeypatch.setattr(made.parts.space, "split", lambda text: _without_last(split(text)))
    with pytest.raises(StageFailed):
        made.privatize("w1 w2")


def _without_last(units):
    names = ("starts", "ends", "rows", "kinds", "labels")
    return type(units)(units.text, *(getattr(units, name)[:-1] for name in names))


class Leaky(Polar):
    """Lets a row out that may not leave."""

    def privatize(self, ids, epsilon, noise):
        inside = set(np.concatenate(SPACE.outputs).tolist())
        return np.full_like(ids, next(r for r in range(400) if r not in inside))


def test_a_mechanism_that_lets_out_a_forbidden_row_is_refused(line):
    with pytest.raises(StageFailed, match="mechanism"):
        line(mechanism=Leaky).privatize("w1 w2")


def test_the_task_gets_the_same_surrogates(line):
    made = line(kinds={"Zworg": "PERSON"})
    result = made.privatize("Zworg w1 w2", "w9 Zworg w1?")
    surrogate = result.text.split()[0]
    assert result.task == f"w9 {surrogate} w1?"
    assert result.restore(f"Yes, {surrogate}'s") == "Yes, Zworg's"
    assert made.privatize("w1").task is None


def test_a_private_task_is_privatised_with_the_text(line):
    made = line(seed=2, kinds={"Zworg": "PERSON"}, budget=Budget.uniform(0.01))
    result = made.privatize("Zworg w1 w2", "Is Zworg w3 w4?", private_task=True)
    assert "ork" not in result.text + (result.task or "")
    surrogate = result.text.split()[0]
    assert surrogate in (result.task or "") and (result.task or "").endswith("?")
    assert not {"w3", "w4", "Is"} & set((result.task or "").rstrip("?").split())
    assert result.certificate.task == "private" and result.certificate.threshold is None
    assert result.certificate.map == "contextual"
    assert result.certificate.counts.units == 7


def test_restoring_puts_back_once_drawn_names_when_they_are_unambiguous(line):
    made = line(seed=5, kinds={"W1": "PERSON"}, budget=Budget.of([0.5, 0.5, 1e6, 1e6]))
    result = made.privatize("W1 says w2")
    sent = result.text.split()[0]
    assert sent != "W1" and result.restore(f"{sent} knows") == "W1 knows"
    assert result.restore("w2 knows") == "w2 knows"


def test_a_surrogate_that_also_stands_for_itself_is_not_put_back(line):
    made = line(kinds={"W1": "PERSON"}, budget=Budget.of([2, 2, INF, INF]))
    others = " ".join(f"w{row}" for row in range(2, len(SPACE.unit)))  # all that may be drawn
    result = made.privatize(f"W1 {others}")
    sent = result.text.split()[0]
    assert result.restore(sent) == sent


def test_a_public_task_does_not_tell_whom_the_text_mentions(line):
    """Every entity of the task is replaced, whether or not the text holds it."""
    made = line(seed=2, kinds={"W1": "PERSON", "W3": "PERSON"}, budget=Budget.uniform(0.5))
    result = made.privatize("w5 W1 w8 w6", "w10 W1, W3 w11 Zworg? w12 5 w7.")
    before, first, third, then, unknown, *after = result.task.split()
    assert (before, then, after) == ("w10", "w11", ["w12", "5", "w7."])
    assert first == result.text.split()[1] + ","
    assert third != "W3" and unknown != "Zworg?"
    assert "whoever knows the original task" in " ".join(result.certificate.notes)
    assert result.certificate.counts.units == 4


def test_a_name_of_the_text_is_the_same_name_in_the_task(line, monkeypatch):
    """Also where the task alone would not tell that it is one."""
    made = line(seed=2, kinds={"W1 W2": "PERSON"}, budget=Budget.of([0, 0, 9, INF]))

    def across(self, first, second):
        at = second[0].text.index("W2")
        return first[1], [*second[1], Finding(at, at + 2, "PERSON", 1.0, "t", "t")]

    assert made.privatize("W1 W2 w8", "w10 W2?").task == "w10 W2?"
    monkeypatch.setattr(type(made.parts.sensitivity), "across", across, raising=False)
    result = made.privatize("W1 W2 w8", "w10 W2?")
    assert result.task == f"w10 {result.text.split()[1]}?"


def test_a_public_task_without_entities_stays_as_it_is(line):
    task = "w1 1-5: w2 w3?"
    result = line(kinds={"Zworg": "PERSON"}).privatize("Zworg w1", task)
    assert result.task == task and result.certificate.notes == []


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("style", ["surrogate", "placeholder"])
@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("w1 2023", "2024 w2?"),
        ("w1 Zworg", "Plugh w2"),
        ("", "2024"),
        ("2023", ""),
        ("2023", "2024"),
    ],
)
def test_text_and_task_never_touch(line, text, task, private, style):
    """A number at the end of one and at the start of the other are two numbers."""
    made = line(seed=1, kinds={"2023": "ID", "2024": "ID"}, style=style)
    result = made.privatize(text, task, private_task=private)
    assert not re.search("202[34]|Zworg|Plugh", result.text + " " + (result.task or ""))
    if style == "surrogate" and "2023" in text:
        assert len(result.text.split()[-1]) == 4
    passed = [c for c in text + (task if private else "") if c in PASSING]
    assert result.certificate.counts.characters_passed == len(passed)


def test_a_private_task_gets_no_larger_budget_than_the_text(line):
    made = line(seed=1, kinds={"W1": "PERSON"}, budget=Budget.of([0.1, 0.1, 1e6, 0.1]))
    result = made.privatize("W1 w2", "W1 w9", private_task=True)
    assert result.task.split()[0] == result.text.split()[0] != "W1"


def test_pieces_are_shared_only_as_parts_of_a_repeated_entity(line, monkeypatch):
    kinds = {"w1w2": "PERSON", "w2w1": "PERSON"}
    made = line(seed=4, kinds=kinds, budget=Budget.uniform(0.5))

    def pieces(text):
        found = list(re.finditer(r"w\d", text))
        return Units(
            text,
            np.array([match.start() for match in found]),
            np.array([match.end() for match in found]),
            np.array([int(match.group()[1:]) for match in found], dtype=np.int32),
            np.full(len(found), Kind.PIECE, dtype=np.uint8),
            np.zeros(len(found), dtype=np.uint8),
        )

    monkeypatch.setattr(made.parts.space, "split", pieces)
    rows = made.privatize("w1w2 w2w1 w1w2", trace=True).trace.rows.tolist()
    assert rows[0:2] == rows[4:6]
    assert rows[0:2] != rows[3:1:-1]  # the same pieces in another entity are drawn anew


def test_the_smallest_epsilon_of_a_word_holds_for_all_its_mentions(line):
    away = int((SPACE.unit @ SPACE.unit[9]).argmin())  # nothing to do with the task
    kinds = {f"W{away} w9": "PERSON", f"W{away}": "PERSON"}
    made = line(kinds=kinds, budget=Budget.of([5, 1, 9, 9]), keep=["w9"])
    trace = made.privatize(f"W{away} w9 w3 W{away}", "w9", trace=True).trace
    groups, epsilon = trace.grouping.groups, trace.epsilon
    assert groups[0] == 1 and groups[3] == 2 and epsilon[0] == epsilon[3] == 1


def test_errors_of_careless_parts_lose_their_past(line, monkeypatch):
    made = line()

    def careless(batch):
        try:
            raise ValueError(TEXT)
        except ValueError:
            raise InputError("no") from None

    monkeypatch.setattr(made.parts.sensitivity, "find", careless)
    with pytest.raises(InputError) as caught:
        made.privatize(TEXT)
    assert caught.value.__context__ is None and caught.value.__cause__ is None

    def worse(batch):
        raise PrivstampError(TEXT)

    monkeypatch.setattr(made.parts.sensitivity, "find", worse)
    with pytest.raises(StageFailed) as caught:
        made.privatize(TEXT)
    assert "Zworg" not in str(caught.value)


def test_more_tasks_than_texts_are_an_error_after_what_could_be_done(line):
    stream = line().privatize_many(["w1"], ["w3", "w4"])
    assert next(stream).ok
    with pytest.raises(InputError, match="more tasks"):
        next(stream)


@pytest.mark.parametrize("wrong", [{"budget": 15}, {"policy": {}}, {"seed": "x"}, {"secret": b"s"}])
def test_wrong_arguments_are_errors_of_our_tree(wrong):
    with pytest.raises(PrivstampError):
        Privatizer(**wrong)


def test_one_string_is_not_many_texts(line):
    with pytest.raises(InputError, match="not a list of texts"):
        list(line().privatize_many("w1 w2"))


def test_whole_spans_become_one_surrogate_and_names_go_by_word(line):
    kinds = {"w1 w2": "URL", "w3 w4": "PERSON"}
    made = line(kinds=kinds, budget=Budget.of([0, 0, INF, INF]))
    result = made.privatize("w9 w1 w2 w9 w3 w4 w9 w4")
    head, place_and_more = result.text.split("w9", 2)[1:]
    assert head.strip() and "w1" not in result.text and "w2" not in result.text
    given_family, alone = place_and_more.split("w9")
    assert len(given_family.split()) == 2
    assert result.certificate.counts.replaced_by_rule == 2  # an address is no word
    assert result.certificate.counts.replaced == 2
    assert alone.split() == ["w4"]  # the second mention was not found: released, as budgeted


def test_placeholders_are_typed_numbered_and_safe_against_the_inputs_own(line):
    kinds = {"w1": "PERSON", "w2": "PERSON"}
    made = line(kinds=kinds, style="placeholder", budget=Budget.of([0, 0, INF, INF]))
    result = made.privatize("w1 w2 w1 w5 zworg")
    assert result.text == "[PERSON_1] [PERSON_2] [PERSON_1] w5 [MASK]"
    assert result.restore("[PERSON_2] and [PERSON_10]") == "w2 and [PERSON_10]"


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), st.booleans())
def test_any_text_is_released_whole_or_not_at_all(line, text, open_budget):
    made = line(budget=Budget.uniform(INF) if open_budget else Budget.stamp(15))
    result = made.privatize(text)
    counts = result.certificate.counts
    each = counts.model_dump(exclude={"units", "characters_passed", "characters_removed"})
    assert sum(each.values()) == counts.units
    assert counts.characters_removed == len(visible(text).edits)
    assert counts.units == sum(group.units for group in result.certificate.groups)
    passed = [c for c in visible(text).text if c in PASSING]
    kept = iter(result.text)
    assert all(c in kept for c in passed)


def test_a_privatizer_takes_a_policy_file(tmp_path):
    from privstamp.errors import PolicyError

    with pytest.raises(PolicyError, match="no such file"):
        Privatizer(tmp_path / "none.toml")


def test_reprs_show_no_text(line):
    result = line().privatize("Zworg w1", trace=True)
    shown = repr(result) + repr(result.trace) + repr(result.map) + repr(result.trace.units)
    assert "ork" not in shown


def test_the_trace_is_made_on_request_only(line):
    made = line(kinds={"w1": "PERSON"})
    assert made.privatize("w1").trace is None
    trace = made.privatize("w1 zworg w2", trace=True).trace
    assert len(trace.surfaces) == len(trace.units) == 3
    assert trace.epsilon[1] == 0 and trace.grouping.groups[0] in (1, 2)


def test_other_randomness_on_the_same_parts(line):
    first = line(seed=1, budget=Budget.uniform(1.0))
    second = first.with_noise(seed=2)
    assert second.parts is first.parts
    assert first.privatize(TEXT).text != second.privatize(TEXT).text
    assert second.privatize(TEXT).text == first.with_noise(seed=2).privatize(TEXT).text
    assert second.with_noise(secret=SECRET).privatize(TEXT).certificate.randomness == "secret"
