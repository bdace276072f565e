"""Tables, keys, cabinets, settings and staff of a gateway, each alone."""

import asyncio
import io
import json
import os
import time

import pytest
from breakable import MASTER, POLICY

from privstamp.errors import InputError, StageFailed, UsageError
from privstamp.gateway.cabinet import MemoryCabinet, StoredCabinet
from privstamp.gateway.desk import Desk, Question, rules_of
from privstamp.gateway.principals import LOCAL, PREFIX, Keyring
from privstamp.gateway.refused import Dialect, Refused, error_body, odd_status
from privstamp.gateway.routes import (
    client_key,
    returned_headers,
    route,
    sent_headers,
    unknown_beta,
    wrong_parameter,
)
from privstamp.gateway.rules import Allowed, Api
from privstamp.gateway.settings import Settings, check_exposure, check_upstream, read_listen
from privstamp.gateway.staff import Staff
from privstamp.gateway.watch import MOST_LABELS, Visit, Watch
from privstamp.pipeline import Privatizer
from privstamp.policy import Policy
from privstamp.policy.trust import hosts, objections
from privstamp.sessions.sqlite import SqliteStore
from privstamp.sessions.vault import Vault


@pytest.fixture(scope="module")
def line():
    return Privatizer(POLICY)


@pytest.fixture
def vault(tmp_path):
    return Vault(SqliteStore(tmp_path / "s.db"), MASTER)


@pytest.fixture(params=["memory", "stored"])
def cabinet(request, line, tmp_path):
    if request.param == "memory":
        return MemoryCabinet(line)
    return StoredCabinet(line, SqliteStore(tmp_path / "s.db"), MASTER)


@pytest.mark.parametrize(
    ("method", "path", "endpoint"),
    [
        ("POST", "/v1/chat/completions", Api.CHAT),
        ("POST", "/v1/messages/count_tokens", Api.COUNT_TOKENS),
        ("GET", "/v1/models/gpt-4.1", Api.MODELS),
        ("GET", "/v1/chat/completions", None),
        ("POST", "/v1/models", None),
        ("POST", "/v1/files", None),
        ("POST", "/v1/chat/completions/", None),
        ("GET", "/v1/models/Ann Quux", None),
        ("GET", "/v1/models/../files", None),
        ("DELETE", "/v1/models/gpt-4.1", None),
    ],
)
def test_endpoints_are_these(method, path, endpoint):
    known = route(method, path, {})
    assert (known and known.endpoint) == endpoint


def test_models_are_asked_for_in_two_dialects():
    claude = route("GET", "/v1/models", {"anthropic-version": "2023-06-01"})
    assert claude.dialect is Dialect.ANTHROPIC
    assert route("GET", "/v1/models", {}).dialect is Dialect.OPENAI


def test_headers_that_leave_are_listed():
    given = {
        "authorization": "Bearer sk", "x-api-key": "sk", "cookie": "a=b", "x-stainless-os": "Linux",
        "anthropic-version": "2023-06-01", "openai-organization": "org-1", "x-request-id": "Quux",
        "openai-project": "Ann Quux", "idempotency-key": "Quux",
    }  # fmt: skip
    passed = sent_headers(given, Dialect.OPENAI, None)
    assert set(passed) == {
        "authorization", "x-api-key", "anthropic-version", "openai-organization"
    }  # fmt: skip
    assert sent_headers(given, Dialect.OPENAI, "own")["authorization"] == "Bearer own"
    claude = sent_headers(given, Dialect.ANTHROPIC, "own")
    assert claude["x-api-key"] == "own" and "authorization" not in claude
    assert not {"authorization", "x-api-key"} & set(sent_headers(given, Dialect.OPENAI, ""))


@pytest.mark.parametrize("name", ["authorization", "x-api-key"])
def test_a_key_of_the_gateway_is_not_passed_on(name):
    given = {name: f"Bearer {PREFIX}abc"}
    with pytest.raises(Refused, match="x-privstamp-key") as caught:
        sent_headers(given, Dialect.OPENAI, None)
    assert caught.value.status == 401 and "abc" not in str(caught.value)
    assert sent_headers(given, Dialect.OPENAI, "own")["authorization"] == "Bearer own"


