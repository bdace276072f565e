"""A language model as attacker: it sees the release alone, and uses both sides of a gap."""

from types import SimpleNamespace

import numpy as np
import pytest

from lab.audit.stand import quiet, stand
from privstamp.budget import Budget
from privstamp.errors import AssetError, MissingExtra
from privstamp.lab.audit import context as context_module
from privstamp.lab.audit.context import ENTITIES, NAMES, Gap, attacked, context
from privstamp.lab.audit.recovery import View
from privstamp.lab.audit.subject import SampleText, traced
from privstamp.mechanisms.fluency import Spellings
from privstamp.policy import Policy
from privstamp.spaces.splitter import Plain
from privstamp.types import Finding
from toy_lm import ToyLM
from toys import ToySpace

SPACE = ToySpace(12, 3, ("a",))
TEXTS = [
    SampleText("w1 w2 w3 w4 w5 w6", None, None, (Finding(3, 5, "P", 1, "s", "m"),)),
    SampleText("w7 w8 w10 w0 w2 w3", None, None, (Finding(12, 14, "P", 1, "s", "m"),)),
]


class Watched(ToyLM):
    """Keeps what it was shown."""

    def __init__(self):
        super().__init__(seed=4)
        self.seen = []

    def next_logprobs(self, prefix, continuation=()):
        self.seen.append(prefix)
        return super().next_logprobs(prefix, continuation)


def subject_of(monkeypatch, epsilon, **more):
    return stand(monkeypatch, TEXTS, space=SPACE, budget=Budget.uniform(epsilon), **more)


def test_the_model_sees_released_text_only(monkeypatch):
    subject, model = subject_of(monkeypatch, 3.0), Watched()
    attacked(subject, model, quiet)
    released = [one.text for one in subject.first]
    assert model.seen and all(
        any(text.startswith(seen) for text in released) for seen in model.seen
    )


def test_with_much_epsilon_everything_is_guessed_and_with_none_only_the_floor(monkeypatch):
    loud = attacked(subject_of(monkeypatch, 900.0), ToyLM(), quiet).figures
    assert loud["recovery_contextual"].value > 0.8 > loud["floor_contextual"].value
    assert loud["entities_contextual"].value == 1.0
    gone = attacked(subject_of(monkeypatch, 0.0), ToyLM(), quiet).figures
    assert gone["recovery_contextual"].value is None  # no word met a mechanism
    assert gone["entities_contextual"].value == gone["entities_guessed_blind"].value


def test_the_best_of_a_gap_is_the_best_over_all_words():
    """Against brute force: p(before, word, after) of every word, by the model's own loss."""
    model = ToyLM(seed=2)
    gap = Gap(model, Spellings(SPACE, model), ("w1 ", " w3 w4"), 0, 0)
    words = SPACE.words(SPACE.outputs[0])
    exact = np.array([-model.loss(f"w1 {word} w3 w4")[0] for word in words])
    ranked, values = gap.ranked(np.zeros(len(words)), 5)
    assert ranked[0] == exact.argmax()
    assert np.ptp(values - exact[ranked]) < 1e-9
    favoured = np.where(np.arange(len(words)) == 7, 100.0, 0.0)
    assert gap.ranked(favoured, 1)[0][0] == 7


def test_a_replaced_span_is_seen_from_outside(monkeypatch):
    subject = subject_of(monkeypatch, 0.0, kinds={"w2 w3": "PERSON"})
    trace = traced(subject.first[0])
    one, two = (View(trace).around(index) for index in (1, 2))
    assert one == two
    assert subject.first[0].text.startswith(one[0])


def test_without_a_model_there_is_a_note_and_no_number(monkeypatch):
    for error in (MissingExtra("lm", "smollm2"), AssetError("none here")):

        def refuse(*_args, error=error):
            raise error

        monkeypatch.setattr(context_module.MODELS, "build", refuse)
        section = context(subject_of(monkeypatch, 3.0), quiet)
        assert set(section.figures) == {*NAMES, *ENTITIES} and section.sound
        for figure in section.figures.values():
            assert figure.value is None and "assets pull smollm2" in figure.note


def test_of_a_space_without_words_nothing_is_guessed_and_no_model_is_read(monkeypatch):
    monkeypatch.setattr(context_module.MODELS, "build", None)
    subject = SimpleNamespace(policy=Policy(), parts=SimpleNamespace(space=Plain()))
    figures = context(subject, quiet).figures
    assert figures.keys() == {*NAMES, *ENTITIES}
    assert {figure.value for figure in figures.values()} == {None}
    assert "space plain has no words" in figures["entities_contextual"].note


def test_the_model_is_closed_afterwards(monkeypatch):
    model = ToyLM()
    monkeypatch.setattr(context_module.MODELS, "build", lambda *_: model)
    first = context(subject_of(monkeypatch, 3.0), quiet)
    assert model.closed
    monkeypatch.setattr(context_module.MODELS, "build", lambda *_: ToyLM())
    assert context(subject_of(monkeypatch, 3.0), quiet).as_json() == first.as_json()


@pytest.mark.parametrize("epsilon", [3.0, 900.0])
def test_no_word_outside_of_private_lines(monkeypatch, epsilon):
    section = attacked(subject_of(monkeypatch, epsilon), ToyLM(), quiet)
    assert "w2" not in str(section.as_json()) and "w2" not in repr(section)
