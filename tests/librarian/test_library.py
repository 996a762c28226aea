"""The library over HTTP: what comes in, what is read in the background, and what goes out."""

import io
import json
import re
import signal
import struct
import time
import zipfile
from xml.etree import ElementTree as ET

import httpx
import pytest
from small_papers import archive, paper, title_of

from rowen.librarian.extension import LibraryExtension
from rowen.service.backup import back_up
from rowen.service.tokens import add_token


def add(server, content, name="paper.pdf"):
    return server.client.post("/library", files={"myfile": (name, content)})


@pytest.fixture
def tenant():
    """Makes clients with tokens."""
    opened = []

    def client(server, secret):
        headers = {"Authorization": f"Bearer {secret}"}
        opened.append(httpx.Client(base_url=server.url, headers=headers, timeout=120))
        return opened[-1]

    yield client
    for own in opened:
        own.close()


def settled(server, seconds=120):
    """The state of the queue when it has no work left."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        state = server.get("/library/queue").json()
        if not state["waiting"]:
            return state
        time.sleep(0.1)
    raise AssertionError(state)


def items(server, **options):
    answer = server.get("/library", params=options)
    assert answer.status_code == 200, answer.text
    return answer.json()["items"]


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A service with five papers, each of which cites the next one."""
    from serving import Server

    server = Server(tmp_path_factory.mktemp("library") / "data")
    files = {f"p{number}.pdf": paper(number, cites=[number + 1]) for number in range(5)}
    assert add(server, archive(files), "papers.zip").status_code == 201
    assert settled(server)["ready"] == 5
    yield server
    server.end()


def test_papers_are_read_in_the_background_and_found_by_all_their_parts(filled):
    listed = items(filled, sort="title")
    assert [item["title"] for item in listed] == sorted(map(title_of, range(5)))
    (found,) = items(filled, query='title:"number 3"')
    assert found["authors"][0].startswith("Ada ")
    assert found["name"] == "p3.pdf"
    assert len(items(filled, query='cites:"number 3"')) == 1
    assert items(filled, query="nowhere") == []
    facets = filled.get("/library/facets").json()
    assert facets["state"] == [{"value": "ready", "count": 5}]


