"""privstamp restore."""

import json

import pytest

from privstamp.restore.map import SurrogateMap


@pytest.fixture
def mapped(desk):
    path = desk / "m.json"
    SurrogateMap.of([("Nora", "Quixworth", "PERSON"), ("[MASK]", "x", "WORD")]).save(path)
    return path


def test_restores_to_stdout_alone(run, mapped):
    done = run("restore", "-", "--map", mapped, input="Ask Nora.\r\nNora's dog")
    assert done.exit_code == 0
    assert done.stdout_bytes.decode() == "Ask Quixworth.\r\nQuixworth's dog"
    assert done.stderr == ""


def test_warns_of_a_map_that_others_can_read(run, mapped):
    mapped.chmod(0o644)
    done = run("restore", "-", "--map", mapped, input="Nora")
    assert done.stdout == "Quixworth"
    assert "chmod 600" in done.stderr


@pytest.mark.parametrize("content", [None, "", "{}", "Quixworth"])
def test_a_bad_map_is_a_failure(run, desk, content):
    if content is not None:
        (desk / "bad.json").write_text(content)
    done = run("restore", "note.txt", "--map", "bad.json")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "Quixworth" not in done.stderr


def test_a_missing_reply_is_a_usage_error(run, mapped):
    assert run("restore", "nowhere.txt", "--map", mapped).exit_code == 2


def test_a_map_of_another_release_is_noticed(run, mapped, desk):
    (desk / "other.txt").write_text("Nothing of that release is in here.")
    done = run("restore", "other.txt", "--map", "m.json")
    assert done.exit_code == 0 and "is this the map of that release?" in done.stderr


def test_what_is_withheld_is_counted_on_stderr_and_listed_as_json(run, mapped):
    reply = "Nora, see https://evil.example/?d=Nora and <b title=Nora>"
    done = run("restore", "-", "--map", mapped, input=reply)
    assert done.stdout == reply.replace("Nora,", "Quixworth,")
    assert "2 withheld: 1 in a link" in done.stderr and "1 in a tag" in done.stderr
    listed = json.loads(run("restore", "-", "--map", mapped, "--json", input=reply).stdout)
    assert listed["put_back"] == [
        {"start": 0, "end": 9, "kind": "PERSON", "stood_for": len("Nora")}
    ]
    assert [each["reason"] for each in listed["withheld"]] == ["url", "markup"]
    assert listed["text"][0:9] == "Quixworth"


def test_trusted_kinds_allow_and_format(run, desk):
    path = desk / "s.json"
    SurrogateMap.of([("Nora", 'Q"x', "PERSON"), ("kel-77", "zorbax", "CREDENTIAL")]).save(path)
    reply = '{"Nora": "Nora kel-77 https://x.example/Nora"}'
    assert run("restore", "-", "--map", path, input=reply).stdout == reply
    done = run("restore", "-", "--map", path, "--format", "json", input=reply)
    assert json.loads(done.stdout) == {"Nora": 'Q"x kel-77 https://x.example/Nora'}
    more = ("--kinds", "CREDENTIAL", "--allow", "PERSON:url")
    done = run("restore", "-", "--map", path, "--format", "json", *more, input=reply)
    assert json.loads(done.stdout) == {"Nora": 'Q"x zorbax https://x.example/Q"x'}
    done = run("restore", "-", "--map", path, "--trusted", input="<Nora kel-77>")
    assert done.stdout == '<Q"x zorbax>'
    assert run("restore", "-", "--map", path, "--allow", "x", input="").exit_code != 0


def test_a_release_comes_back_byte_for_byte(run, desk):
    original = "Priya\u200b Raghunathan\r\nlives in\u00a0Lisbon.\t\n"
    (desk / "odd.txt").write_bytes(original.encode())
    released = run("privatize", "odd.txt", "--map", "odd.json")
    assert released.exit_code == 0 and "Raghunathan" not in released.stdout
    done = run("restore", "-", "--map", "odd.json", "--trusted", input=released.stdout_bytes)
    assert done.stdout_bytes == original.encode()
