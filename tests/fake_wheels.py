"""Small wheels and assets made of them, for tests."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from privstamp.assets.catalogue import Asset, Member, Wheel

PACKAGE = "privstamp-toy"
MODEL, WORDS = b"toy model " * 5000, b"toy words"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def make_wheel(
    folder: Path, files: Mapping[str, bytes], name: str = PACKAGE, piece: str | None = None
) -> Wheel:
    """Write a wheel that pip and uv accept, and return its pin."""
    info = f"{name.replace('-', '_')}-1.0.dist-info"
    everything = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in [*everything, f"{info}/RECORD"])
    path = folder / f"{name.replace('-', '_')}-1.0-py3-none-any.whl"
    path.write_bytes(zipped({**everything, f"{info}/RECORD": record.encode()}))
    return Wheel(name, "1.0", sha256(path.read_bytes()), path.stat().st_size, piece)


def zipped(files: Mapping[str, bytes]) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for path, content in files.items():
            opened.writestr(path, content)
    return archive.getvalue()


def member(path: str, content: bytes) -> Member:
    return Member(path, sha256(content), len(content))


def toy_asset(*parts: Wheel, bundled: bool = False) -> Asset:
    members = {"model": member("toy/model.bin", MODEL), "words": member("toy/words.txt", WORDS)}
    return Asset("toy", "a toy", "CC0-1.0", parts, members, bundled)
