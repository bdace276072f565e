"""privstamp batch: whole tables, on all cores, taken up again where they were stopped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option
from typer.core import TyperGroup

from privstamp.cli.interrupts import forget
from privstamp.cli.options import PRINCIPAL, Json, KeyFile, StoreFile
from privstamp.cli.output import put
from privstamp.cli.screen import err, tell, warn
from privstamp.errors import PrivstampError, UsageError

if TYPE_CHECKING:
    from privstamp.batch.job import Charge, Job, JobOutcome
    from privstamp.batch.plan import Plan

RUN_EXAMPLES = """
privstamp batch tickets/ --out private/ --columns columns.toml --jobs 4
privstamp batch tickets/ --out private/ --columns columns.toml --dry-run
zcat tickets.jsonl.gz | privstamp batch - --columns columns.toml > private.jsonl
"""
INIT_EXAMPLES = """
privstamp batch init tickets/ > columns.toml
"""
STATUS_EXAMPLES = """
privstamp batch status private/
"""
VERIFY_EXAMPLES = """
privstamp batch verify private/ --against tickets/
"""
SEED = 1  # of an audit's own draws
OF_FILES = "--out", "--dry-run", "--audit", "--principal", "--json", "--jobs", "another INPUT"
Inputs = Annotated[
    list[str],
    Argument(metavar="INPUT", help="Folders, files and patterns; - is JSON lines from a pipe."),
]
Columns = Annotated[
    Path, Option("--columns", metavar="FILE", help="The plan: what becomes of every column.")
]
Out = Annotated[Path, Argument(metavar="FOLDER", help="The output of a job.")]
Secret = Annotated[
    str | None,
    Option("--secret", metavar="PLACE", help="file:PATH or env:NAME, in place of the plan's."),
]


class Group(TyperGroup):
    """`privstamp batch INPUT` is `privstamp batch run INPUT`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in (*self.commands, "-h", "--help"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


def run(
    inputs: Inputs,
    columns: Columns,
    out: Annotated[
        Path | None,
        Option("--out", metavar="FOLDER", help="Where parts, records and the certificate go."),
    ] = None,
    secret: Secret = None,
    jobs: Annotated[int, Option("--jobs", metavar="N", min=1, help="Processes.")] = 1,
    max_rejected: Annotated[
        float,
        Option("--max-rejected", metavar="SHARE", min=0, max=1, help="Stop above it."),
    ] = 0.01,
    dry_run: Annotated[
        bool,
        Option("--dry-run", help="Release nothing: say rows, time and what leaves unprotected."),
    ] = False,
    audit: Annotated[
        int,
        Option("--audit", metavar="N", min=0, help="Attack N rows of the job when it is done."),
    ] = 0,
    principal: Annotated[
        str | None,
        Option(
            "--principal", metavar="NAME", help=f"Charge NAME ({PRINCIPAL}, say) in the ledger."
        ),
    ] = None,
    store: StoreFile = None,
    key_file: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Release tables by a plan. Run again after a crash, it goes on; nothing is released twice.

    Ends with exit code 1 if a file was damaged or too many rows were rejected, 130 if it was
    interrupted.
    """
    _needed()
    from privstamp.batch.job import Job
    from privstamp.batch.plan import Plan

    plan = Plan.load(columns)
    if "-" in inputs:
        given = (out, dry_run, audit, principal, as_json, jobs > 1, inputs != ["-"])
        if asked := [name for name, value in zip(OF_FILES, given, strict=True) if value]:
            raise UsageError(f"- is a pipe, read line by line: {', '.join(asked)} needs files")
        _stream(plan, secret, max_rejected)
        return
    if out is None:
        raise UsageError("--out: where to? A folder that the job alone writes to")
    charge = None if principal is None else _ledger(principal, store, key_file)
    job = Job(inputs, out, plan, secret, jobs, max_rejected, charge)
    if dry_run:
        _forecast(job, as_json=as_json)
        return
    try:
        outcome = _watched(job)
    except KeyboardInterrupt:
        outcome = None
    if outcome is None:
        forget("interrupted; parts that are there are whole. The same command goes on")
        raise typer.Exit(130)
    _told(outcome, out, as_json=as_json)
    if audit:
        _audited(job, audit, quiet=as_json)
    if outcome.damaged:
        raise PrivstampError("; ".join(outcome.damaged.values()))


def _needed() -> None:
    from privstamp.batch.plan import wanted

    wanted("pyarrow", "batch")


def _watched(job: Job) -> JobOutcome:
    from privstamp.lab.progress import bar

    rows = 0
    with bar("reading", 2.0, console=err()) as progress:

        def watch(source: str, more: int) -> None:
            nonlocal rows
            rows += more
            total = 2 * sum(job.survey.rows.values()) if hasattr(job, "survey") else 2 * rows
            progress(source, 2.0 * rows / max(total, 1))

        job.watch = watch
        return job.run()


def _told(outcome: JobOutcome, out: Path, *, as_json: bool) -> None:
    from privstamp.batch.folder import CERTIFICATE

    if as_json:
        put(json.dumps(vars(outcome)) + "\n")
        return
    parts = "1 part" if outcome.pieces == 1 else f"{outcome.pieces} parts"
    tell(
        f"{outcome.released} of {outcome.rows} rows released in {parts}, "
        f"{outcome.rejected} rejected; what was promised: {out / CERTIFICATE}"
    )


def _stream(plan: Plan, secret: str | None, max_rejected: float) -> None:
    import sys

    from privstamp.batch.stream import released

    for lines in released(sys.stdin.buffer, plan, secret, warn, max_rejected):
        put(lines)


def _ledger(principal: str, store: str | None, key_file: Path | None) -> Charge:
    from privstamp.cli.options import opened
    from privstamp.sessions.ledger import Payer, millionths

    vault, ledger = opened(store, key_file)

    def charge(mark: bytes, amounts: Any) -> None:
        whole = {name: int(amounts[name]) for name in ("draws", "unprotected")}
        with vault.store.writing() as entries:
            payers = [Payer("principal", principal)]
            ledger.charge(entries, mark, payers, whole | {"nats": millionths(amounts["nats"])})

    return charge


def _forecast(job: Job, *, as_json: bool) -> None:
    from privstamp.batch.forecast import forecast
    from privstamp.cli.screen import working

    with working("reading the tables and trying a sample"):
        facts = forecast(job)
    if as_json:
        put(json.dumps(facts) + "\n")
        return
    put("".join(f"{name}\t{_cell(value)}\n" for name, value in facts.items()))


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _audited(job: Job, count: int, *, quiet: bool) -> None:
    """Attack the releases of random rows, by each policy; what is found lies beside the rest."""
    from privstamp.batch.folder import AUDIT, Folder
    from privstamp.cli.audit import show
    from privstamp.lab.audit.run import audit
    from privstamp.lab.audit.subject import SampleText, Subject, bounded
    from privstamp.lab.progress import bar

    outcomes = {}
    for name, texts in job.sampled(count).items():
        sample = bounded([SampleText(text) for text in texts])
        subject = Subject(job.plan.policies[name], sample, seed=SEED)
        with bar("audit", console=err()) as progress:
            outcomes[name] = audit(subject, progress, language_model=False)
        if not quiet:
            show(outcomes[name], show_text=False)
    Folder(job.out).put_json(AUDIT, {name: one.as_json() for name, one in outcomes.items()})
    if any(not one.passed for one in outcomes.values()):
        raise PrivstampError(f"the audit refutes a promise: see {job.out / AUDIT}")


def init(inputs: Inputs) -> None:
    """Write a draft of a plan: a role for each column, from its type and a detector's sample.

    Nothing is proposed for release: that is for you to say.
    """
    _needed()
    from privstamp.batch.draft import draft
    from privstamp.batch.tables import sources

    put(draft(sources(inputs), inputs[0]))


def status(out: Out, as_json: Json = False) -> None:
    """Show how far a job is."""
    _needed()
    from privstamp.batch.check import progress

    facts = progress(out)
    if as_json:
        put(json.dumps(facts) + "\n")
        return
    put("".join(f"{name}\t{_cell(value)}\n" for name, value in facts.items()))


def verify(
    out: Out,
    against: Annotated[
        list[str] | None,
        Option("--against", metavar="INPUT", help="The input: that all of it was read."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a finished job: every part as recorded, no row lost or doubled, no stray file.

    Needs no secret. Ends with exit code 1 if something is wrong.
    """
    _needed()
    from privstamp.batch.check import faults

    found = faults(out, against or [])
    if as_json:
        put(json.dumps({"faults": found}) + "\n")
    elif not found:
        tell("every part is as recorded; no row is lost or doubled; no stray file")
    if found:
        raise PrivstampError("; ".join(found[:20]))
