"""What a mechanism does to a unit: P(keep), exact where it is known, else from draws."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privstamp.noise import KEY_BYTES, Noise
from privstamp.protocols import Discrete, Mechanism
from privstamp.types import Epsilons, Ids

Z = 1.959963984540054  # 95 %


@dataclass(frozen=True, eq=False)
class Keep:
    """P(unit comes out as itself), with a 95 % Wilson interval where it was estimated."""

    estimate: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]


def keep(
    mechanism: Mechanism, ids: Ids, epsilon: Epsilons, *, draws: int = 200, key: bytes | None = None
) -> Keep:
    """P(keep) of each (unit, epsilon) pair."""
    if isinstance(mechanism, Discrete):
        exact = np.concatenate(
            [
                mechanism.channel(ids[i : i + 1], epsilon[i : i + 1])[:, ids[i]]
                for i in range(len(ids))
            ]
        )
        return Keep(exact, exact, exact)
    noise = Noise.of_document(key or secrets.token_bytes(KEY_BYTES), np.arange(len(ids) * draws))
    out = mechanism.privatize(np.repeat(ids, draws), np.repeat(epsilon, draws), noise)
    same = out.reshape(len(ids), draws) == ids[:, None]
    return wilson(same.sum(axis=1).astype(np.float64), draws)


def wilson(hits: npt.NDArray[np.float64], draws: int) -> Keep:
    """Wilson's interval for a share of `draws`."""
    share = hits / draws
    centre = (share + Z * Z / (2 * draws)) / (1 + Z * Z / draws)
    half = np.sqrt(share * (1 - share) / draws + Z * Z / (4 * draws * draws))
    half = half * Z / (1 + Z * Z / draws)
    return Keep(share, np.clip(centre - half, 0.0, share), np.clip(centre + half, share, 1.0))
