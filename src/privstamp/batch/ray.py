"""Datasets of Ray: actors that load once, fewer than there are CPUs, which have to read as well."""

from __future__ import annotations

import os
from typing import Any

import pyarrow as pa

from privstamp.batch.engine import EngineTask, check_frequencies, task
from privstamp.batch.frequencies import Occurrences
from privstamp.batch.plan import wanted
from privstamp.batch.secret import refuse_configured
from privstamp.errors import UsageError


class Actor:
    """Has the models, and is given tables."""

    def __init__(self, work: EngineTask) -> None:
        pa.set_cpu_count(1)
        self._work = work

    def __call__(self, table: pa.Table) -> pa.Table:
        return self._work.table(table)


def privatize(
    dataset: Any, columns: Any, *, secret: str | None = None, actors: int | None = None
) -> Any:
    """The dataset released by a plan; `secret` is a place on every machine that works."""
    ray = wanted("ray", "ray")
    work = task(columns, secret)
    runtime = ray.get_runtime_context().runtime_env if ray.is_initialized() else {}
    refuse_configured(work.secret, (runtime.get("env_vars") or {}), "Ray")
    if told := work.plan.check(dataset.columns() or work.plan.columns):  # None: it has no rows
        raise UsageError("; ".join(told))
    check_frequencies(work.plan, lambda name: _occurrences(dataset, name))
    resources: dict[str, float] = ray.cluster_resources()
    free = int(resources.get("CPU", os.cpu_count() or 1)) - 1
    return dataset.map_batches(
        Actor,
        fn_constructor_args=(work,),
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=max(1, free if actors is None else actors)),
        num_cpus=1,
    )


def _occurrences(dataset: Any, name: str) -> Occurrences:
    """Counted where the data are: there may be as many values as rows."""
    aggregates = wanted("ray.data.aggregate", "ray")
    filled = dataset.select_columns([name]).filter(lambda row: row[name] not in (None, ""))
    counts = filled.groupby(name).count().rename_columns({"count()": "times"})
    told = counts.aggregate(aggregates.Max("times"), aggregates.Sum("times"), aggregates.Count())
    most, times, distinct = (int(told[key] or 0) for key in ("max(times)", "sum(times)", "count()"))
    return Occurrences(most, times - distinct, dataset.count())
