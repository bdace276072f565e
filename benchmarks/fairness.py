"""Whose names are found: coverage by the origin of names, the table of docs/guides/sensitivity.md.

    python benchmarks/fairness.py [--typed] [--write]

Names are drawn from the pinned lists, put into sentences of our own, once as written and once in
lower case. Cells are shares of the characters of names that are marked. `lexicon` reads these very
lists, so it stands there twice: as it is, and made without the lists of the origin in question.
The last column is the share of words of names that the union calls a person's, with these lists and
without them, as written; --typed measures that one alone and takes the others from the results.
"""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np

from privstamp.registry import SENSITIVITY, SPACES
from privstamp.release.groups import join_names
from privstamp.sensitivity import lexicon, lexicon_claims, lexicon_table
from privstamp.sensitivity.public_names import read_origins

RESULTS = Path(__file__).parent / "results" / "fairness.json"
NAMES = 120
FRAMES = (
    "{} signed the form on Monday.",
    "Please ask {} to call the office before noon.",
    "The letter was addressed to {} and never opened.",
    "Our neighbour {} lent us a ladder last week.",
    "I met {} at the station, and we walked home together.",
    "The nurse said that {} had slept badly.",
    "A parcel for {} is waiting at the front desk.",
    "{} owes the landlord two months of rent.",
    "Nobody in the team had heard from {} since spring.",
    "When {} left the firm, the files were moved.",
    "Thanks for the help with the car, {}.",
    "The judge asked {} about the night of the fire.",
)
LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff' -]+")
ORIGINS = {
    "English (US, UK)": ("en_US", "en_GB"),
    "Irish": ("ga_IE", "en_IE"),
    "French": ("fr_FR", "fr_BE", "fr_CA"),
    "German": ("de_DE", "de_AT", "de_CH"),
    "Dutch": ("nl_NL", "nl_BE"),
    "Nordic": ("sv_SE", "no_NO", "da_DK", "fi_FI"),
    "Spanish": ("es_ES", "es_MX", "es_CO", "es_CL"),
    "Portuguese": ("pt_PT", "pt_BR"),
    "Italian": ("it_IT",),
    "Polish, Czech, Slovak": ("pl_PL", "cs_CZ", "sk_SK"),
    "Croatian, Slovene": ("hr_HR", "sl_SI"),
    "Baltic": ("et_EE", "lt_LT", "lv_LV"),
    "Hungarian, Romanian": ("hu_HU", "ro_RO"),
    "Turkish, Azeri, Uzbek": ("tr_TR", "az_AZ", "uz_UZ"),
    "Algerian": ("fr_DZ",),
    "Indian": ("en_IN",),
    "Pakistani": ("en_PK",),
    "Kenyan, Swahili": ("en_KE", "sw"),
    "Yoruba, Igbo, Hausa": ("yo_NG", "ig_NG", "ha_NG", "en_NG"),
    "Ghanaian": ("tw_GH",),
    "Zulu": ("zu_ZA",),
    "Chinese, romanised": ("zh_CN", "zh_TW"),
    "Japanese, romanised": ("ja_JP",),
    "Vietnamese": ("vi_VN",),
    "Thai, romanised": ("en_TH",),
    "Indonesian": ("id_ID",),
    "Russian, Cyrillic": ("ru_RU",),
    "Arabic script": ("ar_AA",),
    "Hindi, Devanagari": ("hi_IN",),
}
NATIVE = ("Russian, Cyrillic", "Arabic script", "Hindi, Devanagari")
COLUMNS = ("rules", "presidio", "lexicon", "unlisted", "union")
TYPED = "a person"


