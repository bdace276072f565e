# ruff: noqa: E501
"""Letters, transcripts, logs, traces and Markdown."""

from email import message_from_string
from email.policy import default

import losses
import pytest
from exchange import exchanged, fields, kept
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from privstamp.errors import InputError
from privstamp.lab.evals import samples
from privstamp.text.formats.recognition import read
from privstamp.types import Finding

HEADERS = (
    "To: Bo Dea <bo@example.com>, ann@example.com", 'Cc: "Dea, Bo" <bo@example.com>',
    "Subject: =?utf-8?q?Caf=C3=A9_for_Ann?=", "Subject: Ann's hours,\n again", "X-Zorn-Id: 84729104",
    "Message-ID: <7f3a.99@zorn.example.com>", "In-Reply-To: <7f3a.99@zorn.example.com>",
    "Received: from mx.zorn.fr (unknown [10.1.2.3]) by a.example.com id AB12; Thu, 8 Oct 2026 10:24:37 +0200",
    "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Date: Thu, 8 Oct 2026 10:24:37 +0200",
)  # fmt: skip
BODY = (
    "Dear Bo,\n",
    "see you.\nAnn\n",
    "> On Fri, Ann wrote:\n> Hi\n>> Deep\n",
    "-- \nAnn Dea\n",
    "\n",
)


@given(st.lists(st.sampled_from(HEADERS), unique=True), st.lists(st.sampled_from(BODY), max_size=4))
def test_letters_keep_headers_and_quotes(headers, body):
    text = "\n".join(["From: Ann Dea <ann@example.com>", *headers, "", "".join(body)])
    assert kept(text, "mail") == text
    new, _ = exchanged(text, "mail")
    before, after = message_from_string(text), message_from_string(new)
    names = [(name, name.startswith("X-")) for name in before]
    assert [
        (a if private else n) for (n, private), a in zip(names, after.keys(), strict=True)
    ] == list(after.keys())
    assert not after.defects
    marks = [
        line[: len(line) - len(line.lstrip("> "))] for line in before.get_payload().split("\n")
    ]
    assert [m for m in marks if m] == [
        m
        for line in after.get_payload().split("\n")
        if (m := line[: len(line) - len(line.lstrip("> "))])
    ]


def test_addresses_and_ids_are_fields_of_their_own():
    text = 'From: "Dea, Ann" <ann@example.com>\nSubject: =?utf-8?q?Caf=C3=A9?=\nMessage-ID: <a@b.example>\n\nHi\n'
    template = read(text)
    assert template.format == "mail"
    assert fields(template) == ["Dea, Ann", "ann@example.com", "Café", "a@b.example", "Hi"]
    new, _ = template.write(['O"Dea, É', "b@example.com", "Thé", "c@d.example", "Yo"], {})
    parsed = message_from_string(new, policy=default)
    assert parsed["from"].addresses[0].display_name == 'O"Dea, É'
    assert parsed["subject"] == "Thé"


CHAT = "User: Yes, hello.\nAgent: Your name?\nUser: Ann Dea\n  of Rome\nMarta Zorn: I know her: yes\nAgent: Done.\n"


def test_roles_pass_and_names_of_speakers_are_read():
    template = read(CHAT)
    assert template.format == "chat"
    assert fields(template) == [
        "Yes, hello.", "Your name?", "Ann Dea\n  of Rome", "Marta Zorn", "I know her: yes", "Done.",
    ]  # fmt: skip
    new, _ = exchanged(CHAT, "chat", words=("x",))
    assert new == "User: x\nAgent: x\nUser: x\nx: x\nAgent: x\n"


@pytest.mark.parametrize(
    "text",
    [
        "Name: Ann\nAddress: Rome\nPhone: 1",
        "Note: one\nand more text\nand more",
        "Hi: there\n",
        "a\nb",
    ],
)
def test_forms_and_letters_are_no_transcripts(text):
    assert read(text) is None


LOG = (
    "2026-10-08T14:22:01Z INFO auth login ok user=ann.dea ip=10.2.3.4\n",
    '2026-10-08 14:22:02,123 ERROR [billing] card declined {"surname": "Dea", "n": 3}\n',
    "WARN retry attempt=3\n",
    'Traceback (most recent call last):\n  File "/home/zorn/app.py", line 3, in zorn\n    go()\nValueError: no Ann\n',
    'Oct  8 14:22:03 host1 sshd[311]: Accepted publickey for zorn\n',
    '10.1.2.3 - - [08/Oct/2026:14:22:01 +0200] "GET /zorn HTTP/1.1" 200 12\n',
)  # fmt: skip


@given(st.lists(st.sampled_from(LOG), min_size=1, max_size=6))
def test_logs_keep_lines_levels_and_keys(pieces):
    text = LOG[0] + "".join(pieces)
    assert kept(text, "log") == text
    new, _ = exchanged(text, "log", words=("x y", "z"))
    assert new.count("\n") == text.count("\n")
    for word in (" INFO ", " ERROR ", "WARN ", "user=", "ip=", '"n": '):
        assert new.count(word) == text.count(word)
    for private in ("ann.dea", "Ann", "/zorn", "10.2.3.4", "Dea"):
        assert private not in new


def test_logs_and_traces_are_seen():
    template = read(LOG[0] + LOG[1])
    assert (template.format, dict(template.parts)) == ("log", {"json": 1})
    assert "user: ann.dea" in template.reading
    trace = "java.lang.IllegalStateException: no Ann\n\tat com.zorn.App.main(App.java:12)\n\tat x.Y.z(Y.java:9)\n"
    template = read(trace)
    assert (template.format, fields(template)) == ("trace", ["no Ann"])
    assert "com.zorn.App.main" in set(template.keys())


