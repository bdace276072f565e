"""Prompts to a chat model in a GGUF file, and its replies, piece by piece.

A reply is a function of the prompt and the settings alone: a prompt is fed in blocks that depend
on nothing else, and only whole blocks are taken over from the prompt before. One block ends before
the last paragraph, so that many questions about one text (text first, question last) read it once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ctypes import create_string_buffer
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from privstamp.errors import Incompatible
from privstamp.models.causal import Logits
from privstamp.models.contexts import common_length
from privstamp.models.llama import Llama, Message
from privstamp.noise import Lane, Noise
from privstamp.types import Prompt

POSITIONS: Final = 4096
BLOCK: Final = 64
RULE: Final = f"chat of {POSITIONS} pieces in blocks of {BLOCK}, one ends before the last paragraph"
_PARAGRAPH: Final = "\n\n"
_SLOT: Final = "privstamp-slot-{}"
_SLOTS: Final = re.compile(_SLOT.format("([a-z]+)"))

Block = tuple[int, ...]


class Network(Protocol):
    """What a chat needs: a causal network with a cache, and the form of its prompts."""

    positions: int  # the most pieces of prompt and reply together

    def sections(self, prompt: Prompt) -> list[list[int]]:
        """Pieces of a prompt in the model's own template; a section may be shared by many."""
        ...

    def trim(self, length: int) -> int:
        """Forget all but the first pieces; how many were kept, possibly none."""
        ...

    def extend(self, ids: Sequence[int]) -> Logits:
        """Append pieces; one row of scores for what follows the last."""
        ...

    def ends(self, piece: int) -> bool:
        """Whether a piece ends the model's turn."""
        ...

    def spelling(self, piece: int) -> bytes:
        """What a piece adds to the reply."""
        ...


class Chat:
    """Answers prompts one after another; what two neighbours begin with alike is read once."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._held: list[Block] = []  # what the cache holds, without the last reply

    def read(self, prompt: Prompt) -> list[Block]:
        """The blocks of a prompt."""
        return [
            tuple(section[at : at + BLOCK])
            for section in self._network.sections(prompt)
            for at in range(0, len(section), BLOCK)
        ]

    def answer(
        self, blocks: Sequence[Block], *, temperature: float, max_tokens: int, key: bytes
    ) -> tuple[str, int]:
        """The reply and its number of pieces; greedy at temperature 0, else drawn from `key`."""
        network, written = self._network, b""
        draws = Noise.of_document(key, np.arange(max_tokens)).uniform(1, Lane.CHOICE)[:, 0]
        scores = self._feed(blocks)
        for count, draw in enumerate(draws.tolist()):
            piece = _pick(scores, temperature, draw)
            if network.ends(piece):
                return _text(written), count
            written += network.spelling(piece)
            if count + 1 < max_tokens:
                scores = network.extend([piece])[-1]
        return _text(written), max_tokens

    def _feed(self, blocks: Sequence[Block]) -> Logits:
        kept = common_length(self._held, blocks[:-1])
        length = sum(map(len, blocks[:kept]))
        if self._network.trim(length) != length:
            kept = 0
        self._held = list(blocks[:kept])
        for block in blocks[kept:]:
            scores = self._network.extend(block)
            self._held.append(block)
        last: Logits = scores[-1]
        return last


def _pick(scores: Logits, temperature: float, draw: float) -> int:
    if temperature == 0:
        return int(scores.argmax())
    wide = scores.astype(np.float64)
    weights = np.exp((wide - wide.max()) / temperature).cumsum()
    return int(np.searchsorted(weights, draw * weights[-1]))


def _text(written: bytes) -> str:
    return written.decode("utf-8", "ignore")  # a reply can end inside a character


class ChatLlama(Llama):
    """A GGUF file as a `Network`."""

    def __init__(self, path: Path, *, threads: int) -> None:
        super().__init__(path, threads=threads, positions=POSITIONS, batch=BLOCK)
        self._template = self._c.llama_model_chat_template(self._model, None)
        if not self._template or not self._form(("user",)):
            self.close()
            raise Incompatible(
                f"{path.name} has no chat template that llama.cpp knows: it continues texts and "
                "answers no prompts. Try an instruct model"
            )

    def sections(self, prompt: Prompt) -> list[list[int]]:
        """The template's own markers are markers; in what stands between them they are text."""
        contents = {message["role"]: message["content"] for message in prompt.messages()}
        form = _SLOTS.split(self._form(tuple(contents)))
        found: list[list[int]] = [[]]
        for at, part in enumerate(form):
            if at % 2 == 0:
                found[-1] += self._tokens(part, begin=at == 0, markers=True)
                continue
            before, gap, last = contents[part].rpartition(_PARAGRAPH)
            found[-1] += self.encode(before + gap)
            if part == "user" and gap:
                found.append([])
            found[-1] += self.encode(last)
        return found

    def ends(self, piece: int) -> bool:
        ended: bool = self._c.llama_vocab_is_eog(self._vocabulary, piece)
        return ended

    def spelling(self, piece: int) -> bytes:
        room = create_string_buffer(256)
        count = self._c.llama_token_to_piece(self._vocabulary, piece, room, len(room), 0, False)
        return room.raw[: max(count, 0)]

    def _form(self, roles: Sequence[str]) -> str:
        """The template with a slot where each message goes; empty if llama.cpp does not know it."""
        messages = (Message * len(roles))()
        for message, role in zip(messages, roles, strict=True):
            message.role, message.content = role.encode(), _SLOT.format(role).encode()
        room = create_string_buffer(4096)
        count = self._c.llama_chat_apply_template(
            self._template, messages, len(roles), True, room, len(room)
        )
        form = room.raw[: max(0, min(count, len(room)))].decode("utf-8", "replace")
        return form if set(_SLOTS.findall(form)) == set(roles) else ""
