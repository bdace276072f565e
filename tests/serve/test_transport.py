"""The gateway without a server: the SDKs' own clients, with ours inside."""

import asyncio
import json

import anthropic
import openai
import pytest
from breakable import MASTER, POLICY

from privstamp.errors import InputError, UsageError
from privstamp.gateway import async_client, client

TEXT = "I am Ann Quux (ann.quux@example.com) and asked Zworg Blarg."
ASKED = [{"role": "user", "content": TEXT}]


@pytest.fixture(scope="module")
def inside():
    with client(POLICY) as inside:
        yield inside


@pytest.fixture
def chat(inside, upstream):
    return openai.OpenAI(
        base_url=f"{upstream.url}/v1", api_key="sk-own", http_client=inside, max_retries=0
    )


def assert_nothing_left(upstream, count):
    seen = upstream.seen()["requests"]
    assert len(seen) == count
    assert not [word for word in ("Quux", "Zworg", "Blarg") if word in json.dumps(seen)]
    return seen


def test_openai_through_it(chat, upstream):
    raw = chat.chat.completions.with_raw_response.create(model="echo", messages=ASKED)
    assert raw.parse().choices[0].message.content == f"You said: {TEXT}"
    events = chat.chat.completions.create(model="echo", messages=ASKED, stream=True)
    text = "".join(event.choices[0].delta.content or "" for event in events if event.choices)
    assert text == f"You said: {TEXT}"
    seen = assert_nothing_left(upstream, 2)
    assert seen[0]["headers"]["authorization"] == "Bearer sk-own"
    assert not [name for name in seen[0]["headers"] if name.startswith("x-stainless")]
    first, second = (json.loads(request["body"])["messages"] for request in seen)
    assert first == second  # an identical first request replays


def test_its_certificate_is_there(chat, inside, upstream):
    raw = chat.chat.completions.with_raw_response.create(model="echo", messages=ASKED)
    number = raw.headers["x-privstamp-certificate"]
    certificate = inside.get(f"{upstream.url}/certificates/{number}").json()
    assert certificate["session"]["messages"] == 1
    assert inside.get(f"{upstream.url}/certificates/0{number}").status_code == 404


def test_a_conversation_goes_on(chat, upstream):
    history = [{"role": "user", "content": "I am Nameaon."}]
    answer = chat.chat.completions.create(model="echo", messages=history)
    history += [
        {"role": "assistant", "content": answer.choices[0].message.content},
        {"role": "user", "content": "Who is Nameaon?"},
    ]
    again = chat.chat.completions.create(model="echo", messages=history)
    assert again.choices[0].message.content == "You said: Who is Nameaon?"
    first, second = (json.loads(body)["messages"] for body in upstream.bodies())
    assert second[0] == first[0] and "Nameaon" not in json.dumps(second)


def test_without_waiting(upstream):
    async def talk():
        async with openai.AsyncOpenAI(
            base_url=f"{upstream.url}/v1", api_key="k", http_client=async_client(POLICY)
        ) as chat:
            whole = await chat.chat.completions.create(model="echo", messages=ASKED)
            events = await chat.chat.completions.create(model="echo", messages=ASKED, stream=True)
            pieces = [e.choices[0].delta.content or "" async for e in events if e.choices]
            return whole.choices[0].message.content, "".join(pieces)

    assert asyncio.run(talk()) == (f"You said: {TEXT}",) * 2
    assert_nothing_left(upstream, 2)


def test_anthropic_through_it(inside, upstream):
    claude = anthropic.Anthropic(base_url=upstream.url, api_key="k", http_client=inside)
    answer = claude.messages.create(model="echo", max_tokens=9, messages=ASKED)
    assert answer.content[0].text == f"You said: {TEXT}"
    assert_nothing_left(upstream, 1)


def test_anthropic_streams_through_it(inside, upstream):
    claude = anthropic.Anthropic(base_url=upstream.url, api_key="k", http_client=inside)
    with claude.messages.stream(model="echo", max_tokens=9, messages=ASKED) as stream:
        assert "".join(stream.text_stream) == f"You said: {TEXT}"
    assert_nothing_left(upstream, 1)


