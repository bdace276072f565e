"""privstamp demo: a sample note on three levels, and what the default's certificate says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from privstamp.cli.options import Preset
from privstamp.cli.screen import legend, out, painted, working

if TYPE_CHECKING:
    from rich.console import Console
    from rich.panel import Panel
    from rich.table import Table

    from privstamp.lab.calibration.groups import TextFigures
    from privstamp.release.certificate import Certificate
    from privstamp.result import Result, Trace

EXAMPLES = """
privstamp demo
privstamp demo --preset fluent
"""
LEVELS: Final = ("selective", "readable", "stamp")
PURPOSE: Final = {
    "selective": "to a model or a person who works with it",
    "readable": "to store or train on: wording blurred, not for close reading",
    "stamp": "for research: the paper's noise on every word",
}
DRAWS: Final = 500
"""That an attacker without an exact law is run on: enough for two figures of a share."""
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


@dataclass(frozen=True)
class Level:
    """The note under one preset."""

    name: str
    result: Result
    figures: TextFigures


def demo(preset: Preset = None) -> None:
    """Privatise a sample note on three levels, or under one preset, and show what happened."""
    show(levels_of(LEVELS if preset is None else (preset,)), out())


def levels_of(names: Sequence[str]) -> list[Level]:
    """The note under each of these presets, attacked."""
    from privstamp.cli.line import privatizer
    from privstamp.lab.calibration.groups import text_figures
    from privstamp.policy import Policy

    levels = []
    for name in names:
        line = privatizer(Policy.preset(name))
        result = line.privatize(NOTE, TASK, trace=True)
        with working(f"attacking {name}"):
            levels.append(Level(name, result, text_figures(line, result, DRAWS)))
    return levels


def show(levels: Sequence[Level], console: Console) -> None:
    """Everything, from the note to what to try next; in detail of the first level."""
    show_levels(levels, console)
    first = levels[0]
    console.print(f"\nThe certificate of {first.name}, in short", style="bold")
    console.print(_pairs(_facts(first.result.certificate)))
    reply = ANSWER
    for entry in first.result.map.entries:
        reply = reply.replace(entry.original, entry.surrogate)
    console.print("\nThe private map takes answers back", style="bold")
    console.print(_pairs({"an answer": reply, "restored here": first.result.restore(reply)}))
    console.print("\nNext", style="bold")
    console.print(_pairs(NEXT))


def show_levels(levels: Sequence[Level], console: Console) -> None:
    """The note before and after, side by side where there is room, and what each level leaves."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.table import Table

    console.print(f'Task (public): "{TASK}"', style="italic")
    console.print(legend(console))
    first = _traced(levels[0].result)
    before = painted(first, first.units.surfaces(), console, slice(None))
    console.print(Panel(before, title="before: stays here", title_align="left", border_style="red"))
    panels = [_panel(level, console) for level in levels]
    if console.width < WIDE:
        console.print(Group(*panels))
    else:
        grid = Table.grid(expand=True, padding=(0, 1))
        for _ in panels:
            grid.add_column(ratio=1)
        grid.add_row(*panels)
        console.print(grid)
    console.print()
    console.print(_table(levels))


def _panel(level: Level, console: Console) -> Panel:
    from rich.panel import Panel

    trace = _traced(level.result)
    text = painted(trace, trace.surfaces, console, slice(None))
    title = ": ".join(filter(None, (level.name, PURPOSE.get(level.name))))
    return Panel(text, title=title, title_align="left", border_style="green")


def _traced(result: Result) -> Trace:
    assert result.trace is not None
    return result.trace


def _table(levels: Sequence[Level]) -> Table:
    """What a reader keeps and an attacker names, who knows the mechanism and word frequencies;
    function words are not counted."""
    from rich.table import Table

    grid = Table(box=None, pad_edge=False, padding=(0, 1), header_style="dim")
    for name in ("level", "a reader keeps", "an attacker names: sensitive words", "others"):
        grid.add_column(name)
    for level in levels:
        figures = level.figures
        sensitive = (
            "by guessing alone" if figures.replaced_blind else _share(figures.named_sensitive)
        )
        kept = f"{_share(figures.kept)} of other content words"
        grid.add_row(level.name, kept, sensitive, _share(figures.named_others))
    return grid


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _facts(certificate: Certificate) -> dict[str, str]:
    counts, loss = certificate.counts, certificate.loss
    replaced = counts.replaced + counts.replaced_by_rule + counts.unknown
    facts = {
        "replaced": f"{replaced} units, drawn without looking at them: what stands there tells of "
        "them only what the certificate names (type, form, which are equal)",
    }
    if counts.perturbed:
        distances = dict.fromkeys(mechanism.distance for mechanism in certificate.mechanisms)
        means = ", ".join(f"{mean:.1f} {metric}" for metric, mean in loss.mean_epsilon.items())
        facts["randomised"] = (
            f"{counts.perturbed} units (mean ε {means}), which come out as any given word at most "
            "exp(ε·d) times as often as another word of the class at distance d would; "
            f"d is the {' or the '.join(distances)}"
        )
    facts["as written"] = f"{counts.unprotected} units leave as they are, UNPROTECTED, by preset"
    facts["holds"] = (
        "given the labels: which words are sensitive is told from the text itself, and visible"
        if certificate.map == "contextual"
        else "as the theorem says: a word's group depends on the word and the task alone"
    )
    facts["visible"] = (
        "order, punctuation, case, which units are equal, the type and form of what was replaced: "
        f"{len(certificate.not_protected)} things, each named by the certificate"
    )
    facts["randomness"] = f"{certificate.randomness}; releasing twice spends twice"
    return facts


def _pairs(rows: Mapping[str, str]) -> Table:
    """Two columns, the second one wrapped within itself."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column(ratio=1)
    for name, value in rows.items():
        grid.add_row(name, value)
    return grid
