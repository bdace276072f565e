"""Each fault at each endpoint, streamed and not: the SDK raises its own error, nothing leaves, and
nothing is left behind."""

import anthropic
import openai
import psutil
import pytest
from breakable import MASTER
from test_faults import CANARY, wait_for

from privstamp.sessions.ledger import Ledger, Payer
from privstamp.sessions.sqlite import SqliteStore
from privstamp.sessions.vault import Vault

NOT_STREAMED = ("embeddings", "count_tokens")
ENDPOINTS = ("chat", "responses", "completions", "messages", *NOT_STREAMED)
STREAMED = [(name, stream) for name in ENDPOINTS for stream in (False, True)
            if not (stream and name in NOT_STREAMED)]  # fmt: skip
ERRORS = (openai.APIError, anthropic.APIError)


def call(gateway, endpoint, stream, model, text):
    """The whole of a reply, by the SDK."""
    messages = [{"role": "user", "content": text}]
    more = {"extra_headers": {"x-privstamp-session": f"{endpoint}-{stream}"}}
    if endpoint in ("messages", "count_tokens"):
        with anthropic.Anthropic(base_url=gateway.url, api_key="k", max_retries=0) as client:
            asked = {"model": model, "messages": messages, **more}
            if endpoint == "count_tokens":
                return client.messages.count_tokens(**asked)
            answer = client.messages.create(max_tokens=9, stream=stream, **asked)
            return list(answer) if stream else answer
    with openai.OpenAI(base_url=f"{gateway.url}/v1", api_key="k", max_retries=0) as client:
        if endpoint == "embeddings":
            return client.embeddings.create(model=model, input=text, **more)
        create, asked = {
            "chat": (client.chat.completions.create, {"messages": messages}),
            "responses": (client.responses.create, {"input": text}),
            "completions": (client.completions.create, {"prompt": text}),
        }[endpoint]
        answer = create(model=model, stream=stream, **asked, **more)
        if not stream:
            return answer.to_json()
        return [read(event) for event in answer]


def read(event):
    """Of a stream of responses the SDK gives an error out as an event."""
    if getattr(event, "type", "") == "error":
        raise openai.APIError(event.message, request=None, body=None)
    return event


def all_raise(gateway, model="echo", text="", only=STREAMED):
    for endpoint, stream in only:
        with pytest.raises(ERRORS) as raised:
            call(gateway, endpoint, stream, model, f"{CANARY} {text} and some more words")
        assert "Quux" not in str(raised.value), endpoint


def assert_nothing_left(upstream, gateway, count):
    bodies = upstream.bodies()
    assert len(bodies) == count
    assert "Quux" not in "".join(bodies) + gateway.log
    wait_for(lambda: upstream.seen()["open"] == 0)
    assert len(psutil.Process(gateway.process.pid).children()) == 1
    assert gateway.process.poll() is None


def test_without_a_fault_all_of_them_answer(upstream, gateway):
    for endpoint, stream in STREAMED:
        assert call(gateway, endpoint, stream, "echo", f"{CANARY} and some more words")
    assert_nothing_left(upstream, gateway, len(STREAMED))


def test_a_stage_that_raises(upstream, gateway):
    all_raise(gateway, text="please raise")
    assert_nothing_left(upstream, gateway, 0)


@pytest.mark.parametrize("trouble", ["die", "hang"])
def test_a_process_that_is_gone(upstream, gateway, trouble):
    all_raise(gateway, text=f"please {trouble}", only=[("responses", True)])
    wait_for(lambda: psutil.Process(gateway.process.pid).children())
    call(gateway, "messages", True, "echo", "it is there again")
    assert_nothing_left(upstream, gateway, 1)


def test_over_the_limit(upstream, gateway):
    vault = Vault(SqliteStore(gateway.extra["store"]), MASTER)
    with vault.store.writing() as entries:
        for endpoint, stream in STREAMED:
            payer = Payer("session", f"local/{endpoint}-{stream}")
            Ledger(vault).limit(entries, payer, "unprotected", 0)
    for endpoint, stream in STREAMED:
        with pytest.raises((openai.RateLimitError, anthropic.RateLimitError)):
            call(gateway, endpoint, stream, "echo", f"{CANARY} spends too much of it")
    with vault.store.writing() as entries:
        for endpoint, stream in STREAMED:
            payer = Payer("session", f"local/{endpoint}-{stream}")
            Ledger(vault).limit(entries, payer, "unprotected", None)
    assert_nothing_left(upstream, gateway, 0)


@pytest.mark.parametrize("model", ["reset", "stall", "limited", "garbage", "redirect"])
def test_an_upstream_that_breaks(upstream, gateway, model):
    all_raise(gateway, model)
    assert_nothing_left(upstream, gateway, len(STREAMED))


@pytest.mark.parametrize("model", ["half", "cut", "pause"])
def test_a_stream_that_breaks(upstream, gateway, model):
    only = [(endpoint, stream) for endpoint, stream in STREAMED if stream]
    all_raise(gateway, model, only=only)
    assert_nothing_left(upstream, gateway, len(only))
