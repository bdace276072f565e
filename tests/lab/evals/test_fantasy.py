"""The shipped passages keep their promises, and each check is seen to catch what it is for."""

import json
import re
import runpy
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from privstamp.errors import InputError
from privstamp.lab.evals import fantasy
from privstamp.lab.evals.contracts import Span
from privstamp.lab.evals.fantasy import FIGURES, NAMES, Mention, Passage, PassageQuestion

SHARED = 5  # words in a row that no two passages may have in common; templates share more
COUNT = re.compile(
    r"(?<!\w)(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million|dozen"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)(?!\w)",
    re.IGNORECASE,
)
PASSAGES = fantasy.load()
QUESTIONS = [(passage, question) for passage in PASSAGES for question in passage.questions]


def words(text):
    return re.findall(r"\w+", text.lower())


def sequences(text, length):
    all_words = words(text)
    return {tuple(all_words[i : i + length]) for i in range(len(all_words) - length + 1)}


def shared(texts, length):
    """Word sequences that occur in more than one of the texts."""
    counts = Counter(sequence for text in texts for sequence in sequences(text, length))
    return {sequence for sequence, count in counts.items() if count > 1}


@pytest.fixture
def small():
    """A passage without a fault, short enough to break in one place at a time."""
    filler = " ".join(["reeds"] * 112)
    return Passage(
        id="t1",
        title="Reeds",
        form="note",
        text=f"Ada Quorl cut 40 reeds at Moss End, and Quorl sang. {filler}",
        questions=(
            PassageQuestion("Who cut?", ("Ada Quorl", "Quorl")),
            PassageQuestion("How many?", ("40",)),
            PassageQuestion("Where?", ("Moss End",)),
            PassageQuestion("What was cut?", ("reeds",)),
            PassageQuestion("What did she do then?", ("sang",)),
        ),
        sensitive=(
            Mention("Quorl", "PERSON"),
            Mention("Ada Quorl", "PERSON"),
            Mention("Moss End", "LOCATION"),
            Mention("40", "NUMBER"),
        ),
    )


def with_question(passage, question, *answers):
    return replace(passage, questions=(*passage.questions[:4], PassageQuestion(question, answers)))


def test_there_are_enough_passages_and_nothing_is_wrong_with_them():
    assert len(PASSAGES) >= 100
    assert fantasy.check_all(PASSAGES) == []


def test_they_are_read_once():
    assert fantasy.load() is PASSAGES


@pytest.mark.parametrize("passage", PASSAGES, ids=lambda passage: passage.id)
def test_a_passage_is_complete(passage):
    assert 120 <= len(passage.text.split()) <= 180
    assert len(passage.questions) == 5
    for question in passage.questions:
        assert question.question.endswith("?") and question.answers
        for answer in question.answers:
            assert 1 <= len(answer.split()) <= 5 and answer in passage.text
            start, end = fantasy.find(passage.text, answer)[0]
            assert passage.text[start:end] == answer


@pytest.mark.parametrize("passage", PASSAGES, ids=lambda passage: passage.id)
def test_spans_are_the_mentions_and_do_not_overlap(passage):
    listed = {(mention.text, mention.kind) for mention in passage.sensitive}
    found = {(passage.text[span.start : span.end], span.kind) for span in passage.spans}
    assert found == listed
    assert all(left.end <= right.start for left, right in pairwise(passage.spans))


@pytest.mark.parametrize("passage", PASSAGES, ids=lambda passage: passage.id)
def test_a_name_is_sensitive_wherever_a_part_of_it_stands(passage):
    marked = {i for span in passage.spans for i in range(span.start, span.end)}
    people = [mention.text for mention in passage.sensitive if mention.kind == "PERSON"]
    for part in {part for name in people for part in re.findall(r"[A-Z][\w'-]{3,}", name)}:
        assert all(start in marked for start, _ in fantasy.find(passage.text, part))


@pytest.mark.parametrize("passage", PASSAGES, ids=lambda passage: passage.id)
def test_numbers_in_words_are_sensitive_too(passage):
    marked = {i for span in passage.spans for i in range(span.start, span.end)}
    assert all(match.start() in marked for match in COUNT.finditer(passage.text))


def test_every_kind_occurs_often_and_answers_are_of_both_sorts():
    kinds = Counter(span.kind for passage in PASSAGES for span in passage.spans)
    assert set(kinds) == fantasy.KINDS and min(kinds.values()) >= 100
    touched = [fantasy.answer_kinds(passage, question) for passage, question in QUESTIONS]
    assert sum(bool(kinds & NAMES) for kinds in touched) >= 200
    assert sum(bool(kinds & FIGURES) for kinds in touched) >= 150


def test_no_two_passages_share_a_sentence_or_a_run_of_words():
    assert shared([passage.text for passage in PASSAGES], SHARED) == set()
    sentences = Counter(
        sentence
        for passage in PASSAGES
        for sentence in {tuple(words(part)) for part in re.split(r"[.?!:;]", passage.text)}
        if len(sentence) > 2
    )
    assert max(sentences.values()) == 1


def test_passages_open_differently_and_take_many_forms():
    assert len({tuple(words(passage.text)[:3]) for passage in PASSAGES}) == len(PASSAGES)
    assert len({passage.form for passage in PASSAGES}) >= 80
    assert len({passage.title for passage in PASSAGES}) == len(PASSAGES)


def test_names_are_not_reused_between_passages():
    names = Counter(m.text for passage in PASSAGES for m in passage.sensitive if m.kind in NAMES)
    assert {name for name, count in names.items() if count > 1} == set()


def test_a_template_would_be_noticed():
    made = [f"On a cold day in the town of {town} a bridge fell." for town in ("Ool", "Paa")]
    assert ("on", "a", "cold", "day", "in") in shared(made, SHARED)


