"""The site builds without a warning, leads everywhere it says, and needs nothing but its folder."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PROSE = 35_000
"""Words that a reader of the whole site meets, proofs included; tables and code not counted."""
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src")}


class Page(HTMLParser):
    """What a page leads to, what it loads, and the places in it that can be led to."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.places: set[str] = {""}
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.places.add(value)
            elif (tag, name) in LOADED:
                self.loaded.append(value)
            elif (tag, name) == ("a", "href"):
                self.links.append(value)


def broken(pages: dict[Path, Page]) -> list[str]:
    """Links and loaded files that are not there, or not inside the site."""
    faults = []
    for path, page in pages.items():
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loaded:
                    faults.append(f"{path.name} loads {link}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = target not in pages or unquote(parts.fragment) in pages[target].places
            if not target.is_file() or not known:
                faults.append(f"{path.name} -> {link}")
    return faults


def prose(text: str) -> int:
    """Words outside of code blocks, comments and tables."""
    text = re.sub(r"^(```|~~~).*?^\1\s*$", "", text, flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("|")]
    return sum(bool(re.search(r"\w", word)) for word in " ".join(lines).split())


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site").resolve()
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1", "http_proxy": "http://127.0.0.1:9"}
    done = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {path: Page(path.read_text("utf-8")) for path in sorted(folder.rglob("*.html"))}


@pytest.mark.slow
def test_the_site_leads_everywhere_it_says_and_loads_only_itself(site):
    pages = {path: page for path, page in site.items() if path.name != "404.html"}
    assert len(pages) > 30
    assert broken(pages) == []


@pytest.mark.slow
def test_every_page_and_every_proof_can_be_reached_from_the_first(site):
    first = next(path for path in site if path.name == "index.html")
    seen, left = set(), [first]
    while left:
        path = left.pop()
        if path in site and path not in seen:
            seen.add(path)
            left += [(path.parent / urlsplit(link).path).resolve() for link in site[path].links]
    assert {path for path in site if path.name != "404.html"} == seen
    proofs = {path.stem.lstrip("_") for path in (ROOT / "src").rglob("*.md")}
    shown = {path.stem for path in seen if path.parent.name == "proofs"}
    assert proofs and proofs == shown - {"index"}


@pytest.mark.slow
def test_the_api_page_has_every_public_name(site):
    import privstamp

    page = next(page for path, page in site.items() if path.name == "api.html")
    shown = {place.rpartition(".")[2] for place in page.places}
    assert set(privstamp.__all__) - {"__version__"} <= shown


def test_a_broken_link_would_be_noticed(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("<h2 id='here'></h2>")
    good = '<h2 id="here"></h2><a href="#here"></a><a href="page.html#here"></a>'
    bad = '<a href="#there"></a><a href="gone.html"></a><script src="https://example.com/x.js">'
    assert broken({path: Page(good)}) == []
    assert len(broken({path: Page(bad)})) == 3


def test_the_whole_site_is_read_in_an_afternoon():
    words = {path: prose(path.read_text("utf-8")) for path in DOCS.rglob("*.md")}
    words |= {path: prose(path.read_text("utf-8")) for path in (ROOT / "src").rglob("*.md")}
    assert sum(words.values()) <= PROSE


@pytest.mark.parametrize("page", ["index.md", "start/quickstart.md"])
def test_the_first_two_pages_need_no_word_of_the_trade(page):
    text = re.sub(r"```.*?```|`[^`]*`", "", (DOCS / page).read_text("utf-8"), flags=re.S)
    trade = r"\b(hops?|nats?|floor|prior|units?|epsilon|metric|plateau|budget|mechanism)\b|ε"
    assert re.findall(trade, text, re.IGNORECASE) == []


def test_words_are_counted_outside_of_tables_and_code():
    assert prose("One two.\n\n| a | b |\n\n```sh\nls\n```\n<!-- no -->\nThree – four.") == 4


def test_the_repository_keeps_summaries_of_measurements_not_records():
    sizes = {path.name: path.stat().st_size for path in (ROOT / "benchmarks/results").iterdir()}
    assert {name: size for name, size in sizes.items() if size > 100_000} == {}


def test_the_results_page_has_the_aims_of_the_summary():
    aims = json.loads((ROOT / "benchmarks/results/evals.json").read_text("utf-8"))["goals"]
    page = (DOCS / "lab/results.md").read_text("utf-8").splitlines()
    rows = [aims["head"], *aims["rows"]]
    assert [row for row in rows if f"| {' | '.join(row)} |" not in page] == []


def test_the_privacy_page_has_the_steadiness_that_certificates_carry():
    page = (DOCS / "concepts/privacy.md").read_text("utf-8")
    shown = re.findall(r"\| (\d+) \| (\.\d{3}) \| (\.\d{3}) \|", page)
    [path] = (ROOT / "src").rglob("label_loss.json")
    for row in json.loads(path.read_text("utf-8")):
        figures = [f"{row[name]:.3f}".removeprefix("0") for name in ("own", "others")]
        assert (str(row["swaps"]), *figures) in shown


def test_pictures_are_those_that_their_program_draws():
    spec = importlib.util.spec_from_file_location("docs_pictures", DOCS / "pictures.py")
    pictures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pictures)
    for picture in pictures.PICTURES:
        path = DOCS / "images" / f"{picture.__name__}.svg"
        assert path.read_text("utf-8") == picture().svg(), path.name
