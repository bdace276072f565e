"""Deliberately broken mechanisms and lines: the audit catches each, and passes the sound one."""

import numpy as np
import pytest

from lab.audit.stand import TEXTS, quiet, stand
from line import make
from privstamp.budget import Budget
from privstamp.decoding.exact import Exact
from privstamp.lab.attackers import Candidates
from privstamp.lab.audit import subject as subject_module
from privstamp.lab.audit.claims import Pair, chosen_pairs, claims, measure, most
from privstamp.lab.audit.laws import SLACK, exact_ratio
from privstamp.lab.audit.leakage import leakage
from privstamp.lab.audit.repeats import reuse, reused
from privstamp.lab.audit.subject import SampleText, Subject
from privstamp.mechanisms.exponential import Exponential
from privstamp.mechanisms.fluency import fluent
from privstamp.mechanisms.laplace import LaplaceL2
from privstamp.mechanisms.neighbourhood import Neighbourhood
from privstamp.mechanisms.polar import Polar
from privstamp.noise import Noise, Randomness
from privstamp.pipeline import Privatizer
from third_party import Mute
from toys import ToySpace

KEY, DRAWS = b"b" * 32, 40_000


@pytest.fixture(scope="module")
def plane():
    """Two dimensions, and vectors that were five times as long before they were normalised."""
    raw = 5.0 * np.random.default_rng(3).standard_normal((40, 2))
    return ToySpace(40, 2, ("a",), unit=raw)


def far_pair(space, claim):
    row = space.unit[:1].astype(float) @ space.unit[:36].T
    other = int(row.argmin())
    apart = float(np.linalg.norm(space.unit[0].astype(float) - space.unit[other]))
    return Pair(0, other, claim / apart, apart)


def caught(mechanism, space, pair):
    (found,) = measure(mechanism, space, [pair], draws=DRAWS, key=KEY)
    return not found.sound


class HalfTheNoise(Polar):
    def privatize(self, ids, epsilon, noise):
        return super().privatize(ids, 2.0 * epsilon, noise)


class BeforeNormalising(LaplaceL2):
    """Adds noise of unit size to vectors that are longer than the claim says."""

    def _perturb(self, ids, epsilon, noise):
        quiet_ = super()._perturb(ids, epsilon, noise)
        unit = self._space.unit[ids].astype(float)
        return quiet_ + epsilon[:, None] * unit * (self._space.radius[ids, None] - 1.0)


class OneSeed(Polar):
    """Every unit of a document meets the same noise."""

    def privatize(self, ids, epsilon, noise):
        return super().privatize(ids, epsilon, Noise.of_document(KEY, np.zeros(len(ids))))


@pytest.mark.parametrize("broken", [HalfTheNoise, BeforeNormalising, OneSeed])
def test_broken_noise_is_caught_and_sound_noise_is_not(plane, broken):
    pair = far_pair(plane, 2.5)
    sound = broken.__bases__[0]
    assert not caught(sound(plane, metric="chordal", decoder=Exact(plane)), plane, pair)
    assert caught(broken(plane, metric="chordal", decoder=Exact(plane)), plane, pair)


class Disconnected(Neighbourhood):
    """A graph in two parts that nobody linked: what is in one never leaves it."""

    def privatize(self, ids, epsilon, noise):
        out = super().privatize(ids, epsilon, noise)
        return np.where(ids % 2 == out % 2, out, ids).astype(np.int32)


def test_a_disconnected_graph_is_caught(plane):
    sound, broken = Neighbourhood(plane, k=3), Disconnected(plane, k=3)
    words = Candidates(plane, 0)
    steps = sound.graph.classes[0].sweeps.hops(np.array([0]))[0]
    other = next(n for n in range(len(words)) if words.ids[n] % 2 == 1 and steps[n] == 2)
    pair = Pair(0, int(words.ids[other]), 1.25, 2.0)
    assert not caught(sound, plane, pair)
    assert caught(broken, plane, pair)


class WrongConstant(Neighbourhood):
    """As if normalisers were all equal: the whole epsilon goes into the score."""

    def _scale(self, number, epsilon):
        return epsilon


