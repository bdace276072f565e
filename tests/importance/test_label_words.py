import pytest

from privstamp.importance.task_match import PRESETS
from privstamp.spaces.wordlists import FUNCTION_WORDS


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_lower_case_words_without_repeats(name):
    words = PRESETS[name].split()
    assert len(words) == len(set(words)) >= 30
    assert all(word.isalpha() and word.islower() for word in words)


def test_small_words_in_presets_are_meant():
    small = {word for text in PRESETS.values() for word in text.split() if word in FUNCTION_WORDS}
    assert small == {"not", "never"}
