"""What was released, in integers that survive crashes: written before a release, never after.

*nats* (epsilon times the largest distance of its metric, summed) is the only unit in which
different metrics add; epsilon is kept for each metric apart, summed and of the one unit that was
drawn most (`unit:METRIC`). These are in millionths, rounded up; the rest are counts. A limit may
be set on any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import ceil, isfinite
from typing import Final, NamedTuple

from privstamp.errors import LimitReached, StoreError, UsageError
from privstamp.sessions.store import Transaction
from privstamp.sessions.vault import Vault

COUNTS: Final = ("draws", "unprotected", "guesses")
QUANTITIES: Final = ("nats", *COUNTS)
"""And `epsilon:METRIC`, `unit:METRIC` for each metric."""
_MILLION: Final = 1_000_000
_EPSILON: Final = "epsilon:"
MOST: Final = "unit:"
"""Begins what is no sum: the most that any unit has."""


class Payer(NamedTuple):
    """Whom or what a release is charged to: a principal, a session, or a content."""

    kind: str
    label: str


def millionths(amount: float) -> int:
    """Rounded up, and exactly so.

    >>> millionths(0.1), millionths(2.0)
    (100001, 2000000)
    """
    if not isfinite(amount) or amount < 0:
        raise UsageError("an amount is a finite number, 0 or more")
    return ceil(Fraction(amount) * _MILLION)


def shown(quantity: str, amount: int) -> int | float:
    """As people read it: counts as they are, the others in whole units."""
    return amount if quantity in COUNTS else amount / _MILLION


def amount_of(quantity: str, given: float) -> int:
    """As it is kept."""
    of_metric = quantity.startswith((_EPSILON, MOST)) and quantity not in (_EPSILON, MOST)
    if quantity not in QUANTITIES and not of_metric:
        raise UsageError(f"limits are on {', '.join(QUANTITIES)}, {_EPSILON}METRIC or {MOST}METRIC")
    if quantity not in COUNTS:
        return millionths(given)
    if not isfinite(given) or given < 0 or given != int(given):
        raise UsageError(f"{quantity} is a whole number, 0 or more")
    return int(given)


class Ledger:
    """All accounts of a store. Everything happens inside a transaction of the caller, so that a
    charge and what it is for are there together."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def charge(
        self,
        entries: Transaction,
        charge: bytes,
        payers: Iterable[Payer],
        amounts: Mapping[str, int],
    ) -> bool:
        """Add the amounts to every account, or refuse and change nothing. A charge that is there
        already, under the same first account, is absorbed: False."""
        charged = list(payers)
        key = self._name(charged[0]) + charge
        if entries.get("charge", key) is not None:
            return False
        asked = {quantity: amount for quantity, amount in amounts.items() if amount}
        if any(type(amount) is not int or amount < 0 for amount in asked.values()):
            raise UsageError("amounts are whole numbers, 0 or more")
        for payer in charged:
            self._check(entries, payer, asked)
        for payer in charged:
            name = self._note(entries, payer)
            for quantity, amount in asked.items():
                total = _added(quantity, _read(entries, "spent", name, quantity) or 0, amount)
                entries.put("spent", _key(name, quantity), str(total).encode())
        entries.put("charge", key, b"")
        return True

    def spent(self, entries: Transaction, payer: Payer) -> dict[str, int]:
        return _amounts(entries, "spent", self._name(payer))

    def limits(self, entries: Transaction, payer: Payer) -> dict[str, int]:
        return _amounts(entries, "limit", self._name(payer))

    def limit(self, entries: Transaction, payer: Payer, quantity: str, most: int | None) -> None:
        """Set a limit, or take it away."""
        name = self._note(entries, payer)
        entries.delete("limit", _key(name, quantity))
        if most is not None:
            entries.put("limit", _key(name, quantity), str(most).encode())

    def payers(self, entries: Transaction) -> list[Payer]:
        """All that were ever charged or limited."""
        labels = [self._vault.label(name, value) for name, value in entries.items("account")]
        return sorted(Payer(*label.split(":", 1)) for label in labels)

    def note(self, entries: Transaction, payers: Iterable[Payer]) -> None:
        """Accounts that are listed before they are charged."""
        for payer in payers:
            self._note(entries, payer)

    def forget(self, entries: Transaction, payer: Payer) -> None:
        name = self._name(payer)
        for space in ("account", "spent", "limit", "charge"):
            entries.delete(space, name)

    def _check(self, entries: Transaction, payer: Payer, asked: Mapping[str, int]) -> None:
        name = self._name(payer)
        for quantity, most in _amounts(entries, "limit", name).items():
            more = asked.get(quantity, 0)
            spent = _read(entries, "spent", name, quantity) or 0
            if more and _added(quantity, spent, more) > most:
                most_, spent_, more_ = (shown(quantity, n) for n in (most, spent, more))
                raise LimitReached(
                    f"{payer.kind} {payer.label!r}: the limit of {quantity} is {most_:g}, "
                    f"spent are {spent_:g}, asked were {more_:g}; nothing was released"
                )

    def _note(self, entries: Transaction, payer: Payer) -> bytes:
        """Its name, and its label where it is new."""
        name = self._name(payer)
        if entries.get("account", name) is None:
            sealed = self._vault.seal(name, f"{payer.kind}:{payer.label}")
            entries.put("account", name, sealed)
        return name

    def _name(self, payer: Payer) -> bytes:
        return self._vault.name(f"account {payer.kind}", payer.label)


def _added(quantity: str, spent: int, more: int) -> int:
    return max(spent, more) if quantity.startswith(MOST) else spent + more


def _amounts(entries: Transaction, space: str, name: bytes) -> dict[str, int]:
    items = entries.items(space, name)
    return {key[len(name) : -1].decode(): _number(value) for key, value in items}


def _read(entries: Transaction, space: str, name: bytes, quantity: str) -> int | None:
    value = entries.get(space, _key(name, quantity))
    return None if value is None else _number(value)


def _key(name: bytes, quantity: str) -> bytes:
    return name + quantity.encode() + b"\0"  # no quantity begins another


def _number(value: bytes) -> int:
    if not value.isdigit():
        raise StoreError("a number in the store is damaged; nothing was released")
    return int(value)
