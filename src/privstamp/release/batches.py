"""Texts and their tasks as documents, a bounded number at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat

from privstamp.errors import (
    AssetError,
    InputError,
    MissingExtra,
    PrivstampError,
    StageFailed,
    UsageError,
    guarded,
)
from privstamp.release.document import Document


def each(step: Callable[[Document], None]) -> Callable[[list[Document]], None]:
    def run(documents: list[Document]) -> None:
        for document in documents:
            step(document)

    return run


def stage(name: str, jobs: Sequence[Document], step: Callable[[list[Document]], None]) -> None:
    """Run a stage on all documents that are still whole; after a failure, on each alone."""
    live = [job for job in jobs if job.error is None]
    if not live:
        return
    try:
        guarded(name, step, live)
    except PrivstampError as error:
        failed = error
    else:
        return
    if len(live) == 1:
        live[0].error = stripped(name, failed)
        return
    for job in live:
        stage(name, [job], step)


def stripped(stage: str, error: PrivstampError) -> PrivstampError:
    """The error without what it was raised from: a careless part may have put text there."""
    if not isinstance(error, UsageError | AssetError | MissingExtra | StageFailed):
        error = StageFailed(f"{stage} failed ({type(error).__name__}); nothing was released")
    error.__cause__ = error.__context__ = None
    return error.with_traceback(None)


BATCH_CHARACTERS = 200_000
BATCH_DOCUMENTS = 256
SHARE = 16
"""How much smaller batches for processes are: each has work soon, and loses little if ended."""


def batched(
    texts: Iterable[str],
    tasks: Iterable[str | None] | str | None,
    make: Callable[[int, str, str | None], Document],
    *,
    share: int = 1,
) -> Iterator[list[Document]]:
    """Documents in order; those before a text without a task come before the error."""
    each = repeat(tasks) if tasks is None or isinstance(tasks, str) else iter(tasks)
    end = object()
    batch: list[Document] = []
    size = 0
    for index, text in enumerate(texts):
        task = next(each, end)
        if task is end:
            yield batch
            raise InputError(f"there are more texts than tasks: text {index} has none")
        batch.append(make(index, text, task))  # type: ignore[arg-type]
        size += len(text) if isinstance(text, str) else 0
        if size * share >= BATCH_CHARACTERS or len(batch) * share >= BATCH_DOCUMENTS:
            yield batch
            batch, size = [], 0
    yield batch
    if not isinstance(each, repeat) and next(each, end) is not end:
        raise InputError("there are more tasks than texts")
