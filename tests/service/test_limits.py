"""What comes from anywhere: too much, too many, half of it, and what is no document at all."""

import os
import shutil
import socket
import subprocess
import time

import httpx
import pytest
from serving import Server

MOST = 10_000
PART = b'--b\r\nContent-Disposition: form-data; name="myfile"\r\n\r\n'


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("small") / "data", upload_bytes=MOST)
    yield server
    server.end()


def refused(answer, status, message):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert message in answer.json().get("detail", "")
    return True


def nothing_is_left(server):
    return [
        file for file in server.data.rglob("*") if file.is_file() and file.parent.name == "drafts"
    ] == []


def chunks(size):
    for _ in range(0, size, 1000):
        yield b"words in a " * 90 + b"row, so...\n"


@pytest.mark.parametrize("size", [MOST + 1, 100 * MOST, 1000 * MOST])
def test_too_large_a_document(small, size):
    try:
        answer = small.post(b"a" * size)
    except httpx.TransportError:  # the service hung up before all was sent
        assert size > MOST + 1
    else:
        assert refused(answer, 413, f"{MOST:,} bytes")
    assert nothing_is_left(small)
    assert small.post(b"a" * MOST).status_code == 201


def test_too_large_a_document_of_unknown_length(small):
    assert refused(small.post(chunks(2 * MOST)), 413, "bytes")
    assert nothing_is_left(small)


def test_too_large_a_document_in_a_form(small):
    answer = small.client.post("/", files={"myfile": b"a" * (MOST + 1)})
    assert refused(answer, 413, "bytes")
    assert nothing_is_left(small)


def test_a_gigabyte_is_refused_before_it_is_sent(small):
    host, port = small.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n"
            b"Expect: 100-continue\r\n\r\n"
        )
        assert line.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_a_form_of_1001_parts(small):
    parts = [(f"field{number}", (None, b"x")) for number in range(1001)]
    answer = small.client.post("/", files=[*parts, ("myfile", ("a.txt", b"text"))])
    assert refused(answer, 413, "more than 100 parts")
    assert nothing_is_left(small)


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"", 400, "incomplete"),
        (PART + b"text", 400, "incomplete"),
        (b"no form", 400, "malformed"),
        (PART.replace(b"myfile", b"other") + b"t\r\n--b--\r\n", 422, "no field"),
        (b"--b\r\n" + b"A: " + b"a" * 9000 + b"\r\n\r\nt\r\n--b--\r\n", 400, "malformed"),
        ((PART + b"t\r\n") * 2 + b"--b--\r\n", 422, "more than one"),
        (PART + b"\r\n--b--\r\n", 422, "empty"),
    ],
)  # fmt: skip
def test_forms_that_are_no_good(small, body, status, message):
    kind = {"content-type": "multipart/form-data; boundary=b"}
    assert refused(small.post(body, headers=kind), status, message)
    assert nothing_is_left(small)


@pytest.mark.parametrize("boundary", ["", "; boundary=", "; boundary=" + "b" * 5000])
def test_forms_without_a_usable_boundary(small, boundary):
    kind = {"content-type": f"multipart/form-data{boundary}"}
    assert refused(small.post(b"text", headers=kind), 400, "")


@pytest.mark.parametrize(
    ("data", "status", "message"),
    [
        (b"", 422, "empty"),
        (b"PK\x03\x04" + bytes(100), 415, "ZIP"),
        (b"\x89PNG\r\n\x1a\n" + bytes(100), 415, "PNG"),
        (bytes(range(256)) * 4, 415, "binary"),
    ],
)
def test_what_is_no_document(small, data, status, message):
    assert refused(small.post(data), status, message)
    assert nothing_is_left(small)


