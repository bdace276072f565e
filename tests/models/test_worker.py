import gc
import sys
import weakref

import pytest

from privstamp.errors import StageFailed
from privstamp.models.local import Worker

SECRET = "Quillfeather"
READ = "import sys, json, time\nfor line in sys.stdin:\n    said = json.loads(line)['said']\n    "


def worker(*does: str) -> Worker:
    """A process that does one thing with each line."""
    return Worker("toy", [sys.executable, "-S", "-c", READ + "; ".join(does)])


def complaint(made: Worker, timeout: float = 20.0) -> str:
    with pytest.raises(StageFailed) as caught:
        made.ask({"said": SECRET}, timeout)
    error = caught.value
    assert error.__context__ is None and error.__cause__ is None and SECRET not in str(error)
    assert made._process.poll() is not None
    return str(error)


def test_one_answer_for_each_message():
    made = worker("print(json.dumps({'heard': said[::-1]}), flush=True)")
    for text in ("abc", "a\nb\ud800\U0001f600", "x" * 1_000_000):
        assert made.ask({"said": text}, 20.0) == {"heard": text[::-1]}
    made.close()
    made.close()
    assert made._process.returncode == -9


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("sys.exit(3)", "its process ended (code 3)"),
        ("print('{\"heard\": ', end='', flush=True); sys.exit(4)", "its process ended (code 4)"),
        ("raise ValueError(said)", "its process ended (code 1)"),
        ("import os; os.abort()", "its process ended (signal 6)"),
    ],
)
def test_a_process_that_ends_is_named_by_how_it_ended(does, why):
    assert why in complaint(worker(does))


def test_an_answer_that_cannot_be_read_is_none():
    assert "its process ended" in complaint(worker("print('what', said, flush=True)"))


def test_an_answer_too_late_is_none():
    assert "no answer within 0.2 seconds" in complaint(worker("time.sleep(60)"), 0.2)


def test_an_interrupted_question_ends_the_process(monkeypatch):
    made = worker("print('{}', flush=True)")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(made, "_exchange", interrupted)
    with pytest.raises(KeyboardInterrupt):
        made.ask({"said": SECRET}, 20.0)
    assert made._process.poll() is not None  # its answer would be taken for the next one's


def test_a_process_that_was_never_there_is_an_error():
    with pytest.raises(StageFailed, match="toy cannot be started"):
        Worker("toy", ["/nowhere/at/all"])


def test_what_it_prints_as_errors_goes_nowhere(capfd):
    made = worker("print(said, file=sys.stderr, flush=True)", "print('{}', flush=True)")
    assert made.ask({"said": SECRET}, 20.0) == {}
    made.close()
    assert capfd.readouterr() == ("", "")


def test_a_forgotten_one_is_ended():
    made = worker("print('{}', flush=True)")
    process, seen = made._process, weakref.ref(made)
    del made
    gc.collect()
    assert seen() is None and process.returncode == -9
