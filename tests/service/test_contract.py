"""The HTTP contract, as its clients see it."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree as ET

import httpx
import pytest

TITLE = "FMIExchange.jl: Foreign Models Through a Familiar Interface"
TEI = "{http://www.tei-c.org/ns/1.0}"
RULES = r"""
[extractor]
name = "rooms"
kind = "pattern"
pattern = '(?P<room>CS ?\d{3})'
"""


@pytest.fixture(scope="module")
def document(server, paper):
    return server.add(paper)


def is_problem(answer, status):
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == status
    assert "Traceback" not in answer.text
    return True


def test_a_form_is_answered_with_an_id_and_uris_in_xml(server, paper):
    answer = httpx.post(f"{server.url}/", files={"myfile": ("a b.pdf", paper)})
    assert answer.status_code == 201
    assert answer.headers["content-type"] == "application/xml"
    description = ET.fromstring(answer.text)
    assert answer.headers["location"] == f"/{description.findtext('id')}"
    assert re.fullmatch("[0-9a-f]{32}", description.findtext("id"))
    assert description.findtext("name") == "a b.pdf"
    assert httpx.get(description.findtext("uris/file")).content == paper


@pytest.mark.parametrize(
    "options",
    [
        {"params": {"output": "json"}},
        {"headers": {"accept": "application/json"}},
        {"headers": {"accept": "text/html;q=0.9, application/json"}},
        {"headers": {"accept": "application/*;q=.1, application/json"}},
        {"headers": {"accept": "application/json", "content-type": "multipart/mixed"}},
    ],
)
def test_bytes_are_answered_in_json_where_that_is_asked_for(server, paper, options):
    description = server.post(paper, **options).json()
    assert description["media_type"] == "application/pdf"
    assert description["size"] == len(paper)
    assert set(description["uris"]) == {"file", "header", "citations", "body", "text", "records"}
    repeated = server.get(f"/{description['id']}", params={"output": "json"})
    assert repeated.json() == description


def test_a_form_may_say_its_output(server, paper):
    answer = httpx.post(f"{server.url}/", files={"myfile": paper}, data={"output": "json"})
    assert answer.json()["size"] == len(paper)


@pytest.mark.parametrize("stage", ["header", "citations", "body"])
@pytest.mark.parametrize("form", ["xml", "json", "tei"])
def test_representations(server, document, stage, form):
    answer = server.get(f"/{document}/{stage}", params={"output": form})
    assert answer.status_code == 200
    if form == "json":
        assert set(answer.json()) == {
            "header": {
                *("title", "authors", "abstract", "keywords", "doi", "date"),
                *("ids", "dates", "language", "licence", "confidence"),
            },
            "citations": {"citations"},
            "body": {"body", "figures", "tables", "formulas", "footnotes", "pages"},
        }[stage] | ({"warnings"} & set(answer.json()))
    else:
        root = ET.fromstring(answer.content)
        assert root.tag == ("paper" if form == "xml" else f"{TEI}TEI")
        inner = {"header": "author", "citations": "citation", "body": "section"}[stage]
        tei = {"header": "author", "citations": "biblStruct", "body": "div"}[stage]
        assert root.findall(f".//{inner}" if form == "xml" else f".//{TEI}{tei}")


def test_xml_is_the_default_and_accept_works(server, document):
    plain = server.get(f"/{document}/header")
    assert plain.headers["content-type"] == "application/xml"
    assert ET.fromstring(plain.content).findtext("title") == TITLE
    negotiated = server.get(f"/{document}/header", headers={"accept": "application/json"})
    assert negotiated.json()["title"] == TITLE
    assert is_problem(server.get(f"/{document}/header", headers={"accept": "image/png"}), 406)
    assert is_problem(server.get(f"/{document}/header", params={"output": "bibtex"}), 422)


def test_citations_as_bibtex_and_csl(server, document):
    bibtex = server.get(f"/{document}/citations", params={"output": "bibtex"})
    assert bibtex.text.startswith("@")
    csl = server.get(f"/{document}/citations", params={"output": "csl"})
    assert {item["type"] for item in csl.json()}


def test_text_and_a_conditional_request(server, document):
    answer = server.get(f"/{document}/text")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text.startswith(TITLE)
    unchanged = server.get(f"/{document}/text", headers={"if-none-match": answer.headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")


def test_the_file_whole_in_part_and_unchanged(server, document, paper):
    answer = server.get(f"/{document}/file")
    assert answer.content == paper
    assert answer.headers["content-type"] == "application/pdf"
    for span, part in (("10-19", paper[10:20]), ("-5", paper[-5:]), ("100-", paper[100:])):
        partial = server.get(f"/{document}/file", headers={"range": f"bytes={span}"})
        assert (partial.status_code, partial.content) == (206, part)
    etag = {"if-none-match": answer.headers["etag"]}
    assert server.get(f"/{document}/file", headers=etag).status_code == 304
    assert server.get(f"/{document}/file", headers={"range": "lines=1-2"}).content == paper
    beyond = server.get(f"/{document}/file", headers={"range": f"bytes={len(paper)}-"})
    assert is_problem(beyond, 416)
    assert beyond.headers["content-range"] == f"bytes */{len(paper)}"


def test_head_is_get_without_a_body(server, document, paper):
    answer = server.client.head(f"/{document}/file")
    assert answer.headers["content-length"] == str(len(paper))
    assert answer.content == b""


def test_what_was_extracted_is_reused_and_says_from_where(start, paper):
    server = start()
    first, second = server.add(paper), server.add(paper)
    assert "rowen-reuse" not in server.get(f"/{first}/header").headers
    repeated = server.get(f"/{first}/citations")
    assert repeated.headers["rowen-reuse"] == f"exact; source={first}"
    header = server.get(f"/{second}/header")
    assert header.headers["rowen-reuse"] == f"exact; source={first}"
    server.delete(f"/{first}")
    left = server.get(f"/{second}/header")
    assert left.headers["rowen-reuse"] == f"exact; source={second}"
    assert left.content == header.content


def test_equal_documents_are_read_once_at_once(start, paper):
    server = start(workers=2)
    documents = [server.add(paper) for _ in range(6)]
    with ThreadPoolExecutor(6) as threads:
        answers = list(
            threads.map(
                lambda document: httpx.get(f"{server.url}/{document}/body", timeout=60), documents
            )
        )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    [fresh] = [answer for answer in answers if "rowen-reuse" not in answer.headers]
    source = str(fresh.url).split("/")[-2]
    reused = {answer.headers["rowen-reuse"] for answer in answers if answer is not fresh}
    assert reused == {f"exact; source={source}"}


def test_a_deleted_document_is_gone(server, paper):
    document = server.add(paper)
    answer = server.delete(f"/{document}", params={"output": "json"})
    assert answer.json() == {"deleted": document}
    for path in ("", "/file", "/header", "/text", "/records?extractor=a"):
        assert is_problem(server.get(f"/{document}{path}"), 404)
    assert is_problem(server.delete(f"/{document}"), 404)


def test_pages_and_texts(server):
    html = "<title>A &amp; B</title><script>no()</script><p>Some <b>bo</b>ld<p>words"
    page = server.add(html.encode())
    assert server.get(f"/{page}", params={"output": "json"}).json()["media_type"] == "text/html"
    assert server.get(f"/{page}/text").text == "A & B\nSome bold\nwords\n"
    text = server.add("Grüße\n".encode("latin-1"))
    assert server.get(f"/{text}", params={"output": "json"}).json()["media_type"] == "text/plain"
    assert server.get(f"/{text}/text").text == "Grüße\n"


def test_pages_and_texts_have_header_citations_and_body(server):
    page = server.add(b"<meta name='citation_title' content='A title'><p>Some words</p>")
    description = server.get(f"/{page}", params={"output": "json"}).json()
    assert {"header", "citations", "body"} < set(description["uris"])
    header = server.get(f"/{page}/header", params={"output": "json"}).json()
    assert header["title"] == "A title"
    assert "no layout" in header["warnings"][0]
    text = server.add(
        b"A title of words\n\nSome text.\n\nReferences\n\n"
        b"[1] Knuth, D. 1984. Literate programming. Computer Journal 27, 97-111.\n"
        b"[2] Lamport, L. 1978. Time and clocks. Commun. ACM 21, 558-565.\n"
    )
    cited = server.get(f"/{text}/citations", params={"output": "json"}).json()["citations"]
    assert [citation["year"] for citation in cited] == ["1984", "1978"]
    assert server.get(f"/{text}/body").status_code == 200


def test_a_page_that_is_opened_can_do_nothing(server):
    page = server.add(b"<html><script>alert(1)</script>")
    headers = server.get(f"/{page}/file").headers
    assert headers["content-disposition"].startswith("attachment")
    assert headers["content-security-policy"] == "sandbox; default-src 'none'"
    assert headers["x-content-type-options"] == "nosniff"


def test_registered_extractors_run_over_documents(server, paper):
    put = server.put("/extractors/rooms", content=RULES)
    assert (put.status_code, put.headers["location"]) == (201, "/extractors/rooms")
    assert "rooms" in server.get("/extractors").json()
    assert server.get("/extractors/rooms").text == RULES
    page = server.add(b"<p>CS 105 and CS310</p>")
    query = {"extractor": "rooms"}
    first = server.get(f"/{page}/records", params=query)
    values = [record["values"] for record in first.json()["records"]]
    assert values == [{"room": "CS 105"}, {"room": "CS310"}]
    assert first.json()["records"][0]["spans"] == {"room": [3, 9]}
    assert "rowen-reuse" not in first.headers
    lines = server.get(f"/{page}/records", params={**query, "output": "jsonl"})
    assert lines.headers["rowen-reuse"] == f"exact; source={page}"
    assert [json.loads(line)["values"] for line in lines.text.splitlines()] == values
    changed = RULES.replace("CS ?", "CS ")
    assert server.put("/extractors/rooms", content=changed).status_code == 200
    repeated = server.get(f"/{page}/records", params=query)
    assert [record["values"] for record in repeated.json()["records"]] == [{"room": "CS 105"}]
    title = json.dumps({"rowen": 1, "kind": "pattern", "pattern": "(?P<name>FMIExchange.jl):"})
    assert server.put("/extractors/title", content=title).status_code == 201
    records = server.get(f"/{server.add(paper)}/records", params={"extractor": "title"})
    assert records.json()["records"][0]["values"] == {"name": "FMIExchange.jl"}
    assert server.delete("/extractors/rooms").json() == {"deleted": "rooms"}
    assert is_problem(server.get("/extractors/rooms"), 404)
    assert is_problem(server.get(f"/{page}/records", params=query), 404)
    assert is_problem(server.get(f"/{page}/records"), 422)


@pytest.mark.parametrize("name", ["header", "text", "file", "records"])
def test_an_extractor_may_be_called_as_a_representation_is(server, name):
    assert server.put(f"/extractors/{name}", content=RULES).status_code == 201
    assert server.get(f"/extractors/{name}").text == RULES
    assert server.delete(f"/extractors/{name}").json() == {"deleted": name}


@pytest.mark.parametrize(
    ("definition", "message"),
    [
        ("", "unknown kind"),
        ("{", "malformed JSON"),
        ("a = ", "malformed TOML"),
        ("kind = 'pattern'\npattern = '('", "pattern"),
        ("kind = 'dictionary'\nfield = 'a'\nfile = '/etc/passwd'", "not in a 'file'"),
        ('{"kind": "relation", "x": [{"kind": "dictionary", "file": "a"}]}', "not in a 'file'"),
        ('{"kind": "pattern", "x": ' + '{"y": ' * 600 + "1" + "}" * 601, "unknown setting"),
        (b"\xff", "UTF-8"),
        ("a = " + "[" * 100_000, "nested too deeply"),
    ],
)
def test_a_definition_that_is_no_good_is_refused_and_says_why(server, definition, message):
    answer = server.put("/extractors/wrong", content=definition)
    assert is_problem(answer, 422)
    assert message in answer.json()["detail"]
    assert is_problem(server.get("/extractors/wrong"), 404)


def test_an_idempotency_key_makes_one_document(server):
    key = {"headers": {"idempotency-key": "k1"}, "params": {"output": "json"}}
    first = server.post(b"some text", **key)
    assert (first.status_code, server.post(b"some text", **key).json()) == (201, first.json())
    assert is_problem(server.post(b"other text", **key), 409)
    assert is_problem(server.post(b"text", headers={"idempotency-key": "k" * 300}), 422)


def test_operations(server):
    assert server.get("/livez").json() == {"status": "ok"}
    server.get(f"/{server.add(b'text')}/text")
    ready = server.get("/readyz").json()
    assert (ready["status"], ready["workers"]) == ("ok", "confined")
    in_force = ready["confinement"]
    assert (in_force["seccomp"], in_force["memory"]) == (True, True)
    assert in_force["landlock"] is False or in_force["landlock"] > 0
    assert "rowen_requests_total" in server.get("/metrics").text
    assert "POST /" in server.get("/docs").text
    assert "://" not in server.get("/docs").text
    described = server.get("/openapi.json").json()
    assert {"/", "/{document_id}", "/{document_id}/records", "/extractors/{name}"} <= set(
        described["paths"]
    )


@pytest.mark.parametrize(
    ("method", "path", "status", "allow"),
    [
        ("GET", "/nothing/there/at/all", 404, None),
        ("POST", "/livez", 405, "GET, HEAD"),
        ("PATCH", "/" + "0" * 32, 405, "DELETE, GET, HEAD"),
        ("POST", "/extractors/a", 405, "DELETE, GET, HEAD, PUT"),
        ("GET", "/", 405, "POST"),
    ],
)
def test_other_calls_are_problems_too(server, method, path, status, allow):
    answer = server.client.request(method, path)
    assert is_problem(answer, status)
    assert answer.headers.get("allow") == allow


def test_logs_have_ids_and_no_content(server):
    headers = {"x-request-id": "my-id.1"}
    answer = server.post(b"a very secret text", headers=headers)
    assert answer.headers["x-request-id"] == "my-id.1"
    assert server.get("/livez", headers={"x-request-id": "no good!"}).headers["x-request-id"] != ""
    lines = server.log.read_text().splitlines()[1:]
    entries = [json.loads(line) for line in lines]
    [own] = [entry for entry in entries if entry.get("request") == "my-id.1"]
    assert (own["method"], own["route"], own["status"]) == ("POST", "/", 201)
    assert "secret" not in "".join(lines)
