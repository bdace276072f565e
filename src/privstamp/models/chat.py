"""Prompts to a chat model in a GGUF file, and its replies, piece by piece.

A reply is a function of the prompt and the settings alone: a prompt is fed in blocks that depend
on nothing else, and only whole blocks are taken over from the prompt before. One block ends before
the last paragraph, so that many questions about one text (text first, question last) read it once.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import create_string_buffer
from pathlib import Path
from typing import Final, Protocol

from privstamp.errors import Incompatible
from privstamp.models.causal import Logits, common_length
from privstamp.models.llama import Llama, _Message
from privstamp.models.replies import POSITIONS, SLOT, draws, has_slots, pick, sections
from privstamp.types import Prompt

BLOCK: Final = 64
RULE: Final = f"chat of {POSITIONS} pieces in blocks of {BLOCK}, one ends before the last paragraph"

Block = tuple[int, ...]


class ChatNetwork(Protocol):
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

    def __init__(self, network: ChatNetwork) -> None:
        self._network = network
        self.positions = network.positions
        self._held: list[Block] = []  # what the cache holds, without the last reply

    def read(self, prompt: Prompt) -> list[Block]:
        """The blocks of a prompt."""
        return [
            tuple(section[at : at + BLOCK])
            for section in self._network.sections(prompt)
            for at in range(0, len(section), BLOCK)
        ]

    def answers(
        self,
        prompts: Sequence[Sequence[Block]],
        *,
        temperature: float,
        max_tokens: int,
        keys: Sequence[bytes],
    ) -> list[tuple[str, int]]:
        """Replies and their numbers of pieces, one after another."""
        return [
            self.answer(blocks, temperature=temperature, max_tokens=max_tokens, key=key)
            for blocks, key in zip(prompts, keys, strict=True)
        ]

    def answer(
        self, blocks: Sequence[Block], *, temperature: float, max_tokens: int, key: bytes
    ) -> tuple[str, int]:
        """The reply and its number of pieces; greedy at temperature 0, else drawn from `key`."""
        network, written = self._network, b""
        scores = self._feed(blocks)
        for count, draw in enumerate(draws(key, max_tokens)):
            piece = pick(scores, temperature, draw)
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


def _text(written: bytes) -> str:
    return written.decode("utf-8", "ignore")  # a reply can end inside a character


class ChatLlama(Llama):
    """A GGUF file as a `ChatNetwork`."""

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
        form = self._form([message["role"] for message in prompt.messages()])
        return sections(prompt, form, marked=self._marked, text=self.encode)

    def ends(self, piece: int) -> bool:
        ended: bool = self._c.llama_vocab_is_eog(self._vocabulary, piece)
        return ended

    def spelling(self, piece: int) -> bytes:
        room = create_string_buffer(256)
        count = self._c.llama_token_to_piece(self._vocabulary, piece, room, len(room), 0, False)
        return room.raw[: max(count, 0)]

    def _marked(self, part: str, first: bool) -> list[int]:
        return self._tokens(part, begin=first, markers=True)

    def _form(self, roles: Sequence[str]) -> str:
        """The template with a slot where each message goes; empty if llama.cpp does not know it."""
        messages = (_Message * len(roles))()
        for message, role in zip(messages, roles, strict=True):
            message.role, message.content = role.encode(), SLOT.format(role).encode()
        room = create_string_buffer(4096)
        count = self._c.llama_chat_apply_template(
            self._template, messages, len(roles), True, room, len(room)
        )
        form = room.raw[: max(0, min(count, len(room)))].decode("utf-8", "replace")
        return form if has_slots(form, roles) else ""
