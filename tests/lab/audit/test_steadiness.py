"""Label loss: what one swapped word does to labels is seen, and told in certificates."""

from dataclasses import replace

import pytest

from lab.audit.stand import quiet
from privstamp.assets import cache as pins
from privstamp.lab.audit import selftest
from privstamp.lab.audit import subject as subject_module
from privstamp.lab.audit.labels import labels, steadiness
from privstamp.lab.audit.subject import SampleText, Subject
from privstamp.pipeline import Privatizer
from privstamp.policy import PRESETS
from privstamp.release.issuer import label_parts
from privstamp.types import Finding

TEXTS = [
    SampleText("the letter about the garden came from our teacher near the river and the water")
]


class Jumpy:
    """Takes the first word for a name, depending on a word at the end."""

    name, fingerprint = "jumpy", "jumpy"

    def __init__(self, part):
        self.scope = part.scope

    def find(self, batch):
        named = [Finding(0, 3, "PERSON", 1.0, "jumpy", "mood")]
        return [named if sum(map(ord, units.text)) % 2 else [] for units in batch]


@pytest.fixture
def stand(monkeypatch):
    def make(**changed):
        policy, parts = selftest.moving()
        made = Privatizer(policy, parts=replace(parts, **changed), seed=1)
        monkeypatch.setattr(subject_module, "Privatizer", lambda *_args, **_more: made)
        return Subject(policy, TEXTS, seed=1)

    return make


def test_labels_that_look_at_one_word_alone_leave_others_as_they_were(stand):
    figures, rows = steadiness(stand(), quiet)
    assert figures["labels_moved_others"].value == 0.0
    assert figures["labels_moved_own"].value > 0.2  # every other word of the toy is important
    own = {(row["swap"], row["part"]): row["own moved"].value for row in rows}
    assert own["near word", "importance"] > 0.2 and own["near word", "sensitivity"] < 0.1


def test_a_word_that_changes_the_labels_of_others_is_seen(stand):
    jumpy = Jumpy(stand().parts.sensitivity)
    section = labels(stand(sensitivity=jumpy), quiet)
    assert 0.3 < section.figures["labels_moved_others"].value < 0.7
    others = {row["part"]: row["others moved"].value for row in section.rows}
    assert others["sensitivity"] > 0.3 and others["importance"] == 0.0
    assert "garden" not in str(section.as_json())


def test_certificates_carry_the_figure_of_their_parts(stand):
    result = stand().privatizer.privatize("the letter")
    assert result.certificate.label_loss is None  # toy parts were never measured
    known = [row["of"] for row in pins.label_loss()]
    for name in ("selective", "readable", "fluent", "stamp"):
        assert label_parts(PRESETS[name]) in known, "run `make labels`, commit label_loss.json"
    assert all(0 <= row["others"] <= 1 and row["swaps"] >= 200 for row in pins.label_loss())