@pytest.mark.parametrize("epsilon", [0.5, 2.0, 5.0])
def test_a_wrong_tight_constant_is_caught(plane, epsilon):
    words = Candidates(plane, 0)
    assert exact_ratio(Neighbourhood(plane, k=3), words, epsilon) <= 1.0 + SLACK
    assert exact_ratio(WrongConstant(plane, k=3), words, epsilon) > 1.0 + SLACK


class WrongExponential(Exponential):
    """Forgets the half that pays for the normaliser."""

    def scale(self, number, epsilon):
        return 2.0 * super().scale(number, epsilon)


def test_a_claim_of_the_exact_law_is_held_against_it(plane):
    words = Candidates(plane, 0)
    assert exact_ratio(Exponential(plane, metric="chordal"), words, 2.0) <= 1.0 + SLACK
    assert exact_ratio(WrongExponential(plane, metric="chordal"), words, 2.0) > 1.0 + SLACK
    read = fluent(plane, Exponential(plane, metric="chordal"), 0.5, "law")
    assert 0.5 < exact_ratio(read, words, 2.0) <= 1.0 + SLACK
    polar = Polar(plane, metric="chordal", decoder=Exact(plane))
    assert exact_ratio(polar, words, 2.0) is None


def test_a_whole_line_with_half_the_noise_does_not_pass(monkeypatch, plane):
    texts = [SampleText("w1 w2 w3 w4")]
    sound = stand(monkeypatch, texts, space=plane, draws=20_000)
    assert claims(sound, quiet).sound
    line = stand(monkeypatch, texts, space=plane, mechanism=HalfTheNoise, draws=20_000)
    broken = claims(line, quiet)
    assert not broken.sound and broken.figures["empirical_epsilon_over_claim"].value > 1


LONG = [SampleText(" ".join(f"w{n}" for n in range(start, start + 90))) for start in (0, 100, 200)]


def test_noise_reused_for_an_edited_text_is_caught(monkeypatch):
    sound = reuse(stand(monkeypatch, LONG, budget=Budget.uniform(6.0)), quiet)
    assert sound.sound and sound.figures["alike_edited"].value < 0.5
    key = Randomness.key

    def content_forgotten(self, *parts):
        return self.root if self.mode == "secret" else key(self, *parts)

    monkeypatch.setattr(Randomness, "key", content_forgotten)
    broken = reuse(stand(monkeypatch, LONG, budget=Budget.uniform(6.0)), quiet)
    assert not broken.sound and broken.figures["alike_edited"].value == 1.0


def test_likeness_by_chance_is_no_reuse():
    assert not reused(60, 200, 50, 200)
    assert reused(190, 200, 50, 200)
    assert not reused(0, 200, 50, 200) and not reused(0, 0, 0, 0) and not reused(9, 9, 9, 9)


def test_unknown_words_that_pass_are_caught(monkeypatch):
    strange = [SampleText("w1 Blorptang w2 Querifax w3 Wumbletop w4", None, None, ())] * 2
    assert leakage(stand(monkeypatch, strange), quiet).sound
    made = make(monkeypatch, seed=1, budget=Budget.uniform(2.0))
    release = Privatizer.privatize_many

    def passing(self, *arguments, **settings):
        for one in release(self, *arguments, **settings):
            units = one.trace.units
            for index in np.flatnonzero(units.rows < 0).tolist():
                one.trace.surfaces[index] = units.surface(index)
            yield one

    monkeypatch.setattr(Privatizer, "privatize_many", passing)
    monkeypatch.setattr(subject_module, "Privatizer", lambda *_args, **_more: made)
    broken = leakage(Subject(made.policy, strange, seed=1), quiet)
    assert not broken.sound and broken.figures["unknown_passed"].value == 1.0


def test_a_mechanism_that_states_no_distance_is_not_tested(plane):
    polar = Polar(plane, metric="chordal", decoder=Exact(plane))
    assert chosen_pairs(polar, Candidates(plane, 0))
    assert chosen_pairs(Mute(plane), Candidates(plane, 0)) == []


def test_what_n_samples_can_certify_is_stated(monkeypatch):
    remarks = " ".join(claims(stand(monkeypatch, TEXTS[:1]), quiet).remarks)
    assert f"can prove {most(2_000):.1f} nats at most" in remarks
    assert most(2_000) < np.log(2_000)
