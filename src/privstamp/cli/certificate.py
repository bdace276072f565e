"""privstamp certificate: sign one, with the text that it belongs to, and check a signature."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from privstamp.cli.output import FAILURE, DraftFile, check_target, put
from privstamp.cli.screen import note, tell
from privstamp.errors import InputError, UsageError, trouble_of

KEY_EXAMPLES = """
privstamp certificate key release.key
"""
SIGN_EXAMPLES = """
privstamp certificate sign note.cert.json --text note.private.txt --key release.key
"""
VERIFY_EXAMPLES = """
privstamp certificate verify note.cert.json --text note.private.txt --by release.key.pub
"""
File = Annotated[Path, Argument(metavar="FILE", help="The certificate, as --certificate wrote it.")]
Text = Annotated[
    Path | None, Option("--text", metavar="FILE", help="The released text, byte for byte.")
]
SignatureFile = Annotated[
    Path | None,
    Option("--signature", metavar="FILE", help="The signature; FILE.sig by default."),
]


def key(
    file: Annotated[Path, Argument(metavar="FILE", help="Where the private key goes, mode 0600.")],
) -> None:
    """Make a key to sign with; FILE.pub is what receivers need."""
    from privstamp.release.signature import new_key

    public_file = _beside(file, ".pub")
    for target in (file, public_file):
        check_target("FILE", target)
        if target.exists():
            raise UsageError(f"{target} is there already; a key is never replaced")
    private, public = (part.decode() for part in new_key())
    with DraftFile(file, private, private=True) as first, DraftFile(public_file, public) as second:
        first.publish()
        second.publish()
    tell(f"{file} is PRIVATE: who has it signs as you. Give {public_file} to receivers")


def sign(
    file: File,
    signing_key: Annotated[
        Path, Option("--key", metavar="FILE", help="The private key to sign with.")
    ],
    text: Text = None,
    signature: SignatureFile = None,
) -> None:
    """Vouch for a certificate, and for the text that it belongs to.

    The signature holds a plain hash of the text: give it to those who get the text.
    """
    from privstamp.release.signature import sign as signed

    target = signature or _beside(file, ".sig")
    check_target("--signature", target, file, signing_key, text)
    content = None if text is None else _read("--text", text)
    given = signed(_certificate(file), content, _read("--key", signing_key))
    with DraftFile(target, given.to_json(), private=True) as draft:
        draft.publish()
    tell(f"wrote {target}")
    if text is None:
        note("the certificate alone was signed; --text ties it to a text")


def verify(
    file: File,
    by: Annotated[
        Path, Option("--by", metavar="FILE", help="The public key of whom it should be from.")
    ],
    text: Text = None,
    signature: SignatureFile = None,
) -> None:
    """Check that a certificate, and the text, are as somebody signed them; 1 if not."""
    from privstamp.release.signature import Signature, objection

    given = Signature.from_json(_read("--signature", signature or _beside(file, ".sig")))
    content = None if text is None else _read("--text", text)
    wrong = objection(given, _certificate(file), content, _read("--by", by))
    if wrong is not None:
        put(f"NOT valid: {wrong}\n")
        raise typer.Exit(FAILURE)
    put(f"valid: {'certificate and text are' if text else 'the certificate is'} as signed\n")


def _beside(file: Path, suffix: str) -> Path:
    return file.with_name(file.name + suffix)


def _certificate(file: Path) -> bytes:
    """The bytes of a file that is a certificate, so that nothing else is signed by mistake."""
    from pydantic import ValidationError

    from privstamp.release.certificate import Certificate

    content = _read("FILE", file)
    try:
        Certificate.model_validate_json(content)
        return content
    except ValidationError:
        pass
    raise InputError(f"FILE: {file} is not a certificate of this version of privstamp")


def _read(option: str, file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        trouble = trouble_of(error)
    raise InputError(f"{option}: cannot read {file}: {trouble}")
