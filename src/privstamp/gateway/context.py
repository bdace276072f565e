"""PRIVATE. What a request tells about the reply to it: the format asked for, what it goes on from,
which strings of it are nobody's surrogate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from privstamp.gateway.answer import Answer, portioned
from privstamp.gateway.draft import Draft, Slot
from privstamp.gateway.request import Reading
from privstamp.gateway.rules import Api
from privstamp.gateway.table import table
from privstamp.restore.entry import MapEntry
from privstamp.restore.map import SurrogateMap
from privstamp.sessions.messages import ASSISTANT

_WORD: Final = re.compile(r"\w+")


def answer_to(
    surrogates: SurrogateMap,
    place: bytes,
    given: dict[str, Any],
    reading: Reading,
) -> Answer:
    """What the reply to a request needs, once all of the request is filled."""
    endpoint, rules = reading.endpoint, reading.rules
    types = table(endpoint.table, "reply")
    shown = {key for key, row in types.by_name[types.roots[0]].items() if row.verb == "echo"}
    structured, schema = _format(given)
    return Answer(
        endpoint,
        rules,
        portioned(_without_own(surrogates, reading.draft)),
        place,
        {key: value for key, value in given.items() if key in shown},
        reading.tools,
        schema,
        structured,
        _lead(reading.draft) if endpoint in (Api.CHAT, Api.MESSAGES) else ("", ""),
        tuple(_documents(given)),
    )


def _without_own(surrogates: SurrogateMap, draft: Draft) -> tuple[MapEntry, ...]:
    """Entries by which strings that the client itself wrote could stand for two things."""
    own = "\n".join(slot.held for part in draft.parts for slot in part.slots if slot.texts)
    words = set(_WORD.findall(own))
    same = (
        replace(entry, original=entry.surrogate)
        for entry in surrogates.entries
        if words.issuperset(_WORD.findall(entry.surrogate)) and _stands(entry.surrogate, own)
    )
    return *surrogates.entries, *same


def _stands(surrogate: str, text: str) -> bool:
    return (
        surrogate in text and re.search(rf"(?<!\w){re.escape(surrogate)}(?!\w)", text) is not None
    )


def _format(given: dict[str, Any]) -> tuple[bool, Any]:
    """Whether JSON was asked for, and its schema."""
    text, config = given.get("text"), given.get("output_config")
    asked = given.get("response_format")
    if isinstance(text, dict):
        asked = text.get("format")
    elif isinstance(config, dict):
        asked = config.get("format")
    if not isinstance(asked, dict) or asked.get("type") not in ("json_schema", "json_object"):
        return False, None
    inner = asked.get("json_schema")
    return True, (inner if isinstance(inner, dict) else asked).get("schema")


def _lead(draft: Draft) -> tuple[str, str]:
    """What the reply goes on from: a last message of the assistant, as client and upstream have
    it."""
    if not draft.parts or draft.parts[-1].origin != ASSISTANT:
        return "", ""
    slots: list[Slot] = draft.parts[-1].slots
    last = slots[-1] if slots else None
    if last is None or last.sealed or not isinstance(last.out, str) or not last.plain:
        return "", ""
    return last.held, last.out


def _documents(given: dict[str, Any]) -> Iterator[str]:
    """Texts that citations of a reply count in, in order."""
    for block in _blocks(given.get("messages")):
        if block.get("type") == "document":
            source = block.get("source")
            data = source.get("data") if isinstance(source, dict) else None
            plain = isinstance(source, dict) and source.get("type") == "text"
            yield data if plain and isinstance(data, str) else ""


def _blocks(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from _blocks(inner)
