import numpy as np
import pytest

from line import Named
from privstamp import pipeline
from privstamp.budget import Budget
from privstamp.decoding.exact import Exact
from privstamp.errors import BudgetError, Incompatible, StageFailed
from privstamp.importance.task_cosine import TaskCosine
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.fluency import fluent
from privstamp.mechanisms.polar import Polar
from privstamp.mechanisms.surrogate import Surrogate
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.protocols import Fluent
from privstamp.registry import Table
from privstamp.release import parts as parts_module
from privstamp.release import stages as labels
from privstamp.release.parts import Parts
from toy_lm import ToyLM
from toys import ToySpace

SPACE = ToySpace(rows=12, dimensions=4, classes=("a", "b"))
TEXT = "W1 w2, w10 (w4) w5 w6.\nW7 w8 w1 w2 w3 w11?"


class Watched(ToyLM):
    """Remembers what it was shown."""

    def __init__(self):
        super().__init__(seed=6)
        self.seen = []

    def next_logprobs(self, prefix, continuation=()):
        self.seen.append(prefix)
        return super().next_logprobs(prefix, continuation)


def line(monkeypatch, *, powers=(0.8, 0.8, 0.8, 0.8), kinds=None, epsilon=(2, 2, 2, 2), **policy):
    """A Privatizer on toy parts whose groups have these powers."""
    seed = policy.pop("seed", 1)
    kind = policy.pop("kind", Exponential)
    by = "decoding" if kind is Polar else "law"
    model = Watched()
    given = {"decoder": Exact(SPACE)} if kind is Polar else {}
    made = {power: fluent(SPACE, kind(SPACE, **given), power, by) for power in powers}

    def assemble(_):
        return Parts(
            space=SPACE,
            sensitivity=Named(kinds or {}),
            importance=TaskCosine(SPACE),
            mechanisms={group: made[power] for group, power in enumerate(powers, 1)},
            replacements=dict.fromkeys((1, 2, 3, 4), Surrogate()),
            language_model=model,
        )

    monkeypatch.setattr(pipeline, "assemble", assemble)
    budget = Budget.of(list(epsilon), metric="chordal")
    privatizer = Privatizer(Policy(extends="stamp", budget=budget, **policy), seed=seed)
    return privatizer, model


def test_the_model_is_shown_released_text_and_nothing_else(monkeypatch):
    for seed in range(5):
        privatizer, model = line(monkeypatch, seed=seed)
        result = privatizer.privatize(TEXT)
        assert len(set(model.seen)) == 12
        assert all(result.text.startswith(prefix) for prefix in model.seen)
        assert result.text != TEXT


def test_polar_draws_in_order_too(monkeypatch):
    privatizer, model = line(monkeypatch, kind=Polar)
    result = privatizer.privatize(TEXT)
    assert all(result.text.startswith(prefix) for prefix in model.seen)


def test_later_words_never_change_earlier_ones_under_one_key(monkeypatch):
    monkeypatch.setattr("privstamp.noise.Randomness.key", lambda *_: bytes(32))
    one, _ = line(monkeypatch)
    whole = one.privatize("w1 w2 w3 w4 w5").text
    assert whole.startswith(one.privatize("w1 w2 w3").text)
    assert whole == one.privatize("w1 w2 w3 w4 w5").text


def test_earlier_words_do_change_later_ones(monkeypatch):
    monkeypatch.setattr("privstamp.noise.Randomness.key", lambda *_: bytes(32))
    one, _ = line(monkeypatch, powers=(3.0, 3.0, 3.0, 3.0), epsilon=(np.inf, np.inf, np.inf, 0.1))
    monkeypatch.setattr(labels, "group", lambda units, *_, **__: _grouping(len(units)))
    last = {one.privatize(f"w{n} w6").text.split()[1] for n in range(8)}
    assert len(last) > 1


def _grouping(count):
    from privstamp.release.groups import Grouping

    groups = np.full(count, 3, dtype=np.int8)
    groups[-1] = 4
    spans = np.full(count, -1, dtype=np.int32)
    return Grouping(groups, spans, (), np.zeros(count, dtype=bool))


