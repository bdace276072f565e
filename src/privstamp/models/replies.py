"""What models that answer have in common: a prompt in its template, how a reply is drawn, and a
folder that keeps replies, with the keys under which they are kept.

The folder holds replies and counts, never a prompt or a key. A reply to released text can repeat
that text, and a file's name would confirm a guess of the prompt: the folder is for its owner alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import TracebackType
from typing import Final, Self

import numpy as np

from privstamp.errors import StageFailed
from privstamp.noise import Float32, Lane, Noise
from privstamp.types import Prompt, Reply

_FORMAT: Final = 1


def key_of(prompt: Prompt, settings: Mapping[str, str | float]) -> str:
    """SHA-256 over the prompt and all that the reply depends on."""
    content = json.dumps([_FORMAT, prompt.messages(), dict(settings)], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def fingerprint_of(facts: Mapping[str, str | float]) -> str:
    """SHA-256 over what a model's replies depend on, whatever the prompt."""
    return hashlib.sha256(json.dumps(dict(facts), sort_keys=True).encode()).hexdigest()


class ReplyCache:
    """One file per reply; a file that cannot be read counts as none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, key: str) -> Reply | None:
        try:
            data = json.loads(self._file(key).read_text(encoding="utf-8"))
            text, counts = data["text"], (data["tokens_in"], data["tokens_out"])
            estimated = data["estimated"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if not isinstance(text, str) or [type(count) for count in counts] != [int, int]:
            return None
        return Reply(text, *counts, estimated=estimated is True, cached=True)

    def keep(self, key: str, reply: Reply) -> None:
        """Written whole or not at all, readable for its owner alone."""
        data = {
            "text": reply.text,
            "tokens_in": reply.tokens_in,
            "tokens_out": reply.tokens_out,
            "estimated": reply.estimated,
        }
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self._folder, suffix=".part", delete=False) as part:
                try:
                    part.write(json.dumps(data).encode())
                    part.close()
                    os.replace(part.name, self._file(key))  # noqa: PTH105
                except OSError:
                    Path(part.name).unlink(missing_ok=True)
                    raise
            return
        except OSError as error:
            kind = type(error).__name__
        raise StageFailed(
            f"a reply could not be kept ({kind}) in {self._folder}; name another folder as cache"
        )

    def _file(self, key: str) -> Path:
        return self._folder / f"{key}.json"


# What is closed when its `with` block ends.


class Closing:
    """Gives a model its `with`; it says itself what closing means."""

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


POSITIONS: Final = 4096
SLOT: Final = "privstamp-slot-{}"
"""What stands in a template where the message of a role goes."""
_SLOTS: Final = re.compile(SLOT.format("([a-z]+)"))
PARAGRAPH: Final = "\n\n"


def has_slots(form: str, roles: Collection[str]) -> bool:
    """Whether a template has taken up the messages of all roles."""
    return set(_SLOTS.findall(form)) == set(roles)


def sections(
    prompt: Prompt,
    form: str,
    *,
    marked: Callable[[str, bool], list[int]],
    text: Callable[[str], list[int]],
) -> list[list[int]]:
    """Pieces of a prompt in a template with slots; the last paragraph begins a section.

    `marked` cuts what the template says, where markers are markers (and is told whether it comes
    first); `text` cuts what stands between, where they are text.
    """
    contents = {message["role"]: message["content"] for message in prompt.messages()}
    turns: list[list[int]] = [[]]
    for at, part in enumerate(_SLOTS.split(form)):
        if at % 2 == 0:
            turns[-1] += marked(part, at == 0)
            continue
        before, gap, last = contents[part].rpartition(PARAGRAPH)
        turns[-1] += text(before + gap)
        if part == "user" and gap:
            turns.append([])
        turns[-1] += text(last)
    return turns


def draws(key: bytes, count: int) -> list[float]:
    """A uniform number for each piece of a reply: a function of key and place."""
    drawn: list[float] = (
        Noise.of_document(key, np.arange(count)).uniform(1, Lane.CHOICE)[:, 0].tolist()
    )
    return drawn


def pick(scores: Float32, temperature: float, draw: float) -> int:
    """The best piece at temperature 0, else the one that a uniform number falls on."""
    if temperature == 0:
        return int(scores.argmax())
    wide = scores.astype(np.float64)
    weights = np.exp((wide - wide.max()) / temperature).cumsum()
    return int(np.searchsorted(weights, draw * weights[-1]))
