import numpy as np

from line import SPACE, Named
from privstamp.importance.task_cosine import TaskCosine
from privstamp.lab.audit.subject import RememberedSensitivity
from privstamp.lab.evals.lines import RememberedImportance
from privstamp.protocols import Across


class Counting(Named):
    def __init__(self):
        super().__init__({"W1": "PERSON"})
        self.batches = []

    def find(self, batch):
        self.batches.append([units.text for units in batch])
        return super().find(batch)


class CountingAcross(Counting):
    def across(self, first, second):
        return first[1] + second[1], []


def units(*texts):
    return [SPACE.split(text) for text in texts]


def test_every_text_is_read_once():
    part = Counting()
    with_memory = RememberedSensitivity(part)
    first = with_memory.find(units("W1 w2", "w3", "W1 w2"))
    second = with_memory.find(units("w3", "w4"))
    assert part.batches == [["W1 w2", "w3"], ["w4"]]
    assert [len(one) for one in first] == [1, 0, 1]
    assert [len(one) for one in second] == [0, 0]
    assert with_memory.memory.seconds("W1 w2") > 0


def test_what_is_handed_out_can_be_changed_without_harm():
    with_memory = RememberedSensitivity(Counting())
    with_memory.find(units("W1"))[0].clear()
    assert len(with_memory.find(units("W1"))[0]) == 1


def test_a_detector_that_looks_across_texts_still_does():
    assert not isinstance(RememberedSensitivity(Counting()), Across)
    with_memory = RememberedSensitivity(CountingAcross())
    assert isinstance(with_memory, Across)
    assert with_memory.across((units("a")[0], [1]), (units("b")[0], [2])) == ([1, 2], [])


def test_importance_is_scored_once_for_a_text_and_a_task():
    inner = TaskCosine(SPACE)
    calls = []
    score = inner.score
    inner.score = lambda batch, tasks: calls.append(len(batch)) or score(batch, tasks)
    part = RememberedImportance(inner)
    text = units("w1 w2")[0]
    part.score([text, text], ["w1", "w2"])
    part.score([text, text], ["w2", "w3"])
    assert calls == [2, 1]


def test_thresholds_share_scores():
    part = RememberedImportance(TaskCosine(SPACE))
    text = units("w1 w2 w3")[0]
    low, high = (part.at(tau).score([text], ["w1"])[0] for tau in (0.2, 0.9))
    assert np.array_equal(low.values, high.values)
    assert (low.threshold, high.threshold) == (0.2, 0.9)
    assert part.at(0.2).fingerprint != part.at(0.9).fingerprint


def test_without_a_task_no_threshold_is_reached():
    part = RememberedImportance(TaskCosine(SPACE)).at(0.1)
    (scores,) = part.score(units("w1"), [None])
    assert not scores.important.any()


def test_memory_shows_no_text():
    with_memory = RememberedSensitivity(Counting())
    with_memory.find(units("W1"))
    assert "W1" not in repr(with_memory.memory)
