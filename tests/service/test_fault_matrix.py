"""What each call answers while a part is full, hung, slow, refused or corrupted.

`MATRIX` is the claim; docs/faults.md has the same table. The parts are real: a line between them
and the service does to them what the case says.
"""

import os
import random
import sqlite3
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer

import pytest
from faulty import FaultyLine
from redis_server import Valkey
from s3_server import S3
from serving import Server

DOCS = Path(__file__).parents[2] / "docs" / "faults.md"
CALLS = (
    "POST /", "GET /ID", "GET /ID/header", "GET /ID/text", "GET /ID/file", "GET /ID/records",
    "PUT /extractors/NAME", "DELETE /ID", "GET /readyz",
)  # fmt: skip
WELL = "201 200 200 200 200 200 201 200 200"
GONE = "503 503 503 503 503 503 503 503 503"
FULL = "507 200 200 200 200 200 507 200 503"
LOCKED = "503 200 200 200 200 200 503 503 503"
MATRIX = {
    ("SQLite and files", "full"): FULL,
    ("SQLite and files", "hung: another program writes"): LOCKED,
    ("SQLite and files", "slow: another program writes for a moment"): WELL,
    ("SQLite and files", "corrupted: results"): WELL,
    ("SQLite and files", "corrupted: files"): "201 200 200 200 503 200 201 200 200",
    ("SQLite and files", "corrupted: the database"): "any",
    ("S3", "full"): FULL,
    ("S3", "hung"): GONE,
    ("S3", "slow"): WELL,
    ("S3", "refused"): GONE,
    ("S3", "corrupted"): "any",
    ("Redis", "full"): WELL,
    ("Redis", "hung"): WELL,
    ("Redis", "slow"): WELL,
    ("Redis", "refused"): WELL,
    ("Redis", "corrupted"): WELL,
}
"""`any` stands for what the call answers otherwise, or 503, but never for something wrong."""

RULES = "kind = 'pattern'\npattern = '(?P<word>price) of'"
TEXT = "The price of document {0} is a matter of words, and there are enough of them here.\n" * 20
SECONDS = 12.0
"""The longest that anything may take here: a step that hangs, twice, on a busy machine."""


class Known:
    """A document that the service has, with all that was made of it."""

    def __init__(self, server, number):
        self.text = TEXT.format(number)
        self.id = server.add(self.text.encode())
        for path in ("header", "text", "records?extractor=rooms"):
            answer = server.get(f"/{self.id}/{path}")
            assert answer.status_code == 200, answer.text
        self.header = server.get(f"/{self.id}/header").text


def begin(data, **settings):
    server = Server(data, near=False, **settings)
    assert server.put("/extractors/rooms", content=RULES).status_code == 201
    return server


def answers(server, document, number, lost=frozenset()):
    """What each call is answered with; each in time, as a problem where it is one, and right.

    Calls that are `lost` may be answered with 404, and no others.
    """
    path = f"/{document.id}"
    calls = {
        "POST /": lambda: server.post(f"a new one {number} {time.monotonic()}".encode()),
        "GET /ID": lambda: server.get(path, params={"output": "json"}),
        "GET /ID/header": lambda: server.get(f"{path}/header"),
        "GET /ID/text": lambda: server.get(f"{path}/text"),
        "GET /ID/file": lambda: server.get(f"{path}/file"),
        "GET /ID/records": lambda: server.get(f"{path}/records", params={"extractor": "rooms"}),
        "PUT /extractors/NAME": lambda: server.put(f"/extractors/new{number}", content=RULES),
        "GET /readyz": lambda: server.get("/readyz"),
        "GET /livez": lambda: server.get("/livez"),
        "GET /metrics": lambda: server.get("/metrics"),
        "DELETE /ID": lambda: server.delete(path),
    }
    right = {
        "GET /ID": lambda answer: answer.json()["size"] == len(document.text),
        "GET /ID/header": lambda answer: answer.text == document.header,
        "GET /ID/text": lambda answer: answer.text == document.text,
        "GET /ID/file": lambda answer: answer.text == document.text,
        "GET /ID/records": lambda answer: answer.text.count('"word": "price"') == 2 * 20,
    }
    outcomes = {}
    for call, send in calls.items():
        begun = time.monotonic()
        answer = send()
        took = time.monotonic() - begun
        outcomes[call] = answer.status_code
        assert took < (3 if call == "GET /readyz" else SECONDS), f"{call} took {took:.1f} s"
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
            expected = (503, 507, 404) if call in lost else (503, 507)
            assert answer.status_code in expected, f"{call}: {answer.text}"
            assert answer.status_code != 503 or answer.headers["retry-after"]
        elif call in right:
            assert right[call](answer), f"{call} is wrong: {answer.text[:200]}"
    assert outcomes.pop("GET /livez") == 200
    assert outcomes.pop("GET /metrics") == 200
    return outcomes


