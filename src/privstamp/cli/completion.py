"""What the shell offers after Tab: names from the same tables that commands look them up in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in sorted(names) if name.startswith(incomplete)]


def presets(incomplete: str) -> list[str]:
    from privstamp.policy import PRESETS

    return _beginning(PRESETS, incomplete)


def accepted(incomplete: str) -> list[str]:
    from privstamp.cli.found import ACCEPTABLE

    return _beginning(ACCEPTABLE, incomplete)


def profiles(incomplete: str) -> list[str]:
    from privstamp.policy.profiles import profiles as known

    return _beginning(known(), incomplete)


def assets(incomplete: str) -> list[str]:
    from privstamp.assets.catalogue import ASSETS

    return _beginning(ASSETS, incomplete)


def parts(kind: str, *, strong: bool = False) -> Callable[[str], list[str]]:
    """Names of a kind of parts; `strong` ones have an epsilon, so no replacements."""

    def complete(incomplete: str) -> list[str]:
        return _beginning(_parts(kind, strong=strong), incomplete)

    return complete


def _parts(kind: str, *, strong: bool) -> Iterator[str]:
    from privstamp.registry import TABLES

    for entry in TABLES[kind].entries():
        if not (strong and entry.name in ("surrogate", "placeholder")):
            yield entry.name
