import pytest

from privstamp.sensitivity.tagger import kind_of, labels_of


@pytest.mark.parametrize(
    ("label", "kind"),
    [("O", None), ("B-PER", "PERSON"), ("I-LOC", "LOCATION"), ("ORG", "ORGANIZATION"),
     ("B-private email", "PRIVATE_EMAIL"), ("E-GPE", "LOCATION"), ("S-DATE", "DATE_TIME")],
)  # fmt: skip
def test_labels_are_kinds(label, kind):
    assert kind_of(label) == kind


def test_labels_are_in_the_order_of_their_numbers():
    assert labels_of({"id2label": {"10": "C", "2": "B", "0": "A"}}) == ["A", "B", "C"]
    assert labels_of({}) == []
