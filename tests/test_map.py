from __future__ import annotations

import json
import os
import stat
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privstamp.errors import InputError, MapError
from privstamp.mechanisms.surrogate import Surrogate
from privstamp.restore import map as maps
from privstamp.restore.entry import MapEntry
from privstamp.restore.map import SurrogateMap
from statistical import fresh

SECRET = "Raghunathan"
ENTRIES = [
    ("Okafor", SECRET, "PERSON_FAMILY"),
    ("[PERSON_1]", "Zoë \U0001f3e5\n\u2028", "PERSON"),
    ("120", "500", "NUMBER"),
]
MAP = SurrogateMap.of(ENTRIES)
POSIX = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


# The record ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "back"),
    [
        ("[PERSON_1] and [person_1]", "Zoe Lind and Zoe Lind"),
        ("PERSON_1, Person_1, person_1.", "Zoe Lind, Zoe Lind, Zoe Lind."),
        ("Dr Person 1's file", "Dr Zoe Lind's file"),
        ("on DATE_TIME_2, Date Time 2", "on 4 May, 4 May"),
        ("NUMBER_1 of them", "63 of them"),
        ("person 1, PERSON_10, PERSON_1B, XPERSON_1", "person 1, PERSON_10, PERSON_1B, XPERSON_1"),
        ("[PERSON_1", "[PERSON_1"),  # it may become the label of a reference
    ],
)
def test_placeholders_come_back_without_their_brackets(reply, back):
    made = SurrogateMap.of(
        [
            ("[PERSON_1]", "Zoe Lind", "PERSON"),
            ("[DATE_TIME_2]", "4 May", "DATE_TIME"),
            ("[NUMBER_1]", "63", "NUMBER"),
        ]
    )
    assert made.restore(reply) == back
    assert made.left_out == 0


def test_a_placeholder_of_two_things_is_left_out_once():
    made = SurrogateMap.of([("[PERSON_1]", "Zoe", "PERSON"), ("[PERSON_1]", "Max", "PERSON")])
    assert made.left_out == 1
    assert made.restore("PERSON_1, [PERSON_1]") == "PERSON_1, [PERSON_1]"


def test_restore():
    assert MAP.restore("OKAFOR takes 120 mg") == "RAGHUNATHAN takes 500 mg"
    assert SurrogateMap().restore("as it is") == "as it is"


def test_nothing_private_is_shown():
    shown = f"{MAP!r} {MAP} {MAP.entries!r} {MAP.entries[0]}"
    assert SECRET not in shown
    assert "Okafor" not in shown
    assert "3 entries" in repr(MAP)


def test_what_cannot_be_put_back_is_left_out_and_counted():
    pairs = [
        ("Ann", "Priya", "PERSON"),
        ("Ann", "Zoë", "PERSON"),
        ("[MASK]", "zorbax", "WORD"),
        (" ", "\u2003", "SPACE"),
        ("", "\u200d", "CONTROL"),
        ("*", "§", "SYMBOL"),
        ("Bob", "Max", "PERSON"),
    ]
    made = SurrogateMap.of(pairs)
    assert made.restore("Ann [MASK] * Bob") == "Ann [MASK] * Max"
    assert made.left_out == 5
    assert len(made) == 7


def test_a_short_number_is_not_put_back():
    """It would turn up in lists and doses that have nothing to do with it."""
    short = [("2", "5"), ("17", "63"), ("7th", "3rd"), ("1.2", "3.4"), ("B", "J")]
    long = [("170", "630"), ("17.05", "63.21"), ("100th", "200th"), ("B12", "J77")]
    made = SurrogateMap.of((sent, kept, "NUMBER") for sent, kept in short + long)
    reply = "1. 2. 17, 7th, section 1.2, plan B; "
    assert made.restore(reply + "170 17.05 100th B12") == reply + "630 63.21 200th J77"
    assert made.left_out == len(short)


def test_a_short_number_is_put_back_beside_its_neighbours():
    made = SurrogateMap(
        (
            MapEntry("7", "5", "NUMBER", (("paid about", "million in"),)),
            MapEntry("7", "9", "NUMBER", (("the", "goal"),)),
            MapEntry("31", "28", "NUMBER", (("kicked", "yard"),)),
            MapEntry("K", "J", "PERSON_INITIAL", (("smith", "brown"),)),
            MapEntry("%", "‰", "SYMBOL", (("about 12", "of all"),)),
        )
    )
    assert made.restore("7 million") == "5 million"
    assert made.restore("7 Goals!") == "9 Goals!"
    assert made.restore("7") == "7"  # it may be either
    assert made.restore("It is 31.") == "It is 28."
    assert made.restore("31 reasons: 1. 7 and 31") == "31 reasons: 1. 7 and 31"
    assert made.restore("plan K, Smith K. Brown, 12% of all, 3%") == (
        "plan K, Smith J. Brown, 12‰ of all, 3%"
    )
    assert made.left_out == 0
    assert SurrogateMap.from_json(made.to_json()) == made


