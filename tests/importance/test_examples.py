import numpy as np
import pytest

from privstamp.errors import PolicyError
from privstamp.importance.task_match import WordOdds, read_examples
from toys import ToySpace

SPACE = ToySpace(rows=500, dimensions=4)


def made(count=60):
    """Texts whose label is the side of the first coordinate on which their words lie."""
    sides = [np.flatnonzero(SPACE.unit[:, 0] * sign > 0.5) for sign in (1, -1)]
    random = np.random.default_rng(0)
    rows = [random.choice(sides[n % 2], 8) for n in range(count)]
    return [(" ".join(f"w{row}" for row in some), "ab"[n % 2]) for n, some in enumerate(rows)]


def test_what_is_learned_reaches_words_that_no_example_holds():
    examples = made()
    held = {int(word[1:]) for text, _ in examples for word in text.split()}
    unseen = np.array([row for row in range(500) if row not in held], dtype=np.int32)
    raw = WordOdds(SPACE, examples).raw(unseen)
    assert np.corrcoef(raw, np.abs(SPACE.unit[unseen, 0]))[0, 1] > 0.9


def test_labels_without_a_pattern_teach_little():
    random = np.random.default_rng(1)
    noise = [(text, str(random.integers(2))) for text, _ in made()]
    rows = np.arange(500, dtype=np.int32)
    taught, untaught = WordOdds(SPACE, made()).raw(rows), WordOdds(SPACE, noise).raw(rows)
    assert np.median(untaught) < np.median(taught) / 2


def test_a_words_own_record_wins_over_its_direction():
    examples = [(text + (" w400" if label == "a" else ""), label) for text, label in made(120)]
    with_record, without = WordOdds(SPACE, examples), WordOdds(SPACE, made(120))
    row = np.array([400], dtype=np.int32)
    assert with_record.raw(row)[0] > without.raw(row)[0]


def test_texts_without_known_words_are_refused():
    with pytest.raises(PolicyError, match="no word that the space knows"):
        WordOdds(SPACE, [("zzz", str(n % 2)) for n in range(20)])


def test_blank_lines_are_skipped_and_labels_may_be_numbers(tmp_path):
    path = tmp_path / "examples.jsonl"
    path.write_text(
        '{"text": "w1", "label": 3}\n\n{"text": "w2", "label": "x"}\n', encoding="utf-8"
    )
    rows, digest = read_examples(str(path))
    assert rows == [("w1", "3"), ("w2", "x")] and len(digest) == 64


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "examples.jsonl"
    path.write_bytes(b'\xff\xfe{"text"')
    with pytest.raises(PolicyError, match="UTF-8") as caught:
        read_examples(str(path))
    assert caught.value.__context__ is None
