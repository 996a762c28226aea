"""A language model as the recognizer, against a local server in its protocol."""

import json

import pytest
from benchmarks.model_server import ModelServer
from bookshop import BOOKS, labels, old_page

import rowen
from rowen.learning.recognizers.model import KEY, MODEL_ANSWER_BYTES, ground, readable
from rowen.model import ExtractorError, Page, ServiceError
from rowen.recognizers import load_recognizers

pytestmark = pytest.mark.slow

PAGES = [
    Page(old_page(BOOKS[start : start + 4]).decode(), id=f"{start}.html") for start in range(6)
]
KNOWN = {readable(page.text): labels(BOOKS[start : start + 4]) for start, page in enumerate(PAGES)}
OTHER = Page(old_page([("Wind", "Eve Dunn", "5.00"), ("Ice", "Al Poe", "6.10")]).decode())
FILE = """
[[recognizer]]
use = "model"
url = "{url}"
model = "a-model"
[recognizer.fields]
title = "the title of the book"
author = "who wrote it"
price = "its price, as a number"
"""


@pytest.fixture
def recognizers(tmp_path):
    def load(url, more=""):
        path = tmp_path / "model.toml"
        path.write_text(
            FILE.format(url=url).replace("[recognizer.fields]", f"{more}[recognizer.fields]")
        )
        return load_recognizers(path)

    return load


def test_three_calls_make_a_wrapper_that_runs_without_any_further_one(recognizers, tmp_path):
    with ModelServer(KNOWN) as server:
        wrapper = rowen.learn(recognizers=recognizers(server.url), pages=PAGES)
        asked = len(server.questions)
    found = [record.values for record in wrapper.extract(OTHER)]
    assert found == labels([("Wind", "Eve Dunn", "5.00"), ("Ice", "Al Poe", "6.10")])
    assert asked == 3
    assert "3 calls of a-model" in wrapper.reason
    wrapper.save(tmp_path / "w.json")
    again = rowen.load(tmp_path / "w.json")
    assert [record.values for record in again.extract(OTHER)] == found


@pytest.mark.parametrize("rate", [0.1, 0.2, 0.3, 0.4])
def test_mistakes_of_the_model_are_not_learned(recognizers, rate):
    wrong = 0
    for seed in range(5):
        with ModelServer(KNOWN, rate=rate, seed=f"{seed}") as server:
            wrapper = rowen.learn(recognizers=recognizers(server.url), pages=PAGES)
        found = [record.values for record in wrapper.extract(OTHER)]
        wrong += found != labels([("Wind", "Eve Dunn", "5.00"), ("Ice", "Al Poe", "6.10")])
    assert wrong <= (1 if rate < 0.4 else 2)


def test_what_is_not_on_the_page_is_dropped():
    text = "<p>Congo</p><p title='Egypt'>Congolese &amp; Co</p>"
    answer = [
        {"a": "Congo", "b": "Atlantis"},
        {"a": "Congolese & Co", "b": 242},
        {"a": None, "b": " "},
        "Congo",
        {"a": ["Congo"]},
    ]
    found = ground(text, answer, {"a": "", "b": ""})
    assert [text[slice(*at)] for at in found["a"]] == ["Congo", "Congolese &amp; Co"]
    assert found["b"] == []


def test_the_model_sees_what_a_reader_sees():
    text = (
        "<h1>A<b>B</b></h1><script>x = 1</script><p>Tom &amp;\n Jerry<br>two<!-- no --></p><p> </p>"
    )
    assert readable(text) == "AB\nTom & Jerry\ntwo"
    assert readable("plain <text> & more") == "plain <text> & more"


