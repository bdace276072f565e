"""Noise in a session: the same for a stretch that comes again, another for anything else."""

from dataclasses import replace

import numpy as np
import pytest

from line import Named, make
from privstamp.budget import Budget
from privstamp.errors import InputError, UsageError
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.release.document import Chosen, Document, grown
from privstamp.release.parts import assemble
from privstamp.sessions.messages import read_messages
from privstamp.sessions.stretches import Stretches
from privstamp.sessions.versions import matched
from toys import ToySpace

WORDS = "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16"
LISTED = ["Quux", *(f"Name{chr(97 + n)}on" for n in range(4))]
LOW = Budget.of([0.1, 0.1, 0.1, 0.1])


def user(text):
    return {"role": "user", "content": text}


@pytest.fixture
def privatizer(monkeypatch):
    return make(monkeypatch, budget=LOW)


def test_all_of_what_is_released_by_its_value_is_in_its_address():
    """Four units after the first are not all of a long span: two of them would share noise."""
    span = "60 or 61 or 62 or 63 or {} bpm"
    values = [{"kind": "QUANTITY", "unit": "bpm", "low": 30, "high": 220, "epsilon": 0.02}]
    policy = Policy.of({"numeric": values})
    kinds = {span.format(last): "QUANTITY" for last in (100, 110)}
    line = Privatizer(policy, parts=replace(assemble(policy), sensitivity=Named(kinds)))
    chat = line.session()
    first, second = (chat.privatize(f"It was {span.format(last)}.").text for last in (100, 110))
    assert first.split()[:8] != second.split()[:8]  # the same by chance: 1 in 10,000
    assert chat.privatize(f"It was {span.format(100)}.").text == first


def test_what_has_left_meets_the_same_noise_again(privatizer):
    chat = privatizer.session()
    first = chat.privatize(WORDS).text
    assert first != WORDS
    longer = chat.privatize(f"{WORDS}\n\nw20 w21 w22").text
    assert longer.startswith(f"{first}\n\n")
    appended = chat.privatize(f"{WORDS} w30").text.split()
    assert appended[:12] == first.split()[:12]
    assert chat.privatize(f"w40 {WORDS}").text.split()[5:] == first.split()[4:]
    assert privatizer.session().privatize(WORDS).text != first
    assert privatizer.privatize(WORDS).text != first


def test_another_origin_shares_no_noise(privatizer):
    chat = privatizer.session()
    out = chat.privatize(
        [
            user(WORDS),
            {"role": "tool", "name": "a", "content": WORDS},
            {"role": "tool", "name": "b", "content": WORDS},
            {"role": "assistant", "content": WORDS},
            {"role": "system", "content": WORDS},
        ]
    )
    texts = [message["content"] for message in out.messages]
    assert len(set(texts)) == 4 and texts[0] == texts[4]


def test_a_message_with_surrogates_of_its_own_meets_no_new_noise(monkeypatch):
    """Or a tool whose results list names would give fresh draws of old words, and no charge."""
    line = make(monkeypatch, budget=LOW, kinds=dict.fromkeys(LISTED, "PERSON"))
    chat = line.session(foreign_names=(0, 0))

    def sent(name):
        told = {"role": "tool", "name": "a", "content": f"{WORDS}\n\n{name}"}
        out = chat.privatize([told])
        facts = out.certificate.session
        assert facts.apart == 1
        words, _, name = out.text.partition("\n\n")
        return words, name, facts.addresses

    seen = [sent(name) for name in LISTED]
    assert len({words for words, *_ in seen}) == len({count for *_, count in seen}) == 1
    assert len({name for _, name, _ in seen}) == len(LISTED) and seen[0][0] != WORDS


