"""The default beside spaCy's recogniser and Presidio's batch engine, and what a first call takes.

    python benchmarks/selective_speed.py [FILE.csv.gz ...] [--documents 200] [--write]

Documents of 160 words from each file's lines, else the shipped passages. CPU seconds of one thread;
all ways in one process, in turn, on words that none met before the first turn; medians count.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"

from presidio_analyzer import BatchAnalyzerEngine  # noqa: E402
from same_entities import documents  # noqa: E402

from privstamp import Privatizer  # noqa: E402
from privstamp.lab.bench.line import documents as passages  # noqa: E402
from privstamp.lab.bench.line import note, presidio_engine  # noqa: E402
from privstamp.policy import Part, Policy  # noqa: E402
from privstamp.result import Failure  # noqa: E402
from privstamp.sensitivity.ner import find_model, recogniser  # noqa: E402

RESULTS = Path(__file__).parent / "results" / "selective_speed.json"
TURNS, EVERY = 5, 4
COMMAND = "import sys; from privstamp.cli import main; sys.argv[0] = 'privstamp'; main()"


def first_call() -> Iterator[float]:
    """CPU seconds of `privstamp privatize` on a note: with an empty cache, then again."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "note.txt")
        text.write_text(note(), encoding="utf-8")
        for _ in range(2):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(  # noqa: S603 - this Python
                [sys.executable, "-c", COMMAND, "privatize", str(text)],
                env=os.environ | {"PRIVSTAMP_CACHE": str(Path(folder, "cache"))},
                check=True,
                capture_output=True,
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            yield after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def rates(texts: Sequence[str], ways: dict[str, Callable[[Sequence[str]], object]]) -> dict:
    """Documents per CPU second by each way; the slowest reads one document of four."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(TURNS):
        for name, way in ways.items():
            share = texts[::EVERY] if name == "presidio_batch" else texts
            start = time.process_time()
            way(share)
            seconds[name].append((time.process_time() - start) / len(share))
    return {name: 1 / statistics.median(taken) for name, taken in seconds.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    cold, warm = first_call()
    texts = [text for path in given.files for text in islice(documents(path), given.documents)]
    line = Privatizer(seed=1)
    mapped = Privatizer(Policy(sensitivity=Part(name="lexicon")), seed=1)
    texts = texts or passages(120)
    results = list(line.privatize_many(texts))
    read = [t for t, one in zip(texts, results, strict=True) if not isinstance(one, Failure)]
    nlp, peer = recogniser(find_model("en", None)), BatchAnalyzerEngine(presidio_engine())
    ways: dict[str, Callable[[Sequence[str]], object]] = {
        "selective": lambda some: list(line.privatize_many(some)),
        "selective_one_by_one": lambda some: [line.privatize(text) for text in some],
        "public_map": lambda some: list(mapped.privatize_many(some)),
        "spacy": lambda some: list(nlp.pipe(some, batch_size=32)),  # quicker than its default
        "spacy_one_by_one": lambda some: [nlp(text) for text in some],
        "presidio_batch": lambda some: list(peer.analyze_iterator(some, "en", batch_size=64)),
    }
    found = rates(read, ways)
    record = {
        "documents": len(read),
        "per_cpu_second": {name: round(rate, 1) for name, rate in found.items()},
        "many_over_spacy": round(found["selective"] / found["spacy"], 2),
        "one_over_spacy": round(found["selective_one_by_one"] / found["spacy_one_by_one"], 2),
        "selective_over_presidio_batch": round(found["selective"] / found["presidio_batch"], 2),
        "public_map_over_presidio_batch": round(found["public_map"] / found["presidio_batch"], 2),
        "first_call_cpu_seconds": round(cold, 2),
        "next_call_cpu_seconds": round(warm, 2),
    }
    if given.write:
        RESULTS.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(record, indent=1))


if __name__ == "__main__":
    main()
