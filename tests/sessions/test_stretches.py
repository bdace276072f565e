"""Noise in a session: the same for a stretch that comes again, another for anything else."""

import numpy as np
import pytest

from line import make
from privstamp.budget import Budget
from privstamp.release.document import Document
from privstamp.sessions.messages import read_messages
from toys import ToySpace

WORDS = "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15 w16"
LOW = Budget.of([0.1, 0.1, 0.1, 0.1])


def user(text):
    return {"role": "user", "content": text}


@pytest.fixture
def privatizer(monkeypatch):
    return make(monkeypatch, budget=LOW)


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


def test_repeats_cost_nothing_and_are_not_counted(privatizer):
    chat = privatizer.session()
    once = chat.privatize(WORDS).certificate.session.addresses
    assert once == 16
    assert chat.privatize([user(WORDS), user(WORDS)]).certificate.session.addresses == once
    assert chat.privatize(f"{WORDS}\n\n{WORDS}").certificate.session.addresses == 2 * once
    assert chat.privatize(f"{WORDS}\n\nw17").certificate.session.addresses == 2 * once + 1


def address(privatizer, text, unit, *, origin="own", epsilon=None, group=None, chat=None):
    """The address of one unit, with other labels if they are given."""
    chat = chat or privatizer.session()
    document = Document(0, text, None)
    privatizer._label([document])
    if epsilon is not None:
        document.epsilon[unit] = epsilon
    if group is not None:
        document.grouping.groups[unit] = group
    document.drawn = np.arange(0)  # how often it was drawn does not matter here
    return chat._stretches.of(origin).positions(document)[unit]


def test_everything_that_a_law_depends_on_is_in_the_address(privatizer):
    chat = privatizer.session()

    def at(text=WORDS, unit=8, **labels):
        return address(privatizer, text, unit, chat=chat, **labels)

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
        address(privatizer, WORDS, 8),  # another session
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
    document = Document(0, WORDS, None)
    privatizer._label([document])
    groups = document.grouping.groups.copy()
    chat._stretches.freeze(document, "own")
    assert (document.grouping.groups == groups).all()
    later = Document(0, f"{WORDS}\n\nw20", None)
    privatizer._label([later])
    moved = np.where(later.grouping.groups == 4, 3, 4)
    later.grouping.groups[:16] = moved[:16]
    later.epsilon[:16] = privatizer.policy.budget.of_groups(later.grouping.groups)[:16]
    chat._stretches.freeze(later, "own")
    assert (later.grouping.groups[:16] == groups).all()
    assert (later.epsilon == privatizer.policy.budget.of_groups(later.grouping.groups)).all()
    later.grouping.groups[0] = 2  # found to be sensitive: that counts from then on
    chat._stretches.freeze(later, "own")
    assert later.grouping.groups[0] == 2


def test_messages_have_origins():
    names = [
        message.origin for message in read_messages([user("a"), {"role": "tool", "content": "b"}])
    ]
    assert names == ["own", "tool:"]


def test_edits_do_not_add_up(privatizer):
    """Sixty resends, each with another word changed: a word between the same two neighbours is
    drawn twice at most. Fresh noise would show dozens of words in its place."""
    chat = privatizer.session()
    words = WORDS.split()
    seen = [set() for _ in words]
    chat.privatize(WORDS)
    for turn in range(60):
        edited = list(words)
        edited[turn % len(words)] = f"w{100 + turn}"
        out = chat.privatize(" ".join(edited)).text.split()
        for at in range(len(words)):
            near = range(max(0, at - 1), min(len(words), at + 2))
            if all(edited[n] == words[n] for n in near):
                seen[at].add(out[at])
    assert max(map(len, seen)) == 2
    facts = chat.privatize(WORDS).certificate.session
    assert facts.held > 100


def test_redraws_beyond_the_limit_are_the_first_word(privatizer):
    chat = privatizer.session()
    first = chat.privatize("w1 w2 w3").text.split()[1]
    chat.privatize("w9 w1 w2 w3")
    assert all(chat.privatize(f"w{n} w1 w2 w3").text.split()[2] == first for n in range(20, 40))