def test_e_mail_addresses_lead_nowhere():
    found = [a for p in PASSAGES for a in re.findall(r"[\w.]+@([\w.-]+\w)", p.text)]
    assert found and set(found) == {"example.com"}


def test_the_page_states_the_counts_that_the_program_prints(capsys):
    root = Path(__file__).parents[3]
    runpy.run_path(str(root / "benchmarks" / "fantasy.py"), run_name="__main__")
    page = (root / "docs" / "lab" / "fantasy.md").read_text("utf-8").splitlines()
    printed = [line for line in capsys.readouterr().out.splitlines() if line]
    assert len(printed) == 13
    assert [line for line in printed if line not in page and f"- {line}" not in page] == []


def test_the_small_passage_has_no_fault(small):
    assert fantasy.check(small) == []


def test_a_longer_mention_hides_a_shorter_one_inside_it(small):
    people = [span for span in small.spans if span.kind == "PERSON"]
    assert [small.text[span.start : span.end] for span in people] == ["Ada Quorl", "Quorl"]
    assert fantasy.mark("Did Quorl sing?", small.sensitive) == (Span(4, 9, "PERSON"),)


def test_words_and_numbers_are_found_whole_only():
    text = "At 40 she had 1,240 or 40.5 of 40,000; Rowan's row, a rowan."
    assert fantasy.find(text, "40") == [(3, 5)]
    assert [text[a:b] for a, b in fantasy.find(text, "row")] == ["row"]
    assert fantasy.find(text, "Rowan") and fantasy.find(text, "") == []


FAULTS = {
    "answer missing": (
        lambda p: with_question(p, "What else?", "gold"),
        "question 5: an answer does not occur in the passage",
    ),
    "answer inside a word": (
        lambda p: with_question(p, "What else?", "reed"),
        "question 5: an answer does not occur in the passage",
    ),
    "no answer": (lambda p: with_question(p, "What else?"), "question 5: has no answer"),
    "long answer": (
        lambda p: with_question(p, "What else?", "reeds reeds reeds reeds reeds reeds"),
        "question 5: an answer has no word or more than 5",
    ),
    "answer given away": (
        lambda p: with_question(p, "Who Sang?", "sang"),
        "question 5: an answer is given away by the question",
    ),
    "too few questions": (
        lambda p: replace(p, questions=p.questions[:4]),
        "4 questions; 5 are asked for",
    ),
    "question twice": (
        lambda p: with_question(p, "Who cut?", "sang"),
        "a question is asked twice",
    ),
    "too short": (
        lambda p: replace(p, text=p.text[:-30]),
        "passage has 118 words; 120 to 180 are asked for",
    ),
    "too long": (
        lambda p: replace(p, text=p.text + " reeds" * 60),
        "passage has 183 words; 120 to 180 are asked for",
    ),
    "span not found": (
        lambda p: replace(p, sensitive=(*p.sensitive, Mention("Moss Edge", "LOCATION"))),
        "sensitive 5: never stands by itself in the passage",
    ),
    "span only inside another": (
        lambda p: replace(p, sensitive=(*p.sensitive, Mention("Moss", "LOCATION"))),
        "sensitive 5: never stands by itself in the passage",
    ),
    "unknown kind": (
        lambda p: replace(p, sensitive=(*p.sensitive, Mention("sang", "SPECIES"))),
        "sensitive 5: unknown kind. Known: DATE_TIME, ID, LOCATION, NUMBER, ORGANIZATION, PERSON",
    ),
    "span twice": (
        lambda p: replace(p, sensitive=(*p.sensitive, p.sensitive[0])),
        "a sensitive text is listed twice",
    ),
    "unlisted figure": (
        lambda p: replace(p, text=p.text + " 77"),
        "a figure in digits, in passage or question, is not listed as sensitive",
    ),
    "unlisted figure in a question": (
        lambda p: with_question(p, "What did she do in 1900?", "sang"),
        "a figure in digits, in passage or question, is not listed as sensitive",
    ),
    "no title": (lambda p: replace(p, title=""), "id, title or form is empty"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_named(small, fault):
    break_it, message = FAULTS[fault]
    assert fantasy.check(break_it(small)) == [message]


def test_answers_without_names_or_without_figures_are_named(small):
    plain = tuple(q for q in small.questions if q.answers in {("reeds",), ("sang",)})
    wrong = fantasy.check(replace(small, questions=plain))
    assert "no answer is one of LOCATION, ORGANIZATION, PERSON" in wrong
    assert "no answer is one of DATE_TIME, ID, NUMBER" in wrong


def test_an_id_used_twice_is_named(small):
    assert fantasy.check_all([small, small]) == ["t1: id is used 2 times"]
    assert fantasy.check_all([small, replace(small, id="t2")]) == []


def test_a_fault_never_quotes_the_passage(small):
    broken = with_question(replace(small, text=small.text[:60] + " 77"), "Who Sang?", "zebra")
    assert not any("Quorl" in fault or "zebra" in fault for fault in fantasy.check(broken))


@pytest.mark.parametrize("line", ["{", "[]", '"x"', "{}", '{"id": "a", "questions": 3}'])
def test_a_line_that_is_no_passage_is_refused_by_number(line):
    with pytest.raises(InputError, match="line 2 is not a passage") as caught:
        fantasy.parse(["", line])
    assert caught.value.__context__ is None


def test_lines_are_read_back(small):
    row = {
        "id": small.id,
        "title": small.title,
        "form": small.form,
        "passage": small.text,
        "questions": [{"question": q.question, "answers": q.answers} for q in small.questions],
        "sensitive": [{"text": m.text, "kind": m.kind} for m in small.sensitive],
    }
    assert fantasy.parse([json.dumps(row)]) == (small,)
