"""A word that mixes scripts is sensitive as a whole."""

import pytest

from privstamp.policy import PRESETS
from privstamp.registry import SENSITIVITY, SPACES
from privstamp.sensitivity.capitals import mixed


@pytest.mark.parametrize(
    "word", ["Pri\u0443a", "m\u0435tformin", "\u0410nna", "Ann\u0430", "Ra\u03bful"]
)
def test_letters_of_two_scripts(word):
    text = f"ask {word} now"
    assert [text[one.start : one.end] for one in mixed(text)] == [word]


@pytest.mark.parametrize(
    "word",
    [
        "Priya",
        "na\u00efve",
        "M\u00fcller",
        "\u043c\u0438\u0440",
        "TNF\u03b1",
        "\u03b2blocker",
        "\u00b5g",
    ],
)
def test_one_script_signs_and_accents(word):
    assert list(mixed(f"ask {word} now")) == []


def test_the_default_marks_the_whole_word():
    part = SENSITIVITY.build("union", PRESETS["selective"].sensitivity.options)
    text = "Please ask Pri\u0443a about it."
    (findings,) = part.find([SPACES.build("plain", {}).split(text)])
    marked = {place for one in findings for place in range(one.start, one.end)}
    assert set(range(11, 16)) <= marked
