"""The report as one HTML page: no script, no fonts, nothing fetched, readable in light and dark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Final

from privstamp.errors import MissingExtra
from privstamp.lab.evals.comparisons import Sheet
from privstamp.lab.evals.figures import draw, stem
from privstamp.lab.evals.report import EXPLAINED, Report, sheets
from privstamp.lab.evals.tables import Row
from privstamp.lab.report.plot import inline

_STYLE: Final = """
:root{color-scheme:light dark;--ink:#1d2733;--faint:#5b6775;--line:#e3e7eb;--back:#fff;
--note:#fff6d6;--edge:#e2c35a}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ee;--faint:#a3adba;--line:#39424e;
--back:#14181d;--note:#3a3315;--edge:#7a6620}}
*{box-sizing:border-box}
body{font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--back);
max-width:100rem;margin:2.5rem auto;padding:0 1.2rem}
h1{font-size:1.75rem;margin:0 0 .3rem}
h2{font-size:1.25rem;margin:2.6rem 0 .4rem;padding-top:.9rem;border-top:2px solid var(--line)}
p{max-width:52rem}.faint{color:var(--faint);font-size:.9rem}
.wide{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;font-size:.82rem;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.3rem .7rem .3rem 0;border-bottom:1px solid var(--line);
white-space:nowrap;vertical-align:top}
th{color:var(--faint);font-weight:600;white-space:normal;min-width:3.5rem;vertical-align:bottom}
td:first-child,th:first-child{position:sticky;left:0;background:var(--back)}
.figure{background:#fff;border:1px solid var(--line);border-radius:6px;padding:.6rem;
margin:.8rem 0;overflow-x:auto}.figure svg{max-width:min(100%,60rem);height:auto;display:block}
.remark{background:var(--note);border:1px solid var(--edge);border-radius:6px;
padding:.4rem .9rem}
small{color:var(--faint)}
@media print{body{margin:0;max-width:none;font-size:11px}tr,.figure{break-inside:avoid}}
"""


def page(report: Report, title: str = "Privacy and utility, measured") -> str:
    """The whole document."""
    pictures, missing = _pictures(report.rows)
    remarks = [*report.remarks(), *([missing] if missing else [])]
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        f'<meta name=viewport content="width=device-width"><title>{escape(title)}</title>',
        f"<style>{_STYLE}</style><h1>{escape(title)}</h1>",
        f"<p class=faint>{_stressed(EXPLAINED)}</p>",
        *(f"<p class=remark>{escape(one)}.</p>" for one in remarks),
    ]
    for sheet in sheets(report.rows):
        parts.append(f"<h2>{escape(sheet.experiment)}: {escape(sheet.task)}</h2>")
        drawn = pictures.get(stem(sheet.experiment, sheet.task))
        if drawn:
            parts.append(f"<div class=figure>{drawn}</div>")
        parts.append(_table(sheet))
    return "\n".join([*parts, "</html>"]) + "\n"


def _pictures(rows: Sequence[Row]) -> tuple[dict[str, str], str]:
    """Pictures by name, or none and why."""
    try:
        return {name: inline(figure) for name, figure in draw(rows)}, ""
    except MissingExtra as error:
        return {}, f"no figures: {error}"


def _table(sheet: Sheet) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in sheet.headings)
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(cell)}</td>" for cell in line) + "</tr>"
        for line in sheet.lines
    )
    return f"<div class=wide><table><tr>{head}</tr>{body}</table></div>"


def _cell(text: str) -> str:
    """Intervals stand back behind their value."""
    value, bracket, rest = text.partition(" [")
    return escape(value) + (f" <small>[{escape(rest)}</small>" if bracket else "")


def _stressed(text: str) -> str:
    return re.sub(r"\*(.+?)\*", r"<b>\1</b>", escape(text))
