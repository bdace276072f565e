from dataclasses import replace

import numpy as np
import pytest
from toy_lines import KINDS, TEXT, detector, example, gold, policy  # noqa: F401

from line import Named
from mender import Mender, is_down
from privstamp.errors import InputError, StageFailed, UsageError
from privstamp.lab.evals import lines
from privstamp.lab.evals.conditions import Releaser
from privstamp.lab.evals.contracts import Condition, Task
from privstamp.mechanisms.surrogate import Placeholder
from privstamp.policy import Part, Policy
from privstamp.repair.rewriter import ModelRepair
from privstamp.types import Reply, Usage

INF = float("inf")


class Parrot:
    """Fills every gap with the same two words, and remembers what it was asked."""

    name = fingerprint = "parrot"
    place = "this machine"
    usage = Usage()

    def __init__(self):
        self.prompts, self.closed = [], False

    def complete(self, prompts, *, temperature, max_tokens):
        self.prompts += [prompt.text for prompt in prompts]
        return [Reply("Polly Perkins.", 1, 1) for _ in prompts]

    def close(self):
        self.closed = True


@pytest.fixture
def releaser(detector):  # noqa: F811
    return Releaser()


def one(releaser, condition, given=None, seed=1):
    (made,) = releaser.releases(condition, [given or example()], seed)
    return made


def test_the_original_gives_everything_away(releaser):
    made = one(releaser, Condition("o", "original"))
    assert (made.text, made.task) == (TEXT, "w1 w2 W10 W12?")
    assert made.privacy["sensitive"] == made.privacy["sensitive_kept"] == 5
    assert made.privacy["recovered_unigram"] == made.privacy["recovered_uniform"] == 5
    assert made.privacy["spans"] == made.privacy["spans_kept"] == 2
    assert made.privacy["unprotected"] == made.privacy["units"] == 9


def test_no_context_leaves_the_question_and_the_floor(releaser):
    made = one(releaser, Condition("n", "nothing"))
    assert (made.text, made.task) == ("", "w1 w2 W10 W12?")
    assert made.privacy["sensitive_kept"] == made.privacy["spans_kept"] == 0
    assert made.privacy["recovered_unigram"] == made.privacy["floor_unigram"]
    assert made.privacy["replaced"] == 9


def test_a_mask_hides_spans_in_text_and_question(releaser):
    made = one(releaser, Condition("m", "mask"))
    assert made.text == "[MASK] w30 w32 w34 [MASK] w36 [MASK]"
    assert made.task == "w1 w2 [MASK]?"
    assert made.privacy["content_kept"] == made.privacy["content"] == 4


def test_gold_spans_are_the_only_ones(releaser):
    made = one(releaser, Condition("m", "mask", spans="gold"), gold())
    assert made.text == "W10 W12 w30 w32 w34 [MASK] w36 W10 W12"
    assert made.privacy["gold"] == 1
    assert made.privacy["sensitive"] == 1


def test_gold_spans_need_annotated_examples(releaser):
    with pytest.raises(InputError, match='"one" has no annotated spans'):
        one(releaser, Condition("m", "mask", spans="gold"))


def test_annotated_examples_are_measured_by_their_annotation_under_a_detector(releaser):
    made = one(releaser, Condition("m", "mask"), gold())
    assert made.text == "[MASK] w30 w32 w34 [MASK] w36 [MASK]"
    assert (made.privacy["gold"], made.privacy["sensitive"]) == (1, 1)


def test_a_model_fills_gaps_without_seeing_what_stood_there(detector):  # noqa: F811
    parrot = Parrot()
    releaser = Releaser(opener=lambda _, model: parrot)
    made = one(releaser, Condition("f", "fill", repair="parrot"))
    assert made.text == "Polly Perkins w30 w32 w34 Polly Perkins w36 Polly Perkins"
    assert made.task == "w1 w2 Polly Perkins?"
    assert not any(word in prompt for word in ("W10", "W12", "W20") for prompt in parrot.prompts)
    asked = len(parrot.prompts)
    assert asked == 2  # one for each thing, not for each mention
    assert releaser.usage() == [("this machine", Usage())]
    one(releaser, Condition("f", "fill", repair="parrot"), seed=2)
    assert len(parrot.prompts) == asked
    assert releaser.fingerprints(Condition("f", "fill", repair="parrot"))["filled by"] == "parrot"
    releaser.close()
    assert parrot.closed


