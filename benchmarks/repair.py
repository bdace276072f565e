"""What a coherence repair does to releases: fluency, meaning, how much passes, seconds.

    python benchmarks/repair.py run MODEL [--presets readable,stamp] [--texts 5]   adds results
    python benchmarks/repair.py table                                             docs' table

MODEL is whatever `[repair] name` can be, or smollm2 to see what too small a model does. Texts are
those of benchmarks/presets.py; releases are seeded, so that every model repairs the same ones. Loss
is the mean negative log probability of a word, in nats, by the language model smollm2; cosine is
that of MiniLM's sentence vectors to the original text. Both are of the same releases, before and
after the repair. CPU seconds are those of the model's process, one thread, loading included.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

import numpy as np
from texts import TEXTS

from privstamp import Policy, Privatizer
from privstamp.assets.store import locate
from privstamp.importance.relevance import MiniLM
from privstamp.policy import Part
from privstamp.protocols import LanguageModel
from privstamp.registry import MODELS, REPAIRS
from privstamp.result import Result

RESULTS = Path(__file__).parent / "results" / "repair.json"
PRESETS = "readable,stamp"
OUTCOMES = ("repaired", "unchanged", "refused", "failed")


def cosine(encoder: MiniLM, one: str, two: str) -> float:
    first, second = encoder.sentence(one), encoder.sentence(two)
    return float(first @ second / (np.linalg.norm(first) * np.linalg.norm(second)))


def loss(judge: LanguageModel, texts: Sequence[str]) -> float:
    total = sum(judge.loss(text)[0] for text in texts)
    return total / sum(len(text.split()) for text in texts)


def measure(model: str, preset: str, count: int) -> dict[str, Any]:
    """The same seeded releases, before and after."""
    name = f"gguf:{locate(model, 'model')}" if model == "smollm2" else model
    policy = Policy.preset(preset).model_copy(update={"repair": Part(name=name)})
    line = Privatizer(policy, seed=1)
    since = sum(getrusage(RUSAGE_CHILDREN)[:2])
    tasks, texts = zip(*list(TEXTS.values())[:count], strict=True)
    results = [one for one in line.privatize_many(texts, tasks) if isinstance(one, Result)]
    line.parts.repair.close()  # type: ignore[union-attr]
    used = getrusage(RUSAGE_CHILDREN)
    before = [one.unrepaired or one.text for one in results]
    after = [one.text for one in results]
    facts = [one.certificate.repair for one in results if one.certificate.repair is not None]
    words = sum(len(text.split()) for text in before)
    encoder = MiniLM()
    with MODELS.build("smollm2", {}) as judge:
        return {
            "model": model,
            "preset": preset,
            "texts": len(results),
            "words": words,
            **{name: sum(getattr(one, name) for one in facts) for name in OUTCOMES},
            "reasons": dict(sum((Counter(one.reasons) for one in facts), Counter())),
            "loss": [round(loss(judge, some), 2) for some in (texts, before, after)],
            "cosine": [
                round(float(np.mean(list(map(partial(cosine, encoder), texts, some)))), 3)
                for some in (before, after)
            ],
            "cpu_seconds_per_word": round((used.ru_utime + used.ru_stime - since) / words, 3),
            "shown": [list(pair) for pair in zip(before, after, strict=True)],
        }


def table(rows: list[dict[str, Any]]) -> str:
    head = (
        "| model | preset | windows repaired / unchanged / refused / failed | loss per word "
        "original / released / repaired | cosine released / repaired | CPU seconds per word |\n"
        "|---|---|---|---|---|---|\n"
    )
    lines = [
        f"| `{row['model']}` | `{row['preset']}` | {row['repaired']} / {row['unchanged']} / "
        f"{row['refused']} / {row['failed']} | {' / '.join(f'{x:.2f}' for x in row['loss'])} | "
        f"{' / '.join(f'{x:.3f}' for x in row['cosine'])} | {row['cpu_seconds_per_word']:.2f} |\n"
        for row in rows
    ]
    return head + "".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run")
    run.add_argument("model", help=f"one of {', '.join(e.name for e in REPAIRS.entries())}")
    run.add_argument("--presets", default=PRESETS)
    run.add_argument("--texts", type=int, default=5)
    commands.add_parser("table")
    wanted = parser.parse_args()
    rows = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    if wanted.command == "table":
        print(table(rows))
        return
    for preset in wanted.presets.split(","):
        rows = [r for r in rows if (r["model"], r["preset"]) != (wanted.model, preset)]
        rows.append(measure(wanted.model, preset, wanted.texts))
        RESULTS.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
        print(table(rows[-1:]))


if __name__ == "__main__":
    main()
