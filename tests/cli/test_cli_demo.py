"""privstamp demo, on the toy space at several widths and once for real."""

import io
import math

import pytest
from rich.console import Console
from toy_desk import toy_policy

from privstamp.cli import demo
from privstamp.cli.screen import painted
from privstamp.lab.calibration.groups import text_figures
from privstamp.pipeline import Privatizer

REPLACING = {"budget": {"epsilon": [0, 0, math.inf, math.inf]}}


def screen(width, **settings):
    return Console(
        record=True, width=width, file=io.StringIO(), markup=False, highlight=False, **settings
    )


@pytest.fixture
def levels(desk):
    found = []
    for name, policy in (("strong", REPLACING), ("weak", {"deny": ["w1"]})):
        line = Privatizer(toy_policy(**policy), seed=3)
        result = line.privatize(demo.NOTE + " w1 w2\n", demo.TASK, trace=True)
        found.append(demo.Level(name, result, text_figures(line, result, 200)))
    return found


@pytest.fixture
def result(levels):
    return levels[1].result


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_fits_the_terminal(levels, width):
    console = screen(width)
    demo.show(levels, console)
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= width
    beside = any("─ strong ─" in line and "─ weak ─" in line for line in lines)
    assert beside == (width >= demo.WIDE)
    text = " ".join(" ".join(lines).split())
    assert (
        f"{levels[0].result.certificate.counts.unprotected} units leave as they are, UNPROTECTED"
        in text
    )
    assert "named by the certificate" in text


def test_levels_show_what_they_leave(levels):
    strong, weak = (level.figures for level in levels)
    assert strong.replaced_blind and not weak.replaced_blind
    assert strong.kept == strong.named_others == 1.0
    assert 0 < weak.named_others < 1 and 0 < weak.kept < 1
    console = screen(200)
    demo.show_levels(levels, console)
    rows = [line.split() for line in console.export_text().splitlines()]
    (first,) = (row for row in rows if row[:2] == ["strong", "100"])
    assert " ".join(first).endswith("by guessing alone 100 %")


def test_the_coloured_text_is_the_released_one(result):
    coloured = screen(80, force_terminal=True, color_system="truecolor")
    assert painted(result.trace, result.trace.surfaces, coloured, slice(None)).plain == result.text
    before = painted(result.trace, result.trace.units.surfaces(), coloured, slice(None))
    assert before.plain == demo.NOTE + " w1 w2\n"


def test_colours_only_where_they_are_wanted(levels):
    for settings in ({}, {"force_terminal": True, "no_color": True}):
        plain = screen(80, **settings)
        demo.show(levels, plain)
        assert "48;" not in plain.file.getvalue()
    coloured = screen(80, force_terminal=True, color_system="truecolor")
    demo.show(levels, coloured)
    assert "48;2;" in coloured.file.getvalue()


@pytest.mark.slow
def test_for_real(run):
    done = run("demo")
    assert done.exit_code == 0
    for name in demo.LEVELS:
        _, title, after = done.stdout.partition(f"─ {name}: ")
        after = after.partition("certificate")[0]
        assert title and after
        assert "Miriam²" not in after or "Castellano²" not in after
        assert "884-20-1197" not in after
        assert "miriam.castellano@example.com" not in after
    assert "restored here" in done.stdout
    told = [line for line in done.stderr.splitlines() if "this may take some seconds" not in line]
    assert told == []  # what is made once on a new machine is told, and nothing else


@pytest.mark.slow
@pytest.mark.parametrize("name", ["selective", "stamp"])
def test_what_the_demo_shows_has_no_warnings(run, name):
    done = run("policy", "check", "--preset", name, "--strict")
    assert done.exit_code == 0 and done.stdout.endswith(f"preset {name}: valid, no warnings\n")
