"""The metrics of the service, for Prometheus."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from rowen.service.uploads import Uploads
from rowen.service.workers import Workers
from rowen.storage.documents.redis import SharedRedis

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class _RedisFailures(Collector):
    def __init__(self, redis: SharedRedis) -> None:
        self._redis = redis

    def collect(self) -> Iterator[CounterMetricFamily]:
        help_text = "How often Redis did not answer, or refused a command"
        yield CounterMetricFamily("rowen_redis_failures", help_text, value=self._redis.failures)


class Metrics:
    """Counters of one service."""

    def __init__(self, workers: Workers, uploads: Uploads, redis: SharedRedis | None) -> None:
        # Not the global registry, which would refuse the same names for a second service in a
        # process.
        self._registry = registry = CollectorRegistry()
        self.requests = Counter(
            "rowen_requests", "Answered requests",
            ["method", "route", "status"], registry=registry,
        )  # fmt: skip
        self.seconds = Histogram(
            "rowen_request_seconds",
            "Seconds until a response was sent",
            ["route"],
            registry=registry,
        )
        self.results = Counter(
            "rowen_results", "Representations sent, by whether they were reused",
            ["stage", "reuse"], registry=registry,
        )  # fmt: skip
        self.refused = Counter(
            "rowen_refused", "Requests refused by access control",
            ["reason"], registry=registry,
        )  # fmt: skip
        self.received = Counter(
            "rowen_received_bytes", "Bytes of received documents", registry=registry
        )
        for name, help_text, count in (
            ("rowen_waiting", "Tasks waiting for a worker", lambda: workers.waiting),
            ("rowen_workers", "Worker processes", lambda: workers.processes),
            ("rowen_workers_busy", "Busy worker processes", lambda: workers.busy),
            ("rowen_uploads", "Documents being received", lambda: uploads.count),
        ):
            Gauge(name, help_text, registry=registry).set_function(count)
        if redis is not None:
            registry.register(_RedisFailures(redis))

    def exposition(self) -> bytes:
        """All metrics in the text format of Prometheus."""
        return generate_latest(self._registry)
