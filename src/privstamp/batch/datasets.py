"""Datasets of Hugging Face: the cache knows a release by data, plan and secret."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from privstamp.batch.engine import check_frequencies, counted, task
from privstamp.batch.frequencies import Occurrences
from privstamp.batch.plan import wanted


def privatize(dataset: Any, columns: Any, *, secret: str | None = None, jobs: int = 1) -> Any:
    """The dataset, or each of a DatasetDict, released by a plan, through `map`, with its cache."""
    datasets = wanted("datasets", "datasets")
    work = task(columns, secret)
    if isinstance(dataset, datasets.DatasetDict):
        released = {
            name: privatize(split, work.plan, secret=work.secret, jobs=jobs)
            for name, split in dataset.items()
        }
        return datasets.DatasetDict(released)

    def occurrences(name: str) -> Occurrences:
        """Of the rows that are left after a `select` or `filter`, which keep the whole table."""
        return counted(dataset.select_columns([name]).with_format("arrow")[:])(name)

    schema = work.schema(dataset.features.arrow_schema)
    check_frequencies(work.plan, occurrences)
    known = (dataset._fingerprint + work.fingerprint).encode()
    released = dataset.with_format("arrow").map(
        work.table,
        batched=True,
        remove_columns=dataset.column_names,
        features=datasets.Features.from_arrow_schema(schema),
        num_proc=None if jobs == 1 else jobs,
        new_fingerprint=blake2b(known, digest_size=8).hexdigest(),
        load_from_cache_file=True,
    )
    return released.with_format(None)
