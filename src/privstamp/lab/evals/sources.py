"""Where public data comes from: a folder of the user's, or the hub at a fixed revision."""

from __future__ import annotations

import csv
import gzip
import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from privstamp.errors import AssetError, InputError

VARIABLE: Final = "PRIVSTAMP_DATA"
"""Names a folder with the files; what is not in it comes from the hub."""


@dataclass(frozen=True)
class Source:
    """A file by the beginning and the end of its name in the folder, and its place at the hub."""

    prefixes: tuple[str, ...]
    suffix: str
    hub: str
    file: str
    revision: str

    def local(self) -> Path | None:
        """The one file of that name in the folder, packed or not."""
        folder = os.environ.get(VARIABLE)
        if not folder:
            return None
        if not Path(folder).expanduser().is_dir():
            raise AssetError(f"{VARIABLE} names no folder: set it to the one with the files")
        found = sorted(
            path
            for prefix in self.prefixes
            for end in (self.suffix, f"{self.suffix}.gz")
            for path in Path(folder).expanduser().glob(f"{prefix}*{end}")
        )
        if len(found) > 1:
            names = ", ".join(path.name for path in found)
            raise AssetError(f"{VARIABLE} holds {names}: keep the one that is meant")
        return found[0] if found else None

    def find(self, revision: str | None = None) -> Path:
        """The file here, or fetched; a revision that is asked for can only come from the hub."""
        here = None if revision else self.local()
        return here or self._fetch(revision or self.revision)

    def _fetch(self, revision: str) -> Path:
        try:
            library: Any = import_module("huggingface_hub")
            return Path(
                library.hf_hub_download(self.hub, self.file, repo_type="dataset", revision=revision)
            )
        except ImportError:
            trouble = 'the hub needs: pip install "privstamp[hub]"'
        except Exception as error:
            trouble = f"the hub did not give it ({type(error).__name__})"
        names = " or ".join(f"{prefix}*{self.suffix}[.gz]" for prefix in self.prefixes)
        raise AssetError(
            f"{self.hub} is not at hand: {trouble}. Two ways: put {names} into a folder and set "
            f"{VARIABLE} to it; or let {self.file} be fetched from {self.hub}@{revision[:12]}"
        )


def is_parquet(path: Path) -> bool:
    return path.suffix == ".parquet"


def columns(path: Path, names: Sequence[str]) -> list[list[Any]]:
    """Columns of a parquet file, as lists."""
    from pyarrow import parquet

    try:
        table = parquet.read_table(path, columns=list(names))
        return [table.column(name).to_pylist() for name in names]
    except (OSError, ValueError, KeyError) as error:
        trouble = type(error).__name__
    wanted = ", ".join(names)
    raise InputError(f"{path.name} is no parquet file with the columns {wanted} ({trouble})")


def content(path: Path) -> str:
    """The text of a file, unpacked where it is packed."""
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        return data.decode("utf-8-sig")
    except (OSError, EOFError) as error:
        trouble = f"cannot be read ({type(error).__name__})"
    except UnicodeDecodeError:
        trouble = "is not UTF-8 text: save it as UTF-8"
    raise InputError(f"{path.name} {trouble}")


def csv_rows(text: str) -> list[tuple[int, list[str]]]:
    """Rows of a CSV file with the line where each ends; empty ones are left out."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # a cell may be a whole book
    reader = csv.reader(io.StringIO(text, newline=""))
    return [(reader.line_num, row) for row in reader if row]