@pytest.mark.parametrize("names", [(50, 200), (0, 0)])
def test_a_value_that_comes_again_is_drawn_once(names):
    """Many draws would tell it: in paragraphs, in texts, and beside names of others."""
    values = [{"kind": "AGE", "low": 0, "high": 1000, "epsilon": 0.001}]
    policy = Policy.of({"numeric": values})
    kinds = {"47": "AGE"} | dict.fromkeys(LISTED, "PERSON")
    line = Privatizer(policy, parts=replace(assemble(policy), sensitivity=Named(kinds)))
    chat = line.session(foreign_names=names)
    texts = [f"They are 47.\n\nOthers are 47.\n\n{name} came." for name in LISTED]
    told = [{"role": "tool", "name": "a", "content": text} for text in texts]
    out = chat.privatize(told)
    ages = {word for text in out.messages for word in text["content"].split() if word[0].isdigit()}
    assert len(ages) == 1 and out.certificate.session.apart == (0 if names[0] else len(LISTED))
    assert [value.draws for value in out.certificate.values] == [len(LISTED)]


def test_words_that_no_list_knows_are_guesses_though_nobody_found_them(privatizer):
    words = [f"zelwi{chr(97 + n)}arg" for n in range(20)]
    for most, apart in ((19, 1), (20, 0)):
        chat = privatizer.session(foreign_names=(most, 200))
        users = chat.privatize(words[7]).text
        listed = {"role": "tool", "name": "a", "content": ", ".join([*words, "w1", "?", "47"])}
        out = chat.privatize([user(words[7]), listed])
        assert out.certificate.session.apart == apart
        assert (users in out.text.split(", ")) == (not apart)
        assert out.certificate.session.foreign_names == (0 if apart else 20)


def test_repeats_cost_nothing_and_are_not_counted(privatizer):
    chat = privatizer.session()
    once = chat.privatize(WORDS).certificate.session.addresses
    assert once == 16
    assert chat.privatize([user(WORDS), user(WORDS)]).certificate.session.addresses == once
    assert chat.privatize(f"{WORDS}\n\n{WORDS}").certificate.session.addresses == 2 * once
    assert chat.privatize(f"{WORDS}\n\nw17").certificate.session.addresses == 2 * once + 1


def address(privatizer, text, unit, *, origin="own", epsilon=None, group=None, key=b"k" * 32):
    """The address of one unit in a first message, with other labels if they are given."""
    line = privatizer
    stretches = Stretches(key, line.facts, line.parts, line.policy.budget)
    [document] = privatizer._label([Document(0, text, None)])
    if epsilon is not None:
        document.epsilon[unit] = epsilon
    if group is not None:
        document.grouping.groups[unit] = group
    none = np.arange(0)  # how often it was drawn does not matter here
    chosen = grown(Chosen, document, drawn=none, shared=none, positions=none)
    return stretches.of(origin).positions(chosen)[unit]


def test_everything_that_a_law_depends_on_is_in_the_address(privatizer):
    def at(text=WORDS, unit=8, **labels):
        return address(privatizer, text, unit, **labels)

    here = at()
    assert here == at(f"w90 {WORDS}", 9) == at(f"{WORDS} w91")  # far away
    assert here == at(f"w1 w2\n\n{WORDS}", 10)
    others = [
        at(WORDS.replace("w9 ", "w99 ")),  # its own text
        at(WORDS.replace("w5 ", "w99 ")),  # a neighbour's
        at(WORDS.replace("w13", "w99")),
        at(WORDS.replace("w6 w7", "w6\n\nw7")),  # a paragraph between them
        at(f"{WORDS}\n\n{WORDS}", 24),  # a second copy
        at(origin="tool:a"),
        at(epsilon=0.2),
        at(group=1),
        at(key=b"l" * 32),  # another session
        at(unit=7),
    ]
    assert len({here, *others}) == len(others) + 1
    assert at(f"{WORDS}\n\n{WORDS}", 8) == here
    assert all(0 <= one < 2**63 for one in (here, *others))


def test_the_condition_is_needed(privatizer):
    """The same word again or another one: told apart for sure, whatever the budget."""
    chat = privatizer.session()
    same = [chat.privatize([user("w1"), user("w1")]).messages for _ in range(2)]
    assert same[0][0]["content"] == same[0][1]["content"]
    pairs = [privatizer.session().privatize([user("w1"), user("w3")]).messages for _ in range(20)]
    assert any(one["content"] != other["content"] for one, other in pairs)


