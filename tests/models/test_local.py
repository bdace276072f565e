import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from privstamp.errors import Incompatible, StageFailed, UsageError
from privstamp.models.local import LocalModel
from privstamp.protocols import Answerer
from privstamp.types import Prompt, Reply

FAKE = (sys.executable, str(Path(__file__).with_name("fake_chat.py")))
SECRET = "Quillfeather owes 340 euros"


@pytest.fixture
def make(tmp_path):
    made = []

    def build(name="toy.gguf", **options) -> LocalModel:
        (tmp_path / name).write_bytes(b"GGUF")
        given = {"memory": 4_000_000_000, "timeout": 20.0, "command": FAKE} | options
        made.append(LocalModel("toy", tmp_path / name, {"gguf": "a"}, **given))
        return made[-1]

    yield build
    for model in made:
        model.close()


def ask(model: LocalModel, *ends: str, temperature=0.0, max_tokens=40) -> list[str]:
    prompts = [Prompt(f"{SECRET}\n\n{end}", "Be brief.") for end in ends]
    return [
        reply.text
        for reply in model.complete(prompts, temperature=temperature, max_tokens=max_tokens)
    ]


def complaint(model: LocalModel, *ends: str) -> str:
    """The error of a request that fails, seen to hold nothing of the prompt."""
    with pytest.raises(StageFailed) as caught:
        ask(model, *ends)
    error = caught.value
    assert error.__context__ is None and error.__cause__ is None
    assert SECRET not in str(error) and not any(end in str(error) for end in ends)
    return str(error)


def test_replies_come_in_the_order_given_with_counts(make):
    model: Answerer = make()
    assert ask(model, "zebra", "apple", "mouse") == ["arbez", "elppa", "esuom"]
    usage = model.usage
    length = len("Be brief.:") + len(SECRET) + len("\n\n") + 5 + 1
    assert (usage.requests, usage.tokens_in, usage.tokens_out) == (3, 3 * length, 15)
    assert (model.name, model.place, repr(model)) == ("toy", "this machine", "LocalModel(toy)")


def test_what_begins_alike_is_asked_in_a_row(make):
    model, asked = make(), []
    model._ask = lambda prompts, _: asked.extend(one.text for one in prompts) or [Reply("x", 1, 1)]
    texts = ["b one", "a one", "b two", "a two", "a one"]
    model.complete([Prompt(text) for text in texts], temperature=0, max_tokens=4)
    assert asked == ["a one", "a two", "b one", "b two"]


def test_no_more_tokens_than_asked_for(make):
    assert ask(make(), "zebra", max_tokens=3) == ["arb"]


@pytest.mark.parametrize("temperature", [-0.1, float("inf"), float("nan")])
def test_settings_that_cannot_be_are_refused(make, temperature):
    with pytest.raises(UsageError, match="temperature >= 0"):
        ask(make(), "a", temperature=temperature)
    with pytest.raises(UsageError, match="max_tokens >= 1"):
        ask(make(), "a", max_tokens=0)
    for options in ({"threads": 0}, {"timeout": 0.0}, {"memory": 0}):
        with pytest.raises(UsageError, match="threads >= 1, timeout > 0 and memory > 0"):
            make(**options)


def test_a_prompt_that_is_too_long_is_refused_by_counts(make):
    model = make()
    with pytest.raises(UsageError) as caught:
        ask(model, "y" * 1000)
    assert "of 1040 tokens and a reply of up to 40 do not fit into the 1000" in str(caught.value)
    assert "yyy" not in str(caught.value)
    assert ask(model, "fits") == ["stif"]


def test_replies_are_kept_for_their_owner_alone(make, tmp_path):
    folder = tmp_path / "replies"
    ask(make(cache=folder), "zebra", "apple")
    files = list(folder.iterdir())
    assert len(files) == 2
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert not any(SECRET in file.read_text() for file in files)
    again = make(cache=folder, command=("/nowhere/at/all",))  # no process is needed
    assert ask(again, "apple", "zebra") == ["elppa", "arbez"]
    assert (again.usage.requests, again.usage.cached) == (0, 2)


def test_another_seed_file_or_setting_is_another_reply(make, tmp_path):
    folder = tmp_path / "replies"
    first = make(cache=folder)
    ask(first, "a")
    other = make(cache=folder, seed=1)
    ask(other, "a")
    ask(other, "a", temperature=0.5)
    ask(other, "a", temperature=0.5, max_tokens=3)
    assert (other.usage.requests, other.usage.cached) == (3, 0)
    assert first.fingerprint != other.fingerprint
    assert first.fingerprint == make().fingerprint


