"""What a question to the language model costs, and which start marker fits: docs/guides/models.md.

    python benchmarks/language_model.py [--write]

Steps: a prefix that grows by one word of one piece, all 49,152 log probabilities each time. Beside
it the way not taken, xllamacpp's own server object, asked in-process for the n most likely pieces.
`--write` stores the numbers in benchmarks/results/language_model.json.
"""

from __future__ import annotations

import json
import secrets
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import xllamacpp

from privstamp.assets.store import locate
from privstamp.models.llama import SmolLM2Model

RESULTS = Path(__file__).parent / "results" / "language_model.json"
START = "The doctor went to the hospital because she was late for the"
ON = " first meeting of the day with her new boss and all the other people in the room"
MARKERS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")  # pieces 0, 1, 2
TEXTS = (
    "The patient was seen on Tuesday and complained of a dry cough that had lasted for two weeks.",
    "Dear Ms Harper, thank you for your order. We are sorry that the kettle arrived broken; a new "
    "one is on its way.",
    "the food was good but we waited almost an hour for our table, would not go again",
    "Under the terms of the lease the tenant shall pay the rent on the first day of every month.",
)


def milliseconds(ask: Any) -> float:
    """The median over a prefix that grows word by word."""
    ask(START)
    taken, prefix = [], START
    for word in ON.split():
        prefix += " " + word
        before = perf_counter()
        ask(prefix)
        taken.append(perf_counter() - before)
    return round(1000 * median(taken), 1)


def server_milliseconds() -> dict[str, float]:
    params = xllamacpp.CommonParams()
    params.model.path = str(locate("smollm2", "model"))
    params.n_ctx, params.n_parallel, params.verbosity = 768, 1, -1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.api_keys = [secrets.token_hex(32)]
    server = xllamacpp.Server(params)

    def ask(prefix: str, count: int) -> None:
        server.handle_completions(
            {"prompt": prefix, "max_tokens": 1, "logprobs": count, "cache_prompt": True}
        )

    counts = (10, 1_000, 4_000, 49_152)
    return {f"{n:,}": milliseconds(lambda prefix, n=n: ask(prefix, n)) for n in counts}


def main() -> None:
    found: dict[str, Any] = {"xllamacpp": xllamacpp.__version__}
    with SmolLM2Model() as model:
        before = perf_counter()
        _, count = model.loss(" ".join(TEXTS * 4))
        found["ms per piece of loss"] = round(1000 * (perf_counter() - before) / count, 1)
        found["ms per step"] = milliseconds(model.next_logprobs)
        found["ms per repeated question"] = milliseconds(lambda _: model.next_logprobs(START))
        backend: Any = model._backend
        found["loss per piece by start marker"] = {}
        for backend.start, marker in enumerate(MARKERS):
            losses = [model.loss(text) for text in TEXTS]
            mean = sum(total for total, _ in losses) / sum(count for _, count in losses)
            found["loss per piece by start marker"][marker] = round(mean, 2)
    found["server, ms by number of pieces"] = server_milliseconds()
    print(json.dumps(found, indent=2))
    if "--write" in sys.argv:
        RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
