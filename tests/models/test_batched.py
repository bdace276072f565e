"""Needs the extra `transformers`; the network is made here, at random."""

import numpy as np
import pytest

from models import tiny_chat
from models.tiny_chat import STOP
from privstamp.models import batched
from privstamp.models.batched import Batched
from privstamp.models.replies import draws, pick
from privstamp.models.transformer import ChatTransformer
from privstamp.types import Prompt

PASSAGES = [
    "The doctor wrote a letter to the hospital about the invoice. " * 2,
    "Nobody answered on Monday. " * 5,
    "A café near the station sells paintings of boats, 12 for 340 euros.",
]
ASKED = [
    *(
        Prompt(f"{text}\n\nWho {verb}?", "Be brief.")
        for text in PASSAGES
        for verb in ("paid", "is")
    ),
    Prompt("Who reads the letters of the neighbour's daughter on Tuesday morning?", "Be brief."),
    Prompt(f"{PASSAGES[1]}\n\nWhat do they say about the hospital near the station, and why?"),
    Prompt("Why?"),
]
KEYS = [bytes([at]) * 32 for at in range(len(ASKED))]


@pytest.fixture(scope="module")
def chat(tmp_path_factory):
    return ChatTransformer(tiny_chat.write(tmp_path_factory.mktemp("tiny")), threads=1)


@pytest.fixture
def ask(chat):
    def asked(prompts=ASKED, keys=KEYS, *, temperature=0.0, max_tokens=12, model=None):
        model = model or Batched(chat)
        read = [model.read(prompt) for prompt in prompts]
        keys = keys[: len(prompts)]
        return model.answers(read, temperature=temperature, max_tokens=max_tokens, keys=keys)

    return asked


def plainly(chat, prompt, key, *, temperature=0.0, max_tokens=12) -> tuple[str, int]:
    """A reply by the network without cache, rows or sections."""
    torch = pytest.importorskip("torch")
    ids, said = [piece for section in chat.sections(prompt) for piece in section], []
    for draw in draws(key, max_tokens):
        with torch.inference_mode():
            scores = chat.network(torch.tensor([ids + said]), use_cache=False).logits[0, -1]
        piece = pick(scores.numpy(), temperature, draw)
        if chat.ends(piece):
            break
        said.append(piece)
    return chat.text(said), len(said)


@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_rows_say_what_the_network_says_by_itself(chat, ask, temperature):
    settings = {"temperature": temperature, "max_tokens": 12}
    expected = [plainly(chat, *one, **settings) for one in zip(ASKED, KEYS, strict=True)]
    assert len(set(expected)) == len(ASKED)
    assert ask(**settings) == expected


def test_the_order_and_the_neighbours_do_not_matter(ask):
    together = ask(temperature=0.5)
    assert ask(ASKED[::-1], KEYS[::-1], temperature=0.5) == together[::-1]
    assert [
        ask([one], [key], temperature=0.5)[0] for one, key in zip(ASKED, KEYS, strict=True)
    ] == (together)


def test_draws_follow_the_key(ask):
    first = ask([ASKED[0]] * 2, [KEYS[0], KEYS[1]], temperature=1.0)
    assert first[0] != first[1]
    assert ask([ASKED[0]], [KEYS[1]], temperature=1.0) == first[1:]


def test_rows_end_by_themselves(chat, ask, monkeypatch):
    monkeypatch.setattr(chat, "text", list)
    whole = [pieces for pieces, _ in ask(max_tokens=6)]
    assert {len(pieces) for pieces in whole} == {6}
    stop = whole[0][2]  # said third by the first row
    monkeypatch.setattr(chat, "_ends", {STOP, stop})
    expected = [pieces[: [*pieces, stop].index(stop)] for pieces in whole]
    assert len({len(pieces) for pieces in expected}) > 1
    assert ask(max_tokens=6) == [(pieces, len(pieces)) for pieces in expected]


def test_what_prompts_begin_with_is_read_once(chat, ask, monkeypatch):
    model, read = Batched(chat), []
    true = Batched._read
    monkeypatch.setattr(Batched, "_read", lambda self, one: read.append(one) or true(self, one))
    first = ask(ASKED[:5], model=model)
    assert len(read) == len(set(read)) == 3
    assert ask(ASKED[4:6], KEYS[4:], model=model)[0] == first[4]
    assert len(read) == 3  # of the last batch
    ask(ASKED[:1], model=model)
    assert len(read) == 4  # and not of the one before
    ask(ASKED[6:7], model=model)
    assert not model._begun


def test_rows_that_do_not_fit_together_take_turns(chat, ask, monkeypatch):
    expected, rows = ask(), []
    monkeypatch.setattr(batched, "ROOM", 300)
    true = Batched._written
    monkeypatch.setattr(
        Batched, "_written", lambda self, one, *rest: rows.append(one) or true(self, one, *rest)
    )
    assert ask() == expected
    assert len(rows) > 2 and sum(map(len, rows)) == len(ASKED)
    for part in rows:
        wide = max(len(one) for one, _ in part) + max(len(one) for _, one in part) + 12
        assert len(part) == 1 or len(part) * wide <= 300


def test_empty_rows_are_seen_by_no_one(chat):
    """Scores of a short row beside a long one are those that it has alone."""
    model, seen = Batched(chat), []
    network = chat.network

    class Watched:
        base_model = network.base_model

        def __call__(self, *given, **options):
            out = network(*given, **options)
            seen.append(out.logits[:, -1].numpy().copy())
            return out

    chat.network = Watched()
    try:
        for prompts in ([ASKED[-1]], [ASKED[-1], ASKED[-2]]):
            read = [model.read(prompt) for prompt in prompts]
            model.answers(read, temperature=0, max_tokens=1, keys=KEYS[: len(read)])
    finally:
        chat.network = network
    alone, beside = seen
    assert np.isfinite(beside).all()
    assert np.abs(alone[0] - beside[0]).max() < 1e-4 < np.abs(alone[0] - beside[1]).max()
