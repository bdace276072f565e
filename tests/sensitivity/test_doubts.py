"""What one recogniser takes for names among public words."""

import pytest

from privstamp.sensitivity.doubts import Doubts
from privstamp.sensitivity.lexicon import CAPITAL
from privstamp.text.vocabulary import Vocabulary
from privstamp.types import Finding


@pytest.fixture(scope="module")
def doubts() -> Doubts:
    return Doubts(Vocabulary())


def finding(text: str, name: str, kind: str, source: str = "presidio", rule: str = "model"):
    start = text.index(name)
    return Finding(start, start + len(name), kind, 0.85, source, rule)


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ('sold by Arvo Ltd (the "Supplier") today', "Supplier", "ORGANIZATION"),
        ("crashes in the Android app", "Android app", "ORGANIZATION"),
        ("an ECG showed nothing", "ECG", "ORGANIZATION"),
        ("why does it raise a KeyError here", "KeyError", "ORGANIZATION"),
        ("took Tylenol for it", "Tylenol", "PERSON"),
        ("Constitutional: no fever", "Constitutional", "ORGANIZATION"),
        ("REVIEW OF SYSTEMS AS BEFORE", "REVIEW OF SYSTEMS", "ORGANIZATION"),
        ("stop before angiography", "angiography", "LOCATION"),
        ("stop before angiography", "angiogr", "PERSON"),
    ],
)
def test_public_words_are_no_names_where_capitals_tell_nothing(doubts, text, name, kind):
    assert doubts.kept(text, [finding(text, name, kind)]) == []


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("shares of General Motors rose", "General Motors", "ORGANIZATION"),
        ("we met Raghunathan today", "Raghunathan", "PERSON"),
        ("Raghunathan: hello", "Raghunathan", "PERSON"),
        ("bought at Shell again", "Shell", "ORGANIZATION"),
        ("they call him Bubble Frog now", "Bubble Frog", "PERSON"),
        ("Tableau Software\n12 Elm Road", "Tableau Software", "ORGANIZATION"),
    ],
)
def test_names_stay(doubts, text, name, kind):
    seen = [finding(text, name, kind)]
    assert doubts.kept(text, seen) == seen


def test_what_a_list_supports_stays(doubts):
    text = "Hyperbole: hello"
    model = finding(text, "Hyperbole", "PERSON")
    listed = finding(text, "Hyperbole", "PERSON", "lexicon", "listed family name")
    assert doubts.kept(text, [model]) == []
    assert doubts.kept(text, [model, listed]) == [model, listed]


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("Hyperbole was all of it.", False),
        ("It ended. Hyperbole was all of it.", False),
        ("Army Repels Hyperbole Near Border", False),
        ("we saw Hyperbole on stage", True),
    ],
)
def test_a_rare_word_with_a_capital_counts_inside_a_sentence(doubts, text, stays):
    seen = [finding(text, "Hyperbole", "RARE", "lexicon", CAPITAL)]
    assert doubts.kept(text, seen) == (seen if stays else [])


def test_words_of_a_public_identifier_are_no_names(doubts):
    text = 'API_KEY = "x"; HELLER_KEY = 1; Key'
    key = finding(text, "KEY", "PERSON", "lexicon", "listed family name")
    both = finding(text, "API_KEY", "LOCATION")
    heller = finding(text, "HELLER", "PERSON", "lexicon", "listed family name")
    alone = finding(text, "Key", "PERSON", "lexicon", "listed family name")
    assert doubts.kept(text, [key, both, heller, alone]) == [heller, alone]


def test_small_public_words_around_a_place_are_no_part_of_it(doubts):
    text = "after pardoning Khmer Rouge leaders"
    (kept,) = doubts.kept(text, [finding(text, "pardoning Khmer Rouge leaders", "ORGANIZATION")])
    assert text[kept.start : kept.end] == "Khmer Rouge"
    person = finding(text, "pardoning Khmer", "PERSON")
    (kept,) = doubts.kept(text, [person])
    assert text[kept.start : kept.end] == "Khmer"


