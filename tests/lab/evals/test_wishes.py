"""Prompts for passages differ and say all that is checked."""

from privstamp.lab.evals.fantasy import KINDS
from privstamp.lab.evals.invention import FORMS, SUBJECTS, again, form, wish


def test_every_number_asks_for_something_else():
    asked = [wish(number) for number in range(1, 200)]
    assert len({prompt.text for prompt in asked}) == len(asked)
    texts = " ".join(prompt.text for prompt in asked[:30])
    assert all(word in texts for word in (*SUBJECTS, *FORMS, *KINDS))
    assert {form(number) for number in range(30)} == set(FORMS)


def test_asking_again_shows_the_reply_and_its_faults():
    text = again(4, " my reply ", ["too long", "no answer"]).text
    assert text.startswith(wish(4).text) and "\nmy reply\n" in text
    assert "- too long\n- no answer\n" in text
