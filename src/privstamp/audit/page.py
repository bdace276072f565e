"""The report as one HTML page: no script, no fonts, nothing fetched. Bars show intervals."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from privstamp.audit.figures import Figure, Section
from privstamp.audit.run import Audit
from privstamp.audit.subject import Subject
from privstamp.audit.wording import identifiers, questions

EXPLAINED: Final = {
    "recovery_uniform": "an attacker who knows the mechanism and nothing else guesses the word",
    "recovery_unigram": "the same, knowing how often each word is used",
    "recovery_contextual": "the same, with a language model reading the released text",
    "keep_max": "the word that survives most often, in the worst class",
    "sensitive_verbatim": "sensitive spans that left as they were",
    "empirical_epsilon_over_claim": "loss proved by samples, as a share of the claim (must be ≤ 1)",
    "averaging_gain": "what twenty releases tell beyond one",
}
_WIDTH: Final = 320
_STYLE: Final = """
body{font:15px/1.5 system-ui,sans-serif;color:#1d2733;max-width:60rem;margin:2rem auto;
padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2.2rem;border-bottom:1px solid #d5dbe1}
table{border-collapse:collapse;margin:.6rem 0;font-size:.9rem}
th,td{text-align:left;padding:.25rem .8rem .25rem 0;border-bottom:1px solid #eceff2}
td.n{font-variant-numeric:tabular-nums}.note{color:#5b6775;font-size:.88rem}
.pass{color:#11663a;font-weight:600}.fail{color:#a1122d;font-weight:600}
@media print{h2{break-after:avoid}tr{break-inside:avoid}}
"""


def page(subject: Subject, audit: Audit) -> str:
    """The whole document. It shows no word of any text."""
    verdict = "No check refuted a promise." if audit.passed else _failed(audit)
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>privstamp audit</title>",
        f"<style>{_STYLE}</style><h1>Audit of a privstamp policy</h1>",
        f"<p class={'pass' if audit.passed else 'fail'}>{escape(verdict)}</p>",
        "<p class=note>" + escape(_facts(audit.facts)) + "</p>",
        "<h2>Summary</h2>",
        _summary(audit),
    ]
    parts += [_section(section) for section in audit.sections]
    parts += ["<h2>In reviewers' words</h2>", _pairs(questions(subject, audit))]
    parts += ["<h2>The 18 identifiers of HIPAA's Safe Harbor list</h2>"]
    parts += [_pairs(identifiers(subject))]
    parts += ["<p class=note>Facts and figures, no statement of compliance.</p></html>"]
    return "\n".join(parts)


def _failed(audit: Audit) -> str:
    wrong = [section.title for section in audit.sections if not section.sound]
    if wrong:
        return "Refuted: " + "; ".join(wrong)
    return "Not finished: " + ", ".join(audit.skipped)


def _facts(facts: dict[str, Any]) -> str:
    return (
        f"privstamp {facts['privstamp']}, policy {facts['policy'][:12]}, space "
        f"{facts['space'][:12]}, {facts['texts']} texts with {facts['units']} units, "
        f"seed {facts['seed']}"
    )


def _summary(audit: Audit) -> str:
    rows = [
        f"<tr><td>{escape(name)}<br><span class=note>{escape(EXPLAINED.get(name, ''))}</span></td>"
        f"<td class=n>{_number(figure)}</td><td>{_bar(figure)}</td></tr>"
        for name, figure in audit.summary.items()
    ]
    return f"<table>{''.join(rows)}</table>"


def _section(section: Section) -> str:
    """Figures with bars, the table, the remarks."""
    figures = "".join(
        f"<tr><td>{escape(name)}</td><td class=n>{_number(figure)}</td><td>{_bar(figure)}</td></tr>"
        for name, figure in section.figures.items()
    )
    remarks = "".join(f"<p class=note>{escape(remark)}</p>" for remark in section.remarks)
    title = f"<h2>{escape(section.title)}{'' if section.sound else ' — refuted'}</h2>"
    return f"{title}<table>{figures}</table>{_table(section.rows)}{remarks}"


def _table(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""
    names = list(dict.fromkeys(name for row in rows for name in row))
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td class=n>{_cell(row.get(name))}</td>" for name in names) + "</tr>"
        for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _cell(value: Any) -> str:
    if isinstance(value, Figure):
        return _number(value)
    if isinstance(value, dict):  # a figure that was read back
        return _number(Figure(value["value"], value["low"], value["high"]))
    if isinstance(value, float):
        return f"{value:.3g}"
    return "" if value is None else escape(str(value))


def _number(figure: Figure) -> str:
    """A value, and its interval where it has one."""
    if figure.value is None:
        return f"<span class=note>{escape(figure.note or 'none')}</span>"
    exact = figure.low is None or figure.high is None or figure.low == figure.high
    return f"{figure.value:.3f}" + ("" if exact else f" [{figure.low:.3f}, {figure.high:.3f}]")


def _bar(figure: Figure) -> str:
    """From 0 to 1, the interval on top of it in a darker colour."""
    if figure.value is None or not 0.0 <= figure.value <= 1.0:
        return ""
    low = figure.value if figure.low is None else max(figure.low, 0.0)
    high = figure.value if figure.high is None else min(figure.high, 1.0)
    return (
        f'<svg width="{_WIDTH}" height="14" role="img" aria-label="{figure.value:.3f}">'
        f'<rect width="{_WIDTH}" height="14" fill="#eef1f4"/>'
        f'<rect width="{figure.value * _WIDTH:.1f}" height="14" fill="#7aa6c9"/>'
        f'<rect x="{low * _WIDTH:.1f}" y="5" width="{max((high - low) * _WIDTH, 1.5):.1f}" '
        'height="4" fill="#1f3d57"/></svg>'
    )


def _pairs(pairs: list[tuple[str, str]]) -> str:
    rows = "".join(f"<tr><th>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in pairs)
    return f"<table>{rows}</table>"
