import re
from datetime import date

import numpy as np
import pytest

from privstamp.mechanisms.surrogate import Placeholder, Surrogate
from privstamp.mechanisms.wordlists import INSTITUTIONS, pools
from privstamp.release.groups import group
from privstamp.release.replaced import Pseudonyms, bare, written
from privstamp.release.surrogates import Replacer
from privstamp.restore.map import SurrogateMap
from privstamp.spaces.glove import Glove
from privstamp.spaces.splitter import Plain
from privstamp.text.closed import class_of, in_figures
from privstamp.text.dates import read_date
from privstamp.types import Finding, Kind, Label, Scores, Units, join_surfaces
from toys import ToySpace

SPACE = ToySpace()
KEY = bytes(32)


def replaced(text, spans=(), *, replacement=None, released=(), cut=None):
    units = SPACE.split(text)
    if cut:
        units = halved(units, text.index(cut), len(cut) // 2)
    found = [Finding(text.index(p), text.index(p) + len(p), k, 1.0, "t", "t") for p, k in spans]
    scores = Scores(np.zeros(len(units), dtype=np.float32), 1.0)
    grouping = group(units, found, scores, replace_numbers=True)
    mask = grouping.groups <= 2
    replacements = dict.fromkeys((1, 2, 3, 4), replacement or Surrogate())
    replacer = Replacer(replacements, Pseudonyms(KEY), released)
    done = replacer.document(units, grouping, mask, units.surfaces(), ~mask)
    words = [done.surfaces[index] for index in done.kept.tolist()]
    return join_surfaces(done.units, words), done


def halved(units, start, length):
    """The same units, but for one that is cut in two."""
    [at] = np.flatnonzero(units.starts == start)
    return Units(
        text=units.text,
        starts=np.insert(units.starts, at + 1, start + length),
        ends=np.insert(units.ends, at, start + length),
        rows=np.insert(units.rows, at, units.rows[at]),
        kinds=np.insert(units.kinds, at, units.kinds[at]),
        labels=np.insert(units.labels, at, units.labels[at]),
    )


def test_labels_are_put_on_and_taken_off():
    label = Label.UPPER | Label.POSSESSIVE | Label.SPLIT
    assert written("Okafor", label, cased=True) == " OKAFOR's"
    assert bare(" OKAFOR's", label) == "OKAFOR"
    assert written("[PERSON_1]", Label.LOWER, cased=False) == "[PERSON_1]"


@pytest.mark.parametrize("kind", ["PERSON", "ORGANIZATION"])
def test_a_name_goes_by_word_so_that_later_mentions_agree(kind):
    text, _ = replaced("Zworg Quux w2 Quux", [("Zworg Quux", kind)])
    given, family, _, again = text.split()
    assert family == again != given


def test_a_place_of_several_words_is_one_town():
    text, done = replaced("w1 Zworg Quux w2 Zworg Quux", [("Zworg Quux", "LOCATION")])
    first, *_ = text.split()[1:]
    assert len(text.split()) == 5
    assert SurrogateMap(tuple(done.entries.values())).restore(f"In {first}.") == "In Zworg Quux."


def test_an_address_is_one_object(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    written = "14 Zworgmid Road, Apt. 4B, Quuxford LS2 9JT"
    text, done = replaced(f"at {written}; in Quuxford now", [(written, "ADDRESS")])
    shape = r"at (\d{1,3}) ([A-Z]\w+) Road, Apt. (\d{1,3})[A-Z], ([A-Z]\w+) [A-Z]{2}\d \d[A-Z]{2}; "
    found = re.match(shape, text)
    assert found and text.endswith(f"in {found[4]} now")
    address = text.removeprefix("at ").partition(";")[0]
    back = SurrogateMap(tuple(done.entries.values()))
    assert back.restore(f"To {address}.") == f"To {written}."
    assert back.restore("The Road is long.") == "The Road is long."
    assert back.restore(f"In {found[4]}.") == "In Quuxford."
    assert back.restore(f"It has {found[1]} rooms.") == f"It has {found[1]} rooms."


def test_words_that_say_what_it_is_stay_and_mean_nothing_alone(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, done = replaced(
        "by Zworgrel Logistics Ltd now", [("Zworgrel Logistics Ltd", "ORGANIZATION")]
    )
    name = text.split()[1]
    assert text == f"by {name} Logistics Ltd now" and name != "Zworgrel"
    back = SurrogateMap(tuple(done.entries.values())).restore
    assert back(f"{name} pays") == "Zworgrel pays"
    assert back(f"{name} Logistics pays") == "Zworgrel Logistics pays"
    assert back("Logistics is hard") == "Logistics is hard"


def test_a_part_beside_a_word_that_stays_is_put_back_once(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, done = replaced("by Zworgrel Quux Ltd now", [("Zworgrel Quux Ltd", "ORGANIZATION")])
    first, kind, form = text.split()[1:4]
    assert kind in INSTITUTIONS and form == "Ltd"
    back = SurrogateMap(tuple(done.entries.values())).restore
    assert back(f"{kind} Ltd pays") == back(f"{first} {kind} pays") == "Zworgrel Quux Ltd pays"
    assert back("The Ltd pays") == "The Ltd pays"


@pytest.mark.parametrize(
    ("text", "pool"),
    [
        ("Mr Zworg Quux said", "he"),
        ("Mrs Zworg Quux said", "she"),
        ("Zworg Quux said that she and her dog", "she"),
        ("Zworg Quux, a tired man, said", "he"),
        ("his daughter Zworg Quux said", "she"),
    ],
)
def test_given_names_follow_what_is_released(text, pool, monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    lists = pools()
    for key in (bytes([n]) * 32 for n in range(20)):
        monkeypatch.setitem(globals(), "KEY", key)
        said, _ = replaced(text, [("Zworg Quux", "PERSON")])
        given = said.split()[text.split().index("Zworg")]
        assert given in getattr(lists, pool)
    blind = {given_name(text, bytes([n]) * 32, monkeypatch) for n in range(60)}
    assert blind & set(lists.he) and blind & set(lists.she)


def given_name(text, key, monkeypatch):
    monkeypatch.setitem(globals(), "KEY", key)
    said, _ = replaced(text, [("Zworg Quux", "PERSON")], replacement=Surrogate(gender="none"))
    return said.split()[text.split().index("Zworg")]


def test_a_telephone_number_keeps_its_plus_and_groups(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, done = replaced("call +44 (0)20 7946-0018 now", [("+44 (0)20 7946-0018", "PHONE_NUMBER")])
    assert re.fullmatch(r"call \+\d\d \(\d\)\d\d \d{4}-\d{4} now", text)
    [entry] = done.entries.values()
    assert entry.kind == "PHONE_NUMBER"


@pytest.mark.parametrize(
    ("date", "shape"),
    [
        ("7 July 1924", ["DAY", "MONTH", "YEAR"]),
        ("the 21st of July", ["EVERY", "DAY", "AT", "MONTH"]),
        ("43 days", ["DAY", "TIME_UNITS"]),
        ("22:35 on Sunday", ["CLOCK", "AT", "WEEKDAY"]),
        ("3 Shawral", ["DAY", "MONTH"]),
        ("forty-two weeks", ["CARDINAL", "TIME_UNITS"]),
    ],
)
def test_a_date_becomes_a_date(date, shape, monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    patterns = {
        "DAY": r"([1-9]|[12]\d|3[01])(st|nd|rd|th)?",
        "YEAR": r"(1[2-9]|20)\d\d",
        "CLOCK": r"([01]\d|2[0-3]):[0-5]\d",
    }
    text, _ = replaced(f"on {date} it", [(date, "DATE_TIME")])
    words = text.removeprefix("on ").removesuffix(" it").split()
    for word, name in zip(words, shape, strict=True):
        pattern = patterns.get(name)
        assert re.fullmatch(pattern, word) if pattern else class_of(word) == name


@pytest.mark.parametrize("kind", ["NUMBER", "CARDINAL", "QUANTITY"])
def test_a_number_word_becomes_a_number_word(kind, monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, done = replaced("with eight miles left", [("eight miles", kind)])
    number, unit = text.split()[1:3]
    assert class_of(number) == "CARDINAL" and class_of(unit) == "MEASURES"
    entry, figures = [entry for entry in done.entries.values() if entry.original == "eight"]
    assert figures.surrogate == in_figures(number) and figures.beside == entry.beside
    assert entry.beside, "a number word may mean something else in a reply"
    text, _ = replaced("with eight cubits left", [("eight cubits", kind)])
    assert len(text.split()[2]) > 2, "a word, not a letter"


def test_words_of_dates_outside_a_date_are_ordinary_words():
    text, _ = replaced("Zworg w1 Quux", [("Zworg w1 Quux", "PERSON")])
    assert class_of(text.split()[0]) is None


@pytest.mark.parametrize(
    ("span", "kind"),
    [
        ("P-5150", "ID"),
        ("forty minutes", "DATE_TIME"),
        ("7 July", "DATE_TIME"),
        ("Zworg Quux", "PERSON"),
    ],
)
def test_a_span_is_put_back_as_one(span, kind, monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, done = replaced(f"the tag {span} was", [(span, kind)])
    joined = text.removeprefix("the tag ").removesuffix(" was")
    assert (joined, span) in done.entries
    assert (
        SurrogateMap(tuple(done.entries.values())).restore(f"It is {joined}.") == f"It is {span}."
    )


def test_an_organisation_that_does_not_say_what_it_is_gets_a_kind():
    text, _ = replaced("Zworg Quux", [("Zworg Quux", "ORGANIZATION")])
    assert text.split()[1] in INSTITUTIONS


def test_after_of_stands_a_place(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, _ = replaced("at University of Zworgford", [("University of Zworgford", "ORGANIZATION")])
    assert text.startswith("at University of ") and text.split()[3] in pools().city


def test_number_words_are_put_back_from_figures_too(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, done = replaced("for twelve days then", [("twelve days", "DATE_TIME")])
    number, unit = text.split()[1:3]
    back = SurrogateMap(tuple(done.entries.values()))
    assert back.restore(f"{in_figures(number)} {unit}") == "twelve days"
    assert in_figures(number).isdecimal()


def test_a_number_word_alone_is_put_back_from_figures_too(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, done = replaced("at most four players may stay", [("four", "CARDINAL")])
    figures = in_figures(text.split()[2])
    assert figures.isdecimal()
    back = SurrogateMap(tuple(done.entries.values()))
    assert back.restore(f"{figures}.") == "four."
    assert back.restore(f"only {figures} players") == "only four players"
    assert back.restore(f"{figures} other things") == f"{figures} other things"


def test_any_part_of_an_organisation_means_all_of_it():
    kind, name = "ORGANIZATION", "Zworg Quux Plugh"
    text, done = replaced(f"w1 {name} w2", [(name, kind)])
    words = text.split()[1:4]
    back = SurrogateMap(tuple(done.entries.values())).restore
    for part in (words, words[:2], words[1:], words[:1], words[2:]):
        assert back(f"By {' '.join(part)}.") == f"By {name}."
    assert back(f"{words[0]}'s") == f"{name}'s"


def test_an_identifier_is_one_string_and_comes_back_whole(monkeypatch):
    """Unit by unit, equal groups of digits would show as equal."""
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, done = replaced("under KH-2204-2204-Q granted", [("KH-2204-2204-Q", "ID")])
    code = text.split()[1]
    assert re.fullmatch(r"[A-Z]{2}-\d{4}-\d{4}-[A-Z]", code) and code[3:7] != code[8:12]
    back = SurrogateMap(tuple(done.entries.values())).restore
    assert back(code) == "KH-2204-2204-Q" and back(code[3:7]) == code[3:7]


@pytest.mark.parametrize(
    ("identifier", "kind"),
    [("KH-2204-Q", "ID"), ("943 476 5919", "UK_NHS"), ("8nZ!kV4%beta", "CREDENTIAL")],
)
def test_a_part_of_an_identifier_brings_nothing_back(identifier, kind, monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, done = replaced(f"under {identifier} granted", [(identifier, kind)])
    sent = text.removeprefix("under ").removesuffix(" granted")
    back = SurrogateMap(tuple(done.entries.values())).restore
    for part in re.findall(r"\w+", sent):
        assert part == sent or back(f"It is {part}.") == f"It is {part}."
    assert back(f"It is {sent}.", kinds=[kind]) == f"It is {identifier}."
    assert {entry.kind for entry in done.entries.values()} == {kind}


def test_a_span_as_long_as_a_page_is_no_trouble():
    name = " ".join(f"Zworg{chr(97 + n % 26)}" for n in range(3000))
    text, done = replaced(name, [(name, "ORGANIZATION")])
    assert len(text.split()) == 3000 and len(done.entries) < 100


def test_a_short_number_in_a_name_is_no_trouble(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, done = replaced("the 21st Zworg came", [("21st Zworg", "ORGANIZATION")])
    number, word = text.split()[1:3]
    back = SurrogateMap(tuple(done.entries.values())).restore
    assert back(f"{number} {word}") == back(word) == "21st Zworg"


def test_an_article_may_be_left_out(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, done = replaced("for a hundred years now", [("a hundred years", "DATE_TIME")])
    said = in_figures(" ".join(text.split()[2:4]))
    assert SurrogateMap(tuple(done.entries.values())).restore(said) == "a hundred years"


def test_a_part_that_stands_elsewhere_means_itself():
    text, done = replaced("w1 Zworg Quux w2 Zworg", [("Zworg Quux", "ORGANIZATION")])
    first, last = text.split()[1:3]
    back = SurrogateMap(tuple(done.entries.values())).restore
    assert (back(first), back(last)) == ("Zworg", "Zworg Quux")


def test_a_part_of_a_person_is_that_part():
    text, done = replaced("w1 Zworg Quux w2", [("Zworg Quux", "PERSON")])
    given, family = text.split()[1:3]
    back = SurrogateMap(tuple(done.entries.values())).restore
    assert (back(given), back(family)) == ("Zworg", "Quux")


def test_a_possessive_that_a_model_mends_is_put_back(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    span = "Zworgwardens' Quux"
    text, done = replaced(f"by the {span} now", [(span, "ORGANIZATION")])
    joined = text.removeprefix("by the ").removesuffix(" now")
    assert "' " in joined
    back = SurrogateMap(tuple(done.entries.values()))
    assert back.restore(joined.replace("' ", "'s ")) == back.restore(joined) == span


def test_neighbours_of_short_numbers_are_noted():
    _, done = replaced("w1 5 w2 400 w3\nw4 5")
    five, long = sorted(done.entries.values(), key=lambda entry: len(entry.original))
    assert five.beside == (("w 1", "w 2"), ("w 4", ""))
    assert long.beside == ()


def test_words_of_several_units_are_mapped_as_one():
    text, done = replaced("w1 ZworgQuux w2", cut="ZworgQuux")
    joined = text.split()[1]
    assert done.entries[joined, "ZworgQuux"].original == "ZworgQuux"
    text, done = replaced("w1 Zworg+ w2")
    assert (text.split()[1], "Zworg+") in done.entries


def test_a_number_with_a_letter_is_mapped_as_one(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    text, done = replaced("the room 4B was", [("4B", "LOCATION")])
    assert (text.split()[2], "4B") in done.entries


def test_equality_holds_across_kinds_and_case():
    text, _ = replaced("Zworg w1 zworg", [("Zworg", "PERSON")])
    first, _, last = text.split()
    assert first.casefold() == last


def test_the_map_holds_every_writing():
    _, done = replaced("ZWORG w1 Zworg w1 zworg", [("ZWORG", "PERSON")])
    pairs = {(e.surrogate.istitle(), e.original) for e in done.entries.values()}
    assert (True, "Zworg") in pairs and (False, "zworg") in pairs


def test_initials_are_replaced_by_initials():
    text, _ = replaced("J Quux w1", [("J Quux", "PERSON")])
    assert len(text.split()[0]) == 1


def test_surrogates_avoid_each_other_and_what_is_released():
    names = " ".join(f"Zworg{chr(97 + n)}" for n in range(26))
    text, _ = replaced(names)
    assert len(set(text.split())) == 26
    first = text.split()[0].casefold()
    other, _ = replaced(names, released={first})
    assert other.split()[0].casefold() != first


def test_more_symbols_than_the_list_holds_still_end():
    text, done = replaced("7 " * 3 + " ".join("0123456789"))
    assert len(text.split()) == 13 and len(done.entries) == 10


@pytest.mark.parametrize(("code", "kind"), [("Zo 4 dy QUUX", "POSTCODE"), ("W1 4 zworg", "CASE")])
def test_words_inside_identifiers_are_replaced_letter_by_letter(code, kind):
    text, _ = replaced(f"w3 {code} w3", [(code, kind)])
    drawn = text.removeprefix("w3 ").removesuffix(" w3")
    assert drawn != code and shape(drawn) == shape(code)


def shape(text: str) -> str:
    return "".join("0" if c.isdigit() else "A" if c.isupper() else "a" for c in text)


@pytest.mark.parametrize("secret", ["quux", "zworg Quux w1", "Zo4!plugh"])
def test_a_secret_shows_not_even_its_length(secret):
    text, _ = replaced(f"w3 {secret} w3", [(secret, "CREDENTIAL")])
    assert re.fullmatch(r"w3 [A-Za-z0-9]{20} w3", text)


def test_identifiers_with_lists_of_their_own_take_from_them():
    text, _ = replaced("w1 zworg quux w2", [("zworg quux", "EMAIL_ADDRESS")])
    assert text.split()[1].endswith("@example.com")


def test_placeholders_count_per_type():
    spans = [("Zworg", "PERSON"), ("Quux", "LOCATION"), ("Plugh", "PERSON")]
    text, _ = replaced("Zworg Quux Plugh w1 xyzzy", spans, replacement=Placeholder())
    assert text == "[PERSON_1] [LOCATION_1] [PERSON_2] w1 [MASK]"


def test_a_placeholder_that_is_already_there_is_not_issued_again():
    text, _ = replaced(
        "Zworg", [("Zworg", "PERSON")], replacement=Placeholder(), released={"[person_1]"}
    )
    assert text != "[PERSON_1]" and text.startswith("[PERSON_1")


def test_the_kind_of_a_number_is_its_form():
    text, _ = replaced("12345 w1", [("12345", "NUMERIC_ID")])
    assert text.split()[0].isdecimal() and len(text.split()[0]) == 5
    assert SPACE.split("12345").kinds[0] == Kind.NUMBER


def test_digits_cut_into_pieces_are_one_number():
    """One by one they would be a cipher: 1984 and 4198 would share their digits."""
    text = "1984 4198"
    cuts = np.array([0, 1, 2, 3, 5, 6, 7, 8])
    size = len(cuts)
    kinds = np.full(size, Kind.NUMBER, dtype=np.uint8)
    rows = np.arange(size, dtype=np.int32)
    units = Units(text, cuts, cuts + 1, rows, kinds, np.zeros(size, dtype=np.uint8))
    scores = Scores(np.zeros(size, dtype=np.float32), 1.0)
    grouping = group(units, [], scores, replace_numbers=True)
    replacements = dict.fromkeys((1, 2, 3, 4), Surrogate())
    replacer = Replacer(replacements, Pseudonyms(KEY), ())
    done = replacer.document(units, grouping, grouping.by_rule, units.surfaces())
    assert done.kept.tolist() == [0, 4]
    assert [len(done.surfaces[index]) for index in (0, 4)] == [4, 4]
    assert [entry.original for entry in done.entries.values()] == ["1984", "4198"]


def test_addresses_follow_the_person(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Glove())
    first, second, third = "zworg.quux@a.example", "zquux7@b.example", "zworg.quux@c.example"
    spans = [("Zworg Quux", "PERSON")]
    spans += [(address, "EMAIL_ADDRESS") for address in (first, second, third)]
    text, done = replaced(f"{first} is Zworg Quux, {second}, {third}", spans)
    found = re.fullmatch(r"(\S+)@example.com is (\w+) (\w+), (\S+)@example.com, (\S+)", text)
    given, family = found[2].lower(), found[3].lower()
    assert found[1] == f"{given}.{family}" and found[5] == f"{given}.{family}@example.org"
    assert re.fullmatch(rf"{given[0]}{family}\d", found[4])
    back = SurrogateMap(tuple(done.entries.values())).restore
    assert back(f"To {found[5]}.", trusted=True) == f"To {third}."


def test_the_point_of_an_abbreviation_goes_with_it(monkeypatch):
    monkeypatch.setitem(globals(), "SPACE", Plain())
    text, _ = replaced("for the U.K., then", [("U.K", "LOCATION")])
    assert "." not in text
    text, done = replaced("in the U.S. officials left the U.S. He too", [("U.S", "LOCATION")])
    name = re.fullmatch(r"in the ([\w ]+) officials left the \w.*", text)[1]
    assert [entry.original for entry in done.entries.values() if entry.surrogate == name] == ["U.S"]


@pytest.mark.parametrize("initial_first", [True, False])
def test_initials_follow_the_given_name(initial_first):
    mentions = ["Oluwaseun Achterberg", "O. Achterberg", "O. Brandt"]
    parts = [mentions[1], mentions[0]] if initial_first else mentions[:2]
    text, _ = replaced("; ".join([*parts, mentions[2]]), [(name, "PERSON") for name in mentions])
    first, second, _ = text.split("; ")
    (given, family), (initial, same) = map(
        str.split, sorted([first, second], key=len, reverse=True)
    )
    assert (initial, same) == (f"{given[0]}.", family)


def test_partners_and_people_of_one_name_have_one_family_name():
    spans = [("Pelham & Strake LLP", "ORGANIZATION"), ("Philippa Strake", "PERSON")]
    text, _ = replaced("Pelham & Strake LLP; Philippa Strake", spans)
    partner, _, _, other = text.split()[2:6]
    assert partner == other
    assert partner in pools().family and partner not in INSTITUTIONS


def test_a_firm_named_after_somebody_has_a_family_name():
    spans = [("Quillfeather Ltd", "ORGANIZATION"), ("Tessa Quillfeather", "PERSON")]
    text, _ = replaced("Quillfeather Ltd; Tessa Quillfeather", spans)
    firm, _, _, owner = text.split()
    assert firm == owner and firm in pools().family


def carried(text, spans, pseudonyms, shift):
    """One text of many that share their pseudonyms."""
    units = Plain().split(text)
    found = [Finding(text.index(p), text.index(p) + len(p), k, 1.0, "t", "t") for p, k in spans]
    scores = Scores(np.zeros(len(units), dtype=np.float32), 1.0)
    grouping = group(units, sorted(found, key=lambda f: f.start), scores, replace_numbers=True)
    mask = grouping.groups <= 2
    replacer = Replacer(dict.fromkeys((1, 2, 3, 4), Surrogate()), pseudonyms, ())
    positions = np.arange(len(units)) + (shift << 32)
    done = replacer.document(units, grouping, mask, units.surfaces(), ~mask, positions)
    return join_surfaces(done.units, [done.surfaces[index] for index in done.kept.tolist()])


def test_pseudonyms_hold_through_many_texts():
    pseudonyms = Pseudonyms(KEY, carried=True)
    person, number = ("Zworg Quux", "PERSON"), ("4711-0815", "ACCOUNT_NUMBER")
    first = carried("Zworg Quux has 4711-0815", [person, number], pseudonyms, 0)
    given, family, _, account = first.split()
    second = carried("4711-0815 of Quux", [number, ("Quux", "PERSON")], pseudonyms, 1)
    assert second == f"{account} of {family}"
    third = carried(
        "Zworg.quux@a.example", [("Zworg.quux@a.example", "EMAIL_ADDRESS")], pseudonyms, 2
    )
    assert third == f"{given}.{family}@example.com".lower()
    other = carried("Zworg Quux", [person], Pseudonyms(b"1" * 32, carried=True), 0)
    assert other != f"{given} {family}"


def test_a_day_stays_a_day_in_a_later_text_and_another_form():
    pseudonyms = Pseudonyms(KEY, carried=True)
    first = carried("on 3 May 2021", [("3 May 2021", "DATE")], pseudonyms, 0)
    second = carried("on 2021-05-03", [("2021-05-03", "DATE")], pseudonyms, 1)
    days = [read_date(text.removeprefix("on ")) for text in (first, second)]
    assert len({(day.year, day.month, day.day) for day in days}) == 1


@pytest.mark.parametrize(
    ("word", "kind"), [("47", "CARDINAL"), ("Friday", "DATE_TIME"), ("seven", "CARDINAL")]
)
def test_small_pools_are_not_carried(word, kind):
    """One within a paragraph; beyond, 40 draws of 7 or more values are never all equal."""
    pseudonyms = Pseudonyms(KEY, carried=True)
    texts = [carried(f"on {word}", [(word, kind)], pseudonyms, at) for at in range(40)]
    assert len(set(texts)) > 1
    text = "\n\n".join([f"on {word} or {word}"] * 40)
    places = [match.start() for match in re.finditer(rf"\b{word}\b", text)]
    units = Plain().split(text)
    found = [Finding(at, at + len(word), kind, 1.0, "t", "t") for at in places]
    scores = Scores(np.zeros(len(units), dtype=np.float32), 1.0)
    grouping = group(units, found, scores, replace_numbers=True)
    mask = grouping.groups <= 2
    replacer = Replacer(dict.fromkeys((1, 2, 3, 4), Surrogate()), pseudonyms, ())
    done = replacer.document(units, grouping, mask, units.surfaces(), ~mask)
    drawn = [done.surfaces[index] for index in np.flatnonzero(mask).tolist()]
    assert drawn[::2] == drawn[1::2] and len(set(drawn)) > 1
    whole = Replacer(dict.fromkeys((1, 2, 3, 4), Surrogate()), Pseudonyms(KEY), ())
    done = whole.document(units, grouping, mask, units.surfaces(), ~mask)
    assert len({done.surfaces[index] for index in np.flatnonzero(mask).tolist()}) == 1


def test_a_branch_leaves_its_origin_alone():
    pseudonyms = Pseudonyms(KEY, carried=True)
    carried("Zworg Quux", [("Zworg Quux", "PERSON")], pseudonyms, 0)
    branch = pseudonyms.branch()
    carried("Blarg on 3 May 2021", [("Blarg", "PERSON"), ("3 May 2021", "DATE")], branch, 1)
    assert set(pseudonyms.drawn) == {"zworg", "quux"} and len(branch.drawn) == 4
    assert repr(branch) == "Pseudonyms(private, 4 things)"


def test_days_of_two_texts_under_one_key_keep_no_order():
    """A tool that lists dates must not search for one that the user wrote before."""
    later = []
    for number in range(60):
        pseudonyms = Pseudonyms(bytes([number]) * 32, carried=True)
        texts = "2010-05-17", "2010-05-18"
        drawn = [carried(text, [(text, "DATE")], pseudonyms, at) for at, text in enumerate(texts)]
        first, second = (date.fromisoformat(day) for day in drawn)
        later.append((second - first).days)
    assert min(later) < -60 and max(later) > 60  # in one text: 1 to 7
