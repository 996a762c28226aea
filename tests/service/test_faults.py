"""Processes that are killed, and too much to do: nothing acknowledged is lost, nothing hangs."""

import json
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

KILLS = int(os.environ.get("ROWEN_KILLS", "6"))
"""How often the server is killed; a hundred times takes minutes."""


def test_what_is_acknowledged_survives_kills_of_the_server(start, tmp_path):
    data = tmp_path / "data"
    chance = random.Random(6)
    acknowledged = {}

    def send(server, seed):
        own = random.Random(seed)
        while True:
            content = own.randbytes(own.choice([100, 10_000, 500_000])).hex().encode()
            try:
                answer = httpx.post(f"{server.url}/", content=content, params={"output": "json"})
            except httpx.TransportError:
                return
            assert answer.status_code == 201
            acknowledged[answer.json()["id"]] = sha256(content).hexdigest()

    for kill in range(KILLS):
        server = start(data)
        assert not list((data / "drafts").iterdir())
        with ThreadPoolExecutor(3) as threads:
            senders = [threads.submit(send, server, f"{kill} {i}") for i in range(3)]
            enough = len(acknowledged) + chance.randrange(1, 9)
            while len(acknowledged) < enough:
                time.sleep(0.001)
            time.sleep(chance.random() / 20)  # whatever it is at just then
            os.kill(server.process.pid, signal.SIGKILL)
            server.process.wait()
        for sender in senders:
            sender.result()
    server = start(data)
    for document, digest in acknowledged.items():
        assert sha256(server.get(f"/{document}/file").content).hexdigest() == digest
    assert not list((data / "drafts").iterdir())
    for file in (data / "files").rglob("*"):
        assert file.is_dir() or sha256(file.read_bytes()).hexdigest() == file.name