def judge(server, document, case, number, lost=frozenset()):
    outcomes = answers(server, document, number, lost)
    if MATRIX[case] == "any":
        usual = dict(zip(CALLS, WELL.split(), strict=True))
        others = {call: {"503", "404"} if call in lost else {"503"} for call in CALLS}
        assert all(str(outcomes[call]) in {usual[call], *others[call]} for call in CALLS), outcomes
    else:
        assert " ".join(str(outcomes[call]) for call in CALLS) == MATRIX[case]
    log = server.log.read_text()
    assert "Traceback" not in log
    assert '"internal error"' not in log


def recovers(server, documents):
    """Nothing that was acknowledged is lost, and the service is ready again."""
    until = time.monotonic() + 20
    while (answer := server.get("/readyz")).status_code != 200:
        assert time.monotonic() < until, answer.text
        time.sleep(0.2)
    for document in documents:
        assert server.get(f"/{document.id}/file").text == document.text


def test_sqlite_and_files(tmp_path):
    server = begin(tmp_path / "data")
    try:
        stays, *others = (Known(server, number) for number in range(5))
        files = tmp_path / "data" / "files"
        part = "SQLite and files"

        connection = sqlite3.connect(
            tmp_path / "data" / "rowen.sqlite3", isolation_level=None, check_same_thread=False
        )
        connection.execute("BEGIN IMMEDIATE")
        judge(server, others[0], (part, "hung: another program writes"), 1)
        connection.execute("ROLLBACK")
        recovers(server, [stays])

        connection.execute("BEGIN IMMEDIATE")
        ending = Timer(0.3, lambda: connection.execute("ROLLBACK"))
        ending.start()
        judge(server, others[1], (part, "slow: another program writes for a moment"), 2)
        ending.join()

        for row, content in connection.execute("SELECT rowid, content FROM results").fetchall():
            changed = bytearray(content)
            changed[len(changed) // 2] ^= 4
            connection.execute("UPDATE results SET content = ? WHERE rowid = ?", (changed, row))
        judge(server, others[2], (part, "corrupted: results"), 3)
        recovers(server, [stays])

        document = others[3]
        Known(server, 4)  # whose results are whole again
        path = next(file for file in files.rglob("*") if file.is_file()
                    and file.read_bytes() == document.text.encode())  # fmt: skip
        path.write_bytes(path.read_bytes().replace(b"price", b"prize", 1))
        judge(server, document, (part, "corrupted: files"), 4)
        recovers(server, [stays])
        connection.close()
    finally:
        server.end()


@pytest.mark.parametrize("seed", [6, 7])
def test_a_damaged_database(tmp_path, seed):
    server = begin(tmp_path / "data")
    documents = [Known(server, number) for number in range(3)]
    server.end()
    path = tmp_path / "data" / "rowen.sqlite3"
    whole, chance = path.read_bytes(), random.Random(seed)
    for number, document in enumerate(documents):
        changed = bytearray(whole)
        for _ in range(40):
            changed[chance.randrange(4096, len(whole))] ^= 1 << chance.randrange(8)
        path.write_bytes(changed)
        lost = calls_without_a_row(path, document)
        server = Server(tmp_path / "data", near=False)
        try:
            judge(server, document, ("SQLite and files", "corrupted: the database"), number, lost)
        finally:
            server.end()


def calls_without_a_row(path, document):
    """The calls that ask for an id or a name which the database no longer has: it was changed."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    lost = set()
    for query, expected, calls in (
        ("SELECT CAST(id AS BLOB) FROM documents", document.id, {c for c in CALLS if "/ID" in c}),
        ("SELECT CAST(name AS BLOB) FROM extractors", "rooms", {"GET /ID/records"}),
    ):
        with suppress(sqlite3.DatabaseError):  # the service can't read it either, and says so
            if (expected.encode(),) not in database.execute(query).fetchall():
                lost |= calls
    database.close()
    return lost


def test_a_document_whose_id_was_changed_is_unknown_and_others_are_not(tmp_path):
    server = begin(tmp_path / "data")
    changed, unchanged = Known(server, 0), Known(server, 1)
    server.end()
    path = tmp_path / "data" / "rowen.sqlite3"
    whole, stored = path.read_bytes(), changed.id.encode()
    assert stored in whole
    path.write_bytes(whole.replace(stored, stored[:-1] + bytes([stored[-1] ^ 1])))
    lost = calls_without_a_row(path, changed)
    assert len(lost) == 6
    server = Server(tmp_path / "data", near=False)
    try:
        outcomes = answers(server, changed, 0, lost)
        assert {call for call, status in outcomes.items() if status == 404} == lost
        outcomes = answers(server, unchanged, 1)
        assert " ".join(str(outcomes[call]) for call in CALLS) == WELL
    finally:
        server.end()


def test_a_full_disk(small_disk):
    server = begin(small_disk / "data")
    try:
        stays, document = Known(server, 0), Known(server, 1)
        with (small_disk / "others").open("wb", buffering=0) as file, suppress(OSError):
            while file.write(bytes(512)):
                pass
        judge(server, document, ("SQLite and files", "full"), 1)
        (small_disk / "others").unlink()
        recovers(server, [stays])
    finally:
        server.end()


@contextmanager
def lines_to(part, tmp_path):
    """A service, with a line to the part on which things can go wrong, and the part."""
    if part == "S3":
        pytest.importorskip("moto.server", reason="the local S3 server is not installed")
        backend = S3()
        port = int(backend.options.partition("127.0.0.1:")[2].partition("&")[0])
        line = FaultyLine(port)
        uri = backend.uri(tmp_path.name).replace(f":{port}", f":{line.port}")
        # Less patience than usual, or the test would take minutes.
        settings, end = (
            {"files": uri, "limits": {"rowen.storage.documents.guard:STORE_SECONDS": 1.5}},
            backend.end,
        )
    else:
        backend = Valkey(tmp_path / "valkey")
        line = FaultyLine(int(backend.url.rpartition(":")[2].partition("/")[0]))
        settings, end = {"redis": f"redis://127.0.0.1:{line.port}/0"}, backend.kill
    try:
        server = begin(tmp_path / "data", **settings)
        try:
            yield server, line, backend
        finally:
            line.mode = "passed"
            server.end()
    finally:
        line.close()
        end()


@pytest.mark.parametrize("part", ["S3", "Redis"])
def test_a_part_that_is_reached_over_a_line(part, tmp_path):
    cases = [case for case in MATRIX if case[0] == part]
    with lines_to(part, tmp_path) as (server, line, backend):
        stays, *others = (Known(server, number) for number in range(len(cases) + 1))
        for number, (case, document) in enumerate(zip(cases, others, strict=True)):
            if case == ("Redis", "full"):
                backend.client().config_set("maxmemory", 1)
            else:
                line.mode = case[1]
            judge(server, document, case, number)
            if case == ("Redis", "full"):
                backend.client().config_set("maxmemory", 0)
            line.mode = "passed"
            recovers(server, [stays])


def test_the_documentation_has_this_table():
    rows = [
        f"| {part} | {fault} | {' | '.join(shown(outcome))} |"
        for (part, fault), outcome in MATRIX.items()
    ]
    table = DOCS.read_text().splitlines()
    if "ROWEN_WRITE_FAULTS" in os.environ:
        first = next(i for i, line in enumerate(table) if line.startswith("| ---")) + 1
        last = next(i for i in range(first, len(table)) if not table[i].startswith("|"))
        DOCS.write_text("\n".join([*table[:first], *rows, *table[last:]]) + "\n")
    assert [line for line in table if line in rows] == rows
    assert "| part | fault | " + " | ".join(f"`{call}`" for call in CALLS) + " |" in table


def shown(outcome):
    usual = WELL.split()
    if outcome == "any":
        return [f"{status} or 503" for status in usual]
    return outcome.split()
