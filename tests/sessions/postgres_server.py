"""A PostgreSQL server on a socket in a temporary folder, for tests and benchmarks.

Its programs are those of the machine; where there are none and this is CI, as root, Debian's
packages are installed. The server refuses to run as root: then it runs as another user.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from itertools import count
from pathlib import Path

USERS = ("postgres", "nobody")


class Unavailable(Exception):
    """There is no server, and why."""


def programs():
    """The folder of initdb and pg_ctl."""
    known = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: p.parent.name)
    if shutil.which("initdb"):
        known.append(Path(shutil.which("initdb")).parent)
    if known:
        return known[-1]
    if not os.environ.get("CI") or os.geteuid() != 0 or not shutil.which("apt-get"):
        raise Unavailable("no initdb found. Try: apt-get install postgresql")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "timeout": 300}
    settings = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update"], ["install", "-y", "--no-install-recommends", "postgresql"]):
        if subprocess.run(["apt-get", "-q", *step], env=settings, **quiet).returncode:
            raise Unavailable("apt-get could not install it")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not found:
        raise Unavailable("apt-get installed no server")
    return found[-1]


class Server:
    def __init__(self, folder, bin_folder, user):
        self._folder, self._bin, self._user = folder, bin_folder, user
        self._numbers = count()
        self.data = folder / "data"

    @classmethod
    def start(cls):
        try:
            import psycopg  # noqa: F401
        except ImportError:
            raise Unavailable("psycopg is not installed") from None
        found = programs()
        user = None
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            user = next((name for name in USERS if name in names), None)
            if user is None:
                raise Unavailable("it does not run as root, and there is no other user")
        folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # sockets have short names
        if user is not None:
            shutil.chown(folder, user)
        server = cls(folder, found, user)
        server._run("initdb", "-D", server.data, "-U", "tests", "-A", "trust", "-E", "UTF8",
                    "--locale=C", "--no-sync")  # fmt: skip
        options = (
            f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c max_wal_size=80MB"
        )
        server._run("pg_ctl", "-D", server.data, "-l", folder / "log", "-w", "-o", options, "start")
        return server

    def stop(self):
        self._run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")
        shutil.rmtree(self._folder, ignore_errors=True)

    def fresh(self):
        """The address of a store that is not there yet, in a schema of its own."""
        import psycopg

        schema = f"s{next(self._numbers)}"
        base = f"postgresql://tests@/postgres?host={self._folder}"
        with psycopg.connect(base, autocommit=True) as connection:
            connection.execute(f"create schema {schema}")
        return f"{base}&options=-csearch_path%3D{schema}"

    def _run(self, program, *arguments):
        done = subprocess.run(
            [self._bin / program, *arguments],
            user=self._user,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=900,
        )
        if done.returncode:
            raise Unavailable(f"{program} failed")
