"""Clients that speak HTTP badly on purpose: an answer or a hang-up, and never at others' cost."""

import json
import socket
import time
from contextlib import ExitStack

import pytest
from pdfs import pdf
from serving import Server

from rowen.service.connections import _network

QUICK = {
    "rowen.service.connections:HEAD_SECONDS": 1.0,
    "rowen.service.connections:LINGER_SECONDS": 0.5,
    "rowen.service.connections:SEND_SECONDS": 1.0,
    "rowen.service.uploads:UPLOAD_IDLE_SECONDS": 1.0,
    "rowen.service.connections:CONNECTIONS": 20,
}


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """One that has no patience."""
    server = Server(tmp_path_factory.mktemp("quick") / "data", limits=QUICK)
    yield server
    server.end()


def connect(server):
    return socket.create_connection(server.address, timeout=60)


def read(line):
    """All that comes until the service hangs up."""
    received = b""
    try:
        while data := line.recv(65536):
            received += data
    except ConnectionResetError:
        pass
    return received


def told(server, data):
    with connect(server) as line:
        line.sendall(data)
        return read(line)


def is_problem(answer, status):
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), answer[:500]
    assert b"content-type: application/problem+json" in head
    assert json.loads(body)["status"] == status
    return True


def drip(line, data):
    """Send byte after byte until the service hangs up; what it said."""
    line.settimeout(0.05)
    received = b""
    for byte in data:
        try:
            line.sendall(bytes([byte]))
            if not (got := line.recv(65536)):
                return received
            received += got
        except TimeoutError:
            continue
        except OSError:
            return received
    return None


