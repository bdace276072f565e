"""What an experiment needs, looked for before its first cell: all that is missing is said at once.

    require(special, partial(open_space, Part(name="glove")), pyplot)

A need is anything that raises a `PrivstampError` where it is not met.
"""

from __future__ import annotations

from collections.abc import Callable

from privstamp.errors import PrivstampError


class NotReady(PrivstampError):
    """Something that a measurement needs is missing; nothing was measured."""


def missing(*needs: Callable[[], object]) -> list[str]:
    """Why each need that is not met is not met; the same reason once."""
    reasons: dict[str, None] = {}
    for need in needs:
        try:
            need()
        except PrivstampError as error:
            reasons[str(error)] = None
    return list(reasons)


def require(*needs: Callable[[], object]) -> None:
    """Pass, or name everything that is missing; one reason alone is raised as it is."""
    reasons = missing(*needs)
    if not reasons:
        return
    if len(reasons) == 1:
        for need in needs:
            need()
    listed = "".join(f"\n- {reason}" for reason in reasons)
    raise NotReady(f"{len(reasons)} things are missing; nothing was measured:{listed}")
