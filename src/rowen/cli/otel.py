"""Spans of OpenTelemetry for commands: set up by the variables that its SDK documents."""

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rowen.model.errors import UsageError
from rowen.model.extras import needs

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer


class _Messages(logging.Handler):
    """Keeps the first message of OpenTelemetry, which logs each of its attempts."""

    first = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a message, if it is the first."""
        self.first = self.first or record.getMessage().split("\n")[0]


@contextmanager
def tracing(*, wanted: bool, complain: Callable[[str], None]) -> "Iterator[Tracer | None]":
    """A tracer, if it is wanted; at the end all spans are sent, or `complain` says why not."""
    if not wanted:
        yield None
        return
    with needs("otel", "--otel"):
        from opentelemetry.sdk.resources import SERVICE_NAME, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        exporter = _exporter()
    named = {} if _names_service() else {SERVICE_NAME: "rowen"}
    provider = TracerProvider(resource=Resource.create(named))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    messages, logger = _Messages(), logging.getLogger("opentelemetry")
    logger.addHandler(messages)
    logger.propagate = False
    try:
        yield provider.get_tracer("rowen")
    finally:
        provider.shutdown()
        logger.removeHandler(messages)
        logger.propagate = True
        if messages.first:
            complain(f"not all spans were sent to OpenTelemetry: {messages.first}")


def _names_service() -> bool:
    given = os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    return bool(os.environ.get("OTEL_SERVICE_NAME")) or "service.name=" in given


def _exporter() -> "SpanExporter":
    name = os.environ.get("OTEL_TRACES_EXPORTER", "otlp")
    match name:
        case "otlp":
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            return OTLPSpanExporter()
        case "console":
            from opentelemetry.sdk.trace.export import ConsoleSpanExporter

            return ConsoleSpanExporter(out=sys.stderr)
        case _:
            raise UsageError(f"OTEL_TRACES_EXPORTER must be otlp or console, not {name!r}")
