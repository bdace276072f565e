from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from privstamp.errors import UsageError
from privstamp.models import endpoint as module
from privstamp.models.endpoint import checked, pause

KEY = "sk-quixworth-123"


def test_pauses_grow_with_jitter_and_honour_the_server(monkeypatch):
    monkeypatch.setattr(module, "_FIRST_PAUSE", 1.0)
    drawn = [pause(2, "") for _ in range(50)]
    assert 2.0 <= min(drawn) < max(drawn) <= 4.0 and len(set(drawn)) > 5
    assert pause(0, "7") == 7.0 and pause(0, "9" * 400) == 30.0 and pause(50, "") <= 30.0
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=10), usegmt=True)
    assert 5.0 < pause(0, soon) <= 10.0
    assert pause(0, "soon") <= 1.0 and pause(0, "-5") <= 1.0


@pytest.mark.parametrize("url", ["http://example.com/v1", "http://10.0.0.1/v1", "ftp://localhost",
    "localhost:80/v1", "https://", "", "http://localhost:99999/", "http://[::1/v1",
    "http://localhost.example.com/v1"])  # fmt: skip
def test_urls_that_would_send_in_the_clear_or_nowhere_are_refused(url):
    with pytest.raises(UsageError, match=r"https://") as caught:
        checked(url)
    assert caught.value.__context__ is None


def test_urls_that_are_fine():
    for url in (
        "https://example.com/v1",
        "http://[::1]:80/v1",
        "http://127.8.0.1",
        "http://localhost",
    ):
        assert checked(url)[0].endswith("/chat/completions")
    assert checked("https://example.com/a?version=2#f")[0].endswith("completions?version=2")


def test_a_url_with_a_password_is_refused_without_showing_it():
    with pytest.raises(UsageError, match="PRIVSTAMP_API_KEY") as caught:
        checked(f"https://me:{KEY}@example.com/v1")
    assert KEY not in str(caught.value)
