"""How many may come in, how large a reply may be, and which ways out there are."""

import socket
import time
from contextlib import suppress

import openai
import pytest
from running import gateway_at

TEXT = "I am Ann Quux."
LONG = f"{TEXT} A longer text, so that there are events."


@pytest.fixture(scope="module")
def narrow(upstream, tmp_path_factory):
    """One request at a time, three connections, small replies, and nobody is sent away for being
    slow."""
    limits = {"at_once": 1, "connections": 3, "reply": 2000, "stall": 60.0, "headers": 60.0}
    running = gateway_at(upstream.url, tmp_path_factory.mktemp("narrow"), limits=limits)
    yield running
    running.end()


def client_of(running, **options):
    return openai.OpenAI(base_url=f"{running.url}/v1", api_key="sk", max_retries=0, **options)


def ask(client, model="echo", text=LONG, **options):
    messages = [{"role": "user", "content": text}]
    return client.chat.completions.create(model=model, messages=messages, **options)


def answers(client):
    with suppress(openai.InternalServerError):
        return ask(client).choices[0].message.content == f"You said: {LONG}"
    return False


def test_more_than_may_be_under_way_is_refused_for_now(narrow, upstream):
    with client_of(narrow) as first, client_of(narrow) as second:
        stream = ask(first, "pause", stream=True)
        next(stream)
        with pytest.raises(openai.InternalServerError) as raised:
            ask(second)
        assert raised.value.status_code == 503 and raised.value.code == "busy"
        assert raised.value.response.headers["x-should-retry"] == "true"
        assert len(upstream.bodies()) == 1
        stream.close()
        while not answers(second):
            time.sleep(0.05)


def test_more_connections_than_there_may_be_are_closed(narrow):
    links = [socket.create_connection(("127.0.0.1", narrow.port), timeout=20) for _ in range(3)]
    try:
        with socket.create_connection(("127.0.0.1", narrow.port), timeout=20) as more:
            more.sendall(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
            with suppress(ConnectionError):  # closed before all was read
                assert more.recv(1) == b""
        links[0].sendall(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
        assert links[0].recv(12) == b"HTTP/1.1 200"
    finally:
        for link in links:
            link.close()


def test_a_reply_that_is_too_large_is_refused(narrow):
    with client_of(narrow) as client:
        with pytest.raises(openai.InternalServerError) as whole:
            ask(client, text=f"{TEXT} {'word ' * 500}")
        with pytest.raises(openai.APIError) as streamed:
            list(ask(client, "flood", stream=True))
    assert whole.value.status_code == 502
    assert whole.value.code == streamed.value.code == "upstream_size"


@pytest.fixture
def nowhere(monkeypatch, upstream):
    """An address where nobody listens; the environment names the upstream as a proxy."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, upstream.url)
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    return f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("asked_for", [False, True])
def test_the_environment_s_proxy_is_taken_if_asked_for(nowhere, upstream, tmp_path, asked_for):
    running = gateway_at(nowhere, tmp_path / "proxied", trust_environment=asked_for)
    try:
        direct = openai.DefaultHttpxClient(trust_env=False)
        with direct, client_of(running, http_client=direct) as client:
            if asked_for:
                assert ask(client).choices[0].message.content == f"You said: {LONG}"
            else:
                with pytest.raises(openai.InternalServerError) as raised:
                    ask(client)
                assert raised.value.code == "upstream_unreachable"
        assert len(upstream.bodies()) == asked_for
        assert "Quux" not in "".join(upstream.bodies())
    finally:
        running.end()


@pytest.mark.parametrize("path", ["/v1/files", "/v1/batches", "/v1/assistants"])
def test_an_endpoint_that_is_not_served_is_told_from_a_wrong_address(gateway, path):
    with client_of(gateway) as client:
        with pytest.raises(openai.NotFoundError, match="not served"):
            client.get(path.removeprefix("/v1"), cast_to=object)
        with pytest.raises(openai.NotFoundError, match="ends in /v1"):
            client.get(f"{gateway.url}/chat/completions", cast_to=object)
        with pytest.raises(openai.NotFoundError, match="ends in /v1"):
            client.get(path, cast_to=object)  # /v1/v1


def test_hundreds_of_values_come_back_in_a_stream_too(upstream, tmp_path):
    patient = dict.fromkeys(("privatize", "read", "headers", "stall", "write"), 300.0)
    running = gateway_at(upstream.url, tmp_path / "patient", limits=patient)
    mails = " ".join(f"Write to user{number}@example.com soon." for number in range(300))
    try:
        with client_of(running) as client:
            chunks = list(ask(client, text=mails, stream=True))
            said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
            assert said == f"You said: {mails}"
            assert ask(client, text=mails).choices[0].message.content == said
        left = "".join(upstream.bodies())
        assert len(upstream.bodies()) == 2 and "user7@" not in left and "user299@" not in left
    finally:
        running.end()
