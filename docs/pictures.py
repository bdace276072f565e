"""Draw the pictures of the docs that explain one idea each, as small SVG files.

    python docs/pictures.py

Charts are of committed measurements (benchmarks/results/frontier.json, and the figures that
benchmarks/presets.py wrote into concepts/presets.md); the others are drawn from what stands here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

DOCS = Path(__file__).parent
FRONTIER = DOCS.parent / "benchmarks" / "results" / "frontier.json"
INK, SOFT, PAPER = "#1f2933", "#7b8794", "#fcfcfa"
TEAL, AMBER, ROSE, BLUE, VIOLET, GREEN = (
    "#0f766e", "#b45309", "#be123c", "#1d4ed8", "#6d28d9", "#4d7c0f",
)  # fmt: skip
FONT = "system-ui, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', sans-serif"


class Drawing:
    """A card of a given size, and what was put on it."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self.parts: list[str] = []

    def box(self, x: float, y: float, w: float, h: float, colour: str = SOFT, fill: str = "none",
            dash: str = "") -> None:  # fmt: skip
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="8" fill="{fill}" '
            f'stroke="{colour}" stroke-width="1.5"{dashes}/>'
        )

    def text(self, x: float, y: float, words: str, size: float = 14, colour: str = INK,
             anchor: str = "middle", bold: bool = False) -> None:  # fmt: skip
        weight = ' font-weight="600"' if bold else ""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}" '
            f'text-anchor="{anchor}"{weight}>{escape(words)}</text>'
        )

    def label(self, x: float, y: float, w: float, lines: Sequence[str], colour: str = TEAL) -> None:
        """A filled box with lines of text in it."""
        height = 16 + 19 * len(lines)
        self.box(x, y, w, height, colour, fill="#ffffff")
        for n, line in enumerate(lines):
            self.text(
                x + w / 2, y + 24 + 19 * n, line, bold=n == 0, colour=colour if n == 0 else INK
            )

    def arrow(self, x1: float, y1: float, x2: float, y2: float, colour: str = INK) -> None:
        self.parts.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{colour}" '
            f'stroke-width="2" marker-end="url(#head)"/>'
        )

    def line(self, points: Sequence[tuple[float, float]], colour: str, dash: str = "") -> None:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.2"{dashes}/>'
        )

    def dot(self, x: float, y: float, r: float, colour: str, opacity: float = 1.0) -> None:
        self.parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:g}" fill="{colour}" opacity="{opacity:g}"/>'
        )

    def svg(self) -> str:
        head = (
            '<marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
            f'markerHeight="7" orient="auto"><path d="M0 0 10 5 0 10z" fill="{INK}"/></marker>'
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'font-family="{FONT}" role="img"><title>{escape(self.title)}</title>'
            f'<defs>{head}</defs><rect width="100%" height="100%" rx="10" fill="{PAPER}"/>\n'
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )


Place = Callable[[float], float]


def axes(to: Drawing, x: float, y: float, w: float, h: float, across: Sequence[float],
         up: Sequence[float], names: tuple[str, str]) -> tuple[Place, Place]:  # fmt: skip
    """A frame with ticks; what turns values into places."""

    def place_x(value: float) -> float:
        return x + w * (value - across[0]) / (across[-1] - across[0])

    def place_y(value: float) -> float:
        return y + h - h * (value - up[0]) / (up[-1] - up[0])

    to.line([(x, y), (x, y + h), (x + w, y + h)], SOFT)
    for value in across:
        to.text(place_x(value), y + h + 18, f"{value:g}", 12, SOFT)
    for value in up:
        to.text(x - 8, place_y(value) + 4, f"{value:g}", 12, SOFT, "end")
    to.text(x + w / 2, y + h + 38, names[0], 13)
    to.text(x, y - 12, names[1], 13, anchor="start")
    return place_x, place_y


def records(setting: str) -> list[dict[str, float]]:
    (content,) = json.loads(FRONTIER.read_text(encoding="utf-8"))
    found = [record for record in content["records"] if record["setting"] == setting]
    return sorted(found, key=lambda record: record["epsilon"])


