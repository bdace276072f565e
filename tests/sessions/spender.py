"""What a process does that spends: one nat for each number, and releases, which is a line in a
log, what it was granted."""

import os
from pathlib import Path

from privstamp.errors import LimitReached
from privstamp.sessions.ledger import Ledger, Payer, millionths
from privstamp.sessions.store import open_store
from privstamp.sessions.vault import Vault

MASTER = bytes(range(32))
WHO = Payer("principal", "dana")


def spend(place, first, last, log):
    vault = Vault(open_store(place), MASTER)
    ledger = Ledger(vault)
    with Path(log).open("a") as releases:
        for number in range(first, last):
            try:
                with vault.store.writing() as entries:
                    ledger.charge(
                        entries, number.to_bytes(8, "big"), [WHO], {"nats": millionths(1)}
                    )
            except LimitReached:
                continue
            releases.write(f"{number}\n")
            releases.flush()
            os.fsync(releases.fileno())
