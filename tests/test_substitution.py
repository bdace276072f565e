from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.restore.substitution import Substitution, in_case_of, plain, telling, words_beside

NAMES = Substitution(
    [
        ("Okafor", "Raghunathan"),
        ("Ann", "Priya"),
        ("Okafor Group", "St. Mary's Hospital"),
        ("Okafor-Reyes", "Smith"),
        ("[PERSON_1]", "Zoë"),
        ("[PERSON_10]", "Bob"),
        ("12", "5"),
        ("12.5", "7.25"),
        ("Q7", "B3"),
        ("basket", "zorbax"),
        ("mary.lee@example.com", "Priya.R@clinic.org"),
        ("https://example.com/kettle", "http://clinic.org/a?b"),
        ("K", "J"),
        ("🎈", "🏥"),
        ("€", "$"),
    ]
)


@pytest.mark.parametrize(
    ("reply", "restored"),
    [
        ("Okafor, Ann.", "Raghunathan, Priya."),
        ("Annual Ann annex", "Annual Priya annex"),  # whole words
        ("Okaforian xOkafor Okafor2 okafor_id", "Okaforian xOkafor Okafor2 okafor_id"),
        ("_Okafor_ **Ann** `Ann`", "_Raghunathan_ **Priya** `Priya`"),
        ("Okafor's and Okafor’s", "Raghunathan's and Raghunathan’s"),
        ("OKAFOR okafor oKaFor", "RAGHUNATHAN okafor Raghunathan"),
        ("Basket BASKET basket", "Zorbax ZORBAX zorbax"),
        ("Okafor Group is Okafor", "St. Mary's Hospital is Raghunathan"),  # longest first
        ("Okafor-Reyes Okafor-led", "Smith Raghunathan-led"),
        ("Okafor\u2011Reyes", "Smith"),
        ("Okafor\n  Group, Okafor\u00a0Group", "St. Mary's Hospital, St. Mary's Hospital"),
        ("Okafor. Group", "Raghunathan. Group"),
        ("[PERSON_1][PERSON_10] [PERSON_100]", "ZoëBob [PERSON_100]"),
        ("[person_1] [Person_1]'s", "Zoë Zoë's"),
        ("[PERSON_2] [PERSON_1-2] PERSON_1", "[PERSON_2] [PERSON_1-2] PERSON_1"),  # never issued
        ("12 312 120 B12 12,000 3.12", "5 312 120 B12 12,000 3.12"),
        ("12mg 12-day (12) 12. 12, 12/12", "5mg 5-day (5) 5. 5, 5/5"),
        ("12ab34 12_3 12.5 12.5.", "12ab34 12_3 7.25 7.25."),
        ("Q7 q7 Q7x", "B3 q7 Q7x"),
        ("K. Smith, k and OK", "J. Smith, k and OK"),  # a letter only in its own case
        ("mary.lee@example.com.", "Priya.R@clinic.org."),
        ("<Mary.Lee@example.com>", "<Priya.R@clinic.org>"),
        ("(https://example.com/kettle)", "(http://clinic.org/a?b)"),
        ("患者Okafor说了,Okafor씨", "患者Raghunathan说了,Raghunathan씨"),  # no blanks there
        ("🎈🎈 €12", "🏥🏥 $5"),
        ("", ""),
        (" \n\t\x00", " \n\t\x00"),
    ],
)
def test_restoring(reply, restored):
    assert NAMES(reply) == restored


DOUBTFUL = Substitution(
    [("Okafor", "Raghunathan"), ("Reyes", "Smith")],
    [
        ("8", "3", [("of the", "goal in"), ("", "")]),
        ("40", "60", [("between 20", "and")]),
        ("at", "of", [("the okafor", "reye said")]),
    ],
)


@pytest.mark.parametrize(
    ("reply", "restored"),
    [
        ("8 goals, 8 Goal", "3 goals, 3 Goal"),  # one or many
        ("8 pages", "8 pages"),
        ("8 teams\ngoals", "8 teams\ngoals"),  # another line
        ("the 8", "the 3"),  # nothing else is said
        ("the 8 in 9", "the 8 in 9"),
        ("a 8 and 18 goals", "a 8 and 18 goals"),
        ("between 20 and 40", "between 20 and 60"),
        ("Okafor at Reyes", "Raghunathan of Smith"),
        ("at Reyes, Okafor at home", "at Smith, Raghunathan at home"),  # small: both sides
        ("at", "at"),
    ],
)
def test_what_could_be_anything_needs_its_neighbours(reply, restored):
    assert DOUBTFUL(reply) == restored


def test_words_beside():
    text = "one\nOf two Cats, 5 (Dogs) and more"
    at = text.index("5")
    assert words_beside(text, at, at + 1) == ("two cat", "dog and")
    assert words_beside("5", 0, 1) == ("", "")


def test_what_was_put_in_is_not_read_again():
    swap = Substitution([("Ann", "Bob"), ("Bob", "Ann"), ("a b", "b"), ("b", "a b")])
    assert swap("Ann Bob a b b") == "Bob Ann b a b"


def test_a_string_with_two_values_has_none():
    twice = Substitution([("Ann", "Priya"), ("Ann", "Zoë"), ("Bob", "Max"), ("Bob", "Max")])
    assert twice("Ann ANN Bob") == "Ann ANN Max"
    assert twice.left_out == 1