def test_headers_that_return_are_listed():
    given = {
        "Retry-After": "3", "X-RateLimit-Remaining-Tokens": "9", "set-cookie": "a", "server": "x",
        "request-id": "r" * 300, "x-request-id": "r", "location": "/", "content-length": "9",
    }  # fmt: skip
    assert returned_headers(given.items()) == {
        "retry-after": "3", "x-ratelimit-remaining-tokens": "9", "x-request-id": "r"
    }  # fmt: skip


@pytest.mark.parametrize("value", ["r" * 201, "Zoë", "a\x01b", "\udcff", "a\tb"])
def test_a_header_that_cannot_be_sent_on_does_not_return(value):
    assert not returned_headers([("request-id", value)])


@pytest.mark.parametrize(
    ("status", "code"),
    [(99, "bad_reply"), (101, "bad_reply"), (999, "bad_reply"), (304, "upstream_redirect")],
)
def test_statuses_that_clients_do_not_get(status, code):
    assert odd_status(status).code == code and odd_status(status).status == 502
    assert not any(map(odd_status, (200, 299, 400, 429, 599)))


@pytest.mark.parametrize("status", [400, 408, 415, 422])
def test_whatever_a_client_did_wrong_is_an_invalid_request(status):
    for dialect in Dialect:
        error = json.loads(error_body(dialect, status, "code", "why"))["error"]
        assert error["type"] == "invalid_request_error"


def test_queries_and_betas_are_listed():
    assert not wrong_parameter([("beta", "true"), ("limit", "20")])
    assert wrong_parameter([("limit", "Quux")]) and wrong_parameter([("after_id", "m")])
    assert wrong_parameter([("limit", "١٢")])  # digits, but of another script
    assert not unknown_beta({"anthropic-beta": "output-128k-2025-02-19"}) and not unknown_beta({})
    assert unknown_beta({"anthropic-beta": "output-128k-2025-02-19, files-api-2025-04-14"})


def test_a_key_of_the_gateway_comes_where_the_client_s_does():
    headers = {"authorization": "Bearer one"}
    assert client_key(headers, passed=False) == "one"
    assert client_key(headers, passed=True) is None
    assert client_key({"x-api-key": "two"}, passed=False) == "two"
    assert client_key(headers | {"x-privstamp-key": "three"}, passed=True) == "three"
    assert client_key({}, passed=False) is None


def test_keys_are_kept_as_hashes(vault, tmp_path):
    keyring = Keyring(vault)
    keyring.refresh()
    assert keyring.principal(None) == LOCAL
    key = keyring.add("dana")
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert key.encode() not in content and b"dana" not in content
    other = Keyring(vault)
    other.refresh()
    assert other.principal(key) == "dana" and other.principal(None) is None
    assert other.principal(key + "x") is None
    (entry,) = keyring.passes()
    assert entry.principal == "dana"
    assert keyring.revoke(entry.number) and not keyring.revoke(entry.number)
    third = Keyring(vault, required=True)
    third.refresh()
    assert third.principal(key) is None and third.principal(None) is None


def test_a_gateway_that_had_keys_stays_closed(vault):
    keyring = Keyring(vault)
    keyring.add("dana")
    keyring.refresh()
    keyring.revoke(keyring.passes()[0].number)
    keyring._read_at = float("-inf")
    keyring.refresh()
    assert keyring.principal(None) is None


@pytest.mark.parametrize("name", ["", "a b", "x/y", "-a", "a" * 65])
def test_principals_have_plain_names(vault, name):
    with pytest.raises(InputError):
        Keyring(vault).add(name)


def test_a_history_leads_to_its_session(cabinet):
    first, second = (cabinet.label("dana", "first", word) for word in "ab")
    assert first != second and first == cabinet.label("dana", "first", "a")
    for label in (first, second):
        cabinet.open("dana", label)
    cabinet.index("dana", first, ["h1", "h2"])
    cabinet.index("dana", second, ["h2", "h3"])  # the first that had it keeps it
    assert cabinet.holder("dana", ["h1"]) == cabinet.holder("dana", ["h2", "h3"]) == first
    assert cabinet.holder("dana", ["h9", "h3", "h2"]) == second
    assert cabinet.holder("dana", ["h9"]) is cabinet.holder("dana", []) is None
    assert cabinet.holder("erin", ["h1"]) is None


