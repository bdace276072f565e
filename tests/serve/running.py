"""Processes that listen, and what they saw and wrote."""

import json
import os
import subprocess
import sys
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent
LIMITS = {
    "privatize": 6.0, "read": 1.0, "headers": 1.0, "stall": 1.0, "write": 1.0, "drain": 1.0,
    "connect": 2.0, "body": 1 << 20,
}  # fmt: skip


@dataclass
class Running:
    """A process that listens, and what it writes to standard error."""

    process: subprocess.Popen
    port: int
    log_file: Path
    scheme: str = "http"
    extra: dict = field(default_factory=dict)

    @property
    def url(self):
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def log(self):
        return self.log_file.read_text()

    def lines(self):
        lines = self.log.splitlines()
        assert all(line.startswith("{") for line in lines), self.log
        return [json.loads(line) for line in lines]

    def seen(self):
        with urllib.request.urlopen(f"{self.url}/seen") as answer:
            return json.load(answer)

    def bodies(self):
        return [request["body"] for request in self.seen()["requests"]]

    def forget(self):
        request = urllib.request.Request(f"{self.url}/seen", method="DELETE")
        urllib.request.urlopen(request).close()

    def end(self):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()


def started(script, arguments, log_file, **extra):
    paths = [str(HERE), str(HERE.parent), os.environ.get("PYTHONPATH", "")]
    with log_file.open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-W", "ignore", str(HERE / script), *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        )  # fmt: skip
    line = process.stdout.readline()
    assert line.strip(), log_file.read_text()
    return Running(process, int(line), log_file, extra=extra)


def gateway_at(upstream, folder, **settings):
    folder.mkdir(exist_ok=True)
    given = {
        "upstream": upstream, "store": str(folder / "sessions.db"), "upstream_key": "up-key",
        **settings, "limits": LIMITS | settings.get("limits", {}),
    }  # fmt: skip
    return started("toy_gateway.py", [json.dumps(given)], folder / "log", store=given["store"])
