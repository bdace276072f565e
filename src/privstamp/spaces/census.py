"""Shares of first and last names in the 1990 United States census."""

from __future__ import annotations

from privstamp.assets import locate

FLOOR = 0.0005
"""Per cent. The lists round to three decimals, so that the rarest names stand there with 0."""


def census_shares() -> dict[str, float]:
    """Lower-case name to its share, averaged over the three lists."""
    lists = ("last", "female", "male")
    shares: dict[str, float] = {}
    for name in lists:
        for line in locate("names", name).read_text(encoding="ascii").splitlines():
            if fields := line.split():
                word = fields[0].lower()
                percent = max(float(fields[1]), FLOOR)
                shares[word] = shares.get(word, 0.0) + percent / 100 / len(lists)
    return shares
