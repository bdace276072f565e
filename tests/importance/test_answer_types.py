import pytest

from privstamp.importance.task_match import NUMBER_WORDS, wanted


@pytest.mark.parametrize(
    ("task", "kind"),
    [
        ("When was the note written?", "time"),
        ("In what year did she move?", "time"),
        ("How many tablets a day?", "amount"),
        ("Who examined the patient?", "person"),
        ("To which city did he go?", "place"),
        ("What was prescribed?", "other"),
        ("Summarise the whole story", "other"),  # not "who"
        ("", "other"),
    ],
)
def test_what_a_question_asks_for(task, kind):
    assert wanted(task) == kind


def test_number_words_are_lower_case_words():
    assert all(word.isalpha() and word.islower() for word in NUMBER_WORDS)
