"""Charges: exact under many processes, never lost and never twice, also if they are killed."""

import multiprocessing
import random
import signal
import time

import pytest
from spender import MASTER, WHO, spend

from privstamp.errors import LimitReached, StoreError, UsageError
from privstamp.sessions.ledger import Ledger, Payer, amount_of, millionths, shown
from privstamp.sessions.vault import Vault

CHAT = Payer("session", "case 17")


@pytest.fixture
def book(opened):
    vault = Vault(opened(), MASTER)
    return vault.store, Ledger(vault)


def charged(book, name, amounts, accounts=(CHAT, WHO)):
    store, ledger = book
    with store.writing() as entries:
        return ledger.charge(entries, name, accounts, amounts)


def spent(book, account):
    store, ledger = book
    with store.reading() as entries:
        return ledger.spent(entries, account)


def limit(book, account, quantity, most):
    store, ledger = book
    with store.writing() as entries:
        ledger.limit(entries, account, quantity, most)


def start(place, first, last, log):
    """Forked, because a new interpreter takes longer to start than to be killed."""
    process = multiprocessing.get_context("fork").Process(
        target=spend, args=(place, first, last, log)
    )
    process.start()
    return process


def ended(process):
    process.join()
    return process.exitcode


def test_millionths_are_rounded_up_and_add_exactly():
    assert [millionths(x) for x in (0.0, 1e-9, 0.1, 0.5, 3.0)] == [
        0,
        1,
        100_001,
        500_000,
        3_000_000,
    ]
    assert shown("nats", 1_500_000) == 1.5 and shown("draws", 3) == 3
    for wrong in (float("inf"), float("nan"), -1.0):
        with pytest.raises(UsageError):
            millionths(wrong)
    assert amount_of("epsilon:hops", 2.5) == 2_500_000 and amount_of("guesses", 4) == 4
    for quantity, amount in [
        ("draws", 1.5),
        ("epsilon:", 1),
        ("words", 1),
        ("draws", float("inf")),
    ]:
        with pytest.raises(UsageError):
            amount_of(quantity, amount)


def test_every_account_is_charged_and_a_retry_is_absorbed(book):
    assert charged(book, b"1", {"nats": 5, "draws": 2, "guesses": 0})
    assert not charged(book, b"1", {"nats": 5, "draws": 2})
    assert charged(book, b"2", {"nats": 1, "epsilon:hops": 7})
    assert spent(book, CHAT) == spent(book, WHO) == {"nats": 6, "draws": 2, "epsilon:hops": 7}
    assert charged(book, b"1", {"nats": 1}, [Payer("session", "other"), WHO])  # its own charges
    assert spent(book, WHO)["nats"] == 7
    with pytest.raises(UsageError):
        charged(book, b"3", {"nats": -1})


@pytest.mark.parametrize("account", [CHAT, WHO])
def test_a_refusal_names_account_limit_spent_and_asked_and_changes_nothing(book, account):
    limit(book, account, "nats", millionths(2))
    charged(book, b"1", {"nats": millionths(1.5), "draws": 1})
    with pytest.raises(LimitReached) as caught:
        charged(book, b"2", {"nats": millionths(0.75), "draws": 1})
    words = str(caught.value)
    assert account.kind in words and account.label in words
    assert "nats is 2, spent are 1.5, asked were 0.75; nothing was released" in words
    assert spent(book, CHAT) == spent(book, WHO) == {"nats": millionths(1.5), "draws": 1}
    assert charged(book, b"3", {"draws": 1}) and charged(book, b"4", {"nats": millionths(0.5)})
    limit(book, account, "nats", None)
    assert charged(book, b"2", {"nats": millionths(100)})


def test_limits_of_metrics_whose_names_begin_alike_are_apart(book):
    for quantity in ("epsilon:l", "epsilon:l1"):
        limit(book, WHO, quantity, 1)
    limit(book, WHO, "epsilon:l", None)
    store, ledger = book
    with store.reading() as entries:
        assert ledger.limits(entries, WHO) == {"epsilon:l1": 1}
        assert ledger.payers(entries) == [WHO]


def test_a_damaged_number_is_no_budget(book):
    store, _ = book
    charged(book, b"1", {"nats": 1})
    with store.writing() as entries:
        for key, _ in entries.items("spent"):
            entries.put("spent", key, b"-5")
    with pytest.raises(StoreError, match="damaged"):
        charged(book, b"2", {"nats": 1})


@pytest.mark.each_store
def test_four_processes_are_granted_the_limit_exactly(book, place, tmp_path):
    limit(book, WHO, "nats", millionths(375))
    logs = [tmp_path / f"log{n}" for n in range(4)]
    processes = [start(place, 125 * n, 125 * n + 125, log) for n, log in enumerate(logs)]
    assert [ended(process) for process in processes] == [0] * 4
    assert sum(len(log.read_text().split()) for log in logs) == 375
    assert spent(book, WHO) == {"nats": millionths(375)}


@pytest.mark.each_store
@pytest.mark.parametrize("kills", [20])
def test_killed_while_spending(book, place, tmp_path, kills):
    """Whatever was released was charged; nothing is charged twice; the limit holds."""
    endless, log = 1 << 40, tmp_path / "log"  # nobody comes to the end before the kill
    log.touch()

    def released():
        return {int(line) for line in log.read_text().splitlines()}

    for _ in range(kills):
        last = max(released(), default=-1)
        process = start(place, max(0, last - 2), endless, log)  # the first ones are retries
        while process.is_alive() and max(released(), default=-1) == last:
            time.sleep(0.001)
        time.sleep(random.uniform(0, 0.01))
        process.kill()
        assert ended(process) == -signal.SIGKILL
    store, _ = book
    with store.reading() as entries:
        charges = {int.from_bytes(key[16:], "big") for key, _ in entries.items("charge")}
    assert len(charges) >= kills and released() <= charges
    assert spent(book, WHO)["nats"] == millionths(len(charges))
    limit(book, WHO, "nats", millionths(len(charges) + 10))
    assert ended(start(place, 0, max(charges) + 30, log)) == 0  # the retry of everything
    assert spent(book, WHO)["nats"] == millionths(len(charges) + 10)
