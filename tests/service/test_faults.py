"""Processes that are killed, and too much to do: nothing acknowledged is lost, nothing hangs."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Event

import httpx
import pytest
from pdfs import pdf

KILLS = 4


@pytest.fixture(scope="module")
def long_paper():
    """One that takes seconds to read."""
    lines = [(72, 780 - 5 * i, 4, "word " * 40) for i in range(150)]
    return pdf([lines] * 30)


def test_what_is_acknowledged_survives_kills_of_the_server(start, tmp_path):
    data = tmp_path / "data"
    chance = random.Random(6)
    acknowledged = {}

    def send(server, stop):
        while not stop.is_set():
            content = chance.randbytes(chance.randrange(1, 100_000)).hex().encode()
            try:
                answer = server.post(content, params={"output": "json"})
            except httpx.TransportError:
                return
            assert answer.status_code == 201
            acknowledged[answer.json()["id"]] = sha256(content).hexdigest()

    for _ in range(KILLS):
        server, stop = start(data), Event()
        before = len(acknowledged)
        with ThreadPoolExecutor(3) as threads:
            for _ in range(3):
                threads.submit(send, server, stop)
            enough = before + chance.randrange(1, 15)
            while len(acknowledged) < enough:
                time.sleep(0.001)
            os.kill(server.process.pid, signal.SIGKILL)
            stop.set()
        server.end()
    server = start(data)
    for document, digest in acknowledged.items():
        assert sha256(server.get(f"/{document}/file").content).hexdigest() == digest
    assert not list((data / "drafts").iterdir())
    for file in (data / "files").rglob("*"):
        assert file.is_dir() or sha256(file.read_bytes()).hexdigest() == file.name


def kill_workers_until(server, answered):
    while not answered.done():
        for worker in server.workers():
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        time.sleep(0.01)


def test_a_document_that_kills_workers_twice_is_set_aside(start, long_paper, paper):
    server = start()
    deadly = server.add(long_paper)
    with ThreadPoolExecutor(1) as threads:
        for _ in range(2):
            answered = threads.submit(server.get, f"/{deadly}/header")
            kill_workers_until(server, answered)
            assert answered.result().status_code == 422
            assert "brought the process down" in answered.result().json()["detail"]
    other = server.add(paper)
    assert server.get(f"/{other}/header").status_code == 200
    aside = server.get(f"/{deadly}/header")
    assert aside.status_code == 422
    assert aside.json()["detail"].startswith("set aside after 2 attempts: ")
    server.delete(f"/{deadly}")  # all that is known of it, too
    again = server.add(long_paper)
    assert server.get(f"/{again}/text").status_code == 200


def wait_until_busy(server):
    while server.number("rowen_workers_busy") != 1:
        time.sleep(0.01)


def test_where_too_many_wait_one_is_told_to_come_again(start, long_paper):
    server = start(waiting=0)
    long, other = server.add(long_paper), server.add(b"text")
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(server.get, f"/{long}/text")
        wait_until_busy(server)
        answer = server.get(f"/{other}/text")
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "5"
        assert answer.json()["detail"] == "too many documents are waiting to be read"
        assert first.result().status_code == 200
    assert server.get(f"/{other}/text").text == "text"


def test_a_service_that_is_told_to_end_finishes_what_it_has_begun(start, long_paper):
    server = start()
    long = server.add(long_paper)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(server.get, f"/{long}/text")
        wait_until_busy(server)
        while not (workers := server.workers()):  # the task is there before its process
            time.sleep(0.01)
        server.process.terminate()
        assert first.result().status_code == 200
        assert server.end() == 0
    assert not [one for one in workers if Path(f"/proc/{one}").exists()]


def test_a_reader_that_goes_away_does_not_lose_the_work(start, long_paper):
    server = start()
    long = server.add(long_paper)
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(f"GET /{long}/text HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        wait_until_busy(server)
    answer = server.get(f"/{long}/text")
    assert answer.headers["rowen-reuse"] == f"exact; source={long}"


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "rowen", "serve", *arguments],
        capture_output=True, text=True, check=False, timeout=60, **options,
    )  # fmt: skip


def test_the_check_tries_everything(tmp_path):
    answer = command("--check", "--port", "0", "--workers", "1", cwd=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "rowen-data: documents can be kept\n1 workers: one was started" in answer.stdout
    assert "workers can't write files or reach the network\n" in answer.stdout


def test_listening_to_others_is_warned_of(tmp_path):
    answer = command("--check", "--port", "0", "--host", "0.0.0.0", "-q", cwd=tmp_path)
    assert answer.returncode == 0
    assert "warning: listening on 0.0.0.0: everyone who can reach it" in answer.stderr


def test_what_is_in_use_is_told(start, tmp_path):
    server = start()
    port = server.url.rpartition(":")[2]
    taken = command("--port", port, cwd=tmp_path)
    assert taken.returncode == 6
    assert f"can't listen on 127.0.0.1 port {port}" in taken.stderr
    shared = command("--port", "0", "--data", str(server.data))
    assert shared.returncode == 6
    assert "is in use by another service" in shared.stderr


def test_the_command_serves_until_it_is_terminated(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "rowen", "serve", "--port", "0"],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        url = process.stderr.readline().split()[3].rstrip(",")
        assert httpx.get(f"{url}/livez").json() == {"status": "ok"}
        process.send_signal(signal.SIGTERM)
        rest = process.stderr.read()
    assert process.returncode == 0
    assert "Traceback" not in rest
