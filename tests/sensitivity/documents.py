"""Texts as the detectors get them, and what they find in words."""

import numpy as np

from privstamp.types import Finding, Units


def as_units(text: str) -> Units:
    """A text without units: detectors read the text alone."""
    none = np.zeros(0, dtype=np.int64)
    small = none.astype(np.uint8)
    return Units(text, none, none, none.astype(np.int32), small, small)


def said(text: str, findings: list[Finding]) -> dict[str, str]:
    """Kind of each span found, by the span's text."""
    return {text[finding.start : finding.end]: finding.kind for finding in findings}
