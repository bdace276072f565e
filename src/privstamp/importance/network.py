"""A network of the transformers library, opened for its gradients and attention. Extra."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr
from importlib import import_module
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np

from privstamp.assets.cache import digest
from privstamp.assets.store import ASSETS, locate
from privstamp.errors import AssetError, PolicyError, optional
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
from privstamp.spaces import tokenizer_spec
from privstamp.spaces.gguf import GgufFile
from privstamp.spaces.pieces import TOKENIZER, model_folder
from privstamp.types import UNKNOWN, Scope, Scores, Units

LOCAL: Final = "smollm2"
WINDOW: Final = 150
"""Units that are read at a time: memory and time stay bounded on long texts."""
LONGEST: Final = 512
"""Pieces of a window that are read; what follows in it counts for nothing."""
SEAM: Final = "\n"


class Network:
    """A causal language model, or a text classifier where its configuration says so.

    Safetensors and tokenizer.json only, no code of the model's; "smollm2" is the pinned small
    model, its 4-bit weights widened.
    """

    def __init__(self, model: str) -> None:
        self.torch, transformers = _library("torch"), _library("transformers")
        transformers.utils.logging.disable_progress_bar()
        if model == LOCAL:
            path = locate("smollm2", "model")
            given: dict[str, Any] = {"gguf_file": path.name}
            folder, facts = path.parent, [ASSETS["smollm2"].members["model"].sha256]
            _library("gguf")
            # The library's own reading of this tokenizer loses the rule for digits.
            spec = tokenizer_spec.plain(tokenizer_spec.from_gguf(GgufFile(path)))
            self._tokenizer = tokenizer_spec.load(spec.json)
            self.classifies = False
        else:
            folder = model_folder(model)
            given = {"use_safetensors": True}
            self.classifies = _classifies(folder)
            files = [*sorted(folder.glob("*.safetensors")), folder / "config.json"]
            facts = [digest(file) for file in [*files, folder / TOKENIZER]]
            self._tokenizer = _library("tokenizers").Tokenizer.from_file(str(folder / TOKENIZER))
            self._tokenizer.no_padding()
            self._tokenizer.no_truncation()
        kind = "SequenceClassification" if self.classifies else "CausalLM"
        self.module = _opened(getattr(transformers, f"AutoModelFor{kind}"), folder, given)
        facts += [f"{name} {version(name)}" for name in ("torch", "transformers")]
        self.fingerprint = hashlib.sha256("\n".join(facts).encode()).hexdigest()

    def inputs(self, text: str, task: str) -> tuple[list[int], list[tuple[int, int]]]:
        """Pieces of a text, and after them those of the task; where each lies in the text.

        Pieces of the task, and those that a classifier adds, lie nowhere: (0, 0).
        """
        if self.classifies:
            encoded = self._tokenizer.encode(text)
            if len(encoded.ids) <= LONGEST:
                return encoded.ids, encoded.offsets
            ids = [*encoded.ids[: LONGEST - 1], encoded.ids[-1]]
            return ids, [*encoded.offsets[: LONGEST - 1], (0, 0)]
        encoded = self._tokenizer.encode(text, add_special_tokens=False)
        asked = self._tokenizer.encode(SEAM + task, add_special_tokens=False).ids[:LONGEST]
        ids = [*encoded.ids[:LONGEST], *asked]
        return ids, [*encoded.offsets[:LONGEST], *[(0, 0)] * len(asked)]


def windows(units: Units) -> Iterator[tuple[slice, int, str]]:
    """Stretches of units, where each begins in the text, and what it holds."""
    for first in range(0, len(units), WINDOW):
        last = min(first + WINDOW, len(units))
        start, end = int(units.starts[first]), int(units.ends[last - 1])
        yield slice(first, last), start, units.text[start:end]


def on_units(
    units: Units, where: slice, start: int, offsets: list[tuple[int, int]], values: Raw
) -> Raw:
    """The largest value of any piece that touches each unit of a window."""
    scores = np.zeros(where.stop - where.start, dtype=np.float32)
    starts, ends = units.starts[where] - start, units.ends[where] - start
    for (low, high), value in zip(offsets, values.tolist(), strict=True):
        if low < high:
            first = np.searchsorted(ends, low, side="right")
            last = np.searchsorted(starts, high, side="left")
            np.maximum(scores[first:last], value, out=scores[first:last])
    return scores


def _classifies(folder: Path) -> bool:
    try:
        config = json.loads((folder / "config.json").read_bytes())
    except (OSError, ValueError):
        config = None
    if not isinstance(config, dict):
        raise AssetError(f"{folder.name} has no config.json that can be read")
    return any("SequenceClassification" in name for name in config.get("architectures") or [])


def _opened(kind: Any, folder: Path, given: dict[str, Any]) -> Any:
    try:
        with redirect_stderr(StringIO()):  # bars that cannot be switched off
            module = kind.from_pretrained(
                str(folder),
                local_files_only=True,
                trust_remote_code=False,
                attn_implementation="eager",
                dtype="float32",
                **given,
            )
        return module.eval()
    except Exception as error:
        trouble = type(error).__name__
    raise AssetError(
        f"{folder.name} cannot be loaded by transformers ({trouble}). It needs config.json of a "
        "known kind, safetensors weights and tokenizer.json"
    )


def _library(name: str) -> Any:
    return optional(name, "transformers", "importance by gradients or attention")


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


SINK: Final = 1
"""Pieces at the beginning at which networks look when there is nothing to look at."""


class Attention(Saliency):
    """A word is important if the network attends to it.

    From the pieces of the task, or with a classifier from all pieces; mean over heads and layers.
    """

    name = "attention"

    def _values(self, ids: list[int], offsets: list[tuple[int, int]]) -> Raw:
        torch, module = self._network.torch, self._network.module
        with torch.inference_mode():
            seen = module(torch.tensor([ids]), output_attentions=True).attentions
        looks = torch.stack(seen).mean(dim=(0, 1, 2))
        if not self._network.classifies:
            looks = looks[[place for place, (low, high) in enumerate(offsets) if low == high]]
        values: Raw = looks.mean(dim=0).numpy().copy()
        values[:SINK] = 0
        return values


Score: TypeAlias = Callable[[Sequence[str], str], Sequence[float]]
"""From variants of one text and the task to how well the task can be done on each; local!"""
OCCLUSION_VERSION: Final = "1"
MASK: Final = "..."


class Occlusion:
    """A word is important if `score` falls when it is left out.

    `score` is a function, or "module:function" in a policy file; it sees the text unprotected.
    At most `calls` variants of a text are scored, `batch` at a time: longer texts are left out
    in stretches of several words. The score is the share of the text's own words that matter
    less.
    """

    name = "occlusion"
    scope = Scope.context("what a function makes of the text without the unit")

    def __init__(
        self,
        space: Space,  # noqa: ARG002 - every importance is made for a space
        *,
        score: Score | str,
        tau: float = TAU,
        calls: int = 256,
        batch: int = 32,
    ) -> None:
        self._tau = check_tau(tau)
        for name, value in (("calls", calls), ("batch", batch)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise PolicyError(f"importance: {name} is a whole number, 1 or more")
        self._score = _loaded(score) if isinstance(score, str) else score
        if not callable(self._score):
            raise PolicyError('importance: score is a function, or "module:function"')
        self._calls, self._batch = calls, batch
        place = f"{getattr(self._score, '__module__', '')}:{getattr(self._score, '__name__', '')}"
        self.fingerprint = fingerprint(
            self.name, version=OCCLUSION_VERSION, tau=self._tau, calls=calls, score=place
        )

    def score(self, batch: Sequence[Units], tasks: Sequence[str | None]) -> list[Scores]:
        scores = []
        for units, task in zip(batch, tasks, strict=True):
            if not task or not task.strip():
                scores.append(nothing(len(units), NO_TASK))
            else:
                scores.append(Scores(text_shares(self._falls(units, task)), self._tau))
        return scores

    def _falls(self, units: Units, task: str) -> Raw:
        """By how much the score falls without each unit; rises count for nothing."""
        if not len(units):
            return np.zeros(0, dtype=np.float32)
        stretch = -(-len(units) // self._calls)
        firsts = list(range(0, len(units), stretch))
        [score] = self._asked([units.text], task)
        left: list[float] = []
        for low in range(0, len(firsts), self._batch):
            some = firsts[low : low + self._batch]
            left += self._asked([_without(units, first, stretch) for first in some], task)
        falls = np.repeat(np.maximum(score - np.array(left), 0), stretch)[: len(units)]
        return falls.astype(np.float32)

    def _asked(self, texts: list[str], task: str) -> list[float]:
        scores = [float(value) for value in self._score(texts, task)]
        if len(scores) != len(texts) or not np.isfinite(scores).all():
            raise ValueError("a score is one finite number for each text")
        return scores


def _without(units: Units, first: int, stretch: int) -> str:
    last = min(first + stretch, len(units)) - 1
    return units.text[: units.starts[first]] + MASK + units.text[units.ends[last] :]


def _loaded(place: str) -> Score:
    module, _, name = place.partition(":")
    try:
        function: Score = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError):
        pass
    else:
        return function
    raise PolicyError(f'importance: there is no function "{place}"; write score = "module:name"')