def test_a_seed_makes_releases_equal_whatever_the_batch(monkeypatch):
    privatizer, _ = line(monkeypatch)
    texts = [TEXT, "w1", TEXT + " w5 w5", ""]
    alone = [privatizer.privatize(text).text for text in texts]
    again, _ = line(monkeypatch)
    assert [one.text for one in again.privatize_many(texts)] == alone
    assert [one.text for one in again.privatize_many(texts[::-1])] == alone[::-1]
    other, _ = line(monkeypatch, seed=2)
    assert other.privatize(TEXT).text != alone[0]


def test_replaced_and_unprotected_words_stand_in_what_the_model_is_shown(monkeypatch):
    text = "w1 Quillfeather w2 paid 25 w3 w4 now"
    privatizer, model = line(monkeypatch, kinds={"w3": "PERSON"}, epsilon=(0, 0, np.inf, 2), seed=2)
    result = privatizer.privatize(text)  # under seed 1 the blind draw for 25 is 25
    assert result.certificate.counts.unknown == 4
    assert max(map(len, model.seen)) > 15
    assert all(result.text.startswith(prefix) for prefix in model.seen)
    assert not any("Quillfeather" in prefix or "25" in prefix.split() for prefix in model.seen)


def test_a_surrogate_that_a_word_becomes_too_is_read_as_it_leaves_and_not_put_back(monkeypatch):
    """Surrogates are drawn once, before the words: none is drawn again after the model read it."""
    monkeypatch.setattr(Surrogate, "draw", lambda *_: "w5")
    met = 0
    for seed in range(12):
        privatizer, model = line(monkeypatch, seed=seed, epsilon=(0, 0, 2, 2))
        result = privatizer.privatize("Quillfeather w2 w3 w5 w6 w7")
        assert all(result.text.startswith(prefix) for prefix in model.seen)
        first, *words = result.text.casefold().split()
        meets = first in words
        met += meets
        assert ("Quillfeather" in result.restore(result.text.split()[0])) != meets
    assert 0 < met < 12


def test_unprotected_words_are_shown_as_they_are(monkeypatch):
    privatizer, model = line(monkeypatch, epsilon=(2, np.inf, 2, 2), kinds={"w5 w6": "PERSON"})
    result = privatizer.privatize(TEXT)
    assert "w5 w6.\n" in result.text
    assert any(prefix.endswith("w5 w6.\n") for prefix in model.seen)


def test_words_drawn_once_are_drawn_at_their_first_mention(monkeypatch):
    privatizer, model = line(monkeypatch, kinds={"w2": "PERSON"})
    result = privatizer.privatize("w2 w1 w2 w3 w2")
    words = result.text.split()
    assert words[0] == words[2] == words[4]
    assert len(set(model.seen)) == 3
    assert all(result.text.startswith(prefix) for prefix in model.seen)


def test_mechanisms_with_and_without_fluency_share_a_document(monkeypatch):
    privatizer, model = line(monkeypatch, powers=(0.0, 0.0, 0.8, 0.8), kinds={"w10": "PERSON"})
    result = privatizer.privatize(TEXT)
    assert len(set(model.seen)) == 11
    assert all(result.text.startswith(prefix) for prefix in model.seen)
    assert [one.fluency is None for one in result.certificate.mechanisms] == [True, False]


def test_a_private_task_is_a_page_of_its_own(monkeypatch):
    privatizer, model = line(monkeypatch)
    result = privatizer.privatize("w1 w2 w3", "w4 w5, w6?", private_task=True)
    shown = list(dict.fromkeys(model.seen))
    assert len(shown) == 5, "both pages begin with nothing"
    assert all(result.text.startswith(prefix) for prefix in shown[:3])
    assert all(result.task.startswith(prefix) for prefix in shown[3:])


def test_a_public_task_is_not_shown(monkeypatch):
    privatizer, model = line(monkeypatch)
    result = privatizer.privatize("w1 w2", "w4 w5, w6?")
    assert result.task == "w4 w5, w6?"
    assert all(result.text.startswith(prefix) for prefix in model.seen)


@pytest.mark.parametrize("text", ["", " ", "...\n", "zz"])
def test_texts_without_draws_need_no_model(monkeypatch, text):
    privatizer, model = line(monkeypatch)
    privatizer.privatize(text)
    assert model.seen == []


