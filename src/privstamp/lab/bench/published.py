"""The published way, in our own words: what a release used to cost.

One vMF draw at a time from SciPy, which turns it into place with a d x d matrix; the table made
unit length anew for every token; the distance to every row by the whole difference.
"""

from __future__ import annotations

import numpy as np

from privstamp.extras import special
from privstamp.noise import Float64
from privstamp.types import Table


def published_draw(centre: Float64, kappa: float, random: np.random.Generator) -> Float64:
    """One noisy direction."""
    special()
    from scipy.stats import vonmises_fisher

    drawn: Float64 = vonmises_fisher(centre, kappa).rvs(1, random_state=random)[0]
    return drawn


def published_decode(noisy: Float64, table: Table) -> int:
    """The row nearest in direction."""
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    difference = unit - (noisy / np.linalg.norm(noisy)).astype(np.float32)
    return int(np.argmin(np.linalg.norm(difference, axis=1)))


def published(centres: Float64, kappa: float, table: Table, seed: int = 0) -> list[int]:
    """Tokens released one by one."""
    random = np.random.default_rng(seed)
    return [published_decode(published_draw(one, kappa, random), table) for one in centres]
