import numpy as np
import pytest

from privstamp.errors import PolicyError
from privstamp.importance.network import Occlusion
from privstamp.testing import check_importance
from toys import ToySpace

SPACE = ToySpace()


def weights(texts, task):
    """The task's own word is worth most, w7 something; w3 is in the way."""
    return [3.0 * (task in text) + ("w7" in text) - ("w3" in text) for text in texts]


def values(part, text, task="w5"):
    return part.score([SPACE.split(text)], [task])[0].values


def test_conforms():
    check_importance(Occlusion(SPACE, score=weights), SPACE)


def test_words_are_ranked_by_how_far_the_score_falls_without_them():
    found = values(Occlusion(SPACE, score=weights), "w1 w5 w3 w7 w2")
    assert found[1] > found[3] > 0 and found[[0, 2, 4]].tolist() == [0, 0, 0]


def test_calls_are_bounded_and_come_in_batches():
    asked = []

    def counting(texts, task):
        asked.append(len(texts))
        return weights(texts, task)

    found = values(Occlusion(SPACE, score=counting, calls=10, batch=4), "w1 " * 94 + "w5")
    assert sum(asked) <= 11 and max(asked) <= 4 and found[-1] == max(found)


def test_each_variant_lacks_one_word_and_nothing_else():
    seen = []

    def recording(texts, task):
        seen.extend(texts)
        return [0.0] * len(texts)

    values(Occlusion(SPACE, score=recording), "w1, (w2) w5.")
    assert seen == ["w1, (w2) w5.", "..., (w2) w5.", "w1, (...) w5.", "w1, (w2) ...."]


def test_a_function_by_name_is_another_fingerprint():
    by_name = Occlusion(SPACE, score="math:fsum")
    assert by_name.fingerprint != Occlusion(SPACE, score=weights).fingerprint
    assert by_name.scope.contextual


@pytest.mark.parametrize("answer", [[1.0], [1.0, np.nan, 2.0, 3.0], [1.0] * 9])
def test_a_score_that_is_no_score_stops_the_release(answer):
    with pytest.raises(ValueError, match="finite number"):
        values(Occlusion(SPACE, score=lambda texts, task: answer[: len(texts) + 5]), "w1 w2 w3 w4")


@pytest.mark.parametrize(
    "options",
    [
        {"score": "nowhere:at_all"},
        {"score": "math"},
        {"score": 3},
        {"score": weights, "calls": 0},
        {"score": weights, "batch": True},
        {"score": weights, "tau": 2},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(PolicyError, match="importance"):
        Occlusion(SPACE, **options)