def test_a_watcher_hears_of_every_draw(monkeypatch):
    privatizer, _ = line(monkeypatch)
    heard = []
    privatizer.watch(lambda stage, done: heard.append((stage, done)))
    privatizer.privatize("w1 w2 w3 w4")
    shares = [done for stage, done in heard if stage == "mechanism"]
    assert shares == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_the_certificate_names_model_power_and_constant(monkeypatch):
    privatizer, model = line(monkeypatch)
    (facts,) = privatizer.privatize("w1 w2").certificate.mechanisms
    assert facts.fluency is not None
    assert facts.fluency.model == "toy"
    assert facts.fluency.fingerprint == model.fingerprint
    assert (facts.fluency.power, facts.fluency.by) == (0.8, "law")
    assert facts.fluency.constant == "nominal"
    assert facts.proof == "fluency.md"


def test_a_failing_model_releases_nothing_and_tells_nothing(monkeypatch):
    privatizer, model = line(monkeypatch)

    def broken(prefix, continuation=()):
        raise RuntimeError(prefix)

    model.next_logprobs = broken
    with pytest.raises(StageFailed) as caught:
        privatizer.privatize("w1 w2")
    assert caught.value.__context__ is None


@pytest.fixture
def toy_parts(monkeypatch):
    monkeypatch.setattr(parts_module, "open_space", lambda _: SPACE)
    table = Table("language model", "privstamp.none", {"smollm2": "toy_lm:ToyLM"})
    monkeypatch.setattr(parts_module, "MODELS", table)


def policy(**mechanism):
    return Policy.of(
        {
            "extends": "stamp",
            "mechanism": {"name": "exponential", **mechanism},
            "sensitivity": "rules",
            "budget": {"preset": "uniform", "base": 3.0},
        }
    )


@pytest.mark.usefixtures("toy_parts")
def test_a_policy_turns_it_on_and_off():
    on, off = Privatizer(policy(fluency=0.3), seed=1), Privatizer(policy(fluency=0), seed=1)
    plain = Privatizer(policy(), seed=1)
    assert on.parts.language_model is not None
    assert all(isinstance(one, Fluent) for one in on.parts.mechanisms.values())
    assert off.parts.language_model is None
    assert not any(isinstance(one, Fluent) for one in off.parts.mechanisms.values())
    assert plain.privatize("w1 w2").certificate.mechanisms[0].fluency is None
    assert on.privatize("w1 w2").certificate.mechanisms[0].fluency is not None
    assert policy(fluency=0.3).fingerprint() != policy(fluency=0.4).fingerprint()


@pytest.mark.usefixtures("toy_parts")
def test_a_group_may_have_its_own_power():
    made = policy().model_copy(update={"groups": {"4": policy(fluency=0.5).mechanism}})
    mechanisms = parts_module.assemble(made).mechanisms
    assert [isinstance(mechanisms[group], Fluent) for group in (1, 2, 3, 4)] == [False] * 3 + [True]


@pytest.mark.usefixtures("toy_parts")
@pytest.mark.parametrize("power", [-1, "much", True])
def test_a_wrong_power_is_refused_when_built(power):
    with pytest.raises(BudgetError, match="fluency"):
        Privatizer(policy(fluency=power))


@pytest.mark.usefixtures("toy_parts")
def test_a_mechanism_that_cannot_take_it_is_refused_when_built():
    with pytest.raises(Incompatible, match="vickrey"):
        Privatizer(
            policy().model_copy(
                update={
                    "mechanism": policy(fluency=1).mechanism.model_copy(update={"name": "vickrey"})
                }
            )
        )


def test_language_models_are_part_of_a_policy():
    made = Policy.of({"language_model": "gguf:some.gguf"})
    assert Policy.from_toml(made.to_toml()) == made
    assert made.fingerprint() != Policy().fingerprint()


@pytest.mark.slow
@pytest.mark.download
def test_on_real_words_with_the_model_that_comes_along():
    part = {"name": "neighbourhood", "k": 32, "fluency": 0.6}
    made = Policy.of(
        {
            "extends": "stamp",
            "mechanism": part,
            "sensitivity": "rules",
            "budget": {"epsilon": [4, 4, 4, 4], "metric": "hops"},
        }
    )
    text = "The patient was seen because of swelling in both ankles."
    one, other = Privatizer(made, seed=5), Privatizer(made, seed=5)
    first = one.privatize(text)
    one.privatize("Something else was read in between, and changes nothing.")
    assert one.privatize(text).text == first.text == other.privatize(text).text
    assert first.text.endswith(".")
    assert first.certificate.mechanisms[0].fluency.model == "smollm2"
    for line in (one, other):
        line.parts.language_model.close()
