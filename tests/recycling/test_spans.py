"""Runs as spans of OpenTelemetry."""

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import rowen


@pytest.fixture
def exporter():
    return InMemorySpanExporter()


@pytest.fixture
def tracer(exporter):
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    yield provider.get_tracer("test")
    provider.shutdown()


ROOMS = rowen.Pattern(r"(?P<room>CS \d{3})", name="rooms")


@rowen.extractor(name="first", version="1", locality=rowen.WholePage())
def first(text):
    if "bad" in text:
        raise ValueError("no")
    yield {"letter": (0, 1)}


def test_a_run_is_a_tree_of_spans_with_what_its_report_says(tmp_path, exporter, tracer):
    store = rowen.Store(tmp_path / "store")
    pages = {"a": "CS 105", "b": "CS 310, CS 417", "c\ud800": "bad"}
    store.run([ROOMS, first], pages, jobs=1, tracer=tracer)
    exporter.clear()
    report = store.run([ROOMS, first], {**pages, "b": "CS 999 new"}, jobs=1, tracer=tracer)
    spans = exporter.get_finished_spans()
    (run,) = (span for span in spans if span.parent is None)
    names = {span.context.span_id: span.name for span in spans}
    above = {span.name: names[span.parent.span_id] for span in spans if span is not run}
    steps = ("intake", "compare", "plan", "work", "drift", "commit")
    assert above == {
        **{f"rowen.{step}": "rowen.run" for step in steps},
        "rowen.partition": "rowen.work",
        "rowen.extractor": "rowen.work",
    }
    assert run.attributes["rowen.snapshot"] == 1
    assert run.attributes["rowen.pages.changed"] == report.pages["changed"] == 1
    assert run.attributes["rowen.failed"] == 1
    assert any("first" in problem for problem in run.attributes["rowen.problems"])
    tallies = {
        span.attributes["rowen.extractor"]: span.attributes["rowen.records"]
        for span in spans
        if span.name == "rowen.extractor"
    }
    assert tallies == {"rooms": 2, "first": 2}
    (partition,) = (span for span in spans if span.name == "rowen.partition")
    spent = {step for step in partition.attributes if step.startswith("rowen.seconds.")}
    assert spent == {f"rowen.seconds.{step}" for step in report.seconds} & spent
    assert "rowen.seconds.extract" in spent
    for span in spans:
        assert run.start_time <= span.start_time <= span.end_time <= run.end_time


def test_a_run_that_is_refused_is_a_span_with_the_error(tmp_path, exporter, tracer):
    store = rowen.Store(tmp_path / "store")
    with pytest.raises(rowen.RowenError, match="no pages"):
        store.run([ROOMS], {}, tracer=tracer)
    run = exporter.get_finished_spans()[-1]
    assert (run.name, run.status.is_ok) == ("rowen.run", False)
    assert run.events[0].attributes["exception.message"].startswith("no pages")
