"""The real SDKs, LangChain and curl in front: restored for them, nothing for anybody else."""

import asyncio
import json
import subprocess

import anthropic
import openai
import pytest
from breakable import MASTER
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from running import gateway_at

from privstamp.gateway.principals import Keyring
from privstamp.sessions.sqlite import SqliteStore
from privstamp.sessions.vault import Vault

PRIVATE = ("Ann", "Quux", "Zworg", "Blarg", "ann.quux")
TEXT = "I am Ann Quux (ann.quux@example.com) and asked Zworg Blarg."
ASKED = [{"role": "user", "content": TEXT}]


def assert_nothing_left(upstream, gateway, count=1):
    seen = upstream.seen()["requests"]
    assert len(seen) == count
    told = json.dumps(seen) + gateway.log
    assert not [word for word in PRIVATE if word in told]
    return seen


@pytest.fixture
def client(gateway):
    with openai.OpenAI(base_url=f"{gateway.url}/v1", api_key="sk-client") as client:
        yield client


@pytest.fixture
def claude(gateway):
    with anthropic.Anthropic(base_url=gateway.url, api_key="sk-client") as client:
        yield client


def test_openai_asks_and_is_answered(client, upstream, gateway):
    raw = client.chat.completions.with_raw_response.create(model="echo", messages=ASKED)
    assert raw.parse().choices[0].message.content == f"You said: {TEXT}"
    assert raw.headers["x-privstamp-session"] and raw.headers["x-privstamp-certificate"]
    (request,) = assert_nothing_left(upstream, gateway)
    assert request["headers"]["authorization"] == "Bearer up-key"
    assert "example.com" in request["body"]  # something of it left
    assert not [name for name in request["headers"] if name.startswith("x-stainless")]
    assert "OpenAI" not in request["headers"]["user-agent"]


def test_openai_streams(client, upstream, gateway):
    events = client.chat.completions.create(model="echo", messages=ASKED, stream=True)
    text = "".join(event.choices[0].delta.content or "" for event in events if event.choices)
    assert text == f"You said: {TEXT}"
    assert_nothing_left(upstream, gateway)


def test_openai_s_other_endpoints(client, upstream, gateway):
    answer = client.responses.create(model="echo", instructions=TEXT, input=TEXT)
    assert answer.output_text == f"You said: {TEXT}"
    with client.responses.stream(model="echo", input=ASKED) as stream:
        kinds = [event.type for event in stream]
        assert stream.get_final_response().output_text == f"You said: {TEXT}"
    assert kinds[0] == "response.created" and kinds[-1] == "response.completed"
    answer = client.completions.create(model="echo", prompt=TEXT, suffix=TEXT)
    assert answer.choices[0].text == f"You said: {TEXT}"
    events = client.completions.create(model="echo", prompt=TEXT, stream=True)
    assert "".join(event.choices[0].text for event in events) == f"You said: {TEXT}"
    assert_nothing_left(upstream, gateway, 4)


def test_responses_go_on(client, upstream, gateway):
    history = list(ASKED)
    for text in ("Where is Ann Quux?", "And Zworg Blarg?"):
        answer = client.responses.create(model="echo", input=history)
        history += [answer.output[0].to_dict(), {"role": "user", "content": text}]
    client.responses.create(model="echo", input=history)
    first, second, third = [json.loads(each)["input"] for each in upstream.bodies()]
    assert third[:3] == second and second[:1] == first
    assert_nothing_left(upstream, gateway, 3)


def test_openai_asks_without_waiting(upstream, gateway):
    async def talk():
        async with openai.AsyncOpenAI(base_url=f"{gateway.url}/v1", api_key="k") as client:
            answers = [
                client.chat.completions.create(model="echo", messages=[*ASKED, *more])
                for more in ([], [{"role": "user", "content": "Nameaon?"}])
            ]
            whole = await asyncio.gather(*answers)
            stream = await client.chat.completions.create(model="echo", messages=ASKED, stream=True)
            pieces = [e.choices[0].delta.content or "" async for e in stream if e.choices]
            response = await client.responses.create(model="echo", input=TEXT)
            texts = [answer.choices[0].message.content for answer in whole]
            return texts, "".join(pieces), response.output_text

    whole, streamed, response = asyncio.run(talk())
    assert whole == [f"You said: {TEXT}", "You said: Nameaon?"]
    assert streamed == response == f"You said: {TEXT}"
    assert_nothing_left(upstream, gateway, 4)


def test_anthropic_asks_and_streams(claude, upstream, gateway):
    raw = claude.messages.with_raw_response.create(model="echo", max_tokens=9, messages=ASKED)
    assert raw.parse().content[0].text == f"You said: {TEXT}"
    with claude.messages.stream(model="echo", max_tokens=9, messages=ASKED) as stream:
        assert "".join(stream.text_stream) == f"You said: {TEXT}"
    seen = assert_nothing_left(upstream, gateway, 2)
    assert seen[0]["headers"]["x-api-key"] == "up-key"
    assert seen[0]["headers"]["anthropic-version"]