@pytest.mark.parametrize(
    ("text", "word", "rule", "stays"),
    [
        ("Doctor: how are you?", "Doctor", "listed name", False),
        ("on the Effective Date of it", "Date", "listed family name", False),
        ("had a TIA last year", "TIA", "listed given name", False),
        ("runs in Docker now", "Docker", "listed family name", False),
        ("Kaito Date wrote", "Date", "listed family name", True),
        ("ask Ana about it", "Ana", "listed name", True),
        ("ANA LOPEZ called", "ANA", "listed name", True),
        ("met Heller there", "Heller", "listed family name", True),
    ],
)
def test_roles_and_terms_are_names_only_beside_one(doubts, text, word, rule, stays):
    seen = [finding(text, word, "PERSON", "lexicon", rule)]
    assert doubts.kept(text, seen) == (seen if stays else [])


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("the C-reactive protein", False),
        ("has hepatitis C since", False),
        ("signed by C. Heller", True),
        ("we met C today", True),
        ("bake at 180 C until done", False),
        ("press ctrl+C to stop", False),
        ("91 y/o C with pain", False),
        ("patient C Heller", True),
    ],
)
def test_a_letter_of_a_term_is_no_initial(doubts, text, stays):
    seen = [finding(text, "C", "PERSON", "lexicon", "initial")]
    assert doubts.kept(text, seen) == (seen if stays else [])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We had rice. It was brown rice. Not bad at all.", "brown"),
        ("It was worth every penny.", "penny"),
        ("I paid the bell boy and went up.", "bell"),
    ],
)
def test_everyday_words_in_small_letters_are_no_names_where_lines_have_capitals(doubts, text, name):
    assert doubts.kept(text, [finding(text, name, "PERSON", "lexicon", "listed name")]) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("had a word with brown today. he said no. fine by me", "brown"),
        ("Told brown to wait for us.", "brown"),
        ("It is late. We are here. Thanks mark", "mark"),
        ("It is late. We are here. I saw mike there.", "mike"),
        ("It is late. We are here. I saw Brown there.", "Brown"),
    ],
)
def test_they_are_names_where_nothing_says_words(doubts, text, name):
    seen = [finding(text, name, "PERSON", "lexicon", "listed name")]
    assert doubts.kept(text, seen) == seen


def test_an_everyday_word_beside_a_name_is_a_part_of_it(doubts):
    text = "It is late. We are here. I saw john brown there."
    seen = [finding(text, word, "PERSON", "lexicon", "listed name") for word in ("john", "brown")]
    assert doubts.kept(text, seen) == seen


def test_small_public_words_are_nobody_where_lines_have_capitals(doubts):
    cased, small = "It came with cilantro lime rice.", "it came with cilantro lime rice"
    assert doubts.kept(cased, [finding(cased, "cilantro lime", "PERSON")]) == []
    assert doubts.kept(small, [finding(small, "cilantro lime", "PERSON")]) == []
    listed = Doubts(Vocabulary(), is_listed={"lime"}.__contains__)
    assert listed.kept(small, [finding(small, "cilantro lime", "PERSON")])


@pytest.fixture(scope="module")
def listing() -> Doubts:
    return Doubts(
        Vocabulary(), is_listed={"ravi", "stefan", "rosalee", "just", "cook"}.__contains__
    )


