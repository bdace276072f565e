"""Each promise of the line is broken by what it is there for, and by little else."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from privstamp.lab.audit.canaries import NEW, SHARED, SentLetters, kinds_of, letters
from privstamp.lab.audit.laws import Draws, law, public_text
from privstamp.lab.audit.line import _unlisted, honesty, secrecy
from privstamp.lab.audit.selftest import moving, selective
from privstamp.lab.audit.surrogates import secrets_of, surrogates
from privstamp.noise import Noise
from privstamp.pipeline import Privatizer
from privstamp.types import UNKNOWN

KEY = b"p" * 32
LETTERS = letters(60)


@pytest.fixture(scope="module")
def line():
    policy, parts = selective()
    return Privatizer(policy, parts=parts)


@pytest.fixture(scope="module")
def sent(line):
    """Letters that went through a sound line twice."""
    texts, tasks = [one.text for one in LETTERS], [one.task for one in LETTERS]
    both = (tuple(line.privatize_many(texts, tasks, trace=True)) for _ in range(2))
    return SentLetters.of(LETTERS, *both, line.policy)


def broken(sent, shaped=True):
    return {one.name for one in surrogates(sent, shaped=shaped, key=KEY) if not one.kept}


def became(sent, change):
    """The same letters, whose things became something else: change(letter, found)."""
    first, second = (
        [found | change(letter, found) for letter, found in zip(sent.letters, things, strict=True)]
        for things in (sent.first, sent.second)
    )
    return replace(sent, first=first, second=second)


def test_a_sound_line_breaks_nothing(sent):
    assert not broken(sent) and not sent.torn
    assert set(sent.new) == set(NEW)  # the detectors of the toy find every thing


def test_a_surrogate_that_comes_again_is_noticed_in_a_text_and_between_texts(sent):
    again = broken(replace(sent, second=sent.first))
    assert {f"a second release gives the {name} another surrogate" for name in NEW} <= again
    one = broken(became(sent, lambda *_: {"phone": "+1 415 555 1234"}))
    assert "another text gives its phone another surrogate" in one


def test_letters_that_are_kept_are_noticed(sent):
    def three(letter, found):
        return {"rare": letter.things["rare"][:3] + found["rare"][3:]}

    def ends(letter, found):
        return {name: found[name][:-1] + letter.things[name][-1] for name in ("person", "other")}

    assert {"no 3 letters of a name come back", "no first letter comes back"} <= broken(
        became(sent, three)
    )
    assert "no last letter comes back" in broken(became(sent, ends))


def test_a_length_that_shows_is_noticed(sent):
    def alike(letter, found):
        return {name: (found[name] * 9)[: len(letter.things[name])] for name in ("person", "other")}

    assert "the length of a name does not show" in broken(became(sent, alike))


def test_figures_that_are_kept_are_noticed(sent):
    def last_four(letter, found):
        return {"number": found["number"][:-4] + letter.things["number"][-4:]}

    def same_year(letter, found):
        return {"date": " ".join([*found["date"].split()[:-1], letter.things["date"].split()[-1]])}

    assert "no figure of a number comes back" in broken(became(sent, last_four))
    assert "no figure of a date comes back" in broken(became(sent, same_year))


def test_a_short_list_of_names_is_noticed(sent):
    names = ["Ada", "Ben", "Cleo", "Dov", "Eli"]
    few = became(sent, lambda letter, found: {
        "person": f"{names[len(found['person']) % 5]} {found['person'].split()[-1]}"})  # fmt: skip
    assert "first names are of the whole list" in broken(few)


def test_a_list_in_four_parts_for_four_people_is_noticed(sent):
    parted = became(sent, lambda letter, found: {
        "shared": f"{'ahpw'[letter.variant]}{found['shared']}"})  # fmt: skip
    assert SHARED == 4
    assert "of several people each has any surrogate" in broken(parted)


def test_equality_is_held_to_the_promise_both_ways(sent):
    def twice(_letter, found):
        return {"again": found["other"], "owner": found["other"].split()[-1] + "'s"}

    seen = broken(became(sent, twice))
    assert "one person has two surrogates in a text" in seen
    merged = broken(became(sent, lambda _, found: {"other": found["person"]}))
    assert "two people have one surrogate" in merged


def test_a_placeholder_is_not_asked_for_freshness(sent):
    marks = became(sent, lambda *_: {"phone": "[PHONE]", "code": "[CODE]"})
    assert broken(marks) and not broken(marks, shaped=False)


def test_a_secret_anywhere_in_a_release_is_noticed(sent):
    leaky = tuple(
        replace(result, text=f"{result.text} {letter.things['code'].lower()}")
        for letter, result in zip(sent.letters, sent.results[0], strict=True)
    )
    seen = broken(replace(sent, results=(leaky, sent.results[1])))
    assert "no code leaves as it was" in seen and "no phone leaves as it was" not in seen
    hidden = tuple(replace(result, text=result.text + "\u2060") for result in sent.results[0])
    only = broken(replace(sent, results=(hidden, sent.results[1])))
    assert only == {"no invisible character leaves"}


def test_parts_of_secrets_are_what_a_reader_would_know_again():
    assert secrets_of("mail", "Zora.Quelm@example.org") == ["zora", "quelm"]
    assert secrets_of("person", "Zora Quelm") == ["zora", "quelm"]
    assert secrets_of("phone", "+1 415 555 0000") == ["+1 415 555 0000"]


def test_letters_whose_lines_are_gone_are_counted_and_left_out(line):
    few = LETTERS[:4]
    results = [line.privatize(one.text, one.task, trace=True) for one in few]
    torn = replace(results[0], text=results[0].text.replace("\n", " "))
    found = SentLetters.of(few, (torn, *results[1:]), tuple(results), line.policy)
    assert found.torn == 1 and len(found.letters) == len(found.first) == 3
    assert "lines and commas stay where they were" in broken(found)
    assert kinds_of(few[1], results[1])["mail"] == ("EMAIL_ADDRESS",)


def dishonest(sent, policy, parts, change):
    first = tuple(map(change, sent.results[0]))
    found = honesty(replace(sent, results=(first, sent.results[1])), policy, parts.sensitivity)
    return {one.name for one in found if not one.kept}


@pytest.mark.parametrize(
    ("change", "promise"),
    [
        (lambda r: replace(r, certificate=r.certificate.model_copy(update={"randomness": "seed"})),
         "certificates say that noise was fresh"),
        (lambda r: replace(r, certificate=r.certificate.model_copy(
            update={"counts": r.certificate.counts.model_copy(update={"units": 1})})),
         "certificates count what happened"),
        (lambda r: replace(r, text=r.text.replace("The letter", "A letter")),
         "words that are not sensitive leave as written"),
    ],
    ids=["randomness", "counts", "other words"],
)  # fmt: skip
def test_what_a_line_says_of_itself_is_held_against_it(sent, line, change, promise):
    assert not dishonest(sent, line.policy, line.parts, lambda result: result)
    assert promise in dishonest(sent, line.policy, line.parts, change)


def test_a_secret_that_is_not_heeded_is_noticed(line):
    class Restless:
        """Fresh noise, whatever the secret."""

        def with_noise(self, **_):
            return line

    names = {one.name for one in secrecy(Restless(), LETTERS, NEW, KEY) if not one.kept}
    assert names == {"under a secret a repeat is the same release"}
    assert all(one.kept for one in secrecy(line, LETTERS, NEW, KEY))


@pytest.fixture(scope="module")
def moved():
    policy, parts = moving()
    return Privatizer(policy, parts=parts)


@pytest.fixture(scope="module")
def drawn(moved):
    """Words that a sound mechanism moved two hundred times, and the mechanism."""
    result = moved.privatize(public_text(moved), trace=True)
    one = Draws.of([result], moved.parts, moved.policy)
    mechanism = moved.parts.mechanisms[3]
    rows, epsilon = np.tile(one.rows, 200), np.tile(one.epsilon, 200)
    seen = mechanism.privatize(rows, epsilon, Noise.of_document(KEY, np.arange(len(rows))))
    return replace(one, seen=seen.reshape(200, -1))


def unlawful(moved, draws) -> set[str]:
    tested: Iterator = law(draws, moved.parts, moved.policy, KEY)
    return {one.name for one in tested if not one.kept}


def test_draws_by_the_law_break_nothing(moved, drawn):
    assert not unlawful(moved, drawn)
    assert not list(law(drawn.take(drawn.rows < 0), moved.parts, moved.policy, KEY))


def test_words_that_stay_too_often_are_noticed(moved, drawn):
    lucky = np.random.default_rng(3).uniform(size=drawn.seen.shape) < 0.02
    seen = unlawful(moved, replace(drawn, seen=np.where(lucky, drawn.rows, drawn.seen)))
    assert any("leave as themselves" in name for name in seen)


def test_a_release_that_comes_again_is_noticed(moved, drawn):
    twice = drawn.seen.copy()
    twice[1::2] = twice[::2]
    assert "two releases are alike by chance alone" in unlawful(moved, replace(drawn, seen=twice))


def test_neighbours_that_share_noise_are_noticed(moved, drawn):
    one = drawn.take(np.arange(len(drawn.rows)) < 2)
    same = replace(one, rows=one.rows[[0, 0]], epsilon=one.epsilon[[0, 0]])
    same = replace(same, groups=one.groups[[0, 0]], seen=drawn.seen[:, [0, 0]])
    assert "neighbouring words are drawn independently" in unlawful(moved, same)


def test_words_that_may_not_leave_and_lost_words_are_noticed(moved, drawn):
    strange = drawn.seen.copy()
    strange[0, 0] = UNKNOWN
    assert "only words that may leave do" in unlawful(moved, replace(drawn, seen=strange))
    assert "every word is released as one word" in unlawful(moved, replace(drawn, torn=1))


def test_words_in_no_list_are_watched_where_others_are_moved(moved):
    word = LETTERS[0].things["rare"]
    results = [moved.privatize(f"the garden {word}", trace=True) for _ in range(20)]
    assert _unlisted(results, moved.policy).kept
    leaky = [replace(result, text=f"{result.text} {word.upper()}") for result in results]
    found = _unlisted(leaky, moved.policy)
    assert not found.kept and found.found == 1.0
