"""Merging keeps every character, once, under the kind that a fixed order prefers."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.sensitivity.spans import merge
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