def test_anthropic_asks_without_waiting(upstream, gateway):
    async def talk():
        async with anthropic.AsyncAnthropic(base_url=gateway.url, api_key="k") as client:
            answer = await client.messages.create(model="echo", max_tokens=9, messages=ASKED)
            async with client.messages.stream(model="echo", max_tokens=9, messages=ASKED) as stream:
                streamed = "".join([text async for text in stream.text_stream])
            count = await client.messages.count_tokens(model="echo", messages=ASKED)
            return answer.content[0].text, streamed, count.input_tokens

    assert asyncio.run(talk()) == (f"You said: {TEXT}", f"You said: {TEXT}", 7)
    assert_nothing_left(upstream, gateway, 3)


def test_langchain_asks_and_streams(upstream, gateway):
    base = {"model": "echo", "base_url": f"{gateway.url}/v1", "api_key": "k"}
    models = [ChatOpenAI(**base, use_responses_api=responses) for responses in (False, True)]

    async def talk(model):
        answer = await model.ainvoke(TEXT)
        return answer.text, "".join([piece.text async for piece in model.astream(TEXT)])

    async def all_talk():  # in one loop: it keeps its connections
        return [await talk(model) for model in models]

    for model in models:
        assert model.invoke(TEXT).text == f"You said: {TEXT}"
        assert "".join(piece.text for piece in model.stream(TEXT)) == f"You said: {TEXT}"
    assert asyncio.run(all_talk()) == [(f"You said: {TEXT}",) * 2] * 2
    assert_nothing_left(upstream, gateway, 8)


@tool
def look_up(who: str) -> str:
    """Looks up people such as Ann Quux."""
    return who


def test_langchain_with_tools_and_embeddings(upstream, gateway):
    base = {"base_url": f"{gateway.url}/v1", "api_key": "k"}
    call = {"name": "look_up", "args": {"who": "Zworg Blarg"}, "id": "call_1"}
    history = [
        HumanMessage(TEXT), AIMessage("", tool_calls=[call]),
        ToolMessage("Zworg Blarg is here", tool_call_id="call_1"), HumanMessage("Is Ann Quux?"),
    ]  # fmt: skip
    model = ChatOpenAI(model="echo", **base).bind_tools([look_up])
    assert model.invoke(history).text == "You said: Is Ann Quux?"
    embeddings = OpenAIEmbeddings(model="echo", check_embedding_ctx_length=False, **base)
    assert embeddings.embed_query(TEXT) == [0.5, 0.25]  # packed as base64 on its way
    asked, _ = assert_nothing_left(upstream, gateway, 2)
    sent = json.loads(asked["body"])
    arguments = json.loads(sent["messages"][1]["tool_calls"][0]["function"]["arguments"])
    assert sent["messages"][2]["content"] == f"{arguments['who']} is here"