def people(origin: str) -> list[str]:
    """Given and family names of one origin, paired evenly over its lists."""
    known = [read()[locale] for locale in ORIGINS[origin]]
    fits = (lambda name: not LATIN.fullmatch(name)) if origin in NATIVE else LATIN.fullmatch
    given = sorted({name for one in known for name in one.given if fits(name) and len(name) > 1})
    family = sorted({name for one in known for name in one.family if fits(name) and len(name) > 1})
    picks = np.linspace(0, 1, NAMES, endpoint=False)
    others = np.roll(picks, NAMES // 2)
    return [
        f"{given[int(a * len(given))]} {family[int(b * len(family))]}"
        for a, b in zip(picks, others, strict=True)
    ]


@cache
def read():
    return read_origins()


def unlisted(origin: str, build=lambda: lexicon.Lexicon()):
    """A part, the lexicon, as it would be without the lists of an origin."""
    others = {locale: one for locale, one in read().items() if locale not in ORIGINS[origin]}
    with TemporaryDirectory() as made, patch.object(lexicon_claims, "read_origins", lambda: others):
        lexicon_table._build(Path(made), "en", 3.0)
        Path(made, "manifest.json").write_text("{}")
        with patch.object(lexicon, "table", lambda *_: Path(made)):
            return build()


def framed(names: list[str], *, lower: bool = False) -> tuple[list[str], list[tuple[int, int]]]:
    """Sentences, and where the names are in them."""
    texts, spans = [], []
    for number, name in enumerate(names):
        frame = FRAMES[number % len(FRAMES)]
        start = frame.index("{}")
        text = frame.format(name)
        texts.append(text.lower() if lower else text)
        spans.append((start, start + len(name)))
    return texts, spans


def typed(part, space, names: list[str]) -> float:
    """Share of the words of names that a part calls a person's."""
    texts, spans = framed(names)
    batch = [space.split(text) for text in texts]
    hits = total = 0
    for units, (start, end), findings in zip(batch, spans, part.find(batch), strict=True):
        joined = join_names(units.text, findings)  # as the line does
        people = [one for one in joined if one.kind == "PERSON"]
        for first in units.starts[(units.starts >= start) & (units.starts < end)]:
            hits += any(one.start <= first < one.end for one in people)
            total += 1
    return round(hits / total, 3)


def covered(part, space, names: list[str], *, lower: bool) -> float:
    """Share of the characters of names that a part marks."""
    texts, spans = framed(names, lower=lower)
    hits = total = 0
    found = part.find([space.split(text) for text in texts])
    for text, (start, end), findings in zip(texts, spans, found, strict=True):
        marked = np.zeros(len(text), dtype=bool)
        for one in findings:
            marked[one.start : one.end] = True
        ink = np.array([c.isalnum() for c in text[start:end]], dtype=bool)
        hits += int((marked[start:end] & ink).sum())
        total += int(ink.sum())
    return round(hits / total, 3)


def main() -> None:
    space = SPACES.build("glove", {})
    only = "--typed" in sys.argv
    results: dict[str, dict[str, list[float]]] = {}
    if only:
        results = json.loads(RESULTS.read_text(encoding="utf-8"))
    union = SENSITIVITY.build("union", {})
    parts = {} if only else {name: SENSITIVITY.build(name, {}) for name in COLUMNS[:3]}
    company = cache(lexicon_table.Company)
    with patch.object(lexicon_table, "Company", company):
        for origin in ORIGINS:
            names = people(origin)
            if not only:
                mine = {**parts, "unlisted": unlisted(origin), "union": union}
                results[origin] = {
                    name: [covered(mine[name], space, names, lower=low) for low in (False, True)]
                    for name in COLUMNS
                }
            other = unlisted(origin, lambda: SENSITIVITY.build("union", {}))
            results[origin][TYPED] = [typed(part, space, names) for part in (union, other)]
    if "--write" in sys.argv:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print("\n".join(table(results)))


def table(results: dict[str, dict[str, list[float]]]) -> list[str]:
    """Lines of Markdown: as written / in lower case; the type with lists / without."""
    heads = (*COLUMNS, TYPED)
    lines = ["| origin of names | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for origin, by_part in results.items():
        cells = [f"{title:.2f} / {lower:.2f}" for title, lower in by_part.values()]
        lines.append(f"| {origin} | " + " | ".join(cells) + " |")
    return lines


if __name__ == "__main__":
    main()
