"""`rowen run --otel`: spans reach a collector."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


@pytest.fixture
def collector():
    taken = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            taken.append((self.path, ExportTraceServiceRequest.FromString(body)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", taken
        server.shutdown()


@pytest.fixture
def crawl(folder):
    (folder / "crawl").mkdir()
    (folder / "crawl" / "a.html").write_text("CS 105")
    return ("run", "rules.toml", "--snapshot", "crawl", "--store", "store", "--jobs", "1")


def test_spans_are_sent_where_the_variables_say(command, crawl, collector, monkeypatch):
    address, taken = collector
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
    command(*crawl)
    assert not taken
    monkeypatch.setenv("ROWEN_OTEL", "1")
    command(*crawl)
    ((path, request),) = taken
    assert path == "/v1/traces"
    (sent,) = request.resource_spans
    named = {own.key: own.value.string_value for own in sent.resource.attributes}
    assert named["service.name"] == "rowen"
    spans = [span.name for scope in sent.scope_spans for span in scope.spans]
    assert {"rowen.run", "rowen.work", "rowen.extractor"} <= set(spans)


def test_spans_that_can_not_be_sent_are_one_line_and_the_run_is_stored(command, crawl, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "1")
    done = command(*crawl, "--otel")
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert "not all spans were sent to OpenTelemetry" in line
    assert "snapshot 0" in done.stdout


def test_spans_can_be_printed_and_other_exporters_are_refused(command, crawl, monkeypatch):
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "console")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "shop")
    printed = command(*crawl, "--otel", "-q").stderr
    first, _ = json.JSONDecoder().raw_decode(printed)
    assert first["resource"]["attributes"]["service.name"] == "shop"
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "zipkin")
    refused = command(*crawl, "--otel")
    assert refused.returncode == 2
    assert "must be otlp or console, not 'zipkin'" in refused.stderr


def test_without_the_package_the_error_says_what_to_install(command, crawl, monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    refused = command(*crawl, "--otel")
    assert refused.returncode == 2
    assert "rowen[otel]" in refused.stderr
