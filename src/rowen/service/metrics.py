"""What the service counts, for Prometheus."""

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from rowen.service.redis import SharedRedis
from rowen.service.uploads import Uploads
from rowen.service.workers import Workers

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class _RedisFailures(Collector):
    def __init__(self, redis: SharedRedis) -> None:
        self._redis = redis

    def collect(self) -> Iterator[CounterMetricFamily]:
        told = "How often Redis did not answer, or refused what it was asked for"
        yield CounterMetricFamily("rowen_redis_failures", told, value=self._redis.failures)


class Metrics:
    """Counters of one service."""

    def __init__(self, workers: Workers, uploads: Uploads, redis: SharedRedis | None) -> None:
        self._registry = registry = CollectorRegistry()
        self.requests = Counter(
            "rowen_requests", "Requests that were answered",
            ["method", "route", "status"], registry=registry,
        )  # fmt: skip
        self.seconds = Histogram(
            "rowen_request_seconds", "How long answers took", ["route"], registry=registry
        )
        self.results = Counter(
            "rowen_results", "Representations given, by whether they were reused",
            ["stage", "reuse"], registry=registry,
        )  # fmt: skip
        self.refused = Counter(
            "rowen_refused", "Requests that were turned away before they were looked at",
            ["reason"], registry=registry,
        )  # fmt: skip
        self.received = Counter("rowen_received_bytes", "Bytes of documents", registry=registry)
        for name, told, count in (
            ("rowen_waiting", "Tasks that wait for a worker", lambda: workers.waiting),
            ("rowen_workers", "Worker processes", lambda: workers.processes),
            ("rowen_workers_busy", "Worker processes that work", lambda: workers.busy),
            ("rowen_uploads", "Documents that are being sent", lambda: uploads.count),
        ):
            Gauge(name, told, registry=registry).set_function(count)
        if redis is not None:
            registry.register(_RedisFailures(redis))

    def exposition(self) -> bytes:
        """All of it as Prometheus reads it."""
        return generate_latest(self._registry)
