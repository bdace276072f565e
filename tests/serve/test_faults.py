"""Whatever breaks: nothing reaches the upstream or a log, and the SDK raises its own error."""

import gzip
import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

import anthropic
import openai
import psutil
import pytest
from breakable import MASTER
from running import LIMITS, gateway_at, started

from privstamp.sessions.ledger import Ledger, Payer
from privstamp.sessions.sqlite import SqliteStore
from privstamp.sessions.vault import Vault

CANARY = "Ann Quux"


@pytest.fixture
def client(gateway):
    with openai.OpenAI(base_url=f"{gateway.url}/v1", api_key="sk", max_retries=0) as client:
        yield client


def ask(client, model="echo", text="", **options):
    messages = [{"role": "user", "content": f"{CANARY} {text}"}]
    return client.chat.completions.create(model=model, messages=messages, **options)


def assert_clean(upstream, gateway, count=0):
    """Nothing private anywhere; after all of it the gateway still answers."""
    seen = upstream.bodies()
    assert len(seen) == count
    assert "Quux" not in "".join(seen) and "Quux" not in gateway.log
    assert gateway.process.poll() is None
    wait_for(lambda: status_of(f"{gateway.url}/readyz", {}) == 200, 60)  # one may be replaced
    with openai.OpenAI(base_url=f"{gateway.url}/v1", api_key="sk", max_retries=0) as client:
        assert "Quux" in ask(client).choices[0].message.content


def retries(error):
    return error.response.headers["x-should-retry"]


@pytest.mark.parametrize("trouble", ["raise", "hang", "die"])
def test_a_stage_that_breaks(client, upstream, gateway, trouble):
    with pytest.raises(openai.InternalServerError) as raised:
        ask(client, text=f"please {trouble}")
    assert raised.value.status_code == 503 and "Quux" not in str(raised.value)
    assert_clean(upstream, gateway)


def test_a_stage_that_breaks_for_anthropic(upstream, gateway):
    with anthropic.Anthropic(base_url=gateway.url, api_key="k", max_retries=0) as client:
        messages = [{"role": "user", "content": f"{CANARY} please raise"}]
        with pytest.raises(anthropic.InternalServerError):
            client.messages.create(model="echo", max_tokens=3, messages=messages)
    assert_clean(upstream, gateway)


def test_a_process_is_replaced_and_none_is_left(client, gateway):
    before = psutil.Process(gateway.process.pid).children()
    with pytest.raises(openai.InternalServerError):
        ask(client, text="please die")
    wait_for(lambda: status_of(f"{gateway.url}/readyz", {}) == 200, 60)
    after = psutil.Process(gateway.process.pid).children()
    assert len(before) == len(after) == 1 and before != after


def test_over_the_limit(client, upstream, gateway):
    vault = Vault(SqliteStore(gateway.extra["store"]), MASTER)
    payer, ledger = Payer("session", "local/poor"), Ledger(vault)
    with vault.store.writing() as entries:
        ledger.limit(entries, payer, "unprotected", 0)
    with pytest.raises(openai.RateLimitError) as raised:
        ask(client, text="leaves as it is", extra_headers={"x-privstamp-session": "poor"})
    assert "unprotected" in str(raised.value) and "local/poor" in str(raised.value)
    assert retries(raised.value) == "false"
    assert_clean(upstream, gateway)


def test_a_locked_store(client, upstream, gateway):
    store = SqliteStore(gateway.extra["store"])
    with store.writing(), pytest.raises(openai.InternalServerError):
        ask(client, text="while it is locked", timeout=20)
    assert_clean(upstream, gateway)


@pytest.mark.parametrize(
    ("model", "kind", "code"),
    [
        ("reset", openai.InternalServerError, "upstream_reset"),
        ("stall", openai.InternalServerError, "upstream_timeout"),
        ("garbage", openai.InternalServerError, None),
        ("redirect", openai.InternalServerError, "upstream_redirect"),
        ("limited", openai.RateLimitError, None),
    ],
)
def test_an_upstream_that_breaks(client, upstream, gateway, model, kind, code):
    with pytest.raises(kind) as raised:
        ask(client, model)
    assert code is None or raised.value.code == code
    assert "x-secret" not in raised.value.response.headers
    assert_clean(upstream, gateway, 1)


