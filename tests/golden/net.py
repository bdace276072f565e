"""The golden net: what releases, laws and figures were, as one hash for each case and stage.

`make golden` renews hashes.json and says what changed; a change belongs into the changelog.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from typing import Final

from golden import words
from golden.figures import figures
from golden.releases import releases

FILE: Final = Path(__file__).with_name("hashes.json")
BETWEEN: Final = " | "
_LINE: Final = re.compile(r'^ "(?P<name>[^"]+)": "(?P<hash>[0-9a-f]+)",?$', re.MULTILINE)


def cast() -> dict[str, str]:
    """What is true now, by case and stage."""
    found = {}
    with chdir(words.folder()):
        for source in (releases(), figures(words.folder())):
            for case, stages in source:
                for stage, digest in stages.items():
                    found[f"{case}{BETWEEN}{stage}"] = digest
    return found


def read() -> dict[str, str]:
    """What was written down. Line by line, so that a file two people renewed can be read."""
    known = FILE.read_text() if FILE.exists() else ""
    return {match["name"]: match["hash"] for match in _LINE.finditer(known)}


def written(hashes: Mapping[str, str]) -> str:
    return json.dumps(hashes, indent=1, sort_keys=True) + "\n"


def broken(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """What differs: by line of policies the first stage that does, then the cases themselves."""
    cases: dict[str, list[str]] = {}
    for name in sorted({*old, *new}):
        if old.get(name) != new.get(name):
            case, _, stage = name.rpartition(BETWEEN)
            cases.setdefault(case, []).append(stage)
    first = Counter((case.partition(BETWEEN)[0], stages[0]) for case, stages in cases.items())
    summary = [f"{count} of {line}: {stage}" for (line, stage), count in sorted(first.items())]
    return summary + [f"  {case}: {', '.join(stages)}" for case, stages in cases.items()]


def renew() -> None:
    """Write what is true now, and say what changed."""
    old, new = read(), cast()
    changes = broken(old, new)
    FILE.write_text(written(new))
    print("\n".join(changes) or "nothing changed")
    if changes:
        print("changelog: what made this change?")


if __name__ == "__main__":
    renew()
