"""privstamp restore."""

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