@pytest.mark.parametrize("model", ["half", "cut", "pause"])
def test_a_stream_that_breaks_says_so(client, upstream, gateway, model):
    with pytest.raises(openai.APIError):
        list(ask(client, model, text="a longer text that has several events", stream=True))
    assert_clean(upstream, gateway, 1)


@pytest.mark.parametrize("model", ["half", "cut", "pause"])
def test_a_stream_that_breaks_says_so_to_anthropic(upstream, gateway, model):
    with anthropic.Anthropic(base_url=gateway.url, api_key="k", max_retries=0) as client:
        messages = [{"role": "user", "content": f"{CANARY} and a longer text with events"}]
        with (
            pytest.raises(anthropic.APIError),
            client.messages.stream(model=model, max_tokens=3, messages=messages) as stream,
        ):
            stream.get_final_text()
    assert_clean(upstream, gateway, 1)


def test_a_client_that_goes_cancels_upstream(client, upstream, gateway):
    before = upstream.seen()["cut"]
    stream = ask(client, "flood", stream=True)
    next(stream)
    stream.close()
    wait_for(lambda: upstream.seen()["cut"] == before + 1)
    assert upstream.seen()["open"] == 0
    assert_clean(upstream, gateway, 1)


def wait_for(condition, seconds=60):
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.05)


def post(gateway, body, headers=(), path="/v1/chat/completions"):
    """A socket with a request on it, whatever it says."""
    link = socket.socket()
    link.settimeout(20)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect(("127.0.0.1", gateway.port))
    head = [f"POST {path} HTTP/1.1", "host: localhost", "content-type: application/json"]
    link.sendall("\r\n".join([*head, f"content-length: {len(body)}", *headers, "", ""]).encode())
    link.sendall(body)
    return link


def test_a_client_that_reads_slowly_is_dropped(upstream, gateway):
    before = upstream.seen()["cut"]
    body = json.dumps(
        {"model": "flood", "stream": True, "messages": [{"role": "user", "content": CANARY}]}
    ).encode()
    with post(gateway, body):
        wait_for(lambda: upstream.seen()["cut"] == before + 1)
    wait_for(lambda: "slow_reader" in gateway.log)
    assert_clean(upstream, gateway, 1)


def test_a_head_that_never_ends_is_dropped(upstream, gateway):
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=20) as link:
        link.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n")
        began = time.monotonic()
        try:
            while time.monotonic() - began < 15:
                link.sendall(b"x-slow: 1\r\n")
                time.sleep(0.2)
            pytest.fail("still open")
        except ConnectionError:
            pass
    assert_clean(upstream, gateway)


def test_a_body_that_never_ends_is_refused(upstream, gateway):
    with post(gateway, b'{"model"', ["x-a: b"]) as link:
        link.sendall(b"")
        answer = link.recv(1000)
    assert b"400" in answer  # cut short: no JSON
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=20) as link:
        link.sendall(
            b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n"
            b"content-type: application/json\r\ncontent-length: 100\r\n\r\n{"
        )
        assert b"408" in link.recv(1000)
    assert_clean(upstream, gateway)


def answer_to(gateway, body, headers=()):
    with post(gateway, body, [*headers, "connection: close"]) as link:
        parts = []
        while piece := link.recv(1 << 16):
            parts.append(piece)
    head, _, content = b"".join(parts).partition(b"\r\n\r\n")
    return int(head.split()[1]), content


