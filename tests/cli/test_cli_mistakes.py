"""What people get wrong at each command: one line that names the fix, and the right exit code."""

import os
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_desk import MARKER

from privstamp.cli.source import size_of
from privstamp.errors import UsageError

TOY = ("--policy", "toy.toml")
BINARY = bytes(range(256))
READERS = ("privatize", "explain", "group")


@pytest.fixture
def cluttered(desk):
    """What lies about: a folder, bytes, nothing, a map, a certificate."""
    (desk / "folder").mkdir()
    (desk / "bytes.bin").write_bytes(MARKER.encode() + BINARY)
    (desk / "empty.txt").write_bytes(b"")
    (desk / "wrong.toml").write_text("extends = 3\n")
    (desk / "other.toml").write_text(f"{MARKER} = 1\n")
    return desk


def one_line(done, code, said=""):
    assert done.exit_code == code, done.stderr
    told = [line for line in done.stderr.splitlines() if line.startswith("privstamp: error: ")]
    assert len(told) == 1 and said in told[0], done.stderr
    assert "Traceback" not in done.stderr and "unexpected" not in told[0]
    assert MARKER not in done.stderr and done.stdout == ""


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("missing.txt", "there is no such file"),
        ("folder", "is a folder"),
        ("bytes.bin", "is not UTF-8"),
        ("a\0b", "not a file name"),
    ],
)
def test_what_cannot_be_read(run, cluttered, command, file, said):
    one_line(run(command, file, *TOY), 2, said)


@pytest.mark.parametrize("command", READERS)
def test_nothing_to_read_is_no_mistake(run, cluttered, command):
    for source in ("empty.txt", "-"):
        done = run(command, source, *TOY, input=b"")
        assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--preset", "nope"), "Known: fluent"),
        (("--policy", "missing.toml"), "privstamp policy init"),
        (("--policy", "folder"), "Is a directory"),
        (("--policy", "bytes.bin"), "UTF-8"),
        (("--policy", "wrong.toml"), "extends"),
        (("--policy", "toy.toml", "--preset", "paper"), "not both"),
        ((*TOY, "--max-size", "0"), "say 200MB"),
        ((*TOY, "--max-size", "9" * 30 + "MB"), "say 200MB"),
        ((*TOY, "--max-size", "\u0661\u0660"), "say 200MB"),
        ((*TOY, "--task", "a", "--task-file", "note.txt"), "not both"),
        ((*TOY, "--task-file", "missing.txt"), "--task-file"),
        ((*TOY, "--task-file", "bytes.bin"), "--task-file"),
    ],
)
def test_options_that_several_commands_share(run, cluttered, command, options, said):
    one_line(run(command, "note.txt", *options), 2, said)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--map", "folder"), "is a folder"),
        (("--map", "-"), "not -"),
        (("--map", "nowhere/map.json"), "no folder"),
        (("--map", "note.txt"), "already named"),
        (("--map", "m.json", "--certificate", "m.json"), "already named"),
        (("--force",), "--map"),
        (("--format", "nope"), "Known: auto"),
        (("--profile", "nope"), "Known: contact"),
        (("--accept", "nope"), "Known: attachments"),
        (("--repair", "nope"), "Known: "),
        (("--repair-model", "x"), "--repair URL"),
        (("--large",), "-o OUT"),
        (("--large", "--json", "-o", "x"), "without --task"),
        (("-o", "folder"), "is a folder"),
    ],
)
def test_options_of_privatize(run, cluttered, options, said):
    one_line(run("privatize", "note.txt", *TOY, *options), 2, said)
    assert not (cluttered / "m.json").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("restore", "note.txt", "--map", "missing.json"), 1, "missing.json"),
        (("restore", "note.txt", "--map", "folder"), 1, "folder"),
        (("restore", "note.txt", "--map", "bytes.bin"), 1, "privstamp privatize --map"),
        (("restore", "note.txt", "--map", "empty.txt"), 1, "privstamp privatize --map"),
        (("restore", "missing.txt", "--map", "m.json"), 2, "no such file"),
        (("restore", "note.txt", "--map", "m.json", "--format", "json"), 2, "is not JSON"),
        (("list", "nope"), 2, "Known: answerers"),
        (("list", "mechanism"), 2, 'Did you mean "mechanisms"?'),
        (("demo", "--preset", "nope"), 2, "Known: fluent"),
        (("assets", "pull", "nope"), 2, "Known: frequencies"),
        (("assets", "pack", "folder"), 2, "is a folder"),
        (("assets", "pack", "nowhere/x.zip"), 2, "no folder"),
        (("assets", "pack", "x.zip", "glove"), 1, "installed with the package"),
        (("certificate", "key", "folder"), 2, "is a folder"),
        (("certificate", "key", "note.txt"), 2, "never replaced"),
        (("certificate", "sign", "missing.json", "--key", "note.txt"), 2, "missing.json"),
        (("certificate", "sign", "note.txt", "--key", "note.txt"), 2, "already named"),
        (("certificate", "verify", "note.txt", "--by", "empty.txt"), 2, "--signature"),
        (("policy", "check", "missing.toml"), 2, "privstamp policy init"),
        (("policy", "check", "folder"), 2, "Is a directory"),
        (("policy", "check", "note.txt"), 2, "not valid TOML"),
        (("policy", "show", "--policy", "bytes.bin"), 2, "UTF-8"),
        (("policy", "trust", "missing.toml"), 2, "no such file"),
        (("policy", "init", "--path", "note.txt"), 2, "--force"),
        (("policy", "init", "--path", "nowhere/x.toml"), 2, "no folder"),
        (("policy", "diff", "nope", "selective"), 2, "no such file"),
    ],
)
def test_other_commands(run, cluttered, arguments, code, said):
    if arguments[:2] == ("certificate", "sign") and said == "already named":
        arguments = (*arguments, "--signature", "note.txt")
    one_line(run(*arguments), code, said)


def test_a_policy_with_an_address_that_is_none_is_refused_in_one_line(run, desk):
    odd = (desk / "toy.toml").read_text() + '\n[repair]\nname = "https://[::1/v1"\nmodel = "m"\n'
    (desk / "odd.toml").write_text(odd)
    done = run("privatize", "note.txt", "--policy", "odd.toml")
    assert done.exit_code == 2 and "unexpected" not in done.stderr
    assert "an endpoint is a URL" in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("policy", "-h")])
def test_help_that_cannot_be_written(spawn, arguments):
    with Path("/dev/full").open("wb") as full:
        done = spawn(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr == b"privstamp: error: standard output cannot be written: the disk is full\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes of Unix")
def test_help_into_a_closed_pipe_is_quiet(spawn):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = spawn("--help", capture_output=False, stdout=writing, stderr=subprocess.PIPE)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


@given(st.text(max_size=40))
def test_a_size_is_a_number_of_bytes_or_refused(text):
    with suppress(UsageError):
        assert 0 < size_of(text) <= 10**15 and text.strip()[:1].isdigit()


@given(st.integers(1, 10**6), st.sampled_from(["", "k", "M", "GB", " kB"]))
def test_sizes_as_people_write_them(number, unit):
    factor = {"": 1, "k": 10**3, "M": 10**6, "GB": 10**9, " kB": 10**3}[unit]
    if number * factor <= 10**15:
        assert size_of(f"{number}{unit}") == number * factor
