"""A user's file becomes a task; what is wrong with it is named by place, never quoted."""

import gzip
import json
import re
from pathlib import Path

import pytest

from privstamp.errors import InputError, UsageError
from privstamp.lab.evals.contracts import Span
from privstamp.lab.evals.tasks import own_task

LABELLED = 'kind = "classification"\ndata = "rows.csv"\ntask = "Which team?"\n'
ASKED = 'kind = "qa"\ndata = "rows.jsonl"\ncolumns = {task = "question"}\n'


@pytest.fixture
def described(tmp_path):
    def write(toml, **files):
        for name, text in files.items():
            (tmp_path / name.replace("__", ".")).write_text(text)
        path = tmp_path / "tickets.toml"
        path.write_text(toml)
        return path

    return write


def by_id(task):
    return {one.id: one for one in task.examples()}


def test_a_classification_by_its_columns(described):
    toml = (
        LABELLED + 'training = "more.csv"\nname = "t"\nlabels = ["repair", "billing", "delivery"]\n'
        '[columns]\ntext = "body"\nlabel = "team"\n'
    )
    path = described(
        toml,
        rows__csv='body,team\n"My bill, again",billing\nBroken door,repair\n',
        more__csv="body,team\nA bill,billing\nBroken door,repair\nLost parcel,delivery\n",
    )
    task = own_task(path)
    assert (task.name, task.kind) == ("t", "classification")
    assert task.labels == ("repair", "billing", "delivery")
    found = by_id(task)["2"]
    assert (found.text, found.label, found.task) == ("My bill, again", "billing", "Which team?")
    assert [one.id for one in task.training()] == ["train-2", "train-4"]  # one is evaluated


def test_the_description_in_the_docs_is_one(described):
    page = Path(__file__).parents[3] / "docs" / "lab" / "evals.md"
    [toml] = re.findall(r"```ini\n(.*?)```", page.read_text(), re.DOTALL)
    task = own_task(described(toml, tickets__csv="body,team\nMy bill,billing\n"))
    assert task.labels == ("billing", "delivery", "repair")
    every = re.sub(r"(?m)^# (\w+ =)", r"\1", toml).replace('task = "Which', '# task = "Which')
    header = "body,team,question,answers,spans,question_spans,number,customer\n"
    row = 'My bill,billing,Who?,x,"[[0, 2, ""ID""]]",[],7,Q\n'
    [one] = own_task(described(every, tickets__csv=header + row)).examples()
    assert (one.id, one.cluster, one.task, one.spans) == ("7", "Q", "Who?", (Span(0, 2, "ID"),))


def test_a_share_of_the_data_can_be_trained_on(described):
    rows = "".join(f"note {n // 2},{'ab'[n % 2]}\n" for n in range(200))
    path = described(LABELLED + "training = 0.4\n", rows__csv="text,label\n" + rows)
    task = own_task(path)
    asked, taught = task.examples(), task.training()
    assert len(asked) + len(taught) == 200 and 50 < len(taught) < 110
    assert not {one.text for one in asked} & {one.text for one in taught}


def test_a_label_of_the_training_file_that_the_data_lacks_is_refused(described):
    path = described(
        LABELLED + 'training = "more.csv"\n',
        rows__csv="text,label\nx,a\ny,b\n",
        more__csv="text,label\nz,secret\n",
    )
    with pytest.raises(InputError, match=r"more\.csv, line 2: .*name it under labels") as caught:
        own_task(path).training()
    assert "secret" not in str(caught.value)


def test_questions_with_answers_spans_and_clusters(described):
    rows = [
        {
            "text": "Ada met Bo.",
            "question": "Who?",
            "answers": ["Ada", "Bo"],
            "marks": [[0, 3, "P"]],
        },
        {"text": "Ada met Bo.", "question": "Whom?", "answers": "Bo", "marks": []},
        {"text": "It rained.", "question": "What?", "answers": 7, "marks": None},
    ]
    toml = 'kind = "qa"\ndata = "rows.jsonl"\n[columns]\ntask = "question"\nspans = "marks"\n'
    task = own_task(described(toml, rows__jsonl="\n\n".join(map(json.dumps, rows))))
    found = by_id(task)
    assert task.name == "tickets" and sorted(found) == ["1", "3", "5"]
    assert found["1"].answers == ("Ada", "Bo") and found["5"].answers == ("7",)
    assert found["1"].cluster == found["3"].cluster != found["5"].cluster
    assert found["1"].spans == (Span(0, 3, "P"),) and found["5"].spans == ()


