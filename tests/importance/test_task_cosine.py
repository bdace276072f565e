import numpy as np
import pytest

from privstamp.errors import PolicyError
from privstamp.importance.task_cosine import TaskCosine, weighted_quantile
from privstamp.testing import check_importance
from toys import ToySpace

SPACE = ToySpace(rows=400)


def test_conforms():
    check_importance(TaskCosine(SPACE), SPACE, ["w1 w2 zzz", "", "w3 5"])


def test_score_is_the_cosine_to_the_mean_of_the_tasks_units():
    part = TaskCosine(SPACE, tau=0.3)
    mean = (SPACE.unit[[5, 9]] * SPACE.radius[[5, 9], None]).mean(axis=0)
    expected = SPACE.unit[[1, 5]] @ (mean / np.linalg.norm(mean))
    scores = part.score([SPACE.split("w1 zzz w5")], ["w5 w9"])[0]
    assert np.isnan(scores.values[1])
    np.testing.assert_allclose(scores.values[[0, 2]], expected, rtol=1e-5)
    assert scores.threshold == 0.3


@pytest.mark.parametrize("weights", ["unigram", "uniform"])
def test_auto_is_the_stated_quantile_of_the_vocabulary(weights):
    part = TaskCosine(SPACE, quantile=0.8, weights=weights)
    threshold = part.score([SPACE.split("w1")], ["w5 w9"])[0].threshold
    vocabulary = np.concatenate(SPACE.outputs)
    text = " ".join(f"w{row}" for row in vocabulary)
    share = part.score([SPACE.split(text)], ["w5 w9"])[0].values < threshold
    weight = SPACE.prior[vocabulary] if weights == "unigram" else np.ones(len(vocabulary))
    heaviest = weight.max() / weight.sum()
    assert abs((share * weight).sum() / weight.sum() - 0.8) <= heaviest + 1e-9


@pytest.mark.parametrize("part", [1e-9, 0.03, 0.5, 0.8, 1.0 - 1e-12])
@pytest.mark.parametrize("weighted", [False, True])
def test_quantile_is_that_of_a_sorted_list(part, weighted):
    random = np.random.default_rng(4)
    for size, grain in [(1, 7), (9, 7), (5000, 3), (5000, 7)]:  # coarse ones have many equals
        cosines = random.uniform(-1.0, 1.0, size).round(grain).astype(np.float32)
        weights = random.integers(0, 4, size) + 0.25 if weighted else None
        expected = np.quantile(cosines, part, method="inverted_cdf", weights=weights)
        assert weighted_quantile(cosines, weights, part) == expected


def test_cosines_just_outside_of_their_range_count():
    ends = np.array([-1.0000001, 1.0000001], dtype=np.float32)
    assert [weighted_quantile(ends, None, part) for part in (0.4, 0.6)] == ends.tolist()


def test_a_label_is_a_function_of_type_and_task():
    part = TaskCosine(SPACE)
    one, two = (part.score([SPACE.split(t)], ["w5"])[0] for t in ("w1 w2 w3", "w9 w1"))
    assert one.values[0] == two.values[1] and one.threshold == two.threshold
    assert not part.scope.contextual


def test_a_task_of_unknown_words_says_so():
    scores = TaskCosine(SPACE).score([SPACE.split("w1")], ["zzz qqq"])[0]
    assert not scores.important.any() and "no known word" in (scores.note or "")


@pytest.mark.parametrize(
    "options",
    [
        {"tau": "high"},
        {"tau": 2},
        {"tau": True},
        {"quantile": 1.0},
        {"quantile": "x"},
        {"weights": "w"},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(PolicyError, match="importance"):
        TaskCosine(SPACE, **options)
