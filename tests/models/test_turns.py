import numpy as np
import pytest

from privstamp.models.replies import draws, has_slots, pick, sections
from privstamp.types import Prompt

FORM = "[privstamp-slot-system](privstamp-slot-user)"
KEY = bytes(32)


def cut(prompt: Prompt, form: str = FORM) -> list[str]:
    """Sections as strings; what the template says in capitals, the first part with a caret."""
    found = sections(
        prompt,
        form,
        marked=lambda part, first: [*(b"^" if first else b""), *part.upper().encode()],
        text=lambda part: list(part.encode()),
    )
    return [bytes(section).decode() for section in found]


def test_a_prompt_stands_in_its_template():
    assert cut(Prompt("ask", "be brief")) == ["^[be brief](ask)"]
    assert cut(Prompt("ask"), "a privstamp-slot-user b") == ["^A ask B"]


def test_the_last_paragraph_of_the_question_begins_a_section():
    assert cut(Prompt("a\n\nb\n\nc", "x\n\ny")) == ["^[x\n\ny](a\n\nb\n\n", "c)"]


def test_slots_in_a_prompt_are_text():
    text = "a privstamp-slot-user b"
    assert cut(Prompt(text, text)) == [f"^[{text}]({text})"]


def test_a_template_that_leaves_a_message_out_is_seen():
    assert has_slots(FORM, ["system", "user"])
    assert not has_slots(FORM, ["user"]) and not has_slots("", ["user"])


def test_draws_are_a_function_of_key_and_place():
    drawn = draws(KEY, 5)
    assert drawn == draws(KEY, 9)[:5] and len(set(drawn)) == 5
    assert all(0 <= one < 1 for one in drawn)
    assert drawn != draws(b"k" * 32, 5)


@pytest.mark.parametrize(("draw", "piece"), [(0.0, 0), (0.19, 0), (0.21, 2), (0.99, 2)])
def test_a_draw_falls_on_a_piece_by_its_share(draw, piece):
    scores = np.log(np.array([0.2, 1e-12, 0.8], dtype=np.float32))
    assert pick(scores, 1.0, draw) == piece
    assert pick(scores, 0.0, draw) == 2
    assert pick(scores, 0.05, draw) == 2 or draw == 0.0