def test_a_head_that_comes_slowly_is_not_waited_for(quick):
    with connect(quick) as line:
        assert is_problem(drip(line, b"GET /livez HTTP/1.1\r\n" + b"A: b\r\n" * 1000), 408)
    with connect(quick) as line:  # nor is one that never begins
        assert read(line) == b""
    with connect(quick) as line:  # nor the second of a connection
        line.sendall(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
        received = b""
        while not received.endswith(b'{"status":"ok"}'):
            received += line.recv(65536)
        assert is_problem(drip(line, b"GET /livez HTTP/1.1\r\n" + b"A: b\r\n" * 1000), 408)


def test_half_a_head_sent_ahead_does_not_cost_the_answer_before_it(quick):
    paper = quick.add(pdf([[(72, 780 - 5 * i, 4, "word " * 40) for i in range(150)]] * 12))
    with connect(quick) as line:
        line.sendall(f"GET /{paper}/text HTTP/1.1\r\nHost: a\r\n\r\nGET /li".encode())
        assert line.recv(65536).startswith(b"HTTP/1.1 200 ")


def test_a_body_that_comes_slowly_is_not_waited_for(quick):
    head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n"
    with connect(quick) as line:
        line.sendall(head)
        assert is_problem(drip(line, b"a" * 10_000), 408)
    assert not list((quick.data / "drafts").iterdir())


def test_a_body_that_nobody_asked_for_is_not_waited_for(quick):
    with connect(quick) as line:
        line.sendall(b"GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
        answer = drip(line, b"a" * 10_000)
    assert answer is not None
    assert answer.startswith(b"HTTP/1.1 200 ")


def test_an_answer_that_nobody_takes_is_not_waited_for(quick):
    document = quick.add(b"word " * 4_000_000)
    with connect(quick) as line:
        line.sendall(f"GET /{document}/file HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        while '"/{document_id}/file"' not in quick.log.read_text():  # it is done with it
            time.sleep(0.05)
        assert len(read(line)) < 20_000_000


def test_those_who_hold_connections_keep_nobody_out_for_long(quick):
    with ExitStack() as lines:
        for _ in range(QUICK["rowen.service.connections:CONNECTIONS"]):
            lines.enter_context(connect(quick)).sendall(b"GET /livez HTTP/1.1\r\nA:")
        refused = told(quick, b"")
        assert is_problem(refused, 503)
        assert b"retry-after: 5" in refused
        while b" 200 OK" not in told(quick, b"GET /livez HTTP/1.0\r\n\r\n"):
            time.sleep(0.1)


def connect_from(server, address):
    return socket.create_connection(server.address, timeout=60, source_address=(address, 0))


def test_one_address_that_takes_all_it_can_leaves_room_for_others(start):
    server = start(connections_per_address=5, limits={"rowen.service.connections:CONNECTIONS": 20})
    assert server.get("/livez").status_code == 200
    with ExitStack() as lines:
        for _ in range(30):  # as it would who opens a new one for each that is lost
            lines.enter_context(connect_from(server, "127.0.0.2"))
        with connect_from(server, "127.0.0.2") as line:
            refused = read(line)
        assert is_problem(refused, 503)
        assert b"retry-after: 5" in refused
        assert b"from this address" in refused
        for number in range(3, 6):
            with connect_from(server, f"127.0.0.{number}") as line:
                line.sendall(b"GET /livez HTTP/1.0\r\n\r\n")
                assert b" 200 OK" in read(line)
    with connect_from(server, "127.0.0.2") as line:  # those that are gone count no more
        line.sendall(b"GET /livez HTTP/1.0\r\n\r\n")
        assert b" 200 OK" in read(line)


@pytest.mark.parametrize(
    ("peer", "network"),
    [
        (("10.0.0.1", 5), "10.0.0.1"),
        (("::ffff:10.0.0.1", 5, 0, 0), "10.0.0.1"),
        (("2001:db8:1:2:3:4:5:6", 5, 0, 0), "2001:db8:1:2::"),
        (("fe80::1%eth0", 5, 0, 2), "fe80::"),
        ("", None),
        (None, None),
    ],
)
def test_what_counts_as_one_address(peer, network):
    assert _network(peer) == network


@pytest.mark.parametrize(
    "head",
    [
        b"GET /livez HTTP/1.1\r\nHost: a\r\nA: " + b"a" * 100_000 + b"\r\n\r\n",
        b"GET /livez HTTP/1.1\r\nHost: a\r\n" + b"A: b\r\n" * 30_000 + b"\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /livez HTTP/1.1\r\n" + b"A" * 10_000_000,
    ],
)
def test_a_head_that_is_too_large_is_refused(quick, head):
    with connect(quick) as line:
        try:
            line.sendall(head)
        except OSError:  # the service did not wait for all of it
            return
        answer = read(line)
    assert not answer or is_problem(answer, 431)


SMUGGLED = b"GET /extractors HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.mark.parametrize(
    "fields",
    [
        b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n" % (len(SMUGGLED) + 5),
        b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        b"Content-Length: 5\r\nContent-Length: 0\r\n",
        b"Content-Length: 5, 0\r\n",
        b"Content-Length: +5\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 0x5\r\n",
        b"Content-Length: 99999999999999999999999\r\n",
        b"Transfer-Encoding : chunked\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding\x0b: chunked\r\n",
        b"X: a\nTransfer-Encoding: chunked\r\n",
        b"X: a\x00b\r\n",
        b" folded: a\r\n",
    ],
)
def test_requests_of_two_meanings_are_refused(quick, fields):
    head = b"POST / HTTP/1.1\r\nHost: a\r\n" + fields + b"\r\n"
    answer = told(quick, head + b"0\r\n\r\n" + SMUGGLED)
    assert answer.count(b"HTTP/1.1 ") == 1, answer
    assert is_problem(answer, 400)


@pytest.mark.parametrize(
    "chunk", [b"g\r\n", b"-1\r\na", b"ffffffffffffffffff\r\na", b"1\r\nabc\r\n"]
)
def test_chunks_that_are_none_are_refused(quick, chunk):
    head = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    answer = told(quick, head + chunk)
    assert is_problem(answer, 400)
    while list((quick.data / "drafts").iterdir()):
        time.sleep(0.01)


@pytest.mark.parametrize(
    "head",
    [b"\x16\x03\x01\x02\x00\x01", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\0" * 100, b"A B\r\n"],
)
def test_what_is_no_http_is_refused(quick, head):
    assert is_problem(told(quick, head), 400)


def test_requests_may_be_sent_ahead_but_not_for_ever(quick):
    request = b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
    last = request.replace(b"Host", b"Connection: close\r\nHost")
    assert told(quick, request * 7 + last).count(b"HTTP/1.1 200 ") == 8
    assert told(quick, request * 5000).count(b"HTTP/1.1 200 ") < 5000
    assert quick.get("/livez").status_code == 200


@pytest.mark.parametrize("upgrade", [b"h2c", b"websocket"])
def test_an_offer_of_another_protocol_is_passed_over(quick, upgrade):
    head = b"GET /livez HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: %s\r\n\r\n"
    assert told(quick, head % upgrade).startswith(b"HTTP/1.1 200 ")


def test_a_header_takes_no_second_one_in_with_it(quick):
    usual = {"x-request-id": "a", "idempotency-key": "b"}
    for name in usual:
        for value in ("a%0d%0aSet-Cookie: b", "a\tSet-Cookie: b", "\xff"):
            headers = {**usual, name: value.encode("latin-1")}
            assert "set-cookie" not in quick.post(b"text", headers=headers).headers


def test_its_log_is_still_one_of_json(quick):
    assert [json.loads(line) for line in quick.log.read_text().splitlines()[1:]]
