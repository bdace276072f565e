"""privstamp demo, on the toy space at several widths and once for real."""

import io

import pytest
from rich.console import Console
from toy_desk import toy_policy

from privstamp.cli import demo
from privstamp.cli.screen import painted
from privstamp.pipeline import Privatizer


def screen(width, **settings):
    return Console(
        record=True, width=width, file=io.StringIO(), markup=False, highlight=False, **settings
    )


@pytest.fixture
def result(desk):
    return Privatizer(toy_policy()).privatize(demo.NOTE + " w1 w2\n", demo.TASK, trace=True)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_fits_the_terminal(result, width):
    console = screen(width)
    demo.show(result, console)
    lines = console.export_text().splitlines()
    assert max(map(len, lines)) <= width
    beside = any("before" in line and "after" in line for line in lines)
    assert beside == (width >= demo.WIDE)
    text = " ".join(" ".join(lines).split())
    assert f"{result.certificate.counts.perturbed} randomised" in text
    assert "0 unprotected" in text
    assert "not protected" in text


def test_the_coloured_text_is_the_released_one(result):
    coloured = screen(80, force_terminal=True, color_system="truecolor")
    assert painted(result.trace, result.trace.surfaces, coloured, slice(None)).plain == result.text
    before = painted(result.trace, result.trace.units.surfaces(), coloured, slice(None))
    assert before.plain == demo.NOTE + " w1 w2\n"


def test_colours_only_where_they_are_wanted(result):
    for settings in ({}, {"force_terminal": True, "no_color": True}):
        plain = screen(80, **settings)
        demo.show(result, plain)
        assert "48;" not in plain.file.getvalue()
    coloured = screen(80, force_terminal=True, color_system="truecolor")
    demo.show(result, coloured)
    assert "48;2;" in coloured.file.getvalue()


@pytest.mark.slow
def test_for_real(run):
    done = run("demo")
    assert done.exit_code == 0
    after = done.stdout.partition("after: can be sent")[2].partition("The certificate")[0]
    assert "Miriam²" not in after or "Castellano²" not in after
    assert "884-20-1197" not in after
    assert "miriam.castellano@example.com" not in after
    assert "restored here" in done.stdout
    assert done.stderr == ""


@pytest.mark.slow
def test_the_default_preset_has_no_warnings(run):
    done = run("policy", "check", "--preset", "stamp", "--strict")
    assert (done.exit_code, done.stdout) == (0, "preset stamp: valid, no warnings\n")
