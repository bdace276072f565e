"""Placeholders: `[PERSON_1]` where the type is known, else `[MASK]`. Proof: surrogate.md."""

from __future__ import annotations

from typing import ClassVar, Final

from privstamp.noise import Noise
from privstamp.types import Kind

MASK: Final = "[MASK]"
"""Stands for anything, so it can never be put back."""

_TELLING: Final = {"EMAIL", "URL", "NUMBER", "ORDINAL", "CODE"}
_UNTYPED: Final = frozenset(kind.name for kind in Kind) - _TELLING
_CONSTANT: Final = {"SPACE": " ", "CONTROL": ""}


class Placeholder:
    """Replaces by type and number. Reads no noise: even the type's first letter is public."""

    name: Final = "placeholder"
    shaped: ClassVar[bool] = False
    fingerprint: Final = "placeholder 2"
    guarantee: Final = (
        "epsilon 0: a placeholder tells the type of what it replaces and which of them are equal, "
        "and nothing else"
    )
    proof: ClassVar[str] = "surrogate.md"

    def whole(self, kind: str) -> bool:
        """Whether a span of this type is replaced as one: always, where the type is known."""
        return kind not in _UNTYPED

    def pool(self, kind: str, form: str) -> float:  # noqa: ARG002  (same call as Surrogate)
        """How many strings could have been drawn: a placeholder is not drawn at all."""
        return 1.0

    def draw(self, kind: str, entity: int, form: str, noise: Noise, attempt: int) -> str:
        """`[TYPE_n]`; a retry appends a counter after a hyphen, so that no two ever coincide."""
        del form, noise
        if kind in _CONSTANT:
            return _CONSTANT[kind]
        if kind in _UNTYPED:
            return MASK
        return f"[{kind}_{entity}-{attempt + 1}]" if attempt else f"[{kind}_{entity}]"
