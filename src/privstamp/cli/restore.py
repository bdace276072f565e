"""privstamp restore: put back, locally, what surrogates in an answer stood for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from privstamp.cli.options import Source
from privstamp.cli.output import put
from privstamp.cli.screen import note, tell, warn
from privstamp.cli.source import read_source

EXAMPLES = """
privstamp restore reply.txt --map note.map.json
"""


def restore(
    source: Source,
    map_file: Annotated[
        Path, Option("--map", metavar="FILE", help="The private map that privatize kept.")
    ],
) -> None:
    """Put the originals back into an answer. What comes out is PRIVATE."""
    from privstamp.restore.map import SurrogateMap

    reply = read_source(source)
    mapping = SurrogateMap.load(map_file)
    if mapping.wide_permissions:
        warn(f"others on this machine can read {map_file}. Try: chmod 600 {map_file}")
    restored = mapping.restore(reply)
    put(restored)
    if restored == reply and len(mapping):
        tell(f"none of the {len(mapping)} surrogates was found: is this the map of that release?")
    note("what was written is PRIVATE: it holds what the surrogates stood for")
    if mapping.left_out:
        note(f"{mapping.left_out} surrogates cannot be put back: short, or for several things")
