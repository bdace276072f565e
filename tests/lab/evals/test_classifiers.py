"""Classifiers learn from original texts, are kept without words, and read releases."""

import numpy as np
import pytest

from privstamp.errors import MissingExtra, UnknownName, UsageError
from privstamp.lab.evals import classifiers
from privstamp.lab.evals.answers import Similarity
from privstamp.lab.evals.classifiers import Classifier, Encoded, TfIdf, open_classifier
from privstamp.lab.evals.contracts import Example, Release, Task

TOPICS = {
    "farm": "barn cow field harvest tractor wheat hen",
    "sea": "sail wave harbour anchor fish salt crew",
    "town": "tram square bakery clock office market bench",
}


def texts(split, labels, count=30):
    """Three words of the topic and two of any; made by a rule, so every run has the same."""
    random = np.random.default_rng(len(split))
    every = " ".join(TOPICS.values()).split()
    for label in labels:
        for number in range(count):
            words = [*random.choice(TOPICS[label].split(), 3), *random.choice(every, 2)]
            id_ = f"{split}-{label}-{number}"
            yield Example(id_, id_, f"{split} {' '.join(words)} {number}", "Which?", label=label)


def task(labels=("farm", "sea", "town"), taught=("farm", "sea", "town")):
    return Task(
        "toy", "classification", texts("test", labels), labels=labels,
        training=lambda: list(texts("training", taught)),
    )  # fmt: skip


def releases(examples):
    return [Release(one.text, one.task) for one in examples]


def score(reader, examples):
    return np.mean([one["correct"] for one in reader.read(examples, releases(examples))])


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVSTAMP_CACHE", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("labels", [("farm", "sea", "town"), ("farm", "sea"), ("sea", "farm")])
def test_tfidf_learns_topics_also_when_there_are_two(kept, labels):
    toy = task(labels, labels)
    reader = open_classifier("tfidf", toy)
    assert score(reader, toy.examples()) > 0.85
    shuffled = [Release("", one.task) for one in toy.examples()]
    found = reader.read(toy.examples(), shuffled)
    assert len({one["predicted"] for one in found}) == 1  # nothing to read: one guess for all
    assert reader.read([], []) == []


def test_tfidf_weights_are_those_of_scikit_learn():
    from sklearn.feature_extraction.text import TfidfVectorizer

    every = [one.text for one in texts("training", TOPICS)]
    ours = TfIdf()
    learned = ours.learn(every)
    mine = ours.features(every, learned)
    theirs = TfidfVectorizer(sublinear_tf=True, min_df=classifiers.FEWEST).fit_transform(every)
    assert mine.shape == theirs.shape
    np.testing.assert_allclose((mine @ mine.T).toarray(), (theirs @ theirs.T).toarray(), atol=1e-9)


@pytest.mark.parametrize("taught", [["sea", "town", "sea", "town"], ["sea"] * 4 + ["town"]])
def test_a_handful_of_texts_is_enough_to_begin_with(kept, taught):
    few = [
        Example(str(n), str(n), TOPICS[label] * 2, "?", label=label)
        for n, label in enumerate(taught)
    ]
    toy = Task(
        "toy", "classification", texts("test", ["sea", "town"]), labels=["sea", "town"],
        training=lambda: few,
    )  # fmt: skip
    assert 0 <= score(open_classifier("tfidf", toy), toy.examples()) <= 1


def test_a_label_nobody_taught_is_never_predicted(kept):
    toy = task(taught=("sea", "town"))
    found = open_classifier("tfidf", toy).read(toy.examples(), releases(toy.examples()))
    assert {one["predicted"] for one in found} == {"sea", "town"}


def test_what_was_trained_is_kept_as_arrays_and_trained_once(kept, monkeypatch):
    toy = task()
    first = open_classifier("tfidf", toy)
    monkeypatch.setattr(classifiers, "_train", lambda *_: pytest.fail("trained again"))
    again = open_classifier("tfidf", toy)
    assert again.fingerprint == first.fingerprint
    shown = [reader.read(toy.examples(), releases(toy.examples())) for reader in (first, again)]
    assert shown[0] == shown[1]
    [file] = kept.rglob("weights.npz")
    with np.load(file, allow_pickle=False) as arrays:
        assert set(arrays) == {"buckets", "idf", "slopes", "heights"}
        assert all(array.dtype.kind in "fi" for array in arrays.values())


def test_what_was_trained_is_for_its_owner_alone(kept):
    open_classifier("tfidf", task())
    [file] = kept.rglob("weights.npz")
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_other_training_texts_are_another_classifier(kept):
    known = open_classifier("tfidf", task()).fingerprint
    assert known != open_classifier("tfidf", task(taught=("farm", "sea"))).fingerprint


class Topics:
    """An encoder that counts words of the topics, and how often it was asked."""

    fingerprint = "topics"

    def sentence(self, text):
        counts = [sum(word in text.split() for word in words.split()) for words in TOPICS.values()]
        return np.array(counts, dtype=np.float32) / max(1, sum(counts))


def test_minilm_is_the_same_line_on_sentence_vectors(kept, monkeypatch):
    toy = task()
    monkeypatch.setattr(classifiers, "open_similarity", lambda: (Similarity(Topics()), ""))
    reader = open_classifier("minilm", toy)
    assert reader.name == "minilm" and score(reader, toy.examples()) > 0.9
    assert reader.fingerprint != Classifier("x", toy, TfIdf()).fingerprint


def test_no_more_texts_are_encoded_than_allowed(kept, monkeypatch):
    monkeypatch.setattr(Encoded, "most", 12)
    seen = []
    monkeypatch.setattr(
        Similarity, "table", lambda self, many: seen.append(len(many)) or _rows(many)
    )
    Classifier("minilm", task(), Encoded(Similarity(Topics())))
    assert seen == [12]


def _rows(many):
    return np.stack([Topics().sentence(text) for text in many])


def test_what_cannot_be_is_refused(kept, monkeypatch):
    with pytest.raises(UsageError, match="training texts with two labels"):
        open_classifier("tfidf", task(taught=()))
    with pytest.raises(UsageError, match="no word stands in 2 training texts"):
        TfIdf().learn(["cow", "sail"])
    with pytest.raises(UnknownName, match='no classifier "tfid"'):
        open_classifier("tfid", task())
    asked = Task("q", "qa", texts("test", ["sea"]))
    with pytest.raises(UsageError, match="q asks questions"):
        open_classifier("tfidf", asked)
    monkeypatch.setattr(classifiers, "open_similarity", lambda: (None, "pull it"))
    with pytest.raises(UsageError, match="minilm has no encoder: pull it"):
        open_classifier("minilm", task())


def test_without_scikit_learn_the_extra_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", None)
    with pytest.raises(MissingExtra, match=r"privstamp\[evals\]"):
        TfIdf()
