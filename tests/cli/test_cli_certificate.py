"""privstamp certificate: keys, signatures, and what they notice."""

import json
import os
import stat
from pathlib import Path

import pytest
from toy_desk import MARKER

TOY = ("--policy", "toy.toml")


@pytest.fixture
def released(run, desk):
    """A certificate, its text and a key to sign with."""
    done = run("privatize", "note.txt", "--certificate", "c.json", *TOY)
    (desk / "r.txt").write_bytes(done.stdout_bytes)
    assert run("certificate", "key", "k").exit_code == 0
    return desk


def signed(run):
    done = run("certificate", "sign", "c.json", "--text", "r.txt", "--key", "k")
    assert done.exit_code == 0, done.stderr


def verdict(run, *more):
    done = run("certificate", "verify", "c.json", "--by", "k.pub", *more)
    return done.exit_code, done.stdout


def test_a_signature_ties_a_certificate_to_its_text(run, released):
    signed(run)
    assert verdict(run, "--text", "r.txt") == (0, "valid: certificate and text are as signed\n")
    assert verdict(run) == (0, "valid: the certificate is as signed\n")
    assert MARKER not in (released / "c.json.sig").read_text()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_the_key_is_its_owners_alone_and_never_replaced(run, released):
    assert stat.S_IMODE((released / "k").stat().st_mode) == 0o600
    before = (released / "k").read_bytes()
    assert run("certificate", "key", "k").exit_code == 2
    assert (released / "k").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda desk: (desk / "r.txt").write_text("another text"), "of another text"),
        (
            lambda desk: (desk / "c.json").write_text((desk / "c.json").read_text() + " "),
            "of another certificate",
        ),
        (
            lambda desk: _edit(desk / "c.json.sig", text="0" * 64),
            "not given by the owner of this key",
        ),
        (lambda desk: _edit(desk / "c.json.sig", signature="00"), "not given by the owner"),
        (lambda desk: (desk / "k.pub").write_bytes((desk / "k2.pub").read_bytes()), "not given by"),
    ],
)
def test_every_change_is_noticed(run, released, change, told):
    assert run("certificate", "key", "k2").exit_code == 0
    signed(run)
    change(released)
    code, answer = verdict(run, "--text", "r.txt")
    assert code == 1 and answer.startswith("NOT valid: ") and told in answer


def test_a_text_is_not_vouched_for_by_a_signature_without_one(run, released):
    assert run("certificate", "sign", "c.json", "--key", "k").exit_code == 0
    assert verdict(run)[0] == 0
    assert verdict(run, "--text", "r.txt") == (
        1,
        "NOT valid: the certificate was signed without a text\n",
    )


@pytest.mark.parametrize(
    "wrong",
    [
        ("sign", "note.txt", "--key", "k"),
        ("sign", "c.json", "--key", "k.pub"),
        ("sign", "c.json", "--key", "absent"),
        ("sign", "c.json", "--key", "k", "--signature", "c.json"),
        ("verify", "c.json", "--by", "k"),
        ("verify", "c.json", "--by", "k.pub", "--signature", "note.txt"),
    ],
)
def test_what_is_no_certificate_key_or_signature_is_refused_by_name(run, released, wrong):
    signed(run)
    before = sorted((path.name, path.read_bytes()) for path in released.iterdir() if path.is_file())
    done = run("certificate", *wrong)
    assert done.exit_code == 2
    assert MARKER not in done.stderr and "PRIVATE KEY" not in done.stderr
    after = sorted((path.name, path.read_bytes()) for path in released.iterdir() if path.is_file())
    assert after == before


def test_the_certificate_holds_no_plain_hash_of_the_text(run, released):
    from hashlib import sha256

    text = (released / "r.txt").read_bytes()
    content = Path("c.json").read_text()
    assert json.loads(content)["fingerprints"]["text"]
    assert sha256(text).hexdigest() not in content


def _edit(file, **changes):
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))
