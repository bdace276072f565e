import json

import numpy as np
import pytest

from privstamp.errors import PolicyError, UnknownName
from privstamp.importance.shares import RunningWords
from privstamp.importance.task_match import NO_CONTENT, TaskMatch
from privstamp.testing import check_importance
from toys import ToySpace

SPACE = ToySpace(rows=500)


def scores(part, text, task="w200 w300"):
    return part.score([SPACE.split(text)], [task])[0]


def test_conforms():
    check_importance(TaskMatch(SPACE), SPACE, ["w1 w2 zzz", "", "w300 5"])


def test_the_best_match_counts_not_the_mean():
    part, row = TaskMatch(SPACE), 250
    similar = SPACE.unit[row] @ SPACE.unit.T
    near, far = 50 + int(np.argsort(-similar[50:])[1]), 50 + int(np.argmin(similar[50:]))
    alone = scores(part, f"w{near}", f"w{row}").values[0]
    with_far = scores(part, f"w{near}", f"w{row} w{far}").values[0]
    assert alone > 0.9 and with_far > 0.9


def test_a_label_depends_on_type_and_task_alone():
    part = TaskMatch(SPACE)
    one, two = scores(part, "w41 w90 w7 w41"), scores(part, "w3 w90 " + "w12 " * 50 + "w41")
    assert one.values[0] == one.values[3] == two.values[-1] and one.values[1] == two.values[1]
    assert one.threshold == two.threshold == 0.7
    assert not part.scope.contextual


def test_tau_is_a_share_of_public_running_words():
    part = TaskMatch(SPACE)
    words = RunningWords(SPACE)
    text = " ".join(f"w{row}" for row in range(500))
    important = scores(part, text).important
    assert abs(float(SPACE.prior[important].sum()) - 0.3) < 0.05
    assert len(words.rows) > 100


def test_the_same_stem_matches_in_full_known_or_not():
    found = scores(TaskMatch(SPACE), "zebras w5 qqq", "Which zebra?").values
    assert found[0] == 1 and np.isnan(found[2])


def test_small_words_are_never_important():
    assert scores(TaskMatch(SPACE), "w0 w1 w2", "w0 w1 w200").values.tolist() == [0, 0, 0]


def test_a_task_of_small_words_says_so():
    found = scores(TaskMatch(SPACE), "w300", "w0 w1")
    assert not found.important.any() and found.note == NO_CONTENT


def test_labels_fix_the_task():
    part = TaskMatch(SPACE, labels=["w200", "w300"])
    fixed, free = scores(part, "w5 w90 w300", None), scores(TaskMatch(SPACE), "w5 w90 w300")
    assert fixed.values.tolist() == free.values.tolist() and fixed.note is None
    assert part.fingerprint != TaskMatch(SPACE).fingerprint


def write(path, rows):
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return str(path)


def test_examples_teach_which_words_tell_labels_apart(tmp_path):
    rows = [{"text": f"w{100 + n} w40 w{9 if n % 2 else 60}", "label": n % 2} for n in range(40)]
    file = write(tmp_path / "examples.jsonl", rows)
    part = TaskMatch(SPACE, examples=file)
    telling, other, common = scores(part, "w9 w60 w40", None).values[:3]
    assert min(telling, other) > 0.9 and common < telling
    assert part.scope.contextual and "private" in part.scope.reason
    public = TaskMatch(SPACE, examples=file, examples_public=True)
    assert not public.scope.contextual


@pytest.mark.parametrize("content", ['{"text": "w1"}', "[1]", "no json", '{"text": 3, "label": 1}'])
def test_a_line_that_is_no_example_is_named_by_number_only(tmp_path, content):
    path = tmp_path / "examples.jsonl"
    path.write_text('{"text": "w1 w2", "label": "a"}\n' + content, encoding="utf-8")
    with pytest.raises(PolicyError, match="line 2") as caught:
        TaskMatch(SPACE, examples=str(path))
    assert "w2" not in str(caught.value) and caught.value.__context__ is None


def test_too_few_examples_are_refused(tmp_path):
    few = write(tmp_path / "few.jsonl", [{"text": "w1", "label": "a"}] * 9)
    same = write(tmp_path / "same.jsonl", [{"text": "w1", "label": "a"}] * 40)
    for file in (few, same, str(tmp_path / "none.jsonl")):
        with pytest.raises(PolicyError, match="examples"):
            TaskMatch(SPACE, examples=file)


@pytest.mark.parametrize(
    "options",
    [
        {"tau": 1},
        {"language": "xx"},
        {"labels": "sports"},
        {"labels": ["zzz", "w0"][1:]},
        {"labels": ["w9"], "preset": "sentiment"},
        {"examples_public": "yes"},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(PolicyError, match="importance"):
        TaskMatch(SPACE, **options)


def test_an_unknown_preset_lists_the_known_ones():
    with pytest.raises(UnknownName, match="sentiment"):
        TaskMatch(SPACE, preset="sentimental")