@pytest.mark.parametrize(
    ("text", "name", "names"),
    [
        ("drop it once Ravi fixes this", "Ravi fixes", ["Ravi"]),
        (
            "Root cause: Stefan rotated the Stripe key",
            "Stefan rotated the Stripe",
            ["Stefan", "Stripe"],
        ),
        (
            "OMG ROSALEE JUST GOT ENGAGED TO BRANDON",
            "ROSALEE JUST GOT ENGAGED TO BRANDON",
            ["ROSALEE", "BRANDON"],
        ),
        ("they like Dora the Explorer here", "Dora the Explorer", ["Dora the Explorer"]),
        ("it was Tim cook again", "Tim cook", ["Tim cook"]),
        ("the party of Ludwig van Horn", "Ludwig van Horn", ["Ludwig van Horn"]),
        ("Log in as qa_liam 2) Open", "qa_liam 2", ["qa_liam"]),
        ("In Quill v Ostrander it said", "Quill v Ostrander", ["Quill", "Ostrander"]),
        ("Name: Bridget Anne\nDOB: 1952", "Bridget Anne\nDOB", ["Bridget Anne"]),
        ("Marlon\nyo did you go", "Marlon\nyo", ["Marlon"]),
        ("Q. Your name?\nA. Lorraine Quill.", "A. Lorraine Quill", ["Lorraine Quill"]),
        ("A. Lorraine Quill spoke", "A. Lorraine Quill", ["A. Lorraine Quill"]),
    ],
)
def test_a_name_ends_where_no_name_goes_on(listing, text, name, names):
    kept = listing.kept(text, [finding(text, name, "PERSON")])
    assert [text[piece.start : piece.end] for piece in kept] == names


@pytest.mark.parametrize(
    ("text", "name", "kind", "names"),
    [
        ("SO GRACE QUILL WERE THERE", "GRACE QUILL WERE", "ORGANIZATION", ["GRACE QUILL"]),
        ("So Click Export. Then wait.", "Click Export", "ORGANIZATION", None),
        ("Wait. Click Export. Then wait.", "Click Export", "ORGANIZATION", []),
        ("Call Ridgeline Exteriors instead.", "Call Ridgeline Exteriors", "ORGANIZATION",
         ["Ridgeline Exteriors"]),
        ("found by Rosa T. Skin was torn", "Rosa T. Skin", "PERSON", ["Rosa T"]),
        ("found by Rosa T. Quill was torn", "Rosa T. Quill", "PERSON", ["Rosa T. Quill"]),
        ("before me, BEFORE ME, he said", "BEFORE ME", "PERSON", []),
        ("then Uncle Femi came", "Uncle", "LOCATION", []),
        ("and Mum came too", "Mum", "PERSON", []),
        ("her D.O.B. is told", "D.O.B", "LOCATION", []),
        ("at Sunnyfields Tues", "Sunnyfields Tues", "PERSON", ["Sunnyfields"]),
    ],
)  # fmt: skip
def test_words_around_names_stay(listing, text, name, kind, names):
    kept = listing.kept(text, [finding(text, name, kind)])
    assert [text[piece.start : piece.end] for piece in kept] == ([name] if names is None else names)


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("Will will be there. Will you? Will it?", [0]),
        ("Thank Will, please. Will's car broke. Will the shop open?", [6, 20]),
        ("Will said so. Then Will, who left, came. Will you?", [0, 19]),
        ("May said so.", [0]),
        ("May will be busy. In May we met. Will you come? Will the man come?", []),
        ("The Will says so, and met May 3 and Will Power.", []),
    ],
)
def test_a_word_that_does_what_people_do_is_a_name(listing, text, starts):
    assert [name.start for name in listing.called(text, [])] == starts


def test_small_names_behind_titles_are_names(listing):
    text = "rip uncle drew and aunt ravi; my aunt may call, miss you"
    assert [text[name.start : name.end] for name in listing.called(text, [])] == ["drew", "ravi"]


def test_a_name_goes_on_in_the_next_line_where_text_is_wrapped(listing):
    text = "We have talked about it at some length with Bridget\nAnne Quill of the other house."
    seen = [finding(text, "Bridget\nAnne Quill", "PERSON")]
    assert listing.kept(text, seen) == seen


def test_an_everyday_word_among_capitals_is_no_name(listing):
    text = "SHE FELL SO BRING HER GLASSES AND HER CARD"
    shouted = Finding(text.index("GLASSES"), text.index(" AND"), "PERSON", 0.6, "lexicon", "name")
    assert listing.kept(text, [shouted]) == []
    beside = text.replace("HER GLASSES", "MR GLASSES")
    start = beside.index("GLASSES")
    called = Finding(start, start + 7, "PERSON", 0.6, "lexicon", "name")
    assert listing.kept(beside, [called]) == [called]


