"""privstamp restore: put back, locally, what surrogates in an answer stood for."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from typer import Option

from privstamp.cli.options import MaxSize, Source
from privstamp.cli.output import put
from privstamp.cli.screen import note, tell, warn
from privstamp.cli.source import MAX_SIZE, read_source
from privstamp.errors import InputError

EXAMPLES = """
privstamp restore reply.txt --map note.map.json
privstamp restore reply.txt --map note.map.json --kinds CREDENTIAL --json
privstamp restore reply.txt --map note.map.json --trusted
"""


class ReplyFormat(StrEnum):
    """What a reply is."""

    text = "text"
    json = "json"


def restore(
    source: Source,
    map_file: Annotated[
        Path, Option("--map", metavar="FILE", help="The private map that privatize kept.")
    ],
    trusted: Annotated[
        bool, Option("--trusted", help="Withhold nothing: for text of your own, not for a reply.")
    ] = False,
    kinds: Annotated[
        str, Option("--kinds", metavar="KINDS", help="Secrets to put back, as CREDENTIAL,PIN.")
    ] = "",
    allow: Annotated[
        str, Option("--allow", metavar="RULES", help="Places to fill, as PERSON:url,URL:url.")
    ] = "",
    reply_format: Annotated[
        ReplyFormat, Option("--format", help="json: put values into its strings, escaped.")
    ] = ReplyFormat.text,
    as_json: Annotated[
        bool, Option("--json", help="Text, what was put back and what was withheld, as JSON.")
    ] = False,
    max_size: MaxSize = MAX_SIZE,
) -> None:
    """Put the originals back into an answer: its text, not its links. What comes out is PRIVATE."""
    from privstamp.restore.map import SurrogateMap

    reply = read_source(source, max_size=max_size)
    if reply_format is ReplyFormat.json and not (trusted or _is_json(reply)):
        raise InputError("FILE: the reply is not JSON. Without --format json it is read as text")
    mapping = SurrogateMap.load(map_file)
    if mapping.wide_permissions:
        warn(f"others on this machine can read {map_file}. Try: chmod 600 {map_file}")
    outcome = mapping.restored(
        reply,
        trusted=trusted,
        kinds=_listed(kinds),
        allow=_listed(allow),
        format="json" if reply_format is ReplyFormat.json else None,
    )
    listed = json.dumps(asdict(outcome), ensure_ascii=False, indent=1) + "\n"
    put(listed if as_json else outcome.text)
    if outcome.withheld:
        tell(_told(outcome.reasons))
    if outcome.active and outcome.put_back:
        tell("the reply holds something that computes or sends: read it, run nothing of it")
    if outcome.text == reply and not outcome.withheld and len(mapping):
        tell(f"none of the {len(mapping)} surrogates was found: is this the map of that release?")
    note("what was written is PRIVATE: it holds what the surrogates stood for")
    if mapping.left_out:
        note(f"{mapping.left_out} surrogates cannot be put back: short, or for several things")


def _is_json(reply: str) -> bool:
    try:
        json.loads(reply)
        return True
    except (ValueError, RecursionError):
        return False


def _listed(value: str) -> list[str]:
    return [item.strip() for item in value.split(",") if item.strip()]


def _told(reasons: dict[str, int]) -> str:
    """How many were withheld, and why."""
    from privstamp.restore.outcome import REASONS

    why = "; ".join(f"{count} {REASONS[reason]} ({reason})" for reason, count in reasons.items())
    return f"{sum(reasons.values())} withheld: {why}"
