"""Structured texts: what is syntax, what is a name, and what is text to be read."""

from typing import Final

FORMATS: Final = ("auto", "plain", "json", "jsonl")
"""What a format may be called; auto: seen at one look, plain: none."""
