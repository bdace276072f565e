"""privstamp frontier: a table, JSON, files; and what it refuses."""

import json

CHOICE = ("--space", "toy", "--quick", "--mechanism", "randomized-response", "--mechanism", "polar")


def test_tables_for_a_person(run):
    done = run("frontier", *CHOICE)
    assert done.exit_code == 0, done.stderr
    assert "randomized-response" in done.stdout and "polar" in done.stdout
    assert "floor" in done.stdout


def test_json_and_files(run, desk):
    done = run("frontier", *CHOICE, "--json", "--out", "results")
    assert done.exit_code == 0, done.stderr
    (content,) = json.loads(done.stdout)
    assert content["about"]["space"] == "toy" and content["about"]["quick"] is True
    assert len(content["records"]) == 6
    assert json.loads((desk / "results" / "frontier.json").read_text()) == [content]
    assert (desk / "results" / "frontier-toy.svg").stat().st_size > 1000
    assert (desk / "results" / "frontier-toy.png").stat().st_size > 1000


def test_refusals(run, desk):
    (desk / "taken").write_text("")
    for arguments, words in [
        (("--mechanism", "polr"), "polar"),
        (("--mechanism", "placeholder"), "epsilon 0"),
        (("--space", "glov"), "glove"),
        (("--out", "taken"), "folder"),
    ]:
        done = run("frontier", "--quick", *arguments)
        assert done.exit_code == 2 and words in done.stderr, arguments
