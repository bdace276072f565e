"""A map that grows turn by turn is the map that is made at once, and earlier ones stay."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from privstamp.restore.entry import MapEntry
from privstamp.restore.map import Entries, Growing, SurrogateMap

WORDS = ("Vera", "Coulter", "VERA", "Page", "page", "1,000", "1000", "12", "[DATE_1]", "V.")
STRINGS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(" ".join)
BESIDE = st.lists(st.tuples(st.just("has"), st.sampled_from(("apples", ""))), max_size=1)
ENTRIES = st.builds(
    MapEntry,
    STRINGS,
    st.sampled_from(("Priya Rao", "Rao", "Zo\u00eb Ortiz", "7", "2,000")),
    st.sampled_from(("PERSON", "LOCATION")),
    BESIDE.map(tuple),
)
REPLIES = st.lists(st.sampled_from((*WORDS, "V. Coulter", "has", "apples", "DATE 1")), max_size=6)


def turns(batches: list[list[MapEntry]]) -> list[SurrogateMap]:
    growing = Growing()
    maps = []
    for batch in batches:
        growing.add(tuple(batch), ())
        maps.append(growing.map)
    return maps


@given(st.lists(st.lists(ENTRIES, max_size=4), min_size=1, max_size=4), REPLIES.map(" ".join))
def test_every_map_on_the_way_is_the_one_made_at_once(batches, reply):
    for end, grown in enumerate(turns(batches), start=1):
        entries = tuple(Entries(entry for batch in batches[:end] for entry in batch))
        made = SurrogateMap(entries)
        assert grown.entries == made.entries
        assert grown.left_out == made.left_out
        for trusted in (False, True):
            both = (of.restore(reply, trusted=trusted) for of in (grown, made))
            assert len({text.casefold() for text in both}) == 1  # of two cases either may come


def test_of_what_is_new_alone(monkeypatch):
    growing = Growing()
    growing.add(tuple(MapEntry(f"Name{n}", f"Value{n}", "PERSON") for n in range(50)), ())
    assert growing.map.restore("Name7") == "Value7"
    asked = []
    returns = MapEntry.returns.fget
    monkeypatch.setattr(MapEntry, "returns", property(lambda e: asked.append(e) or returns(e)))
    growing.add((MapEntry("Vera", "Priya", "PERSON"),), ())
    assert growing.map.restore("Vera met Name7.") == "Priya met Value7."
    assert [entry.surrogate for entry in asked] == ["Vera"]
    assert growing.map is growing.map
