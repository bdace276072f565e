"""Structured texts: what is syntax, what is a name, and what is text to be read."""

from typing import Final

FORMATS: Final = (
    "auto", "plain", "json", "jsonl", "csv", "tsv", "xml", "html", "markdown", "mail", "chat",
    "log", "trace", "escaped", "yaml", "toml", "ini", "env", "vcard", "icalendar", "python",
    "bash", "c", "cpp", "csharp", "css", "go", "java", "javascript", "kotlin", "php", "ruby",
    "rust", "scala", "sql", "swift", "typescript",
)  # fmt: skip
"""What a format may be called; auto: seen at one look, plain: none."""
