"""Importance by gradient x input: how much each word moves what a network makes of the task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np

from privstamp.errors import PolicyError
from privstamp.importance.network import LOCAL, Network, on_units, windows
from privstamp.importance.shares import (
    NO_TASK,
    TAU,
    Common,
    Raw,
    check_tau,
    fingerprint,
    nothing,
    text_shares,
)
from privstamp.protocols import Space
from privstamp.types import UNKNOWN, Scope, Scores, Units

VERSION: Final = "1"


class Saliency:
    """A word is important if a small change of its vector would change the network's answer.

    Of a causal model the answer is the probability of the task, read after the text; of a
    classifier it is the score of its first choice, and no task is needed. Small words count for
    nothing. The score is the share of the text's own words that matter less.
    """

    name: ClassVar[str] = "saliency"
    scope = Scope.context("how a network reads the text")

    def __init__(self, space: Space, *, tau: float = TAU, model: str = LOCAL) -> None:
        self._tau = check_tau(tau)
        if not isinstance(model, str) or not model:
            raise PolicyError("importance: model is the name of a model or a folder")
        self._common = Common(space)
        self._network = Network(model)
        self.fingerprint = fingerprint(
            self.name, version=VERSION, tau=self._tau, model=self._network.fingerprint
        )

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        scores = []
        for units, task in zip(batch, tasks, strict=True):
            if not (task and task.strip()) and not self._network.classifies:
                scores.append(nothing(len(units), NO_TASK))
            else:
                raw = self._raw(units, task or "")
                scores.append(Scores(text_shares(raw), self._tau))
        return scores

    def _raw(self, units: Units, task: str) -> Raw:
        raw = np.zeros(len(units), dtype=np.float32)
        for where, start, text in windows(units):
            ids, offsets = self._network.inputs(text, task)
            raw[where] = on_units(units, where, start, offsets, self._values(ids, offsets))
        known = units.rows != UNKNOWN
        raw[known] *= self._common.information(units.rows[known])
        return raw

    def _values(self, ids: list[int], offsets: list[tuple[int, int]]) -> Raw:
        """What each piece contributes."""
        torch, module = self._network.torch, self._network.module
        row = torch.tensor([ids])
        vectors = module.get_input_embeddings()(row).detach().requires_grad_()
        logits = module(inputs_embeds=vectors, attention_mask=torch.ones_like(row)).logits[0]
        [slope] = torch.autograd.grad(self._answer(logits, row[0], offsets), vectors)
        values: Raw = (slope * vectors).sum(dim=-1)[0].abs().detach().numpy()
        return values

    def _answer(self, logits: Any, ids: Any, offsets: list[tuple[int, int]]) -> Any:
        if self._network.classifies:
            return logits.max()
        asked = [place for place, (low, high) in enumerate(offsets) if low == high and place]
        before = [place - 1 for place in asked]
        chances = logits[before].log_softmax(dim=-1)
        return chances.gather(1, ids[asked][:, None]).sum()
