"""Several at once in one session: tasks, threads and processes go one after the other."""

import asyncio
import multiprocessing
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from line import Named, make
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.release.parts import assemble
from privstamp.sessions import lasting
from privstamp.sessions.lasting import Lasting
from toys import ToySpace

MASTER = bytes(range(32))
NAMES = {f"Name{chr(97 + n)}on": "PERSON" for n in range(26)}


@pytest.fixture(scope="module")
def selective():
    built = assemble(Policy.of({"sensitivity": {"name": "rules"}}))
    return Privatizer(Policy(), parts=replace(built, sensitivity=Named(NAMES)))


@pytest.fixture
def noisy(monkeypatch):
    return make(monkeypatch, space=ToySpace(rows=400, dimensions=12), kinds={})


@pytest.fixture
def path(tmp_path):
    return tmp_path / "sessions.db"


def user(text):
    return {"role": "user", "content": text}


def said(text):
    return {"role": "assistant", "content": text}


@pytest.mark.parametrize("lasting", [False, True])
def test_tasks_share_a_session(selective, path, lasting):
    chat = Lasting("c", selective, path, "d", key=MASTER) if lasting else selective.session()

    async def talk(name):
        sent = await chat.aprivatize([user(f"I am {name}.")])
        surrogate = sent.text.removeprefix("I am ").removesuffix(".")
        assert await chat.arestore(f"Hello {surrogate}.", to=sent) == f"Hello {name}."
        return surrogate

    async def everybody():
        return await asyncio.gather(*map(talk, NAMES))

    surrogates = asyncio.run(everybody())
    assert len(set(surrogates)) == len(NAMES)
    assert [chat.restore(each) for each in surrogates] == list(NAMES)


def test_a_reply_belongs_to_the_call_that_it_answers(selective):
    """Two ask at once; each gets a reply that is restored to the same text."""
    chat = selective.session()
    first, second = [user("I am Nameaon.")], [user("I am Nameaon, again.")]
    sent, other = chat.privatize(first), chat.privatize(second)
    surrogate = sent.text.removeprefix("I am ").removesuffix(".")
    assert chat.restore(surrogate, to=sent) == chat.restore("Nameaon", to=other) == "Nameaon"
    for history, received in ((first, surrogate), (second, "Nameaon")):
        again = chat.privatize([*history, said("Nameaon"), user("Well?")])
        assert again.messages[1] == said(received)
        assert again.certificate.session.foreign_names == 0
    stream = chat.reply_stream(to=sent)
    assert stream.feed(surrogate) + stream.finish() == "Nameaon"


def test_a_task_that_is_cancelled_has_released_nothing_that_is_not_charged(noisy, path):
    chat = Lasting("c", noisy, path, "d", key=MASTER)

    async def hasty():
        task = asyncio.create_task(chat.aprivatize("w1 w2 w3"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(hasty())  # waits for the thread
    assert chat.spent["session"]["draws"] == 3
    assert chat.privatize("w1 w2 w3").charges == {}


def test_threads_of_one_session_wait(noisy, path):
    chat = Lasting("c", noisy, path, "d", key=MASTER)
    with ThreadPoolExecutor(8) as threads:
        texts = [f"w{n} w{n + 1} w{n + 2}" for n in range(0, 90, 3)]
        sent = list(threads.map(chat.privatize, texts))
    assert sum(each.charges["draws"] for each in sent) == chat.spent["session"]["draws"] == 90
    assert [chat.privatize(text).text for text in texts] == [each.text for each in sent]


def test_processes_of_one_session_wait(noisy, path, monkeypatch):
    """Nothing is lost and nothing is paid twice, however often one is overtaken by the others."""
    monkeypatch.setattr(lasting, "TRIES", 40)  # turns of all of them
    Lasting("c", noisy, path, "d", key=MASTER).close()
    context = multiprocessing.get_context("fork")
    answers = context.SimpleQueue()

    def talk(first):
        chat = Lasting("c", noisy, path, "d", key=MASTER)
        for number in range(first, first + 30, 3):
            text = f"w{number} w{number + 1} w{number + 2}"
            answers.put((text, chat.privatize(text).text))

    processes = [context.Process(target=talk, args=(30 * n,)) for n in range(4)]
    for process in processes:
        process.start()
    sent = [answers.get() for _ in range(40)]
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 4
    chat = Lasting("c", noisy, path, "d", key=MASTER)
    assert chat.spent["session"]["draws"] == 120
    assert all(chat.privatize(text).text == released for text, released in sent)
