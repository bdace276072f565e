"""mldp-text and privstamp side by side: the same mechanism, the same vectors, the same words.

    python benchmarks/peer_mldp.py FOLDER

mldp-text needs NumPy 1, so it gets a virtual environment of its own in FOLDER (made there unless it
stands from before; needs the package index). Its calibrated multivariate mechanism replaces words
one by one, with its approximate faiss index and without; ours, `laplace-l2` in the metric
euclidean, takes them at once on the table that mldp-text brings. Both in turn, medians of a few
rounds. Writes benchmarks/results/peer_mldp.json.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import numpy as np

from privstamp.decoding.exact import Exact
from privstamp.lab.bench.line import documents
from privstamp.lab.bench.searches import Synthetic, some_noise
from privstamp.mechanisms.laplace import LaplaceL2

RESULT = Path(__file__).parent / "results" / "peer_mldp.json"
PINNED = "mldp-text==0.1.2"
EPSILON, WORDS, ROUNDS = 10.0, 60, 3
PEER = """
import json, sys, time
import numpy as np
import mldp_text
folder, epsilon = sys.argv[1], float(sys.argv[2])
ways = {False: mldp_text.get_mechanism("multivariate_calibrated", epsilon=epsilon, use_faiss=False)}
table = ways[False].embedding_matrix
ways[True] = mldp_text.get_mechanism(
    "multivariate_calibrated", epsilon=epsilon, use_faiss=True, embedding_matrix=table
)
np.save(folder + "/vectors.npy", table.vectors)
with open(folder + "/words.json", "w") as file:
    json.dump(table.key_to_index, file)
print("ready", flush=True)
for line in sys.stdin:
    faiss, words = json.loads(line)
    started = time.perf_counter()
    for word in words:
        ways[faiss].replace_word(word)
    print(time.perf_counter() - started, flush=True)
"""


def environment(folder: Path) -> Path:
    """The Python of the peer's own environment, made if it is not there."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", PINNED], check=True)  # noqa: S603
    return python


class Peer:
    """mldp-text in a process of its own, which does as it is told and says how long it took."""

    def __init__(self, python: Path, folder: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            [python, "-W", "ignore", "-c", PEER, folder, str(EPSILON)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        while (line := self._process.stdout.readline()).strip() != "ready":
            if not line:
                raise SystemExit(f"{PINNED} does not start in its environment")

    def seconds(self, faiss: bool, words: list[str]) -> float:
        self._process.stdin.write(json.dumps([faiss, words]) + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def stop(self) -> None:
        self._process.stdin.close()
        self._process.wait()


def space_of(folder: str) -> tuple[Synthetic, dict[str, int]]:
    """The peer's table as a space of ours: every row an output, one class."""
    vectors = np.load(Path(folder, "vectors.npy")).astype(np.float64)
    space = Synthetic(len(vectors), vectors.shape[1])
    length = np.linalg.norm(vectors, axis=1)
    space.unit, space.radius = np.float32(vectors / length[:, None]), np.float32(length)
    return space, json.loads(Path(folder, "words.json").read_text())


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        peer = Peer(environment(Path(sys.argv[1])), folder)
        space, index = space_of(folder)
    text = " ".join(documents(12)).lower().split()
    words = [word for word in text if word in index]
    ids = np.array([index[word] for word in words], dtype=np.int32)
    ours = LaplaceL2(space, metric="euclidean", decoder=Exact(space))
    budgets, noise = np.full(len(ids), EPSILON), some_noise(len(ids))
    ours.privatize(ids, budgets, noise)
    times: dict[str, list[float]] = {"mldp-text": [], "mldp-text, faiss": [], "privstamp": []}
    for _ in range(ROUNDS):
        times["mldp-text"].append(peer.seconds(False, words[:WORDS]) / WORDS)
        times["mldp-text, faiss"].append(peer.seconds(True, words[:WORDS]) / WORDS)
        started = time.perf_counter()
        ours.privatize(ids, budgets, noise)
        times["privstamp"].append((time.perf_counter() - started) / len(ids))
    peer.stop()
    median = {name: statistics.median(seconds) for name, seconds in times.items()}
    found = {
        "peer": PINNED,
        "mechanism": "calibrated multivariate, nearest vector",
        "rows": len(space.unit),
        "dimensions": space.unit.shape[1],
        "epsilon": EPSILON,
        "words_per_second": {name: 1.0 / seconds for name, seconds in median.items()},
        "privstamp_over_mldp_text": median["mldp-text"] / median["privstamp"],
        "privstamp_over_mldp_text_faiss": median["mldp-text, faiss"] / median["privstamp"],
    }
    print(json.dumps(found, indent=1))
    RESULT.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