@pytest.mark.parametrize("data", [b"%PDF-1.4 nothing", b"%PDF-1.7\n" + b"1 0 obj\n" * 100])
def test_a_broken_pdf_is_kept_and_reported_when_it_is_read(small, data):
    document = small.add(data)
    assert small.get(f"/{document}/file").content == data
    first = small.get(f"/{document}/header")
    assert refused(first, 422, "broken or cut off")
    assert small.get(f"/{document}/text").json() == first.json()


@pytest.mark.parametrize(
    ("name", "stored_name"),
    [
        ("../../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("/etc/shadow", "shadow"),
        ("a%00b.pdf", "a%00b.pdf"),
        ("<script>.pdf", "<script>.pdf"),
        ("x" * 400, "x" * 255),
        ("Grüße \u202e.pdf", "Grüße \ufffd.pdf"),
        ("..", ".."),
    ],
)
def test_names_are_only_names(small, name, stored_name):
    answer = small.client.post("/", files={"myfile": (name, b"text")}, params={"output": "json"})
    assert answer.json()["name"] == stored_name
    got = small.get(f"/{answer.json()['id']}/file")
    assert got.content == b"text"
    assert "\n" not in got.headers["content-disposition"]
    outside = small.data.parent.rglob("*")
    assert {path.parts[len(small.data.parent.parts)] for path in outside} <= {"data", "data.log"}


def test_a_name_adds_no_header(small):
    named = PART.replace(b"\r\n\r\n", b'; filename="a\rSet-Cookie: b=c"\r\n\r\n')
    body = named + b"text\r\n--b--\r\n"
    answer = small.post(body, headers={"content-type": "multipart/form-data; boundary=b"})
    if answer.status_code == 201:
        got = small.get(f"{answer.headers['location']}/file")
        assert "set-cookie" not in got.headers
    else:
        assert refused(answer, 400, "malformed")


@pytest.mark.parametrize(
    "path",
    [
        "/..%2f..%2fetc%2fpasswd/file",
        "/%2e%2e/%2e%2e/file",
        "/%00/file",
        "/%ff%fe/header",
        "/" + "0" * 32 + "/file",
        "/" + "A" * 32 + "/file",
        "/" + "0" * 5000 + "/file",
        "/' OR 1=1 --/text",
        "/rowen.sqlite3/file",
        "/extractors/..%2f..%2fx",
        "/extractors/%00",
        "/extractors/" + "a" * 1000,
        "/é/citations",
    ],
)
def test_ids_that_are_none(small, path):
    assert refused(small.get(path), 404, "")
    assert small.delete(path).status_code in {404, 405}


@pytest.mark.parametrize("name", ["..", "a b", "%00", "a" * 256, "-a", "é"])
def test_names_of_extractors_are_plain(small, name):
    answer = small.put(f"/extractors/{name}", content="kind = 'pattern'\npattern = 'a'")
    assert answer.status_code in {404, 405, 422}
    assert small.get("/extractors").json() == []


def test_a_client_that_goes_away_leaves_nothing(small):
    host, port = small.url.removeprefix("http://").split(":")
    before = small.number('rowen_requests_total{method="POST",route="/",status="400"}')
    with socket.create_connection((host, int(port))) as line:
        line.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\nhalf")
    while small.number('rowen_requests_total{method="POST",route="/",status="400"}') == before:
        time.sleep(0.01)
    assert nothing_is_left(small)


def test_a_full_disk_is_answered_with_507(start, tmp_path, paper):
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder]
    if os.geteuid() or not shutil.which("mount") or subprocess.run(mount, check=False).returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        server = start(folder / "data")
        document = server.add(paper)
        assert refused(server.post(os.urandom(100).hex().encode() * 10_000), 507, "disk is full")
        assert nothing_is_left(server)
        while (answer := server.post(os.urandom(1000).hex().encode())).status_code == 201:
            pass
        assert refused(answer, 507, "disk is full")
        assert server.get(f"/{document}/file").content == paper
        assert server.get(f"/{document}/header").status_code == 200  # though it can't be kept
        server.end()
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
