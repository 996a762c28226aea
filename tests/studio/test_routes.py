"""The studio over HTTP."""

from uuid import uuid4

import httpx
import pytest

PAGE = b"<li>one 1</li><li>two 2</li><li>three 3</li>"


@pytest.fixture
def api(server):
    """The URL of a project with one page, and a client."""
    with httpx.Client(timeout=60) as client:
        root = f"{server.url}/studio/api"
        name = f"p-{uuid4()}"
        assert client.post(f"{root}/projects", json={"name": name}).status_code == 201
        yield Api(client, f"{root}/projects/{name}", root)


class Api:
    def __init__(self, client, url, root):
        self.client, self.url, self.root = client, url, root
        self.add("a.html", PAGE)

    def add(self, name, content, **options):
        return self.client.post(
            f"{self.url}/pages", params={"page": name}, content=content, **options
        )

    def state(self):
        return self.client.get(self.url).json()

    def act(self, action, revision=None):
        shown = {"revision": self.state()["revision"] if revision is None else revision}
        return self.client.post(f"{self.url}/actions", json={**shown, "action": action})

    def mark(self, *records, complete=False):
        splice = {"do": "splice", "page": "a.html", "start": 0, "end": 0, "complete": complete}
        return self.act({**splice, "records": list(records)})


def test_marks_are_learned_from_and_judged(api):
    api.act({"do": "fields", "fields": ["word"]})
    assert api.mark({"word": [4, 7]}).status_code == 200
    proposals = api.client.get(f"{api.url}/proposals").json()
    assert proposals["revision"] == api.state()["revision"]
    spans = [record["word"] for record in proposals["pages"]["a.html"]["records"]]
    assert spans == [[4, 7], [18, 21], [32, 37]]
    judged = api.client.get(f"{api.url}/judgement").json()
    assert judged["next"] == "a.html"
    assert 0 <= judged["pages"]["a.html"]["certainty"] <= 1


def test_before_anything_is_marked_nothing_is_proposed_or_judged(api):
    assert api.client.get(f"{api.url}/proposals").json()["pages"] == {}
    assert api.client.get(f"{api.url}/judgement").json()["next"] is None


def test_a_page_is_shown_with_its_source_and_what_recognizers_find(api):
    view = api.client.get(f"{api.url}/pages/a.html/view").json()
    assert view["page"] == "a.html"
    assert api.client.get(f"{api.url}/pages/a.html/source").json()["text"].encode() == PAGE
    spans = api.client.get(f"{api.url}/pages/a.html/recognized", params={"use": "number"}).json()
    assert [8, 9] in spans["number"]


def test_a_view_that_a_browser_has_is_not_made_again(api):
    view = api.client.get(f"{api.url}/pages/a.html/view")
    headers = {"If-None-Match": view.headers["ETag"]}
    assert api.client.get(f"{api.url}/pages/a.html/view", headers=headers).status_code == 304
    api.add("b.html", b"<p>two</p>")
    assert api.client.get(f"{api.url}/pages/b.html/view", headers=headers).status_code == 200


def test_a_window_that_is_behind_is_reported(api):
    late = api.state()["revision"]
    api.act({"do": "fields", "fields": ["word"]})
    answer = api.act({"do": "fields", "fields": []}, revision=late)
    assert answer.status_code == 409
    assert answer.headers["content-type"] == "application/problem+json"
    assert "another window" in answer.json()["detail"]
    for what in ("undo", "redo"):
        assert api.client.post(f"{api.url}/{what}", json={"revision": late}).status_code == 409


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_can_write_nothing(api, headers):
    before = api.state()
    writes = [
        api.add("b.html", b"<p>x</p>", headers={**headers, "Content-Type": "text/plain"}),
        api.client.post(f"{api.root}/projects", json={"name": "evil"}, headers=headers),
        api.client.post(f"{api.url}/undo", json={"revision": before["revision"]}, headers=headers),
        api.client.delete(api.url, headers=headers),
    ]
    assert [response.status_code for response in writes] == [403] * 4
    assert api.state() == before


def test_the_studios_own_page_may_write(api, server):
    answer = api.add(
        "b.html", b"<p>x</p>", headers={"Origin": server.url, "Sec-Fetch-Site": "same-origin"}
    )
    assert answer.status_code == 201


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("actions", b"no json"),
        ("actions", b"[" * 100_000),
        ("actions", b'{"revision": 1e400, "action": {"do": "undo"}}'),
        ("actions", b'{"revision": 1, "action": {"do": "splice", "page": "\\ud800"}}'),
        ("actions", b'{"revision": 1}'),
        ("undo", b'{"revision": "x"}'),
        ("redo", b"{}"),
        ("undo", b'{"revision": 1, "more": 2}'),
    ],
)
def test_hostile_json_is_answered_with_a_problem(api, path, body):
    answer = api.client.post(
        f"{api.url}/{path}", content=body, headers={"Content-Type": "application/json"}
    )
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


