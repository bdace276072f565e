import numpy as np
import pytest

from brute_force import SLACK, chord_matrix
from privstamp.decoding.exact import Exact
from privstamp.errors import BudgetError, Incompatible
from privstamp.mechanisms.exponential import CusText, Exponential, PolarVocabulary, Tem
from privstamp.mechanisms.fluency import BaseMeasure, FluentDecoded, FluentScored, Spellings, fluent
from privstamp.mechanisms.laplace import LaplaceCoordinate, LaplaceL2, Mahalanobis
from privstamp.mechanisms.neighbourhood import Neighbourhood
from privstamp.mechanisms.polar import Polar, PolarRadial, Vickrey
from privstamp.mechanisms.randomized_response import Clusters, RandomizedResponse
from privstamp.noise import Noise
from privstamp.types import Label
from statistical import ALPHA, fresh, has_counts
from toy_lm import ToyLM
from toys import ToySpace

SPACE = ToySpace(rows=12, dimensions=4, classes=("a",))
ROWS, OUTPUTS = np.arange(12, dtype=np.int32), SPACE.outputs[0]
CONTEXTS = ["", "w3 ", "w1 w10 w2, "]


def hops(mechanism):
    nodes = mechanism.graph.nodes(ROWS).astype(np.int64)
    steps = np.array(mechanism.graph.classes[0].sweeps.hops(np.arange(len(OUTPUTS))))
    return steps[np.ix_(nodes, nodes)].astype(float)


def apart(mechanism):
    return 1.0 - np.eye(len(ROWS))


def parted(mechanism):
    members = [tuple(mechanism.members(row)) for row in ROWS.tolist()]
    return np.array([[float(one != other) for other in members] for one in members])


def within(mechanism):
    return np.where(parted(mechanism) == 1, np.inf, apart(mechanism))


SCORED = {
    "neighbourhood": (lambda: Neighbourhood(SPACE, k=2), hops),
    "plateau": (lambda: Neighbourhood(SPACE, k=2, plateau=1), hops),
    "exponential": (lambda: Exponential(SPACE), lambda _: chord_matrix(SPACE)),
    "polar-vocabulary": (lambda: PolarVocabulary(SPACE), lambda _: chord_matrix(SPACE)),
    "tem": (lambda: Tem(SPACE, gamma=0.9), lambda _: np.minimum(chord_matrix(SPACE), 0.9)),
    "randomized-response": (lambda: RandomizedResponse(SPACE), apart),
    "clusters": (lambda: Clusters(SPACE, size=3), parted),
    "custext": (lambda: CusText(SPACE, size=3), within),
}
TIGHT = ["neighbourhood", "exponential", "randomized-response", "clusters"]
"""Where a base measure that all but knows the word uses up the whole bound on this table."""


def measure(model, context, label=Label.LOWER):
    return BaseMeasure.after(model, context, Spellings(SPACE, model), 0, label)


def law_of(mechanism, row, epsilon, model, context):
    return mechanism.law_given(row, epsilon, measure(model, context))


def worst(mechanism, distance, epsilon, model, context):
    """The smallest epsilon that would be true given the prefix: all pairs, all outputs."""
    rows = ROWS.tolist()
    law = np.array([law_of(mechanism, row, epsilon, model, context) for row in rows])
    return loss_of(law, distance)


def loss_of(law, distance):
    with np.errstate(divide="ignore"):
        logs = np.log(law)
    found = 0.0
    for one in range(len(ROWS)):
        for other in np.flatnonzero(np.isfinite(distance[one])).tolist():
            with np.errstate(invalid="ignore"):
                gaps = logs[one] - logs[other]
            gap = np.where(np.isnan(gaps), -np.inf, gaps).max()  # NaN: neither gives this output
            if distance[one, other] == 0:
                assert gap <= SLACK, "no distance, one law"
            else:
                found = max(found, (gap - SLACK) / distance[one, other])
    return found


@pytest.mark.parametrize("name", SCORED)
@pytest.mark.parametrize("power", [0.3, 1.0, 6.0])
def test_promise_holds_given_any_prefix(name, power):
    make, metric = SCORED[name]
    mechanism = fluent(SPACE, make(), power, "law")
    for seed, context in enumerate(CONTEXTS):
        for epsilon in (0.5, 4.0):
            model = ToyLM(seed=seed, spread=3.0)
            found = worst(mechanism, metric(mechanism.mechanism), epsilon, model, context)
            assert 0.0 < found <= epsilon


