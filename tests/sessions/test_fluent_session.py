"""Laws that depend on what was released before: in a session a law that changed meets new noise."""

import pytest

from privstamp.release import draws
from test_fluent import line

TEXT = "w1 w2 w10 w4 w5 w6"


@pytest.fixture
def addresses(monkeypatch):
    """Where noise was read for laws with fluency."""
    read, at = [], draws.Noise.of_document
    spy = staticmethod(lambda key, positions: read.extend(positions) or at(key, positions))
    monkeypatch.setattr(draws.Noise, "of_document", spy)
    return read


def test_another_beginning_is_another_law_and_another_address(monkeypatch, addresses):
    privatizer, _ = line(monkeypatch, epsilon=(0.5, 0.5, 0.5, 0.5))
    chat = privatizer.session()
    first = chat.privatize(TEXT)
    assert len(set(addresses)) == 6 == first.certificate.session.addresses
    before = set(addresses)
    addresses.clear()
    chat.privatize(f"w3 {TEXT}")  # what stands before all others has changed
    assert not before & set(addresses)


def test_beyond_the_redraws_the_first_word_is_given_and_nobody_is_asked(monkeypatch, addresses):
    privatizer, _ = line(monkeypatch, epsilon=(0.5, 0.5, 0.5, 0.5))
    chat = privatizer.session(redraws=1)
    first = chat.privatize(TEXT).text.split()
    addresses.clear()
    for word in ("w3", "w7", "w8", "w11"):
        sent = chat.privatize(f"{word} w9 {TEXT}")
        assert sent.text.split()[3:] == first[1:]
    assert sent.certificate.session.held >= 5 * 4
    assert len(addresses) == len(set(addresses)) <= 3 * 4  # the new words, and those beside
