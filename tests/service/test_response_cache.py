"""Answers held in memory are those that would be given without it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen.service.response_cache import CachedResponse, ResponseCache


def ask(server, path, **headers):
    """The same question until its answer comes from memory."""
    for _ in range(3):
        answer = server.get(path, headers=headers)
    return answer


def told(answer):
    """All of an answer but what is for one request only."""
    own = {"x-request-id", "date"}
    headers = [(name, value) for name, value in answer.headers.multi_items() if name not in own]
    return answer.status_code, sorted(headers), answer.content


@pytest.fixture
def documents(server, paper):
    return [server.add(paper) for _ in range(2)]


@pytest.mark.parametrize("stage", ["header", "citations", "body", "text"])
def test_an_answer_from_memory_is_the_one_from_the_store(server, documents, stage):
    server.get(f"/{documents[0]}/{stage}")
    for document in documents:
        first = server.get(f"/{document}/{stage}")
        hot = ask(server, f"/{document}/{stage}")
        assert told(hot) == told(first)
        assert len(hot.headers.get_list("x-request-id")) == 1
        unchanged = server.get(
            f"/{document}/{stage}", headers={"if-none-match": hot.headers["etag"]}
        )
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        assert unchanged.headers["etag"] == hot.headers["etag"]
        changed = server.get(f"/{document}/{stage}", headers={"if-none-match": '"other"'})
        assert told(changed) == told(hot)
        head = server.client.head(f"/{document}/{stage}")
        assert (head.status_code, head.content) == (200, b"")


def test_what_is_asked_for_is_what_is_given(server, documents):
    path = f"/{documents[0]}/header"
    for _ in range(3):
        assert server.get(path).headers["content-type"] == "application/xml"
        assert server.get(path, headers={"accept": "application/json"}).json()
        assert server.get(path, params={"output": "json"}).json()
        assert server.get(path, params={"output": "tei"}).text.count("<TEI") == 1
        assert server.get(path, params={"output": "pdf"}).status_code == 422
        assert server.get(path, params={"output": ["xml", "json"]}).json()
        assert server.get(path, headers={"accept": "image/png"}).status_code == 406


def test_a_deleted_document_is_gone_at_once(server, documents):
    path = f"/{documents[0]}/text"
    assert ask(server, path).status_code == 200
    server.delete(f"/{documents[0]}")
    assert server.get(path).status_code == 404


def test_the_source_of_an_answer_is_one_that_is_there(start, paper):
    server = start()
    first, second = server.add(paper), server.add(paper)
    server.get(f"/{first}/header")
    assert ask(server, f"/{second}/header").headers["rowen-reuse"].endswith(first)
    server.delete(f"/{first}")
    assert ask(server, f"/{second}/header").headers["rowen-reuse"].endswith(second)


def test_answers_from_memory_are_counted(start):
    server = start()
    document = server.add(b"a text")
    for _ in range(10):
        server.get(f"/{document}/text")
    counted = 'rowen_results_total{reuse="%s",stage="text"}'
    assert server.number(counted % "none") == 1
    assert server.number(counted % "exact") == 9
    route = 'rowen_requests_total{method="GET",route="/{document_id}/text",status="200"}'
    assert server.number(route) == 10


def hot(size):
    return CachedResponse("", "", [], b"x" * size, None)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["put", "get", "forget"]),
            st.sampled_from("abcd"),
            st.sampled_from(["header", "text"]),
            st.integers(0, 4000),
        )
    )
)
def test_memory_has_an_end_and_keeps_what_was_used_last(deeds):
    answers, order = ResponseCache(8000), []
    for deed, document, stage, size in deeds:
        question = stage, b"", ()
        if deed == "put":
            answers.put(document, question, hot(size))
            order = [entry for entry in order if entry[0] != document] + [
                (document, {**dict(order).get(document, {}), stage: size + 1024})
            ]
            while sum(sum(held.values()) for _, held in order) > 8000:
                del order[0]
        elif deed == "get":
            response = answers.get(document, question)
            assert (response and response.size) == dict(order).get(document, {}).get(stage)
            order.sort(key=lambda entry: entry[0] == document)
        else:
            answers.forget(document)
            order = [entry for entry in order if entry[0] != document]
        assert answers.size == sum(sum(held.values()) for _, held in order) <= 8000
