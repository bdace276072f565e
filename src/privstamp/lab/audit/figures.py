"""What a check reports: numbers with intervals. Never a text."""

from __future__ import annotations

from privstamp.lab.estimate import Estimate as Figure
from privstamp.lab.estimate import plain

__all__ = ["Figure", "plain"]
