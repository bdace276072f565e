"""Optional dependencies that several rooms ask for: imported when needed, missed with their fix."""

from __future__ import annotations

from typing import Any

from privstamp.errors import MissingExtra


def special() -> Any:
    """scipy.special, for intervals: it weighs more than the line itself and stays out of it."""
    try:
        import scipy.special
    except ImportError:
        pass
    else:
        return scipy.special
    raise MissingExtra("lab", "measuring with intervals")
