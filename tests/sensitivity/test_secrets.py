"""Keys and tokens that show by themselves."""

import pytest

from privstamp.sensitivity.rules import Rules
from privstamp.sensitivity.secrets import SECRETS

RUN = "a1B2c3D4e5F6g7H8i9J0"


def found(text: str) -> set[str]:
    rules = Rules(entities=["CREDENTIAL"], language="any")
    return {text[one.start : one.end] for one in rules.scan(text)}


@pytest.mark.parametrize(
    "key",
    [
        f"sk-{RUN}", f"ghp_{RUN}{RUN}", f"glpat-{RUN}", f"xoxb-{RUN}", "AKIA" + "A1" * 8,
        f"AIza{RUN}{RUN}", f"hf_{RUN}", f"pypi-{RUN}", f"shpat_{RUN}", f"SG.{RUN}.{RUN}",
        "AC" + "0f" * 16, f"eyJhbGciOiJ.{RUN}.{RUN}", f"$2b$12${RUN}", f"ssh-rsa AAAA{RUN}",
        f"postgres://bob:{RUN[:6]}@db.internal:5432/x",
    ],
)  # fmt: skip
def test_keys(key):
    assert key in found(f"use {key} now")


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "Basic"])
def test_a_scheme_stays_and_its_token_goes(scheme):
    assert found(f"Authorization: {scheme} {RUN}") == {RUN}


def test_key_blocks():
    block = f"-----BEGIN PRIVATE KEY-----\n{RUN * 2}\n{RUN}\n-----END PRIVATE KEY-----"
    assert block in found(f"here:\n{block}\nend")


@pytest.mark.parametrize(
    "text",
    ["the bearer of this letter", "basic understanding of things", "http://example.org/a:b@c",
     "Some-Very-Long-Title-Of-A-Book-2020-Edition", "sk-short", "AKIArable"],
)  # fmt: skip
def test_no_keys(text):
    assert found(text) == set()


def test_every_rule_is_a_credential():
    assert {rule.kind for rule in SECRETS} == {"CREDENTIAL"}
