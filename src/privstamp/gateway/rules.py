"""What a policy lets pass, and where to."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from privstamp.gateway.refused import Dialect

KINDS: Final = ("images", "audio", "files", "upstream_tools", "token_arrays", "logit_bias")
"""What is refused unless `allow` names it."""
PATTERNS: Final = {
    "name": re.compile(r"[A-Za-z0-9_.-]{1,64}"),
    "id": re.compile(r"[A-Za-z0-9_.:-]{1,128}"),
    "model": re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/@+-]{0,127}"),
    "word": re.compile(r"[A-Za-z0-9_./+-]{1,40}"),
    "domain": re.compile(r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}"),
}
"""What a string that passes as it is may look like."""


@dataclass(frozen=True)
class Allowed:
    """Of one principal."""

    allow: frozenset[str] = frozenset()
    """Of `KINDS`."""
    restore: bool = True
    kinds: frozenset[str] = frozenset()
    """Secrets that replies may get back."""
    restore_arguments: frozenset[str] = frozenset()
    """Tools whose arguments get values back."""
    public: frozenset[str] = frozenset()
    """Values of enums that may leave although they name somebody."""
    id_key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    """Ids of users are replaced under it: keep it, and they stay the same."""


class Api(StrEnum):
    """What clients may call."""

    CHAT = "chat/completions"
    RESPONSES = "responses"
    COMPLETIONS = "completions"
    EMBEDDINGS = "embeddings"
    MODELS = "models"
    MESSAGES = "messages"
    COUNT_TOKENS = "messages/count_tokens"
    CLAUDE_MODELS = "models (anthropic)"

    @property
    def dialect(self) -> Dialect:
        anthropic = (Api.MESSAGES, Api.COUNT_TOKENS, Api.CLAUDE_MODELS)
        return Dialect.ANTHROPIC if self in anthropic else Dialect.OPENAI

    @property
    def table(self) -> str:
        """The table of its fields."""
        return _TABLES[self]


_TABLES: Final = {
    Api.CHAT: "chat",
    Api.RESPONSES: "responses",
    Api.COMPLETIONS: "completions",
    Api.EMBEDDINGS: "embeddings",
    Api.MODELS: "models",
    Api.MESSAGES: "messages",
    Api.COUNT_TOKENS: "messages",
    Api.CLAUDE_MODELS: "models",
}
