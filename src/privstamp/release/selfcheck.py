"""At the start: do public words leave as themselves as often as the package says they must?

The figures come with the package, so that no table in the cache can vouch for itself.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from privstamp.assets.cache import keep_rates
from privstamp.errors import AssetError
from privstamp.noise import KEY_BYTES, Noise
from privstamp.policy import Policy
from privstamp.protocols import Mechanism, Space
from privstamp.types import Ids

DRAWS: Final = 12
"""Of each word; with some fifty words keep rates around .1 that have doubled are noticed."""
Z: Final = 6.5
"""Standard deviations that are allowed: one false alarm in ten thousand million starts."""


def check_keep_rates(of: Mapping[str, Any], space: Space, mechanism: Mechanism) -> None:
    """Refuse to start if a mechanism keeps public words more or less often than is pinned."""
    for row in keep_rates():
        if row["of"] == of:
            kept = draw(mechanism, rows_of(space, row["words"]), row["epsilon"], DRAWS)
            _compare(kept, row)


def described(policy: Policy, group: int) -> dict[str, Any]:
    """What keep rates depend on beside epsilon; a language model only decodes what was drawn."""
    drawn = policy.mechanism_of(group).model_dump(mode="json")
    drawn.pop("fluency", None)
    return {
        "space": policy.space.model_dump(mode="json"),
        "mechanism": drawn,
        "decoder": policy.decoder.model_dump(mode="json"),
        "metric": policy.budget.metrics[group - 1],
    }


def rows_of(space: Space, words: list[str]) -> Ids:
    """Where public words stand in the space."""
    rows: Ids = np.concatenate([space.split(word).rows[:1] for word in words])
    return rows


def draw(mechanism: Mechanism, rows: Ids, epsilon: float, draws: int) -> float:
    """How many of all draws left as themselves."""
    ids = np.repeat(rows, draws)
    noise = Noise.of_document(secrets.token_bytes(KEY_BYTES), np.arange(len(ids)))
    out = mechanism.privatize(ids, np.full(len(ids), epsilon), noise)
    return float((out == ids).sum())


def _compare(kept: float, row: Mapping[str, Any]) -> None:
    rates = np.array(row["keep"])
    expected = DRAWS * float(rates.sum())
    spread = math.sqrt(DRAWS * float((rates * (1 - rates)).sum()) + 1.0)
    if abs(kept - expected) > Z * spread:
        raise AssetError(
            f"the self-check failed: of {DRAWS * len(rates)} draws {kept:.0f} public words left as "
            f"themselves, and {expected:.0f} should; nothing is released. Tables were changed, or "
            "the installation is damaged. Try: privstamp assets verify, or reinstall privstamp"
        )
