"""Each check sees what it is there to see, and says nothing where there is nothing."""

import math

import pytest

from lab.audit.stand import TEXTS, quiet, stand
from privstamp.budget import Budget
from privstamp.lab.audit import repeats as repeats_module
from privstamp.lab.audit.cells import cells
from privstamp.lab.audit.claims import claims
from privstamp.lab.audit.labels import attributes, labels
from privstamp.lab.audit.leakage import leakage, misses
from privstamp.lab.audit.recovery import recovery
from privstamp.lab.audit.repeats import averaging, reuse
from privstamp.lab.audit.subject import SampleText, Subject
from privstamp.mechanisms.neighbourhood import Neighbourhood
from privstamp.policy import Policy

FREE = Budget.uniform(math.inf)
TIGHT, LOOSE = Budget.uniform(0.5), Budget.uniform(400.0)


def test_more_epsilon_is_more_keeping_and_recovery(monkeypatch):
    small, large = (cells(stand(monkeypatch, budget=one), quiet) for one in (TIGHT, LOOSE))
    for name in ("keep_mean", "keep_weighted", "keep_max", "recovery_uniform", "recovery_unigram"):
        assert small.figures[name].value < 0.3 < 0.8 < large.figures[name].value
    assert {row["class"] for row in large.rows} == {"a", "b"}
    assert small.rows[0]["support"] > large.rows[0]["support"]
    assert small.rows[0]["entropy_bits"] > large.rows[0]["entropy_bits"]


def test_cells_say_when_no_word_meets_a_mechanism(monkeypatch):
    section = cells(stand(monkeypatch, budget=FREE), quiet)
    assert section.figures["keep_max"].value is None and section.figures["keep_max"].note


def test_averaging_gains_with_fresh_noise_and_nothing_with_a_secret(monkeypatch):
    section = averaging(stand(monkeypatch, budget=Budget.uniform(12.0)), quiet)
    assert section.figures["averaging_gain"].low > 0
    assert section.figures["averaging_gain_with_secret"].value == 0 and section.sound
    shares = [row["recovered"].value for row in section.rows]
    assert shares[0] < shares[-1]


def test_averaging_reads_what_no_majority_shows(monkeypatch):
    """With a plateau a word is never likelier than its neighbours, yet twenty releases tell."""

    def plateau(space, *, metric, decoder):
        return Neighbourhood(space, metric=metric, k=3, plateau=1)

    budget = Budget.uniform(4.0, metric="hops")
    rare = [SampleText(" ".join(f"w{n}" for n in range(300, 340)))]
    section = averaging(stand(monkeypatch, rare, mechanism=plateau, budget=budget), quiet)
    first, *_, last = (row["recovered"].value for row in section.rows)
    assert first < 0.5 < last


def test_averaging_notices_a_secret_that_is_not_heeded(monkeypatch):
    monkeypatch.setattr(repeats_module, "_gain", lambda _: repeats_module.Estimate.exact(0.1))
    assert not averaging(stand(monkeypatch), quiet).sound


def test_leakage_sees_spans_that_survive_and_texts_that_can_be_linked(monkeypatch):
    kept = leakage(stand(monkeypatch, budget=FREE), quiet).figures
    assert kept["sensitive_verbatim"].value == 1.0 and kept["linkable"].value == 1.0
    gone = leakage(stand(monkeypatch, budget=Budget.uniform(0.0)), quiet).figures
    assert gone["sensitive_verbatim"].value == 0.0


def test_leakage_of_digits_and_of_one_text(monkeypatch):
    marked = SampleText("w1 12345 w2", None, None, None)
    figures = leakage(stand(monkeypatch, [marked], kinds={"12345": "ID"}), quiet).figures
    assert figures["sensitive_digits"].value == 0.0
    assert figures["linkable"].value is None


def test_misses_are_counted_and_followed(monkeypatch):
    section = misses(stand(monkeypatch, budget=Budget.of([1, 1, math.inf, math.inf])), quiet)
    assert section.figures["recall"].value == 0.5  # w2 is found, w41 is not
    assert section.figures["missed_and_kept"].value == 0.5
    assert section.rows == [{"kind": "PERSON", "spans": 2, "found": 1}]


def test_a_floor_for_rare_words_saves_those_that_were_missed(monkeypatch):
    subject = stand(monkeypatch, budget=Budget.of([1, 1, math.inf, math.inf]))
    subject.parts.space.prior[41] = 1e-9
    try:
        figures = misses(subject, quiet).figures
    finally:
        subject.parts.space.prior[41] = subject.parts.space.prior[42]
    assert figures["missed_and_rare"].value == 1.0
    assert figures["missed_and_kept_with_floor"].value < figures["missed_and_kept"].value == 0.5


def test_stated_recall_gives_the_residual_risk(monkeypatch):
    subject = stand(monkeypatch, [SampleText("w1 w2 w3")], budget=FREE)
    assert misses(subject, quiet).figures["residual_stated"].value is None
    subject.recall = 0.9
    assert misses(subject, quiet).figures["residual_stated"].value == pytest.approx(0.1)


def test_misses_need_marks(monkeypatch):
    section = misses(stand(monkeypatch, [SampleText("w1 w2")]), quiet)
    assert section.figures["recall"].value is None


def test_labels_tell_more_where_they_depend_on_the_word(monkeypatch):
    figures = labels(stand(monkeypatch), quiet).figures
    assert 0.0 < figures["bits_of_group"].value < figures["bits_of_class"].value
    alone = labels(stand(monkeypatch, [TEXTS[1]], kinds={"w99": "PERSON"}), quiet).figures
    assert alone["bits_of_group"].value == 0.0 and alone["equal_mentions"].value is None


def test_claims_of_a_sound_line_hold(monkeypatch):
    section = claims(stand(monkeypatch), quiet)
    assert section.sound and 0 <= section.figures["empirical_epsilon_over_claim"].value <= 1


CHECKED = [cells, claims, recovery, leakage, misses, averaging, reuse, attributes, labels]


@pytest.mark.parametrize("check", CHECKED)
def test_no_check_repeats_a_word(monkeypatch, check):
    found = check(stand(monkeypatch), quiet)
    for shown in (str(found.as_json()), repr(found)):
        assert "Zworg" not in shown and "w41" not in shown


@pytest.mark.parametrize("check", [recovery, leakage, claims, attributes])
def test_under_one_seed_a_check_finds_the_same(monkeypatch, check):
    first, second = (check(stand(monkeypatch), quiet).as_json() for _ in range(2))
    assert first == second


def test_a_rare_word_that_leaves_as_written_singles_a_text_out():
    """Also where the space knows no words, as under the default."""
    texts = [
        SampleText("The marsupial slept in the kitchen.", None, None, ()),
        SampleText("The cat slept in the kitchen.", None, None, ()),
    ]
    figures = leakage(Subject(Policy(), texts, seed=1), quiet).figures
    assert figures["singled_out"].value == 0.5
