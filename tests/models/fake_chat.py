"""A chat network without weights, and the process that serves it: it says a prompt's end backwards.

Pieces are bytes, and END ends a turn. Some last paragraphs make it misbehave.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from privstamp.errors import AssetError, Incompatible
from privstamp.models.chat import Chat, main
from privstamp.types import Prompt

END = 256
POSITIONS = 1000


class Backwards:
    positions = POSITIONS

    def __init__(self) -> None:
        self.held: list[int] = []
        self.fed = 0  # pieces read so far, without replies

    def sections(self, prompt: Prompt) -> list[list[int]]:
        before, gap, last = f"{prompt.system}:{prompt.text}".rpartition("\n\n")
        return [list((before + gap).encode()), [*last.encode(), 0]]

    def trim(self, length: int) -> int:
        del self.held[length:]
        return length

    def extend(self, ids: Sequence[int]) -> np.ndarray:
        if not (len(self.held) and 0 in self.held):
            self.fed += len(ids)
        self.held += ids
        scores = np.zeros((1, END + 1), dtype=np.float32)
        scores[0, self.following()] = 20.0
        return scores

    def following(self) -> int:
        prompt, mark, reply = bytes(self.held).partition(b"\0")
        if not mark:
            return END
        reversed_end = prompt.rpartition(b"\n\n")[2][::-1]
        misbehave(reversed_end[::-1].decode())
        return reversed_end[len(reply)] if len(reply) < len(reversed_end) else END

    def ends(self, piece: int) -> bool:
        return piece == END

    def spelling(self, piece: int) -> bytes:
        return bytes([piece])


def misbehave(what: str) -> None:
    if what == "abort":
        os.abort()
    if what == "sleep":
        time.sleep(60)
    if what == "devour":
        np.empty(8_000_000_000, dtype=np.uint8)  # never touched
    if what == "raise":
        raise ValueError(what)
    if what == "chatter":
        os.write(1, b"chatter\n")
        os.write(2, b"chatter\n")


def opened(path: Path, threads: int) -> Backwards:
    if path.name == "lost.gguf":
        raise AssetError("lost")
    if path.name == "base.gguf":
        raise Incompatible("base.gguf has no chat template")
    if path.name == "slow.gguf":
        time.sleep(60)
    assert threads == 1
    return Backwards()


if __name__ == "__main__":
    sys.exit(main(lambda path, threads: Chat(opened(path, threads))))
