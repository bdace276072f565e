"""What is told of requests: counts, codes and times, as lines of JSON and as metrics. There is no
switch for content."""

from __future__ import annotations

import json
import sys
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import accumulate
from secrets import token_hex
from typing import IO, Final

from prometheus_client import CollectorRegistry, Gauge
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

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


class Watch(Collector):
    """Writes a line for each request, and counts: kept as plain numbers, which are made metrics
    when somebody asks for them."""

    def __init__(self, log: IO[str] | None = None) -> None:
        self._log = log
        self._requests: Counter[tuple[str, str, str]] = Counter()
        self._stages: dict[str, list[int]] = {}  # requests in each bucket
        self._sums: defaultdict[str, float] = defaultdict(float)
        self._bytes = {"received": 0, "sent": 0, "returned": 0}
        self._unlearned = 0
        self.registry = CollectorRegistry()
        self.registry.register(self)

    def gauge(self, name: str, about: str, value: Callable[[], float]) -> None:
        """What is asked when metrics are."""
        Gauge(name, about, registry=self.registry).set_function(value)

    def unlearned(self) -> None:
        self._unlearned += 1

    def over(self, visit: Visit) -> None:
        """A request has ended, however it did."""
        visit.mark("end")
        amounts = {"received": visit.received, "sent": visit.sent, "returned": visit.returned}
        labels = visit.endpoint, str(visit.status), visit.code
        if labels not in self._requests and len(self._requests) >= MOST_LABELS:
            labels = visit.endpoint, str(visit.status), "other"  # codes may be an upstream's
        self._requests[labels] += 1
        for stage, seconds in visit.times.items():
            buckets = self._stages.setdefault(stage, [0] * (1 + len(_SECONDS)))
            buckets[bisect_left(_SECONDS, seconds)] += 1
            self._sums[stage] += seconds
        for direction, amount in amounts.items():
            self._bytes[direction] += amount
        times = {stage: round(since, 4) for stage, since in visit.times.items()}
        about = {"endpoint": visit.endpoint, "status": visit.status, "code": visit.code}
        self.tell("request", id=visit.number, **about, bytes=amounts, seconds=times)

    def tell(self, event: str, **facts: object) -> None:
        """A line of JSON on standard error."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        log = sys.stderr if self._log is None else self._log
        log.write(json.dumps({"time": now, "event": event, **facts}) + "\n")
        log.flush()

    def collect(self) -> Iterator[Metric]:
        """For the registry."""
        requests = CounterMetricFamily(
            "privstamp_requests",
            "Requests by endpoint, status and code.",
            labels=["endpoint", "status", "code"],
        )
        for labels, count in self._requests.items():
            requests.add_metric(labels, count)
        yield requests
        seconds = HistogramMetricFamily(
            "privstamp_seconds",
            "Seconds from the beginning of a request to the end of a stage.",
            labels=["stage"],
        )
        for stage, buckets in self._stages.items():
            ends = (*map(floatToGoString, _SECONDS), "+Inf")
            counts = zip(ends, accumulate(buckets), strict=True)
            seconds.add_metric([stage], list(counts), self._sums[stage])
        yield seconds
        amounts = CounterMetricFamily(
            "privstamp_bytes", "Bytes by direction.", labels=["direction"]
        )
        for direction, amount in self._bytes.items():
            amounts.add_metric([direction], amount)
        yield amounts
        about = "Replies that a session could not keep: in a history they are text like any other."
        yield CounterMetricFamily("privstamp_unlearned", about, self._unlearned)

    def metrics(self) -> bytes:
        return generate_latest(self.registry)
