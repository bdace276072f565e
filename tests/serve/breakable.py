"""A cheap line for gateways, with stages that break when they are asked to."""

import os
import signal
import time
from dataclasses import dataclass

from privstamp.gateway.desk import DeskRecipe, Question, rules_of
from privstamp.policy import Policy
from privstamp.sessions.sqlite import SqliteStore
from privstamp.sessions.vault import Vault

MASTER = bytes(range(32))
NAMES = [
    "Ann Quux",
    "Mara Quillfeather",
    "Quillfeather",
    "Quux",
    "Zworg Blarg",
    "Blarg",
    "Nameaon",
    "Namebon",
]
POLICY = Policy.of({"sensitivity": {"name": "rules"}, "deny": NAMES, "other_languages": "accept"})


@dataclass(frozen=True)
class Breakable:
    """A recipe whose desk raises, hangs or is killed where a request says so."""

    recipe: DeskRecipe

    def __call__(self):
        desk = self.recipe()

        def answer(job):
            if isinstance(job, Question):
                if b"please raise" in job.body:
                    raise ValueError("Ann Quux")
                if b"please hang" in job.body:
                    time.sleep(600)
                if b"please die" in job.body:
                    os.kill(os.getpid(), signal.SIGKILL)
            return desk(job)

        return answer


def recipe_of(store):
    return DeskRecipe(POLICY, rules_of(POLICY, Vault(SqliteStore(store), MASTER)), store, MASTER)
