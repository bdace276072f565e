from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
import pytest

from privstamp.errors import StageFailed
from privstamp.models.causal import REMEMBERED, STRIDE, WINDOW, CausalModel, context_start

SIZE = 40


class Recording:
    """A network whose scores depend on the whole sequence, and on how it was batched."""

    start = 0

    def __init__(self, *, stubborn: bool = False) -> None:
        self.sequence: list[int] = []
        self.batches: list[int] = []
        self.steps = self.extended = self.closed = 0
        self.stubborn = stubborn

    def encode(self, text: str) -> list[int]:
        return [1 + ord(letter) % (SIZE - 1) for letter in text]

    def trim(self, length: int) -> int:
        assert length <= len(self.sequence)
        length = 0 if self.stubborn else length
        while sum(self.batches) > length:
            assert self.batches.pop() == 1 or length == 0, "cut through a batch"
        del self.sequence[length:]
        return length

    def extend(self, ids: Sequence[int], *, every: bool = False) -> np.ndarray:
        self.steps += 1
        self.extended += len(ids)
        rows = []
        for piece in ids:
            self.sequence.append(piece)
            rows.append(self.scores(len(ids)))
        self.batches.append(len(ids))
        return np.stack(rows if every else rows[-1:]).astype(np.float32)

    def scores(self, batch: int) -> np.ndarray:
        seed = blake2b(repr((self.sequence, self.batches, batch)).encode()).digest()
        return np.random.default_rng(list(seed)).normal(size=SIZE)

    def close(self) -> None:
        self.closed += 1


class Unkept(list):
    """Makes a network whose scores do not depend on the batches."""

    def append(self, batch: int) -> None:
        pass


def model(**options: bool) -> tuple[CausalModel, Recording]:
    backend = Recording(**options)
    return CausalModel("recording", "f", backend), backend


def fresh(prefix: str, continuation: Sequence[int] = ()) -> np.ndarray:
    return model()[0].next_logprobs(prefix, continuation)


TEXT = "".join(chr(97 + (7 * at * at) % 26) + " " * (at % 5 == 4) for at in range(1400))


def test_it_is_a_finite_distribution_in_float64():
    row = fresh("abc")
    assert row.dtype == np.float64 and row.shape == (SIZE,)
    assert np.isfinite(row).all() and np.exp(row).sum() == pytest.approx(1.0, abs=1e-12)


def test_a_continuation_follows_the_prefix():
    lm, backend = model()
    assert (lm.next_logprobs("abc", lm.pieces("de")) == lm.next_logprobs("abcde")).all()
    assert backend.sequence == [0, *backend.encode("abcde")]


def test_a_growing_prefix_costs_only_what_is_new():
    lm, backend = model()
    for end in range(1, 200):
        lm.next_logprobs(TEXT[:end])
    assert backend.extended == 1 + 199
    lm.next_logprobs(TEXT[:199], [5, 6])
    lm.next_logprobs(TEXT[:199], [5, 7])
    lm.next_logprobs(TEXT[:199])
    assert backend.extended == 200 + 2 + 1


@pytest.mark.parametrize("stubborn", [False, True])
def test_equal_arguments_give_equal_bits_whatever_was_asked_before(stubborn):
    lm, _ = model(stubborn=stubborn)
    ends = [10, 12, 600, 11, 601, 513, 512, 514, 1000, 770, 769, 601, 0, 10]
    for end in ends:
        assert (lm.next_logprobs(TEXT[:end]) == fresh(TEXT[:end])).all(), end
        lm.loss(TEXT[: end // 2])
        lm.next_logprobs(TEXT[:end], [3])


def test_a_text_that_repeats_itself_is_not_taken_for_its_own_beginning():
    same = "a" * 1200
    lm, _ = model()
    for end in (300, 512, 513, 768, 769, 300):
        assert (lm.next_logprobs(same[:end]) == fresh(same[:end])).all(), end


def test_long_texts_are_cut_by_the_rule_and_seldom():
    lm, backend = model()
    ids = backend.encode(TEXT)
    for end in range(1, len(TEXT) + 1):
        lm.next_logprobs(TEXT[:end])
        assert backend.sequence == [0, *ids[context_start(end) : end]]
    cuts = context_start(len(TEXT)) // STRIDE
    assert cuts == 5
    assert backend.steps == 1 + len(TEXT) + cuts
    assert backend.extended == 1 + len(TEXT) + cuts * (1 + STRIDE)


@pytest.mark.parametrize("end", [0, 1, 70, WINDOW, WINDOW + 1, WINDOW + 2, 769, 770, 1400])
def test_loss_adds_up_the_steps(end):
    lm, backend = model()
    backend.batches = Unkept()
    backend.scores = lambda batch: Recording.scores(backend, 1)
    ids = backend.encode(TEXT[:end])
    steps = [-lm.next_logprobs(TEXT[:at])[piece] for at, piece in enumerate(ids)]
    assert lm.loss(TEXT[:end]) == (pytest.approx(sum(steps)), end)


def test_only_a_few_results_are_remembered_and_never_lent_out():
    lm, backend = model()
    first = lm.next_logprobs("a")
    first[:] = 0.0
    assert (lm.next_logprobs("a") == fresh("a")).all()
    for piece in range(2 * REMEMBERED):
        lm.next_logprobs("a" * piece)
    assert len(lm._recent) == REMEMBERED
    before = backend.steps
    lm.next_logprobs("a" * (2 * REMEMBERED - 1))
    assert backend.steps == before


def test_closing_is_for_good_and_done_once():
    lm, backend = model()
    with lm as same:
        assert same is lm
    lm.close()
    assert backend.closed == 1
    for ask in (lm.pieces, lm.next_logprobs, lm.loss):
        with pytest.raises(StageFailed, match="recording was closed") as caught:
            ask("private words")
        assert "private" not in str(caught.value)
    assert repr(lm) == "CausalModel(recording)"