def test_the_key_is_sent_to_the_server_and_is_nowhere_else(recognizers, tmp_path, monkeypatch):
    secret = "s3cret-key-of-a-model"
    monkeypatch.setenv(KEY, secret)
    monkeypatch.setenv("OTHER_KEY", "another")
    with ModelServer(KNOWN) as server:
        wrapper = rowen.learn(recognizers=recognizers(server.url), pages=PAGES)
        load = recognizers(server.url, 'key_variable = "OTHER_KEY"\npages = 1\n')
        load[0].find(PAGES[0])
        sent = [headers["Authorization"] for headers in server.headers]
        bodies = json.dumps(server.questions)
    wrapper.save(tmp_path / "w.json")
    assert sent == [f"Bearer {secret}"] * 3 + ["Bearer another"]
    assert secret not in (tmp_path / "w.json").read_text() + wrapper.describe() + bodies


def test_a_busy_server_is_asked_again_and_another_failure_is_an_error(recognizers, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda _: None)
    with ModelServer(KNOWN) as server:
        server.answers = [(429, b"{}"), (503, b"")]
        (titles, *_) = recognizers(server.url)
        assert len(titles.find(PAGES[0])) == 4
        for status, body, reason in (
            (401, b"{}", "answered 401"),
            (307, b"", "answered 307"),  # the key must not go to another server
            (200, b"no json", "answered no JSON"),
            (200, b"[1]", "no JSON object"),
            (200, b"x" * (MODEL_ANSWER_BYTES + 1), "more than"),
        ):
            server.answers = [(status, body)]
            (titles, *_) = recognizers(server.url)
            with pytest.raises(ServiceError, match=reason):
                titles.find(PAGES[1])
        asked = len(server.questions)
        server.answers = [(500, b"")] * 5
        with pytest.raises(ServiceError, match="answered 500"):
            titles.find(PAGES[2])
        assert len(server.questions) == asked + 3
    with pytest.raises(ServiceError, match="can't be asked"):
        titles.find(PAGES[3])


@pytest.mark.parametrize(
    "content",
    ["", "[]", "null", '{"records": 3}', '{"records": [3, null, [], {"title": {}}]}', "[" * 5000,
     '{"records": [{"title": "' + "x" * 100_000 + '"}]}'],
)  # fmt: skip
def test_a_model_that_answers_nonsense_has_recognized_nothing(recognizers, content):
    answer = {"choices": [{"message": {"content": content}}], "usage": "free"}
    with ModelServer(KNOWN) as server:
        for body in (json.dumps(answer).encode(), b'{"choices": []}', b'{"choices": 1}', b"{}"):
            server.answers = [(200, body)]
            (titles, *_) = recognizers(server.url)
            assert titles.find(PAGES[0]) == []
        server.answers = [(200, json.dumps(answer).encode())] * 3
        with pytest.raises(rowen.errors.InputError, match="no field is recognized perfectly"):
            rowen.learn(recognizers=recognizers(server.url), pages=PAGES)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (('model = "a-model"', ""), "'model' is a string"),
        (("http://", "ftp://"), "not the address"),
        (("http://", "http://me:secret@"), "not the address"),
        (('model = "a-model"', 'model = "a-model"\nkey = "abc"'), "not kept in files"),
        (('model = "a-model"', 'model = "a-model"\npages = 0'), "a number from 1"),
        (('model = "a-model"', 'model = "a-model"\npages = true'), "a number from 1"),
        (('model = "a-model"', 'model = "a-model"\nspeed = 1'), "unknown setting 'speed'"),
        (('"who wrote it"', "3"), "'fields.author' is a string"),
        (("[recognizer.fields]", "[recognizer.columns]"), "unknown setting"),
    ],
)
def test_a_malformed_table_is_refused(tmp_path, change, reason):
    path = tmp_path / "model.toml"
    path.write_text(FILE.format(url="http://127.0.0.1:1/v1").replace(*change))
    with pytest.raises(ExtractorError, match=reason):
        load_recognizers(path)
    many = "".join(f'f{number} = "x"\n' for number in range(9))
    path.write_text(FILE.format(url="http://127.0.0.1:1/v1") + many)
    with pytest.raises(ExtractorError, match="no more than 8"):
        load_recognizers(path)