def test_peoples_and_languages_name_nobody_but_behind_a_title_or_a_name(doubts):
    text = "The French cook spoke Thai to Mr Welsh and Dawn French."
    for word in ("French", "Thai"):
        assert doubts.kept(text, [finding(text, word, "PERSON", "lexicon", "listed name")]) == []
    for word in ("Welsh", "Dawn French"):
        seen = [finding(text, word, "PERSON", "lexicon", "listed name")]
        assert doubts.kept(text, seen) == seen
    asked = [finding(text, "French", "NRP")]
    assert doubts.kept(text, asked) == asked


def test_a_law_is_no_place(doubts):
    text = "Governed by the laws of England and Wales; delivery in Wales, courts of Leeds."
    laws = [finding(text, name, "LOCATION") for name in ("England", "Wales")]
    places = [finding(text[::1], "Leeds", "LOCATION")]
    start = text.index("in Wales") + 3
    places.insert(0, Finding(start, start + 5, "LOCATION", 0.85, "presidio", "model"))
    assert doubts.kept(text, [*laws, *places]) == places


def test_a_maiden_name_begins_behind_its_mark(doubts):
    text = "Anna Brandt (née Okafor) came."
    kept = doubts.kept(text, [finding(text, "née Okafor", "PERSON")])
    assert [text[one.start : one.end] for one in kept] == ["Okafor"]


def test_addresses_for_examples_and_attributes_of_programs_stay(doubts):
    text = "see https://app.example.com/login, decimal.InvalidOperation and InvalidOperation"
    seen = [finding(text, "https://app.example.com/login", "URL", "rules")]
    seen.append(finding(text, "InvalidOperation", "RARE", "lexicon", "unlisted word"))
    assert doubts.kept(text, seen) == []
    last = text.rindex("Invalid")
    alone = [Finding(last, len(text), "RARE", 0.5, "lexicon", "unlisted word")]
    assert doubts.kept(text, alone) == alone


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("Refund an order.", "Refund", "PERSON"),
        ("hired as Senior Data Engineer", "Senior Data Engineer", "ORGANIZATION"),
        ("MSc Computer Science, 2015", "Computer Science", "ORGANIZATION"),
        ("CURRICULUM VITAE\nthe rest", "CURRICULUM", "ORGANIZATION"),
        ("Test              Result   Units", "Test", "PERSON"),
        ("java.net.SocketTimeoutException: late", "java.net", "URL"),
    ],
)
def test_heads_jobs_and_first_words_are_no_names(doubts, text, name, kind):
    assert doubts.kept(text, [finding(text, name, kind)]) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [("sent to Ward 7B", "Ward"), ("MASTER SERVICES AGREEMENT\n\nthis", "MASTER")],
)
def test_listed_names_that_are_places_or_heads(doubts, text, name):
    start = text.index(name)
    listed = Finding(start, start + len(name), "PERSON", 0.6, "lexicon", "listed family name")
    assert doubts.kept(text, [listed]) == []
    text = f"we met {name.capitalize()} today"
    listed = Finding(7, 7 + len(name), "PERSON", 0.6, "lexicon", "listed family name")
    assert doubts.kept(text, [listed]) == [listed]


@pytest.mark.parametrize("text", ["tell Dr. Gold on Monday", "J. Gold is in"])
def test_behind_a_title_or_an_initial_no_sentence_begins(doubts, text):
    seen = [finding(text, "Gold", "PERSON")]
    assert doubts.kept(text, seen) == seen


def test_in_columns_a_name_ends_with_its_line(doubts):
    text = "Zworg     9.8    Quux\nPlugh    12.4   H"
    seen = finding(text, "Quux\nPlugh", "ORGANIZATION")
    assert [text[one.start : one.end] for one in doubts.kept(text, [seen])] == ["Quux", "Plugh"]
