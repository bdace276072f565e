"""A word space from somebody's own vectors: `vectors:PATH`."""

from __future__ import annotations

from array import array
from pathlib import Path
from typing import Final

import numpy as np

from privstamp.assets.cache import derived
from privstamp.assets.hashing import digest
from privstamp.errors import AssetError
from privstamp.spaces.classes import list_hashes, read_lists
from privstamp.spaces.glove import check_outputs
from privstamp.spaces.words import LAYOUT, WordSpace, components, reads_well, write
from privstamp.types import Table

_HELP: Final = (
    "Expected text with one word and its numbers per line (GloVe, word2vec or fastText .vec), "
    "or a .npy table with its words, one per line, in a .txt of the same name"
)


def files_of(argument: str) -> tuple[Path, ...]:
    """The file or files that an argument means; refused with the reason where one is missing."""
    path = Path(argument).expanduser()
    paths = (path, path.with_suffix(".txt")) if path.suffix == ".npy" else (path,)
    for each in paths:
        if not argument or not each.is_file():
            what = "is a folder" if argument and each.is_dir() else "does not exist"
            raise AssetError(f'vectors: "{each}" {what}. {_HELP}')
    return paths


def read_vectors(paths: tuple[Path, ...]) -> tuple[list[str], Table]:
    """Words in the order of the file, and their raw rows."""
    try:
        words, table = _read_npy(*paths) if len(paths) == 2 else _read_text(paths[0])
    except OSError as error:
        trouble = error.strerror or type(error).__name__
    else:
        bad = np.flatnonzero(~np.isfinite(table).all(axis=1))
        if len(bad):
            raise AssetError(f'vectors: row {bad[0] + 1} of "{paths[0]}" holds a number not finite')
        return words, table
    raise AssetError(f'vectors: "{paths[0]}" cannot be read ({trouble})')


def _read_npy(table_path: Path, words_path: Path) -> tuple[list[str], Table]:
    try:
        table = np.load(table_path, allow_pickle=False)
    except (ValueError, EOFError):
        table = None
    if not isinstance(table, np.ndarray) or table.ndim != 2 or table.dtype.kind not in "fiu":
        raise AssetError(f'vectors: "{table_path}" is not a plain table of numbers. {_HELP}')
    text = words_path.read_bytes().decode("utf-8", errors="replace")
    words = [line.rstrip("\r") for line in text.removesuffix("\n").split("\n")]
    if len(words) != len(table):
        raise AssetError(
            f'vectors: "{words_path}" has {len(words)} words and the table {len(table)} rows'
        )
    return words, table.astype(np.float32)


def _read_text(path: Path) -> tuple[list[str], Table]:
    words: list[str] = []
    numbers = array("f")
    promised, width = None, 0
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            fields = line.replace(b"\t", b" ").rstrip(b" \r\n").split(b" ")
            if number == 1:
                if len(fields) == 2 and fields[0].isdigit() and fields[1].isdigit():
                    promised, width = int(fields[0]), int(fields[1])
                    continue
                width = len(fields) - 1
            values = _numbers(fields[-width:]) if 1 < width < len(fields) else None
            word = b" ".join(fields[:-width]).decode("utf-8", errors="replace")
            if not values or not word:
                raise AssetError(
                    f'vectors: line {number} of "{path}" is not a word and {width} numbers. {_HELP}'
                )
            words.append(word)
            numbers.extend(values)
    if promised not in (None, len(words)):
        raise AssetError(
            f'vectors: "{path}" announces {promised} words and holds {len(words)}; is it complete?'
        )
    if not words:
        raise AssetError(f'vectors: "{path}" is empty. {_HELP}')
    return words, np.array(numbers, dtype=np.float32).reshape(len(words), width)


def _numbers(fields: list[bytes]) -> list[float] | None:
    try:
        return [float(field) for field in fields]
    except (ValueError, OverflowError):
        return None


class Vectors(WordSpace):
    """Your own word vectors (GloVe, word2vec or fastText text, or .npy), most frequent first."""

    def __init__(
        self, argument: str, *, outputs: int = 50_000, preprocessing: str = "abtt2"
    ) -> None:
        components(preprocessing)
        check_outputs(outputs)
        paths = files_of(argument)
        recipe = list_hashes() | {
            f"file {number}": digest(path) for number, path in enumerate(paths)
        }
        recipe |= {"outputs": str(outputs), "preprocessing": preprocessing, "layout": LAYOUT}

        def build(folder: Path) -> None:
            words, raw = uncased(*read_vectors(paths))
            write(
                folder,
                words,
                raw,
                preprocessing=preprocessing,
                outputs=outputs,
                lists=read_lists(),
                readable=may_leave,
            )

        folder = derived("vectors", recipe, build, label=f"preparing {paths[0].name} (once)")
        source = f"{paths[0].name}, SHA-256 {recipe['file 0'][:16]}, {preprocessing}"
        super().__init__("vectors", source, folder, preprocessing)


def uncased(words: list[str], raw: Table) -> tuple[list[str], Table]:
    """Lower-case words, each once: the most frequent spelling speaks for all."""
    first: dict[str, int] = {}
    for row, word in enumerate(words):
        first.setdefault(word.lower(), row)
    return list(first), raw if len(first) == len(raw) else raw[list(first.values())]


def may_leave(word: str) -> bool:
    """Plain words of any script; of Latin ones those that read well."""
    return reads_well(word) if word.isascii() else word.isalpha()
