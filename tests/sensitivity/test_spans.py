"""Merging keeps every character, once, under the kind that a fixed order prefers."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.sensitivity.spans import REASONS, agreed, merge, outer, with_reasons
from privstamp.types import Finding

KINDS = ["EMAIL_ADDRESS", "NUMERIC_ID", "US_SSN", "PERSON", "LOCATION", "ORGANIZATION", "DENIED"]


def finding(start: int, end: int, kind: str, score: float = 0.5) -> Finding:
    return Finding(start, end, kind, score, "test", "rule")


def spans(findings: list[Finding]) -> list[tuple[int, int, str]]:
    return [(f.start, f.end, f.kind) for f in findings]


FINDINGS = st.lists(
    st.builds(
        lambda start, length, kind, score: finding(start, start + length, kind, score),
        st.integers(0, 40), st.integers(0, 12), st.sampled_from(KINDS), st.sampled_from([0.4, 0.9]),
    )
)  # fmt: skip


@given(FINDINGS)
def test_every_character_once_and_none_lost(findings):
    merged = merge(findings)
    covered = [place for f in merged for place in range(f.start, f.end)]
    assert covered == sorted({place for f in findings for place in range(f.start, f.end)})


@given(FINDINGS)
def test_merging_twice_changes_nothing(findings):
    merged = merge(findings)
    assert merge(merged) == merged


@given(FINDINGS, st.randoms(use_true_random=False))
def test_order_of_findings_does_not_matter(findings, random):
    shuffled = list(findings)
    random.shuffle(shuffled)
    assert merge(shuffled) == merge(findings)


@pytest.mark.parametrize(
    ("given_", "merged"),
    [
        ([(0, 11, "ORGANIZATION"), (0, 11, "US_SSN")], [(0, 11, "US_SSN")]),
        ([(0, 5, "NUMERIC_ID"), (0, 11, "US_SSN")], [(0, 11, "US_SSN")]),
        ([(0, 9, "NUMERIC_ID"), (0, 9, "UK_NHS")], [(0, 9, "UK_NHS")]),
        ([(0, 4, "PERSON"), (3, 9, "PERSON")], [(0, 9, "PERSON")]),
        ([(0, 6, "PERSON"), (4, 9, "LOCATION")], [(0, 6, "PERSON"), (6, 9, "LOCATION")]),
        ([(2, 4, "PERSON"), (0, 6, "LOCATION")],
         [(0, 2, "LOCATION"), (2, 4, "PERSON"), (4, 6, "LOCATION")]),
        ([(0, 4, "DENIED"), (0, 9, "PERSON")], [(0, 9, "PERSON")]),
        ([(0, 4, "PERSON"), (4, 9, "PERSON")], [(0, 4, "PERSON"), (4, 9, "PERSON")]),
        ([(3, 3, "PERSON")], []),
    ],
)  # fmt: skip
def test_the_order_of_kinds(given_, merged):
    assert spans(merge(finding(*one) for one in given_)) == merged


def test_a_joined_span_keeps_the_reason_of_the_longest():
    short, long = finding(0, 3, "PERSON", 0.9), finding(2, 9, "PERSON", 0.4)
    (joined,) = merge([short, long])
    assert (joined.start, joined.end, joined.score) == (0, 9, 0.4)


def test_many_findings_take_little_time():
    many = [finding(i, i + 7, KINDS[i % len(KINDS)]) for i in range(0, 400_000, 2)]
    began = time.process_time()
    assert merge(many)
    assert time.process_time() - began < 5


def test_agreed_counts_detectors_not_findings():
    one = [finding(0, 5, "PERSON"), finding(3, 9, "PERSON"), finding(20, 25, "PERSON")]
    two = [finding(8, 12, "LOCATION"), finding(25, 30, "LOCATION")]
    assert agreed([one, two], 1) == one + two
    assert agreed([one, two], 2) == [one[1], two[0]]
    assert agreed([one, one], 2) == one + one
    assert agreed([[], two], 2) == []


@given(st.lists(FINDINGS, min_size=1, max_size=4), st.integers(1, 4))
def test_agreed_keeps_what_enough_detectors_touch(found, votes):
    found = [[f for f in some if f.start < f.end] for some in found]
    kept = agreed(found, votes)
    for one in (f for some in found for f in some):
        touching = sum(any(f.start < one.end and one.start < f.end for f in s) for s in found)
        assert (one in kept) == (touching >= votes)


def test_reasons_name_all_who_found_a_part():
    person = Finding(0, 10, "PERSON", 0.9, "ner", "model")
    half = Finding(5, 10, "PERSON", 0.6, "lexicon", "listed")
    apart = Finding(12, 15, "URL", 0.6, "rules", "shape")
    merged = merge([person, half, apart])
    one, two = with_reasons(merged, [person, half, apart])
    assert (one.source, one.rule, one.score) == ("ner + lexicon", "model; listed", 0.9)
    assert two is merged[1]


def test_reasons_stay_few():
    many = [Finding(0, 9, "PERSON", 0.9, "ner", f"rule {n}") for n in range(20)]
    (one,) = with_reasons(merge(many), many)
    assert one.rule.count(";") == REASONS - 1


def test_a_name_inside_a_longer_one_does_not_cut_it():
    street, name = finding(0, 12, "LOCATION"), finding(7, 12, "PERSON")
    assert spans(merge(outer([name, street]))) == [(0, 12, "LOCATION")]
    same = finding(0, 12, "PERSON")
    assert spans(merge(outer([same, street]))) == [(0, 12, "PERSON")]
    identifier = finding(3, 6, "US_SSN")
    assert identifier in outer([street, identifier])


@given(FINDINGS)
def test_outer_loses_no_character(findings):
    def covered(some):
        return {place for one in some for place in range(one.start, one.end)}

    assert covered(outer(findings)) == covered(findings)
