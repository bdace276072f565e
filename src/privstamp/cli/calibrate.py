"""privstamp calibrate: budgets for the protection that somebody wants."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from privstamp.cli.options import Json, Mechanism, PolicyFile, Preset, choose_policy
from privstamp.cli.output import FAILURE, DraftFile, check_picture, check_target, put
from privstamp.cli.screen import err, out, tell
from privstamp.cli.source import read_source
from privstamp.errors import UsageError

if TYPE_CHECKING:
    from privstamp.lab.calibration.gauge import Attacker
    from privstamp.lab.calibration.outcome import CalibrationPlan, Outcome
    from privstamp.policy import Policy

EXAMPLES = """
privstamp calibrate --max-recovery 0.05
privstamp calibrate --sensitive 0.05 --other 0.5 --out privstamp.toml
privstamp calibrate --sensitive 0.01 --prior uniform --statistic max --json
privstamp calibrate --sensitive 0.05 --mean-epsilon 30
"""


def calibrate(
    max_recovery: Annotated[
        float | None,
        Option("--max-recovery", metavar="P", help="An attacker is right at most so often."),
    ] = None,
    sensitive: Annotated[
        float | None, Option("--sensitive", metavar="P", help="The same for groups 1 and 2 alone.")
    ] = None,
    other: Annotated[
        float | None, Option("--other", metavar="P", help="The same for groups 3 and 4 alone.")
    ] = None,
    keep: Annotated[
        float | None,
        Option(
            "--keep-at-least",
            metavar="P",
            help="Important words that are not sensitive (group 3) stay at least so often.",
        ),
    ] = None,
    mean: Annotated[
        float | None,
        Option(
            "--mean-epsilon",
            metavar="E",
            help="Share out this mean among the groups so that most meaning is kept.",
        ),
    ] = None,
    sample: Annotated[
        str | None,
        Option(
            "--sample",
            metavar="FILE",
            help="Your own texts, to count how large groups are for --mean-epsilon.",
        ),
    ] = None,
    prior: Annotated[
        str | None,
        Option(
            "--prior",
            metavar="NAME",
            help="What the attacker knows: unigram, uniform, or contextual (a language model).",
        ),
    ] = None,
    statistic: Annotated[
        str | None,
        Option(
            "--statistic",
            metavar="NAME",
            help="Words count as often as they are used (weighted), alike (mean), or the worst "
            "one does (max).",
        ),
    ] = None,
    policy: PolicyFile = None,
    preset: Preset = None,
    mechanism: Mechanism = None,
    seed: Annotated[int, Option("--seed", metavar="N", help="Of all draws of this search.")] = 1,
    target: Annotated[
        Path | None, Option("--out", metavar="FILE", help="Write the policy found there.")
    ] = None,
    plot: Annotated[
        Path | None, Option("--plot", metavar="FILE", help="Draw the curves (.svg or .png).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find the largest epsilons under which an attacker is right no more often than you say.

    Only words of the public table are looked at, unless you give a sample. Ends with exit code 1
    if there are no such epsilons.
    """
    if keep is not None and not 0 < keep < 1:
        raise UsageError("--keep-at-least is a share between 0 and 1")
    if target is not None:
        check_target("--out", target)
    if plot is not None:
        check_picture("--plot", plot, policy, target)
    chosen, _ = choose_policy(policy, preset, resolved=False, default="readable")
    attacker = _attacker(chosen, prior, statistic)
    limits = _limits(chosen, max_recovery, sensitive, other)
    if not limits and keep is None and mean is None:
        raise UsageError("name what you want: --max-recovery, --sensitive, --other, or a mix")
    if sample is not None and mean is None:
        raise UsageError("--sample says how large groups are: it needs --mean-epsilon")
    chosen = _with_mechanism(chosen, mechanism)
    from privstamp.lab.audit.subject import read
    from privstamp.lab.calibration import Bench
    from privstamp.lab.calibration import calibrate as search
    from privstamp.lab.calibration.groups import share_out
    from privstamp.lab.calibration.outcome import as_json as flat
    from privstamp.lab.calibration.outcome import draw
    from privstamp.lab.progress import bar, within

    texts = None if sample is None else read(read_source(sample, "--sample"), sample, None)
    bench = Bench(chosen, seed, texts=texts)
    if replaced := [group for group in limits if group not in bench.mechanisms]:
        tell(f"groups replaced at epsilon 0, with nothing to search for: {replaced}")
    with bar("reading the table", transient=True, console=err()) as progress:
        plan = search(
            chosen, limits, attacker, keep=keep, seed=seed, progress=progress, bench=bench
        )
        if mean is not None and plan.possible:
            plan = share_out(plan, bench, mean, within(progress, 0.95, 1.0))
    if plot is not None and plan.outcomes:
        draw(plan, plot)
    if target is not None and plan.possible:
        _write(plan, target)
    if as_json:
        put(json.dumps(flat(plan), indent=2) + "\n")
    else:
        _show(plan)
    if not plan.possible:
        raise typer.Exit(FAILURE)