def has_ended(pid):
    """Whether a process is gone, or only waits for the system to take notice."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith(("Z", "X"))
    except (FileNotFoundError, ProcessLookupError):
        return True


def kill_until(answered, processes):
    while not answered.done():
        for pid in processes():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def test_a_machine_that_starts_no_workers_is_busy_and_no_document_is_blamed(start, paper):
    server = start()
    added = server.add(paper)
    with ThreadPoolExecutor(1) as threads:
        answered = threads.submit(server.get, f"/{added}/header")
        kill_until(answered, server.templates)
    assert answered.result().status_code == 503
    assert server.get(f"/{added}/header").status_code == 200


def test_a_document_that_kills_workers_twice_is_set_aside(start, long_paper, paper):
    server = start()
    deadly = server.add(long_paper)
    with ThreadPoolExecutor(1) as threads:
        for _ in range(2):
            answered = threads.submit(server.get, f"/{deadly}/header")
            kill_until(answered, server.workers)
            assert answered.result().status_code == 422
            assert "crashed the process" in answered.result().json()["detail"]
    healthy = server.add(paper)
    assert server.get(f"/{healthy}/header").status_code == 200
    aside = server.get(f"/{deadly}/header")
    assert aside.status_code == 422
    assert aside.json()["detail"].startswith("set aside after 2 attempts: ")
    server.delete(f"/{deadly}")  # all that is known of it, too
    repeated = server.add(long_paper)
    assert server.get(f"/{repeated}/text").status_code == 200


def test_workers_killed_at_any_moment_cost_others_nothing(start):
    server = start(workers=2)
    texts = [f"These are the words of document {number}. " * 2000 for number in range(60)]
    documents = [server.add(text.encode()) for text in texts]
    ended, answers = Event(), []

    def kill():
        chance = random.Random(6)
        killed = seen = 0
        while not ended.is_set():
            time.sleep(chance.random() / 10)
            if len(answers) < seen + 5:  # else a busy machine would get nothing done between two
                continue
            seen = len(answers)
            for worker in chance.sample(workers := server.workers(), min(1, len(workers))):
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
                    killed += 1
        return killed

    def ask(number):
        answer = httpx.get(f"{server.url}/{documents[number]}/text", timeout=120)
        if answer.status_code == 422:  # its process was killed, and it was told so
            assert "crashed the process" in answer.json()["detail"]
            return ask(number) if "set aside" not in answer.text else False
        assert answer.text == texts[number]
        answers.append(number)
        return True

    with ThreadPoolExecutor(7) as threads:
        killer = threads.submit(kill)
        try:
            answered = list(threads.map(ask, range(len(documents))))
        finally:
            ended.set()  # else nothing would end where one of them fails
        assert killer.result() > 0
    assert answered.count(True) > len(documents) / 2
    assert all(
        (server.get(f"/{document}/text").status_code == 200) is well
        for document, well in zip(documents, answered, strict=True)
    )
    assert len(server.workers()) <= 2


def test_a_worker_killed_while_it_is_idle_costs_no_document_anything(start):
    server = start()
    assert server.get(f"/{server.add(b'one')}/text").text == "one"
    [worker] = server.workers()
    os.kill(worker, signal.SIGKILL)
    while not has_ended(worker):
        time.sleep(0.01)
    assert server.get(f"/{server.add(b'two')}/text").text == "two"


def wait_until_busy(server):
    while server.number("rowen_workers_busy") != 1:
        time.sleep(0.01)


def test_if_too_many_wait_the_answer_is_retry_after(start, long_paper):
    server = start(waiting=0)
    long, short = server.add(long_paper), server.add(b"text")
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(server.get, f"/{long}/text")
        wait_until_busy(server)
        answer = server.get(f"/{short}/text")
        assert answer.status_code == 503
        assert answer.headers["retry-after"] == "5"
        assert answer.json()["detail"] == "too many documents are waiting to be read"
        assert first.result().status_code == 200
    assert server.get(f"/{short}/text").text == "text"


def test_a_stopped_service_finishes_running_requests(start, long_paper):
    server = start(
        limits={"rowen.service.server:SHUTDOWN_SECONDS": 600}
    )  # however busy this machine is
    assert server.get(f"/{server.add(b'text')}/text").text == "text"
    [worker] = server.workers()  # it is there, so that it does not take long to begin
    long = server.add(long_paper)
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(server.get, f"/{long}/text")
        wait_until_busy(server)
        server.process.terminate()
        assert first.result().status_code == 200
        assert server.end() == 0
    assert has_ended(worker)


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
    assert "rowen-data: documents can be stored\n1 workers: one was started" in answer.stdout
    assert "workers can't open files or use the network\n" in answer.stdout


def test_listening_to_others_is_warned_of(tmp_path):
    answer = command("--check", "--port", "0", "--host", "0.0.0.0", "-q", cwd=tmp_path)
    assert answer.returncode == 0
    assert "warning: listening on 0.0.0.0 without access control: everyone" in answer.stderr


def test_what_is_in_use_is_reported(start, tmp_path):
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
        url = json.loads(process.stderr.readline())["address"]
        assert httpx.get(f"{url}/livez").json() == {"status": "ok"}
        process.send_signal(signal.SIGTERM)
        errors = process.stderr.read()
    assert process.returncode == 0
    assert [json.loads(line)["message"] for line in errors.splitlines()] == ["request"]


def test_every_line_of_the_log_is_json_the_first_ones_too(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "rowen", "serve", "--port", "0", "--host", "0.0.0.0", "-v"],
        cwd=tmp_path, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        first, second = (json.loads(process.stderr.readline()) for _ in range(2))
        port = second["address"].rpartition(":")[2]
        assert httpx.get(f"http://127.0.0.1:{port}/livez", timeout=60).status_code == 200
        process.send_signal(signal.SIGTERM)
        entries = [json.loads(line) for line in process.stderr]
    assert first["level"] == "warning"
    assert "without access control" in first["message"]
    assert (second["message"], second["data"]) == ("serving", "rowen-data")
    assert second["address"].startswith("http://0.0.0.0:")
    assert all({"time", "level", "message"} <= line.keys() for line in [first, second, *entries])
