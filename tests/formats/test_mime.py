"""Letters whose bodies and headers are in code: read as text, written in the same code."""

import base64
import quopri
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default

import pytest
from exchange import exchanged, fields, kept, undone
from hypothesis import given
from hypothesis import strategies as st

from privstamp import Policy, Privatizer
from privstamp.errors import InputError
from privstamp.text.formats.recognition import read

TEXTS = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S"), include_characters=" \n"),
    max_size=200,
)
NOTE = "Dear Tadeusz Wojcik,\n\nyour café visit on 3 October 2025 is paid.\n\nZelda\n"
PAGE = "<html><body><p>Dear <b>Tadeusz Wojcik</b>, paid.</p></body></html>\n"


def letter(text, html=None, cte="base64", attachment=None):
    message = EmailMessage(policy=default)
    message["From"] = "Zelda Żółć <zelda@example.com>"
    message["To"] = "Tadeusz Wojcik <tadeusz@example.com>"
    message["Subject"] = "Café für Tadeusz"
    message.set_content(text, cte=cte)
    if html:
        message.add_alternative(html, subtype="html", cte=cte)
    if attachment:
        message.add_attachment(attachment, "application", "pdf", filename="Wojcik.pdf")
    return message.as_string()


def bodies(text):
    """What a mail program shows of each part."""
    parsed = message_from_bytes(text.encode(), policy=default)
    leaves = [part for part in parsed.walk() if not part.is_multipart()]
    return [(part.get_content_type(), part["content-transfer-encoding"], part) for part in leaves]


@pytest.mark.parametrize("cte", ["base64", "quoted-printable"])
@given(text=TEXTS)
def test_any_body_is_read_and_written_in_the_same_code(cte, text):
    raw = letter(text, cte=cte)
    assert kept(raw, "mail") == raw
    new, _ = exchanged(raw, "mail", words=("Ann Dea", "é à", "x=1 " * 40))
    ((kind, code, part),) = bodies(new)
    assert (kind, code) == ("text/plain", cte)
    if any(map(str.isalnum, text)):
        assert part.get_content().strip()
    assert not part.defects


@pytest.mark.parametrize("cte", ["base64", "quoted-printable"])
def test_parts_and_their_markup_are_fields_and_boundaries_stay(cte):
    raw = letter(NOTE, PAGE, cte)
    template = read(raw)
    assert template.format == "mail" and template.parts == {"html": 1}
    assert "Tadeusz Wojcik" in fields(template) and "Café für Tadeusz" in fields(template)
    new, _ = template.write(["Ann" for _ in fields(template)], {})
    (_, first, plain), (_, second, page) = bodies(new)
    assert (first, second) == (cte, cte)
    assert plain.get_content().strip() == "Ann"
    assert page.get_content().strip() == "<html><body><p>Ann <b>Ann</b>Ann</p></body></html>"


def test_lines_of_code_keep_their_length_and_ends():
    code = base64.b64encode(NOTE.encode() * 4).decode()
    lines = "\r\n".join(code[at : at + 64] for at in range(0, len(code), 64))
    head = "From: a@example.com\r\nTo: b@example.com\r\nContent-Transfer-Encoding: base64\r\n"
    raw = f"{head}Content-Type: text/plain; charset=utf-8\r\n\r\n{lines}\r\n"
    new, _ = exchanged(raw, "mail", words=("Ann Dea " * 30,))
    body = new.split("\r\n\r\n")[1].split("\r\n")
    assert len(body[0]) == 64 and new.endswith("\r\n") and "\n" not in new.replace("\r\n", "")


@pytest.mark.parametrize("charset", ["iso-8859-1", "windows-1252", "utf-8", "us-ascii"])
def test_charsets_are_kept(charset):
    text = "Tadeusz lives here.\n" if charset == "us-ascii" else "Tadeusz aime le café.\n"
    code = quopri.encodestring(text.encode(charset)).decode()
    head = "From: a@example.com\nTo: b@example.com\nContent-Transfer-Encoding: quoted-printable\n"
    raw = f'{head}Content-Type: text/plain; charset="{charset}"\n\n{code}'
    assert fields(read(raw, "mail"))[-1] == text.strip()
    new, _ = exchanged(raw, "mail", words=("Zoë Ωmega",))
    shown = bodies(new)[0][2].get_content().strip()
    assert shown == {"utf-8": "Zoë Ωmega", "us-ascii": "Zo? ?mega"}.get(charset, "Zoë ?mega")


