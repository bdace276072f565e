"""A folder that keeps the replies of a model, and the keys under which they are kept.

The folder holds replies and counts, never a prompt or a key. A reply to released text can repeat
that text, and a file's name would confirm a guess of the prompt: the folder is for its owner alone.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final

from privstamp.errors import StageFailed
from privstamp.types import Prompt, Reply, Usage

__all__ = ["Prompt", "Replies", "Reply", "Usage", "fingerprint_of", "key_of"]

_FORMAT: Final = 1


def key_of(prompt: Prompt, settings: Mapping[str, str | float]) -> str:
    """SHA-256 over the prompt and all that the reply depends on."""
    content = json.dumps([_FORMAT, prompt.messages(), dict(settings)], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def fingerprint_of(facts: Mapping[str, str | float]) -> str:
    """SHA-256 over what a model's replies depend on, whatever the prompt."""
    return hashlib.sha256(json.dumps(dict(facts), sort_keys=True).encode()).hexdigest()


class Replies:
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
        if not isinstance(text, str) or [type(one) for one in counts] != [int, int]:
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
