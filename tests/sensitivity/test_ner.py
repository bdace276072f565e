"""Which model is taken, what of it is loaded, and that it keeps nothing of the texts."""

import json
import shutil
import warnings
from types import SimpleNamespace

import pytest

from privstamp.assets.store import locate
from privstamp.errors import AssetError, Incompatible
from privstamp.lab.evals import fantasy
from privstamp.sensitivity import ner

TEXT = "Priya Raghunathan met Daniel in Sheffield."


@pytest.fixture(scope="session")
def model() -> ner.Ner:
    return ner.Ner("en", None)


def pretend(folder, name: str, /, **papers: str):
    """A package with a model's papers and nothing in it."""
    inside = folder / name / f"{name}-3.8.0"
    inside.mkdir(parents=True)
    (folder / name / "__init__.py").write_text("raise AssertionError('imported')")
    (inside / "config.cfg").write_text("")
    lang, _, rest = name.partition("_")
    official = {"lang": lang, "name": rest, "author": "Explosion", "url": "https://explosion.ai"}
    (inside / "meta.json").write_text(json.dumps(official | papers))
    return inside


@pytest.fixture
def packages(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_the_pinned_model_is_the_last_resort(monkeypatch):
    monkeypatch.setattr(ner, "_installed", lambda _: None)
    assert ner.find_model("en", None) == locate("ner", "pipeline")


def test_the_largest_official_model_wins_and_is_not_imported(packages):
    pretend(packages, "en_core_web_sm")
    large = pretend(packages, "en_core_web_lg")
    assert ner.find_model("en", None) == large


@pytest.mark.parametrize("papers", [{"author": "somebody"}, {"name": "core_web_xl"}])
def test_a_look_alike_is_passed_over(packages, papers):
    pretend(packages, "en_core_web_lg", **papers)
    small = pretend(packages, "en_core_web_sm")
    assert ner.find_model("en", None) == small


def test_a_named_model_or_folder_is_taken(packages):
    inside = pretend(packages, "de_core_news_sm")
    assert ner.find_model("de", "de_core_news_sm") == inside
    assert ner.find_model("de", str(inside)) == inside
    assert ner.find_model("de", None) == inside


@pytest.mark.parametrize("name", ["en_core_web_none", "no/such/folder", "../x", "os"])
def test_a_missing_model_is_an_error_with_the_fix(name):
    with pytest.raises(AssetError, match="spacy download"):
        ner.find_model("en", name)


def test_no_model_of_a_language_is_an_error_with_the_fix():
    with pytest.raises(AssetError, match="python -m spacy download fi_core_news_md"):
        ner.find_model("fi", None)


def test_no_pinned_model_is_never_a_weaker_detector(monkeypatch):
    def refuse(*_):
        raise AssetError("not here")

    monkeypatch.setattr(ner, "locate", refuse)
    with pytest.raises(AssetError, match="not here"):
        ner.Ner("en", None)


def test_a_broken_model_is_an_asset_error(tmp_path):
    (tmp_path / "config.cfg").write_text("[nlp]\nlang = 'en'\n")
    with pytest.raises(AssetError, match="cannot be loaded") as caught:
        ner.Ner("en", str(tmp_path))
    assert caught.value.__context__ is None


def test_a_model_of_another_language_is_refused(model, monkeypatch):
    monkeypatch.setattr(ner, "_load", lambda _: model._nlp)
    with pytest.raises(Incompatible, match='for language "en"'):
        ner.Ner("de", str(locate("ner", "pipeline")))


def test_only_the_recogniser_is_loaded(model):
    assert model._nlp.component_names == ["ner"]


def test_entities_are_those_of_the_whole_model(model):
    import spacy

    texts = [passage.text for passage in fantasy.load()[:30]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        whole = spacy.load(locate("ner", "pipeline"))
    assert len(model._nlp.vocab.strings) < len(whole.vocab.strings) // 100
    expected = [
        [(span.start_char, span.end_char, span.label_) for span in doc.ents]
        for doc in whole.pipe(texts)
    ]
    assert model.entities(texts) == expected
    assert sum(map(len, expected)) > 300


def test_loading_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ner._load(locate("ner", "pipeline"))


def test_what_the_recogniser_listens_to_is_loaded_too():
    shared = {"@architectures": "spacy.Tok2VecListener.v1", "upstream": "*"}
    config = {"components": {"ner": {"model": {"tok2vec": shared}}, "transformer": {}}}
    assert ner._upstream(config) == "transformer"
    shared["upstream"] = "mine"
    assert ner._upstream(config) == "mine"
    shared["@architectures"] = "spacy.Tok2Vec.v2"
    assert ner._upstream(config) is None


def test_entities_have_exact_offsets(model):
    texts = [TEXT, "", "\U0001f600\r\n\0 e\u0301 " + TEXT]
    first, none, last = model.entities(texts)
    assert none == []
    assert [TEXT[s:e] for s, e, _ in first] == ["Priya Raghunathan", "Daniel", "Sheffield"]
    assert [label for *_, label in first] == ["PERSON", "PERSON", "GPE"]
    assert {texts[2][s:e] for s, e, _ in last} >= {"Daniel", "Sheffield"}


def test_nothing_of_a_text_stays_in_the_vocabulary(model):
    word = "Zyqwoldrian"
    before = len(model._nlp.vocab.strings)
    model.entities([f"Her name is {word} Quaxley."])
    assert word not in model._nlp.vocab.strings
    assert len(model._nlp.vocab.strings) == before


def test_facts_change_with_the_files(model, tmp_path, monkeypatch):
    monkeypatch.setattr(ner, "_load", lambda _: model._nlp)
    copy = tmp_path / "model"
    shutil.copytree(locate("ner", "pipeline"), copy)
    assert ner.Ner("en", str(copy)).facts == model.facts
    meta = json.loads((copy / "meta.json").read_text())
    (copy / "meta.json").write_text(json.dumps(meta | {"version": "0.0.1"}))
    assert ner.Ner("en", str(copy)).facts != model.facts


def test_factories_of_other_packages_are_imported_only_for_models_that_need_one():
    registry = SimpleNamespace(_entry_point_factories=SimpleNamespace(entry_points=True))
    for needed, asked in (({"ner"}, False), ({"ner", "tok2vec"}, False), ({"theirs"}, True)):
        with ner._own_factories(registry, needed):
            assert registry._entry_point_factories.entry_points is asked
        assert registry._entry_point_factories.entry_points is True
