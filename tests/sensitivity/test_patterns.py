"""Every rule fires on what it is for, keeps off what resembles it, and takes linear time."""

import time

import pytest

from privstamp.sensitivity.languages import WORDS
from privstamp.sensitivity.rules import Rules, all_rules

LONG = 60_000
SECONDS = 1.0  # most take a hundredth of it, a quadratic pattern minutes


def hits(kind: str, text: str, language: str = "en") -> list[str]:
    found = Rules(entities=[kind], language=language).scan(text)
    return [text[one.start : one.end] for one in found]


@pytest.mark.parametrize(
    ("kind", "text", "found"),
    [
        ("EMAIL_ADDRESS", "To <ann.o'dell+x@a.example.co.uk>.", "ann.o'dell+x@a.example.co.uk"),
        ("EMAIL_ADDRESS", "'joe@example.com', please", "joe@example.com"),
        ("EMAIL_ADDRESS", "root@localhost", "root@localhost"),
        ("EMAIL_ADDRESS", "jürgen@exämple.de", "jürgen@exämple.de"),
        ("URL", "(see https://example.org/a?b=c#d).", "https://example.org/a?b=c#d"),
        ("URL", "at www.example.com, or", "www.example.com"),
        ("URL", "visit example.co.uk/about now", "example.co.uk/about"),
        ("IP_ADDRESS", "from 192.168.10.4:8080 today", "192.168.10.4:8080"),
        ("IP_ADDRESS", "host 2001:db8::8a2e:370:7334.", "2001:db8::8a2e:370:7334"),
        ("MAC_ADDRESS", "mac 00:1B:44:11:3A:B7", "00:1B:44:11:3A:B7"),
        ("MAC_ADDRESS", "mac 001b.4411.3ab7 ok", "001b.4411.3ab7"),
        ("UUID", "id 123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"),
        ("CREDIT_CARD", "card 4111-1111-1111-1111 ok", "4111-1111-1111-1111"),
        ("IBAN_CODE", "to GB82 WEST 1234 5698 7654 32 from", "GB82 WEST 1234 5698 7654 32"),
        ("IBAN_CODE", "DE89370400440532013000 2 days", "DE89370400440532013000"),
        ("US_SSN", "ssn 219-09-9999.", "219-09-9999"),
        ("PHONE_NUMBER", "ring +44 20 7946 0958 now", "+44 20 7946 0958"),
        ("PHONE_NUMBER", "(212) 555-0147 x12", "(212) 555-0147 x12"),
        ("PHONE_NUMBER", "call 5550147 or", "5550147"),
        ("CRYPTO", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"),
        ("CRYPTO", "0x" + "ab12" * 10, "0x" + "ab12" * 10),
        ("CREDENTIAL", "key ghp_" + "a1B2" * 9, "ghp_" + "a1B2" * 9),
        ("CREDENTIAL", 'password = "hunter two"', "hunter two"),
        ("CREDENTIAL", "My password is tr0ub4dor.", "tr0ub4dor"),
        ("CREDENTIAL", "x Zx81kQp02LmN77vBy3 y9Zx81kQp02LmN77vBy3", "y9Zx81kQp02LmN77vBy3"),
        ("HANDLE", "thanks @ann_b!", "@ann_b"),
        ("NUMERIC_ID", "ref 90210", "90210"),
        ("UK_VEHICLE_REGISTRATION", "a van, KR19 VXO, left", "KR19 VXO"),
        ("NUMERIC_ID", "1234 5678 9012", "1234 5678 9012"),
        ("NUMERIC_ID", "case INV-2024-0091 closed", "INV-2024-0091"),
        ("NUMERIC_ID", "passport AB123456C", "AB123456C"),
        ("POSTCODE", "at SW1A 1AA.", "SW1A 1AA"),
        ("NUMERIC_ID", "\u0661\u0662\u0663\u0664\u0665", "\u0661\u0662\u0663\u0664\u0665"),
        ("PERSON", "ms. Wong's file", "Wong"),
        ("PERSON", "Dr. Ana de la Cruz said", "Ana de la Cruz"),
        ("PERSON", "Herr Müller-Lüdenscheidt.", "Müller-Lüdenscheidt"),
        ("LOCATION", "at 221B Baker Street, today", "221B Baker Street"),
        ("DATE_TIME", "born 12/03/1984 in", "12/03/1984"),
        ("DATE_TIME", "on March 3rd, 2024", "March 3rd, 2024"),
        ("DATE_TIME", "at 10:30 pm", "10:30 pm"),
    ],
)  # fmt: skip
def test_finds(kind, text, found):
    assert found in hits(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("EMAIL_ADDRESS", "3 @ 4 and @ann"),
        ("URL", "It is over.In the end, e.g. the U.S.A and 3.14"),
        ("URL", "see notes.txt"),
        ("IP_ADDRESS", "at 12:30:45, version 1.2.3, std::vector, 999.1.1.1"),
        ("CREDIT_CARD", "4111 1111 1111 1112"),
        ("IBAN_CODE", "GB82 WEST 1234 5698 7654 33"),
        ("US_SSN", "000-12-3456 and 666-12-3456"),
        ("PHONE_NUMBER", "from 1999-2003, on 12.05.2023, 1 2 3 4 5 6 7 8"),
        ("CREDENTIAL", "The password is wrong"),
        ("CREDENTIAL", "Some-Very-Long-Title-Of-A-Book-2020-Edition"),
        ("HANDLE", "a@b and @ 5"),
        ("NUMERIC_ID", "1000mg, 1990s, Windows-2000, COVID-19, 12-Jan-2024, 2024-01-15, 1,200"),
        ("PERSON", "the doctor is in; Miss the bus"),
        ("LOCATION", "5 people in the street"),
    ],
)
def test_leaves_alone(kind, text):
    assert hits(kind, text) == []


PIECES = [
    "a", "@", ".", "1", "-", ":", "/", "_", "+", "(", "=", "\0", " ", "\n", "\u4e2d", "\U0001f600",
    "a.", "a@", "a-", "1.", "1-", "1:", "1 ", "A1", "/a", "a#b", "12-", "12 ", "12345 ", "e\u0301",
    "www.", "http://", "020 7946 0958 ", "Mr A B ", "1 A A A A ", "password: ", "GB82 WEST 1234 ",
    "GB82" + "A" * 60 + " ", "-----BEGIN RSA PRIVATE KEY-----\n",
]  # fmt: skip


EVERY = {
    rule.pattern.pattern: rule for words in WORDS.values() for rule in all_rules(words)
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("rule", EVERY.values(), ids=lambda rule: f"{rule.kind}-{rule.name}")
def test_time_is_linear(rule):
    for piece in PIECES:
        text = piece * (LONG // len(piece))
        began = time.process_time()
        for match in rule.pattern.finditer(text):
            rule.confirm(match, rule.score)
        assert time.process_time() - began < SECONDS, piece