def test_gaps_are_filled_by_the_model_that_is_named_at_a_url(detector):  # noqa: F811
    opened = {}

    def opener(name, model):
        return opened.setdefault((name, model), Parrot())

    releaser = Releaser(opener=opener)
    url = "https://host"
    conditions = [Condition("f", "fill", repair=url, repair_model=name) for name in ("m", "n")]
    for condition in conditions:
        one(releaser, condition)
    assert [(key, len(parrot.prompts)) for key, parrot in opened.items()] == [
        ((url, "m"), 2), ((url, "n"), 2),
    ]  # fmt: skip
    assert len({repr(condition.data()) for condition in conditions}) == 2
    assert set(Condition("f", "fill", repair="m").data()) == {
        "method", "policy", "spans", "restore", "repair",
    }  # fmt: skip


def test_filling_needs_a_model(releaser):
    with pytest.raises(UsageError, match="names no model"):
        one(releaser, Condition("f", "fill"))


def test_a_policy_releases_by_seed(releaser):
    condition = Condition("p", "policy", policy(0, 0, 1, 1))
    first, again, other = (one(releaser, condition, seed=seed).text for seed in (1, 1, 2))
    assert first == again != other


def test_a_release_does_not_depend_on_what_else_is_in_its_batch(releaser):
    condition = Condition("p", "policy", policy(0, 0, 1, 1))
    examples = [example(), example("two", "w40 W20 w42")]
    together = releaser.releases(condition, examples, 1)
    alone = [releaser.releases(condition, [one], 1)[0] for one in examples]
    assert [made.text for made in together] == [made.text for made in alone]
    assert [made.privacy for made in together] == [made.privacy for made in alone]


def test_answers_are_mapped_back_only_where_the_condition_says_so(releaser):
    given = policy(0, 0, INF, INF)
    made = one(releaser, Condition("p", "policy", given, restore=True))
    assert made.restore is not None
    name = made.task.removeprefix("w1 w2 ").removesuffix("?")
    assert name != "W10 W12"
    assert made.restore(name) == "W10 W12"
    assert one(releaser, Condition("p", "policy", given)).restore is None


def test_placeholders_are_a_policy(releaser):
    made = one(
        releaser, Condition("p", "policy", policy(0, 0, INF, INF, replacement="placeholder"))
    )
    assert made.text == "[PERSON_1] w30 w32 w34 [LOCATION_1] w36 [PERSON_1]"
    assert made.task == "w1 w2 [PERSON_1]?"
    assert made.privacy["unprotected"] == 4
    assert made.privacy["replaced"] == 5


def test_texts_are_read_once_over_a_grid(releaser, detector):  # noqa: F811
    for epsilon in (1.0, 2.0, 3.0):
        for seed in (1, 2):
            one(releaser, Condition("p", "policy", policy(0, 0, epsilon, epsilon)), seed=seed)
    assert detector.read == 2  # the text and the question


def test_a_document_that_fails_is_an_error_that_names_it(releaser, monkeypatch):
    def broken(*_):
        raise RuntimeError(TEXT)

    monkeypatch.setattr(Placeholder, "draw", broken)
    condition = Condition("p", "policy", policy(0, 0, 1, 1, replacement="placeholder"))
    with pytest.raises(StageFailed, match='example "two"') as caught:
        releaser.releases(condition, [example("zero", "w40", "w1"), example("two")], 1)
    assert "W10" not in str(caught.value)


def test_similarity_is_added_where_there_is_one(detector):  # noqa: F811
    releaser = Releaser(similarity=lambda ours, theirs: np.full(len(ours), 0.5))
    many = [replace(example("zero"), cluster=str(number)) for number in range(80)]
    made = releaser.releases(Condition("m", "mask"), many, 1)
    compared = [one.privacy for one in made if "context" in one.privacy]
    assert all((one["context"], one["contexts"]) == (0.5, 1.0) for one in compared)
    assert 8 <= len(compared) <= 32  # a quarter, by the names of their texts


def test_fingerprints_tell_detected_from_gold_spans(releaser):
    detected, annotated = (
        releaser.fingerprints(Condition("p", "policy", policy(0, 0, 1, 1), spans=spans))
        for spans in ("detected", "gold")
    )
    assert detected["sensitivity"] != annotated["sensitivity"]
    assert detected["space"] == annotated["space"]


def test_nothing_shows_texts_in_its_repr(releaser):
    one(releaser, Condition("m", "mask"))
    assert "W10" not in repr(releaser) + repr(vars(releaser).get("_lines"))


