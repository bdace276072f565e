"""The line, built and run while something moves on standard error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from privstamp.assets.cache import announce
from privstamp.cli.interrupts import stop_if_interrupted
from privstamp.cli.output import DraftFile
from privstamp.cli.policy_file import warnings
from privstamp.cli.screen import building, err, tell, warn, working
from privstamp.cli.source import pieces
from privstamp.errors import UsageError
from privstamp.lab.progress import StageTimes
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.policy.trust import hosts
from privstamp.release.certificate import Certificate
from privstamp.restore.entry import Undo
from privstamp.restore.map import LARGEST, in_parts
from privstamp.result import Result

if TYPE_CHECKING:
    from privstamp.batch.large import Large


def privatizer(policy: Policy, *, seed: int | None = None) -> Privatizer:
    """A Privatizer for a policy; long preparations are shown on standard error.

    Other machines are named before anything is asked of them or sent there.
    """
    for host, use in hosts(policy).items():
        tell(f"{host} {use}")
    announce(building)
    with working("reading the models"):
        return Privatizer(policy, seed=seed)


def privatized(
    policy: Policy,
    text: str,
    task: str | None,
    *,
    private_task: bool = False,
    seed: int | None = None,
    trace: bool = False,
    stages: StageTimes | None = None,
) -> tuple[Privatizer, Result]:
    """One release, with a bar that shows stage and share where a person is looking.

    `stages` learns how long each took.
    """
    from privstamp.lab.progress import bar

    line = privatizer(policy, seed=seed)
    for warning in warnings(policy, line.parts):
        warn(warning)
    with bar("reading", transient=True, console=err()) as progress:

        def watch(stage: str, done: float) -> None:
            progress(stage, done)
            if stages is not None:
                stages(stage, done)

        line.watch(watch)
        return line, line.privatize(text, task, private_task=private_task, trace=trace)


# privstamp privatize --large: part by part, and nothing appears before all of it is done.

PRIVATE = ("--map", "--certificate")


def privatize_large(
    policy: Policy, source: str, targets: Mapping[str, Path | None], *, seed: int | None
) -> Certificate:
    """One release to the file under `-o`, its map and its certificate, all of them or none."""
    from privstamp.batch.large import Large

    with ExitStack() as files:
        drafts: dict[str, DraftFile] = {}
        for option, target in targets.items():
            if target is None:
                continue
            if target.exists() and not target.is_file():
                raise UsageError(f"{option}: with --large {target} must be an ordinary file")
            draft = DraftFile(target, option=option, private=option in PRIVATE)
            drafts[option] = files.enter_context(draft)
        line = privatizer(policy, seed=seed)
        for warning in warnings(policy, line.parts):
            warn(warning)
        run = Large(line)
        released = _written(run, source, drafts["-o"])
        mapped = 0
        for piece in in_parts(released, run.entries):
            mapped += len(piece)
            if "--map" in drafts:
                drafts["--map"].add(piece)
        if "--map" in drafts and mapped > LARGEST:
            raise UsageError("--map: the map would be too large to be read; split the text")
        certificate = run.certificate
        if "--certificate" in drafts:
            drafts["--certificate"].add(certificate.to_json() + "\n")
        stop_if_interrupted()
        for option in (*PRIVATE, "-o"):  # the text last: never without its map
            if option in drafts:
                drafts[option].publish()
                files.callback(drafts[option].retract)
        files.pop_all()
    return certificate


def _written(run: Large, source: str, draft: DraftFile) -> Iterator[tuple[int, Undo]]:
    """Writes each part and gives its length and what undoes it, with a bar for who is looking."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn

    console = err()
    columns = BarColumn(), DownloadColumn(), TimeRemainingColumn()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bars:
        bar = bars.add_task("", total=None)

        def texts() -> Iterator[str]:
            for text in pieces(source, lambda size: bars.update(bar, total=size)):
                stop_if_interrupted()
                bars.advance(bar, len(text.encode()))
                yield text

        for text, exact in run.released(texts()):
            draft.add(text)
            yield len(text), exact