@pytest.mark.parametrize(
    ("end", "why"),
    [("abort", "ended (signal 6)"), ("devour", "MemoryError"), ("raise", "ValueError")],
)
def test_a_process_that_breaks_is_an_error_and_the_next_one_is_fresh(make, end, why):
    model = make()
    assert ask(model, "one") == ["eno"]
    before = model._worker._process.pid
    assert why in complaint(model, end)
    assert ask(model, "two") == ["owt"]
    assert model._worker._process.pid != before
    assert gone(before)


def test_more_memory_than_allowed_is_not_given(make):
    plenty = make(memory=20_000_000_000)
    assert ask(plenty, "devour") == ["ruoved"]  # the memory is never touched
    assert "MemoryError" in complaint(make(memory=3_000_000_000), "devour")


def test_a_reply_that_does_not_come_in_time_is_given_up(make):
    model = make()
    ask(model, "one")
    process, model._timeout = model._worker._process.pid, 1.0
    assert "no answer within 1 seconds" in complaint(model, "sleep")
    assert gone(process)


def test_what_a_library_prints_disturbs_nothing(make, capfd):
    assert ask(make(), "chatter", "zebra") == ["rettahc", "arbez"]
    assert capfd.readouterr() == ("", "")


def test_a_model_that_cannot_be_opened_says_so(make):
    assert "could not be opened (AssetError)" in complaint(make("lost.gguf"), "one")
    with pytest.raises(Incompatible, match="no chat template"):
        ask(make("base.gguf"), "a")
    assert "no answer within" in complaint(make("slow.gguf", timeout=1.0), "one")


@pytest.mark.skipif(sys.platform == "win32", reason="signals to threads")
@pytest.mark.parametrize("thread", ["whichever", "another"])
def test_ctrl_c_ends_the_process(tmp_path, thread):
    """In a process of its own: one that also runs other tests would be interrupted too."""
    (tmp_path / "toy.gguf").write_bytes(b"GGUF")
    send = {
        "whichever": "os.kill(os.getpid(), signal.SIGINT)",
        "another": "signal.pthread_kill(threading.get_ident(), signal.SIGINT)",
    }
    code = (
        "import os, signal, sys, threading, time; from pathlib import Path\n"
        "from privstamp.models.local import LocalModel; from privstamp.types import Prompt\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job behind & ignores it
        "m = LocalModel('toy', Path(sys.argv[1]), {}, memory=4 * 10**9, command=sys.argv[2:])\n"
        "m.complete([Prompt('a')], temperature=0, max_tokens=4)\n"
        "print(m._worker._process.pid, flush=True)\n"
        f"threading.Timer(0.5, lambda: {send[thread]}).start()\n"
        "started = time.monotonic()\n"
        "try:\n"
        "    m.complete([Prompt('x\\n\\nsleep')], temperature=0, max_tokens=4)\n"
        "except KeyboardInterrupt:\n"
        "    print(time.monotonic() - started, flush=True)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "toy.gguf"), *FAKE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        process, waited = int(child.stdout.readline()), float(child.stdout.readline())
    assert waited < 15  # of the minute that the toy would sleep
    assert gone(process)


def test_a_closed_model_answers_no_more(make):
    with make() as model:
        ask(model, "one")
        process = model._worker._process.pid
    assert gone(process)
    model.close()
    with pytest.raises(StageFailed, match="toy was closed"):
        ask(model, "one")


def test_it_does_not_outlive_whoever_started_it(tmp_path):
    (tmp_path / "toy.gguf").write_bytes(b"GGUF")
    code = (
        "import os, sys, threading; from pathlib import Path; from privstamp.types import Prompt;"
        "from privstamp.models.local import LocalModel;"
        "m = LocalModel('toy', Path(sys.argv[1]), {}, memory=4 * 10**9, command=sys.argv[2:]);"
        "m.complete([Prompt('a')], temperature=0, max_tokens=4);"
        "print(m._worker._process.pid, flush=True);"
        "threading.Timer(1.0, os.kill, (os.getpid(), 9)).start();"
        "m.complete([Prompt('x\\n\\nsleep')], temperature=0, max_tokens=4)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "toy.gguf"), *FAKE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        process = int(parent.stdout.readline())
        assert parent.wait() == -9
    assert gone(process)


def gone(process: int) -> bool:
    """Whether a process is no more, or no more than a line in a table; it has a moment to go."""
    for _ in range(50):
        try:
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.1)
    return False
