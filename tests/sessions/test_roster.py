"""Names of earlier texts are looked for where one of their words stands, and nowhere else."""

from itertools import permutations

from privstamp.release.roster import Roster
from privstamp.types import Finding
from toys import ToySpace


class Telling:
    """A detector that says which names it was told of."""

    def across(self, first, second):
        self.told = first[0].text.split("\n")
        return first[1], second[1]


def told(roster, text):
    detector = Telling()
    detector.told = []
    roster.more(ToySpace().split(text), [], detector)
    return detector.told


def roster_of(*names):
    roster = Roster()
    for name in names:
        roster.learn(name, [Finding(0, len(name), "PERSON", 1.0, "a + b", "c")])
    return roster


def test_only_names_of_which_the_text_has_a_word():
    roster = roster_of("Priya Raghunathan", "Zworg Blarg", "ÉMILE Ó Blarg")
    assert told(roster, "no such thing") == []
    assert told(roster, "we met ZWORG.") == ["Zworg Blarg"]
    assert told(roster, "the blargs, and blarg's") == ["Zworg Blarg", "ÉMILE Ó Blarg"]
    assert told(roster, "émile") == told(roster, "Émile") == ["ÉMILE Ó Blarg"]


def test_names_that_are_glued_together():
    roster = roster_of("Priya Raghunathan")
    for first, last in permutations(("priya", "raghunathan")):
        for word in (first + last, first[0] + last, first + last[0]):
            assert told(roster, f"write to {word}@example.com") == ["Priya Raghunathan"]


def test_what_is_learned_later_is_known_and_twice_is_twice():
    roster = roster_of("Zworg Blarg")
    assert told(roster, "Zworg Quux") == ["Zworg Blarg"]
    roster.learn("Quux", [Finding(0, 4, "PERSON", 1.0, "a", "c")])
    roster.learn("Quux", [Finding(0, 4, "PERSON", 1.0, "a", "c")])
    assert told(roster, "Zworg Quux") == ["Quux", "Quux", "Zworg Blarg"]
