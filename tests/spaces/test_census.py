"""Census shares."""

from __future__ import annotations

import math

from privstamp.spaces.census import census_shares


def test_shares_are_those_of_the_lists() -> None:
    shares = census_shares()
    assert len(shares) > 90_000
    assert all(name == name.lower() and share > 0 for name, share in shares.items())
    assert shares["smith"] > shares["garcia"] > shares["nakamura"] > 0
    assert math.isclose(shares["mary"], (2.629 + 0.009 + 0.005) / 300, rel_tol=0.1)
    assert 0.7 < sum(shares.values()) < 1.1