def way() -> Drawing:
    to = Drawing(760, 270, "Only the changed text leaves; answers are put back at home")
    to.box(14, 34, 432, 222, TEAL, fill="#f0fdfa", dash="6 5")
    to.text(30, 26, "your machine", 14, TEAL, "start", bold=True)
    to.box(596, 34, 150, 222, SOFT, fill="#f5f5f4", dash="6 5")
    to.text(608, 26, "elsewhere", 14, SOFT, "start", bold=True)
    to.label(34, 56, 150, ["your text", "Mara Quillfeather"])
    to.label(270, 56, 160, ["privstamp", "finds, replaces"])
    to.label(607, 118, 128, ["a model,", "or a colleague"], BLUE)
    to.label(34, 188, 150, ["what you read", "Mara Quillfeather"])
    to.label(270, 188, 160, ["restore", "puts back"])
    to.label(284, 126, 132, ["the map stays"], AMBER)
    to.arrow(184, 82, 268, 82)
    to.arrow(430, 82, 605, 132)
    to.text(524, 84, "Melissa Crabtree", 13, TEAL, bold=True)
    to.arrow(605, 160, 432, 212)
    to.text(526, 216, "an answer about", 13)
    to.text(526, 233, "Melissa Crabtree", 13)
    to.arrow(270, 214, 186, 214)
    return to


def groups() -> Drawing:
    to = Drawing(760, 262, "Two questions make four groups")
    to.text(300, 26, "the task needs it", 14, bold=True)
    to.text(590, 26, "it does not", 14, bold=True)
    to.text(78, 92, "sensitive", 14, bold=True)
    to.text(78, 196, "not sensitive", 14, bold=True)
    cells = [
        (170, 42, ROSE, "group 1", "Who called? – the caller's name"),
        (460, 42, ROSE, "group 2", "another name, a telephone number"),
        (170, 146, TEAL, "group 3", "called, chest pain"),
        (460, 146, TEAL, "group 4", "on, about, the, weather"),
    ]
    for x, y, colour, title, words in cells:
        to.box(x, y, 274, 92, colour, fill="#ffffff")
        to.text(x + 137, y + 26, title, 15, colour, bold=True)
        to.text(x + 137, y + 50, words, 13)
        happens = "selective: replaced" if y < 100 else "selective: stays as written"
        to.text(x + 137, y + 74, happens, 12.5, SOFT)
    return to


def promise() -> Drawing:
    to = Drawing(760, 216, "Originals with the same labels leave the same surrogate equally often")
    for n, name in enumerate(["Mara Quillfeather", "Yusuf Adeyemi", "Li Wen"]):
        to.label(16, 24 + 62 * n, 186, [name], ROSE)
        to.arrow(202, 42 + 62 * n, 284, 104)
    to.label(288, 64, 190, ["labels", "a person, two words,", "Title Case, equal to …"], AMBER)
    to.arrow(478, 104, 560, 104)
    to.label(564, 76, 180, ["Melissa Crabtree", "drawn blind"])
    to.text(109, 208, "any of these", 12.5, SOFT)
    to.text(383, 168, "all that the draw is told", 12.5, SOFT)
    to.text(654, 156, "leaves equally often", 12.5, SOFT)
    return to


def surrogates() -> Drawing:
    to = Drawing(
        760, 200, "An address is replaced part by part; words that only say what it is stay"
    )
    columns = [
        (104, "14", "59", "house number", "1 to 299"),
        (226, "Harbour", "Vasquez", "street", "family names"),
        (358, "Terrace", "Terrace", "stays", "says what it is"),
        (490, "Leeds", "Hanford", "town", "a list of towns"),
        (640, "LS2 9JT", "KD4 3UV", "postcode", "same form"),
    ]
    to.text(10, 40, "was", 13, SOFT, "start")
    to.text(10, 112, "leaves", 13, SOFT, "start")
    for x, was, leaves, role, pool in columns:
        colour = SOFT if was == leaves else TEAL
        half = 38 if role == "house number" else 54
        to.box(x - half, 18, 2 * half, 34, SOFT, fill="#ffffff")
        to.text(x, 40, was, 15)
        to.arrow(x, 54, x, 86)
        to.box(x - half, 90, 2 * half, 34, colour, fill="#ffffff")
        to.text(x, 112, leaves, 15, colour, bold=True)
        to.text(x, 150, role, 13, bold=True)
        to.text(x, 170, pool, 12.5, SOFT)
    return to


