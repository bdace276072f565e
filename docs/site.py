"""What mkdocs asks while it builds the site: which pages there are, in which order, and proofs.

A page belongs to the section whose folder it lies in. Pages named in SECTIONS come first, in that
order; others follow by name, so that a new page needs no line here. Proofs stay beside the code
they prove and are copied into Reference; results by task are written from the summary of
`privstamp evals` that the repository keeps.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
EVALS = ROOT / "benchmarks" / "results" / "evals.json"
TASKS = {"ag_news": "AG News", "yelp": "Yelp", "fantasy": "fantasy", "squad": "SQuAD"}
EXPERIMENTS = {
    "restore": "Replacing and mapping back",
    "table1": "The paper's table",
    "stamp-vs-uniform": "STAMP's variants against one budget for all",
    "mechanisms": "All mechanisms at equal recovery",
    "tau": "The threshold of importance",
    "baselines": "Baselines in one run",
    "repair": "Repair",
    "overhead": "Overhead",
}
"""Experiments in the order of a page, with their headings."""
PROOFS = """\
# Proofs

Every mechanism has a proof beside its code: preconditions (C: checked, P: promised by the
pipeline), the statement, the proof, what floating point does to it, side channels, and the tests
that check it. It names the code it covers by hash; a test recomputes the hash, so that whoever
edits the code rereads the proof.

"""
COLUMNS = """\
Scores are means over examples, with 95 % intervals in brackets. *n*: examples times seeds.
*Points*: less the score of the same examples untouched. *Kept*: sensitive units that came out as
themselves. *Recovered*: those that an attacker names who sees one release and knows how frequent
words are; *floor*: what he gets without a release. *Others kept*: content words that are not
sensitive. *Missed*: annotated units that the detector left out. ε: mean of the units that have a
finite one, with its metric.
"""
SECTIONS = {
    "start": ("Start", ["quickstart"]),
    "concepts": (
        "Concepts",
        ["line", "privacy", "presets", "groups", "surrogates", "spaces", "mechanisms"],
    ),
    "guides": ("Guides", ["restore", "sensitivity", "importance", "budgets"]),
    "clients": ("Clients", ["openai", "anthropic", "langchain", "curl", "editors"]),
    "reference": ("Reference", ["cli", "policy", "api", "parts", "certificate", "glossary"]),
    "lab": ("Lab", ["audit", "calibration", "frontier", "evals", "results"]),
}
"""Folder: the title of its section, and its first pages in order."""


EXPLAINED = {
    "hop": "hop", "hops": "hop", "nat": "nat", "nats": "nat", "floor": "floor", "prior": "prior",
    "n50": "n50", "vMF": "vMF", "plateau": "plateau",
}  # fmt: skip
"""Words that are explained wherever they stand, with their entry in the glossary."""


def proofs() -> dict[str, Path]:
    """Where each proof is in the site: beside each other, without the underscore of a module."""
    found = sorted((ROOT / "src" / "privstamp").rglob("*.md"))
    return {f"reference/proofs/{path.stem.lstrip('_')}.md": path for path in found}


def proof_page(path: Path) -> str:
    """A proof with its hashes as a block and mentions of other proofs as links."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^((?!    |- |\d).+)\n(    \S)", r"\1\n\n\2", text)
    names = {source.name: Path(page).name for page, source in proofs().items()}
    linked = re.compile(r"(?<![\w/`(\[])(" + "|".join(map(re.escape, names)) + r")(?![\w`\])])")
    return linked.sub(lambda name: f"[{name[1]}]({names[name[1]]})", text)


def proofs_page() -> str:
    """Where all proofs can be found, and how one is read."""
    names = {page: path.read_text(encoding="utf-8") for page, path in proofs().items()}
    rows = [
        f"| [{text.splitlines()[0].removeprefix('# ')}]({Path(page).name}) | {covered(text)} |"
        for page, text in names.items()
    ]
    return PROOFS + "\n".join(["| proof | covers |", "|---|---|", *rows]) + "\n"


def covered(text: str) -> str:
    """The first sentence of a proof, which says of what it is one."""
    found = re.search(r"^Covers (.+?)(?=\. |\.\n|, source hash)", text, re.M | re.S)
    return " ".join(found[1].split()) if found else ""


def short_title(page: str) -> str:
    """A heading up to its first colon or comma, so that the list of pages can be read."""
    heading = (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()[0]
    return re.split(r"[:,]", heading.removeprefix("# "))[0]


def results() -> dict[str, str]:
    """Tables of what privacy costs a task, one page for each."""
    content = json.loads(EVALS.read_text(encoding="utf-8"))
    return {f"lab/results/{task}.md": results_page(task, content) for task in TASKS}


def results_page(task: str, content: dict[str, Any]) -> str:
    lines = [f"# Results on {TASKS[task]}\n", "```console"]
    lines += [f"$ {command}" for command in content["commands"]]
    lines += ["```\n", COLUMNS]
    lines += [f"Note: {remark}.\n" for remark in content["remarks"]]
    for experiment, heading in EXPERIMENTS.items():
        named = re.compile(rf"{experiment}(, .+?)? {task}, (.+)")
        found = [(named.fullmatch(key), table) for key, table in content["tables"].items()]
        own = [(match, table) for match, table in found if match]
        if own:
            lines.append(f"## {heading}\n")
        for match, table in own:
            prints = ", ".join(f"{part} `{value}`" for part, value in table["fingerprints"].items())
            compared = (match[1] or "").removeprefix(", ")
            title = f"`{experiment}`" + (f", {compared}" if compared else "")
            lines.append(f"{title}, read by `{match[2]}`. Fingerprints: {prints}.\n")
            rows = [table["head"], ["---"] * len(table["head"]), *table["rows"]]
            lines.append("\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n")
    return "\n".join(lines)


def ordered(pages: list[str], folder: str) -> list[str]:
    first = [f"{folder}/{name}.md" for name in SECTIONS[folder][1]]
    return [page for page in first if page in pages] + sorted(set(pages) - set(first))


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    docs = Path(config.docs_dir)
    pages = [path.relative_to(docs).as_posix() for path in sorted(docs.rglob("*.md"))]
    nav: list[Any] = []
    for folder, (title, _) in SECTIONS.items():
        inside = [page for page in pages if page.startswith(f"{folder}/")]
        entries: list[Any] = [{short_title(page): page} for page in ordered(inside, folder)]
        if folder == "start":
            entries.insert(0, "index.md")
        if folder == "guides":  # a page that lies in no section's folder
            loose = [page for page in pages if "/" not in page and page != "index.md"]
            entries += [{short_title(page): page} for page in loose]
        if folder == "reference":
            entries.append({"Proofs": ["reference/proofs/index.md", *proofs()]})
        if folder == "lab":
            entries.append({"Results by task": list(results())})
        nav.append({title: entries})
    config.nav = nav
    return config


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Words of the trade get their meaning from the glossary, shown where one points at them."""
    if page.file.src_uri == "reference/glossary.md":
        return markdown
    glossary = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| \*\*(.+?)\*\*.*? \| (.+) \|$", glossary, re.M))
    known = {word: re.sub(r"[`*]", "", rows[entry]) for word, entry in EXPLAINED.items()}
    return markdown + "\n\n" + "\n".join(f"*[{word}]: {what}" for word, what in known.items())


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for page, path in proofs().items():
        files.append(File.generated(config, page, content=proof_page(path)))
    files.append(File.generated(config, "reference/proofs/index.md", content=proofs_page()))
    for page, text in results().items():
        files.append(File.generated(config, page, content=text))
    return files
