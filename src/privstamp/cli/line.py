"""The line, built and run while something moves on standard error."""

from __future__ import annotations

from privstamp.assets.cache import announce
from privstamp.cli.policy_file import warnings
from privstamp.cli.screen import building, err, tell, warn, working
from privstamp.lab.progress import StageTimes
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.policy.trust import hosts
from privstamp.result import Result


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
    with bar("", transient=True, console=err()) as progress:

        def watch(stage: str, done: float) -> None:
            progress(stage, done)
            if stages is not None:
                stages(stage, done)

        line.watch(watch)
        return line, line.privatize(text, task, private_task=private_task, trace=trace)