BLOCKS = (
    "# Of Ann\n", "Some **bold Ann** and *it* `zorn_total` text\nand 2 < 3 more.\n", "- one\n- two Ann\n",
    "1. first\n2. second\n", "> quoted Ann\n> more\n", "| name | town |\n|------|:----:|\n| Ann | Rome |\n",
    "```python\ndef zorn(a):\n    return 'Ann'\n```\n", "```json\n{\"a\": \"Ann\"}\n```\n", "~~~\nfree Ann text\n~~~\n",
    "[Ann](https://ann.example/x \"T\") and ![pic](a.png) and <https://ann.example> <ann@zorn.example>\n", "Title of Ann\n=====\n",
    "---\n", "[Ann][zorn]\n\n[zorn]: https://ann.example/y\n", "a \\* b _em_ snake_case\n", "```json\n{broken\n```\n",
    "- [ ] task Ann\n", "## Two\n\n### Three\n",
)  # fmt: skip


def kinds(text):
    """Types of all tokens but of running text, whose lines may change."""
    seen = []
    for token in MarkdownIt().enable("table").parse(text):
        seen += [
            token.type,
            *(inner.type for inner in token.children or () if "break" not in inner.type),
        ]
    return [kind for kind in seen if kind != "text"]


@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=6))
def test_markdown_keeps_its_blocks_and_marks(blocks):
    text = "\n".join(blocks)
    assert kept(text, "markdown") == text
    new, _ = exchanged(text, "markdown")
    assert kinds(new) == kinds(text)
    assert "Ann" not in new


def test_markdown_is_read_by_part():
    template = read(
        '# Report\n\n```python\nx = \'Ann\'\n```\n\n```json\n{"a": 1}\n```\n\n```\n{"b": 2}\n```\n'
    )
    assert (template.format, dict(template.parts)) == ("markdown", {"json": 2, "python": 1})


def test_a_letter_needs_headers():
    with pytest.raises(InputError, match="not mail: line 1, column 1"):
        read("Dear Ann,\n\nhello\n", "mail")


def test_a_server_log_and_a_trace_of_go_are_seen():
    served = (
        '192.0.2.18 - lwang [21/May/2025:10:04:51 +0300] "GET /a?name=Ann HTTP/1.1" 200 5\n' * 2
    )
    template = read(served)
    assert template.format == "log"
    assert fields(template)[:3] == ["192.0.2.18", "lwang", "21/May/2025:10:04:51 +0300"]
    panic = "goroutine 41 [running]:\nmain.seats(0xc0, 0x5)\n\t/build/zorn/seats.go:93 +0x1d4\n"
    assert read(panic).format == "trace"
    assert "zorn" not in exchanged(panic, "trace")[0]


@pytest.mark.parametrize("sample", samples.load(), ids=lambda sample: sample.id)
def test_own_samples_keep_their_structure(sample):
    """Whatever the fields become; what is seen may be another format than the one written."""
    template = read(sample.text)
    if template is not None and sample.format != "plain":
        new, _ = exchanged(sample.text, template.format, words=("Ann", "Bo"))
        if template.format == sample.format and sample.format not in ("log", "trace", "markdown"):
            assert losses.parses(sample.format, new)


@pytest.mark.parametrize(
    ("shown", "kind"),
    [
        ("=?UTF-8?Q?Wenonah_Trevanion?=", "PERSON"),
        ("Wenonah Trevanion", "PERSON"),
        ("Support Team", ""),
        ("Trevanion Support", ""),
    ],
)
def test_who_writes_is_a_person_unless_a_word_is_public(shown, kind):
    template = read(f"From: {shown} <w@example.com>\nTo: b@example.com\nSubject: x\n\nx\n", "mail")
    assert [finding.kind for finding in template.hinted()] == ([kind] if kind else [])


def test_a_column_of_names_holds_people():
    text = "id,name,city\n1,Wenonah Trevanion,Bath\n2,Blue Kettle,Bath\n3,Sunniva Oyelaran,Bath\n"
    people = [f for f in read(text, "csv").hinted() if f.kind == "PERSON"]
    assert len(people) == 2


def test_comments_in_markdown_stay_hidden():
    text = "# T\n\n<!-- Ann -->\n- a <!-- Ann --> b\n\n<!--\nAnn\n\n# Ann\n--> Ann\nAnn\n"
    assert kept(text, "markdown") == text
    new, _ = exchanged(text, "markdown", words=("Bo",))
    assert "Ann" not in new
    assert [new.count(sign) for sign in ("<!--", "-->", "\\")] == [3, 3, 0]


def test_roles_of_other_languages_are_marks_of_speakers():
    text = "Cliente: no llegó el paquete.\nAgente: ¿Su nombre?\nCliente: Begoña Larrañaga\n"
    template = read(text)
    assert template.format == "chat"
    assert fields(template) == ["no llegó el paquete.", "¿Su nombre?", "Begoña Larrañaga"]


def test_what_a_cut_leaves_of_a_name_is_no_name():
    template = read("Zworg\n", "markdown")
    two = read("# Zworg\n\nOn Monday\n", "markdown")
    assert template is not None and two is not None
    reach = Finding(0, two.reading.index("On") + 2, "PERSON", 0.9, "presidio", "spaCy: PERSON")
    assert [two.reading[one.start : one.end] for one in two.cut([reach])] == ["Zworg"]


def test_cells_of_a_table_are_read_under_their_heads():
    template = read(
        "| Name | Pay | Zworgal |\n|---|---|---|\n| Ann Zworg | 54 | a \\| b |\n", "markdown"
    )
    assert list(template.keys()) == ["Name", "Pay", "Zworgal"]
    assert fields(template) == ["Ann Zworg", "54", "a", "b"]
    assert "\npay: 54" in template.reading