def test_pages_follow_each_other_by_cursors(filled):
    seen, cursor = [], None
    while True:
        options = {"limit": 2, "sort": "-title", **({"cursor": cursor} if cursor else {})}
        page = filled.get("/library", params=options).json()
        assert page["total"] == 5
        seen += [item["title"] for item in page["items"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert seen == sorted(map(title_of, range(5)), reverse=True)
    assert filled.get("/library", params={"cursor": "x"}).status_code == 422


def test_a_paper_knows_what_it_cites_and_what_cites_it(filled):
    (found,) = items(filled, query='title:"number 3"')
    details = filled.get(f"/library/{found['id']}").json()
    reference, *others = details["references"]
    assert [own["cited"] for own in others] == [None] * 3
    assert reference["cited"]["title"] == title_of(4)
    (citing,) = details["cited_by"]
    assert citing["title"] == title_of(2)
    assert found["venue"] == "Journal of Reading"  # as the citing paper says
    assert [event["kind"] for event in details["events"]] == ["added", "read"]


def test_equal_files_are_one_paper_and_requests_can_be_repeated(start):
    server = start()
    first = add(server, paper(1), "a.pdf")
    assert first.status_code == 201
    (one,) = first.json()["papers"]
    assert first.headers["location"] == f"/library/{one['id']}"
    again = add(server, paper(1), "b.pdf")
    assert again.status_code == 200
    assert again.json()["papers"] == [{"id": one["id"], "name": "b.pdf", "new": False}]
    packed = add(server, archive({"x/a.pdf": paper(1), "y/a.pdf": paper(2)}), "z.zip").json()
    assert [own["new"] for own in packed["papers"]] == [False, True]
    assert settled(server)["ready"] == 2


def test_corrections_tags_and_notes_outlast_another_reading(start):
    server = start()
    (one,) = add(server, paper(1, cites=[2])).json()["papers"]
    settled(server)
    place = f"/library/{one['id']}"
    raw = server.get(place).json()["references"][0]["content"]["raw"]
    post = server.client.post
    assert post(f"{place}/corrections", json={"field": "title", "value": "Said"}).status_code == 200
    body = {"field": "citation", "raw": raw, "value": {"container": "Journal of Reading"}}
    assert post(f"{place}/corrections", json=body).status_code == 200
    assert server.put(f"{place}/tags/to%20read").json()["item"]["tags"] == ["to read"]
    assert (
        post(f"{place}/notes", json={"text": "A thought"}).json()["notes"][0]["text"] == "A thought"
    )
    assert post("/library/queue", json={"papers": [one["id"]]}).json() == {"papers": 1}
    settled(server)
    details = server.get(place).json()
    assert details["header"]["title"] == "Said"
    assert details["references"][0]["content"]["container"] == "Journal of Reading"
    assert [event["kind"] for event in details["events"]].count("read") == 2
    assert [item["id"] for item in items(server, query="thought", tag="to read")] == [one["id"]]
    said = server.get("/library/corrections").json()
    assert {own["correction"]["field"] for own in said} == {"title", "citation"}
    (annotated,) = server.get("/library/training").json()
    assert annotated["raw"] == raw
    assert annotated["fields"]["container"] == ["Journal of Reading"]
    number = next(
        own["correction"]["number"] for own in said if own["correction"]["field"] == "title"
    )
    assert server.delete(f"{place}/corrections/{number}").json()["header"]["title"] == title_of(1)
    assert server.delete(f"{place}/corrections/{number}").status_code == 404
    bad = post(f"{place}/corrections", json={"field": "year", "value": "soon"})
    assert (bad.status_code, bad.headers["content-type"]) == (422, "application/problem+json")


@pytest.mark.parametrize("packed", [False, True])
def test_exports_have_every_paper_in_all_formats(filled, packed):
    for form in ("bibtex", "ris", "csl", "csv", "json", "tei", "markdown"):
        options = {"format": form, "archive": packed}
        content = filled.get("/library/export", params=options).content
        texts = [content.decode()] if not packed else []
        if packed:
            with zipfile.ZipFile(io.BytesIO(content)) as read:
                assert len(read.namelist()) == 5
                texts = [read.read(name).decode() for name in read.namelist()]
        for number in range(5):
            assert sum(title_of(number) in text for text in texts) in (1, 2), (
                form
            )  # its own, a citation
        for text in texts:
            if form in ("json", "csl"):
                assert len(json.loads(text)) == 5 // len(texts)
            if form == "tei":
                ET.fromstring(text)
    (found,) = items(filled, query='title:"number 3"')
    body = {"format": "bibtex", "papers": [found["id"]]}
    assert filled.client.post("/library/export", json=body).text.count("\n}") == 1


def test_a_paper_that_can_not_be_read_says_why_and_the_others_are_read(start):
    server = start()
    add(server, b"%PDF-1.4 nothing else", "broken.pdf")
    add(server, paper(1), "good.pdf")
    assert settled(server)["failed"] == 1
    (failed,) = items(server, state="failed")
    assert failed["name"] == "broken.pdf"
    assert "PDF" in failed["reason"]
    assert server.client.post("/library/queue", json={}).json() == {"papers": 1}
    assert settled(server)["failed"] == 1
    assert [item["name"] for item in items(server, state="ready")] == ["good.pdf"]


@pytest.mark.parametrize("stage", ["adding", "reading"])
def test_a_killed_service_goes_on_and_has_every_paper_once(start, tmp_path, stage):
    data = tmp_path / "data"
    server = start(data)
    contents = {f"p{number}.pdf": paper(number) for number in range(24)}
    if stage == "adding":
        for name, content in [*contents.items()][:13]:
            add(server, content, name)
        server.process.send_signal(signal.SIGKILL)
    else:
        add(server, archive(contents), "all.zip")
        while server.get("/library/queue").json()["ready"] < 6:
            time.sleep(0.02)
        server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    again = start(data)
    if stage == "adding":
        for name, content in contents.items():  # as a client repeats what was not answered
            assert add(again, content, name).status_code in (200, 201)
    assert settled(again) | {"revision": 0} == {
        "waiting": 0, "ready": 24, "failed": 0, "reading": [], "revision": 0
    }  # fmt: skip
    names = [item["name"] for item in items(again, limit=100)]
    assert sorted(names) == sorted(contents)
    documents = {item["id"] for item in items(again, limit=100)}
    assert all(again.get(f"/{document}/file").status_code == 200 for document in documents)


def test_who_watches_hears_of_every_change(start):
    server = start()
    with server.client.stream("GET", "/library/events") as stream:
        lines = (line for line in stream.iter_lines() if line.startswith("data: "))
        assert json.loads(next(lines)[6:])["ready"] == 0
        httpx.post(f"{server.url}/library", files={"myfile": ("a.pdf", paper(1))})
        for line in lines:
            if json.loads(line[6:])["ready"] == 1:
                break


def test_deleting_a_paper_or_its_document_leaves_neither(start):
    server = start()
    papers = add(server, archive({"a.pdf": paper(1), "b.pdf": paper(2)}), "z.zip").json()["papers"]
    settled(server)
    first, second = (own["id"] for own in papers)
    assert server.delete(f"/library/{first}").status_code == 204
    assert server.get(f"/{first}").status_code == 404
    assert server.delete(f"/library/{first}").status_code == 404
    assert server.delete(f"/{second}").status_code == 200
    assert server.get(f"/library/{second}").status_code == 404
    assert items(server) == []


def test_a_document_of_the_service_can_be_put_into_the_library(start):
    server = start()
    document = server.add(paper(1))
    assert items(server) == []
    assert server.put(f"/library/{document}").json()["new"]
    assert not server.put(f"/library/{document}").json()["new"]
    settled(server)
    assert [item["id"] for item in items(server)] == [document]
    assert server.put(f"/library/{'0' * 32}").status_code == 404


def test_tenants_have_libraries_of_their_own_that_go_on_after_a_restart(start, tenant, tmp_path):
    tokens, data = tmp_path / "tokens.json", tmp_path / "data"
    secrets = {name: add_token(tokens, name) for name in ("one", "two")}
    small = add_token(tokens, "three", documents=2)
    server = start(data, auth=tokens)
    assert server.get("/library").status_code == 401
    one, two = (tenant(server, secret) for secret in secrets.values())
    sent = archive({f"{number}.pdf": paper(number) for number in range(12)})
    assert one.post("/library", files={"myfile": ("z.zip", sent)}).status_code == 201
    assert two.get("/library").json()["items"] == []
    taken = one.get("/library").json()["items"][0]["id"]
    assert two.get(f"/library/{taken}").status_code == 404
    assert two.get("/library/export", params={"format": "bibtex"}).text == ""
    # Of a tenant with a quota no more is taken than fits, and the answer says what.
    third = tenant(server, small)
    answer = third.post("/library", files={"myfile": ("z.zip", sent)})
    assert answer.status_code == 201
    taken = {own["name"] for own in answer.json()["papers"]}
    left = {own["name"]: own["reason"] for own in answer.json()["skipped"]}
    assert third.get("/library").json()["total"] == len(taken) > 0
    assert len(taken) + len(left) == 12
    assert all("the quota is used up" in reason for reason in left.values())
    full = third.post("/library", files={"myfile": ("y.zip", archive({"x.pdf": paper(99)}))})
    assert full.status_code == 507
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    again = start(data, auth=tokens)
    one = tenant(again, secrets["one"])
    end = time.monotonic() + 120
    while one.get("/library/queue").json()["waiting"] and time.monotonic() < end:
        time.sleep(0.1)
    assert one.get("/library/queue").json()["ready"] == 12


def test_a_backup_has_the_library_with_what_people_said(start, tmp_path):
    server = start()
    (one,) = add(server, paper(1)).json()["papers"]
    settled(server)
    server.put(f"/library/{one['id']}/tags/kept")
    target = tmp_path / "copy"
    for _ in range(2):
        back_up(server.data, target, [LibraryExtension()])
    restored = start(target)
    assert [item["id"] for item in items(restored, tag="kept")] == [one["id"]]
    assert restored.get(f"/{one['id']}/file").content == paper(1)


def _cut(content):
    return content[: len(content) // 2]


def _long_list(content):
    """An archive that says its list has millions of files."""
    at = content.rfind(b"PK\x05\x06")
    return content[: at + 8] + struct.pack("<HHII", 65_000, 65_000, 2**31, 0) + content[at + 20 :]


def _encrypted(content):
    at = content.find(b"PK\x01\x02")
    return content[: at + 8] + b"\x01\x00" + content[at + 10 :]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (_cut(archive({"a.pdf": paper(1)})), "damaged"),
        (_long_list(archive({"a.pdf": paper(1)})), "at most 10,000 files"),
        (_encrypted(archive({"a.pdf": paper(1)})), "encrypted"),
        (archive({}), "no file"),
        (archive({"a.exe": b"MZ"}), "not a PDF"),
        (archive({"a.pdf": b"\0\1\2"}), "a.pdf"),
        (b"PK\x03\x04" + bytes(100), "damaged"),
        (b"PK\x03\x04" + b"PK\x05\x06" + bytes(18), "damaged|no file"),
    ],
)
def test_a_hostile_archive_is_refused_with_its_reason(filled, content, reason):
    answer = add(filled, content, "papers.zip")
    assert answer.status_code in (415, 422), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert re.search(reason, answer.json()["detail"])
    assert filled.get("/library").json()["total"] == 5


def test_an_archive_that_unpacks_to_a_full_disk_is_stopped(start):
    server = start(limits={"rowen.librarian.archives:ARCHIVE_BYTES": 3_000_000})
    zeros = archive({f"{number}.txt": b"a" * 1_000_000 for number in range(10)})
    answer = add(server, zeros, "bomb.zip")
    assert answer.status_code == 422
    assert "unpacks to more than" in answer.json()["detail"]
    assert list((server.data / "drafts").iterdir()) == []


def test_names_in_an_archive_lead_nowhere(start):
    server = start()
    names = (
        "../../a.pdf",
        "/etc/b.pdf",
        "C:\\x\\c.pdf",
        "__MACOSX/._a.pdf",
        ".hidden.pdf",
        "\x01d.pdf",
    )
    sent = archive({name: paper(number) for number, name in enumerate(names)})
    answer = add(server, sent, "z.zip").json()
    shown = [own["name"] for own in answer["papers"]]
    assert {"a.pdf", "b.pdf", "c.pdf"} <= set(shown)
    assert not any("/" in name or "\\" in name or "\x01" in name for name in shown)
