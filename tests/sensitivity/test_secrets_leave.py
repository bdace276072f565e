"""Secrets in prose, chat, code, logs, settings, shells and links: gone whole under the default."""

import pytest
from secret_snippets import PUBLIC, SECRETS

from privstamp import Privatizer

PIECE = 4
"""Signs in a row that would tell something of a secret."""


@pytest.fixture(scope="module")
def releases():
    """Two releases of every text: what both share was not drawn."""
    texts = [text for text, _ in (*SECRETS, *PUBLIC)]
    line = Privatizer(seed=1)  # a blind draw may hit what it stands for, but hardly twice
    rounds = zip(*(line.with_noise(seed=s).privatize_many(texts) for s in (1, 2)), strict=True)
    return {text: [one.text for one in both] for text, both in zip(texts, rounds, strict=True)}


def pieces(secret: str) -> set[str]:
    size = min(PIECE, len(secret))
    return {secret[at : at + size] for at in range(len(secret) - size + 1)}


@pytest.mark.parametrize(("text", "secrets"), SECRETS, ids=[text[:30] for text, _ in SECRETS])
def test_nothing_of_a_secret_leaves(releases, text, secrets):
    for secret in secrets:
        around = text.replace(secret, " ")
        told = [
            {piece for piece in pieces(secret) if piece in release and piece not in around}
            for release in releases[text]
        ]
        assert not told[0] & told[1]


@pytest.mark.parametrize(("text", "public"), PUBLIC, ids=[text[:30] for text, _ in PUBLIC])
def test_what_only_looks_like_a_secret_stays(releases, text, public):
    release = releases[text][0]
    assert [piece for piece in public if piece not in release] == []


def test_there_are_enough_of_both():
    assert len(SECRETS) >= 220 and len(PUBLIC) >= 190
