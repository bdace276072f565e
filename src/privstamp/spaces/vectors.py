"""A word space from somebody's own vectors: `vectors:PATH`."""

from __future__ import annotations

from pathlib import Path

from privstamp.assets.cache import derived
from privstamp.assets.hashing import digest
from privstamp.spaces.glove import check_outputs
from privstamp.spaces.preprocessing import components
from privstamp.spaces.public_lists import list_hashes, read_lists
from privstamp.spaces.vector_files import files_of, read_vectors
from privstamp.spaces.words import LAYOUT, WordSpace, reads_well, write
from privstamp.types import Table


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
