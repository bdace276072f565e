"""What models were asked, where, and what it cost: for commands that ask many prompts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from typer import Option

from privstamp.cli.screen import tell
from privstamp.errors import UsageError

if TYPE_CHECKING:
    from privstamp.types import Usage

Prices: TypeAlias = tuple[float, float]
Price = Annotated[
    str | None,
    Option("--price", metavar="IN,OUT", help="Per million tokens at an endpoint: tells the cost."),
]


def prices(given: str | None) -> Prices | None:
    if given is None:
        return None
    try:
        reading, two = (float(part) for part in given.split(","))
    except ValueError:
        reading = two = -1.0
    if reading >= 0 and two >= 0:
        return reading, two
    raise UsageError("--price is two numbers, say 0.15,0.6")


def tell_usage(usage: Mapping[str, Usage], price: Prices | None, *, stopped: bool = False) -> None:
    """A line for each place where something was asked; `stopped`: not all of it was counted."""
    from privstamp.types import HERE

    for place, used in usage.items():
        if not (used.requests or used.cached):
            continue
        least, about = "at least " if stopped else "", "about " if used.estimated else ""
        where = "were asked on this machine" if place == HERE else f"were sent to {place}"
        cost = "" if price is None or place == HERE else f"; cost {money(_cost(used, price))}"
        tell(
            f"{least}{used.requests} prompts {where}: {about}{used.tokens_in} tokens in, "
            f"{used.tokens_out} out; {used.cached} replies were known{cost}"
        )


def usage_facts(usage: Mapping[str, Usage], price: Prices | None) -> dict[str, Any]:
    """The same for machines. What runs on this machine costs nothing."""
    from privstamp.types import HERE

    cost = None
    if price is not None:
        cost = sum(_cost(used, price) for place, used in usage.items() if place != HERE)
    counts = {place: asdict(used) for place, used in usage.items()}
    for count in counts.values():
        del count["cost"]
    return {"usage": counts, "cost": cost}


def money(cost: float) -> str:
    return f"{cost:.2f}" if cost >= 1 else f"{cost:.2g}"


def _cost(used: Usage, price: Prices) -> float:
    return (used.tokens_in * price[0] + used.tokens_out * price[1]) / 1e6
