"""SQuAD's two forms, the published JSON and the hub's table, give the same task."""

import json

import pyarrow as pa
import pytest
from pyarrow import parquet

from privstamp.errors import InputError
from privstamp.lab.evals.datasets import QUESTIONS, SOURCE, squad


def question(place, number):
    answers = [{"text": "reeds", "answer_start": 4}, {"text": "reeds"}, {"text": "the reeds "}]
    return {"id": f"q{place}-{number}", "question": f" What {number}? ", "answers": answers}


PARAGRAPHS = [
    {"context": f"The reeds of marsh {place}.", "qas": [question(place, n) for n in range(size)]}
    for place, size in enumerate([3, 9, 5, 0])
]


@pytest.fixture
def published(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_DATA", str(tmp_path))
    path = tmp_path / "squad-dev-x.json"
    articles = [{"paragraphs": PARAGRAPHS[:2]}, {"paragraphs": PARAGRAPHS[2:]}]
    path.write_text(json.dumps({"data": articles}))
    return path


@pytest.mark.usefixtures("published")
def test_at_most_five_questions_of_a_paragraph_and_answers_that_differ():
    examples = squad().examples()
    sizes = {}
    for one in examples:
        sizes[one.cluster] = sizes.get(one.cluster, 0) + 1
    assert sorted(sizes.values()) == [3, QUESTIONS, QUESTIONS]
    assert examples[0].answers == ("reeds", "the reeds")
    assert examples[0].task.startswith("What") and examples[0].spans is None


def test_the_hub_gives_the_same_examples(published, tmp_path, monkeypatch):
    here = squad()
    rows = [
        (asked["id"], paragraph["context"], asked["question"], asked["answers"])
        for paragraph in PARAGRAPHS
        for asked in paragraph["qas"]
    ]
    table = pa.table(
        {
            "id": [row[0] for row in rows],
            "context": [row[1] for row in rows],
            "question": [row[2] for row in rows],
            "answers": [{"text": [one["text"] for one in row[3]]} for row in rows],
        }
    )
    parquet.write_table(table, tmp_path / "validation.parquet")
    monkeypatch.setattr(
        type(SOURCE), "_fetch", lambda self, revision: tmp_path / "validation.parquet"
    )
    there = squad("some-revision")
    assert there.examples() == here.examples() and there.fingerprint == here.fingerprint


@pytest.mark.parametrize("text", ["{}", '{"data": [{"paragraphs": [{"qas": 3}]}]}', "secret"])
def test_other_json_is_refused_without_quoting_it(published, text):
    published.write_text(text)
    with pytest.raises(InputError, match=r"squad-dev-x\.json is not SQuAD's JSON") as caught:
        squad()
    assert "secret" not in str(caught.value) and caught.value.__context__ is None
