import pytest

from privstamp.mechanisms.fluency import BaseMeasure, Spelling, Spellings
from privstamp.types import Label
from toy_lm import ToyLM
from toys import ToySpace

SPACE = ToySpace(rows=12, dimensions=4, classes=("a",))
WORDS = SPACE.words(SPACE.outputs[0])


def after(model, released, label=Label.LOWER):
    return BaseMeasure.after(model, released, Spellings(SPACE, model), 0, label)


def by_hand(model, context, written):
    """log p of a string, piece by piece."""
    pieces = model.pieces(written)
    return sum(
        float(model.next_logprobs(context, pieces[:at])[piece]) for at, piece in enumerate(pieces)
    )


@pytest.mark.parametrize("context", ["", "w3", "w1 w10 w2,"])
def test_a_measure_is_the_probability_of_all_pieces(context):
    model = ToyLM()
    measure = after(model, context + " ")
    bounds = measure.upper.copy()
    for place, word in enumerate(WORDS):
        assert measure.settle(place) == pytest.approx(by_hand(model, context, f" {word}"))
    assert measure.settled.all()
    assert (measure.upper <= bounds).all()
    assert (measure.upper < bounds - 0.01).any(), "some words here have two pieces"


def test_a_call_settles_all_words_that_share_a_beginning():
    model = ToyLM()
    measure = after(model, "w3 ")
    model.calls = 0
    assert not measure.settled[[WORDS.index("w10"), WORDS.index("w11")]].any()
    measure.settle(WORDS.index("w10"))
    assert model.calls == 1
    assert measure.settled[WORDS.index("w11")], "both begin with the piece w1"
    assert not measure.settled[WORDS.index("w8")], "this one does not"
    measure.settle(WORDS.index("w11"))
    measure.settle(WORDS.index("w1"))
    assert model.calls == 1


def test_a_blank_before_a_word_belongs_to_it_and_is_not_shown_twice():
    seen = []

    class Watched(ToyLM):
        def next_logprobs(self, prefix, continuation=()):
            seen.append(prefix)
            return super().next_logprobs(prefix, continuation)

    watched = Watched()
    spaced, tight = after(watched, "w3 "), after(watched, "w3\n")
    assert seen == ["w3", "w3\n"]
    model = ToyLM()
    assert spaced.settle(2) == pytest.approx(by_hand(model, "w3", " w2"))
    assert tight.settle(2) == pytest.approx(by_hand(model, "w3\n", "w2"))


def test_words_are_scored_as_they_will_be_written():
    model = ToyLM()
    measure = after(model, "w3 ", Label.TITLE)
    assert measure.settle(2) == pytest.approx(by_hand(model, "w3", " W2"))


def test_a_model_that_is_too_sure_of_a_piece_cannot_raise_a_bound():
    class Sure(ToyLM):
        def next_logprobs(self, prefix, continuation=()):
            return super().next_logprobs(prefix, continuation) * 0.0 + 1e-9

    model = Sure()
    measure = BaseMeasure(model, "", Spelling.of([" w10", " w1"], model))
    before = measure.upper.copy()
    measure.settle(0)
    assert (measure.upper <= before).all()
    assert (before <= 0).all()
