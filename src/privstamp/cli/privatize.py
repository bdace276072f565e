"""privstamp privatize: text in, private text out."""

from __future__ import annotations

import json
import math
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from privstamp.cli import options as completion
from privstamp.cli.interrupts import stop_if_interrupted
from privstamp.cli.options import (
    Accept,
    Format,
    Language,
    MaxSize,
    PolicyFile,
    Preset,
    Profile,
    RepairModel,
    Seed,
    Source,
    Task,
    TaskFile,
    check_accepted,
    choose_policy,
    with_accepted,
    with_format,
    with_profiles,
)
from privstamp.cli.output import DraftFile, check_target, put
from privstamp.cli.screen import note, tell, warn
from privstamp.cli.source import MAX_SIZE, read_source, read_task
from privstamp.errors import UsageError

if TYPE_CHECKING:
    from privstamp.policy import Policy
    from privstamp.release.certificate import Certificate, RepairFacts
    from privstamp.result import Result

LARGER = "--large -o OUT takes any size, in parts; --max-size reads more, in as much memory"
LONG = 250_000
"""Characters that take so long that one wants to know why."""
EXAMPLES = """
privstamp privatize note.txt --task "What is the diagnosis?" > note.private.txt
privstamp privatize note.txt --map note.map.json --certificate note.cert.json
cat note.txt | privstamp privatize - --json
privstamp privatize note.txt --large -o note.private.txt
"""


def privatize(
    source: Source,
    task: Task = None,
    task_file: TaskFile = None,
    policy: PolicyFile = None,
    preset: Preset = None,
    profile: Profile = None,
    as_json: Annotated[
        bool, Option("--json", help="Write text, task, certificate and timings as one JSON object.")
    ] = False,
    map_file: Annotated[
        Path | None,
        Option("--map", metavar="FILE", help="Keep what restore needs there. PRIVATE, mode 0600."),
    ] = None,
    force: Annotated[bool, Option("--force", help="Replace the map if it is there.")] = False,
    certificate: Annotated[
        Path | None,
        Option("--certificate", metavar="FILE", help="Write the certificate there, mode 0600."),
    ] = None,
    repair: Annotated[
        str | None,
        Option(
            "--repair",
            metavar="MODEL",
            autocompletion=completion.parts("repairs"),
            help="Smooth the private text: local, qwen-1.5b, gguf:FILE, or a URL that gets it.",
        ),
    ] = None,
    repair_model: RepairModel = None,
    language: Language = None,
    accept: Accept = None,
    max_size: MaxSize = MAX_SIZE,
    seed: Seed = None,
    text_format: Format = None,
    output: Annotated[
        Path | None,
        Option("--output", "-o", metavar="OUT", help="Write the private text there instead."),
    ] = None,
    large: Annotated[
        bool, Option("--large", help="Text of any size, in parts that share surrogates; needs -o.")
    ] = False,
) -> None:
    """Rewrite text so that it can leave this machine.

    Standard output gets the private text alone, once everything has succeeded. The text itself is
    never an argument: it would stay in the shell's history.
    """
    _check_targets(source, map_file, certificate, output, force=force)
    if large and (task is not None or task_file is not None or repair is not None or as_json):
        raise UsageError("--large goes without --task, --task-file, --repair and --json")
    if large and output is None:
        raise UsageError("--large writes a file when all is done: name it with -o OUT")
    check_accepted(accept or ())
    chosen, _ = choose_policy(policy, preset, accept=accept or ())
    chosen = with_accepted(chosen, language, accept)
    chosen = with_profiles(chosen, profile)
    chosen = _with_repair(chosen, repair, repair_model)
    chosen = with_format(chosen, text_format)
    if large and output is not None:
        from privstamp.cli.line import privatize_large

        targets = {"-o": output, "--map": map_file, "--certificate": certificate}
        outcome = privatize_large(chosen, source, targets, seed=seed)
        _report_certificate(outcome, map_file)
        return
    text = read_source(source, max_size=max_size, larger=LARGER)
    question = read_task(task, task_file, source)
    if len(text) > LONG:
        note(f"{len(text):,} characters take a while; --large -o OUT takes them in parts")
    from privstamp.cli.line import privatized
    from privstamp.lab.progress import StageTimes

    private = task_file is not None
    stages = StageTimes()
    _, result = privatized(chosen, text, question, private_task=private, seed=seed, stages=stages)
    with ExitStack() as files:
        drafts = []
        if certificate is not None:
            content = result.certificate.to_json() + "\n"
            drafts.append(files.enter_context(DraftFile(certificate, content, private=True)))
        stop_if_interrupted()
        if map_file is not None:
            result.map.save(map_file, force=force)
            files.callback(map_file.unlink, missing_ok=True)  # unless the text gets out
        for draft in drafts:
            draft.publish()
            files.callback(draft.retract)
        content = _as_json(result, stages.end()) if as_json else result.text
        if output is None:
            put(content)
        else:
            files.enter_context(DraftFile(output, content, option="-o")).publish()
        files.pop_all()
    _report(result, question, map_file, shows_task=not as_json)


