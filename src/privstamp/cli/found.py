"""./privstamp.toml, which nobody named: used only as far as its owner trusts it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from privstamp.cli.screen import tell
from privstamp.errors import UsageError, suggest

if TYPE_CHECKING:
    from privstamp.policy import Policy

POLICY_FILE: Final = "privstamp.toml"
WEAK: Final = "weak"
LANGUAGES: Final = "languages"
ATTACHMENTS: Final = "attachments"
ACCEPTABLE: Final = {
    WEAK: "words found sensitive may leave as themselves",
    LANGUAGES: "texts in languages that the detectors do not read",
    ATTACHMENTS: "letters without those of their parts that are no text",
}
"""What --accept can name."""


def check_accepted(names: Sequence[str]) -> None:
    for name in names:
        if name not in ACCEPTABLE:
            raise UsageError(f'--accept: there is no "{name}".{suggest(name, ACCEPTABLE)}')


def found_policy(*, only_read: bool = False) -> Policy | None:
    """The policy of the working folder, if there is one and it may be used."""
    path = Path(POLICY_FILE)
    if not path.is_file():
        return None
    from privstamp.policy import DEFAULT, Policy, read_policy
    from privstamp.policy.trust import Trust, objections

    content = read_policy(path)
    policy = Policy.from_bytes(content, f"./{POLICY_FILE}")
    told = objections(policy)
    if told and not only_read and not Trust().holds(path, content):
        raise UsageError(
            f"./{POLICY_FILE} lies in this folder, and nobody named it: {'; '.join(told)}. "
            f"Nothing was read. Use it once: --policy {POLICY_FILE}. Always: privstamp policy "
            f"trust, which ends when it changes. Not at all: --preset {DEFAULT}"
        )
    tell(f"using the policy ./{POLICY_FILE}")
    return policy


def check_strength(policy: Policy, accept: Sequence[str] = ()) -> None:
    """Refuse a policy that was found and lets sensitive words stay, unless that is accepted."""
    from privstamp.policy.trust import may_stay

    groups = may_stay(policy)
    if groups and WEAK not in accept:
        told = " and ".join(f"group {group}" for group in groups)
        raise UsageError(
            f"./{POLICY_FILE} was found, not named, and under it words found sensitive may leave "
            f"as themselves with a probability above .01 ({told}: an epsilon above 0, or numeric). "
            f"Name it: --policy {POLICY_FILE}, or privatize --accept {WEAK}"
        )
