"""Both clients against a service in a process of its own."""

import io
import json
import os
import threading

import pytest

import rowen
from rowen.client.answers import Reuse

TITLE = "FMIExchange.jl: Foreign Models Through a Familiar Interface"
RULES = "kind = 'pattern'\nname = 'years'\npattern = '(?P<year>(19|20)\\d\\d)'\n"


@pytest.fixture(scope="module")
def document(server, paper):
    return server.add(paper.read_bytes())


def test_a_path_bytes_and_a_file_become_documents(client, paper):
    data = paper.read_bytes()
    by_path = client.submit(paper)
    assert (by_path.name, by_path.size, by_path.media_type) == (
        paper.name,
        len(data),
        "application/pdf",
    )
    assert client.describe(by_path) == by_path
    assert client.submit(str(paper)).name == paper.name
    by_bytes = client.submit(data, name='Größe "1".pdf\r\nX: 1')
    with paper.open("rb") as file:
        by_file = client.submit(file)
    assert by_bytes.name == 'Größe "1".pdfX: 1'
    assert by_file.name == paper.name
    assert {by_path.digest, by_bytes.digest, by_file.digest} == {by_path.digest}
    assert len({by_path.id, by_bytes.id, by_file.id}) == 3
    assert client.file(by_bytes) == data


def test_a_file_is_sent_from_its_current_position(client):
    file = io.BytesIO(b"left out, sent")
    file.seek(10)
    assert client.file(client.submit(file)) == b"sent"


def test_a_pipe_is_sent_though_its_length_is_not_known(client):
    reading, writing = os.pipe()
    text = b"a line of text\n" * 100_000

    def write():
        with os.fdopen(writing, "wb") as file:
            file.write(text)

    thread = threading.Thread(target=write)
    thread.start()
    with os.fdopen(reading, "rb") as file:
        assert client.submit(file).size == len(text)
    thread.join()


def test_a_key_makes_one_document_of_two_submissions(client, paper):
    first = client.submit(paper, key="chosen by the caller")
    assert client.submit(paper, key="chosen by the caller").id == first.id


def test_the_parts_of_a_paper_are_the_values_that_reading_it_here_gives(client, document, paper):
    read = rowen.read_paper(paper)
    header = client.header(document)
    assert header.value.title == TITLE
    assert header.value.authors == read.authors
    of_body = ("citations", "body", "figures", "tables", "formulas", "footnotes", "pages")
    assert header.value.to_dict() == {
        **read.to_dict(),
        **{name: [] for name in of_body},
        "text": "",
    }
    assert client.citations(document).value == read.citations
    assert client.body(document).value == read.body
    text = client.text(document)
    assert text.value == f"{read.text}\n"
    assert text.version.startswith(rowen.__version__)


def test_an_answer_says_what_was_reused(client, document, paper):
    client.header(document)
    again = client.submit(paper)
    assert client.header(again).reuse == Reuse("exact", document)
    fresh = client.submit(f"a text of its own: {again.id}".encode())
    assert client.text(fresh).reuse is None


def test_parts_in_other_forms(client, document):
    assert client.export(document, "citations", "bibtex").value.startswith("@")
    assert json.loads(client.export(document, "header", "json").value)["title"] == TITLE
    assert "<TEI" in client.export(document, "body", "tei").value


def test_an_extractor_is_put_run_shown_and_forgotten(client, document, tmp_path):
    client.put_extractor("years", RULES)
    (tmp_path / "rules.toml").write_text(RULES)
    client.put_extractor("years", tmp_path / "rules.toml")
    assert client.extractor("years") == RULES
    assert "years" in client.extractors()
    found = client.records(document, "years").value
    assert found.records[0]["values"]["year"].isdecimal()
    assert found.failures == ()
    client.delete_extractor("years")
    assert "years" not in client.extractors()


def test_a_deleted_document_is_gone(client):
    document = client.submit(b"soon gone")
    client.delete(document)
    with pytest.raises(rowen.ServiceError) as caught:
        client.describe(document)
    assert caught.value.status == 404
    assert isinstance(caught.value, rowen.UsageError)
    assert caught.value.problem["detail"] == "document not found"


def test_errors_are_those_of_rowen_with_the_message_of_the_service(client, tmp_path):
    document = client.submit(b"%PDF-1.7 but no more")
    with pytest.raises(rowen.InputError, match="the service answered 422") as caught:
        client.header(document)
    assert isinstance(caught.value, rowen.ServiceError)
    assert caught.value.problem["status"] == caught.value.status == 422
    with pytest.raises(rowen.InputError):
        client.put_extractor("bad", "kind = 'none'")
    with pytest.raises(rowen.SourceError, match="can't read"):
        client.submit(tmp_path / "nowhere.pdf")


@pytest.mark.parametrize("name", ["../livez", "a/b", "ü", "%2e", "?x"])
def test_odd_ids_stay_ids(client, name):
    with pytest.raises(rowen.ServiceError) as caught:
        client.header(name)
    assert caught.value.status == 404


def test_addresses_that_are_none(connect):
    for url in ("ftp://localhost", "localhost:8080", "http://[::"):
        with pytest.raises(rowen.UsageError, match="not the URL of a service"):
            connect(url)
