"""A canary in every place of every request type that may hold a string: none leaves."""

import json
from contextlib import suppress

import pytest
from bodies import CALL, TOOL, body, planted, positions

from privstamp.errors import PrivstampError
from privstamp.gateway.choke import Allowed, Api, prepare
from privstamp.gateway.request import Reading
from privstamp.gateway.rules import KINDS
from privstamp.gateway.table import table

CANARY = "Zworg Blarg"
WORDS = ("Zworg", "Blarg")
ENDPOINTS = {
    Api.CHAT: ("CompletionCreateParams",),
    Api.RESPONSES: ("ResponseCreateParams",),
    Api.COMPLETIONS: ("CompletionCreateParams",),
    Api.EMBEDDINGS: ("EmbeddingCreateParams",),
    Api.MESSAGES: ("MessageCreateParams",),
    Api.COUNT_TOKENS: ("MessageCountTokensParams",),
}
CALLS = {
    Api.CHAT: {
        "role": "assistant",
        "tool_calls": [
            {"id": CALL, "type": "function", "function": {"name": TOOL, "arguments": "{}"}}
        ],
    },
    Api.RESPONSES: {
        "type": "function_call", "call_id": CALL, "name": TOOL, "arguments": "{}"
    },
    Api.MESSAGES: {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": CALL, "name": TOOL, "input": {}}],
    },
}  # fmt: skip
RULES = {"strict": Allowed(), "all": Allowed(allow=frozenset(KINDS), restore=False)}


def whole(endpoint, request):
    """With a call that results may answer, and something that may leave."""
    key = {Api.RESPONSES: "input"}.get(endpoint, "messages")
    call = CALLS.get(Api.MESSAGES if endpoint is Api.COUNT_TOKENS else endpoint)
    if call is not None and isinstance(request.get(key, []), list):
        hello = {"role": "user", "content": "Hello there"}
        return {**request, key: [hello, call, *request.get(key, [])]}
    return request


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_no_canary_leaves(endpoint, rules, stream, session):
    types = table(endpoint.table, "request")
    kind = "Streaming" if stream else "NonStreaming"
    roots = tuple(n for n in types.roots if n in (
        ENDPOINTS[endpoint][0], ENDPOINTS[endpoint][0] + kind))  # fmt: skip
    left, refused = 0, 0
    texts = dict.fromkeys((True, False), 0)  # fields of text, by whether one left
    for position in positions(types, roots):
        if rules == "all" and position.row.verb == "allow":
            continue  # the policy lets it pass as it is
        gone = False
        for value in planted(position.row.shape, CANARY):
            request = whole(endpoint, body(types, position, value))
            content = json.dumps(request).encode()
            try:
                out = prepare(endpoint, content, session, RULES[rules]).body.decode()
                left += 1
                gone = True
            except PrivstampError as error:
                out = str(error)
                refused += 1
            assert not any(word in out for word in WORDS), (position.name, position.row.treatment)
        texts[gone] += position.row.verb == "privatise"
    if rules == "all":  # else the test would say nothing
        assert texts[True] > 2 * texts[False]
    assert refused > 10 or endpoint in (Api.EMBEDDINGS, Api.COMPLETIONS)
    assert left > 5 or endpoint is Api.EMBEDDINGS


def test_every_treatment_was_needed():
    seen = set()
    rules = Allowed(allow=frozenset(KINDS), restore=False)
    for endpoint, (root,) in ENDPOINTS.items():
        types = table(endpoint.table, "request")
        roots = tuple(name for name in types.roots if name.startswith(root))
        for position in positions(types, roots):
            for value in planted(position.row.shape, CANARY):
                reading = Reading(endpoint, rules)
                with suppress(PrivstampError):
                    reading.read(whole(endpoint, body(types, position, value)))
                seen |= reading.seen
    known = {row.treatment for endpoint in ENDPOINTS
             for fields in table(endpoint.table, "request").by_name.values()
             for row in fields.values()}  # fmt: skip
    assert known - seen == set()
