"""A model elsewhere that falls silent is asked again later; one that stays silent is given up."""

import pytest

import tiny_workshop as tiny
from models.chat_server import failed, said, serving
from privstamp.errors import NoAnswer, StageFailed, TooManyRequests
from privstamp.lab.evals import workshop
from privstamp.lab.evals.answers import Answers
from privstamp.lab.evals.runner import run
from privstamp.lab.evals.workshop import GIVEN_UP, LONGEST, PAUSES, Patient
from privstamp.models import endpoint
from privstamp.models.endpoint import Endpoint
from privstamp.types import Prompt, Reply, Usage

SILENT, BUSY = NoAnswer("host did not answer"), TooManyRequests("host has too many requests")


class Model:
    """Does as the script says: raises its errors, and answers else."""

    name, fingerprint, place = "endpoint host/m", "f", "host"
    usage = Usage(requests=3)

    def __init__(self, *script):
        self.script, self.calls, self.closed = list(script), 0, False

    def complete(self, prompts, *, temperature, max_tokens):
        self.calls += 1
        now = self.script.pop(0) if self.script else None
        if now is not None:
            raise now
        return [Reply(f"{prompt.text} {temperature} {max_tokens}", 1, 1) for prompt in prompts]

    def close(self):
        self.closed = True


@pytest.fixture
def patient():
    """`patient(model)` notes in `.waits` how long it would have waited."""

    def make(model):
        waits = []
        made = Patient(model, wait=waits.append)
        made.waits = waits
        return made

    return make


def ask(model):
    return model.complete([Prompt("p")], temperature=0.5, max_tokens=7)


def outcomes(model, times):
    """What came of each call."""
    found = []
    for _ in range(times):
        try:
            found.append(ask(model)[0].text)
        except StageFailed as error:
            found.append(type(error).__name__)
    return found


def test_it_is_the_model_in_all_but_patience(patient):
    model = Model()
    with patient(model) as made:
        assert ask(made)[0].text == "p 0.5 7" and made.waits == []
        assert (made.name, made.fingerprint, made.place) == ("endpoint host/m", "f", "host")
        assert made.usage == Usage(requests=3)
    assert model.closed


def test_a_short_outage_costs_the_calls_it_met_and_no_others(patient):
    made = patient(Model(SILENT, SILENT))
    assert outcomes(made, 4) == ["NoAnswer", "NoAnswer", "p 0.5 7", "p 0.5 7"]
    assert made.waits == pytest.approx(PAUSES[:2], abs=1)


def test_the_wait_begins_anew_after_an_answer(patient):
    made = patient(Model(SILENT, None, SILENT, None))
    outcomes(made, 4)
    assert made.waits == pytest.approx([PAUSES[0]] * 2, abs=1)


def test_time_that_passed_anyhow_is_not_waited_again(patient, monkeypatch):
    made = patient(Model(SILENT))
    outcomes(made, 1)
    now = workshop.monotonic()
    monkeypatch.setattr(workshop, "monotonic", lambda: now + PAUSES[0])
    assert outcomes(made, 1) == ["p 0.5 7"] and made.waits == []


def test_one_that_stays_silent_is_given_up_at_once_and_for_good(patient):
    model = Model(*[SILENT] * 50)
    made = patient(model)
    assert outcomes(made, 10) == ["NoAnswer"] * 10
    assert model.calls == GIVEN_UP and len(made.waits) == GIVEN_UP - 1
    assert sum(made.waits) < 120
    with pytest.raises(NoAnswer, match=r"host.*not asked any more.*same command"):
        ask(made)


def test_too_many_requests_is_never_taken_for_death(patient):
    model = Model(*[BUSY] * 20)
    made = patient(model)
    assert outcomes(made, 21) == ["TooManyRequests"] * 20 + ["p 0.5 7"]
    assert made.waits == pytest.approx([*PAUSES, *[LONGEST] * 17], abs=1)
    assert list(PAUSES) == sorted(PAUSES) and PAUSES[-1] < LONGEST


def test_one_that_is_busy_in_between_is_alive(patient):
    model = Model(SILENT, SILENT, BUSY, SILENT, SILENT)
    assert outcomes(patient(model), 6)[-1] == "p 0.5 7" and model.calls == 6


def test_a_refusal_is_an_answer(patient):
    made = patient(Model(SILENT, SILENT, StageFailed("refused"), SILENT, SILENT))
    assert outcomes(made, 6)[-1] == "p 0.5 7"


def test_ctrl_c_ends_the_wait():
    def pressed(_seconds):
        raise KeyboardInterrupt

    made = Patient(Model(SILENT), wait=pressed)
    outcomes(made, 1)
    with pytest.raises(KeyboardInterrupt):
        ask(made)


def test_a_real_endpoint_tells_the_two_apart(patient, monkeypatch):
    monkeypatch.setattr(endpoint, "_FIRST_PAUSE", 0.001)
    script = [429, 429, 503, 503, 200]
    with serving(lambda n, _: said("a") if script[n // 2] == 200 else failed(script[n // 2])) as at:
        made = patient(Endpoint(at.url, "m", retries=1))
        kinds = outcomes(made, 5)
    assert kinds == ["TooManyRequests"] * 2 + ["NoAnswer"] * 2 + ["a"]


class Asking(tiny.TinyWorkshop):
    """A workshop whose reader asks a model."""

    model = None

    def reader(self, cell):
        return Answers(self.model)


def failures(folder, made, count):
    cells = tiny.cells("original", seeds=count)
    workshop = Asking()
    workshop.model = made
    outcome = run(cells, folder, lambda: workshop, limits={"numbers": 4})
    assert outcome.measured == 4 * (count - len(outcome.failures))
    return [one["seed"] for one in outcome.failures]


def test_a_run_outlives_an_outage_and_ends_soon_without_an_endpoint(patient, tmp_path):
    assert failures(tmp_path / "a", patient(Model(None, SILENT, SILENT)), 6) == [1, 2]
    dead = Model(*[SILENT] * 99)
    assert failures(tmp_path / "b", patient(dead), 6) == [*range(6)]
    assert dead.calls == GIVEN_UP