@pytest.mark.parametrize(
    ("raw", "start"),
    [
        ("=?utf-8?B?WmVsZGEgxbvDs8WCxIc=?=", "=?utf-8?b?"),
        ("=?iso-8859-1?Q?Ren=E9e_Zorn?=", "=?iso-8859-1?q?"),
    ],
)
def test_headers_are_written_in_the_code_that_was_there(raw, start):
    text = f"From: {raw} <z@example.com>\nTo: b@example.com\nSubject: x\n\nx\n"
    template = read(text, "mail")
    assert fields(template)[0] in ("Zelda Żółć", "Renée Zorn")
    new, _ = template.write(["Zoë Dea", *fields(template)[1:]], {})
    assert new.startswith(f"From: {start}")
    assert message_from_bytes(new.encode(), policy=default)["from"].addresses[0].display_name == (
        "Zoë Dea"
    )


def test_attachments_are_refused_or_dropped_and_never_pass():
    raw = letter(NOTE, attachment=b"%PDF-1.7 Tadeusz Wojcik")
    for name in ("auto", "mail"):
        with pytest.raises(InputError, match=r"attachment that is no text \(line \d+\)") as caught:
            read(raw, name)
        assert "Wojcik" not in str(caught.value)
    template = read(raw, drop=True)
    new, _ = template.write(fields(template), {})
    (_, _, note), (kind, _, pdf) = bodies(new)
    assert kind == "application/pdf" and pdf.get_content() == b""
    assert note.get_content() == NOTE


@pytest.mark.parametrize(
    ("encoding", "charset", "body"),
    [
        ("base64", "utf-8", "no base64 at all!"),
        ("base64", "utf-8", base64.b64encode(b"\xff\xfe\x00").decode()),
        ("uuencode", "utf-8", "begin 644 x"),
        ("quoted-printable", "no-such-charset", "x"),
    ],
)
def test_a_code_that_is_none_is_refused_by_place(encoding, charset, body):
    raw = (
        "From: a@example.com\nTo: b@example.com\n"
        f"Content-Type: text/plain; charset={charset}\n"
        f"Content-Transfer-Encoding: {encoding}\n\n{body}\n"
    )
    with pytest.raises(InputError, match=r"the text is not mail: line 6, column 1$") as caught:
        read(raw, "mail")
    assert caught.value.__context__ is None


def test_what_looks_like_a_boundary_inside_a_code_is_text():
    inner = "--XX\nContent-Type: image/png\n\nTadeusz Wojcik\n--XX--\n"
    code = base64.b64encode(inner.encode()).decode()
    raw = (
        "From: a@example.com\nTo: b@example.com\nContent-Type: multipart/mixed; boundary=XX\n\n"
        f"--XX\nContent-Transfer-Encoding: base64\nContent-Type: text/plain\n\n{code}\n--XX--\n"
    )
    assert any("Tadeusz Wojcik" in field for field in fields(read(raw, "mail")))


def test_both_parts_of_a_letter_get_the_same_names_and_it_comes_back_byte_for_byte():
    line = Privatizer()
    for raw in (letter(NOTE, PAGE), letter(NOTE, PAGE, "quoted-printable")):
        for text in (raw, message_from_bytes(raw.encode(), policy=SMTP).as_string()):
            result = line.privatize(text)
            assert result.restore(result.text, trusted=True) == text
            (_, _, plain), (_, _, page) = bodies(result.text)
            name = page.get_content().split("<b>")[1].split("</b>")[0]
            assert f"Dear {name}," in plain.get_content() and "Wojcik" not in name
            assert "your café visit on" in plain.get_content()
            assert all(change.kind for change in result.changes)


def test_dropped_attachments_come_back_from_the_map():
    raw = letter(NOTE, attachment=b"%PDF-1.7 Tadeusz Wojcik")
    result = Privatizer(Policy.of({"attachments": "drop"})).privatize(raw)
    assert result.restore(result.text, trusted=True) == raw
    assert base64.b64encode(b"%PDF-1.7 Tad").decode()[:8] not in result.text


def test_a_letter_of_many_parts_takes_time_in_proportion():
    code = base64.b64encode(b"Tadeusz lives here.").decode()
    part = f"--XX\nContent-Transfer-Encoding: base64\nContent-Type: text/plain\n\n{code}\n"
    head = "From: a@example.com\nTo: b@example.com\nContent-Type: multipart/mixed; boundary=XX\n\n"
    template = read(f"{head}{part * 3000}--XX--\n", "mail")
    assert len(template.blocks) == 3000
    new, edits = template.write(["x" for _ in fields(template)], {})
    assert undone(new, edits) == f"{head}{part * 3000}--XX--\n"


def test_spaces_behind_a_page_stay_outside_of_its_code():
    code = base64.b64encode(b"<p>Tadeusz</p> and more \n\n").decode()
    raw = (
        "From: a@example.com\nTo: b@example.com\nContent-Type: text/html\n"
        f"Content-Transfer-Encoding: base64\n\n{code}\n\n \n"
    )
    new, _ = exchanged(raw, "mail", words=("Ann",))
    assert "Ann" in bodies(new)[0][2].get_content()