def test_too_large_too_deep_too_packed(upstream, gateway):
    large = json.dumps({"model": "echo", "x": "y" * LIMITS["body"]}).encode()
    assert answer_to(gateway, large)[0] == 413
    deep = b'{"model": "echo", "messages": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert answer_to(gateway, deep)[0] == 400
    many = json.dumps({"model": "m", "messages": [{"role": "user", "content": "a"}] * 10_001})
    assert answer_to(gateway, many.encode())[0] == 413
    bomb = gzip.compress(b" " * (100 << 20))
    assert len(bomb) < LIMITS["body"]
    assert answer_to(gateway, bomb, ["content-encoding: gzip"])[0] == 413
    assert answer_to(gateway, b"not gzip", ["content-encoding: gzip"])[0] == 400
    assert answer_to(gateway, b"{}", ["content-encoding: br"])[0] == 415
    assert_clean(upstream, gateway)


def test_a_packed_body_is_unpacked(upstream, gateway):
    body = json.dumps({"model": "echo", "messages": [{"role": "user", "content": CANARY}]})
    for written in ("gzip", "GZip"):
        packed = gzip.compress(body.encode())
        status, content = answer_to(gateway, packed, [f"content-encoding: {written}"])
        assert status == 200 and CANARY.encode() in content
        assert "content-encoding" not in upstream.seen()["requests"][-1]["headers"]


def status_of(url, headers):
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_a_page_in_a_browser_cannot_come_in(upstream, gateway):
    models = f"{gateway.url}/v1/models"
    assert status_of(models, {}) == 200
    assert status_of(models, {"origin": "http://localhost:3000"}) == 200
    assert status_of(models, {"origin": "https://evil.example.com"}) == 403
    assert status_of(models, {"host": "evil.example.com"}) == 403
    assert status_of(f"{models}?after={CANARY.split()[1]}", {}) == 400
    assert status_of(models, {"anthropic-beta": f"files-api-{CANARY}"}) == 400
    body = b'{"model": "echo", "messages": []}'
    with post(gateway, body, ["content-type: text/plain"]) as link:
        assert link.recv(100).split()[1][:1] == b"4"
    assert len(upstream.bodies()) == 2


