"""The line, built while a spinner turns."""

from __future__ import annotations

from privstamp.cache import announce
from privstamp.cli.screen import working
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy


def privatizer(policy: Policy, *, seed: int | None = None) -> Privatizer:
    """A Privatizer for a policy; long preparations are shown on standard error."""
    announce(working)
    with working("reading the models"):
        return Privatizer(policy, seed=seed)
