"""What is told of requests: counts, codes and times, as lines of JSON and as metrics. There is no
switch for content."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from secrets import token_hex
from typing import IO, Final

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)

METRICS_TYPE: Final = CONTENT_TYPE_LATEST
MOST_LABELS: Final = 500
"""Kinds of requests that are counted apart."""
_SECONDS: Final = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


@dataclass
class Visit:
    """One request, as far as it is told."""

    endpoint: str = "none"
    status: int = 0
    code: str = ""
    received: int = 0  # bytes of the body
    sent: int = 0  # bytes to the upstream
    returned: int = 0  # bytes to the client
    times: dict[str, float] = field(default_factory=dict)
    number: str = field(default_factory=lambda: token_hex(8))
    began: float = field(default_factory=time.perf_counter)
    writing_since: float | None = None
    """Since when the client has not taken what it was given."""

    def mark(self, stage: str) -> None:
        """A stage is over; seconds since the request began."""
        self.times[stage] = time.perf_counter() - self.began


class Watch:
    """Writes a line for each request, and counts."""

    def __init__(self, log: IO[str] | None = None) -> None:
        self._log = log
        self._labels: set[tuple[str, str, str]] = set()
        self.registry = registry = CollectorRegistry()
        self._requests = Counter(
            "privstamp_requests",
            "Requests by endpoint, status and code.",
            ["endpoint", "status", "code"],
            registry=registry,
        )
        about = "Seconds from the beginning of a request to the end of a stage."
        seconds = Histogram(
            "privstamp_seconds", about, ["stage"], buckets=_SECONDS, registry=registry
        )
        amounts = Counter(
            "privstamp_bytes", "Bytes by direction.", ["direction"], registry=registry
        )
        self._seconds, self._bytes = cache(seconds.labels), cache(amounts.labels)
        about = "Replies that a session could not keep: in a history they are text like any other."
        self._unlearned = Counter("privstamp_unlearned", about, registry=registry)

    def gauge(self, name: str, about: str, value: Callable[[], float]) -> None:
        """What is asked when metrics are."""
        Gauge(name, about, registry=self.registry).set_function(value)

    def unlearned(self) -> None:
        self._unlearned.inc()

    def over(self, visit: Visit) -> None:
        """A request has ended, however it did."""
        visit.mark("end")
        amounts = {"received": visit.received, "sent": visit.sent, "returned": visit.returned}
        labels = visit.endpoint, str(visit.status), visit.code
        if labels not in self._labels and len(self._labels) >= MOST_LABELS:
            labels = visit.endpoint, str(visit.status), "other"  # codes may be an upstream's
        self._labels.add(labels)
        self._requests.labels(*labels).inc()
        for stage, seconds in visit.times.items():
            self._seconds(stage).observe(seconds)
        for direction, amount in amounts.items():
            self._bytes(direction).inc(amount)
        times = {stage: round(since, 4) for stage, since in visit.times.items()}
        about = {"endpoint": visit.endpoint, "status": visit.status, "code": visit.code}
        self.tell("request", id=visit.number, **about, bytes=amounts, seconds=times)

    def tell(self, event: str, **facts: object) -> None:
        """A line of JSON on standard error."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        log = sys.stderr if self._log is None else self._log
        log.write(json.dumps({"time": now, "event": event, **facts}) + "\n")
        log.flush()

    def metrics(self) -> bytes:
        return generate_latest(self.registry)
