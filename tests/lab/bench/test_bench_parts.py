from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from privstamp.decoding.exact import Exact
from privstamp.errors import InputError, MissingExtra
from privstamp.lab import bench as bench_run
from privstamp.lab.bench import FULL, searches
from privstamp.lab.bench import line as bench_line
from privstamp.lab.bench.line import LINES, documents, mechanisms, note
from privstamp.lab.bench.searches import (
    LEAST,
    Size,
    Synthetic,
    interleaved,
    once,
    peak_bytes,
    published,
    published_draw,
    some_rows,
)
from privstamp.lab.progress import NotReady
from privstamp.mechanisms._discrete import DiscreteMechanism
from privstamp.registry import MECHANISMS
from statistical import ALPHA, angle_cdf, fits
from toys import ToySpace


def test_the_published_way_finds_the_same_rows():
    space = Synthetic(300, 12)
    ids = some_rows(space, 20)
    centres = space.unit[ids].astype(np.float64)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    random = np.random.default_rng(0)
    noisy = np.array([published_draw(one, 20.0, random) for one in centres])
    expected = Exact(space).decode(noisy, np.zeros(20, np.uint8))
    assert published(centres, 20.0, space.unit) == expected.tolist()


def test_the_published_noise_is_of_the_same_law():
    random, centre = np.random.default_rng(1), np.eye(6)[2]
    cosine = np.array([published_draw(centre, 20.0, random)[2] for _ in range(400)])
    assert fits(np.arccos(cosine), angle_cdf(6, 20.0)) > ALPHA


def test_steps_are_taken_in_turn():
    taken: list[str] = []
    steps = {"a": lambda: taken.append("a"), "b": lambda: taken.append("b")}
    assert set(interleaved(steps, repeats=3, limit=60.0)) == {"a", "b"}
    assert taken == ["a", "b"] * 4  # once before the clock runs
    interleaved({"a": steps["a"]}, repeats=100, limit=0.0)
    assert len(taken) == 8 + 1 + LEAST
    interleaved({"a": steps["a"]}, repeats=1, limit=1.0, warm=True)
    assert len(taken) == 8 + 1 + LEAST + 1
    assert once(steps["a"]) >= 0.0


def test_memory_does_not_grow_with_the_units():
    peaks = peak_bytes(Synthetic(2000, 64), (512, 4096))
    assert peaks[4096] < 1.5 * peaks[512]


def test_texts_differ_and_are_as_long_as_said():
    texts = documents(120)
    assert len(set(texts)) == len(texts) == 120
    assert all(120 <= len(text.split()) <= 180 for text in texts)
    assert len(note().split()) == 180


def test_texts_have_many_different_words():
    words = " ".join(documents(FULL.texts)).lower().split()
    assert len(words) > 15_000
    assert len(set(words)) > 5_000


def test_every_discrete_mechanism_has_a_line_with_rules():
    found = ((entry.name, MECHANISMS.load(entry.name)) for entry in MECHANISMS.entries())
    names = {f"{name}, rules" for name, made in found if issubclass(made, DiscreteMechanism)}
    assert len(names) >= 7
    assert names <= set(LINES)
    assert all(LINES[name].mechanism.name == name.removesuffix(", rules") for name in names)


def test_the_first_pass_is_of_words_not_met_before(monkeypatch):
    passes: list[tuple[object, int]] = []

    def note_down(line, batch, stages):
        passes.append((line, len(batch)))

    monkeypatch.setattr(bench_line, "_all", note_down)
    seconds, line = bench_line._first(LINES["randomized-response, rules"], documents(3))
    assert [count for _, count in passes] == [1, 3] * LEAST
    assert len({id(one) for one, _ in passes}) == LEAST
    assert passes[-1][0] is line
    assert seconds >= 0.0


def test_every_mechanism_that_randomises_is_costed_once():
    chosen = [setting.mechanism for setting in mechanisms(())]
    assert len(chosen) == len(set(chosen)) >= 12 and "surrogate" not in chosen
    assert [setting.mechanism for setting in mechanisms(("polar",))] == ["polar"]


def test_a_mechanism_is_costed_at_each_number_of_units(monkeypatch):
    monkeypatch.setattr(bench_line, "open_space", lambda _part: ToySpace())
    (setting,) = mechanisms(("exponential",))
    cost = bench_line.measure_mechanism(setting, (4, 16), repeats=1, limit=0.1)
    assert cost.mechanism == "exponential" and cost.epsilon == setting.budgets[1]
    assert set(cost.microseconds) == {4, 16} and min(cost.microseconds.values()) > 0
    assert cost.make_seconds > 0 and cost.first_seconds > 0


def test_a_command_is_timed_on_a_note_under_the_policy_of_its_line(monkeypatch):
    seen = []

    def run(command, **_given):
        *_, note_file, _, policy = command
        seen.append((Path(note_file).read_text(), Path(policy).read_text()))

    monkeypatch.setattr(bench_line.subprocess, "run", run)
    assert bench_line.command_seconds("polar, NER", repeats=3) >= 0.0
    assert seen == [(note(), LINES["polar, NER"].to_toml())] * 3


@pytest.mark.parametrize("way", ["int8", "faiss flat"])
def test_a_way_whose_package_is_missing_says_so(monkeypatch, way):
    monkeypatch.setattr(searches, "find_spec", lambda _name: None)
    with pytest.raises(searches.Absent, match="is not installed"):
        searches.WAYS[way](searches.Case(Size(4, 50, 8)))


def test_scores_that_do_not_fit_are_not_tried(monkeypatch):
    monkeypatch.setattr(searches, "SPARE_BYTES", 4.0 * 4 * 50 - 1)
    with pytest.raises(searches.Absent, match="would not fit"):
        searches.WAYS["one-shot"](searches.Case(Size(4, 50, 8)))


def test_all_ways_at_hand_find_the_same_rows():
    case = searches.Case(Size(600, 400, 64))  # more units than a block
    expected = searches.WAYS["float32"](case)()
    brute = (case.noisy.astype(float) @ case.space.unit.T.astype(float)).argmax(axis=1)
    assert np.array_equal(expected, brute)
    for way in ("one-shot", "faiss flat", "int8"):
        with suppress(searches.Absent):
            assert np.array_equal(searches.WAYS[way](case)(), expected)


def test_noise_is_of_all_units_block_by_block():
    case = searches.Case(Size(1200, 50, 8))
    parts = [part for part, _ in case.blocks()]
    assert len(parts) > 1 and sum(len(range(*part.indices(1200))) for part in parts) == 1200
    again = np.concatenate([drawn.copy() for _, drawn in case.blocks()])
    assert np.array_equal(again, case.noisy)  # the same for every way


def test_what_is_missing_is_said_before_anything_is_measured(monkeypatch):
    def absent(*_):
        raise MissingExtra("lab", "measuring with intervals")

    def no_model(*_):
        raise InputError("there is no recogniser")

    monkeypatch.setattr(bench_run, "special", absent)
    monkeypatch.setattr(bench_run, "find_model", no_model)
    monkeypatch.setattr(bench_run, "open_space", lambda _part: None)
    monkeypatch.setattr(bench_run, "measure", lambda *_args, **_given: pytest.fail("measured"))
    with pytest.raises(NotReady, match="2 things are missing") as caught:
        bench_run.run(bench_run.QUICK)
    assert "no recogniser" in str(caught.value) and "privstamp[lab]" in str(caught.value)
