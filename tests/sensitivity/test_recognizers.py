"""Presidio's recognisers: all of the table exist, none asks the network, none logs, none slips."""

import logging
import socket
import sys
from random import Random
from types import SimpleNamespace

import pytest

from privstamp.errors import StageFailed
from privstamp.sensitivity.presidio import _NUMBER, _NUMBERED, KNOWN, Recognizers


@pytest.fixture(scope="session")
def everything() -> Recognizers:
    return Recognizers(frozenset(KNOWN))


def found(recognizers: Recognizers, text: str) -> dict[str, tuple[str, float]]:
    (hits,) = recognizers.scan([text])
    return {f.kind: (text[f.start : f.end], round(f.score, 2)) for f in hits}


def test_the_table_names_what_presidio_has(everything):
    assert [r.supported_entities for r in everything._all] == [[kind] for kind in KNOWN]


def test_no_network(monkeypatch):
    def refuse(*_):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    text = "mail ann@example.co.uk from 10.0.0.1"
    hits = found(Recognizers(frozenset(KNOWN)), text)
    assert hits["EMAIL_ADDRESS"] == ("ann@example.co.uk", 1.0)
    assert hits["IP_ADDRESS"][0] == "10.0.0.1"


def test_a_domain_that_cannot_be_is_no_mail():
    assert found(Recognizers(frozenset({"EMAIL_ADDRESS"})), "a@b.nosuchdomain") == {}


def test_a_word_before_raises_the_score():
    recognizers = Recognizers(frozenset({"US_PASSPORT"}))
    assert found(recognizers, "number 912803456")["US_PASSPORT"][1] < 0.4
    assert found(recognizers, "passport 912803456")["US_PASSPORT"][1] >= 0.4


@pytest.mark.parametrize("text", ["driver license ABCDEFGHIJKLM", "DRIVING PERMIT HOLDER"])
def test_capitals_without_a_digit_are_no_licence(text):
    assert "US_DRIVER_LICENSE" not in found(Recognizers(frozenset({"US_DRIVER_LICENSE"})), text)


def test_every_finding_says_who_and_why(everything):
    (hits,) = everything.scan(["card 4111111111111111"])
    card = next(f for f in hits if f.kind == "CREDIT_CARD")
    assert (card.source, card.rule.partition(":")[0]) == ("presidio", "CreditCardRecognizer")


class GivesUp:
    supported_entities = ("X",)

    def analyze(self, text, *_):
        logging.getLogger("presidio-analyzer").warning("timed out on %s", text)
        return []


def test_a_recogniser_that_gives_up_stops_the_release(caplog):
    recognizers = Recognizers(frozenset({"US_SSN"}))
    recognizers._all.append(GivesUp())
    with pytest.raises(StageFailed) as caught:
        recognizers.scan(["hidden words, 12"])
    assert "hidden" not in caplog.text + str(caught.value)


@pytest.mark.parametrize("silence", ["disable", "disabled", "level"])
def test_it_is_heard_however_logging_is_set(silence, monkeypatch):
    logger = logging.getLogger("presidio-analyzer")
    if silence == "disable":  # as the command line does
        monkeypatch.setattr(logging.root.manager, "disable", logging.CRITICAL)
        logger._cache.clear()
    elif silence == "disabled":  # as `logging.config` does to loggers it does not know
        monkeypatch.setattr(logger, "disabled", True)
    else:
        monkeypatch.setattr(logger, "level", logging.CRITICAL + 1)
        logger._cache.clear()
    assert not logger.isEnabledFor(logging.CRITICAL)
    logger._cache.clear()
    recognizers = Recognizers(frozenset({"US_SSN"}))
    recognizers._all.append(GivesUp())
    with pytest.raises(StageFailed):
        recognizers.scan(["hidden words, 12"])


@pytest.mark.parametrize("entity", ["US_SSN", "IBAN_CODE"])
def test_a_pattern_out_of_time_stops_the_release(entity, monkeypatch):
    """Presidio's own handling of its time limit, in both places that have one."""
    recognizers = Recognizers(frozenset({entity}))
    (recognizer,) = recognizers._all

    def out_of_time(*_, **__):
        raise TimeoutError

    module = sys.modules[type(recognizer).analyze.__module__]
    slow = SimpleNamespace(finditer=out_of_time)
    monkeypatch.setattr(module, "re", slow)
    for pattern in recognizer.patterns:  # which all instances share, and may hold compiled
        monkeypatch.setattr(pattern, "compiled_regex", slow)
        monkeypatch.setattr(pattern, "compiled_with_flags", recognizer.global_regex_flags)
    monkeypatch.setattr(logging.root.manager, "disable", logging.CRITICAL)
    with pytest.raises(StageFailed):
        recognizers.scan(["IBAN DE89370400440532013000, 123-45-6789"])


def test_the_log_is_given_back():
    logger = logging.getLogger("presidio-analyzer")
    before = dict(vars(logger))
    Recognizers(frozenset({"US_SSN"})).scan(["x"])
    assert dict(vars(logger)) == before


def test_what_needs_digits_is_not_looked_for_where_there_are_none():
    recognizers = Recognizers(frozenset({"US_SSN"}))
    recognizers._all.append(GivesUp())
    assert recognizers.scan(["no digits here"]) == [[]]
    with pytest.raises(StageFailed):
        recognizers.scan(["one digit here: 7"])


def test_texts_without_such_a_number_are_passed_over_alone(monkeypatch):
    quick = Recognizers(_NUMBERED)
    thorough = Recognizers(_NUMBERED)
    assert quick._numbered, "Presidio has other patterns: look whether _NUMBER still holds"
    monkeypatch.setattr(thorough, "_numbered", frozenset())
    chance = Random(1)
    shapes = ("7", "42", "912", "50", "1234", "H", "AB", "912-50-1234", "A-Z]]12", "st", "é", "９")
    texts = [
        "".join(chance.choice((*shapes, " ", "-", "-")) for _ in range(chance.randrange(1, 9)))
        for _ in range(3_000)
    ]
    found = quick.scan(texts)
    assert found == thorough.scan(texts)
    passed = [hits for text, hits in zip(texts, found, strict=True) if not _NUMBER.search(text)]
    assert len(passed) > 100
    assert sum(map(bool, found)) > 100