@pytest.mark.parametrize(
    "head",
    [
        "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nx: Ann\n Quux",
        "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: Quux",
        "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\n"
        "content-length: 2\r\nx: Quux",
        "GET /v1/models HTTP/1.1\r\nhost: localhost\r\nx: Quux" + "x" * 10_000,
        "Quux /v1/models HTTP/9.9",
        "GET http://evil.example.com/v1/models HTTP/1.1\r\nhost: localhost\r\nx: Quux",
    ],
)
def test_what_is_no_http_is_refused_without_quoting_it(upstream, gateway, head):
    with socket.create_connection(("127.0.0.1", gateway.port), timeout=20) as link:
        link.sendall(f"{head}\r\nconnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: link.recv(1 << 16), b""))
    first, _, content = answer.partition(b"\r\n\r\n")
    assert first.split()[1][:1] == b"4" and b"Quux" not in answer
    assert json.loads(content)["error"]["code"] in ("bad_http", "host")
    assert upstream.bodies() == []


def test_what_is_not_known_is_a_404_in_the_client_s_words(client, gateway):
    with pytest.raises(openai.NotFoundError):
        client.files.list()
    with (
        anthropic.Anthropic(base_url=gateway.url, api_key="k", max_retries=0) as claude,
        pytest.raises(anthropic.NotFoundError) as raised,
    ):
        claude.messages.batches.list()
    assert raised.value.body["type"] == "error"


def test_the_log_tells_counts_codes_and_times(client, gateway):
    ask(client)
    line = gateway.lines()[-1]
    assert set(line) == {
        "time", "event", "id", "endpoint", "status", "code", "bytes", "seconds"
    }  # fmt: skip
    assert line["status"] == 200 and line["seconds"]["privatized"] <= line["seconds"]["end"]
    with urllib.request.urlopen(f"{gateway.url}/metrics") as answer:
        metrics = answer.read().decode()
    assert 'privstamp_requests_total{code="",endpoint="chat/completions",status="200"}' in metrics
    assert "privstamp_workers 1.0" in metrics
    assert status_of(f"{gateway.url}/healthz", {}) == status_of(f"{gateway.url}/readyz", {}) == 200


def test_a_full_disk_refuses(upstream, tmp_path):
    """The store's file cannot grow."""
    running = gateway_at(upstream.url, tmp_path / "full")
    worker = psutil.Process(running.process.pid).children()[0]
    size = max(path.stat().st_size for path in (tmp_path / "full").iterdir())
    worker.rlimit(psutil.RLIMIT_FSIZE, (size, size))
    try:
        with openai.OpenAI(base_url=f"{running.url}/v1", api_key="k", max_retries=0) as client:
            with pytest.raises(openai.InternalServerError) as raised:
                [ask(client, text="word " * 500 + str(number)) for number in range(8)]
            assert raised.value.status_code == 503
        count = len(upstream.bodies())
        with (
            openai.OpenAI(base_url=f"{running.url}/v1", api_key="k", max_retries=0) as client,
            pytest.raises(openai.InternalServerError),
        ):
            ask(client, text="word " * 5000)
        assert len(upstream.bodies()) == count
        assert "Quux" not in running.log + "".join(upstream.bodies())
    finally:
        running.end()


def test_an_upstream_without_a_good_certificate(tmp_path):
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key), "-out",
         str(certificate), "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    fake = started("fake_upstream.py", [str(certificate), str(key)], tmp_path / "fake.log")
    url = f"https://127.0.0.1:{fake.port}"
    strict = gateway_at(url, tmp_path / "strict")
    trusting = gateway_at(url, tmp_path / "trusting", ca_file=str(certificate))
    try:
        with (
            openai.OpenAI(base_url=f"{strict.url}/v1", api_key="k", max_retries=0) as client,
            pytest.raises(openai.InternalServerError) as raised,
        ):
            ask(client)
        assert raised.value.code == "upstream_certificate" and retries(raised.value) == "false"
        with openai.OpenAI(base_url=f"{trusting.url}/v1", api_key="k") as client:
            assert "Quux" in ask(client).choices[0].message.content
    finally:
        for running in (strict, trusting, fake):
            running.end()


def test_it_drains_and_then_ends_aloud(upstream, tmp_path):
    running = gateway_at(upstream.url, tmp_path / "ending", limits={"stall": 30.0})
    children = psutil.Process(running.process.pid).children()
    try:
        with openai.OpenAI(base_url=f"{running.url}/v1", api_key="k", max_retries=0) as client:
            stream = ask(client, "pause", text="a longer text with several events", stream=True)
            next(stream)
            os.kill(running.process.pid, signal.SIGTERM)
            with pytest.raises(openai.APIError, match="ending"):
                list(stream)
        assert running.process.wait(20) == 0
        assert not [child for child in children if child.is_running()]
        assert running.lines()[-1] | {"time": ""} == {"time": "", "event": "ended", "cut_off": 1}
        assert "Quux" not in running.log + "".join(upstream.bodies())
    finally:
        running.end()


def test_a_dry_run_sends_nothing_at_all(upstream, tmp_path):
    """Not even a question for the list of models."""
    running = gateway_at(upstream.url, tmp_path / "gateway", dry_run=True)
    with openai.OpenAI(base_url=f"{running.url}/v1", api_key="k", max_retries=0) as client:
        with pytest.raises(openai.BadRequestError, match="nothing was sent"):
            ask(client)
        with pytest.raises(openai.BadRequestError, match="nothing was sent"):
            client.models.list()
    running.process.stdin.close()
    running.process.terminate()
    shown = [json.loads(line) for line in running.process.stdout.read().splitlines()]
    running.process.wait(20)
    running.process.stdout.close()
    assert [line["url"].removeprefix(upstream.url) for line in shown] == [
        "/v1/chat/completions",
        "/v1/models",
    ]
    assert "messages" in shown[0]["body"] and "Quux" not in json.dumps(shown)
    assert upstream.seen()["requests"] == []
