"""Full-text reconstruction: a model at an endpoint reads a release and guesses the original.

Only released text is sent. It is released anew, with noise of the operating system: everything else
in an audit is drawn under a seed that may be known, and whoever knows it can undo the noise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from privstamp.errors import StageFailed
from privstamp.lab.audit.leakage import sensitive_spans
from privstamp.lab.audit.subject import Subject, Text, perturbed, traced
from privstamp.lab.audit.verdict import Section, shares
from privstamp.lab.estimate import Estimate
from privstamp.models.endpoint import Endpoint
from privstamp.models.replies import Prompt
from privstamp.result import Result

TITLE: Final = "Reconstruction of whole texts by a model at an endpoint"
SYSTEM: Final = (
    "You help to test how well a text hides its original. Before you saw it, many of its words "
    "were exchanged for others: names, places, numbers and dates for invented ones, other words "
    "for words of similar meaning or for unrelated ones. Reconstruct the original text. Wherever "
    "a word does not fit its surroundings, write the word that most likely stood there; keep what "
    "fits. Answer with the reconstructed text only, as complete as the one you are given."
)
TEMPERATURE: Final = 0.2
_LEAST, _MOST = 256, 8192  # tokens of a reply
_WORD: Final = re.compile(r"\w+")
_NONE: Final = "no endpoint is configured (--endpoint URL --endpoint-model NAME)"


SPANS: Final = "sensitive spans"
_NOTHING: Final = "nothing to guess in the sample"


@dataclass(frozen=True, repr=False)
class _Guess:
    """Something of the original: is it in the reply, and was it in the release already?"""

    kind: str
    reconstructed: bool
    floor: bool
    name: str


def reconstruction(subject: Subject, told: Callable[[float], None]) -> Section:
    """Share of sensitive spans and of perturbed words that the model's text holds."""
    endpoint = subject.endpoint
    if endpoint is None:
        return _empty(_NONE, ())
    privatizer = subject.privatizer.with_noise()
    results = [privatizer.privatize(one.text, one.task, trace=True) for one in subject.texts]
    told(0.2)
    sent = (
        f"sent to {endpoint.host}, model {endpoint.model}: the released texts, {len(results)} of "
        "them, and nothing else of the sample",
        "They were released anew with fresh noise, which spends their budget once more; the "
        "figures therefore differ from one audit to the next.",
    )
    try:
        replies = _ask(endpoint, results)
    except StageFailed as error:
        return _empty(str(error), sent)
    told(0.9)
    guesses: list[_Guess] = []
    for text, result, reply in zip(subject.texts, results, replies, strict=True):
        guesses += _guesses(text, result, reply)
    private = {
        f'"{guess.name}" was reconstructed': None
        for guess in guesses
        if guess.kind == SPANS and guess.reconstructed > guess.floor
    }
    remarks = (
        *sent,
        "floor: the share that the released text holds already, kept or come back by chance",
        "new: of what the released text no longer holds, the share that the model named",
        "A model that declines guesses nothing, and a better one guesses more: this is no bound.",
    )
    rows = [_row(kind, guesses) for kind in sorted({guess.kind for guess in guesses})]
    return Section("reconstruction", TITLE, _figures(guesses), rows, remarks, True,
                   tuple(private))  # fmt: skip


def _ask(endpoint: Endpoint, results: list[Result]) -> list[str]:
    prompts = [Prompt(one.text, SYSTEM) for one in results]
    longest = max(len(one.text) for one in results)
    most = min(_MOST, max(_LEAST, longest // 2))  # about twice as long as the text
    replies = endpoint.complete(prompts, temperature=TEMPERATURE, max_tokens=most)
    return [one.text for one in replies]


def _guesses(text: Text, result: Result, reply: str) -> list[_Guess]:
    trace = traced(result)
    guess, release = _folded(reply), _folded(result.text)
    found = []
    for before, _after in sensitive_spans(text, trace):
        if name := _folded(before).strip():
            held = f" {name} "
            found.append(_Guess(SPANS, held in guess, held in release, before))
    for index in np.flatnonzero(perturbed(trace)).tolist():
        word = trace.units.surface(index)
        if _folded(word).strip():
            kind = f"group {int(trace.grouping.groups[index])}"
            held = _folded(word)
            found.append(_Guess(kind, held in guess, held in release, word))
    return found


def _folded(text: str) -> str:
    """Words in lower case with a blank before and after each."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _figures(guesses: list[_Guess]) -> dict[str, Estimate]:
    figures = {}
    for of, spans in (("sensitive", True), ("words", False)):
        some = [guess for guess in guesses if (guess.kind == SPANS) == spans]
        new = [guess for guess in some if not guess.floor]
        figures[f"reconstructed_{of}"] = _share(some, "reconstructed")
        figures[f"reconstructed_{of}_floor"] = _share(some, "floor")
        figures[f"reconstructed_{of}_new"] = _share(new, "reconstructed")
    return figures


def _row(kind: str, guesses: list[_Guess]) -> dict[str, Any]:
    some = [guess for guess in guesses if guess.kind == kind]
    told = {name: _share(some, name) for name in ("reconstructed", "floor")}
    return {"what": kind, "count": len(some), **told}


def _share(guesses: list[_Guess], name: str) -> Estimate:
    return shares([vars(guess) for guess in guesses], [name], _NOTHING)[name]


def _empty(why: str, remarks: tuple[str, ...]) -> Section:
    figures = dict.fromkeys(_figures([]), Estimate.missing(why))
    return Section("reconstruction", TITLE, figures, [], remarks)
