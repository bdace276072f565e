import logging
import socket
import sys

import pytest

from models.chat_server import failed, said, serving
from privstamp.errors import MissingExtra, StageFailed, UsageError
from privstamp.models import endpoint
from privstamp.models import endpoint as module
from privstamp.models.endpoint import Endpoint
from privstamp.protocols import Answerer
from privstamp.types import Prompt

KEY = "sk-quixworth-123"
SECRET = "a most secret prompt"
USAGE = {"prompt_tokens": 10, "completion_tokens": 3}


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    monkeypatch.setattr(endpoint, "_FIRST_PAUSE", 0.01)
    monkeypatch.setenv("PRIVSTAMP_API_KEY", KEY)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # nobody there: to be left alone


def ask(endpoint, *texts, temperature=0.2, max_tokens=5):
    prompts = [Prompt(text, "Be brief.") for text in texts or (SECRET,)]
    return endpoint.complete(prompts, temperature=temperature, max_tokens=max_tokens)


def complaint(endpoint, *texts):
    """The error of a request that fails, seen to hold neither prompt nor key."""
    with pytest.raises(StageFailed) as caught:
        ask(endpoint, *texts)
    error = caught.value
    assert error.__context__ is None and error.__cause__ is None
    assert KEY not in str(error) and SECRET not in str(error) and "echo" not in str(error)
    return str(error)


def test_replies_come_in_order_with_counts_and_cost():
    def echo(_number, body):
        return said(body["messages"][-1]["content"].upper(), USAGE)

    with serving(echo) as served:
        endpoint = Endpoint(served.url, "some-model", price=(1.0, 2.0))
        replies = ask(endpoint, *(f"p{n}" for n in range(9)))
    assert [one.text for one in replies] == [f"P{n}" for n in range(9)]
    assert {one.tokens_in for one in replies} == {10} and not replies[0].estimated
    body = served.bodies[0]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("some-model", 0.2, 5)
    assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    assert set(served.paths) == {"/v1/chat/completions"} and set(served.keys) == {f"Bearer {KEY}"}
    usage = endpoint.usage
    assert (usage.requests, usage.tokens_in, usage.tokens_out) == (9, 90, 27)
    assert usage.cost == pytest.approx((90 + 2 * 27) / 1e6) and not usage.estimated


def test_counts_are_estimated_where_the_server_gives_none():
    with serving(lambda *_: said("12345678")) as served:
        endpoint = Endpoint(served.url, "m")
        (reply,) = ask(endpoint, "x" * 41)
    assert reply.estimated and (reply.tokens_in, reply.tokens_out) == (11 + 3, 2)
    assert endpoint.usage.estimated and endpoint.usage.cost is None


def test_without_a_key_none_is_sent(monkeypatch):
    monkeypatch.delenv("PRIVSTAMP_API_KEY")
    monkeypatch.setenv("OTHER_KEY", "other")
    with serving(lambda *_: said("a")) as served:
        ask(Endpoint(served.url, "m"))
        ask(Endpoint(served.url + "/chat/completions/", "m", key_variable="OTHER_KEY"))
    assert served.keys == [None, "Bearer other"]
    assert served.paths == ["/v1/chat/completions"] * 2


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_passing_trouble_is_tried_again(status):
    with serving(lambda number, _: failed(status) if number < 2 else said("a")) as served:
        assert ask(Endpoint(served.url, "m"))[0].text == "a"
    assert len(served.bodies) == 3


def test_lasting_trouble_ends_with_an_error():
    with serving(lambda *_: failed(500)) as served:
        said_so = complaint(Endpoint(served.url, "m", retries=2))
    assert "HTTP 500, 3 attempts" in said_so and len(served.bodies) == 3


def test_the_wait_that_a_server_asks_for_is_kept(monkeypatch):
    asked = []
    monkeypatch.setattr(module, "pause", lambda _attempt, after: asked.append(after) or 0.0)
    with serving(lambda n, _: said("a") if n else failed(429, Retry_After="17")) as served:
        ask(Endpoint(served.url, "m"))
    assert asked == ["17"]


