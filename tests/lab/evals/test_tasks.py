"""Every task by its name; the shipped passages as questions with their spans."""

import json
from importlib.resources import files

import pytest

from privstamp.errors import InputError, UnknownName
from privstamp.lab.evals import fantasy, tasks
from privstamp.lab.evals.tasks import load_task


def test_fantasy_is_there_without_any_file(monkeypatch):
    monkeypatch.delenv("PRIVSTAMP_DATA", raising=False)
    task = load_task("fantasy")
    examples = task.examples()
    assert (task.name, task.kind, task.labels, len(examples)) == ("fantasy", "qa", (), 600)
    assert len({one.cluster for one in examples}) == 120
    assert len({one.cluster for one in task.examples(100)}) == 20
    assert not task.training()


def test_spans_of_fantasy_lie_on_what_was_listed():
    by_id = {passage.id: passage for passage in fantasy.load()}
    for one in load_task("fantasy").examples(50):
        listed = {mention.text for mention in by_id[one.cluster].sensitive}
        assert one.spans and {one.text[span.start : span.end] for span in one.spans} <= listed
        assert {one.task[span.start : span.end] for span in one.task_spans} <= listed


def test_some_question_has_spans_of_its_own():
    assert any(one.task_spans for one in load_task("fantasy").examples())


def test_names_reach_their_loaders_with_the_revision(monkeypatch):
    monkeypatch.setattr(tasks, "squad", lambda revision: ("squad", revision))
    monkeypatch.setattr(tasks, "labelled", lambda name, revision: (name, revision))
    assert load_task("squad") == ("squad", None)
    assert load_task("squad@v1") == ("squad", "v1")
    assert load_task("yelp@v2") == ("yelp", "v2")
    assert load_task("ag_news") == ("ag_news", None)


def test_made_passages_are_a_task_too(tmp_path):
    path = tmp_path / "more.jsonl"
    shipped = (
        (files("privstamp.lab.evals") / "data" / "fantasy.jsonl").read_text("utf-8").splitlines()
    )
    path.write_text("\n".join(shipped[:2]), "utf-8")
    task = load_task(str(path))
    assert (task.name, task.kind, len(task.examples())) == ("more", "qa", 10)
    known = {one.id: one for one in load_task("fantasy").examples()}
    assert all(known[one.id] == one for one in task.examples())


def test_a_line_ends_where_json_lines_end(tmp_path):
    shipped = (files("privstamp.lab.evals") / "data" / "fantasy.jsonl").read_text("utf-8")
    row = json.loads(shipped.partition("\n")[0])
    row["title"] += " \u2028\x85"
    path = tmp_path / "more.jsonl"
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    assert len(load_task(str(path)).examples()) == 5


def test_other_lines_are_no_passages(tmp_path):
    path = tmp_path / "more.jsonl"
    path.write_text('{"not": "a passage"}\n')
    with pytest.raises(InputError, match=r"more\.jsonl, line 1 is not a passage"):
        load_task(str(path))


@pytest.mark.parametrize("name", ["sqad", "fantasy@v1", "notes.csv", ""])
def test_other_names_are_answered_with_those_there_are(name):
    with pytest.raises(UnknownName, match="ag_news, fantasy, squad, yelp; or a TOML file"):
        load_task(name)
