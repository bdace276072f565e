"""Write src/privstamp/assets/label_loss.json: how often one swapped word moves labels, by parts.

    make labels      # after a change to detectors, importance or word lists; a minute

Certificates quote it for policies with these parts; `privstamp audit` measures it for any.
"""

from __future__ import annotations

import json
from pathlib import Path

from privstamp.assets import cache as pins
from privstamp.errors import AssetError, MissingExtra
from privstamp.lab.audit.labels import SWAPS, steadiness
from privstamp.lab.audit.subject import Subject, bundled
from privstamp.policy import PRESETS, Policy
from privstamp.release.issuer import label_parts

PUBLIC = Policy.model_validate(
    {
        "extends": "readable",
        "grouping": "public",
        "sensitivity": "lexicon",
        "importance": "task-match",
    }
)
PLACE = Path(pins.__file__).with_name("label_loss.json")


def main() -> None:
    rows = []
    for name, policy in {**PRESETS, "public": PUBLIC}.items():
        of = label_parts(policy)
        if any(row["of"] == of for row in rows):
            continue
        try:
            figures, table = steadiness(Subject(policy, bundled(), seed=1), lambda _: None)
        except (AssetError, MissingExtra) as error:
            print(f"{name}: {error}; left out")
            continue
        if figures["labels_moved_own"].value is None:
            print(f"{name}: no unit is a whole word; left out")
            continue
        own, others = (round(figures[f"labels_moved_{who}"].value, 3) for who in ("own", "others"))
        swaps = SWAPS * len({row["swap"] for row in table})
        rows.append({"of": of, "own": own, "others": others, "swaps": swaps})
        print(f"| {name} | {swaps} | {own:.3f} | {others:.3f} |")
    PLACE.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