def mechanisms() -> Drawing:
    to = Drawing(760, 288, "Noise on a vector lands anywhere; steps along a graph land near")
    to.text(190, 28, "noise on the vector, then the nearest word", 14, bold=True)
    to.text(570, 28, "steps along a public graph", 14, bold=True)
    cloud = [
        (60, 70, "guitar"), (320, 80, "harbour"), (90, 235, "statute"), (300, 226, "violet"),
        (180, 130, "invoice"), (128, 108, "receipt"), (232, 112, "payment"), (200, 178, "bill"),
    ]  # fmt: skip
    for x, y, word in cloud:
        near = word in ("invoice", "receipt", "payment", "bill")
        to.dot(x, y, 6, TEAL if word == "invoice" else AMBER if near else SOFT)
        to.text(x, y + 22 if word == "violet" else y - 12, word, 12.5)
    to.arrow(186, 134, 290, 218, ROSE)
    to.text(190, 274, "most words are far, so it lands among them", 12.5, SOFT)
    nodes = {
        "invoice": (570, 150), "receipt": (480, 100), "payment": (655, 100), "bill": (500, 205),
        "fee": (650, 205), "ticket": (415, 150), "salary": (730, 150),
    }  # fmt: skip
    pairs = (
        "invoice-receipt invoice-payment invoice-bill invoice-fee receipt-ticket bill-ticket "
        "payment-salary fee-salary receipt-payment bill-fee"
    )
    links = [pair.split("-") for pair in pairs.split()]
    for one, two in links:
        to.line([nodes[one], nodes[two]], "#cbd2d9")
    for word, (x, y) in nodes.items():
        first = word in ("receipt", "payment", "bill", "fee", "invoice")
        to.dot(x, y, 8 if first else 5, TEAL if word == "invoice" else AMBER if first else SOFT)
        to.text(x, y - 14, word, 12.5)
    to.text(570, 274, "each neighbour as often as itself (plateau 1)", 12.5, SOFT)
    return to


def presets() -> Drawing:
    to = Drawing(760, 250, "How many words stay as written, by preset")
    page = (DOCS / "concepts" / "presets.md").read_text(encoding="utf-8")
    table = page.partition("<!-- figures -->")[2].partition("<!-- end -->")[0]
    to.text(150, 28, "share of words that stay as written:", 14, anchor="start")
    to.text(420, 28, "sensitive", 14, ROSE, "start", bold=True)
    to.text(508, 28, "all others", 14, TEAL, "start", bold=True)
    for n, row in enumerate(re.findall(r"\| `(\w+)` \| ([^|]+) \| ([^|]+) \|", table)):
        y = 48 + 38 * n
        to.text(136, y + 20, row[0], 14, anchor="end", bold=row[0] == "selective")
        for k, (cell, colour) in enumerate(zip(row[1:], (ROSE, TEAL), strict=True)):
            ends = [float(value) for value in re.findall(r"\d?\.\d+", cell)]
            width = 520 * sum(ends) / len(ends)
            to.parts.append(
                f'<rect x="150" y="{y + 15 * k}" width="{max(width, 2):.0f}" height="12" rx="3" '
                f'fill="{colour}"/>'
            )
            to.text(
                158 + max(width, 2), y + 11 + 15 * k, cell.replace(" to ", "–"), 12, SOFT, "start"
            )
    return to


def cliff() -> Drawing:
    to = Drawing(760, 310, "Recovered words over epsilon: a cliff, and a plateau that levels off")
    panels = [
        (60, "polar", "polar, ε chordal", (0, 20, 40, 60, 70)),
        (440, "neighbourhood (plateau 1, k 24, alike 48)", "neighbourhood, plateau 1, ε hops",
         (0, 2, 4, 6, 8, 10)),
    ]  # fmt: skip
    for x, setting, title, across in panels:
        x_of, y_of = axes(to, x, 48, 290, 200, across, (0, 0.25, 0.5, 0.75, 1), (title, ""))
        rows = records(setting)
        for key, colour in (("recovery_unigram", ROSE), ("keep_weighted", TEAL)):
            points = [(x_of(row["epsilon"]), y_of(row[key])) for row in rows]
            to.line(points, colour, "" if colour == ROSE else "5 4")
            for px, py in points:
                to.dot(px, py, 3, colour)
    to.text(60, 26, "share of words:", 13, anchor="start")
    to.text(170, 26, "recovered by an attacker", 13, ROSE, "start", bold=True)
    to.text(372, 26, "kept as itself (dashed)", 13, TEAL, "start", bold=True)
    return to


