"""One stage over many documents: after a failure each goes alone, and errors hold no text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from privstamp.errors import (
    AssetError,
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
