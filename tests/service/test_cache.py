"""Results in a real Redis that is killed, paused, flushed, full: never a wrong answer or a 5xx."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest
from redis_server import Valkey

from rowen.storage.documents import redis_claims as claiming
from rowen.storage.documents.packing import Packing
from rowen.storage.documents.redis import SharedRedis
from rowen.storage.documents.redis_claims import WORK_CLAIM_SECONDS, Claims
from rowen.storage.documents.redis_results import RESULT_SECONDS, RedisResults
from rowen.storage.documents.store import Document, Result

ID = "0" * 32
RULES = "[extractor]\nkind = 'pattern'\nname = 'words'\npattern = '(?P<word>[a-z]+)'\n"


def document(content=b"content"):
    digest = sha256(content).hexdigest()
    return Document(digest[:32], digest, "text/plain", len(content), "", "")


def test_what_is_packed_is_unpacked_under_its_name_only():
    packing = Packing()
    packed = packing.pack(Result(b"content" * 100, ID), "a")
    assert len(packed) < 100
    assert packing.unpack(packed, "a") == Result(b"content" * 100, ID)
    assert packing.unpack(packed, "b") is None
    assert packing.unpack(b"", "a") is None
    for place in range(len(packed)):
        damaged = bytearray(packed)
        damaged[place] ^= 1
        assert packing.unpack(bytes(damaged), "a") is None
        assert packing.unpack(packed[:place], "a") is None


def test_each_kind_has_its_time(valkey, shared):
    results = RedisResults(shared, realm="r", seconds={**RESULT_SECONDS, "header": 77})
    for stage in ("header", "citations", "records abc"):
        results.put_results(document(), stage, "1", {"json": b"{}"})
    left = {
        key.decode().rpartition(":")[2]: valkey.client().ttl(key)
        for key in valkey.client().scan_iter("rowen:r:result:*")
    }
    assert left == pytest.approx({"header": 77, "citations": 21_600, "records": 21_600}, abs=5)
    valkey.client().expire(f"rowen:r:result:{document().digest}:records", 1000)
    results.put_results(document(), "records def", "1", {"json": b"{}"})
    assert valkey.client().ttl(f"rowen:r:result:{document().digest}:records") <= 1000


def test_what_has_had_its_time_is_gone(shared):
    results = RedisResults(shared, realm="r", seconds=dict.fromkeys(RESULT_SECONDS, 1))
    results.put_results(document(), "text", "1", {"text": b"found"})
    assert results.result(document().digest, "text", "text", "1").content == b"found"
    while results.result(document().digest, "text", "text", "1") is not None:
        time.sleep(0.05)


def test_realms_share_nothing(shared):
    first, second = RedisResults(shared, realm="a"), RedisResults(shared, realm="b")
    first.put_results(document(), "text", "1", {"text": b"found"})
    assert second.result(document().digest, "text", "text", "1") is None
    second.forget(document().digest)
    assert first.result(document().digest, "text", "text", "1") is not None


def test_a_value_of_others_is_a_miss(valkey, shared):
    results = RedisResults(shared, realm="r")
    results.put_results(document(), "text", "1", {"text": b"found", "other": b"more"})
    key = f"rowen:r:result:{document().digest}:text"
    values = valkey.client().hgetall(key)
    valkey.client().hset(key, b"text 1 text", values[b"text 1 other"])
    assert results.result(document().digest, "text", "text", "1") is None
    valkey.client().set(key, "a string")
    assert results.result(document().digest, "text", "text", "1") is None


def test_what_is_deleted_while_redis_is_away_is_forgotten_when_it_is_back(valkey, shared):
    results = RedisResults(shared, realm="r")
    results.put_results(document(), "text", "1", {"text": b"found"})
    valkey.pause()
    results.forget(document().digest)
    valkey.resume()
    while not shared.answers():
        time.sleep(0.05)
    results.put_results(document(b"other"), "text", "1", {"text": b"found"})
    assert results.result(document().digest, "text", "text", "1") is None
    assert results.result(document(b"other").digest, "text", "text", "1") is not None


def texts(count):
    return {f"words of a text, number {number}": None for number in range(count)}


def ask(server, documents, failures):
    for document, text in documents.items():
        for path in (f"/{document}/text", f"/{document}/records?extractor=words&output=jsonl"):
            answer = server.get(path)
            if answer.status_code != 200:
                failures.append((path, answer.status_code, answer.text))
            elif path.endswith("/text") and answer.text != text:
                failures.append((path, answer.text, text))
            elif path.endswith("jsonl") and answer.text.count("\n") != len(text.split()) - 1:
                failures.append((path, answer.text))


def test_no_answer_is_wrong_whatever_becomes_of_redis(start, valkey, paper):
    server = start(redis=valkey.url, workers=2)
    server.put("/extractors/words", content=RULES)
    documents = {server.add(text.encode()): text for text in texts(20)}
    article = server.add(paper)
    header = server.get(f"/{article}/header").text
    failures = []
    faults = [
        valkey.pause,
        valkey.resume,
        lambda: valkey.client().flushall(),
        valkey.kill,
        valkey.restart,
        valkey.kill,
        valkey.restart,
        lambda: valkey.client().config_set("maxmemory", "1"),  # no room for anything
        lambda: valkey.client().config_set("maxmemory", "0"),
    ]
    with ThreadPoolExecutor(3) as threads:
        for fault in faults:
            asking = [threads.submit(ask, server, documents, failures) for _ in range(3)]
            time.sleep(0.1)
            fault()
            for thread in asking:
                thread.result()
            assert server.get(f"/{article}/header").text == header
            assert server.get("/readyz").status_code == 200
    assert failures == []
    assert server.number("rowen_redis_failures_total") > 0
    while (reuse := server.get(f"/{article}/header").headers.get("rowen-reuse")) is None:
        time.sleep(0.1)  # it is asked again in a while
    assert reuse == f"exact; source={article}"
    ask(server, documents, failures)
    assert failures == []


def test_readiness_reports_an_unreachable_redis(start, valkey):
    server = start(redis=valkey.url)
    assert server.get("/readyz").json()["redis"] == "ok"
    valkey.kill()
    answer = server.get("/readyz")
    assert answer.status_code == 200
    assert (answer.json()["status"], answer.json()["redis"]) == ("ok", "does not answer")


def test_a_service_starts_without_its_redis(start):
    server = start(redis="redis://127.0.0.1:1/0")
    document = server.add(b"text")
    for _ in range(2):
        assert server.get(f"/{document}/text").text == "text"


def test_a_full_redis_evicts_and_memory_is_bounded(start, tmp_path):
    valkey = Valkey(tmp_path / "small", **{"maxmemory": "4mb", "maxmemory-policy": "allkeys-lru"})
    try:
        server = start(redis=valkey.url)
        texts = [
            "".join(sha256(f"{number} {part}".encode()).hexdigest() for part in range(3000))
            for number in range(60)
        ]
        documents = {server.add(text.encode()): text for text in texts}
        for _ in range(2):
            for document, text in documents.items():
                assert server.get(f"/{document}/text").text == text
        info = valkey.client().info()
        assert info["evicted_keys"] > 0
        assert info["used_memory"] < 6_000_000
    finally:
        valkey.kill()


def test_deletion_forgets_results_of_the_last_document_with_a_content(start, valkey):
    server = start(redis=valkey.url)
    first, second = server.add(b"the text"), server.add(b"the text")
    server.get(f"/{first}/text")
    server.delete(f"/{first}")
    assert server.get(f"/{second}/text").headers["rowen-reuse"] == f"exact; source={second}"
    server.delete(f"/{second}")
    assert list(valkey.client().scan_iter("rowen:*:result:*")) == []


def missed(servers):
    """Whether a busy machine kept Redis from answering in time: then each works by itself."""
    return sum(server.number("rowen_redis_failures_total") for server in servers)


def test_two_services_do_not_work_on_the_same_at_once(start, valkey, long_paper):
    servers = [start(redis=valkey.url), start(redis=valkey.url)]
    documents = [server.add(long_paper) for server in servers]
    with ThreadPoolExecutor(4) as threads:
        futures = [
            threads.submit(server.get, f"/{document}/{stage}")
            for server, document in zip(servers, documents, strict=True)
            for stage in ("text", "body")
        ]
        answers = [future.result() for future in futures]
    assert [answer.status_code for answer in answers] == [200] * 4
    assert answers[0].text == answers[2].text
    extracted = [answer for answer in answers if "rowen-reuse" not in answer.headers]
    assert len(extracted) == 1 or missed(servers)
    assert list(valkey.client().scan_iter("rowen:*:work:*")) == []


def test_the_work_of_a_service_that_was_killed_is_taken_over(start, valkey, long_paper):
    servers = [start(redis=valkey.url), start(redis=valkey.url)]
    documents = [server.add(long_paper) for server in servers]
    with ThreadPoolExecutor(2) as threads:
        threads.submit(servers[0].get, f"/{documents[0]}/text")
        while not list(valkey.client().scan_iter("rowen:*:work:*")):
            time.sleep(0.01)
        waiting = threads.submit(servers[1].get, f"/{documents[1]}/text")
        servers[0].process.kill()
        (claim,) = valkey.client().scan_iter("rowen:*:work:*")
        assert 0 < valkey.client().pttl(claim) <= WORK_CLAIM_SECONDS * 1000
        answer = waiting.result()
    assert answer.status_code == 200
    assert "rowen-reuse" not in answer.headers


def test_a_claim_is_renewed_while_the_work_goes_on_and_only_its_owner_ends_it(valkey):
    async def work():
        shared = SharedRedis(valkey.url)
        first, second = Claims(shared, realm="r"), Claims(shared, realm="r")
        order = []

        async def take_second_turn():
            async with second.turn("it"):
                order.append("second")

        async with first.turn("it"):
            waiting = asyncio.create_task(take_second_turn())
            await asyncio.sleep(1.0)
            order.append("first")
        await waiting
        async with first.turn("it"):
            valkey.client().set("rowen:r:work:it", "another's")
        assert valkey.client().get("rowen:r:work:it") == b"another's"
        shared.close()
        return order

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(claiming, "WORK_CLAIM_SECONDS", 0.4)
        patch.setattr(claiming, "_MILLISECONDS", 400)
        assert asyncio.run(work()) == ["first", "second"]