def curl(*arguments):
    done = subprocess.run(["curl", "-sS", *arguments], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_curl_asks_and_looks_at_its_certificate(upstream, gateway):
    body = json.dumps({"model": "echo", "messages": ASKED})
    answer = curl(
        "-i", "-H", "content-type: application/json", "-d", body,
        f"{gateway.url}/v1/chat/completions",
    )  # fmt: skip
    head, _, content = answer.replace("\r", "").partition("\n\n")
    headers = dict(line.split(": ", 1) for line in head.split("\n")[1:])
    assert json.loads(content)["choices"][0]["message"]["content"] == f"You said: {TEXT}"
    number = headers["x-privstamp-certificate"]
    certificate = json.loads(curl(f"{gateway.url}/certificates/{number}"))
    assert certificate["session"]["messages"] == 1
    other = curl("-o", "/dev/null", "-w", "%{http_code}", f"{gateway.url}/certificates/00{number}")
    assert other == "404"
    assert_nothing_left(upstream, gateway)


def test_curl_streams(upstream, gateway):
    def data(path, **body):
        answer = curl("-N", "-H", "content-type: application/json", "-d",
                      json.dumps({"model": "echo", "stream": True, **body}),
                      f"{gateway.url}{path}")  # fmt: skip
        return [line[6:] for line in answer.split("\n") if line.startswith("data: ")]

    *chunks, done = data("/v1/chat/completions", messages=ASKED)
    assert done == "[DONE]"
    deltas = [json.loads(chunk)["choices"][0]["delta"] for chunk in chunks]
    assert "".join(delta.get("content", "") for delta in deltas) == f"You said: {TEXT}"
    events = [json.loads(line) for line in data("/v1/messages", messages=ASKED, max_tokens=9)]
    text = "".join(event["delta"].get("text", "") for event in events if "delta" in event)
    assert text == f"You said: {TEXT}"
    assert_nothing_left(upstream, gateway, 2)


def test_models_pass(client, upstream):
    assert [model.id for model in client.models.list()] == ["echo"]
    assert upstream.seen()["requests"][0]["path"] == "/v1/models"


def test_an_error_about_models_keeps_its_code_alone(client, upstream):
    with pytest.raises(openai.RateLimitError) as raised:
        client.models.retrieve("limited")
    error = raised.value
    assert error.code == "rate" and "Quux" not in str(error)
    assert error.response.headers["retry-after"] == "0"
    assert "x-should-retry" not in error.response.headers  # the client may try again


def test_embeddings_pass_privatised(client, upstream, gateway):
    found = client.embeddings.create(model="echo", input=TEXT, encoding_format="float")
    assert found.data[0].embedding == [0.5, 0.25]
    assert_nothing_left(upstream, gateway)


def test_a_conversation_is_found_again(client, upstream, gateway):
    """By its replies: what left before leaves as it left then."""
    history, labels = [], []
    for text in ("I am Ann Quux.", "Do you know Zworg Blarg?", "And Ann Quux?"):
        history.append({"role": "user", "content": text})
        raw = client.chat.completions.with_raw_response.create(model="echo", messages=history)
        labels.append(raw.headers["x-privstamp-session"])
        history.append({"role": "assistant", "content": raw.parse().choices[0].message.content})
    assert len(set(labels)) == 1
    sent = [json.loads(body)["messages"] for body in upstream.bodies()]
    assert sent[2][:3] == sent[1] and sent[1][:1] == sent[0]
    assert_nothing_left(upstream, gateway, 3)


def test_a_streamed_conversation_is_found_again(client, upstream):
    history = [{"role": "user", "content": "I am Nameaon, streaming."}]
    stream = client.chat.completions.create(model="echo", messages=history, stream=True)
    text = "".join(event.choices[0].delta.content or "" for event in stream if event.choices)
    history += [{"role": "assistant", "content": text}, {"role": "user", "content": "Namebon?"}]
    client.chat.completions.create(model="echo", messages=history)
    first, second = (json.loads(body)["messages"] for body in upstream.bodies())
    assert second[0] == first[0] and second[1]["content"] == f"You said: {first[0]['content']}"


def test_sessions_are_apart_and_a_first_request_replays(client, upstream):
    def label(text, **headers):
        raw = client.chat.completions.with_raw_response.create(
            model="echo", messages=[{"role": "user", "content": text}], extra_headers=headers
        )
        return raw.headers["x-privstamp-session"]

    first, again, other = label("Hello Ann Quux"), label("Hello Ann Quux"), label("Ann Quux, hi")
    assert first == again != other
    named = {"x-privstamp-session": "case-17"}
    assert label("Hello Ann Quux", **named) == label("Ann Quux, hi", **named) == "case-17"
    bodies = upstream.bodies()
    assert bodies[0] == bodies[1]
    surrogates = [json.loads(body)["messages"][0]["content"] for body in bodies]
    assert surrogates[3].removeprefix("Hello ") == surrogates[4].removesuffix(", hi")
    assert surrogates[3] != surrogates[0]


def test_principals_come_with_keys_and_keep_to_themselves(upstream, tmp_path):
    (tmp_path / "keys").mkdir()
    keyring = Keyring(Vault(SqliteStore(tmp_path / "keys" / "sessions.db"), MASTER))
    dana, erin = keyring.add("dana"), keyring.add("erin")
    running = gateway_at(upstream.url, tmp_path / "keys")
    try:
        base = f"{running.url}/v1"
        with (
            openai.OpenAI(base_url=base, api_key="sk-none", max_retries=0) as client,
            pytest.raises(openai.AuthenticationError),
        ):
            client.chat.completions.create(model="echo", messages=ASKED)
        with (
            anthropic.Anthropic(base_url=running.url, api_key="none", max_retries=0) as claude,
            pytest.raises(anthropic.AuthenticationError),
        ):
            claude.messages.create(model="echo", max_tokens=9, messages=ASKED)
        assert upstream.bodies() == []
        raw = {}
        for name, key in (("dana", dana), ("erin", erin)):
            with openai.OpenAI(base_url=base, api_key=key) as client:
                raw[name] = client.chat.completions.with_raw_response.create(
                    model="echo", messages=ASKED
                )
        first, second = upstream.bodies()
        assert first != second  # the same request, two sessions
        number = raw["dana"].headers["x-privstamp-certificate"]
        for key, status in ((dana, "200"), (erin, "404")):
            told = curl(
                "-o", "/dev/null", "-w", "%{http_code}", "-H", f"authorization: Bearer {key}",
                f"{running.url}/certificates/{number}",
            )  # fmt: skip
            assert told == status
        seen = json.dumps(upstream.seen()) + running.log
        assert dana not in seen and erin not in seen and "up-key" not in running.log
    finally:
        running.end()
