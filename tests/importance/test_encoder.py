import numpy as np
import pytest

from privstamp.assets.store import pull
from privstamp.importance.relevance import WINDOW, MiniLM, _windows
from toys import ToySpace


def test_windows_are_whole_sentences_and_hold_every_unit_once():
    lengths = [40, 40, 40, 200, 5, 5]
    sentence = np.repeat(np.arange(6), lengths)
    found = list(_windows(sentence))
    assert found == [(0, 80), (80, 120), (120, 320), (320, 330)]
    assert max(b - a for a, b in found[:2]) <= WINDOW


@pytest.mark.download
def test_a_sentence_meets_what_it_says_best_of_all():
    pull("minilm")
    encoder = MiniLM()
    units = ToySpace().split("A lion sleeps here. The bill was paid on Monday.")
    sentence = np.array([0] * 4 + [1] * 6)
    task, begins = encoder.pieces("The bill was paid on Monday.")
    assert begins.tolist() == sorted(begins.tolist()) and len(begins) == len(task)
    np.testing.assert_allclose(np.linalg.norm(task, axis=1), 1, rtol=1e-5)
    first, second = encoder.meets(task, units, sentence)
    assert second > 0.8 > first


@pytest.mark.download
def test_a_whole_text_has_one_vector_near_those_that_mean_the_same():
    pull("minilm")
    encoder = MiniLM()
    lion, cat, bill, empty = (
        encoder.sentence(text)
        for text in ("A lion sleeps here.", "A big cat is asleep.", "The bill was paid.", "")
    )
    np.testing.assert_allclose([np.linalg.norm(one) for one in (lion, cat, bill, empty)], 1, 1e-5)
    assert lion @ cat > lion @ bill + 0.2
