"""From a risk that people can name to the epsilon that keeps it."""

from privstamp.lab.calibration.plan import resolve

__all__ = ["resolve"]
