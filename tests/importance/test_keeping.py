from dataclasses import replace

import numpy as np

from line import make
from privstamp.importance.shares import apply_keep
from privstamp.types import Scope, Scores
from toys import ToySpace

SPACE = ToySpace()


def important(text, keep, threshold=np.inf):
    units = SPACE.split(text)
    scores = Scores(np.zeros(len(units), dtype=np.float32), threshold)
    return apply_keep(units, scores, keep).important.tolist()


def test_a_kept_word_is_important_without_a_task_and_in_any_case():
    assert important("Metformin w1 METFORMIN", ["metformin"]) == [True, False, True]


def test_all_units_of_a_phrase_are_kept_and_only_as_a_phrase():
    assert important("w1 blood pressure, pressure", ["blood pressure"]) == [0, 1, 1, 0]


def test_without_a_list_nothing_changes():
    units = SPACE.split("w1")
    scores = Scores(np.ones(1, dtype=np.float32), 0.5)
    assert apply_keep(units, scores, ()) is scores


def test_values_stay_as_the_method_gave_them():
    units = SPACE.split("w1 w2")
    scores = Scores(np.array([0.2, 0.9], dtype=np.float32), 0.5)
    kept = apply_keep(units, scores, ["w1"])
    assert kept.values is scores.values and kept.important.tolist() == [True, True]


def test_in_the_line_kept_words_are_in_group_3_or_1(monkeypatch):
    privatizer = make(monkeypatch, kinds={"w9": "PERSON"}, keep=["w9", "w8"], seed=1)
    trace = privatizer.privatize("w8 w9 w7", trace=True).trace
    assert trace.grouping.groups.tolist() == [3, 1, 4]


def test_a_policy_with_kept_words_has_a_keyed_fingerprint(monkeypatch):
    certificate = make(monkeypatch, keep=["w8"], seed=1).privatize("w8 w9").certificate
    assert certificate.fingerprints.policy_keyed and "w8" not in certificate.model_dump_json()


def test_text_and_task_are_scored_as_pages_of_their_own(monkeypatch):
    seen = []

    class Watching:
        name, fingerprint, scope = "watching", "0" * 16, Scope.context("nothing")

        def score(self, batch, tasks):
            seen.extend(zip([units.text for units in batch], tasks, strict=True))
            return [Scores(np.zeros(len(units), dtype=np.float32), 0.5) for units in batch]

    privatizer = make(monkeypatch, seed=1)
    privatizer.parts = replace(privatizer.parts, importance=Watching())
    privatizer.privatize("w1 w2", task="w3")
    assert seen == [("w1 w2", "w3"), ("w3", "w3")]