def test_with_one_draw_the_ratio_is_that_of_the_mechanism(monkeypatch):
    """Replays of one word: all outputs of a session are copies of one draw, so the loss of any
    number of them is that of one. A build that drew again would show other words."""
    space = ToySpace(rows=40, dimensions=4)
    privatizer = make(monkeypatch, space=space, budget=LOW)
    for _ in range(20):
        chat = privatizer.session()
        texts = {
            chat.privatize([user("w1"), *[user(f"w1\n\nw{n}")] * n])
            .messages[-1]["content"]
            .split()[0]
            for n in range(1, 6)
        }
        assert len(texts) == 1


def test_importance_is_frozen_when_a_stretch_has_left(monkeypatch):
    privatizer = make(monkeypatch, budget=Budget.of([0.1, 0.1, 0.1, 5.0]))
    chat = privatizer.session()
    [document] = privatizer._label([Document(0, WORDS, None)])
    groups = document.grouping.groups
    assert (chat._stretches.of("own").frozen(document).grouping.groups == groups).all()
    [later] = privatizer._label([Document(0, f"{WORDS}\n\nw20", None)])
    moved = np.where(later.grouping.groups == 4, 3, 4)
    later.grouping.groups[:16] = moved[:16]
    later.epsilon[:16] = privatizer.policy.budget.of_groups(later.grouping.groups)[:16]
    later = chat._stretches.of("own").frozen(later)
    assert (later.grouping.groups[:16] == groups).all()
    assert (later.epsilon == privatizer.policy.budget.of_groups(later.grouping.groups)).all()
    later.grouping.groups[0] = 2  # found to be sensitive: that counts from then on
    later = chat._stretches.of("own").frozen(later)
    assert later.grouping.groups[0] == 2


def test_messages_have_origins():
    names = [
        message.origin for message in read_messages([user("a"), {"role": "tool", "content": "b"}])
    ]
    assert names == ["own", "tool:"]


def test_units_outside_of_edits_keep_their_words(privatizer):
    """Sixty resends, each with another word changed: all others stay as they were, also those
    beside it. Fresh noise would show dozens of words in their place."""
    chat = privatizer.session()
    words = WORDS.split()
    first = chat.privatize(WORDS).text.split()
    for turn in range(60):
        at = turn % len(words)
        edited = [*words[:at], f"w{100 + turn}", *words[at + 1 :]]
        out = chat.privatize(" ".join(edited))
        there = out.text.split()
        assert there[:at] + there[at + 1 :] == first[:at] + first[at + 1 :]
    assert out.certificate.session.addresses == len(words) + 60
    assert chat.privatize(WORDS).text.split() == first


def test_edits_on_edits_keep_their_words(privatizer):
    """A text that changes word by word, grows, and is cut, is aligned with its last version."""
    chat, words = privatizer.session(), WORDS.split()
    before = dict(zip(words, chat.privatize(WORDS).text.split(), strict=True))
    for turn, at in enumerate([3, 4, 12, 5, 9]):
        words[at] = f"w{200 + turn}"
        words.insert(at, f"w{300 + turn}")
        del words[-1]
        out = dict(zip(words, chat.privatize(" ".join(words)).text.split(), strict=True))
        assert all(out[word] == before[word] for word in out.keys() & before.keys())
        before |= out


def test_elsewhere_a_word_between_two_is_drawn_twice_and_then_stays(privatizer):
    """In other texts there is nothing to align with, and what is limited is the redraws."""
    chat = privatizer.session()
    texts = [" ".join(f"w{9 * n + k}" for k in range(20, 29)) for n in range(30)]
    seen = [chat.privatize(f"{t} w1 w2 w3 {t}").text.split()[10] for t in texts]
    assert set(seen[2:]) == {seen[0]}
    assert chat.privatize(WORDS).certificate.session.held >= 28
    alone = privatizer.session(redraws=1)
    assert len({alone.privatize(f"{t} w1 w2 w3 {t}").text.split()[10] for t in texts}) == 1


def test_an_edit_of_another_origin_is_none(privatizer):
    chat = privatizer.session()
    before = chat.privatize(WORDS).text.split()
    other = {"role": "tool", "name": "a", "content": f"{WORDS} w40"}
    assert chat.privatize([other]).text.split()[:16] != before