def test_a_name_is_not_found_in_a_lower_case_word():
    names = Substitution([("Will", "Priya"), ("US", "UN"), ("kiosk", "zorbax")])
    assert names("Will will WILL") == "Priya will PRIYA"
    assert names("US tell us Us") == "UN tell us Us"
    assert names("kiosk Kiosk KIOSK") == "zorbax Zorbax ZORBAX"


def test_writings_that_differ_in_case_alone_are_one_string():
    both = Substitution([("Okafor", "McKay"), ("OKAFOR", "MCKAY"), ("Okafor", "Mckay")])
    assert both("Okafor OKAFOR okafor") == "McKay MCKAY okafor"
    assert both.left_out == 0


def test_case_is_not_carried_between_two_meanings():
    two = Substitution([("Page", "Priya"), ("page", "leaf")])
    assert two("Page page PAGE") == "Priya leaf PAGE"


@pytest.mark.parametrize(
    ("matched", "source", "target", "wanted"),
    [
        ("OKAFOR", "Okafor", "McKay", "MCKAY"),
        ("Okafor", "okafor", "mckay", "Mckay"),
        ("Okafor Group", "OKAFOR GROUP", "SAINT MARY", "Saint Mary"),
        ("Okafor", "OKAFOR", "Mary", "Mary"),
        ("Okafor", "OKAFOR", "BBC", "BBC"),
        ("12", "12", "five", "five"),
    ],
)
def test_case(matched, source, target, wanted):
    assert in_case_of(matched, source, target) == wanted


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann", True),
        ("7", True),
        ("🎈", True),
        ("€", True),
        ("*", False),
        (" ", False),
        ("", False),
    ],
)
def test_telling(text, told):
    assert telling(text) is told


LETTERS = st.text("abcdeXYZéß", min_size=2, max_size=6)
WORDS = st.lists(LETTERS, min_size=1, max_size=12, unique_by=str.casefold)
GLUE = st.sampled_from([" ", ", ", ". ", "\n", "-", "'s ", " (", ") ", "… ", "! "])


@given(WORDS, st.data())
def test_round_trip(originals, data):
    """Whatever the words: replaced forth, then back, the text is as it was."""
    surrogates = [f"Q{chr(ord('a') + number)}w" for number in range(len(originals))]
    order = data.draw(st.lists(st.sampled_from(originals), max_size=20))
    text = "".join(word + data.draw(GLUE) for word in order)
    forth = Substitution(zip(originals, surrogates, strict=True))
    back = Substitution(zip(surrogates, originals, strict=True))
    sent = forth(text)
    assert back.left_out == 0
    assert not any(word in sent for word in order)
    assert back(sent) == text


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), max_size=8), st.text())
def test_any_pairs_and_any_text(pairs, text):
    """Nothing breaks, and a text without any of the strings comes back as it was."""
    substitution = Substitution(pairs)
    out = substitution(text)
    if not any(plain(source).casefold() in plain(text).casefold() for source, _ in pairs):
        assert out == text


@given(st.sets(st.text("ab", min_size=2, max_size=3)), st.text("ab1 ._\n-", max_size=30))
def test_only_whole_words(sources, text):
    """Against a slow second opinion: runs of letters, digits and inner underscores are words."""

    def whole(run):
        core = run[0].strip("_")
        return run[0].replace(core, "*") if core in sources else run[0]

    assert Substitution((source, "*") for source in sources)(text) == re.sub(r"\w+", whole, text)


@pytest.mark.parametrize(
    "reply",
    [
        "1," * 200_000 + "a1",
        "_" * 400_000 + "a",
        "a_" * 200_000,
        " " * 400_000,
        "Okafor Okafor " * 30_000,
        "[PERSON_" * 50_000,
        "a" * 400_000,
        "''''" * 100_000,
    ],
    ids=lambda reply: reply[:8],
)
def test_no_reply_takes_long(reply):
    hard = Substitution([("Okafor Okafor Reyes", "x"), ("[PERSON_1]", "y"), ("1", "2"), ("a", "b")])
    start = time.process_time()
    hard(reply)
    assert time.process_time() - start < 10.0


def test_a_large_map_and_a_large_reply():
    """Ten thousand strings, a megabyte: about a second, however many strings there are."""
    names = ["".join(chr(97 + number // 26**k % 26) for k in range(4)) for number in range(10_000)]
    large = Substitution((f"x{name}", f"y{name}") for name in names)
    reply = " ".join(f"x{name} ordinary words" for name in names * 5)
    start = time.process_time()
    out = large(reply)
    assert time.process_time() - start < 10.0
    assert len(reply) > 1_000_000
    assert out == " ".join(f"y{name} ordinary words" for name in names * 5)


@pytest.mark.parametrize("mark", ["3. ", "3) ", "(3) ", "  3. ", "**3.** ", "- 3. "])
def test_the_points_of_a_list_are_counted_and_not_put_back(mark):
    back = Substitution([], [("3", "7", [("has", "children and")])])
    reply = f"1. First.\n{mark}Children are fine."
    assert back(reply) == reply
    assert back("3 children") == "7 children" and back("3.") == "7."


@pytest.mark.parametrize(
    ("source", "reply"), [("3,295", "3295"), ("3295", "3,295"), ("3,295", "3,295")]
)
def test_commas_between_thousands_do_not_matter(source, reply):
    back = Substitution([(source, "2,000")])
    assert back(f"It is {reply} votes.") == "It is 2,000 votes."
    assert back("It is 3.295 votes, 32,95 or 13,295.") == "It is 3.295 votes, 32,95 or 13,295."
