"""From the default line to a hostile reply and back."""

import pytest
from hostile import MARKUP, OWN, URLS

from privstamp import Privatizer

TEXT = (
    "Patient Priya Raghunathan of Manchester, card 4111 1111 1111 1111. Password: 8nZ!kV4%beta. "
    "Her file is 943 476 5919. Write to priya.r@example.com. Her brother is Anil Raghunathan."
)
SECRET = ("8nZ!kV4%beta", "4111 1111 1111 1111")


@pytest.fixture(scope="module")
def result():
    return Privatizer().privatize(TEXT)


def test_an_honest_echo_comes_back_without_its_secrets(result):
    outcome = result.restored(result.text)
    for name in ("Priya", "Raghunathan", "Manchester", "943 476 5919", "priya.r@example.com"):
        assert name not in result.text and name in outcome.text
    assert not any(secret in outcome.text for secret in SECRET)
    assert outcome.reasons == {"secret": 2}
    kinds = [each.kind for each in outcome.withheld]
    assert result.restore(result.text, kinds=kinds) == TEXT


def test_no_surrogate_of_a_release_is_put_into_a_carrier(result):
    surrogates = {entry.surrogate: entry.original for entry in result.map.entries}
    assert len(surrogates) >= 7
    for surrogate, original in surrogates.items():
        if len(original) < 3:
            continue
        replies = [
            markup.format(u=url.format(v=surrogate)) for markup in MARKUP for url in URLS
        ] + [own.format(v=surrogate) for own in OWN]
        assert [reply for reply in replies if original in result.restore(reply)] == []
