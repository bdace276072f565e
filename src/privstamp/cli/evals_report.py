"""privstamp evals report and make-fantasy: tables and pages from results; more passages."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from privstamp.cli import interrupts
from privstamp.cli.options import Concurrency, Json, Timeout, check_asking
from privstamp.cli.output import FAILURE, DraftFile, check_target, put
from privstamp.cli.screen import tell, warn, working
from privstamp.cli.spending import Price, prices, tell_usage, usage_facts
from privstamp.errors import UsageError

REPORT_EXAMPLES = """
privstamp evals report results --html report.html
privstamp evals report results --markdown report.md --figures figures
privstamp evals report results more-results --json summary.json
"""
MAKE_EXAMPLES = """
privstamp evals make-fantasy --model qwen-1.5b --count 10 --out more.jsonl
privstamp evals make-fantasy --endpoint https://example.com/v1 --model NAME --count 100
"""


def report(
    folders: Annotated[
        list[Path], Argument(metavar="DIR...", help="Folders that evals run has written.")
    ],
    html: Annotated[
        Path | None, Option("--html", metavar="FILE", help="One page with tables and figures.")
    ] = None,
    markdown: Annotated[
        Path | None, Option("--markdown", metavar="FILE", help="The tables as markdown.")
    ] = None,
    figures: Annotated[
        Path | None, Option("--figures", metavar="DIR", help="Figures as SVG and PNG.")
    ] = None,
    summary: Annotated[
        Path | None, Option("--json", metavar="FILE", help="The rows as JSON.")
    ] = None,
) -> None:
    """Tables with utility and privacy side by side. Without a file, markdown on standard output."""
    files = {"--html": html, "--markdown": markdown, "--json": summary}
    for option, target in files.items():
        others = [file for name, file in files.items() if name != option]
        if target is not None:
            check_target(option, target, *others)
    from privstamp.lab.evals import report as tables
    from privstamp.lab.evals.figures import page, save
    from privstamp.lab.evals.results import read
    from privstamp.lab.report import pyplot

    if figures is not None:
        pyplot()  # an absent extra is noticed before the work, not after it
        if figures.exists() and not figures.is_dir():
            raise UsageError("--figures names something that is not a folder")
    with working("reading the results"):
        report = tables.Report.of(read(*folders))
    for remark in report.remarks():
        warn(remark)
    written: dict[Path, str] = {}
    with working("drawing clusters again and again for the intervals"):
        if markdown is not None:
            written[markdown] = tables.markdown(report)
        if html is not None:
            written[html] = page(report)
        if summary is not None:
            written[summary] = json.dumps(tables.summary(report), indent=1) + "\n"
        if figures is not None:
            figures.mkdir(parents=True, exist_ok=True)
            save(report.rows, figures)
            tell(f"figures written to {figures}")
        if not written and figures is None:
            shown = tables.markdown(report)
    for target, content in written.items():
        with DraftFile(target, content) as draft:
            draft.publish()
        tell(f"written to {target}")
    if not written and figures is None:
        put(shown)


def make_fantasy(
    model: Annotated[
        str | None,
        Option(
            "--model",
            metavar="NAME",
            help="That writes: qwen-1.5b, hf8:qwen-1.5b, gguf:FILE, or one of the endpoint.",
        ),
    ] = None,
    endpoint: Annotated[
        str | None,
        Option(
            "--endpoint",
            metavar="URL",
            help="Ask the model at this chat-completions URL. It is sent fixed instructions and "
            "its own replies, no text of yours. Key: environment variable PRIVSTAMP_API_KEY.",
        ),
    ] = None,
    count: Annotated[
        int, Option("--count", metavar="N", min=1, help="Passages that the file is to hold.")
    ] = 10,
    file: Annotated[
        Path, Option("--out", metavar="FILE", help="JSON lines; what is there stays.")
    ] = Path("fantasy.jsonl"),
    timeout: Timeout = None,
    concurrency: Concurrency = None,
    price: Price = None,
    as_json: Json = False,
) -> None:
    """Let a model write more invented passages with questions; those that pass all checks are kept.

    Stopped, it goes on where it was. Ends with exit code 1 if it gave up before the file was full.
    """
    if model is None:
        raise UsageError("--model says who is to write: qwen-1.5b, or a model at --endpoint")
    check_asking(timeout, concurrency, elsewhere=endpoint is not None)
    paid = prices(price)
    check_target("--out", file)
    from privstamp.cli.screen import err
    from privstamp.lab.evals.invention import make_fantasy as make
    from privstamp.lab.progress import bar
    from privstamp.models.answering import open_answerer

    if endpoint is None:
        opened = open_answerer(model)
    else:
        opened = open_answerer(endpoint, model=model, timeout=timeout, concurrency=concurrency)
    try:
        with opened as writer, bar("passages", count, console=err()) as progress:
            sample = make(writer, count, file, progress)
    except KeyboardInterrupt:
        sample = None
    finally:
        tell_usage({opened.place: opened.usage}, paid)
    if sample is None:
        interrupts.say("interrupted; run the same command again to go on")
        raise typer.Exit(interrupts.exit_code())
    if as_json:
        spent = usage_facts({opened.place: opened.usage}, paid)
        put(json.dumps({**asdict(sample), **spent}, indent=2) + "\n")
    else:
        faults = "".join(
            f"\n  {number} × {fault}" for fault, number in [*sample.faults.items()][:8]
        )
        put(
            f"{sample.written} written, {sample.in_file} in {file}; {sample.replies} replies, "
            f"{sample.given_up} given up{':' if faults else ''}{faults}\n"
        )
    if sample.in_file < count:
        raise typer.Exit(FAILURE)