def test_certificates_are_for_their_owner(cabinet):
    number = cabinet.keep("dana", "{}")
    assert cabinet.certificate("dana", number) == "{}"
    assert cabinet.certificate("erin", number) is None
    for wrong in ("", "zz", number[:-1], number + "0", "ffff" + number[4:]):
        assert cabinet.certificate("dana", wrong) is None


def test_the_oldest_certificate_makes_room(line, tmp_path, monkeypatch):
    monkeypatch.setattr("privstamp.gateway.cabinet.CERTIFICATES", 2)
    cabinet = StoredCabinet(line, SqliteStore(tmp_path / "s.db"), MASTER)
    numbers = [cabinet.keep("dana", str(number)) for number in range(3)]
    assert [cabinet.certificate("dana", number) for number in numbers] == [None, "1", "2"]


def test_another_policy_begins_other_sessions(line, tmp_path):
    other = Privatizer(POLICY.model_copy(update={"deny": ("Zyx",)}))
    store = SqliteStore(tmp_path / "s.db")
    labels = {StoredCabinet(each, store, MASTER).label("d", "first", "a") for each in (line, other)}
    assert len(labels) == 2


def test_only_so_many_sessions_stay_open(line, tmp_path, monkeypatch):
    monkeypatch.setattr("privstamp.gateway.cabinet.OPEN_SESSIONS", 2)
    for cabinet in (MemoryCabinet(line), StoredCabinet(line, SqliteStore(tmp_path / "s"), MASTER)):
        for number in range(4):
            cabinet.open("dana", f"dana/{number}")
        assert list(cabinet._open) == ["dana/2", "dana/3"]


def test_a_desk_keeps_nothing_of_an_error(line):
    desk = Desk(MemoryCabinet(line), rules_of(POLICY, None))
    error = desk(Question(Api.CHAT, b'{"model": "Ann Quux', "dana"))
    assert isinstance(error, Refused) and "Quux" not in str(error)
    assert error.__traceback__ is error.__context__ is error.__cause__ is None
    with pytest.raises(UsageError):
        desk("what?")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://api.example.com/v1", "https://api.example.com"),
        ("https://api.example.com/", "https://api.example.com"),
        ("https://example.com/api/v1/", "https://example.com/api"),
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434"),
        ("http://localhost:11434", "http://localhost:11434"),
    ],
)
def test_an_upstream_s_address(given, kept):
    assert check_upstream(given) == kept


@pytest.mark.parametrize(
    "wrong",
    ["api.example.com", "ftp://example.com", "https://u:p@example.com", "https://e.com?k=1", "",
     "http://api.example.com"],
)  # fmt: skip
def test_an_upstream_that_is_refused(wrong):
    with pytest.raises(UsageError, match="--upstream"):
        check_upstream(wrong)
    if wrong == "http://api.example.com":
        assert check_upstream(wrong, plain=True)


def test_where_it_listens():
    assert read_listen("9000") == read_listen("127.0.0.1:9000") == ("127.0.0.1", 9000)
    assert read_listen("[::1]:9000") == ("::1", 9000)
    for wrong in ("", "host", "host:", "host:x", "1:70000"):
        with pytest.raises(UsageError, match="--listen"):
            read_listen(wrong)
    open_to_all = Settings("https://e.com", host="0.0.0.0", names=("Gate.example.com",))
    assert open_to_all.hosts == {"localhost", "127.0.0.1", "::1", "gate.example.com"}
    with pytest.raises(UsageError, match="key add"):
        check_exposure(open_to_all, [])
    check_exposure(open_to_all, ["dana"])
    check_exposure(Settings("https://e.com"), [])


def test_a_key_is_in_no_repr():
    assert "sk-1" not in repr(Settings("https://e.com", upstream_key="sk-1"))


def test_a_policy_that_was_found_may_name_no_upstream():
    given = {"gateway": {"upstream": "https://api.example.com/v1"}}
    policy = Policy.of(given)
    assert hosts(policy) == {"api.example.com": "is sent released text"}
    assert any("api.example.com" in told for told in objections(policy))
    assert any("gateway" in told for told in objections(Policy.of({"gateway": {"allow": ["x"]}})))
    assert policy.fingerprint() == Policy().fingerprint()  # releases are the same
    assert Policy.from_toml(policy.to_toml()) == policy
    with pytest.raises(UsageError, match=r'gateway\.upstraem.*"upstream"'):
        Policy.of({"gateway": {"upstraem": "x"}})


