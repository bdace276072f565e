"""Prompts to a chat model in a GGUF file, and its replies, piece by piece.

A reply is a function of the prompt and the settings alone: a prompt is fed in blocks that depend
on nothing else, and only whole blocks are taken over from the prompt before. One block ends before
the last paragraph, so that many questions about one text (text first, question last) read it once.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from ctypes import create_string_buffer
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, Final, Protocol

from privstamp.errors import Incompatible
from privstamp.models.causal import Logits, common_length
from privstamp.models.llama import Llama, _Message
from privstamp.models.local import PARENT
from privstamp.models.replies import POSITIONS, SLOT, draws, has_slots, pick, sections
from privstamp.noise import Randomness
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


# The other end of `local.LocalModel`: a process of its own that reads and writes JSON lines.
#
# Started as `python -m privstamp.models.chat`, with `hf` for a model by transformers, which
# answers many prompts at a time, and `hf int8` for its weights in bytes. The first line says which
# model and how much memory; every further one has prompts, and is answered by as many replies. It
# ends when its input does, even in the middle of a reply, and when its parent is gone, so it never
# outlives the process that started it.

_WATCH: Final = 0.5
"""Seconds between two looks at the parent."""


class Answering(Protocol):
    """What is served: prompts are cut into pieces, and answered."""

    positions: int  # the most pieces of prompt and reply together

    def read(self, prompt: Prompt) -> Any:
        """The pieces of a prompt, in several runs."""
        ...

    def answers(
        self,
        prompts: Sequence[Any],
        *,
        temperature: float,
        max_tokens: int,
        keys: Sequence[bytes],
    ) -> list[tuple[str, int]]:
        """Replies to what was read, each with its number of pieces."""
        ...


def main(opened: Callable[[Path, int], Answering]) -> None:
    """Serve until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    output = os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), 1)  # a library that prints does not print between the lines
    lines: SimpleQueue[bytes] = SimpleQueue()
    parent = int(os.environ.get(PARENT) or os.getppid())
    threading.Thread(target=_outlived, args=(parent,), daemon=True).start()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, lines), daemon=True).start()
    settings = json.loads(lines.get())
    _limit(settings["memory"])
    try:
        chat = opened(Path(settings["path"]), settings["threads"])
    except Exception as error:
        _write(output, {"failed": type(error).__name__, "why": str(error)})
        return
    randomness = Randomness.make(seed=settings["seed"])
    _write(output, {"positions": chat.positions})
    while True:
        request = json.loads(lines.get())
        try:
            answer = _answer(chat, randomness, request)
        except Exception as error:
            answer = {"failed": type(error).__name__}
        _write(output, answer)


def _answer(chat: Answering, randomness: Randomness, request: dict[str, Any]) -> dict[str, Any]:
    prompts = [Prompt(text, system) for text, system in request["prompts"]]
    pieces = [chat.read(prompt) for prompt in prompts]
    counts = [sum(map(len, piece)) for piece in pieces]
    if max(counts) + request["max_tokens"] > chat.positions:
        return {"too_long": max(counts)}
    replies = chat.answers(
        pieces,
        temperature=request["temperature"],
        max_tokens=request["max_tokens"],
        keys=[randomness.key(json.dumps(prompt.messages()).encode()) for prompt in prompts],
    )
    return {
        "replies": [
            [text, count, wrote] for (text, wrote), count in zip(replies, counts, strict=True)
        ]
    }


def _listen(source: BinaryIO, lines: SimpleQueue[bytes]) -> None:
    for line in source:
        lines.put(line)
    os._exit(0)


def _outlived(parent: int) -> None:
    """End after the parent: a process that it forked may keep the other end of our input open."""
    while os.getppid() == parent:
        time.sleep(_WATCH)
    os._exit(0)


def _write(output: BinaryIO, answer: dict[str, Any]) -> None:
    output.write(json.dumps(answer).encode() + b"\n")
    output.flush()


def _limit(memory: int) -> None:
    """No more address space than this, where the system has such a limit; and no core files."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CORE, 0)):
        try:
            hard = resource.getrlimit(kind)[1]
            low = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (low, low))
        except (ValueError, OSError):  # macOS knows the names and refuses some values
            continue


if __name__ == "__main__":
    if sys.argv[1:2] == ["hf"]:
        os.environ["HF_HUB_OFFLINE"] = "1"  # before it is imported: nothing is ever fetched
        from privstamp.models.batched import Batched
        from privstamp.models.transformer import ChatTransformer

        int8 = sys.argv[2:] == ["int8"]
        main(lambda path, threads: Batched(ChatTransformer(path, threads=threads, int8=int8)))
    else:
        main(lambda path, threads: Chat(ChatLlama(path, threads=threads)))
