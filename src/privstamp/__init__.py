"""Rewrite text before it leaves your machine, with a stated privacy budget for every word.

>>> from privstamp import Privatizer
>>> result = Privatizer().privatize("...", task="What is the diagnosis?")  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from privstamp.budget import Budget as Budget
    from privstamp.errors import PrivstampError as PrivstampError
    from privstamp.pipeline import Privatizer as Privatizer
    from privstamp.policy import Policy as Policy
    from privstamp.release.certificate import Certificate as Certificate
    from privstamp.restore.map import SurrogateMap as SurrogateMap
    from privstamp.result import Failure as Failure
    from privstamp.result import Result as Result

_HOMES = {
    "Budget": "budget",
    "Certificate": "release.certificate",
    "Failure": "result",
    "Policy": "policy",
    "Privatizer": "pipeline",
    "PrivstampError": "errors",
    "Result": "result",
    "SurrogateMap": "restore.map",
}

__all__ = [
    "Budget",
    "Certificate",
    "Failure",
    "Policy",
    "Privatizer",
    "PrivstampError",
    "Result",
    "SurrogateMap",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that importing privstamp costs nothing."""
    if name in _HOMES:
        return getattr(import_module(f"privstamp.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'privstamp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
