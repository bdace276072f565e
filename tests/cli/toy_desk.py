"""What lies on the desk of the commands' tests."""

import sys
from pathlib import Path

from privstamp.budget import Budget
from privstamp.policy import Policy

MARKER = "Quixworth"
"""A word of the input that must never show up where it does not belong."""
NOTE = f"w1 w2, W3 {MARKER} w4.\r\nw5 12-34 bob@example.org w200 w1\n"
COMMAND = [sys.executable, str(Path(__file__).parent / "toy_command.py")]


def toy_policy(**changes: object) -> Policy:
    values = {
        "extends": "stamp",
        "space": {"name": "toy"},
        "sensitivity": {"name": "rules"},
        "importance": {"name": "task-cosine"},
        "budget": Budget.stamp(1.0),
        **changes,
    }
    return Policy.of(values)
