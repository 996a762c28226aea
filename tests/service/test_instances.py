"""Several services on shared documents and one Redis, as real processes."""

import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Event

import httpx
import pytest
from s3_server import S3

from rowen.cli import main


@pytest.fixture(scope="module")
def s3():
    pytest.importorskip("moto.server", reason="the local S3 server is not installed")
    server = S3()
    yield server
    server.end()


def test_two_services_extract_a_document_once(start, valkey, tmp_path, paper):
    shared = {"files": str(tmp_path / "shared"), "redis": valkey.url}
    servers = [start(**shared), start(**shared)]
    document = servers[0].add(paper)
    with ThreadPoolExecutor(4) as threads:
        futures = [
            threads.submit(server.get, f"/{document}/{stage}")
            for server in servers
            for stage in ("header", "citations")
        ]
        answers = [future.result() for future in futures]
    assert [answer.status_code for answer in answers] == [200] * 4
    missed = sum(server.number("rowen_redis_failures_total") for server in servers)
    assert sum("rowen-reuse" not in answer.headers for answer in answers) == 1 or missed
    assert answers[0].content == answers[2].content
    twin = servers[1].add(paper)
    reused = servers[1].get(f"/{twin}/header").headers["rowen-reuse"]
    assert reused == f"exact; source={document}"
    assert servers[1].delete(f"/{document}").status_code == 200
    assert servers[0].get(f"/{document}/header").status_code == 404
    reused = servers[0].get(f"/{twin}/header").headers["rowen-reuse"]
    assert reused == f"exact; source={twin}"


def test_documents_on_s3(start, s3, tmp_path, paper):
    uri = s3.uri(tmp_path.name)
    first, second = start(files=uri), start(files=uri)
    document = first.add(paper)
    assert second.get(f"/{document}/file").content == paper
    part = second.get(f"/{document}/file", headers={"Range": "bytes=100-199"})
    assert (part.status_code, part.content) == (206, paper[100:200])
    unchanged = second.get(f"/{document}/file", headers={"If-None-Match": part.headers["etag"]})
    assert unchanged.status_code == 304
    header = first.get(f"/{document}/header")
    repeated = second.get(f"/{document}/header")
    assert repeated.content == header.content
    assert repeated.headers["rowen-reuse"] == f"exact; source={document}"
    rules = "[extractor]\nkind = 'pattern'\nname = 'years'\npattern = '(?P<year>(19|20)[0-9]{2})'\n"
    assert first.put("/extractors/years", content=rules).status_code == 201
    assert second.get("/extractors").json() == ["years"]
    records = second.get(f"/{document}/records?extractor=years").json()["records"]
    assert records
    key = {"Idempotency-Key": "k"}
    sent = [
        server.post(b"text", params={"output": "json"}, headers=key) for server in (first, second)
    ]
    assert sent[0].json()["id"] == sent[1].json()["id"]
    assert second.delete(f"/{document}").status_code == 200
    for server in (first, second):
        for part in ("", "/file", "/header", "/records?extractor=years"):
            assert server.get(f"/{document}{part}").status_code == 404
        assert server.get("/readyz").json()["status"] == "ok"


@pytest.mark.parametrize("kind", ["folder", "s3"])
def test_what_is_acknowledged_outlives_a_service_that_is_killed(start, request, tmp_path, kind):
    folder = tmp_path / "shared"
    files = str(folder) if kind == "folder" else request.getfixturevalue("s3").uri(tmp_path.name)
    chance = random.Random(6)
    acknowledged = {}

    def send(server, stop):
        while not stop.is_set():
            content = chance.randbytes(chance.randrange(1, 50_000)).hex().encode()
            try:
                answer = server.post(content, params={"output": "json"})
            except httpx.TransportError:
                return
            assert answer.status_code == 201
            acknowledged[answer.json()["id"]] = sha256(content).hexdigest()

    survivor = start(files=files)
    for _ in range(3):
        server, stop = start(files=files), Event()
        enough = len(acknowledged) + chance.randrange(2, 10)
        with ThreadPoolExecutor(2) as threads:
            for _ in range(2):
                threads.submit(send, server, stop)
            while len(acknowledged) < enough:
                time.sleep(0.001)
            os.kill(server.process.pid, signal.SIGKILL)
            stop.set()
    for document, digest in acknowledged.items():
        assert sha256(survivor.get(f"/{document}/file").content).hexdigest() == digest


def test_storage_that_goes_away_is_a_503_and_readiness_says_so(start, tmp_path):
    server = S3()
    service = start(files=server.uri(tmp_path.name))
    document = service.add(b"text")
    server.end()
    for answer in (service.get(f"/{document}"), service.get("/readyz"), service.post(b"other")):
        assert answer.status_code == 503
        assert answer.json()["detail"] == "documents can't be stored or read now"
        assert answer.headers["retry-after"]


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "rowen", "serve", "--port", "0", "--workers", "1", *arguments],
        capture_output=True, text=True, check=False, timeout=120, **options,
    )  # fmt: skip


def test_the_check_tries_redis_and_the_place_of_documents(valkey, tmp_path):
    options = ("--check", "--redis", valkey.url, "--files", "shared", "--ttl", "citations=2h")
    answer = command(*options, cwd=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.startswith(f"shared: documents can be stored\n{valkey.url}: answers\n")
    valkey.kill()
    answer = command(*options, cwd=tmp_path)
    assert answer.returncode == 6
    assert f"{valkey.url} does not answer" in answer.stderr


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--redis", "nowhere"), "--redis: Redis URL must specify"),
        (("--ttl", "all=6h"), "--ttl: 'all' must be one of text, parts, header"),
        (("--ttl", "text=6"), "'6' is not a span of time: write 30s, 15m, 6h or 7d"),
        (("--ttl", "text=0h"), "is not a span of time"),
        (("--files", "s3://me:secret@bucket/a"), "a store's address must not contain a password"),
    ],
)
def test_options_that_can_not_be_used_are_reported(capsys, option, message):
    assert main(["serve", "--port", "0", "--check", *option]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "secret" not in error