def test_slow_servers_and_closed_ports_end_with_an_error():
    with serving(lambda *_: said("a"), delay=0.4) as served:
        said_so = complaint(Endpoint(served.url, "m", timeout=0.1, retries=1))
    assert "Timeout, 2 attempts" in said_so
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://localhost:{unused.getsockname()[1]}/v1"
        assert "ConnectError" in complaint(Endpoint(url, "m", retries=1))


def test_a_response_that_trickles_in_is_cut_off():
    with serving(lambda *_: said("a" * 400), drip=0.05) as served:  # a second in all
        assert "too slow" in complaint(Endpoint(served.url, "m", timeout=0.3, retries=0))


def test_an_endless_response_is_cut_off(monkeypatch):
    monkeypatch.setattr(module, "_LARGEST", 1000)
    with serving(lambda *_: said("a" * 2000)) as served:
        assert "too long" in complaint(Endpoint(served.url, "m", retries=0))


@pytest.mark.parametrize("body", [b"echo {", b"[]", b"{}", b'{"choices": []}', b"\xff", b"3",
    b'{"choices": [{"message": {"content": 3}}]}', b"[" * 100_000])  # fmt: skip
def test_what_is_no_completion_is_refused_at_once(body):
    with serving(lambda *_: (200, {}, body)) as served:
        assert "no chat completion" in complaint(Endpoint(served.url, "m"))
    assert len(served.bodies) == 1


def test_a_model_that_declines_says_nothing():
    with serving(lambda *_: said(None, USAGE)) as served:
        assert ask(Endpoint(served.url, "m"))[0].text == ""


@pytest.mark.parametrize(
    ("status", "fix"), [(401, "PRIVSTAMP_API_KEY"), (400, "settings"), (404, "Check the URL")]
)
def test_refusals_name_the_fix_and_are_not_repeated(status, fix):
    with serving(lambda *_: failed(status)) as served:
        assert fix in complaint(Endpoint(served.url, "m"))
    assert len(served.bodies) == 1


def test_redirects_are_not_followed():
    with (
        serving(lambda *_: said("a")) as other,
        serving(lambda *_: failed(307, Location=other.url)) as served,
    ):
        assert "not followed" in complaint(Endpoint(served.url, "m"))
    assert other.bodies == []


@pytest.mark.parametrize("limit", [1, 3])
def test_no_more_requests_are_open_than_allowed(limit):
    with serving(lambda *_: said("a"), delay=0.15) as served:
        ask(Endpoint(served.url, "m", concurrency=limit), *(f"p{n}" for n in range(6)))
    assert served.open_most == limit and len(served.bodies) == 6


def test_a_failure_stops_what_has_not_been_sent():
    with serving(lambda n, _: said("a") if n else failed(400), delay=0.02) as served:
        endpoint = Endpoint(served.url, "m", concurrency=2)
        assert "HTTP 400" in complaint(endpoint, *(f"p{n}" for n in range(40)))
    assert len(served.bodies) < 10


def test_what_is_in_the_cache_is_not_sent(tmp_path):
    with serving(lambda n, _: said(f"reply {n}", USAGE)) as served:
        first = ask(Endpoint(served.url, "m", cache=tmp_path))
        endpoint = Endpoint(served.url, "m", cache=tmp_path, price=(1.0, 1.0))
        again = ask(endpoint)
        assert [one.text for one in again] == [one.text for one in first] and again[0].cached
        assert len(served.bodies) == 1
        assert (endpoint.usage.requests, endpoint.usage.cached, endpoint.usage.cost) == (0, 1, 0.0)
        ask(endpoint, temperature=0.3)
        ask(endpoint, max_tokens=6)
        ask(Endpoint(served.url, "other", cache=tmp_path))
        ask(endpoint, "another prompt")
        assert len(served.bodies) == 5
    kept = b"".join(file.read_bytes() + file.name.encode() for file in tmp_path.iterdir())
    assert b"reply 0" in kept
    assert KEY.encode() not in kept and SECRET.encode() not in kept and b"Be brief" not in kept