def test_a_copy_beside_an_aligned_stretch_has_noise_of_its_own(privatizer):
    chat = privatizer.session()
    chat.privatize("w1 w2 w3")
    twice = chat.privatize("w1 w2 w3\n\nw1 w2 w3").certificate.session
    assert twice.addresses == 6


@pytest.mark.parametrize(
    ("before", "after"), [("abc", "abc"), ("", "ab"), ("abcd", "bcd"), ("abcab", "abxcab")]
)
def test_matches_are_of_equal_words_in_order(before, after):
    pairs = list(matched([*before], [*after]))
    assert all(before[one] == after[two] for one, two in pairs)
    assert pairs == sorted(pairs) and len({two for _, two in pairs}) == len(pairs)
    assert len(pairs) == len(set(before) & set(after)) or "x" in after


def test_matches_of_very_different_texts_are_not_looked_for():
    one, two = ([f"{side}{n}" for n in range(2000)] for side in "ab")
    assert list(matched(["x", *one, "y"], ["x", *two, "y"])) == [(0, 0), (2001, 2001)]


class TestTask:
    """Importance by the task: of a chat, its last message of one's own."""

    @pytest.fixture
    def line(self, monkeypatch):
        return make(monkeypatch, budget=Budget.of([0.1, 0.1, 0.1, 0.2]))

    def asked(self, line, monkeypatch):
        tasks, score = [], line.parts.importance.score
        monkeypatch.setattr(
            line.parts.importance, "score", lambda b, t: tasks.extend(t) or score(b, t)
        )
        return tasks

    def test_it_is_the_last_own_message_unless_one_is_given(self, line, monkeypatch):
        tasks, chat = self.asked(line, monkeypatch), line.session()
        chat.privatize([user("w1 w2"), {"role": "tool", "content": "w5"}])
        chat.privatize([user("w1 w2"), user("w3 w4")], task="w9")
        chat.privatize([{"role": "tool", "content": "w6"}])
        assert tasks == ["w1 w2", "w1 w2", "w9", None]
        with pytest.raises(InputError, match="the task is not a string"):
            chat.privatize("w1", task=3)

    def test_where_importance_does_not_count_nobody_asks(self, privatizer, monkeypatch):
        tasks = self.asked(privatizer, monkeypatch)
        privatizer.session().privatize([user("w1 w2"), user("w3 w4")])
        assert tasks == [None, None]

    def test_a_new_task_leaves_what_has_left(self, line):
        chat = line.session()
        first = chat.privatize(WORDS, task="w1 w2").messages
        more = chat.privatize([user(WORDS), user("w9 w8")], task="w9 w8")
        assert more.messages[:1] == first and more.certificate.session.new == 1

    def test_reopened_only_promoted_words_are_drawn_again(self, line):
        chat, words = line.session(on_new_task="reopen"), WORDS.split()
        first = chat.privatize(WORDS, task="w1 w2")
        chosen = self.important(line, "w1 w2")
        again = chat.privatize(WORDS, task="w9 w8")
        promoted = self.important(line, "w9 w8") - chosen
        assert promoted and again.certificate.session.new == 1
        pairs = zip(words, first.text.split(), again.text.split(), strict=True)
        changed = {word for word, one, two in pairs if one != two}
        assert changed and changed <= promoted
        grown_by = again.certificate.session.addresses - first.certificate.session.addresses
        assert grown_by == len(promoted)
        assert chat.privatize(WORDS, task="w1 w2").messages == first.messages  # has left so
        assert chat.privatize(WORDS, task="w9 w8").certificate.session.new == 0

    def important(self, line, task):
        [document] = line._label([Document(0, WORDS, None, asked=task)])
        return {w for w, g in zip(WORDS.split(), document.grouping.groups, strict=True) if g == 4}

    @pytest.mark.parametrize(
        "rules", [{"redraws": 0}, {"redraws": True}, {"on_new_task": "x"}, {"foreign_names": (1,)}]
    )
    def test_rules_that_are_none(self, line, rules):
        with pytest.raises(UsageError):
            line.session(**rules)
