"""all-MiniLM-L6-v2 on this machine, without torch: contextual vectors of a text's pieces."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from privstamp.assets.store import ASSETS, absent, locate
from privstamp.errors import MissingExtra
from privstamp.types import Table, Units

Values: TypeAlias = npt.NDArray[np.float64]

LONGEST: Final = 256
"""Pieces of a window that are read; what follows is left out."""
WINDOW: Final = 90
"""Units that are read at once, in whole sentences: one run costs little more than a short one."""


class MiniLM:
    """Made once; reads one window at a time, so that no text changes the vectors of another."""

    def __init__(self) -> None:
        try:
            import onnxruntime
        except ImportError:
            onnxruntime = None
        if onnxruntime is None:
            raise MissingExtra("encoder", 'encoder = "minilm"', absent("minilm"))
        model, tokenizer = locate("minilm", "model"), locate("minilm", "tokenizer")
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        self._session: Any = onnxruntime.InferenceSession(
            str(model), options, providers=["CPUExecutionProvider"]
        )
        self.fingerprint = " ".join(member.sha256 for member in ASSETS["minilm"].members.values())

    def pieces(self, text: str) -> tuple[Table, npt.NDArray[np.intp]]:
        """One unit-length vector for each piece of a text, and where each piece begins."""
        states, begins = self._states(text)
        inner = states[1:-1]  # between the marks for start and end
        return inner / np.maximum(np.linalg.norm(inner, axis=1, keepdims=True), 1e-9), begins

    def sentence(self, text: str) -> npt.NDArray[np.float32]:
        """One unit-length vector for a whole text: the mean over its pieces, marks included."""
        pooled = self._states(text)[0].mean(axis=0)
        vector: npt.NDArray[np.float32] = pooled / np.maximum(np.linalg.norm(pooled), 1e-9)
        return vector

    def _states(self, text: str) -> tuple[Table, npt.NDArray[np.intp]]:
        found = self._tokenizer.encode(text)
        ids = found.ids
        if len(ids) > LONGEST:
            ids = [*ids[: LONGEST - 1], ids[-1]]
        row = np.array([ids], dtype=np.int64)
        inputs = {
            "input_ids": row,
            "attention_mask": np.ones_like(row),
            "token_type_ids": np.zeros_like(row),
        }
        [states] = self._session.run(None, inputs)
        begins = [begin for begin, _ in found.offsets[1 : len(ids) - 1]]
        return states[0], np.array(begins, dtype=np.intp)

    def meets(self, task: Table, units: Units, sentence: npt.NDArray[np.intp]) -> Values:
        """How well each sentence meets a task: each of the task's pieces finds its best match."""
        best = np.zeros((int(sentence[-1]) + 1, len(task)))
        for first, last in _windows(sentence):
            start = int(units.starts[first])
            vectors, begins = self.pieces(units.text[start : units.ends[last - 1]])
            place = np.searchsorted(units.starts[first:last], begins + start, side="right") - 1
            np.maximum.at(best, sentence[first + place], vectors @ task.T)
        return best.mean(axis=1) if len(task) else np.zeros(len(best))


def _windows(sentence: npt.NDArray[np.intp]) -> Iterator[tuple[int, int]]:
    """First and last unit of each window: as many whole sentences as fit."""
    ends = [*np.flatnonzero(np.diff(sentence)) + 1, len(sentence)]
    first, last = 0, 0
    for end in ends:
        if end - first > WINDOW and last > first:
            yield first, last
            first = last
        last = int(end)
    yield first, last