@pytest.mark.parametrize("name", TIGHT)
def test_bound_is_met_where_the_model_is_sure_and_less_noise_is_noticed(name):
    make, metric = SCORED[name]
    mechanism, model, epsilon = fluent(SPACE, make(), 2.0, "law"), ToyLM(seed=1, spread=9.0), 2.0
    distance = metric(mechanism.mechanism)
    found = [worst(mechanism, distance, epsilon, model, context) for context in CONTEXTS]
    assert 0.9 * epsilon < max(found) <= epsilon
    less = [worst(mechanism, distance, epsilon / 0.7, model, context) for context in CONTEXTS]
    assert max(less) > epsilon


@pytest.mark.parametrize("name", ["neighbourhood", "plateau", "randomized-response", "clusters"])
def test_own_constants_would_break_the_promise_under_a_base_measure(name):
    make, metric = SCORED[name]
    mechanism, model, epsilon = fluent(SPACE, make(), 2.0, "law"), ToyLM(seed=1, spread=9.0), 2.0
    mechanism._half_scores = mechanism.mechanism._log_weights
    distance = metric(mechanism.mechanism)
    assert max(worst(mechanism, distance, epsilon, model, one) for one in CONTEXTS) > epsilon


@pytest.mark.parametrize("name", ["neighbourhood", "polar-vocabulary", "custext"])
@pytest.mark.parametrize("power", [0.6, 3.0])
def test_draws_follow_the_law_of_whole_words(name, power):
    mechanism = fluent(SPACE, SCORED[name][0](), power, "law")
    model, row, epsilon, context = ToyLM(seed=2, spread=1.0), 9, 1.0, "w3 "
    draws = 1500
    noise = fresh(draws)
    model_calls = model.calls
    spellings = Spellings(SPACE, model)
    places = [
        mechanism.draw(
            row,
            epsilon,
            BaseMeasure.after(model, context, spellings, 0, 0),
            noise.take(slice(at, at + 1)),
        )
        for at in range(draws)
    ]
    counts = np.bincount(places, minlength=len(OUTPUTS))
    assert has_counts(counts, law_of(mechanism, row, epsilon, model, context)) > ALPHA
    first = measure(model, context).upper
    scores = mechanism._half_scores(row, epsilon)
    wrong = np.exp(scores + power * first)  # the first pieces alone
    flat = np.exp(scores)
    other = law_of(mechanism, 2, 4 * epsilon, model, context)
    if name != "custext":  # whose set may hold words of one piece only
        assert has_counts(counts, wrong / wrong.sum()) < ALPHA
    assert has_counts(counts, flat / flat.sum()) < ALPHA
    assert has_counts(counts, other) < ALPHA
    assert model.calls > model_calls + draws, "some proposals needed a second look"


def test_base_measure_is_the_same_whatever_the_unit():
    class Watched(ToyLM):
        def __init__(self):
            super().__init__(seed=3)
            self.seen = []

        def next_logprobs(self, prefix, continuation=()):
            self.seen.append((prefix, tuple(continuation)))
            return super().next_logprobs(prefix, continuation)

    mechanism = fluent(SPACE, Exponential(SPACE), 1.0, "law")
    model = Watched()
    bases = []
    for row in (0, 9):
        base = measure(model, "w3 w10 ")
        for _ in range(50):
            mechanism.draw(row, 2.0, base, fresh(1))
        mechanism.law_given(row, 2.0, base)
        bases.append(base.upper)
    assert (bases[0] == bases[1]).all()
    heads = {tuple(model.pieces(f" {w}")[:n]) for w in SPACE.words(OUTPUTS) for n in range(3)}
    assert {prefix for prefix, _ in model.seen} == {"w3 w10"}
    assert {head for _, head in model.seen} <= heads


@pytest.mark.parametrize("name", SCORED)
def test_extreme_powers_and_budgets_are_ordinary(name):
    base = SCORED[name][0]()
    sure = fluent(SPACE, base, 1000, "law")
    model = ToyLM(seed=4)
    if name != "custext":
        best = law_of(sure, 3, 0.1, model, "w3 ").argmax()
        for _ in range(20):
            assert sure.draw(3, 0.1, measure(model, "w3 "), fresh(1)) == best
    mild = fluent(SPACE, base, 1e-9, "law")
    for epsilon in (1e-9, 1e9):
        place = mild.draw(3, epsilon, measure(model, "w3 "), fresh(1))
        assert 0 <= place < len(OUTPUTS)
        if epsilon > 1 and name in ("exponential", "neighbourhood", "randomized-response"):
            assert OUTPUTS[place] == 3