@pytest.mark.parametrize("version", [1, 2, 4, None])
def test_maps_of_other_versions_are_refused(version):
    content = json.loads(MAP.to_json()) | {"version": version}
    with pytest.raises(MapError, match="another version"):
        SurrogateMap.from_json(json.dumps(content))


def test_only_strings_are_replies():
    with pytest.raises(InputError, match="bytes"):
        MAP.restore(b"Okafor")


def test_a_single_masked_word_is_not_put_back_either():
    """`[MASK]` may have stood in the input."""
    made = SurrogateMap.of([("[MASK]", "zorbax", "WORD")])
    assert made.restore("[MASK]") == "[MASK]"


def test_repeats_and_possessives_are_one_entry():
    made = SurrogateMap.of(
        [
            ("Okafor", SECRET, "PERSON"),
            ("Okafor's", f"{SECRET}’s", "PERSON"),
            ("Okafor", SECRET, "PERSON"),
        ]
    )
    assert made.entries == (MapEntry("Okafor", SECRET, "PERSON"),)


def test_an_original_may_have_two_surrogates():
    made = SurrogateMap.of([("Ann", SECRET, "PERSON"), ("Bob", SECRET, "PERSON")])
    assert made.restore("Ann and Bob") == f"{SECRET} and {SECRET}"


WORD = st.text("abcdefgh", min_size=3, max_size=6).map("z{}z".format)


@given(st.lists(WORD, min_size=1, max_size=8, unique=True), st.lists(st.integers(0, 7)))
def test_with_drawn_surrogates_a_text_comes_back(originals, order):
    surrogate, noise = _SURROGATE, fresh(len(originals))
    pairs: dict[str, str] = {}
    for number, original in enumerate(originals):
        attempt = 0
        where = noise.take(slice(number, number + 1))
        kind = ("PERSON", "LOCATION", "ORGANIZATION", "EMAIL_ADDRESS", "WORD")[number % 5]
        while (drawn := surrogate.draw(kind, number, "a", where, attempt)) in pairs.values():
            attempt += 1
        pairs[original] = drawn
    made = SurrogateMap.of((drawn, original, "WORD") for original, drawn in pairs.items())
    words = [originals[number % len(originals)] for number in order]
    assert made.restore(". ".join(pairs[word] for word in words)) == ". ".join(words)


_SURROGATE = Surrogate()


# Its file ------------------------------------------------------------------------------------


ANY = st.text(max_size=9)


@given(st.lists(st.tuples(ANY, ANY, ANY), max_size=6))
def test_json_round_trip(entries):
    made = SurrogateMap.of(entries)
    assert SurrogateMap.from_json(made.to_json()) == made
    assert made.to_json().isascii()


def test_file_round_trip(tmp_path):
    path = tmp_path / "note.map.json"
    MAP.save(path)
    assert SurrogateMap.load(path) == MAP
    content = json.loads(path.read_text())
    assert content["note"].startswith("PRIVATE")
    assert (content["format"], content["version"]) == ("privstamp-map", 3)


@POSIX
@pytest.mark.parametrize("force", [False, True])
def test_nobody_else_may_read_it_whatever_the_umask(tmp_path, force):
    path = tmp_path / "map.json"
    before = os.umask(0)
    try:
        MAP.save(path, force=force)
    finally:
        os.umask(before)
    assert mode(path) == 0o600


@POSIX
def test_private_from_the_first_byte(tmp_path, monkeypatch):
    """Looked at when the file exists and nothing is in it yet."""
    path, seen = tmp_path / "map.json", []
    fill = maps._fill

    def look(handle, where, content):
        seen.append((stat.S_IMODE(os.fstat(handle).st_mode), os.fstat(handle).st_size))
        fill(handle, where, content)

    monkeypatch.setattr(maps, "_fill", look)
    before = os.umask(0)
    try:
        MAP.save(path)
        MAP.save(path, force=True)
    finally:
        os.umask(before)
    assert seen == [(0o600, 0), (0o600, 0)]


