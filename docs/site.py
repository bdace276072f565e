"""What mkdocs asks while it builds the site: which pages there are, in which order, and proofs.

A page belongs to the section whose folder it lies in. Pages named in SECTIONS come first, in that
order; others follow by name, so that a new page needs no line here. Proofs stay beside the code
they prove and are copied into Reference.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent
SECTIONS = {
    "start": ("Start", ["quickstart"]),
    "concepts": (
        "Concepts",
        ["privacy", "presets", "groups", "surrogates", "spaces", "mechanisms"],
    ),
    "guides": ("Guides", ["restore", "sensitivity", "importance", "budgets"]),
    "reference": ("Reference", ["cli", "policy", "api", "parts", "certificate", "glossary"]),
    "lab": ("Lab", ["audit", "calibration", "frontier", "evals"]),
}
"""Folder: the title of its section, and its first pages in order."""


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


def ordered(pages: list[str], folder: str) -> list[str]:
    first = [f"{folder}/{name}.md" for name in SECTIONS[folder][1]]
    return [page for page in first if page in pages] + sorted(set(pages) - set(first))


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    docs = Path(config.docs_dir)
    pages = [path.relative_to(docs).as_posix() for path in sorted(docs.rglob("*.md"))]
    nav: list[Any] = []
    for folder, (title, _) in SECTIONS.items():
        inside = [page for page in pages if page.startswith(f"{folder}/")]
        entries: list[Any] = ordered(inside, folder)
        if folder == "start":
            entries.insert(0, "index.md")
        if folder == "guides":  # a page that lies in no section's folder
            entries += [page for page in pages if "/" not in page and page != "index.md"]
        if folder == "reference":
            entries.append({"Proofs": list(proofs())})
        nav.append({title: entries})
    config.nav = nav
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for page, path in proofs().items():
        files.append(File.generated(config, page, content=proof_page(path)))
    return files
