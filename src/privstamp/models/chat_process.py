"""The other end of `local.LocalModel`: a process of its own that reads and writes JSON lines.

Started as `python -m privstamp.models.chat_process`, with `hf` for a model by transformers, which
answers many prompts at a time, and `hf int8` for its weights in bytes. The first line says which
model and how much memory; every further one has prompts, and is answered by as many replies. It
ends when its input does, even in the middle of a reply, and when its parent is gone, so it never
outlives the process that started it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, Final, Protocol

from privstamp.models.chat import Chat, ChatLlama
from privstamp.models.local import PARENT
from privstamp.noise import Randomness
from privstamp.types import Prompt

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
