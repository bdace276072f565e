from privstamp.lab.evals.answers import ANSWER, question


def test_questions_about_one_text_share_all_but_the_last_paragraph():
    first, second = (
        question(" A text.\n\nOf two. ", " Who? "),
        question("A text.\n\nOf two.", "When?"),
    )
    assert first.system == second.system == ANSWER
    before, _, asked = first.text.rpartition("\n\n")
    assert second.text.startswith(before + "\n\n") and "Who?" in asked
    assert "A text.\n\nOf two." in before and "Who?" not in before
