"""Every change is delivered, in order, whatever the receiver and the machine do meanwhile."""

import hashlib
import hmac
import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import rowen
from rowen.errors import InputError, OutputError, StoreError, UsageError
from rowen.sinks import webhook as module
from rowen.sinks.webhook import Webhook, deliver

WORDS = rowen.Pattern(r"(?P<word>\w+)", name="words", version="1")


class Receiver:
    """An HTTP server that keeps what it accepted, and answers as `answers` says."""

    def __init__(self):
        self.requests = []
        self.accepted = {}
        self.answers = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.requests.append((dict(self.headers), body))
                status = receiver.answers.pop(0) if receiver.answers else 204
                if status == 0:
                    self.connection.close()
                    return
                if status < 300:
                    receiver.accepted[self.headers["Rowen-Delivery"]] = body
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def lines(self):
        return [json.loads(line) for body in self.accepted.values() for line in body.splitlines()]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def receiver(monkeypatch):
    monkeypatch.setattr(module, "_wait", lambda _: 0)
    server = Receiver()
    yield server
    server.close()


@pytest.fixture
def store(tmp_path):
    opened = rowen.Store(tmp_path / "store")
    for text in ("one two", "one three", "four\nfive six"):
        opened.run([WORDS], {"p": text})
    return opened


def feed(store):
    changes = [{"extractor": "words", **change} for change in store.changes("words")]
    return json.loads(json.dumps(changes))


def test_all_changes_arrive_once_and_the_next_call_goes_on(tmp_path, receiver, store):
    webhook, state = Webhook(receiver.url), tmp_path / "state"
    assert deliver(store, "words", webhook, state) == len(feed(store))
    assert receiver.lines() == feed(store)
    assert deliver(store, "words", webhook, state) == 0
    store.run([WORDS], {"p": "seven"})
    assert deliver(store, "words", webhook, state) > 0
    assert receiver.lines() == feed(store)
    assert len(receiver.requests) == len(receiver.accepted) == 4


def test_what_fails_for_a_moment_is_sent_again(tmp_path, receiver, store):
    receiver.answers = [503, 0, 429, 204, 500]
    deliver(store, "words", Webhook(receiver.url), tmp_path / "state")
    assert receiver.lines() == feed(store)
    ids = [headers["Rowen-Delivery"] for headers, _ in receiver.requests]
    assert sorted(Counter(ids).values()) == [1, 2, 4]


def test_after_each_kind_of_stop_nothing_is_missing_or_out_of_order(
    tmp_path, receiver, store, monkeypatch
):
    monkeypatch.setattr(module, "BATCH_CHANGES", 1)
    webhook, state = Webhook(receiver.url, retries=0), tmp_path / "state"
    for answer in (400, 302, 500, 204, 404, 204, 204, 0):
        receiver.answers = [answer, 410]
        with pytest.raises(OutputError, match="did not accept the changes of snapshot"):
            deliver(store, "words", webhook, state)
    receiver.answers = []
    deliver(store, "words", webhook, state)
    assert receiver.lines() == feed(store)


def test_a_batch_whose_acceptance_was_lost_has_the_same_id(tmp_path, receiver, store, monkeypatch):
    def lost(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(module, "_write_state", lost)
        with pytest.raises(KeyboardInterrupt):
            deliver(store, "words", Webhook(receiver.url), tmp_path / "state")
    deliver(store, "words", Webhook(receiver.url), tmp_path / "state")
    assert len(receiver.requests) == 4
    assert receiver.lines() == feed(store)


def test_requests_are_signed_with_the_secret(tmp_path, receiver, store):
    deliver(store, "words", Webhook(receiver.url, b"key"), tmp_path / "state")
    for headers, body in receiver.requests:
        parts = dict(part.split("=") for part in headers["Rowen-Signature"].split(","))
        signed = hmac.new(b"key", parts["t"].encode() + b"." + body, hashlib.sha256)
        assert parts["v1"] == signed.hexdigest()


def test_changes_that_were_pruned_before_they_were_delivered_are_reported(
    tmp_path, receiver, store, monkeypatch
):
    monkeypatch.setattr(module, "BATCH_CHANGES", 1)
    receiver.answers = [204, 204, 204, 400]
    with pytest.raises(OutputError):
        deliver(store, "words", Webhook(receiver.url), tmp_path / "state")
    assert json.loads((tmp_path / "state").read_text())["extractors"]["words"]["base"] == 0
    store.drop(keep=1)
    with pytest.raises(StoreError, match="snapshot"):
        deliver(store, "words", Webhook(receiver.url), tmp_path / "state")


def test_what_can_not_be_used_is_refused(tmp_path, receiver, store):
    for url in ("ftp://x/y", "example.org", "http://", "https://me:secret@example.org/"):
        with pytest.raises(UsageError):
            Webhook(url)
    state = tmp_path / "state"
    for content in ("{", "[]", '{"webhook": "x", "extractors": {"words": 1}}'):
        state.write_text(content)
        with pytest.raises(InputError, match="can't read the state"):
            deliver(store, "words", Webhook(receiver.url), state)
    state.write_text('{"webhook": "http://other/", "extractors": {}}')
    with pytest.raises(InputError, match="state of another webhook"):
        deliver(store, "words", Webhook(receiver.url), state)
