"""The README as a package index shows it: an index has no files beside it.

Links into the repository become links below the `repository` that pyproject names for this hook;
while there is none, they become plain words, and the picture goes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)]+)\)")


def for_an_index(readme: str, repository: str | None) -> str:
    def absolute(link: re.Match[str]) -> str:
        picture, words, target = link.groups()
        if repository is None:
            return "" if picture else words
        kind = "raw" if picture else "blob"
        return f"{picture}[{words}]({repository.rstrip('/')}/{kind}/main/{target})"

    return LINK.sub(absolute, readme)


class CustomMetadataHook(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        repository = self.config.get("repository")
        text = for_an_index(readme, repository)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