def frontier() -> Drawing:
    to = Drawing(760, 420, "Meaning kept against recovery")
    x_of, y_of = axes(
        to, 60, 50, 420, 310, (0, 0.1, 0.2, 0.3), (0, 0.2, 0.4, 0.6, 0.8),
        ("recovered by an attacker who knows frequencies", "n50: changed words that stay near"),
    )  # fmt: skip
    shown = [
        ("neighbourhood (plateau 1, k 24, alike 48, reach 1)", "neighbourhood, reach 1", GREEN),
        ("neighbourhood (plateau 1, k 24, alike 48)", "neighbourhood of readable", TEAL),
        ("neighbourhood (plateau 1)", "neighbourhood, k 8", BLUE),
        ("clusters", "clusters", VIOLET),
        ("polar-vocabulary", "polar-vocabulary", AMBER),
        ("polar", "polar (the paper's)", INK),
        ("exponential", "exponential", SOFT),
    ]
    for n, (setting, name, colour) in enumerate(shown):
        rows = [row for row in records(setting) if row["recovery_unigram"] <= 0.3]
        points = [(x_of(row["recovery_unigram"]), y_of(row["n50"])) for row in rows]
        to.line(points, colour)
        for px, py in points:
            to.dot(px, py, 3, colour)
        to.line([(510, 80 + 30 * n), (540, 80 + 30 * n)], colour)
        to.text(550, 85 + 30 * n, name, 13, colour, "start")
    to.text(510, 320, "higher and further left", 12.5, SOFT, "start")
    to.text(510, 338, "is better", 12.5, SOFT, "start")
    return to


def line() -> Drawing:
    to = Drawing(760, 232, "Text is split, labelled, given budgets, drawn and written")
    stages = [
        ("split", "units"), ("label", "groups"), ("budget", "ε per group"),
        ("draw", "blind, or near"), ("write", "the release"),
    ]  # fmt: skip
    for n, (verb, gives) in enumerate(stages):
        x = 16 + 150 * n
        to.label(x, 62, 124, [verb, gives])
        if n:
            to.arrow(x - 26, 88, x - 2, 88)
    to.text(78, 40, "your text", 13, SOFT)
    to.text(228, 40, "is it sensitive?", 13, SOFT)
    to.text(228, 134, "does the task need it?", 13, SOFT)
    to.text(528, 40, "noise by address", 13, SOFT)
    to.label(616, 168, 124, ["certificate"], AMBER)
    to.label(466, 168, 124, ["map, private"], ROSE)
    to.arrow(678, 118, 678, 166)
    to.arrow(560, 118, 540, 166)
    to.text(16, 192, "a stage that fails releases nothing", 13, SOFT, "start")
    return to


def restore() -> Drawing:
    to = Drawing(760, 196, "Values go where a person reads them, never where a program follows")
    to.label(16, 66, 220, ["a reply, by anyone", "who saw the release"], BLUE)
    to.arrow(236, 80, 330, 50)
    to.arrow(236, 100, 330, 140)
    to.label(334, 20, 410, ["“Ask Ms Crabtree …” is read by a person", "Ms Quillfeather: put back"])
    to.label(334, 112, 410, ["https://evil.example/?q=Crabtree is followed",
                             "Crabtree: stays, and is reported as withheld"], ROSE)  # fmt: skip
    return to


def calibration() -> Drawing:
    to = Drawing(760, 300, "Say how often an attacker may be right; the largest epsilon is found")
    x_of, y_of = axes(
        to, 60, 40, 420, 200, (0, 2, 4, 6, 8, 10), (0, 0.05, 0.1, 0.15),
        ("ε (neighbourhood, plateau 1)", "recovered, frequency prior"),
    )  # fmt: skip
    rows = records("neighbourhood (plateau 1, k 24, alike 48)")
    points = [(row["epsilon"], row["recovery_unigram"]) for row in rows]
    to.line([(x_of(x), y_of(y)) for x, y in points], TEAL)
    limit = 0.1
    below = max(pair for pair in points if pair[1] <= limit)
    above = min(pair for pair in points if pair[1] > limit)
    share = (limit - below[1]) / (above[1] - below[1])
    edge = below[0] + share * (above[0] - below[0])
    to.line([(x_of(0), y_of(limit)), (x_of(edge), y_of(limit)), (x_of(edge), y_of(0))], ROSE, "5 4")
    to.dot(x_of(edge), y_of(limit), 5, ROSE)
    to.text(510, y_of(limit) + 4, "you say: at most 10 %", 14, ROSE, "start", bold=True)
    to.text(510, y_of(limit) + 26, f"it finds: ε = {edge:.1f}", 14, TEAL, "start", bold=True)
    to.text(510, y_of(0.0096) + 4, "floor: 1 %, without a release", 13, SOFT, "start")
    to.line([(x_of(0), y_of(0.0096)), (x_of(10), y_of(0.0096))], SOFT, "2 4")
    return to


PICTURES = (
    way,
    line,
    restore,
    calibration,
    groups,
    promise,
    surrogates,
    mechanisms,
    presets,
    cliff,
    frontier,
)


def main() -> None:
    for picture in PICTURES:
        path = DOCS / "images" / f"{picture.__name__}.svg"
        path.write_text(picture().svg(), encoding="utf-8")


if __name__ == "__main__":
    main()
