"""privstamp demo: a sample note before and after, and what its certificate says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from privstamp.cli.options import Preset
from privstamp.cli.screen import key, out, painted

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from privstamp.certificate import Certificate
    from privstamp.result import Result

EXAMPLES = """
privstamp demo
"""
WIDE: Final = 110
TASK: Final = "What medical problem does the patient report?"
NOTE: Final = """\
Miriam Castellano, 47, came to the clinic in Lisbon on Tuesday because of a sharp pain in her \
lower back, which began after she lifted a heavy box. She also reports poor sleep and some \
numbness in the left foot. No fever. Dr. Henrik Lindqvist examined her, prescribed ibuprofen and \
rest, and asked for a scan of the spine. Her insurance number is 884-20-1197. Please send the \
results to miriam.castellano@example.com or call her brother Paulo, who lives in Porto."""
ANSWER: Final = (
    "Miriam reports back pain; Dr. Lindqvist should write to miriam.castellano@example.com."
)

NEXT: Final = {
    'privstamp explain FILE --task "..."': "why each word is in its group (private)",
    'privstamp privatize FILE --task "..."': "the private text, on standard output",
    "privstamp policy init": "a file with everything that can be changed",
}


def demo(preset: Preset = None) -> None:
    """Privatise a sample note and show what happened."""
    from privstamp.cli.running import privatizer
    from privstamp.policy import DEFAULT, Policy

    result = privatizer(Policy.preset(preset or DEFAULT)).privatize(NOTE, TASK, trace=True)
    show(result, out())


def show(result: Result, console: Console) -> None:
    """Everything, from the note to what to try next."""
    show_release(result, console)
    console.print("\nThe certificate, in short", style="bold")
    console.print(_pairs(_facts(result.certificate)))
    reply = ANSWER
    for entry in result.map.entries:
        reply = reply.replace(entry.original, entry.surrogate)
    console.print("\nThe private map takes answers back", style="bold")
    console.print(_pairs({"an answer": reply, "restored here": result.restore(reply)}))
    console.print("\nNext", style="bold")
    console.print(_pairs(NEXT))


def show_release(result: Result, console: Console) -> None:
    """The note before and after, and its groups."""
    console.print(f'Task (public): "{TASK}"', style="italic")
    console.print(_panels(result, console))
    console.print(_groups(result.certificate, console))


def _panels(result: Result, console: Console) -> RenderableType:
    from rich.console import Group
    from rich.panel import Panel
    from rich.table import Table

    trace = result.trace
    assert trace is not None
    everything = slice(None)
    before = painted(trace, trace.units.surfaces(), console, everything)
    after = painted(trace, trace.surfaces, console, everything)
    left = Panel(before, title="before: stays here", title_align="left", border_style="red")
    right = Panel(after, title="after: can be sent", title_align="left", border_style="green")
    if console.width < WIDE:
        return Group(left, right)
    grid = Table.grid(expand=True, padding=(0, 1))
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    grid.add_row(left, right)
    return grid


def _groups(certificate: Certificate, console: Console) -> Table:
    from rich.table import Table

    grid = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim")
    grid.add_column("group")
    for name in ("epsilon", "units"):
        grid.add_column(name, justify="right")
    for one in certificate.groups:
        metric = "" if one.metric is None else " " + one.metric.partition("@")[0]
        grid.add_row(key(one.group, console), f"{one.epsilon:g}{metric}", str(one.units))
    return grid


def _facts(certificate: Certificate) -> dict[str, str]:
    counts, loss = certificate.counts, certificate.loss
    labels = (
        "given the groups: they are told from the text itself, so they are visible"
        if certificate.map == "contextual"
        else "as the theorem says: a word's group depends on the word and the task alone"
    )
    means = ", ".join(f"{mean:.1f} {metric}" for metric, mean in loss.mean_epsilon.items())
    distances = dict.fromkeys(one.distance for one in certificate.mechanisms)
    return {
        "guarantee": "a randomised word comes out as any given word at most exp(ε·d) times as "
        "often as another word of its class at distance d would; "
        f"d is the {' or the '.join(distances)}",
        "holds": labels,
        "units": f"{counts.perturbed} randomised; {counts.replaced + counts.replaced_by_rule} "
        f"replaced by budget or rule; {counts.unknown} unknown, so replaced; "
        f"{counts.unprotected} unprotected",
        "loss": f"mean ε {means}; at worst {loss.worst_case:,.0f} nats in all, if every word were "
        "swapped for the one furthest away",
        "not protected": "; ".join(certificate.not_protected),
        "randomness": f"{certificate.randomness}; releasing twice spends twice",
    }


def _pairs(rows: Mapping[str, str]) -> Table:
    """Two columns, the second one wrapped within itself."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column(ratio=1)
    for name, value in rows.items():
        grid.add_row(name, value)
    return grid
