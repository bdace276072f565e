"""Who vouches that a certificate belongs to a released text: Ed25519 over the hashes of both.

A signature goes to the receiver together with the text. The certificate itself holds no plain hash
of it: whoever is shown the certificate alone could check guesses of a short text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from privstamp.errors import InputError

FORMAT: Final = "privstamp-signature"
VERSION: Final = 1


@dataclass(frozen=True)
class Signature:
    """What was signed, by hash, and the signature in hexadecimal digits."""

    certificate: str
    text: str | None  # null where the certificate was signed alone
    signature: str

    def to_json(self) -> str:
        facts = _facts(self.certificate, self.text)
        return json.dumps({**facts, "signature": self.signature}, indent=1) + "\n"

    @classmethod
    def from_json(cls, content: bytes) -> Signature:
        """Read what `to_json` wrote; anything else is an InputError."""
        try:
            loaded = json.loads(content)
            read = cls(loaded["certificate"], loaded["text"], loaded["signature"])
            known = loaded == json.loads(read.to_json())
        except (ValueError, KeyError, TypeError, RecursionError):
            known = False
        if not known:
            raise InputError("not a signature as privstamp certificate sign writes it")
        return read


def sign(certificate: bytes, text: bytes | None, key: bytes) -> Signature:
    """Sign a certificate, and the text that it belongs to, with a private key in PEM."""
    private = _loaded(key, private=True)
    hashes = _hash(certificate), None if text is None else _hash(text)
    return Signature(*hashes, private.sign(_signed(*hashes)).hex())


def objection(
    signature: Signature, certificate: bytes, text: bytes | None, by: bytes
) -> str | None:
    """What is wrong with a signature; nothing if the owner of the public key `by` gave it."""
    public = _loaded(by, private=False)
    try:
        given = bytes.fromhex(signature.signature)
        public.verify(given, _signed(signature.certificate, signature.text))
    except (InvalidSignature, ValueError):
        return "it was not given by the owner of this key, or was changed"
    if signature.certificate != _hash(certificate):
        return "it is of another certificate, or the certificate was changed"
    if text is not None and signature.text is None:
        return "the certificate was signed without a text"
    if text is not None and signature.text != _hash(text):
        return "it is of another text, or the text was changed"
    return None


def new_key() -> tuple[bytes, bytes]:
    """A private key and its public key, in PEM."""
    private = Ed25519PrivateKey.generate()
    return (
        private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        ),
        private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        ),
    )


def _loaded(pem: bytes, *, private: bool) -> Any:
    """The key in a file; its content never shows in an error."""
    key: object = None
    try:
        if private:
            key = serialization.load_pem_private_key(pem, password=None)
        else:
            key = serialization.load_pem_public_key(pem)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        pass
    if not isinstance(key, Ed25519PrivateKey if private else Ed25519PublicKey):
        kind = "private" if private else "public"
        raise InputError(f"not a {kind} Ed25519 key in PEM. Try: privstamp certificate key FILE")
    return key


def _facts(certificate: str, text: str | None) -> dict[str, Any]:
    return {"format": FORMAT, "version": VERSION, "certificate": certificate, "text": text}


def _signed(certificate: str, text: str | None) -> bytes:
    return json.dumps(_facts(certificate, text), sort_keys=True).encode()


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()
