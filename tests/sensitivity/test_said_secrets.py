"""A secret is one span, to its closing quote or the next blank."""

import pytest

from privstamp.sensitivity.rules import Rules
from privstamp.sensitivity.spans import merge

RULES = Rules(language="en", entities=["CREDENTIAL"])

WHOLE = [
    ("The vault password is '8nZ!kV4%beta' for now.", "8nZ!kV4%beta"),
    ('password: "it\'s-Me;2024" and more', "it's-Me;2024"),
    ("pwd=h;unter,2!x then", "h;unter,2!x"),
    ("Server=db1;User=sa;Password=Gr3y!Goose;Port=1", "Gr3y!Goose"),
    ("her password for the VPN is Tulip#9x.", "Tulip#9x"),
    ('{"password": "x\\"y\'z1", "user": "bob"}', "x\\\"y'z1"),
    ("Use `Zx9!pq&R` to log in.", "Zx9!pq&R"),
    ("The wifi key 'blue horse 7' works.", "blue horse 7"),
    ("client_secret='k$9_2-\"q\"-1' # prod", 'k$9_2-"q"-1'),
    ("export API_KEY=sk_live_51HxQ2eKf83hTzv0", "sk_live_51HxQ2eKf83hTzv0"),
    ("passwd := Sunny/Day.44, then", "Sunny/Day.44"),
    ("secret = 'a b c d e'", "a b c d e"),
    ("The door is open, the password: m(0)0n!", "m(0)0n!"),
    ("token=AbCdEf0123456789GhIj and", "AbCdEf0123456789GhIj"),
    ("Enter the temporary password 8nZ!kV4%beta now", "8nZ!kV4%beta"),
    ("Your temporary code is pT9$wq-Lz0. We", "pT9$wq-Lz0"),
    ("here: sk_test_9aQ!x7-Lm$2w, do not", "sk_test_9aQ!x7-Lm$2w"),
    ("dbPassword: 'corn flower 9'", "corn flower 9"),
    ("DB_PASSWORD=Lark-44; run", "Lark-44"),
    ("the gate code is 7*4410#.", "7*4410#"),
    ("the first line\n8nZ!kV4%beta\nthe last", "8nZ!kV4%beta"),
    ("password -> w#1/2\\3", "w#1/2\\3"),
    (
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIE\n"
        "-----END RSA PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIE\n"
        "-----END RSA PRIVATE KEY-----",
    ),
]


@pytest.mark.parametrize(("text", "secret"), WHOLE, ids=[secret[:20] for _, secret in WHOLE])
def test_a_secret_is_whole(text, secret):
    assert [text[f.start : f.end] for f in merge(RULES.scan(text))] == [secret]


@pytest.mark.parametrize(
    "text",
    [
        'PASSWORD = os.environ["DB"]',
        "password = getpass()",
        "def f(password: str, token: Optional[str]) -> None",
        "Password is required. The password was changed.",
        "It shows token expired after the step.",
        "password=${DB_PASSWORD}",
        "x = {'fmt': '%Y-%m-%d', 'n': 'A1 b'}",
        "password: null, secret: None",
        "The password 2024-01-15 policy, token 12345678 and secret agent007 too",
    ],
)
def test_no_secret(text):
    assert list(RULES.scan(text)) == []


@pytest.mark.parametrize(
    "unit", ["password is ", "password for a b ", "'aA1!", "-----BEGIN AB-----", 'pwd="']
)
def test_long_runs_end(unit):
    list(RULES.scan(unit * (1_000_000 // len(unit))))