@pytest.mark.parametrize("name", SCORED)
def test_without_a_text_the_base_measure_is_flat(name):
    mechanism = fluent(SPACE, SCORED[name][0](), 0.5, "law")
    assert isinstance(mechanism, FluentScored)
    rows = np.full(3000, 4, dtype=np.int32)
    channel = mechanism.channel(rows[:1], np.ones(1))[0]
    law = np.exp(mechanism.mechanism.half_scores(4, 1.0))
    np.testing.assert_allclose(channel[OUTPUTS], law / law.sum())
    out = mechanism.privatize(rows, np.full(3000, 1.0), fresh(3000))
    assert has_counts(np.bincount(out, minlength=12), channel) > ALPHA


class Flat:
    """Every word fits alike."""

    upper = np.zeros(len(OUTPUTS))
    settled = np.ones(len(OUTPUTS), dtype=bool)


EXPLAINED = {
    "polar": lambda: Polar(SPACE, decoder=Exact(SPACE)),
    "polar-radial": lambda: PolarRadial(SPACE, decoder=Exact(SPACE)),
    "angular": lambda: Polar(SPACE, metric="angular", decoder=Exact(SPACE)),
    "laplace-l2": lambda: LaplaceL2(SPACE, decoder=Exact(SPACE)),
    "euclidean": lambda: LaplaceL2(SPACE, metric="euclidean", decoder=Exact(SPACE)),
    "laplace-coordinate": lambda: LaplaceCoordinate(SPACE, decoder=Exact(SPACE)),
    "mahalanobis": lambda: Mahalanobis(SPACE, decoder=Exact(SPACE)),
}


@pytest.mark.parametrize("name", EXPLAINED)
def test_decoding_finds_the_likeliest_output(name):
    mechanism, model = fluent(SPACE, EXPLAINED[name](), 0.7), ToyLM(seed=5)
    assert isinstance(mechanism, FluentDecoded)
    whole = measure(model, "w3 ")
    for place in range(len(OUTPUTS)):
        whole.settle(place)
    noise, found = Noise.of_document(bytes(32), np.arange(60)), []
    for at in range(60):
        here = noise.take(slice(at, at + 1))
        fit = mechanism.mechanism.log_likelihood(mechanism.mechanism.noisy(4, 3.0, here), 0, 3.0)
        expected = int(np.argmax(fit + 0.7 * whole.upper))
        found.append(mechanism.draw(4, 3.0, measure(model, "w3 "), here))
        assert found[-1] == expected
    assert len(set(found)) > 1


@pytest.mark.parametrize("name", ["polar", "polar-radial", "angular", "laplace-l2", "euclidean"])
def test_a_flat_base_measure_is_plain_decoding(name):
    mechanism = fluent(SPACE, EXPLAINED[name](), 0.7)
    noise, rows = fresh(60), np.full(60, 4, dtype=np.int32)
    plain = mechanism.privatize(rows, np.full(60, 3.0), noise)
    found = [mechanism.draw(4, 3.0, Flat(), noise.take(slice(at, at + 1))) for at in range(60)]
    assert (OUTPUTS[found] == plain).all()


def test_likelihoods_are_those_of_the_noise():
    rows = SPACE.unit[OUTPUTS].astype(float)
    rows /= np.linalg.norm(rows, axis=1)[:, None]
    y = np.array([0.3, -1.0, 2.0, 0.5])
    np.testing.assert_allclose(EXPLAINED["polar"]().log_likelihood(y, 0, 3.0), 3.0 * rows @ y)
    np.testing.assert_allclose(
        EXPLAINED["angular"]().log_likelihood(y, 0, 3.0), 3.0 / np.pi * rows @ y
    )
    l2 = -np.linalg.norm(y - 3.0 * rows, axis=1)
    np.testing.assert_allclose(EXPLAINED["laplace-l2"]().log_likelihood(y, 0, 3.0), l2)
    round_noise = Mahalanobis(SPACE, decoder=Exact(SPACE), lam=0.0)
    np.testing.assert_allclose(round_noise.log_likelihood(y, 0, 3.0), l2)
    one = LaplaceCoordinate(SPACE, decoder=Exact(SPACE))
    l1 = -np.abs(y - 3.0 / one.width * rows).sum(axis=1)
    np.testing.assert_allclose(one.log_likelihood(y, 0, 3.0), l1)


