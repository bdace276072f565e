"""What a job would do: rows, time, and what would leave unprotected. Nothing is released."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from privstamp.batch import secret as secrets
from privstamp.batch.rows import Rows

if TYPE_CHECKING:
    from privstamp.batch.job import Job

SAMPLE: Final = 8
"""Pieces that a sample is taken from, at least."""
ROWS: Final = 40
"""Rows of each."""
READS: Final = 2
"""How often a job reads its input, beside what it is digested for."""


@dataclass
class Spent:
    """Time that a step took: seconds of the clock, and of this process."""

    passed: float = 0.0
    cpu: float = 0.0

    @contextmanager
    def counted(self) -> Iterator[None]:
        began, worked = time.perf_counter(), time.process_time()
        yield
        self.passed += time.perf_counter() - began
        self.cpu += time.process_time() - worked


def forecast(job: Job) -> dict[str, Any]:
    """From a sample of the job's own rows, spread over its files, released to nobody.

    CPU seconds are those of all its processes, and the same on a busy machine; the seconds hold
    for a machine that is as busy with other work as now.
    """
    start = time.process_time()  # of the program, as a job starts too
    read, loaded, spent = Spent(), Spent(), Spent()
    with read.counted():
        job.prepared(sample=SAMPLE)
    plan, survey = job.plan, job.survey
    secret = secrets.read(job.secret or plan.secret)
    with loaded.counted():
        rows = Rows(plan, secret).warmed()
    characters = tried = units = unprotected = rejected = 0
    for piece in survey.sample:
        step = max(1, piece.batch.num_rows // ROWS)
        part = piece.batch.take(list(range(0, piece.batch.num_rows, step))[:ROWS])
        with spent.counted():
            outcome = rows(part)
            table = outcome.facts.table()
        tried += part.num_rows
        rejected += len(outcome.rejected)
        for name in plan.texts:
            characters += sum(len(text or "") for text in part.column(name).to_pylist())
        units += sum(table.column("units").to_pylist())
        unprotected += sum(table.column("unprotected").to_pylist())
    total = sum(survey.rows.values())
    share = survey.characters / characters if characters else total / max(tried, 1)
    workers = min(job.jobs, os.cpu_count() or 1)
    return {
        "rows": total,
        "characters of text": survey.characters,
        "rows tried": tried,
        "rows rejected of those": rejected,
        "CPU seconds": start + READS * read.cpu + loaded.cpu + spent.cpu * share,
        "seconds": READS * read.passed + loaded.passed + spent.passed * share / workers,
        "released as they are, UNPROTECTED": plan.named("release"),
        "share of units in texts that leave as they are": unprotected / max(units, 1),
        "dropped": plan.named("drop"),
        "damaged files": sorted(survey.damaged),
    }