def _attacker(policy: Policy, prior: str | None, statistic: str | None) -> Attacker:
    """What the options say, else the policy's own target."""
    from privstamp.errors import suggest
    from privstamp.lab.calibration.gauge import Attacker
    from privstamp.policy.presets import PRIORS, STATISTICS, Targets

    targets = policy.budget if isinstance(policy.budget, Targets) else Attacker()
    prior, statistic = prior or targets.prior, statistic or targets.statistic
    if prior not in PRIORS:
        raise UsageError(f'--prior: no prior "{prior}".{suggest(prior, PRIORS)}')
    if statistic not in STATISTICS:
        raise UsageError(f"--statistic: no such statistic.{suggest(statistic, STATISTICS)}")
    if prior == "contextual" and statistic != "weighted":
        raise UsageError("--prior contextual counts words as they occur: --statistic weighted")
    return Attacker(prior, statistic)  # type: ignore[arg-type]


def _limits(
    policy: Policy, every: float | None, sensitive: float | None, other: float | None
) -> dict[int, float]:
    """Limit of each group that has one; options win over the policy's targets."""
    from privstamp.budget import GROUPS
    from privstamp.policy.presets import Targets

    first, second = (every if given is None else given for given in (sensitive, other))
    limits = {1: first, 2: first, 3: second, 4: second}
    known = {group: limit for group, limit in limits.items() if limit is not None}
    if isinstance(policy.budget, Targets):
        known = {**dict(zip(GROUPS, policy.budget.limits, strict=True)), **known}
    if not all(0 < limit <= 1 for limit in known.values()):
        raise UsageError("a limit is a share above 0 and at most 1, say --max-recovery 0.05")
    return known


def _with_mechanism(policy: Policy, name: str | None) -> Policy:
    """The policy with another mechanism for all groups, and a metric that it knows."""
    from privstamp.budget import Budget
    from privstamp.policy import Part
    from privstamp.registry import MECHANISMS

    if name is None:
        return policy
    metrics = getattr(MECHANISMS.load(name), "metrics", None)
    if metrics is None:
        raise UsageError(f'--mechanism: "{name}" replaces at epsilon 0 and has no strength')
    budget = policy.budget
    if any(metric not in metrics for metric in budget.metrics):
        # Old numbers would mean something else: groups without a limit are replaced.
        budget = Budget.of([0, 0, 0, 0], metric=metrics[0])
    changes = {"mechanism": Part(name=name), "groups": {}, "budget": budget}
    return policy.model_copy(update=changes)


def _write(plan: CalibrationPlan, target: Path) -> None:
    from privstamp.cli.policy_file import commented

    with DraftFile(target, commented(plan.policy())) as draft:
        draft.publish()
    tell(f"wrote {target}. Next: privstamp policy check {target}")


def _show(plan: CalibrationPlan) -> None:
    """All that was tried, the figures at the epsilon chosen, and the budget."""
    from privstamp.lab.calibration.outcome import in_words
    from privstamp.lab.report import Sheet, on_screen

    console = out()
    headings = ("epsilon", "class", "recovery", "95 % interval", "keep")
    for outcome in plan.outcomes:
        console.print(_title(outcome))
        lines = [
            (
                f"{point.epsilon:.3g}{' <' if point.epsilon == outcome.epsilon else ''}",
                point.name,
                point.recovery.short(missing="-"),
                _interval(point.recovery.interval),
                point.keep.short(missing="-"),
            )
            for point in outcome.curve
        ]
        console.print(on_screen(Sheet("", headings, lines)))
        for words in outcome.classes:
            recovery, keep, cosine = (
                estimate.short(missing="-") for estimate in vars(words.reading).values()
            )
            console.print(
                f"  {words.name}: recovered {recovery} (blind guess {words.floor:.3f}), "
                f"kept {keep}, cosine to the original {cosine}",
                soft_wrap=True,
            )
    if plan.possible:
        metric = plan.asked.budget.metric
        console.print(f"epsilon = {list(plan.epsilon)}, metric = {json.dumps(metric)}")
    else:
        console.print(f"cannot. {in_words(plan)}", soft_wrap=True)


def _title(outcome: Outcome) -> str:
    groups = ", ".join(map(str, outcome.groups))
    limit = "" if outcome.limit is None else f", limit {outcome.limit:g}"
    head = f"groups {groups}: {outcome.mechanism}, {outcome.metric}{limit}"
    if outcome.epsilon is None:
        return f"{head}: no epsilon"
    high = outcome.edge[1] if outcome.edge else None
    between = f" (the edge lies below {high:.3g})" if high else ""
    return f"{head}: epsilon {outcome.epsilon:.3g}{between}"


def _interval(ends: tuple[float, float] | None) -> str:
    return "exact" if ends is None else f"{ends[0]:.3f} to {ends[1]:.3f}"
