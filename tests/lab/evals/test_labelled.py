"""News and reviews, from files and from the hub's tables; every text here is made up."""

import pyarrow as pa
import pytest
from pyarrow import parquet

from privstamp.errors import InputError
from privstamp.lab.evals.datasets import SETS, DatasetSource, clean_news, clean_review, labelled


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_DATA", str(tmp_path))
    return tmp_path


def test_news_is_title_and_description_with_labels_as_words(folder):
    (folder / "ag_news_test_x.csv").write_text(
        'label,title,description\n1,Treaty signed,"Two, at last."\n4,A new chip,It is small.\n'
    )
    (folder / "ag_news_train_x.csv").write_text("2,Marathon won in the rain\n3,Shares fell\n")
    task = labelled("ag_news")
    found = {one.id: (one.text, one.label) for one in task.examples()}
    assert found == {
        "ag_news-test-0": ("Treaty signed Two, at last.", "World"),
        "ag_news-test-1": ("A new chip It is small.", "Sci/Tech"),
    }
    assert [one.label for one in task.training()] == ["Sports", "Business"]
    assert {one.task for one in task.examples()} == {SETS["ag_news"].task}
    assert task.kind == "classification" and task.labels[3] == "Sci/Tech"


def test_the_hub_counts_labels_from_nought(folder, monkeypatch):
    table = pa.table({"label": [0, 4], "text": ["Cold soup.", "Lovely\\n\\nsoup."]})
    parquet.write_table(table, folder / "hub.parquet")
    monkeypatch.setattr(DatasetSource, "_fetch", lambda self, revision: folder / "hub.parquet")
    found = labelled("yelp").examples()
    assert {(one.text, one.label) for one in found} == {
        ("Cold soup.", "1"),
        ("Lovely\n\nsoup.", "5"),
    }


@pytest.mark.parametrize(
    ("rows", "fault"),
    [("1,fine\nsecret\n", "line 2: a label from 1"), ("9,secret\n", "row 1: the label is outside")],
)
def test_wrong_rows_are_named_by_place(folder, rows, fault):
    (folder / "yelp_test.csv").write_text(rows)
    with pytest.raises(InputError, match=fault) as caught:
        labelled("yelp")
    assert "secret" not in str(caught.value)


def test_news_gets_its_characters_back():
    assert clean_news(r"The town #39;s mayor\said  quot;no quot; &lt;b&gt;today&lt;/b&gt;") == (
        'The town\'s mayor said "no" today'
    )
    assert clean_news("for  #36;10 at R amp;D, 3 < 4") == "for $10 at R&D, 3 < 4"


def test_reviews_get_their_lines_and_quotes_back():
    written = r"Nice.\n\nThe \"\"best\"\" cr\u00eape, 5\5 \ud83d"
    assert clean_review(written) == 'Nice.\n\nThe "best" crêpe, 5\\5 \ufffd'