def _check_targets(
    source: str,
    map_file: Path | None,
    certificate: Path | None,
    output: Path | None,
    *,
    force: bool,
) -> None:
    if map_file is not None:
        check_target("--map", map_file, source)
        if map_file.exists() and not force:
            raise UsageError(f"--map: {map_file} is there already; --force replaces it")
    elif force:
        raise UsageError("--force goes with --map")
    if certificate is not None:
        check_target("--certificate", certificate, source, map_file)
    if output is not None:
        check_target("-o", output, source, map_file, certificate)


def _with_repair(policy: Policy, name: str | None, model: str | None) -> Policy:
    """The policy, with the repair that the options name in the place of its own."""
    if name is None and model is not None:
        raise UsageError("--repair-model goes with --repair URL")
    if name is None:
        return policy
    from privstamp.policy import Part

    values = {"name": name} if model is None else {"name": name, "model": model}
    return policy.model_copy(update={"repair": Part.model_validate(values)})


def _as_json(result: Result, seconds: dict[str, float]) -> str:
    """The timings are for the owner: how long a stage took may tell something of the text."""
    content = {
        "text": result.text,
        "task": result.task,
        "certificate": result.certificate.to_dict(),
        "timings": {stage: round(spent, 4) for stage, spent in seconds.items()},
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _report(result: Result, task: str | None, map_file: Path | None, *, shows_task: bool) -> None:
    """What its owner has to know always; the rest if a person is looking."""
    if result.certificate.repair is not None:
        _tell_repair(result.certificate.repair)
    if shows_task and result.task != task:
        tell(f"the task to send beside it: {result.task}")
    _report_certificate(result.certificate, map_file)


def _report_certificate(certificate: Certificate, map_file: Path | None) -> None:
    by_design = [group.epsilon for group in certificate.groups] == [0, 0, math.inf, math.inf]
    if certificate.counts.unprotected and not by_design:
        warn(f"{certificate.counts.unprotected} units were released UNPROTECTED")
    if certificate.randomness == "seed":
        warn("the noise came from a seed: reproducible and insecure")
    if map_file is not None:
        note(f"{map_file} is PRIVATE: it undoes the protection. Keep it on this machine")
    note(summary(certificate))


def _tell_repair(facts: RepairFacts) -> None:
    """Where the released text went, and what stayed unrepaired."""
    if facts.trouble is not None:
        warn(f"not repaired (the text is private all the same): {facts.trouble}")
    elif facts.refused and not facts.repaired:
        warn(
            f"not repaired (the text is private all the same): all that came back was refused, "
            f"{facts.refused} of {facts.refused + facts.unchanged} windows"
        )
    if facts.away:
        tell(f"the released text was sent to {facts.place} for repair")
    note(
        f"repair by {facts.model}: {facts.repaired} windows repaired, {facts.unchanged} unchanged, "
        f"{facts.refused} refused, {facts.failed} failed"
    )


def summary(certificate: Certificate) -> str:
    """One line: how many units, in which groups, and what happened to them."""
    counts = certificate.counts
    groups = " ".join(f"#{group.group}={group.units}" for group in certificate.groups)
    replaced = counts.replaced + counts.replaced_by_rule + counts.unknown
    said = [note for note in certificate.notes if "task" in note or "language" in note]
    remarks = "".join(f"; {remark}" for remark in said)
    return (
        f"{counts.units} units ({groups}): {counts.perturbed} randomised, {replaced} replaced, "
        f"{counts.unprotected} unprotected{remarks}"
    )
