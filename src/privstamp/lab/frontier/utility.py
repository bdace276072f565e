"""What a changed word still has in common with the original."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from privstamp.lab.attackers import Draws
from privstamp.lab.estimate import Estimate
from privstamp.lab.words import NEAR, Queries, Words
from privstamp.noise import Float64
from privstamp.types import Table


@dataclass(frozen=True)
class Utility:
    """Of the releases that differ from the word: how near they are to it, in the unprojected table.

    n50: share among the word's 50 nearest. NaN where nothing changed.
    """

    n50: Estimate
    cosine: float
    rank: float  # median


def from_rows(rows: Table, queries: Queries) -> Utility:
    """From exact laws; only the choice of words is sampled."""
    line = np.arange(len(rows))
    kept = rows[line, queries.places].astype(np.float64)
    changed = np.maximum(rows.sum(axis=1, dtype=np.float64) - kept, 0.0)
    near = ((queries.ranks <= NEAR) * rows).sum(axis=1, dtype=np.float64) - kept
    along = np.einsum("ij,ij->i", rows, queries.cosines).astype(np.float64) - kept
    mass: Float64 = np.bincount(queries.ranks.ravel(), weights=rows.ravel()).astype(np.float64)
    mass[0] = 0.0
    return Utility(Estimate.ratio(near, changed), _mean(along, changed), _median(mass))


def from_draws(draws: Draws, words: Words) -> Utility:
    """From releases."""
    moved = draws.places != draws.outputs
    cosine, rank = words.nearness(draws.places[moved], draws.outputs[moved])
    once = np.ones(len(rank))
    return Utility(
        Estimate.ratio((rank <= NEAR).astype(np.float64), once),
        _mean(cosine, once),
        float(np.median(rank)) if len(rank) else float("nan"),
    )


def entropy_of_rows(rows: Table) -> float:
    """Mean entropy of a release given the word, in bits."""
    wide = rows.astype(np.float64)
    terms = np.log2(wide, where=wide > 0, out=np.zeros_like(wide)) * wide
    return float(-terms.sum(axis=1).mean())


def entropy_of_draws(outputs: Draws, words: int) -> float:
    """The same from as many draws for each of a few words, with Miller and Madow's correction.

    Draws that are nearly all different say only that entropy is at least about this much.
    """
    each = []
    for one in outputs.outputs.reshape(words, -1):
        counts = np.unique(one, return_counts=True)[1]
        share = counts / counts.sum()
        each.append(
            -(share * np.log2(share)).sum() + (len(counts) - 1) / (2 * len(one) * np.log(2))
        )
    return float(np.mean(each))


def _mean(part: Float64, whole: Float64) -> float:
    total = float(whole.sum())
    return float(part.sum()) / total if total > 1e-9 else float("nan")


def _median(mass: Float64) -> float:
    """The rank at which half of the mass is reached."""
    if mass.sum() <= 1e-9:
        return float("nan")
    return float(np.searchsorted(mass.cumsum(), mass.sum() / 2.0))