def together(*tasks):
    """Questions about one text, as a task lists them."""
    asked = [replace(example(f"q{n}", task=task), cluster="c") for n, task in enumerate(tasks)]
    return Task("toy", "qa", asked).examples()


def test_a_text_is_released_once_for_all_questions(releaser, detector):  # noqa: F811
    examples = together("w1 W10 W12?", "w2 W20?", "w3 w4?")
    given = policy(0, 0, 1, 1)
    apart = [replace(asked, whole=None) for asked in examples]  # as if they were of other texts
    made = releaser.releases(Condition("p", "policy", given), apart, 1)
    assert len({one.text for one in made}) == 3
    condition = Condition("p", "policy", given, restore=True)
    made = releaser.releases(condition, examples, 1)
    (text,) = {one.text for one in made}
    lines = {one.task: seen for one, seen in zip(examples, made, strict=True)}
    assert [seen.task.count("\n") for seen in made] == [0, 0, 0]
    assert lines["w3 w4?"].task == "w3 w4?"
    first = lines["w1 W10 W12?"]
    person = first.task.removeprefix("w1 ").removesuffix("?")
    assert person in text and first.restore(person) == "W10 W12"


def test_a_part_of_the_questions_meets_the_same_release(releaser):
    examples = together("w1?", "w2 W10 W12?")
    condition = Condition("p", "policy", policy(0, 0, 1, 1))
    both = releaser.releases(condition, examples, 1)
    (alone,) = releaser.releases(condition, examples[1:], 1)
    assert (alone.text, alone.task) == (both[1].text, both[1].task)


def with_parts(monkeypatch, change):
    """Lines whose parts are changed by their policy."""
    made = lines.assemble
    monkeypatch.setattr(lines, "assemble", lambda given, shelf: change(given, made(given, shelf)))


def test_what_another_detector_misses_of_the_default_one_is_counted(releaser, monkeypatch):
    def change(given, parts):
        other = Named({"W20": KINDS["W20"]})
        return replace(parts, sensitivity=other) if given.sensitivity.name == "rules" else parts

    with_parts(monkeypatch, change)
    usual, weaker = policy(0, 0, INF, INF), policy(0, 0, INF, INF)
    weaker = weaker.model_copy(update={"sensitivity": Part(name="rules")})
    privacy = one(releaser, Condition("p", "policy", weaker)).privacy
    assert (privacy["sensitive"], privacy["looked_for"], privacy["missed"]) == (1, 5, 4)
    assert "looked_for" not in one(releaser, Condition("p", "policy", usual)).privacy


def test_windows_of_a_repair_are_counted(releaser, monkeypatch):
    mender = Mender(str)
    with_parts(monkeypatch, lambda _, parts: replace(parts, repair=mender))
    privacy = one(releaser, Condition("p", "policy", policy(0, 0, INF, INF))).privacy
    assert mender.shown
    assert privacy["windows"] == len(set(mender.shown))
    assert privacy["windows_repaired"] == privacy["windows_refused"] == 0


def test_a_repair_that_failed_does_not_pass_for_one(releaser, monkeypatch):
    with_parts(monkeypatch, lambda _, parts: replace(parts, repair=Mender(is_down)))
    with pytest.raises(StageFailed, match=r'"one" was not repaired: .*did not answer'):
        one(releaser, Condition("p", "policy", policy(0, 0, INF, INF)))


def test_what_a_repair_asked_is_counted_once(detector, monkeypatch):  # noqa: F811
    parrot = Parrot()
    parrot.usage, parrot.place = Usage(5), "host"
    repair, assemble = ModelRepair(parrot), lines.assemble
    monkeypatch.setattr(lines, "assemble", lambda *given: replace(assemble(*given), repair=repair))
    releaser = Releaser()
    for epsilon in (1, 2):
        one(releaser, Condition("p", "policy", policy(0, 0, 1, epsilon)))
    assert releaser.usage() == [("host", Usage(5))]


def test_text_as_it_is_written_can_be_measured():
    """The default's space has no table: nothing is decoded, and there is no list to guess from."""
    given = Policy.of({"extends": "selective", "sensitivity": "rules"})
    text = "Write to anna.roth@example.com about the broken lamp."
    made = one(Releaser(), Condition("s", "policy", given), example(text=text, task="What broke?"))
    assert made.privacy["sensitive"] == 1
    assert made.privacy["sensitive_kept"] == made.privacy["recovered_uniform"] == 0
    assert made.privacy["content_kept"] == made.privacy["content"] == 3
