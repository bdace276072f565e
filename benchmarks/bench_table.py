"""The tables and the picture of docs/lab/speed.md, from the committed results.

    privstamp bench --out benchmarks/results/bench.json
    python benchmarks/agreement.py && python benchmarks/approximate.py
    python benchmarks/peer_mldp.py FOLDER
    python benchmarks/selective_speed.py FILE.csv.gz ... --write
    python benchmarks/bench_table.py

Every part of the page between `<!-- NAME -->` and `<!-- end -->` is written anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from privstamp.lab.bench.report import draw, sections
from privstamp.lab.report import Sheet, markdown

HERE = Path(__file__).parent
RESULTS, PAGE = HERE / "results", HERE.parent / "docs" / "lab" / "speed.md"
PICTURE = HERE.parent / "docs" / "images" / "bench.png"
NAMES = ("ratios", "searches", "mechanisms", "lines", "start")


def machine(record: dict) -> str:
    about = record["about"]
    packages = ", ".join(f"{name} {one}" for name, one in about["packages"].items() if one)
    growth = ", ".join(
        f"{axis} {value:.2f}" for axis, value in record["growth"].items() if value is not None
    )
    memory = ", ".join(
        f"{int(n):,}: {size / 1e6:.1f} MB" for n, size in record["memory_bytes"].items()
    )
    return (
        f"{about['processor']}, {about['cores']} cores, Python {about['python']}, {packages}. "
        f"Time grows with size to the power of: {growth}. Memory by units: {memory}.\n"
    )


def table(name: str, headings: dict[str, str]) -> str:
    """A list of records as a table of some of their fields."""
    path = RESULTS / name
    if not path.exists():
        return "Not measured yet.\n"
    lines = [
        [f"{one[key]:,.4g}" if isinstance(one[key], float) else f"{one[key]}" for key in headings]
        for one in json.loads(path.read_text())
    ]
    return markdown(Sheet("", list(headings.values()), lines))


def parts() -> dict[str, str]:
    record = json.loads((RESULTS / "bench.json").read_text())
    made = {"machine": machine(record)}
    made |= {
        name: markdown(section) for name, section in zip(NAMES, sections(record), strict=False)
    }
    made["agreement"] = table(
        "agreement.json",
        {
            "space": "table",
            "draws": "draws",
            "different": "different",
            "looked_at_again_per_draw": "rows looked at again per draw",
            "left_to_float32": "left to float32",
        },
    )
    made["approximate"] = table(
        "approximate.json",
        {
            "decoder": "decoder",
            "noise": "noise",
            "to_build_seconds": "to build, s",
            "speed_over_exact": "times as fast as exact",
            "same_row": "same row as exact",
        },
    )
    made["selective"] = selective()
    made["mldp"] = peer()
    return made


def selective() -> str:
    path = RESULTS / "selective_speed.json"
    if not path.exists():
        return "Not measured yet.\n"
    record = json.loads(path.read_text())
    lines = [
        (meaning, f"{record[key]:g}")
        for key, meaning in {
            "many_over_spacy": "many texts: speed / spaCy's NER alone",
            "one_over_spacy": "one text at a time: the same",
            "selective_over_presidio_batch": "speed / Presidio's batch engine",
            "public_map_over_presidio_batch": "with the public map alone: the same",
            "first_call_cpu_seconds": "first call, empty cache: CPU seconds",
            "next_call_cpu_seconds": "the next call: CPU seconds",
        }.items()
    ]
    return markdown(Sheet("", ("", f"{record['documents']} documents of 160 words"), lines))


def peer() -> str:
    path = RESULTS / "peer_mldp.json"
    if not path.exists():
        return "Not measured yet.\n"
    record = json.loads(path.read_text())
    speed = record["words_per_second"]
    lines = [
        (name, f"{one:,.3g}" if one < 1000 else f"{one:,.0f}", f"{speed['privstamp'] / one:,.0f}")
        for name, one in speed.items()
    ]
    return markdown(Sheet("", ("", "words per second", "privstamp is faster by"), lines))


def main() -> None:
    page = PAGE.read_text()
    for name, text in parts().items():
        page = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- end -->)",
            lambda found, text=text: found[1] + text + found[2],
            page,
            flags=re.DOTALL,
        )
    PAGE.write_text(page)
    draw(json.loads((RESULTS / "bench.json").read_text()), PICTURE)


if __name__ == "__main__":
    main()
