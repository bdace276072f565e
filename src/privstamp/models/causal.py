"""A language model on top of any backend that can run a causal network with a cache."""

from __future__ import annotations

import os
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from privstamp.crew.threads import Lock
from privstamp.errors import Incompatible, StageFailed
from privstamp.models.replies import Closing
from privstamp.types import Rows

# What a model sees of a long text: a public rule, the same for every backend.
#
# A text is cut into chunks before each single blank between two other characters, and each chunk
# into pieces by itself. A context is the start marker and the last 257 to 512 pieces, beginning at
# a multiple of 256: so it grows by one piece at a time for long, and the cached part stays useful.

WINDOW: Final = 512
STRIDE: Final = 256
RULE: Final = f"chunks at blanks; start marker and the last {WINDOW} pieces, stride {STRIDE}"
_BOUNDARY: Final = re.compile(r"(?<=\S) (?=\S)")


def context_start(pieces: int) -> int:
    """The first piece of the context that a text of so many pieces leaves."""
    return max(0, -(-(pieces - WINDOW) // STRIDE) * STRIDE)


def require_room(name: str, positions: int | None) -> None:
    """Refuse a model that was made for shorter texts than the window. None: it has no limit."""
    if positions is not None and positions < 1 + WINDOW:
        raise Incompatible(
            f"{name} reads {positions} pieces at a time; a language model needs {1 + WINDOW} here"
        )


def common_length(first: Sequence[object], second: Sequence[object]) -> int:
    """How many pieces two sequences have in common before they part."""
    for at, (left, right) in enumerate(zip(first, second, strict=False)):
        if left != right:
            return at
    return min(len(first), len(second))


class Chunks:
    """Pieces of texts, chunk by chunk. The last text is remembered, so that growing it is cheap."""

    def __init__(self, encode: Callable[[str], list[int]]) -> None:
        self._encode = encode
        self._settled = ""  # whole chunks of the last text, and their pieces
        self._pieces: list[int] = []

    def pieces(self, text: str) -> list[int]:
        """The pieces of a text; depends on nothing but the text."""
        at = len(self._settled)
        if not text.startswith(self._settled) or not _BOUNDARY.match(text, at):
            self._settled, self._pieces, at = "", [], 0
        for match in _BOUNDARY.finditer(text, at + 1 if at else 0):
            self._pieces += self._encode(text[at : match.start()])
            at = match.start()
        self._settled = text[:at]
        return [*self._pieces, *self._encode(text[at:])]


Logits = npt.NDArray[np.float32]
REMEMBERED: Final = 32  # vectors of recent contexts
LOSS_ROWS: Final = 64  # pieces scored at once


class Backend(Protocol):
    """A causal network and its cache of one sequence."""

    start: int  # the marker that every context begins with

    def encode(self, text: str) -> list[int]:
        """Pieces of a string, as text, nothing added."""
        ...

    def trim(self, length: int) -> int:
        """Forget all but the first pieces of the sequence; how many were kept, possibly none."""
        ...

    def extend(self, ids: Sequence[int], *, every: bool = False) -> Logits:
        """Append pieces; a row of scores for what follows the last one, or each of them."""
        ...

    def close(self) -> None:
        """Free everything."""
        ...


class CausalModel(Closing):
    """The `LanguageModel` contract. Equal arguments give equal bits, whatever was asked before."""

    def __init__(self, name: str, fingerprint: str, backend: Backend) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self._backend: Backend | None = backend
        self._chunks = Chunks(backend.encode)
        self._held: list[int] = []  # what the backend's cache holds
        self._block = 1  # how many of these were appended at once
        self._recent: OrderedDict[tuple[int, ...], Rows] = OrderedDict()
        self._lock = Lock()
        self._process = os.getpid()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    def close(self) -> None:
        """Free the model; a second call does nothing."""
        with self._lock:
            if self._backend is not None:
                self._backend.close()
            self._backend = None

    def pieces(self, text: str) -> list[int]:
        """Piece ids of a string as it continues a text; no markers are added or matched."""
        with self._lock:
            return Chunks(self._open().encode).pieces(text)  # keeps the memory of the prefix

    def next_logprobs(self, prefix: str, continuation: Sequence[int] = ()) -> Rows:
        """log p(next piece | start, prefix, continuation) over the whole vocabulary; all finite."""
        with self._lock:
            backend = self._open()
            ids = [*self._chunks.pieces(prefix), *continuation]
            begin = context_start(len(ids))
            context, cut = [backend.start, *ids[begin:]], begin > 0
            key = (cut, *context)
            logprobs = self._recent.get(key)
            if logprobs is None:
                logprobs = self._recent[key] = _log_softmax(self._last(backend, context, cut=cut))
                if len(self._recent) > REMEMBERED:
                    self._recent.popitem(last=False)
            return logprobs.copy()

    def loss(self, text: str) -> tuple[float, int]:
        """Summed negative log probability of a text's pieces in nats, and how many there are."""
        with self._lock:
            backend = self._open()
            ids = self._chunks.pieces(text)
            total, done = 0.0, 0
            while done < len(ids):
                begin = context_start(done)
                end = min(len(ids), begin + WINDOW + 1)
                total += self._loss(backend, ids[begin:end], done - begin)
                done = end
            return total, len(ids)

    def _open(self) -> Backend:
        if self._backend is None:
            raise StageFailed(f"the language model {self.name} was closed")
        if self._process != os.getpid():  # its threads, and what they were doing, stayed behind
            raise StageFailed(
                f"the language model {self.name} does not live on in a forked process; nothing was "
                "released. Make the Privatizer there"
            )
        return self._backend

    def _last(self, backend: Backend, context: Sequence[int], *, cut: bool) -> Logits:
        """Scores after a context: piece by piece, but a cut context's first stride at once.

        How pieces are batched changes the last bits, so it depends on the context alone.
        """
        block = 1 + STRIDE if cut else 1
        kept = min(common_length(self._held, context), len(context) - 1)
        kept = backend.trim(kept if kept >= block == self._block else 0)
        self._held, self._block = self._held[:kept], block
        while len(self._held) < len(context):
            at = len(self._held)
            fresh = context[at : at + 1] if at else context[:block]
            scores = backend.extend(fresh)
            self._held += fresh
        last: Logits = scores[-1]
        return last

    def _loss(self, backend: Backend, ids: list[int], skip: int) -> float:
        """Summed loss of all pieces but the first few, which are only read."""
        backend.trim(0)
        self._held = []
        inputs, total = [backend.start, *ids[:-1]], 0.0
        for at in range(0, len(ids), LOSS_ROWS):
            rows = backend.extend(inputs[at : at + LOSS_ROWS], every=True)
            for row, piece in list(zip(rows, ids[at:], strict=False))[max(0, skip - at) :]:
                total -= float(_log_softmax(row)[piece])
        backend.trim(0)
        return total


def _log_softmax(scores: Logits) -> Rows:
    wide = scores.astype(np.float64)
    wide -= wide.max()
    wide -= np.log(np.exp(wide).sum())
    return wide
