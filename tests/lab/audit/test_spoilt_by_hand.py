"""Mutants do what their names say: one that breaks nothing would prove nothing."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from privstamp.lab.audit import selftest, spoilt
from privstamp.lab.audit.canaries import FRAME, HIDDEN
from privstamp.lab.audit.selftest import MUTANTS, Mutant, ToySpace
from privstamp.noise import Randomness
from privstamp.types import UNKNOWN, Finding, Label

IDS = np.arange(12, dtype=np.int32)
EPSILON = np.linspace(1.0, 12.0, 12)


def echo(_self, ids, epsilon, _noise):
    """A mechanism that says which epsilon it was given."""
    return epsilon


def stays(_self, ids, _epsilon, _noise):
    return ids


def test_luck_hits_as_often_as_it_is_told():
    hits = spoilt.by_luck(0.2, 50_000)
    assert hits.dtype == bool and abs(hits.mean() - 0.2) < 0.02
    assert not spoilt.by_luck(0.0, 1_000).any() and spoilt.by_luck(1.0, 1_000).all()
    assert (spoilt.by_luck(0.5, 64) != spoilt.by_luck(0.5, 64)).any()  # never the same


def test_louder_mechanisms_get_another_epsilon_and_the_rest_as_it_is():
    broken = spoilt.louder(lambda epsilon: 1.25 * epsilon)
    assert broken(echo, None, IDS, EPSILON, None) == pytest.approx(1.25 * EPSILON)
    (mutant,) = (m for m in MUTANTS if m.name.startswith("noise is ten times"))
    (patch,) = mutant.patches.values()
    given = patch(echo, None, IDS, EPSILON, None)
    assert given[EPSILON < 5] == pytest.approx(EPSILON[EPSILON < 5])
    assert given[EPSILON >= 5] == pytest.approx(10 * EPSILON[EPSILON >= 5])


def test_one_word_in_a_hundred_leaves_verbatim():
    moved = np.full(40_000, 7, dtype=np.int32)
    ids = np.full(40_000, 3, dtype=np.int32)
    out = spoilt.verbatim_inside(lambda *_: moved, None, ids, None, None)
    assert set(out.tolist()) == {3, 7} and abs((out == 3).mean() - 0.01) < 0.004


def test_a_word_that_is_never_itself_is_the_next_one():
    part = SimpleNamespace(_space=SimpleNamespace(unit=np.zeros((12, 2))))
    out = spoilt.never_itself(stays, part, IDS, EPSILON, None)
    assert out.tolist() == [*range(1, 12), 0]
    elsewhere = spoilt.never_itself(lambda *_: IDS[::-1], part, IDS, EPSILON, None)
    assert elsewhere.tolist() == IDS[::-1].tolist()


@dataclass
class Units:
    text: str
    labels: Any = None
    rows: Any = None

    def surface(self, unit):
        return self.text.split()[unit]


@dataclass
class Document:
    units: Units
    findings: list = field(default_factory=list)
    key: bytes = b""
    drawn: Any = None
    epsilon: Any = None
    pages: Any = ()


def test_capitalised_words_alone_pass():
    labels = np.array([Label.TITLE, Label.LOWER, Label.TITLE], dtype=np.uint8)
    units = Units("A b C", labels, np.array([1, 2, 3], dtype=np.int32))
    document = Document(units, drawn=np.arange(3))
    (rows,) = spoilt.capitals_pass(lambda _: [np.array([9, 9, 9])], [document])
    assert rows.tolist() == [1, 9, 3]


def test_a_fifth_of_the_rows_is_put_back():
    many = 20_000
    units = Units("", rows=np.full(many, 4, dtype=np.int32))
    document = Document(units, drawn=np.arange(many))
    (rows,) = spoilt.verbatim_after(lambda _: [np.full(many, 9)], [document])
    assert abs((rows == 4).mean() - 0.2) < 0.02


def test_words_that_are_freed_are_the_last_or_the_unknown():
    def labelled():
        return Document(
            Units("a b c", rows=np.array([1, UNKNOWN, 2])), epsilon=np.zeros(3), pages=("abc", "")
        )

    last = spoilt.last_word_free(lambda *_: labelled(), None, None)
    assert last.epsilon.tolist() == [0, 0, np.inf]
    unknown = spoilt.unknown_pass(lambda *_: labelled(), None, None)
    assert unknown.epsilon.tolist() == [0, np.inf, 0]


TEXT = "Zora Quelm wrote to Zora Quelm and Bram"
FINDINGS = [Finding(start, end, "PERSON", 1.0, "t", "t")
            for start, end in ((0, 10), (20, 30), (35, 39))]  # fmt: skip


def searched(*_):
    return [Document(Units(TEXT), FINDINGS)]


def test_only_first_mentions_are_found():
    (document,) = spoilt.fewer_findings(spoilt.first_mentions)(searched)
    assert [TEXT[f.start : f.end] for f in document.findings] == ["Zora Quelm", "Bram"]


def test_a_finding_ends_after_its_first_word():
    (document,) = spoilt.one_word_spans(searched)
    assert [TEXT[f.start : f.end] for f in document.findings] == ["Zora", "Zora", "Bram"]


def test_results_are_changed_after_all_else():
    @dataclass(frozen=True)
    class Written:
        result: Any

    @dataclass(frozen=True)
    class Result:
        text: str
        task: str | None = None

    def sound(_self, _document, **_named):
        return Written(Result("said", "asked"))

    document = SimpleNamespace(task="the task as it was")
    marked = spoilt.result(spoilt.watermarked)(sound, None, document)
    assert marked.result == Result("said" + HIDDEN, "asked")
    leaked = spoilt.result(spoilt.task_as_it_was)(sound, None, document)
    assert leaked.result == Result("said", "the task as it was")


def test_a_repeated_call_is_remembered_by_its_text():
    calls = []

    def sound(_self, text, task=None, **_named):
        calls.append(text)
        return f"{text} {len(calls)}"

    broken = spoilt.remembered()
    assert [broken(sound, None, text) for text in ("a", "b", "a")] == ["a 1", "b 2", "a 1"]
    assert calls == ["a", "b"]
    assert spoilt.remembered()(sound, None, "a") == "a 3"  # another process has another memory


def test_addresses_and_keys_fall_together():
    seen = spoilt.one_address(lambda *given: given, "keys", "documents", np.arange(5), "more")
    assert seen[2].tolist() == [0] * 5 and seen[3] == "more"
    documents = [Document(Units(""), key=key) for key in (b"first", b"second")]
    keyed = spoilt.one_key_a_batch(lambda _self, given: given, None, documents)
    assert [document.key for document in keyed] == [b"first", b"first"]


def test_a_generator_in_memory_goes_on_from_where_a_fork_found_it():
    broken = spoilt.copied_state()
    first, second = broken(), broken()
    assert first != second and len(first) == 32
    assert spoilt.copied_state()() != first  # begun anew from the operating system


@pytest.mark.parametrize(
    ("change", "was", "new", "becomes"),
    [
        (spoilt.three_letters, "Zoraquel", "Bramfelt", "Zormfelt"),
        (spoilt.three_letters, "12 Oak", "7 Elm", "7 Elm"),
        (spoilt.last_digits, "7001234", "9876543", "9871234"),
        (spoilt.last_digits, "Zora", "Bram", "Bram"),
        (spoilt.local_part, "zora.q@example.org", "b@example.net", "zora.q@example.com"),
        (spoilt.local_part, "Zora", "Bram", "Bram"),
        (spoilt.next_week, "25 December 1999", "1 May 2001", "3 January 2000"),
        (spoilt.next_week, "25 Dezember", "1 May 2001", "1 May 2001"),
        (spoilt.same_month, "25 December 1999", "1 May 2001", "1 December 1999"),
        (spoilt.same_month, "Zora Quelm", "1 May 2001", "1 May 2001"),
        (spoilt.of_ten, "Zora", "7 Elm", "7 Elm"),
    ],
)
def test_surrogates_keep_of_the_original_what_the_mutant_says(change, was, new, becomes):
    assert change(was, new) == becomes


def test_names_of_ten_are_ten():
    names = {spoilt.of_ten("Zora", "Bram") for _ in range(600)}
    assert len(names) == 10 and all(name.endswith("lina") for name in names)


SHARES = [(spoilt.leaving(share), share) for share in (0.05, 0.02)]


@pytest.mark.parametrize(("change", "share"), SHARES)
def test_some_things_leave_as_they_were(change, share):
    kept = sum(change("was", "new") == "was" for _ in range(8_000)) / 8_000
    assert abs(kept - share) < share / 2


class Pool:
    """A replacement that draws by its noise alone."""

    def draw(self, _pool, _number, _form, noise, _at):
        return f"N{int(noise.words(1, 0)[0, 0]) % 1000:03}"


class Thing(NamedTuple):
    """As much of a thing that gets a surrogate as broken draws look at."""

    mention: Any
    pool: str = "PERSON"
    form: str = ""
    position: int = 0
    replacement: Any = Pool()


def things(*originals, **more):
    return [Thing(SimpleNamespace(original=original), **more) for original in originals]


def strings(patches):
    (patch,) = patches.values()
    return patch


def test_a_changed_draw_sees_the_original_beside_the_surrogate():
    broken = strings(spoilt.drawn(spoilt.three_letters))
    drawn = broken(lambda *_: ["Bramfelt", "7 Elm"], None, things("Zoraquel", "12 Oak"))
    assert drawn == ["Zormfelt", "7 Elm"]


def test_a_draw_by_a_hash_depends_on_the_original_alone():
    broken, other = strings(spoilt.hashed(b"public")), strings(spoilt.hashed(b"else"))
    (first,) = broken(None, None, things("Zora"))
    assert broken(None, None, things("Zora", "ZORA", position=9)) == [first, first]  # folded
    assert broken(None, None, things("Bram")) != [first]
    assert other(None, None, things("Zora")) != [first]


def test_a_draw_is_made_again_until_it_fits():
    even = strings(spoilt.redrawn(lambda _was, new: int(new[1:]) % 2 == 0))
    odd = things(*["Zora"] * 40)
    drawn = even(lambda *_: ["N001"] * 40, None, odd)
    assert all(int(name[1:]) % 2 == 0 for name in drawn) and len(set(drawn)) > 10
    assert even(lambda *_: ["N002"], None, odd[:1]) == ["N002"]
    never = strings(spoilt.redrawn(lambda *_: False))
    assert never(lambda *_: ["N001"], None, odd[:1])[0].startswith("N")  # gives up


def test_one_thing_stands_for_all_of_a_type():
    line, count = SimpleNamespace(), iter(range(9))

    def draw(_self, some):
        return [f"N{next(count)}" for _ in some]

    some = [*things("a", "b"), *things("c", pool="URL"), *things("d", form="x")]
    assert spoilt.one_for_all(draw, line, some) == ["N0", "N0", "N2", "N3"]
    assert spoilt.one_for_all(draw, line, things("e", pool="URL")) == ["N2"]  # a later call
    assert spoilt.one_for_all(draw, SimpleNamespace(), things("a")) == ["N5"]  # another text


def test_a_possessive_is_put_back():
    done = SimpleNamespace(units=Units("Zora's Bram"), surfaces=["A's", "B"])
    for slot in (0, 1):
        mention = SimpleNamespace(slot=slot, unit=slot)
        spoilt.possessive_leaks(lambda *_: None, None, done, mention)
    assert done.surfaces == ["Zora's", "B"]


def test_a_mention_that_is_forgotten_is_no_thing_that_was_met():
    class Mention(NamedTuple):
        thing: tuple[int, str]

    def met(_self, _done, _slot):
        return Mention((0, "zora"))

    spelt = [spoilt.forgetful(met, None, None, slot).thing for slot in (3, 8)]
    assert spelt == [(0, "zora 3"), (0, "zora 8")]


def test_maps_hold_the_originals_of_the_next():
    @dataclass(frozen=True)
    class Entry:
        surrogate: str
        original: str

    entries = (Entry("a", "A"), Entry("b", "B"), Entry("c", "C"))
    turned = spoilt.shifted_originals(lambda: entries)
    assert [(entry.surrogate, entry.original) for entry in turned] == [
        *zip("abc", "BCA", strict=True)
    ]


def test_every_patch_names_something_that_is_there():
    for mutant in MUTANTS:
        for where in mutant.patches:
            owner, name = selftest._place(where)
            assert callable(getattr(owner, name)), (mutant.name, where)


def test_the_line_is_sound_again_after_a_mutant_even_if_it_breaks():
    sound = Randomness.key
    mutant = Mutant("x", "noise", {selftest.KEY: lambda *_: bytes(32)})

    def broken():
        with mutant.at_work():
            assert Randomness.make(seed=1).key(b"any") == bytes(32)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert Randomness.key is sound


def test_a_patch_that_names_nothing_leaves_nothing_behind():
    sound = Randomness.key
    mutant = Mutant("x", "noise", {selftest.KEY: lambda *_: b"", "privstamp.noise:Gone.key": print})
    with pytest.raises(AttributeError), mutant.at_work():
        pass
    assert Randomness.key is sound


def test_keys_of_the_mutants_repeat_as_they_say():
    patches = {m.name: m.patches[selftest.KEY] for m in MUTANTS if selftest.KEY in m.patches}
    by_text = patches["keys are a public hash of the text"]
    assert by_text(None, None, b"a", b"b") == by_text(None, None, b"ab")
    assert len({patches["keys have eight bits"](None, None) for _ in range(600)}) <= 256
    restless = patches["under a secret a repeat is another release"]
    assert restless(None, None, b"a") != restless(None, None, b"a")
    forgetful = patches["under a secret the noise forgets the text"]
    secret, seeded = Randomness.make(secret=b"s" * 32), Randomness.make(seed=1)
    sound = Randomness.key
    assert forgetful(sound, secret, b"a") == forgetful(sound, secret, b"b")
    assert forgetful(sound, seeded, b"a") != forgetful(sound, seeded, b"b")


def test_the_toy_space_holds_the_words_of_the_canaries():
    space = ToySpace()
    units = space.split(" ".join(FRAME))
    assert (units.rows != UNKNOWN).all() and space.words(units.rows) == list(FRAME)
    assert np.linalg.norm(space.unit, axis=1) == pytest.approx(1.0, rel=1e-5)
    titled = space.render(units.rows[:2], np.array([Label.TITLE, Label.LOWER], dtype=np.uint8))
    assert titled == [FRAME[0].capitalize(), FRAME[1]]
    assert space.split(" ".join(FRAME)) is units  # read once
    assert (ToySpace().unit == space.unit).all()


def test_half_of_the_toy_words_are_important():
    space = ToySpace()
    units = space.split(" ".join(space.words(space.outputs[0])))
    (scores,) = selftest._Halves().score([units], [None])
    important = scores.values > scores.threshold
    assert abs(important.mean() - 0.5) < 0.05


def test_noise_of_the_first_unit_stands_for_all():
    some = [thing._replace(position=n) for n, thing in enumerate(things("a", "b", "c"))]
    drawn = spoilt.one_place(lambda _, given: [thing.position for thing in given], None, some)
    assert drawn == [0, 0, 0] and [thing.position for thing in some] == [0, 1, 2]


def test_frozen_parts_of_a_document_are_replaced_and_not_changed():
    document = Document(Units(TEXT), FINDINGS)
    spoilt.fewer_findings(lambda *_: False)(lambda: [document])
    assert document.findings is FINDINGS and len(FINDINGS) == 3
