from privstamp.lab.evals.conditions import filled, joined, masked, pieces
from privstamp.lab.evals.contracts import Span


def spans(*ranges):
    return [Span(start, end, "PERSON") for start, end in ranges]


def test_masks_stand_for_spans():
    assert masked("Anna met Bo.", spans((9, 11), (0, 4))) == "[MASK] met [MASK]."


def test_overlapping_spans_are_one_and_neighbours_are_two():
    assert joined(spans((0, 4), (2, 6), (6, 8), (9, 9))) == [(0, 6), (6, 8)]


def test_spans_beyond_the_text_belong_to_its_task():
    assert pieces("Anna", spans((0, 4), (5, 9))) == (["", ""], ["Anna"])


def test_what_was_taken_out_can_be_put_back():
    text = "Anna met Bo."
    assert filled(*pieces(text, spans((0, 4), (9, 11)))) == text
