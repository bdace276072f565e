"""What is at hand is said without opening it; what is not, with the way to get it."""

import pytest

from privstamp.lab.evals import workshop


@pytest.fixture
def packages(monkeypatch):
    """Only these packages are installed."""

    def only(*names):
        monkeypatch.setattr(workshop, "find_spec", lambda name: object() if name in names else None)

    return only


def found(rows):
    return {row.name: row for row in rows}


def test_data_in_the_folder_is_here_and_other_data_says_how(tmp_path, monkeypatch, packages):
    packages()
    monkeypatch.setenv("PRIVSTAMP_DATA", str(tmp_path))
    (tmp_path / "squad-dev-v1.1.json").write_text("{}")
    rows = found(workshop.tasks())
    assert rows["fantasy"].here and rows["squad"].here
    assert not rows["yelp"].here and "privstamp[hub]" in rows["yelp"].how
    packages("huggingface_hub")
    assert "Yelp/yelp_review_full" in found(workshop.tasks())["yelp"].how


def test_two_files_of_one_name_are_said(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_DATA", str(tmp_path))
    for name in ("a", "b"):
        (tmp_path / f"squad-dev-{name}.json").write_text("{}")
    row = found(workshop.tasks())["squad"]
    assert not row.here and "keep the one" in row.how


def test_readers_say_which_extra_or_asset_is_missing(packages, tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    packages()
    rows = found(workshop.readers())
    assert not any(row.here for row in rows.values())
    assert "privstamp[evals]" in rows["tfidf"].how and "privstamp[lm]" in rows["qwen-0.5b"].how
    assert "privstamp[transformers]" in rows["hf:qwen-1.5b"].how
    packages("sklearn", "onnxruntime", "xllamacpp", "transformers")
    rows = found(workshop.readers())
    assert rows["tfidf"].here and not rows["minilm"].here
    assert rows["qwen-0.5b"].how == rows["hf:qwen-0.5b"].how == "privstamp assets pull qwen-0.5b"
