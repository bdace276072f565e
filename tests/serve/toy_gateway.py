"""A gateway in a process of its own, on a cheap line whose stages break when they are asked to.

`python toy_gateway.py '{"upstream": ..., "store": ..., "limits": {...}}'`
"""

import asyncio
import json
import logging
import sys
from pathlib import Path

from breakable import MASTER, Breakable, recipe_of

from privstamp.gateway.principals import Keyring
from privstamp.gateway.run import run
from privstamp.gateway.settings import Limits, Settings
from privstamp.sessions.sqlite import SqliteStore
from privstamp.sessions.vault import Vault


async def main(given):
    limits = Limits(**given.pop("limits", {}))
    store = given.pop("store")
    ca_file = given.pop("ca_file", None)
    required = given.pop("required", False)
    settings = Settings(
        limits=limits, ca_file=ca_file and Path(ca_file), port=0,
        names=tuple(given.pop("names", ())), **given,
    )  # fmt: skip
    keyring = Keyring(Vault(SqliteStore(store), MASTER), required=required)

    def listening(port):
        print(port, flush=True)

    recipe = Breakable(recipe_of(store))
    await run(settings, recipe, keyring, listening=listening)


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)  # as the command does
    asyncio.run(main(json.loads(sys.argv[1])))
