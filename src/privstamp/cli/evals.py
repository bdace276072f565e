"""privstamp evals: what privacy costs a task, measured."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from privstamp.cli import interrupts
from privstamp.cli.options import (
    Concurrency,
    Json,
    PolicyFile,
    Preset,
    RepairModel,
    Timeout,
    check_asking,
    choose_policy,
)
from privstamp.cli.output import FAILURE, put
from privstamp.cli.screen import complain, err, out, tell, warn
from privstamp.cli.spending import Price, Prices, money, prices, tell_usage, usage_facts
from privstamp.errors import UsageError

if TYPE_CHECKING:
    from privstamp.lab.evals.plan import Estimate, RunPlan
    from privstamp.lab.evals.runner import Opener, Outcome, Step

LIST_EXAMPLES = """
privstamp evals list
privstamp evals list --json
"""
RUN_EXAMPLES = """
privstamp evals run restore --tasks fantasy --limit 100 --out results
privstamp evals run table1 --tasks ag_news,yelp --seeds 3 --jobs 2 --out results
privstamp evals run my-task.toml --policy privstamp.toml --out results
privstamp evals run restore --tasks fantasy --endpoint https://example.com/v1 --model NAME --dry-run
"""
OUT = Path("results")

Endpoint = Annotated[
    str | None,
    Option(
        "--endpoint",
        metavar="URL",
        help="Ask the model at this chat-completions URL: SENDS it texts of the task, originals "
        "among them. Key: environment variable PRIVSTAMP_API_KEY.",
    ),
]
Model = Annotated[
    str | None,
    Option(
        "--model",
        metavar="NAME",
        help="That answers questions: qwen-1.5b, hf8:qwen-1.5b, gguf:FILE, or one of the endpoint.",
    ),
]


def list_evals(as_json: Json = False) -> None:
    """List experiments, tasks and readers, and which of them are at hand."""
    from privstamp.lab.evals.grids import EXPERIMENTS
    from privstamp.lab.evals.workshop import readers, tasks

    grids: list[dict[str, Any]] = [
        {
            "name": experiment.name,
            "about": experiment.about,
            "tasks": list(experiment.tasks),
            "cells": len(experiment.cells()),
            "hours": round(experiment.hours(), 1),
        }
        for experiment in EXPERIMENTS.values()
    ]
    known = {"tasks": tasks(), "readers": readers()}
    if as_json:
        table = {key: [asdict(row) for row in rows] for key, rows in known.items()}
        put(json.dumps({"experiments": grids, **table}, indent=2, ensure_ascii=False) + "\n")
        return
    from privstamp.lab.report import Sheet, on_screen

    console = out()
    lines = [[*grid.values()] for grid in (g | {"tasks": ", ".join(g["tasks"])} for g in grids)]
    headings = ("name", "what it measures", "tasks", "cells", "hours")
    console.print(on_screen(Sheet("experiments", headings, lines)))
    for title, rows in known.items():
        lines = [[row.name, row.kind, "yes" if row.here else "no", row.how] for row in rows]
        console.print()
        console.print(on_screen(Sheet(title, ("name", "kind", "here", ""), lines)))
    console.print(
        "\nhours: about, with one seed on one core. A task may also be a TOML file that describes "
        "your data, and a reader hf:NAME, gguf:FILE or a model at --endpoint.",
        style="dim",
    )


def run_evals(
    name: Annotated[
        str,
        Argument(
            metavar="NAME|FILE",
            help="An experiment (see evals list), or a TOML file that describes your own task.",
        ),
    ],
    policy: PolicyFile = None,
    preset: Preset = None,
    tasks: Annotated[
        str | None, Option("--tasks", metavar="A,B", help="Only these tasks of an experiment.")
    ] = None,
    seeds: Annotated[
        int, Option("--seeds", metavar="N", min=1, help="Repeat what is drawn with N seeds.")
    ] = 1,
    limit: Annotated[
        int | None, Option("--limit", metavar="N", min=1, help="Examples of each task.")
    ] = None,
    reader: Annotated[
        list[str] | None,
        Option("--reader", metavar="NAME", help="tfidf, minilm or hf:NAME; may be repeated."),
    ] = None,
    only: Annotated[
        list[str] | None,
        Option("--only", metavar="NAME", help="Only this condition; may be repeated."),
    ] = None,
    model: Model = None,
    endpoint: Endpoint = None,
    repair: Annotated[
        str | None,
        Option(
            "--repair",
            metavar="MODEL",
            help="That repairs or fills gaps: local, qwen-1.5b, gguf:FILE, or a URL that gets the "
            "texts. Key: as for --endpoint.",
        ),
    ] = None,
    repair_model: RepairModel = None,
    timeout: Timeout = None,
    concurrency: Concurrency = None,
    replies: Annotated[
        Path | None,
        Option("--replies", metavar="DIR", help="PRIVATE: keep what models answer, to ask once."),
    ] = None,
    folder: Annotated[
        Path, Option("--out", metavar="DIR", help="Where results go, and go on from.")
    ] = OUT,
    jobs: Annotated[int, Option("--jobs", metavar="N", min=1, help="Processes.")] = 1,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Count cells, prompts, tokens and cost; measure nothing.")
    ] = False,
    price: Price = None,
    as_json: Json = False,
) -> None:
    """Run an experiment, or your policy on your own task. Stopped, it goes on where it was.

    Ends with exit code 1 if a cell failed; the next run tries it again.
    """
    from privstamp.lab.evals.plan import FILES, estimate, hosts, plan

    if (policy or preset) and Path(name).suffix not in FILES:
        raise UsageError("--policy and --preset belong to a task of your own; experiments have own")
    if endpoint is not None and model is None:
        raise UsageError("--endpoint needs --model, as its server calls it")
    if endpoint is not None:
        from privstamp.models.endpoint import checked

        checked(endpoint)  # refused before the work, not by every cell
    if (repair is not None and "://" in repair) != (repair_model is not None):
        raise UsageError("--repair URL and --repair-model go together, as its server calls it")
    paid = prices(price)
    chosen = plan(
        name,
        lambda: choose_policy(policy, preset)[0],
        tasks=[task.strip() for task in tasks.split(",")] if tasks is not None else [],
        seeds=seeds,
        limit=limit,
        readers=[*(reader or []), *([model] if model else [])],
        only=only or [],
        repair=repair,
        repair_model=repair_model,
        called=preset or (Path(policy).name if policy is not None else "policy"),
    )
    for absent, how in chosen.left_out.items():
        tell(f"the reader {absent} is left out, since it is not on this machine. Try: {how}")
    for reason, count in chosen.unmet.items():
        tell(f"{count} {'cell is' if count == 1 else 'cells are'} left out: {reason}")
    repairing, filling = hosts(chosen.cells)
    check_asking(timeout, concurrency, elsewhere=bool(endpoint or filling))
    if dry_run:
        _show_estimate(estimate(chosen), paid, as_json=as_json)
        return
    from privstamp.lab.evals.workshop import Workshop

    for host in repairing:
        tell(f"released texts are sent to {host} for repair")
    for host in filling:
        warn(f"texts are sent to {host} to fill gaps, with nothing hidden but what was detected")
    opener = partial(Workshop, endpoint, replies, timeout, concurrency)
    if endpoint is not None:
        warn("texts of the tasks, originals among them, are sent to the endpoint")
    outcome = _measured(chosen, folder, opener, jobs, paid)
    _show_outcome(outcome, folder, paid, as_json=as_json)
    if outcome.failures:
        raise typer.Exit(FAILURE)


def _measured(
    chosen: RunPlan, folder: Path, opener: Opener, jobs: int, paid: Prices | None
) -> Outcome:
    from privstamp.lab.evals.plan import estimate
    from privstamp.lab.evals.runner import Outcome, run
    from privstamp.lab.progress import bar

    total = estimate(chosen).items if err().is_terminal else 0  # only a bar needs it
    outcome, ended = Outcome(), False  # what is known of it if it is interrupted
    try:
        with bar("opening", total, console=err()) as progress:

            def watch(step: Step) -> None:
                outcome.add(step)
                progress(step.label, outcome.measured + outcome.known)

            run(chosen.cells, folder, opener, limits=chosen.limits, jobs=jobs, watch=watch)
            ended = True
            return outcome
    except KeyboardInterrupt:
        pass
    finally:
        tell_usage(outcome.usage, paid, stopped=not ended)
    interrupts.say("interrupted; run the same command again to go on")
    raise typer.Exit(interrupts.exit_code())


def _show_outcome(outcome: Outcome, folder: Path, paid: Prices | None, *, as_json: bool) -> None:
    reasons: dict[str, int] = {}
    for line in outcome.failures:
        reasons[line["error"]] = reasons.get(line["error"], 0) + 1
    for words, count in reasons.items():
        complain(f"{count} {'cell' if count == 1 else 'cells'} failed: {words}")
    if as_json:
        facts = {
            "measured": outcome.measured,
            "known": outcome.known,
            "failed": outcome.failures,
            "out": str(folder),
            **usage_facts(outcome.usage, paid),
        }
        put(json.dumps(facts, indent=2, ensure_ascii=False) + "\n")
        return
    put(f"measured {outcome.measured}, known before {outcome.known}, in {folder}\n")
    tell(f"to see it: privstamp evals report {folder} --html report.html")


def _show_estimate(estimate: Estimate, paid: Prices | None, *, as_json: bool) -> None:
    cost = None if paid is None else estimate.cost(paid)
    for task, why in estimate.absent.items():
        tell(f"{task} is counted without its data: {why}")
    if as_json:
        put(json.dumps({**asdict(estimate), "cost": cost}, indent=2, ensure_ascii=False) + "\n")
        return
    least = " or more" if estimate.repairs else ""
    lines = [
        f"cells       {estimate.cells}",
        f"items       {estimate.items}",
        f"prompts     {estimate.prompts}",
        *([f"repairs     {estimate.repairs} prompts at least, sent elsewhere"] if least else []),
        f"tokens in   {estimate.tokens_in}{least} at about four letters each",
        f"tokens out  {estimate.tokens_out}{least or ' at most'}",
    ]
    if estimate.hours is not None:
        lines.append(f"hours       {estimate.hours:.1f} on one core, about")
    if cost is not None:
        lines.append(f"cost        {money(cost)}{least}")
    put("\n".join(lines) + "\n")
