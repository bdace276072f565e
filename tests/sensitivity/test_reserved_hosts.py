"""Addresses that are kept for examples."""

import pytest

from privstamp.sensitivity.checksums import is_example


@pytest.mark.parametrize(
    "address",
    ["https://api.example.com/v2", "smtp.example.org", "app.test/login", "http://localhost:8080/"],
)
def test_an_example_of_public_words_names_nobody(address):
    assert is_example(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://example.com/users/mquillfeather",
        "quillfeather.example.com",
        "https://example.com/verify?u=1",
        "https://examples.com/login",
        "https://example.com/orders/8841220",
        "notexample.com",
    ],
)
def test_whatever_could_name_somebody_does(address):
    assert not is_example(address)
