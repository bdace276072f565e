import numpy as np
import pytest

from toy_lm import SPLIT, TEXTS, WORDS, ToyLM


def test_words_are_one_piece_and_the_others_two():
    model = ToyLM()
    assert [len(model.pieces(f" {word}")) for word in WORDS] == [1] * len(WORDS)
    assert [len(model.pieces(f" {word}")) for word in SPLIT] == [2] * len(SPLIT)
    assert len(set(TEXTS)) == len(TEXTS)
    assert 0 not in model.pieces("<start> w0")


def test_pieces_spell_the_text():
    model = ToyLM()
    text = "w3 w11, w8 w10.\nw0 w1"
    assert "".join(TEXTS[piece] for piece in model.pieces(text)) == text


def test_it_is_a_distribution_that_depends_on_the_two_pieces_before():
    model = ToyLM()
    first = model.next_logprobs("w0 w1 w2")
    assert np.exp(first).sum() == pytest.approx(1.0)
    assert (first == model.next_logprobs("w5 w1 w2")).all()
    assert (first != model.next_logprobs("w0 w3 w2")).all()
    assert (first == model.next_logprobs("w0 w1", model.pieces(" w2"))).all()
    assert model.calls == 4


def test_loss_adds_up_the_steps():
    model = ToyLM(seed=3)
    pieces = model.pieces("w0 w8")
    steps = [model.next_logprobs("", pieces[:at])[piece] for at, piece in enumerate(pieces)]
    assert model.loss("w0 w8") == (pytest.approx(-sum(steps)), 3)