def test_what_a_policy_lets_pass(vault):
    table = {"allow": ["images"], "restore_arguments": ["mail"], "restore": False, "public": ["A"]}
    rules = rules_of(Policy.of({"gateway": table}), vault)
    assert rules.allow == {"images"} and rules.restore_arguments == {"mail"}
    assert not rules.restore and rules.public == {"A"}
    assert rules.id_key == rules_of(Policy(), vault).id_key != rules_of(Policy(), None).id_key


def test_logs_and_metrics():
    log = io.StringIO()
    watch = Watch(log)
    visit = Visit(endpoint="messages", status=503, code="stage", received=10)
    watch.over(visit)
    watch.over(Visit(endpoint="messages", status=503, code="stage"))
    assert log.getvalue().count("\n") == 2 and '"code": "stage"' in log.getvalue()
    name = b'privstamp_requests_total{code="stage",endpoint="messages",status="503"} 2.0'
    assert name in watch.metrics()


def test_codes_of_an_upstream_do_not_fill_the_memory():
    watch = Watch(io.StringIO())
    for number in range(3 * MOST_LABELS):
        watch.over(Visit(endpoint="messages", status=502, code=f"code_{number}"))
    lines = [line for line in watch.metrics().splitlines() if b"requests_total{" in line]
    assert len(lines) == MOST_LABELS + 1 and b"1000.0" in lines[-1]


@pytest.mark.parametrize("name", ["", "a" * 201, "a\nb", "ä", "a b"])
def test_a_session_is_named_plainly(cabinet, name):
    desk = Desk(cabinet, Allowed())
    body = b'{"model": "m", "messages": [{"role": "user", "content": "Hello"}]}'
    answer = desk(Question(Api.CHAT, body, "local", name))
    assert isinstance(answer, Refused) and answer.code == "session"


def echo(job):
    if job == "die":
        os._exit(1)
    if job == "hang":
        time.sleep(600)
    if isinstance(job, float):
        time.sleep(job)
    return job


def cook():
    return echo


def burnt():
    raise ValueError("no")


def staffed(step, count=1, recipe=cook, deadline=5.0):
    async def run():
        staff = Staff(recipe, count, deadline=deadline)
        await staff.start()
        try:
            await staff.ready()
            return await step(staff)
        finally:
            await staff.close()

    return asyncio.run(run())


def test_staff_answers_in_order_and_replaces_the_dead():
    async def step(staff):
        jobs = ["a", "die", "b", b"x" * 3_000_000, "c"]
        return await asyncio.gather(*map(staff.ask, jobs)), staff.replaced

    (first, dead, second, large, third), replaced = staffed(step, deadline=60.0)
    assert (first, second, third, len(large)) == ("a", "b", "c", 3_000_000)
    assert isinstance(dead, StageFailed) and replaced == 1


def test_staff_replaces_who_hangs_and_refuses_who_waited_too_long():
    async def step(staff):
        answers = await asyncio.gather(*map(staff.ask, ["hang", *range(8)]))
        await staff.ready()
        return answers

    hung, *others = staffed(step, deadline=1.0)
    assert isinstance(hung, StageFailed) and "longer" in str(hung)
    assert all(isinstance(other, StageFailed | int) for other in others)


def test_who_goes_away_leaves_the_job_to_its_end():
    async def step(staff):
        task = asyncio.create_task(staff.ask(0.3))
        await asyncio.sleep(0.1)
        task.cancel()
        return await staff.ask("next")

    assert staffed(step) == "next"


def test_another_process_helps_out():
    async def step(staff):
        while staff.at_work < 2:
            await asyncio.sleep(0.05)
        slow = asyncio.create_task(staff.ask(3.0, near=0))
        await asyncio.sleep(0.1)
        assert await staff.ask("quick", near=0) == "quick" and not slow.done()
        return await slow

    assert staffed(step, count=2) == 3.0


def test_a_staff_that_cannot_start_says_so():
    with pytest.raises(StageFailed, match="policy check"):
        staffed(lambda staff: staff.ask("a"), recipe=burnt)
