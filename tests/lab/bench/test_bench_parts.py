from __future__ import annotations

import numpy as np

from privstamp.decoding.exact import Exact
from privstamp.lab.bench import line as bench_line
from privstamp.lab.bench.line import LINES
from privstamp.lab.bench.memory import peak_bytes
from privstamp.lab.bench.published import published, published_draw
from privstamp.lab.bench.run import FULL
from privstamp.lab.bench.synthetic import Synthetic, some_rows
from privstamp.lab.bench.texts import documents, note
from privstamp.lab.bench.timing import LEAST, interleaved, once
from privstamp.mechanisms._discrete import Discrete
from privstamp.registry import MECHANISMS
from statistical import ALPHA, angle_cdf, fits


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
    names = {f"{name}, rules" for name, made in found if issubclass(made, Discrete)}
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
