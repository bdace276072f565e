"""The page stands alone, escapes what it shows, and does without pictures."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from privstamp.errors import MissingExtra
from privstamp.lab import report as shown
from privstamp.lab.evals.figures import page
from privstamp.lab.evals.grids import EXPERIMENTS


class Tags(HTMLParser):
    """What a page fetches or runs, and whether every table row is as long as its head."""

    def __init__(self):
        super().__init__()
        self.names, self.fetched = set(), []

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        for name, value in attrs:
            if name in ("src", "href") or (name == "xlink:href" and not value.startswith("#")):
                self.fetched.append(value)


@pytest.mark.slow
def test_the_page_stands_alone_and_draws_every_experiment(report):
    text = page(report)
    tags = Tags()
    tags.feed(text)
    assert not {"script", "link", "img", "iframe"} & tags.names and not tags.fetched
    assert "@import" not in text and "url(" not in text.replace("url(#", "")
    assert text.count("<svg") == len(EXPERIMENTS)
    assert "prefers-color-scheme:dark" in text
    assert not re.search(r"\d{4}-\d\d-\d\dT", text)  # no dates: the same results, the same page


def test_the_page_escapes_what_it_shows(report):
    rows = [replace(report.rows[0], condition="<script>x</script>", experiment="<b>")]
    text = page(replace(report, rows=rows))
    assert "<script>" not in text and "&lt;script&gt;" in text


def test_without_the_extra_the_page_has_tables_and_says_so(report, monkeypatch):
    def refuse():
        raise MissingExtra("plots", "drawing")

    monkeypatch.setattr(shown, "pyplot", refuse)
    text = page(report)
    assert "<svg" not in text and "<table" in text and "privstamp[plots]" in text
