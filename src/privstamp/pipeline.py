"""Privatizer: what callers have. The loop that a text goes through is release/stages.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from privstamp.budget import Budget
from privstamp.crew.processes import spread
from privstamp.errors import (
    BudgetError,
    InputError,
    PolicyError,
    PrivstampError,
    UsageError,
)
from privstamp.noise import Randomness
from privstamp.policy import Policy
from privstamp.release.document import SHARE, Document, batched
from privstamp.release.parts import Parts, assemble
from privstamp.release.replaced import Pseudonyms
from privstamp.release.stages import Stages
from privstamp.release.writer import labels
from privstamp.result import Failure, Result, Trace

if TYPE_CHECKING:
    from privstamp.sessions.lasting import Lasting
    from privstamp.sessions.session import Session
    from privstamp.sessions.store import Stored
    from privstamp.sessions.turn import SessionRules


class Privatizer(Stages):
    """Rewrites text under a policy. Made once, used often; keeps nothing about texts."""

    def __init__(
        self,
        policy: Policy | str | Path | None = None,
        *,
        budget: Budget | None = None,
        seed: int | None = None,
        secret: bytes | None = None,
        parts: Parts | None = None,
    ) -> None:
        """`policy`: an object or a file; none is the default preset. `budget` takes the place of
        the policy's; alone it is the budget of the paper's method, preset stamp.

        `seed` makes releases reproducible and insecure. `secret` derives the noise from the secret
        and everything the release depends on, so that a repeated call is the same release.
        `parts` are what the policy names, built before.
        """
        if policy is None:
            policy = Policy() if budget is None else Policy.preset("stamp")
        elif isinstance(policy, str | Path):
            policy = Policy.load(policy)
        elif not isinstance(policy, Policy):
            raise PolicyError(
                f"a policy is a Policy or a file, not {type(policy).__name__}. Try: Policy.of(...)"
            )
        if budget is not None and not isinstance(budget, Budget):
            raise BudgetError(f"a budget is a Budget, say Budget.stamp(15), not {budget!r}")
        if budget is not None:
            policy = policy.model_copy(update={"budget": budget})
        built = assemble(policy) if parts is None else parts
        super().__init__(policy, built, Randomness.make(seed=seed, secret=secret))
        self._given = parts is not None

    def with_noise(self, *, seed: int | None = None, secret: bytes | None = None) -> Privatizer:
        """The same parts, not built again, with other randomness."""
        privatizer = Privatizer.__new__(Privatizer)
        vars(privatizer).update(vars(self))
        privatizer._take(Randomness.make(seed=seed, secret=secret))
        return privatizer

    def pseudonyms(self) -> Pseudonyms:
        """Fresh ones, for several texts that share their surrogates."""
        if self._randomness.mode == "secret":
            raise UsageError("texts that share surrogates are drawn afresh: give no secret")
        return Pseudonyms(self._randomness.key(b"shared", *self.facts), carried=True)

    def session(self, **rules: Unpack[SessionRules]) -> Session:
        """A conversation: surrogates hold through it, and what has left leaves the same again.

        Rules: `foreign_names`, `redraws` and `on_new_task` (docs/concepts/sessions.md).
        """
        from privstamp.sessions.session import Session  # not at the start of every command

        return Session(self, **rules)

    def open_session(
        self,
        label: str,
        *,
        store: Stored,
        principal: str,
        key: bytes | None = None,
        **rules: Unpack[SessionRules],
    ) -> Lasting:
        """A conversation that outlives the process: in a store, under a master key, charged to a
        principal. The key is `key`, or the one in the environment."""
        if self._randomness.mode != "fresh":
            raise UsageError("a session that lasts has a key of its own: give no seed or secret")
        from privstamp.sessions.lasting import Lasting  # not at the start of every command

        return Lasting(label, self, store, principal, key=key, **rules)

    def privatize(
        self,
        text: str,
        task: str | None = None,
        *,
        private_task: bool = False,
        trace: bool = False,
        format: str | None = None,  # noqa: A002
    ) -> Result:
        """Release one text. Whatever fails, nothing is released and the error holds no text.

        `format` takes the place of the policy's: "auto", "plain", "json" and so on.
        """
        document = Document(0, text, task, private_task, format or self.policy.format)
        [outcome] = self.run([document], trace=trace)
        if isinstance(outcome, Failure):
            raise outcome.error
        return outcome.result

    async def aprivatize(
        self,
        text: str,
        task: str | None = None,
        *,
        private_task: bool = False,
        trace: bool = False,
        format: str | None = None,  # noqa: A002
    ) -> Result:
        """`privatize` in a thread, for code that must not wait."""
        from asyncio import to_thread  # not at the start of every command

        step = partial(self.privatize, private_task=private_task, trace=trace, format=format)
        return await to_thread(step, text, task)

    def group(self, text: str, task: str | None = None, *, private_task: bool = False) -> Trace:
        """The groups of a text's units and the reasons for them. Private; nothing is released."""
        document = Document(0, text, task, private_task, self.policy.format)
        [outcome] = self._label([document])
        if isinstance(outcome, Failure):
            raise outcome.error
        return labels(outcome)

    def privatize_many(
        self,
        texts: Iterable[str],
        tasks: Iterable[str | None] | str | None = None,
        *,
        private_task: bool = False,
        trace: bool = False,
        format: str | None = None,  # noqa: A002
        jobs: int = 1,
    ) -> Iterator[Result | Failure]:
        """Release many texts in order, in bounded memory; a failing one is a Failure in its place.

        `tasks` is one task for all, or one per text. `jobs` is the number of processes; texts that
        one of them had when it was ended are Failures, and the others go on.
        """
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            raise InputError("texts is not a list of texts; for one text call privatize")
        if tasks is not None and not isinstance(tasks, Iterable):
            raise InputError("tasks is one task, or one for each text")
        if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
            raise UsageError("jobs is a number of processes: 1, 2, ...")
        make = partial(Document, private_task=private_task, format=format or self.policy.format)
        batches = batched(texts, tasks, make, share=1 if jobs == 1 else SHARE)
        if jobs == 1:
            for batch in batches:
                yield from self._finish(batch, trace=trace)
        else:
            yield from self._spread(batches, jobs, trace=trace)

    def _spread(
        self, batches: Iterable[list[Document]], jobs: int, *, trace: bool
    ) -> Iterator[Result | Failure]:
        recipe = _Line(self._named(), self._randomness, self.fingerprint_key, trace)
        for batch, answer in spread(recipe, (batch for batch in batches if batch), jobs):
            if isinstance(answer, PrivstampError):
                yield from (Failure(document.index, answer) for document in batch)
            else:
                yield from answer

    def _named(self) -> Policy:
        """The policy, if it names all parts: what leaves this process is never built parts."""
        if self._given:
            raise UsageError(
                "a Privatizer that was given its parts cannot go to another process; name them "
                "in the policy"
            )
        return self.policy

    def __reduce__(self) -> tuple[Any, ...]:
        """By policy: parts are built again where it is read. No text, map, key or watcher goes."""
        if self._randomness.mode == "secret":
            raise UsageError(
                "a Privatizer with a secret is not pickled. Pickle one without, and call "
                "with_noise(secret=...) where it is read"
            )
        return _unpickled, (self._named(), self._randomness)

    def _finish(self, batch: list[Document], *, trace: bool) -> Iterator[Result | Failure]:
        for outcome in self.run(batch, trace=trace):
            yield outcome if isinstance(outcome, Failure) else outcome.result


def _unpickled(policy: Policy, randomness: Randomness, key: bytes | None = None) -> Privatizer:
    privatizer = Privatizer(policy)
    privatizer._take(randomness, key)
    return privatizer


@dataclass(frozen=True, repr=False)
class _Line:
    """What a process of the crew is told; the same noise keys and fingerprints as here."""

    policy: Policy
    randomness: Randomness
    key: bytes
    trace: bool

    def __call__(self) -> Callable[[list[Document]], list[Result | Failure]]:
        line = _unpickled(self.policy, self.randomness, self.key)
        return lambda batch: list(line._finish(batch, trace=self.trace))
