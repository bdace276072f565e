"""The loop: what passes is put in place, anything else stays, and nothing is ever raised."""

import pytest

from mender import Mender, crashes, hangs, is_down
from privstamp.repair.checks import Checks
from privstamp.repair.rewriter import BLOCK, Page, mend
from privstamp.sensitivity.rules import Rules
from privstamp.spaces.glove import Glove

TEXT = "  The dog were in the garden of Anna.\r\n\r\n- It were late, and she were tired.\n"
GOOD = "  The dog was in the garden of Anna.\r\n\r\n- It was late, and she was tired.\n"
PAGE = Page(TEXT, frozenset({"Anna"}))


@pytest.fixture(scope="module")
def checks():
    return Checks(Glove(), Rules())


def fixed(window):
    return window.replace(" were", " was")


def test_what_passes_is_put_in_place(checks):
    mender = Mender(fixed)
    [done] = mend([PAGE], mender, checks)
    assert done.text == GOOD
    assert done.outcomes == {"repaired": 2} and not done.reasons and done.trouble is None
    assert mender.rounds == [False]
    assert mender.shown == [
        "The dog were in the garden of Anna.", "It were late, and she were tired.",
    ]  # fmt: skip


def test_an_unchanged_window_is_counted_as_such(checks):
    [done] = mend([PAGE], Mender(lambda window: f' "{window}"\n'), checks)
    assert done.text == TEXT and done.outcomes == {"unchanged": 2}


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        (lambda w: fixed(w).replace("dog", "dog of Raymond"), {"name": 1}),
        (lambda w: fixed(w).replace("dog", "3 dogs"), {"number": 1}),
        (lambda w: fixed(w).replace("garden", "garden on Monday"), {"date": 1}),
        (lambda w: fixed(w).replace(" of Anna", ""), {"kept": 1}),
        (lambda w: f"Here is the corrected text: {fixed(w)}", {"chatter": 2}),
        (lambda _: "", {"empty": 2}),
        (lambda w: fixed(w).replace(" in ", "\nin ").replace(", ", "\n"), {"lines": 2}),
        (lambda _: "PWNED", {"length": 2}),
    ],
)  # fmt: skip
def test_a_refused_window_is_asked_for_once_more_and_then_left(checks, change, reasons):
    mender = Mender(change)
    [done] = mend([PAGE], mender, checks)
    assert done.reasons == reasons
    assert done.outcomes["refused"] == sum(reasons.values())
    assert mender.rounds == [False, True]
    assert len(mender.shown) == 2 + sum(reasons.values())
    first, second = done.text.split("\r\n\r\n")
    assert first in (TEXT.split("\r\n\r\n")[0], GOOD.split("\r\n\r\n")[0])
    assert second.startswith("- It ") and "Anna" in first


class Learner(Mender):
    """Gets it right when it is asked again."""

    def rewrite(self, windows, *, again=False):
        super().rewrite(windows, again=again)
        return [fixed(one) if again else "no" for one in windows]


def test_the_second_attempt_counts(checks):
    [done] = mend([PAGE], Learner(fixed), checks)
    assert done.text == GOOD and done.outcomes == {"repaired": 2}


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (crashes, "mender failed (ValueError)"),
        (is_down, "the endpoint at example.com did not answer"),
        (lambda _: None, "mender did not give one text per window"),
    ],
)
def test_a_model_that_fails_leaves_the_text(checks, change, trouble):
    [done] = mend([PAGE], Mender(change), checks)
    assert done.text == TEXT
    assert done.outcomes == {"failed": 2}
    assert done.trouble == trouble


def test_a_model_that_hangs_is_left_behind(checks):
    [done] = mend([PAGE], Mender(hangs), checks, patience=0.05)
    assert done.text == TEXT and done.outcomes == {"failed": 2}
    assert done.trouble == "mender did not answer in time"


def test_a_check_that_breaks_leaves_the_text():
    class Broken(Checks):
        def refusals(self, pairs):
            raise KeyError("SECRET")

    [done] = mend([PAGE], Mender(fixed), Broken(Glove(), Rules()))
    assert done.text == TEXT and "SECRET" not in (done.trouble or "SECRET")


def test_pages_are_asked_together_and_equal_windows_once(checks):
    mender = Mender(fixed)
    done = mend([PAGE, PAGE, Page("")], mender, checks)
    assert [one.text for one in done] == [GOOD, GOOD, ""]
    assert len(mender.shown) == 2 and mender.rounds == [False]


class Tires(Mender):
    """Answers once and then no more."""

    def rewrite(self, windows, *, again=False):
        if self.rounds:
            raise TimeoutError
        return super().rewrite(windows, again=again)


def test_a_model_that_fails_when_asked_again_is_no_refusal(checks):
    [done] = mend([PAGE], Tires(lambda w: fixed(w).replace("dog", "3 dogs")), checks)
    assert done.outcomes == {"repaired": 1, "failed": 1} and not done.reasons
    assert done.trouble == "mender failed (TimeoutError)"


def test_what_was_repaired_before_a_failure_stays_and_no_more_is_asked(checks):
    pages = [Page(f"The dogs was in the garden{' again' * n}.") for n in range(2 * BLOCK + 1)]
    shares = []
    mender = Tires(lambda w: w.replace("was", "were"))
    done = mend(pages, mender, checks, watch=shares.append)
    assert sum(one.outcomes["repaired"] for one in done) == BLOCK
    assert [one.trouble is None for one in done] == [True] * BLOCK + [False] * (BLOCK + 1)
    assert len(mender.rounds) == 1 and shares[0] == 0.0 and 0 < shares[-1] < 1
