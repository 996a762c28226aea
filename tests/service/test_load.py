"""Ten times more uploads at once than workers: some are told to come again, none goes wrong."""

import os
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import httpx
from pdfs import pdf

SECONDS = float(os.environ.get("ROWEN_LOAD_SECONDS", "10"))
WORKERS = 2


def words(client, number):
    return f"Document {number} of client {client} says so."


def test_ten_times_more_uploads_than_workers(start):
    server = start(workers=WORKERS, waiting=WORKERS)
    until = time.monotonic() + SECONDS

    def work(client):
        statuses, documents = Counter(), {}
        with httpx.Client(base_url=server.url, timeout=120) as line:
            for number in range(1_000_000):
                if time.monotonic() > until:
                    return statuses, documents
                said = words(client, number)
                data = pdf([[(72, 700, 12, said)]]) if number % 2 else said.encode()
                sent = line.post("/", content=data, params={"output": "json"})
                statuses[sent.status_code] += 1
                if sent.status_code == 201:
                    document = sent.json()["id"]
                    documents[document] = said, sha256(data).hexdigest()
                    read = line.get(f"/{document}/text")
                    statuses[read.status_code] += 1
                    assert read.status_code != 200 or read.text.strip() == said
                    sent = read
                if sent.status_code == 503:
                    assert int(sent.headers["retry-after"]) > 0
                    time.sleep(0.1)
        return statuses, documents

    with ThreadPoolExecutor(10 * WORKERS) as threads:
        results = list(threads.map(work, range(10 * WORKERS)))
    statuses = sum((counted for counted, _ in results), Counter())
    assert set(statuses) <= {200, 201, 503}, statuses
    assert statuses[503] > 0, statuses
    assert statuses[200] > 0, statuses
    assert server.memory() < 300 << 20
    documents = {
        document: text for _, known_of_one in results for document, text in known_of_one.items()
    }
    assert len(documents) == statuses[201]
    for document, (_, digest) in documents.items():
        assert sha256(server.get(f"/{document}/file").content).hexdigest() == digest
    for document, (said, _) in list(documents.items())[:20]:
        assert server.get(f"/{document}/text").text.strip() == said
