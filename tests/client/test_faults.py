"""Both clients on a bad line: a proxy before the service loses, refuses and delays requests."""

import json
import random
import threading
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

import rowen
from rowen.client import conversation
from rowen.client.answers import Reply


class Line(ThreadingHTTPServer):
    """Passes requests on to a service, after it has dealt with as many as it has `faults`.

    A fault is `drop` (the request is lost), `lose` (the answer is), `stall` (none comes until the
    line is released) or an answer of its own.
    """

    daemon_threads = True

    def __init__(self, service):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.service = service
        self.faults = []
        self.seen = []
        self.released = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        body = self._body()
        headers = {name.lower(): told for name, told in self.headers.items()}
        self.server.seen.append((self.command, self.path, headers, body))
        fault = self.server.faults.pop(0) if self.server.faults else None
        if fault == "stall":
            self.server.released.wait()
        if fault in ("drop", "stall"):  # some are not hashable
            self.close_connection = True
            return
        if isinstance(fault, tuple):
            self._send(*fault)
            return
        kept = {
            name: headers[name] for name in headers if name not in {"host", "transfer-encoding"}
        }
        got = httpx.request(
            self.command, self.server.service + self.path, headers=kept, content=body
        )
        if fault == "lose":
            self.close_connection = True
            return
        headers = {"Content-Type": got.headers["content-type"]}
        self._send(got.status_code, headers, got.content)

    do_GET = do_POST = do_PUT = do_DELETE = answer  # noqa: N815  # named by the library

    def _body(self):
        if self.headers.get("transfer-encoding") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def _send(self, status, headers, content):
        self.send_response(status)
        for name, told in headers.items():
            self.send_header(name, told)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_told):
        pass


@pytest.fixture
def line(server):
    with Line(server.url) as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def client(connect, line, monkeypatch):
    monkeypatch.setattr(conversation, "CLIENT_PAUSE_SECONDS", (0.001, 0.01))
    with connect(line.url) as made:
        yield made


BUSY = (503, {"Retry-After": "0"}, b'{"title": "busy", "status": 503}')
JOB = {"Content-Type": "application/json"}


@pytest.mark.parametrize("fault", ["drop", "lose", BUSY, (429, {}, b""), (502, {}, b"<html>")])
@pytest.mark.parametrize("source", ["path", "bytes", "file"])
def test_a_document_that_is_sent_again_is_one_document(
    client, line, server, tmp_path, fault, source
):
    data = f"a text {random.random()}".encode() * 1000
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    line.faults = [fault, fault]
    if source == "file":
        with path.open("rb") as file:
            document = client.submit(file)
    else:
        document = client.submit(path if source == "path" else data)
    assert client.file(document) == data
    posts = [headers["idempotency-key"] for method, _, headers, _ in line.seen if method == "POST"]
    assert len(posts) == 3
    assert len(set(posts)) == 1
    key = {"idempotency-key": posts[0]}
    assert server.post(data, params={"output": "json"}, headers=key).json()["id"] == document.id


def test_a_pipe_is_sent_once_only(client, line):
    class Pipe:
        def read(self, _size):
            return b""

        def seekable(self):
            return False

    line.faults = ["drop"]
    with pytest.raises(rowen.StoreError, match="can't be reached"):
        client.submit(Pipe())
    assert len(line.seen) == 1


def test_a_deletion_whose_answer_was_lost_is_done(client, line):
    document = client.submit(b"gone at the second try")
    line.faults = ["lose"]
    client.delete(document)
    line.faults = [BUSY]
    with pytest.raises(rowen.UsageError):  # nothing was lost: there was nothing to delete
        client.delete(document)


def test_retries_end_and_the_last_answer_is_raised(client, line):
    line.faults = [BUSY] * 10
    with pytest.raises(rowen.StoreError, match=r"503 \(busy\)") as caught:
        client.extractors()
    assert caught.value.status == 503
    assert len(line.seen) == 5


def test_what_is_wrong_is_not_asked_again(client, line):
    with pytest.raises(rowen.ServiceError):
        client.describe("0" * 32)
    assert len(line.seen) == 1


def test_a_service_that_wants_to_be_left_alone_for_long_is(client, line):
    line.faults = [(503, {"Retry-After": "3600"}, b"")]
    with pytest.raises(rowen.StoreError):
        client.extractors()
    assert len(line.seen) == 1


def test_nobody_there(connect, monkeypatch):
    monkeypatch.setattr(conversation, "CLIENT_PAUSE_SECONDS", (0.001, 0.01))
    with connect("http://127.0.0.1:1") as client, pytest.raises(rowen.ServiceError) as caught:
        client.extractors()
    assert isinstance(caught.value, rowen.StoreError)
    assert caught.value.status is None


def test_whoever_has_waited_long_enough_is_not_made_to_wait_again(connect, line):
    line.faults = ["stall"] * 5
    with connect(line.url, timeout=0.1) as client, pytest.raises(rowen.StoreError):
        client.extractors()
    line.released.set()
    assert len(line.seen) == 1


def test_the_token_and_the_preference_are_sent(connect, line):
    with connect(line.url, token="secret", wait=7) as client:
        document = client.submit(b"a text")
        client.text(document, reuse="exact")
    _, path, headers, _ = line.seen[-1]
    assert path == f"/{document.id}/text?reuse=exact"
    assert headers["authorization"] == "Bearer secret"
    assert headers["prefer"] == "respond-async, wait=7"


@pytest.mark.parametrize("state", ["done", "failed"])
def test_a_job_is_looked_at_until_it_is_over(client, line, state):
    document = client.submit(b"read in a job")
    line.seen.clear()
    line.faults = [
        (202, {"Location": "http://elsewhere.example/jobs/1", "Retry-After": "0"}, b""),
        (200, JOB, b'{"state": "queued"}'),
        BUSY,
        (200, JOB, b'{"state": "running"}'),
        (200, JOB, json.dumps({"state": state}).encode()),
    ]
    assert client.text(document).value == "read in a job"
    assert [path for _, path, _, _ in line.seen] == [
        f"/{document.id}/text", *["/jobs/1"] * 4, f"/{document.id}/text",
    ]  # fmt: skip


def test_a_job_that_failed_gives_its_problem(client, line):
    problem = {"title": "no", "status": 422, "detail": "it can't be read"}
    told = json.dumps({"state": "failed", "problem": problem}).encode()
    line.faults = [(202, {"Location": "/jobs/1"}, b""), (200, JOB, told)]
    with pytest.raises(rowen.InputError, match="it can't be read"):
        client.text("0" * 32)


def test_pauses_grow_obey_the_service_and_differ():
    def pauses(attempt, told=None):
        headers = {} if told is None else {"retry-after": told}
        return [conversation._pause(Reply(503, headers, b""), attempt) for _ in range(200)]

    assert all(0.125 <= one <= 0.25 for one in pauses(0))
    assert all(4 <= one <= 8 for one in pauses(9))
    assert len(set(pauses(0))) > 100
    assert all(5 <= one <= 5.25 for one in pauses(0, "5"))
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
    assert all(15 <= one <= 21 for one in pauses(0, soon))
    assert all(one <= 0.25 for one in pauses(0, "soon"))
