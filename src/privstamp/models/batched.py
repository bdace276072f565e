"""Many prompts at a time to a chat model of transformers.

A text that prompts begin with is read once, by itself. What follows it is read, and replies are
written, in all rows together, which makes far better use of a processor than one after another.
What a row says depends on its prompt and settings, and on the rows beside it through the rounding
of float32 alone: that can turn a reply where two pieces are all but equally likely. Of replies in
a cache it is the first that was given.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from privstamp.models.replies import POSITIONS, draws, pick
from privstamp.models.transformer import ChatTransformer
from privstamp.types import Prompt

ROOM: Final = 8192
"""Positions of all rows together: bounds the memory that rows take."""
RULE: Final = f"batches of chats of {POSITIONS} pieces, the last paragraph apart, float32"

Run = tuple[int, ...]
Sections = tuple[Run, Run]
"""What a prompt begins with, maybe nothing, and the rest of it."""
Memory = list[tuple[Any, Any]]
"""Keys and values by layer, of one row."""


class Batched:
    """Answers prompts in rows; what those of the last batch began with is remembered."""

    def __init__(self, chat: ChatTransformer) -> None:
        self._chat = chat
        self._torch, self._cache = chat.torch, chat.transformers.DynamicCache
        self.positions = chat.positions
        self._begun: dict[Run, Memory] = {}

    def read(self, prompt: Prompt) -> Sections:
        """A prompt before its last paragraph, and from there on."""
        *before, rest = map(tuple, self._chat.sections(prompt))
        return (before[0] if before else ()), rest

    def answers(
        self,
        prompts: Sequence[Sections],
        *,
        temperature: float,
        max_tokens: int,
        keys: Sequence[bytes],
    ) -> list[tuple[str, int]]:
        """Replies and their numbers of pieces; greedy at temperature 0, else drawn from `keys`."""
        drawn = [draws(key, max_tokens) for key in keys]
        lengths: dict[int, list[int]] = {}
        with self._torch.inference_mode():
            for part in _parts(prompts, max_tokens):
                rows = [prompts[at] for at in part]
                written = self._written(rows, temperature, [drawn[at] for at in part])
                lengths.update(zip(part, written, strict=True))
        replies = (lengths[at] for at in range(len(prompts)))
        return [(self._chat.text(pieces), len(pieces)) for pieces in replies]

    def _written(
        self, rows: Sequence[Sections], temperature: float, drawn: Sequence[Sequence[float]]
    ) -> list[list[int]]:
        """The pieces of each row's reply. A row that has ended is taken out."""
        torch, network = self._torch, self._chat.network
        cache, seen = self._beginnings([before for before, _ in rows])
        ids, places, there = self._rests(rows)
        seen = torch.cat([seen, there], dim=1)
        written: list[list[int]] = [[] for _ in rows]
        writing = list(range(len(rows)))
        for draw in zip(*drawn, strict=True):
            scores = (
                network(
                    ids,
                    attention_mask=seen,
                    position_ids=places,
                    past_key_values=cache,
                    use_cache=True,
                    logits_to_keep=1,
                )
                .logits[:, -1]
                .numpy()
            )
            said = [
                pick(row, temperature, draw[at]) for row, at in zip(scores, writing, strict=True)
            ]
            on = [at for at, piece in enumerate(said) if not self._chat.ends(piece)]
            for at in on:
                written[writing[at]].append(said[at])
            if not on:
                break
            if len(on) < len(writing):
                writing = [writing[at] for at in on]
                cache.batch_select_indices(torch.tensor(on))
                seen, places = seen[on], places[on]
            ids, places = torch.tensor([[said[at]] for at in on]), places[:, -1:] + 1
            seen = torch.nn.functional.pad(seen, (0, 1), value=1)
        return written

    def _beginnings(self, begin: Sequence[Run]) -> tuple[Any, Any]:
        """The rows' memories of what they begin with, flush right, and where there is something."""
        self._begun = {run: self._begun.get(run) or self._read(run) for run in set(begin) if run}
        longest = max(map(len, begin))
        seen = self._torch.zeros(len(begin), longest, dtype=self._torch.long)
        for row, one in enumerate(begin):
            seen[row, longest - len(one) :] = 1
        some = next(iter(self._begun.values()), [])
        layers = (
            tuple(self._side_by_side(begin, layer, part, longest) for part in (0, 1))
            for layer in range(len(some))
        )
        return self._cache(layers), seen

    def _side_by_side(self, begin: Sequence[Run], layer: int, part: int, longest: int) -> Any:
        like = next(iter(self._begun.values()))[layer][part]
        memory = like.new_zeros(len(begin), like.shape[1], longest, like.shape[3])
        for row, run in enumerate(begin):
            if run:
                memory[row, :, longest - len(run) :] = self._begun[run][layer][part][0]
        return memory

    def _read(self, run: Run) -> Memory:
        cache = self._cache()
        self._chat.network.base_model(
            self._torch.tensor([run]), past_key_values=cache, use_cache=True
        )
        return [(layer.keys, layer.values) for layer in cache.layers]

    def _rests(self, rows: Sequence[Sections]) -> tuple[Any, Any, Any]:
        """Pieces after the beginnings, flush right; their places; where there is one."""
        longest = max(len(rest) for _, rest in rows)
        ids, places, there = self._torch.zeros(3, len(rows), longest, dtype=self._torch.long)
        for row, (before, rest) in enumerate(rows):
            start = longest - len(rest)
            ids[row, start:] = self._torch.tensor(rest)
            places[row, start:] = self._torch.arange(len(before), len(before) + len(rest))
            there[row, start:] = 1
        return ids, places, there


def _parts(prompts: Sequence[Sections], max_tokens: int) -> Iterator[list[int]]:
    """Numbers of prompts that are answered together: of like lengths, and no more than fit."""
    order = sorted(range(len(prompts)), key=lambda at: _place(prompts[at]))
    part: list[int] = []
    for at in order:
        if (
            part
            and (len(part) + 1) * _width([prompts[number] for number in (*part, at)], max_tokens)
            > ROOM
        ):
            yield part
            part = []
        part.append(at)
    if part:
        yield part


def _place(prompt: Sections) -> tuple[int, Run, int]:
    before, rest = prompt
    return len(before), before, len(rest)


def _width(rows: Sequence[Sections], max_tokens: int) -> int:
    return sum(max(map(len, column)) for column in zip(*rows, strict=True)) + max_tokens
