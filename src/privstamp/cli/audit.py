"""privstamp audit: what an attacker gets out of a policy, measured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from privstamp.cli.options import Json, PolicyFile, Preset, Task, choose_policy
from privstamp.cli.output import DraftFile, check_target, put
from privstamp.cli.screen import err, out, tell, visible, warn
from privstamp.cli.source import read_source
from privstamp.errors import UsageError

if TYPE_CHECKING:
    from privstamp.lab.audit.verdict import Audit
    from privstamp.models.endpoint import Endpoint

EXAMPLES = """
privstamp audit
privstamp audit notes.jsonl --policy privstamp.toml --html report.html
privstamp audit --preset readable --no-lm --json --budget-seconds 120
privstamp audit --self-test
"""


def audit(
    sample: Annotated[
        str | None,
        Argument(
            metavar="[FILE]",
            help="Your own texts: a text file, or .jsonl with text, task, label and spans. "
            "Without it, texts that come with privstamp.",
        ),
    ] = None,
    task: Task = None,
    policy: PolicyFile = None,
    preset: Preset = None,
    html: Annotated[
        Path | None, Option("--html", metavar="FILE", help="Write a report for people there.")
    ] = None,
    seconds: Annotated[
        float | None,
        Option("--budget-seconds", metavar="S", min=0, help="Begin no further check after S."),
    ] = None,
    state: Annotated[
        Path | None,
        Option("--state", metavar="FILE", help="Keep finished checks there, and go on from them."),
    ] = None,
    recall: Annotated[
        float | None,
        Option("--recall", metavar="R", min=0, max=1, help="Your detector's, if you know it."),
    ] = None,
    no_lm: Annotated[
        bool, Option("--no-lm", help="Leave out the language model: minutes quicker.")
    ] = False,
    endpoint: Annotated[
        str | None,
        Option(
            "--endpoint",
            metavar="URL",
            help="SENDS released texts, never originals, to a chat-completions URL, whose model is "
            "to reconstruct them. Key: environment variable PRIVSTAMP_API_KEY.",
        ),
    ] = None,
    endpoint_model: Annotated[
        str | None,
        Option("--endpoint-model", metavar="NAME", help="The model there, as its server calls it."),
    ] = None,
    show_text: Annotated[
        bool,
        Option(
            "--show-text", help="PRIVATE: show words of the sample that survive or are guessed."
        ),
    ] = False,
    seed: Annotated[int, Option("--seed", metavar="N", help="Of all draws of this audit.")] = 1,
    self_test: Annotated[
        bool,
        Option(
            "--self-test",
            help="Audit small lines that are broken on purpose: each must be refuted, and the "
            "sound ones pass.",
        ),
    ] = False,
    repeat: Annotated[
        int, Option("--repeat", metavar="N", min=1, help="Sound lines of a self-test, N times.")
    ] = 1,
    as_json: Json = False,
) -> None:
    """Measure recovery, keep rates, leakage and the claimed epsilon. Prints no word of the sample
    unless it is told to; JSON and state files never hold one.

    Ends with exit code 1 if a promise is refuted, 3 if checks are missing for want of time.
    """
    if self_test:
        _self_test(repeat)
        return
    chosen, _ = choose_policy(policy, preset)
    if html is not None:
        check_target("--html", html, sample, state)
    if state is not None:
        check_target("--state", state, sample)
    from privstamp.lab.audit.report import page
    from privstamp.lab.audit.run import audit as run
    from privstamp.lab.audit.subject import Subject, bounded, bundled, read
    from privstamp.lab.progress import bar

    given = bundled() if sample is None else read(read_source(sample), sample, task)
    texts = bounded(given)
    if texts is not given:
        tell(f"the sample is large: beginnings of {len(texts)} of its {len(given)} texts are taken")
    remote = _remote(endpoint, endpoint_model)
    if remote is not None:
        tell(f"releases of the sample, made anew with fresh noise, will be sent to {remote.host}")
    subject = Subject(chosen, texts, seed=seed, recall=recall, endpoint=remote)
    limit = float("inf") if seconds is None else seconds
    with bar("reading", console=err()) as progress:
        audited = run(
            subject, progress=progress, seconds=limit, state=state, language_model=not no_lm
        )
    if html is not None:
        with DraftFile(html, page(subject, audited, show_text=show_text)) as draft:
            draft.publish()
        tell(f"report written to {html}")
    if as_json:
        put(json.dumps(audited.as_json(), indent=2) + "\n")
    else:
        show(audited, show_text=show_text)
    if not audited.passed:
        raise typer.Exit(audited.verdict.code)


def _self_test(repeat: int) -> None:
    """One line for each mutant, and one for the sound lines."""
    from privstamp.lab.audit.selftest import MUTANTS, refuted, sound

    console, caught = out(), 0
    for mutant in MUTANTS:
        by = refuted(mutant)
        caught += by is not None
        console.print(visible(f"{mutant.stage}: {mutant.name}: {by or 'NOT REFUTED'}"))
    passed = 0
    for _ in range(repeat):
        broken = sound()
        passed += not broken
        for reason in broken:
            console.print(visible(f"sound line refuted: {reason}"))
    console.print(f"{caught} of {len(MUTANTS)} broken lines were refuted")
    console.print(f"{passed} of {repeat} audits of the sound lines passed")
    if caught < len(MUTANTS) or passed < repeat:
        raise typer.Exit(1)


def _remote(url: str | None, model: str | None) -> Endpoint | None:
    if url is None and model is None:
        return None
    if url is None or model is None:
        raise UsageError("--endpoint and --endpoint-model belong together")
    from privstamp.models.endpoint import Endpoint

    return Endpoint(url, model)


def show(audit: Audit, *, show_text: bool) -> None:
    """The summary, and what each check says."""
    from privstamp.lab.audit.report import facts, opening
    from privstamp.lab.report import Sheet, on_screen

    console = out()
    console.print(facts(audit.facts))
    console.print(visible(audit.verdict.text))
    for sentence in opening(audit):
        console.print(visible(sentence))
    lines: list[tuple[str, str, str]] = []
    for section in audit.sections:
        lines.append((section.title, "" if section.sound else "REFUTED", ""))
        for name, figure in section.figures.items():
            known = figure.low is not None and figure.high is not None and figure.low != figure.high
            interval = f"{figure.low:.3f} to {figure.high:.3f}" if known else ""
            lines.append((f"  {name}", figure.short(missing=figure.note or "-"), interval))
    console.print(on_screen(Sheet("", ("figure", "value", "95 % interval"), lines)))
    if show_text:
        warn("what follows holds words of the sample: private")
        for section in audit.sections:
            for line in section.private:
                console.print(visible(f"{section.name}: {line}"))
    for name in audit.skipped:
        console.print(f"not made for want of time: {name}")