def test_a_reply_that_repeats_the_key_is_not_kept(tmp_path):
    with serving(lambda *_: said(f"your key is {KEY}")) as served:
        assert KEY in ask(Endpoint(served.url, "m", cache=tmp_path))[0].text
    assert list(tmp_path.iterdir()) == []


def test_without_a_folder_nothing_is_kept_and_equal_prompts_are_asked_once():
    with serving(lambda n, _: said(str(n))) as served:
        endpoint = Endpoint(served.url, "m")
        assert [one.text for one in ask(endpoint, "a", "a")] == ["0", "0"]
        assert ask(endpoint, "a")[0].text == "1"


def test_a_dry_run_counts_and_sends_nothing(tmp_path):
    with serving(lambda *_: said("a")) as served:
        endpoint = Endpoint(
            served.url, "m", dry_run=True, price=(1e6, 1e6), cache=tmp_path / "none"
        )
        replies = ask(endpoint, "x" * 40, "y" * 40)
    assert served.bodies == [] and not (tmp_path / "none").exists()
    assert [one.text for one in replies] == ["", ""]
    usage = endpoint.usage
    assert (usage.requests, usage.tokens_in, usage.tokens_out) == (2, 26, 10)
    assert usage.cost == 36.0 and usage.estimated


def test_a_url_in_the_clear_is_refused():
    with pytest.raises(UsageError, match="https://"):
        Endpoint("http://example.com/v1", "m")


@pytest.mark.parametrize("settings", [{"timeout": 0}, {"retries": -1}, {"concurrency": 0}])
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(UsageError):
        Endpoint("https://example.com", "m", **settings)
    with pytest.raises(UsageError, match="model"):
        Endpoint("https://example.com", " ")


@pytest.mark.parametrize("key", [f"{KEY}\nX-Other: 1", f"{KEY} é", "two words"])
def test_a_key_that_cannot_be_one_is_refused_without_showing_it(monkeypatch, key):
    monkeypatch.setenv("PRIVSTAMP_API_KEY", key)
    with (
        serving(lambda *_: said("a")) as served,
        pytest.raises(UsageError, match="PRIVSTAMP_API_KEY") as caught,
    ):
        ask(Endpoint(served.url, "m"))
    assert KEY not in str(caught.value) and served.bodies == []


def test_the_key_is_in_no_repr_attribute_or_log(caplog):
    caplog.set_level(logging.DEBUG)
    with serving(lambda n, _: said("echo") if n else failed(500)) as served:
        endpoint = Endpoint(served.url, "m")
        ask(endpoint)
    shown = repr(endpoint) + repr(vars(endpoint)) + caplog.text
    assert KEY not in shown and SECRET not in shown and "echo" not in caplog.text


def test_proxies_of_the_environment_are_used_only_if_asked_for():
    with serving(lambda *_: said("a")) as served:
        assert ask(Endpoint(served.url, "m"))[0].text == "a"
        complaint(Endpoint(served.url, "m", retries=0, proxies=True))


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtra, match=r"privstamp\[endpoint\]"):
        Endpoint("https://example.com", "m")


def test_it_is_an_answerer_by_name_place_and_fingerprint():
    with Endpoint("https://example.com/v1?key=a", "some-model") as one:
        named: Answerer = one
    assert (named.name, named.place) == ("endpoint example.com/some-model", "example.com")
    same = Endpoint("https://example.com/v1/?key=b", "some-model")
    others = Endpoint("https://example.com/v2", "some-model"), Endpoint(one.url, "other")
    assert one.fingerprint == same.fingerprint
    assert len({one.fingerprint, *(other.fingerprint for other in others)}) == 3