def test_what_is_not_there_is_not_found(api):
    for path in ("projects/none", "projects/..%2f..", "projects/none/proposals"):
        assert api.client.get(f"{api.root}/{path}").status_code == 404
    assert api.client.get(f"{api.url}/pages/none/view").status_code == 400
    for name in ("none.js", "..%2fstudio.py", "%2e%2e/project.py", "app.py"):
        assert api.client.get(f"{api.root[:-4]}/static/{name}").status_code == 404


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("a.pdf", b"%PDF-1.7 ...", 415),
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, 415),
        ("big.html", b"x" * (16 * 1024 * 1024 + 1), 415),
    ],
)
def test_what_is_no_page_is_refused(api, name, content, status):
    answer = api.add(name, content)
    assert answer.status_code == status
    assert name in answer.json()["detail"]
    assert api.state()["pages"] == ["a.html"]


def test_the_files_of_the_studio_allow_no_script_of_others(server):
    answer = httpx.get(f"{server.url}/studio")
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_settings_and_sample_are_there(api):
    settings = api.client.get(f"{api.root}/settings").json()
    assert {"auto", "hlrt", "token"} <= set(settings["classes"])
    assert "price" in settings["recognizers"]
    sample = api.client.get(f"{api.root}/sample").json()
    assert len(sample["pages"]) == 5


def test_texts_are_read_as_a_reader_sees_them(api):
    page = "<td><span>Poga\u010dar</span> Tadej<td><a title='a &amp; b'>1\xa0048</a>"
    api.add("b.html", page.encode())
    at = f"{api.url}/pages/b.html"
    sources = ["Poga\u010dar</span> Tadej", "a &amp; b", "1\xa0048", ""]
    spans = [[page.index(source), page.index(source) + len(source)] for source in sources]
    answer = api.client.post(f"{at}/readings", json={"spans": spans})
    assert answer.json()["texts"] == ["Poga\u010dar Tadej", "a & b", "1 048", ""]
    found = api.client.post(f"{at}/positions", json={"text": "Poga\u010dar Tadej"}).json()
    assert found == {"spans": [spans[0]], "resembling": None}
    found = api.client.post(f"{at}/positions", json={"text": "poga\u010dar tadej"}).json()
    assert found == {"spans": [], "resembling": "Poga\u010dar Tadej"}


@pytest.mark.parametrize(
    ("call", "body"),
    [
        ("readings", {"spans": [[-1, 2]]}),
        ("readings", {"spans": [[0, 1, 2]]}),
        ("readings", {"spans": [[0, 1]] * 2_001}),
        ("readings", {}),
        ("readings", {"spans": [], "type": "colour"}),
        ("positions", {"text": "x" * 10_001}),
        ("positions", {"text": 3}),
    ],
)
def test_wrong_places_and_texts_are_refused(api, call, body):
    answer = api.client.post(f"{api.url}/pages/a.html/{call}", json=body)
    assert answer.status_code == 422
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_places_beyond_the_page_read_as_nothing(api):
    answer = api.client.post(f"{api.url}/pages/a.html/readings", json={"spans": [[900, 990]]})
    assert answer.json()["texts"] == [""]
    missing = api.client.post(f"{api.url}/pages/none.html/readings", json={"spans": []})
    assert missing.status_code == 400


def test_a_page_whose_tree_is_huge_is_refused_and_the_service_goes_on(api):
    """Formatting elements that differ are opened again in every paragraph, a thousand each."""
    opened = "".join(f"<b id={number}>" for number in range(1000))
    bomb = f"<div>{opened}</div>{'<p>x</p>' * 250_000}".encode()
    for name, content, reasons in (
        ("bomb.html", bomb, ("memory", "took longer")),  # on a busy machine time is up first
        ("wide.html", b"<p>x" * 500_000, ("500,000 nodes",)),
        ("deep.html", b"<div>" * 600_000, ("500,000 nodes",)),
    ):
        assert api.add(name, content).status_code == 201
        answer = api.client.get(f"{api.url}/pages/{name}/view")
        assert answer.status_code == 422, answer.text
        assert any(reason in answer.json()["detail"] for reason in reasons)
    assert api.client.get(f"{api.url}/pages/a.html/view").status_code == 200