def test_a_map_is_not_overwritten_unless_forced(tmp_path):
    path = tmp_path / "map.json"
    path.write_text("somebody's")
    path.chmod(0o644)
    with pytest.raises(MapError, match="--force"):
        MAP.save(path)
    assert path.read_text() == "somebody's"
    MAP.save(path, force=True)
    assert SurrogateMap.load(path) == MAP
    assert [each.name for each in tmp_path.iterdir()] == ["map.json"]


@POSIX
def test_a_link_is_never_written_through(tmp_path):
    target, link = tmp_path / "elsewhere", tmp_path / "map.json"
    link.symlink_to(target)
    with pytest.raises(MapError, match="--force"):
        MAP.save(link)
    assert not target.exists()
    target.write_text("kept")
    MAP.save(link, force=True)
    assert target.read_text() == "kept"
    assert not link.is_symlink()


@POSIX
def test_only_ordinary_files_are_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for target in (tmp_path, pipe):
        with pytest.raises(MapError, match="not an ordinary file"):
            MAP.save(target, force=True)
    assert [each.name for each in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize("name", ["missing/map.json", "nul\0"])
def test_unwritable_places_are_named(tmp_path, name):
    with pytest.raises(MapError, match="cannot write the map") as caught:
        MAP.save(tmp_path / name)
    assert caught.value.__context__ is None
    with pytest.raises(MapError, match="cannot read the map") as caught:
        SurrogateMap.load(tmp_path / name)
    assert caught.value.__context__ is None


@pytest.mark.parametrize("force", [False, True])
def test_a_failed_write_leaves_nothing(tmp_path, monkeypatch, force):
    def full(*_):
        raise OSError(28, "No space left on device")

    class Full:
        write = full

        def __init__(self, handle, *_):
            os.close(handle)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(maps.os, "fdopen", Full)
    with pytest.raises(MapError, match="the disk is full"):
        MAP.save(tmp_path / "map.json", force=force)
    assert list(tmp_path.iterdir()) == []


def test_one_of_two_writers_wins(tmp_path):
    """Exclusive creation: of many unforced writers exactly one succeeds."""
    path, outcomes = tmp_path / "map.json", []

    def write():
        try:
            MAP.save(path)
            outcomes.append("written")
        except MapError:
            outcomes.append("refused")

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused"] * 7 + ["written"]


@POSIX
@pytest.mark.parametrize(("bits", "wide"), [(0o600, False), (0o640, True), (0o604, True)])
def test_wide_permissions_are_told(tmp_path, bits, wide):
    path = tmp_path / "map.json"
    MAP.save(path)
    path.chmod(bits)
    loaded = SurrogateMap.load(path)
    assert loaded.wide_permissions is wide
    assert loaded.entries == MAP.entries


GOOD = json.loads(MAP.to_json())
BAD = {
    "empty": "",
    "no json": f"{{{SECRET}",
    "deep": "[" * 100_000,
    "a list": "[]",
    "a number": "7",
    "another format": json.dumps({**GOOD, "format": SECRET}),
    "another version": json.dumps({**GOOD, "version": 2}),
    "no entries": json.dumps({key: GOOD[key] for key in ("format", "version", "note")}),
    "entries of another type": json.dumps({**GOOD, "entries": {SECRET: 1}}),
    "an entry without original": json.dumps({**GOOD, "entries": [{"surrogate": SECRET}]}),
    "an entry that is a number": json.dumps({**GOOD, "entries": [7]}),
    "a value that is no text": json.dumps(
        {**GOOD, "entries": [{"surrogate": SECRET, "original": None, "kind": ""}]}
    ),
    "neighbours that are no pairs": json.dumps(
        {**GOOD, "entries": [{**GOOD["entries"][0], "beside": [["one"]]}]}
    ),
    "neighbours that are no text": json.dumps(
        {**GOOD, "entries": [{**GOOD["entries"][0], "beside": [["one", 2]]}]}
    ),
    "an entry with more": json.dumps({**GOOD, "entries": [{**GOOD["entries"][0], "x": ""}]}),
    "not UTF-8": b"\xff\xfe\x00" + SECRET.encode(),
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD.keys())
def test_bad_files_are_refused_without_quoting_them(tmp_path, content):
    path = tmp_path / "map.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(MapError) as caught:
        SurrogateMap.load(path)
    assert SECRET not in str(caught.value)
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


@POSIX
def test_only_ordinary_files_are_read(tmp_path, monkeypatch):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for target in (tmp_path, pipe):
        with pytest.raises(MapError, match="ordinary file"):
            SurrogateMap.load(target)
    MAP.save(tmp_path / "map.json")
    monkeypatch.setattr(maps, "LARGEST", 10)
    with pytest.raises(MapError, match="ordinary file of at most"):
        SurrogateMap.load(tmp_path / "map.json")
