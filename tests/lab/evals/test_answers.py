"""A stand-in model is asked; what it says is restored and scored, and kept nowhere."""

import numpy as np
import pytest

from privstamp.lab.evals.answers import UNAIDED, Answers, Similarity, question, unaided
from privstamp.lab.evals.contracts import Example, Release
from privstamp.types import Reply


class Model:
    name = "stand-in"
    fingerprint = "f"

    def __init__(self, *said):
        self.said = list(said)
        self.asked = []

    def complete(self, prompts, *, temperature, max_tokens):
        self.asked.append((list(prompts), temperature, max_tokens))
        return [Reply(text, 1, 1) for text in self.said[: len(prompts)]]


def example(number, *answers):
    return Example(str(number), "c", "Ada Quorl cut reeds.", "Who cut reeds?", answers)


def release(text="Ada Quorl cut reeds.", **more):
    return Release(text, "Who cut reeds?", **more)


def test_answers_are_scored_against_the_best_gold_answer():
    model = Model(" Ada Quorl.\nShe is a cutter.", "the quorl", "", "\n\nreeds")
    gold = [example(n, "Quorl", "Ada Quorl") for n in range(4)]
    found = Answers(model).read(gold, [release()] * 4)
    assert found == [
        {"em": 1.0, "f1": 1.0},
        {"em": 1.0, "f1": 1.0},
        {"em": 0.0, "f1": 0.0},
        {"em": 0.0, "f1": 0.0},
    ]


def test_all_prompts_go_at_once_with_text_first_and_question_last():
    model = Model("x", "y")
    Answers(model, max_tokens=5).read([example(1), example(2)], [release(), release("Other.")])
    [(prompts, temperature, max_tokens)] = model.asked
    assert (temperature, max_tokens) == (0.2, 5)
    assert prompts == [
        question("Ada Quorl cut reeds.", "Who cut reeds?"),
        question("Other.", "Who cut reeds?"),
    ]
    assert prompts[0].text.index("Ada Quorl") < prompts[0].text.index("Who cut")


def test_an_empty_release_is_a_question_without_a_text():
    model = Model("x")
    Answers(model).read([example(1)], [release(" ")])
    [([prompt], _, _)] = model.asked
    assert prompt == unaided("Who cut reeds?") and prompt.system == UNAIDED
    assert "Text" not in prompt.text


def test_restoring_happens_before_scoring():
    model = Model("Bo Tarn.", "Bo Tarn.")
    found = Answers(model).read(
        [example(1, "Ada Quorl")] * 2,
        [release(restore=lambda said: said.replace("Bo Tarn", "Ada Quorl")), release()],
    )
    assert [one["f1"] for one in found] == [1, 0]


class Lengths:
    fingerprint = "lengths"

    def sentence(self, text):
        angle = len(text) / 10
        return np.array([np.cos(angle), np.sin(angle)], dtype=np.float32)


def test_cosine_is_there_when_an_encoder_is():
    [found] = Answers(Model("Bo"), Similarity(Lengths())).read(
        [example(1, "Ada", "Al")], [release()]
    )
    assert found["cosine"] == pytest.approx(1) and found["f1"] == 0


def test_fingerprint_depends_on_model_settings_and_scores():
    model = Model()
    known = Answers(model).fingerprint
    assert known == Answers(model).fingerprint and Answers(model).name == "stand-in"
    others = [
        Answers(model, max_tokens=4),
        Answers(model, temperature=0.0),
        Answers(model, Similarity(Lengths())),
    ]
    model.fingerprint = "g"
    others.append(Answers(model))
    assert len({known, *(one.fingerprint for one in others)}) == 5
