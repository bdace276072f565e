"""Who gets released texts for a repair, and how many prompts that is at least."""

from dataclasses import replace

import pytest

from privstamp.errors import UsageError
from privstamp.lab.evals import conditions
from privstamp.lab.evals.contracts import Cell, Condition, Example
from privstamp.lab.evals.plan import PromptCount, hosts, sent
from privstamp.policy import Part, Policy
from privstamp.repair.checks import SYSTEM

SENTENCE = "The reeds were cut by the people of the old mill in the early days of autumn. "
PLAIN = Policy.preset("stamp")


def cell(repair=None, seed=1, reader="a", task="t"):
    part = None if repair is None else Part.model_validate({"name": repair, "model": "m"})
    condition = Condition(f"{repair}", "policy", PLAIN.model_copy(update={"repair": part}))
    return Cell("toy", task, condition, seed, reader)


def filled(repair):
    return Cell("toy", "t", Condition("fill", "fill", repair=repair), 1, "a")


URL = "https://example.com/v1"


def texts(*given):
    return {"t": [Example(str(n), "c", text, "what?") for n, text in enumerate(given)]}


def test_hosts_are_named_once_and_only_those_elsewhere():
    cells = [cell(), cell("qwen-0.5b"), cell(URL), cell(URL, seed=2), cell("https://b.example")]
    assert hosts(cells) == (["example.com", "b.example"], [])
    assert hosts([filled(URL), filled("local")]) == ([], ["example.com"])
    assert hosts([Cell("toy", "t", Condition("original", "original"), 1, "a")]) == ([], [])


def test_a_url_in_the_clear_is_refused_beforehand():
    with pytest.raises(UsageError, match="https://"):
        hosts([cell("http://example.com/v1")])
    with pytest.raises(UsageError, match="https://"):
        hosts([filled("http://example.com/v1")])


def test_windows_of_every_release_are_counted_not_of_every_reader():
    one, two = SENTENCE * 2, SENTENCE * 8
    once = sent([cell(URL)], texts(one, two), {})
    assert once.prompts == 1 + 3
    assert once.letters == pytest.approx(len(one) + len(two) + 4 * len(SYSTEM), abs=8)
    assert once.tokens_out > once.prompts * 32
    readers = [cell(URL, reader=name) for name in "ab"]
    assert sent(readers, texts(one, two), {}) == once
    assert sent([*readers, cell(URL, seed=2)], texts(one, two), {}) == once + once
    assert sent([cell(), cell("qwen-0.5b")], texts(one), {}) == PromptCount()


def test_a_text_with_several_questions_is_released_once():
    shared = Example("all", "c", SENTENCE * 2, "what? where?")
    asked = {"t": [replace(one, whole=shared) for one in texts("", "", "")["t"]]}
    assert sent([cell(URL)], asked, {}).prompts == 1


def test_what_cannot_be_known_is_one_for_each_text():
    assert sent([cell(URL)], texts("Two words"), {}).prompts == 1
    assert sent([cell(URL)], {}, {"t": 7}).prompts == 7


def test_filling_is_one_prompt_for_each_text_or_more():
    found = sent([filled(URL)], texts(SENTENCE, SENTENCE, SENTENCE * 9), {})
    assert found.prompts == 2 and found.tokens_out == 2 * conditions.TOKENS
    fixed = len(conditions.REQUEST) + len(conditions.SYSTEM)
    assert found.letters == len(SENTENCE) + conditions.LEFT + 2 * fixed
    assert sent([filled("local")], texts(SENTENCE), {}) == PromptCount()