def test_trouble_is_the_sdk_s_own_error(chat, upstream):
    with pytest.raises(openai.BadRequestError) as raised:
        chat.chat.completions.create(model="echo", messages=ASKED, extra_body={"new": "Quux"})
    assert "Quux" not in str(raised.value)
    with pytest.raises(openai.NotFoundError):
        chat.files.list()
    with pytest.raises(openai.BadRequestError):
        chat.models.list(extra_query={"after": "Quux"})
    assert_nothing_left(upstream, 0)
    with pytest.raises(openai.InternalServerError):
        chat.chat.completions.create(model="garbage", messages=ASKED)
    with pytest.raises(openai.RateLimitError) as raised:
        chat.chat.completions.create(model="limited", messages=ASKED)
    with pytest.raises(openai.APIStatusError):
        chat.chat.completions.create(model="redirect", messages=ASKED)
    with pytest.raises(openai.RateLimitError) as raised:
        chat.models.retrieve("limited")
    assert raised.value.code == "rate" and "Quux" not in str(raised.value)
    assert_nothing_left(upstream, 4)


@pytest.mark.parametrize("model", ["half", "cut"])
def test_a_stream_that_breaks_says_so(chat, upstream, model):
    asked = [{"role": "user", "content": f"{TEXT} A longer text, so that there are events."}]
    with pytest.raises(openai.APIError):
        list(chat.chat.completions.create(model=model, messages=asked, stream=True))
    assert_nothing_left(upstream, 1)


def test_the_environment_s_proxy_is_no_way_around_it(upstream, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, upstream.url)
    with client(POLICY) as inside:  # made where the environment names one
        chat = openai.OpenAI(
            base_url="http://127.0.0.1:9/v1", api_key="k", http_client=inside, max_retries=0
        )
        with pytest.raises(openai.APIConnectionError):
            chat.chat.completions.create(model="echo", messages=ASKED)
    assert_nothing_left(upstream, 0)


def test_sessions_may_last(upstream, tmp_path):
    bodies = []
    for _ in range(2):
        with client(POLICY, store=tmp_path / "s.db", principal="dana", key=MASTER) as inside:
            chat = openai.OpenAI(base_url=f"{upstream.url}/v1", api_key="k", http_client=inside)
            chat.chat.completions.create(model="echo", messages=ASKED)
        bodies.append(upstream.bodies()[-1])
    assert bodies[0] == bodies[1]


def test_a_session_of_another_policy_is_no_longer_named(upstream, tmp_path):
    named = {"x-privstamp-session": "case-17"}
    with client(POLICY, store=tmp_path / "s.db", principal="dana", key=MASTER) as inside:
        chat = openai.OpenAI(base_url=f"{upstream.url}/v1", api_key="k", http_client=inside)
        chat.chat.completions.create(model="echo", messages=ASKED, extra_headers=named)
    other = POLICY.model_copy(update={"deny": (*POLICY.deny, "Zyx")})
    with client(other, store=tmp_path / "s.db", principal="dana", key=MASTER) as inside:
        chat = openai.OpenAI(base_url=f"{upstream.url}/v1", api_key="k", http_client=inside)
        with pytest.raises(openai.BadRequestError, match="another policy"):
            chat.chat.completions.create(model="echo", messages=ASKED, extra_headers=named)
        chat.chat.completions.create(model="echo", messages=ASKED)  # begins another one
    assert len(upstream.bodies()) == 2


def test_a_store_needs_a_key(tmp_path, monkeypatch):
    monkeypatch.delenv("PRIVSTAMP_MASTER_KEY", raising=False)
    with pytest.raises(Exception, match="master key"):
        client(POLICY, store=tmp_path / "s.db")
    with pytest.raises(UsageError):
        client("no such policy.toml")


def test_a_principal_cannot_reach_into_another_s_sessions(tmp_path):
    """Else session b/c of a would be session c of a/b."""
    with pytest.raises(InputError, match="principal"):
        client(POLICY, store=tmp_path / "s.db", principal="a/b", key=MASTER)