def test_lists_in_csv_are_json_and_columns_can_name_id_and_cluster(described, tmp_path):
    toml = (
        'kind = "qa"\ndata = "rows.csv.gz"\n'
        '[columns]\ntask = "q"\nid = "key"\ncluster = "file"\ntask_spans = "in_q"\n'
    )
    rows = 'key,file,text,q,answers,in_q\nk1,f1,A B,Is B?,"[""A"", ""B""]","[[3, 4, ""ID""]]"\n'
    (tmp_path / "rows.csv.gz").write_bytes(gzip.compress(rows.encode()))
    [one] = own_task(described(toml)).examples()
    assert (one.id, one.cluster, one.answers) == ("k1", "f1", ("A", "B"))
    assert one.task_spans == (Span(3, 4, "ID"),) and one.spans is None


def test_a_cell_may_be_longer_than_csv_has_it(described):
    long = "word " * 40_000
    assert len(own_task(described(LABELLED, rows__csv=f"text,label\n{long},a\n")).examples()) == 1


@pytest.mark.parametrize(
    ("toml", "fault"),
    [
        ("kind = ", "not TOML"),
        ('kind = "poem"\ndata = "x.csv"\ntask = "?"', "kind: Input should be 'qa'"),
        ('kind = "qa"\ntask = "?"', "data: Field required"),
        (LABELLED + 'colour = "red"', "colour: Extra inputs"),
        (LABELLED + '[columns]\ntask = "q"', "either task, one for all texts, or columns.task"),
        ('kind = "qa"\ndata = "x.csv"', "either task, one for all texts, or columns.task"),
        (LABELLED + "training = 1.5", "training"),
        (ASKED + 'training = "x.csv"', "only a classification has them"),
    ],
)
def test_a_description_that_does_not_hold_is_refused(described, toml, fault):
    with pytest.raises(UsageError, match=rf"tickets\.toml: .*{fault}"):
        own_task(described(toml))


@pytest.mark.parametrize(
    ("toml", "name", "rows", "fault"),
    [
        (LABELLED, "rows__csv", "text,team\nsecret,a\n", 'line 2: there is no column "label"'),
        (LABELLED, "rows__csv", "text,label\nx,a\nsecret,b,c\n", "line 3: 3 cells under 2 names"),
        (LABELLED, "rows__csv", "text,label\nx,a\nsecret,\n", 'line 3: column "label" is empty'),
        (LABELLED + 'labels = ["a"]', "rows__csv", "text,label\nx,secret\n", "2: .*under labels"),
        (LABELLED, "rows__csv", "text,label,text\nsecret,a,x\n", "two columns have one name"),
        (LABELLED, "rows__csv", "", "not one row"),
        (ASKED, "rows__jsonl", "\nsecret", "line 2: not a JSON object"),
        (ASKED, "rows__jsonl", '["secret"]', "line 1: not a JSON object"),
        (ASKED, "rows__jsonl", '{"text": "secret", "question": "?", "answers": []}', "no answer"),
        (ASKED, "rows__jsonl", '{"text": ["secret"], "question": "?"}', '"text" is empty or not'),
        (
            ASKED.replace("{", '{spans = "s", '), "rows__jsonl",
            '{"text": "secret", "question": "?", "answers": "x", "s": [[0, 9, "P"]]}', "no list of",
        ),
        (LABELLED.replace("csv", "txt"), "rows__txt", "secret", r"a \.csv or a \.jsonl"),
        (LABELLED, "other__csv", "secret", r"rows\.csv cannot be read"),
    ],
)  # fmt: skip
def test_faults_name_file_line_and_fix_but_not_the_text(described, toml, name, rows, fault):
    with pytest.raises(InputError, match=fault) as caught:
        own_task(described(toml, **{name: rows}))
    assert "secret" not in str(caught.value) and caught.value.__context__ is None