def test_a_power_of_zero_is_off():
    mechanism = Exponential(SPACE)
    assert fluent(SPACE, mechanism, 0) is mechanism
    assert fluent(SPACE, mechanism, 0.0) is mechanism


@pytest.mark.parametrize("power", [-0.1, 1001, float("nan"), float("inf"), True, "0.3", None])
def test_what_is_no_power_is_refused(power):
    with pytest.raises(BudgetError, match="fluency"):
        fluent(SPACE, Exponential(SPACE), power)


def test_a_mechanism_that_cannot_take_it_says_so():
    with pytest.raises(Incompatible, match='"vickrey" cannot take a language model'):
        fluent(SPACE, Vickrey(SPACE, decoder=Exact(SPACE)), 0.3)


def test_guarantee_says_which_constant_holds():
    plain = Neighbourhood(SPACE, k=2)
    for by, constant in (("law", "nominal constant"), ("decoding", "own constant")):
        mechanism = fluent(SPACE, plain, 0.3, by)
        assert constant in mechanism.guarantee
        assert plain.guarantee in mechanism.guarantee


def test_an_unknown_way_lists_the_known_ones():
    with pytest.raises(BudgetError, match="law"):
        fluent(SPACE, Exponential(SPACE), 0.3, "lore")


def test_noise_on_vectors_has_no_law_to_weigh():
    with pytest.raises(Incompatible, match='"polar" cannot take a language model by law'):
        fluent(SPACE, EXPLAINED["polar"](), 0.3, "law")


def decoded_law(mechanism, epsilon, model, context):
    """P(v | w, prefix) of a draw that is decoded afterwards, for every row."""
    drawn = mechanism.mechanism.channel(ROWS, np.full(len(ROWS), epsilon))
    law = np.zeros((len(ROWS), len(OUTPUTS)))
    for row in OUTPUTS.tolist():
        base = measure(model, context)
        law[:, mechanism._decode(np.array([float(row)]), 0, epsilon, base)] += drawn[:, row]
    return law


@pytest.mark.parametrize("name", SCORED)
def test_decoding_a_draw_keeps_the_constant_of_the_draw(name):
    make, metric = SCORED[name]
    plain = make()
    distance, epsilon, worsts = metric(plain), 2.0, []
    for power in (1e-6, 0.3, 2.0):
        mechanism = fluent(SPACE, plain, power, "decoding")
        for seed, context in enumerate(CONTEXTS):
            law = decoded_law(mechanism, epsilon, ToyLM(seed=seed), context)
            worsts.append(loss_of(law, distance))
            np.testing.assert_allclose(law.sum(axis=1), 1.0)
    assert max(worsts) <= epsilon
    assert max(worsts) > 0.5 * epsilon, "a claim of half as much would be wrong"


@pytest.mark.parametrize("name", ["neighbourhood", "plateau"])
def test_likelihood_of_a_draw_is_its_column_of_the_channel(name):
    plain = SCORED[name][0]()
    channel = plain.channel(OUTPUTS, np.full(len(OUTPUTS), 2.0))
    for row in OUTPUTS.tolist():
        found = plain.log_likelihood(np.array([float(row)]), 0, 2.0)
        np.testing.assert_allclose(np.exp(found), channel[:, row], rtol=1e-9)


@pytest.mark.parametrize("name", SCORED)
def test_a_draw_is_decoded_as_drawn(name):
    plain = SCORED[name][0]()
    mechanism, model, noise = fluent(SPACE, plain, 1.5), ToyLM(seed=7), fresh(40)
    drawn = plain.privatize(np.full(40, 9, dtype=np.int32), np.full(40, 1.0), noise)
    for at, row in enumerate(drawn.tolist()):
        found = mechanism.draw(9, 1.0, measure(model, "w3 "), noise.take(slice(at, at + 1)))
        expected = mechanism._decode(np.array([float(row)]), 0, 1.0, measure(model, "w3 "))
        assert found == expected


def test_units_without_a_row_or_a_budget_are_refused():
    mechanism = fluent(SPACE, Exponential(SPACE), 0.3, "law")
    for row, epsilon in ((-1, 1.0), (3, 0.0), (3, float("inf"))):
        with pytest.raises(ValueError, match=r"epsilon|row"):
            mechanism.draw(row, epsilon, measure(ToyLM(), ""), fresh(1))
