"""A run as spans of OpenTelemetry, for who asks for them.

rowen.run                     the run; its attributes are those of its report
  rowen.intake, compare ...   the steps, as they happen
  rowen.work
    rowen.partition           one for each, by the time that a worker spent
    rowen.extractor           one for each, as long as the work; its attributes are its tally
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from rowen.model.text import replace_surrogates
from rowen.recycling.outcome import Outcome, Tally
from rowen.recycling.stopwatch import StepClock

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

Value: TypeAlias = str | int | float | bool | Sequence[str]

_COUNTS = ("records", "copied", "known_pages", "extracted_characters", "failed", "checked")


class Spans:
    """Makes spans with a tracer; without one it does nothing."""

    def __init__(self, tracer: "Tracer | None") -> None:
        self._tracer = tracer

    @contextmanager
    def span(self, name: str, **attributes: Value) -> "Iterator[Callable[..., None]]":
        """A span around the block, which is given a function that adds attributes."""
        if self._tracer is None:
            yield _nothing
            return
        with self._tracer.start_as_current_span(f"rowen.{name}") as span:

            def add(**more: Value) -> None:
                span.set_attributes(_named(more))

            add(**attributes)
            yield add

    def partition(self, outcome: Outcome) -> None:
        """Add a span for a partition whose outcome has just arrived."""
        if self._tracer is None:
            return
        end = time.time_ns()
        seconds = sum(outcome.seconds.values())
        span = self._start("partition", end - int(seconds * 1e9))
        span.set_attributes(_named({"partition": outcome.partition}))
        span.set_attributes(
            _named({f"seconds.{step}": own for step, own in outcome.seconds.items()})
        )
        span.end(end)

    def extractors(self, tallies: Mapping[str, Tally], begin: int) -> None:
        """Add a span for each extractor, from `begin`, in nanoseconds of the clock, until now."""
        if self._tracer is None:
            return
        for name, tally in tallies.items():
            span = self._start("extractor", begin)
            counts = {count: int(getattr(tally, count)) for count in _COUNTS}
            seconds = tally.extract_seconds
            span.set_attributes(_named({"extractor": name, **counts, "seconds": seconds}))
            span.end()

    def _start(self, name: str, begin: int) -> "Span":
        assert self._tracer is not None
        return self._tracer.start_span(f"rowen.{name}", start_time=begin)


class SpanClock(StepClock):
    """Adds up the seconds of steps, and makes a span of each."""

    def __init__(self, spans: Spans) -> None:
        super().__init__()
        self._spans = spans

    @contextmanager
    def timing(self, step: str) -> Iterator[None]:
        """Count the time until the end of the block."""
        with self._spans.span(step), super().timing(step):
            yield


def _nothing(**_attributes: Value) -> None:
    """Nobody asked for spans."""


def _named(attributes: Mapping[str, Value]) -> dict[str, Value]:
    """Attributes with our prefix, as text that can be sent."""
    return {
        f"rowen.{name}": replace_surrogates(value) if isinstance(value, str) else value
        for name, value in attributes.items()
    }
