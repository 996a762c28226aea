"""From marks to a published version, its drift, and its repair."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from serving import Server

import rowen

COUNTRIES = {
    "africa.html": [("Congo", "242"), ("Egypt", "20"), ("Benin", "229")],
    "europe.html": [("Belize", "501"), ("Spain", "34"), ("Malta", "356")],
    "asia.html": [("Japan", "81"), ("Nepal", "977")],
}


def html(rows, *, bold="b"):
    lines = "".join(f"<{bold}>{name}</{bold}> <i>{code}</i><br>\n" for name, code in rows)
    return f"<html><body><h1>Codes</h1><p>\n{lines}</p><hr>End</body></html>"


def marks(text, rows):
    records, at = [], 0
    for name, code in rows:
        start = text.index(f">{name}<", at) + 1
        end = start + len(name)
        at = text.index(f"<i>{code}<", end) + 3
        records.append({"country": [start, end], "code": [at, at + len(code)]})
    return records


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("studio") / "data")
    yield server
    assert server.end() == 0, server.log.read_text()


class Project:
    def __init__(self, server, name):
        self.server = server
        self.at = f"/studio/api/projects/{name}"
        server.client.post("/studio/api/projects", json={"name": name}).raise_for_status()

    def get(self, path="", **params):
        return self.server.get(self.at + path, params=params)

    def post(self, path, **options):
        return self.server.client.post(self.at + path, **options)

    def act(self, **action):
        revision = self.get().json()["revision"]
        answer = self.post("/actions", json={"revision": revision, "action": action})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def publish(self, name, **options):
        revision = self.get().json()["revision"]
        return self.post("/publish", json={"revision": revision, "name": name, **options})


@pytest.fixture
def project(server, request):
    project = Project(server, request.node.name[:90].replace("[", "-").replace("]", ""))
    for page, rows in COUNTRIES.items():
        project.post("/pages", params={"page": page}, content=html(rows)).raise_for_status()
    project.act(do="fields", fields=["country", "code"])
    return project


def mark(project, page, *, complete=True):
    rows = COUNTRIES[page]
    records = marks(html(rows), rows)
    project.act(
        do="splice", page=page, start=0, end=0, records=records, complete=complete, told="mark"
    )


def values(records):
    return [(record.values["country"], record.values["code"]) for record in records]


def test_what_is_published_is_offered_by_the_service_and_by_its_file(project, server):
    mark(project, "africa.html")
    rehearsal = project.get("/rehearsal").json()
    assert rehearsal["tests"] == [
        {"page": "africa.html", "passed": True, "missing": [], "extra": [], "failure": None}
    ]
    assert rehearsal["difference"] is None
    version = project.publish("codes").json()
    assert (version["name"], version["number"]) == ("codes", 1)
    page = html([("Peru", "51"), ("Chile", "56")])
    document = server.add(page.encode())
    answer = server.get(f"/{document}/records", params={"extractor": "codes"}).json()
    assert [record["values"] for record in answer["records"]] == [
        {"country": "Peru", "code": "51"},
        {"country": "Chile", "code": "56"},
    ]
    saved = next((server.data / "studio").glob("*/published/1-codes.json"))
    assert values(rowen.load(saved).extract(page)) == [("Peru", "51"), ("Chile", "56")]
    labels = saved.with_suffix(".labels.jsonl").read_text().splitlines()
    assert [json.loads(line)["page"] for line in labels] == ["africa.html"]
    assert set(version["snippets"]) == {"command line", "python", "http", "scrapy"}
    assert str(saved) in version["snippets"]["command line"]


def test_the_next_version_shows_how_it_differs(project):
    mark(project, "africa.html")
    assert project.publish("codes").status_code == 201
    project.act(do="fields", fields=["country"])
    difference = project.get("/rehearsal").json()["difference"]
    assert {change["page"] for change in difference["pages"]} == set(COUNTRIES)
    assert {"country": "Congo"} in next(
        change["came"] for change in difference["pages"] if change["page"] == "africa.html"
    )
    assert any(line.startswith("-") for line in difference["words"])
    assert project.publish("codes").json()["number"] == 2
    assert [version["number"] for version in project.get("/versions").json()] == [2, 1]


def test_nothing_is_published_that_was_not_looked_at(project):
    assert project.publish("codes").status_code == 422  # nothing is marked
    mark(project, "africa.html")
    stale = project.post("/publish", json={"revision": 0, "name": "codes"})
    assert stale.status_code == 409
    for name in ("", "../codes", "a b", "-x", "x" * 200):
        assert project.publish(name).status_code in {400, 422}, name
    assert project.get("/versions").json() == []


def test_a_page_whose_output_differs_blocks_publishing(project):
    mark(project, "africa.html")
    mark(project, "europe.html")
    project.act(
        do="splice", page="asia.html", start=0, end=0, complete=True, told="mark",
        records=marks(html(COUNTRIES["asia.html"]), COUNTRIES["asia.html"])[:1],
    )  # fmt: skip
    project.act(**{"do": "class", "class": "auto"})
    rehearsal = project.get("/rehearsal").json()
    if rehearsal["wrapper"] is None:
        assert project.publish("codes", anyway=True).status_code == 422
        return
    failed = [test["page"] for test in rehearsal["tests"] if not test["passed"]]
    assert failed
    refused = project.publish("codes")
    assert refused.status_code == 422
    assert failed[0] in refused.json()["detail"]
    assert project.publish("codes", anyway=True).status_code == 201


def test_drift_is_reported_and_repaired(project, server):
    mark(project, "africa.html")
    mark(project, "europe.html")
    project.publish("codes").raise_for_status()
    assert project.get("/repair", version=1).status_code == 422  # no new pages
    for page, rows in COUNTRIES.items():
        project.post("/visit", params={"page": page}, content=html(rows)).raise_for_status()
    assert project.get("/inspection", version=1).json()["drift"] is False
    server.delete(f"{project.at}/visit").raise_for_status()
    for page, rows in COUNTRIES.items():
        redesigned = html(rows, bold="strong")
        project.post("/visit", params={"page": page}, content=redesigned).raise_for_status()
    inspection = project.get("/inspection", version=1).json()
    assert inspection["drift"] is True
    assert project.post("/repair", json={"version": 1}).status_code == 409  # not looked at
    repair = project.get("/repair", version=1).json()
    assert len(repair["difference"]["pages"]) == len(COUNTRIES)
    version = project.post("/repair", json={"version": 1}).json()
    assert version["number"] == 2
    assert project.get("/inspection", version=2).json()["drift"] is False
    records = project.get("/inspection", version=2).json()["records"]["asia.html"]
    assert [(record["country"], record["code"]) for record in records] == COUNTRIES["asia.html"]


def test_new_pages_that_are_none_are_refused(project):
    for content in (b"%PDF-1.4 x", b"\x89PNG\r\n\x1a\n" + bytes(100)):
        assert project.post("/visit", params={"page": "a"}, content=content).status_code == 415
    project.post("/visit", params={"page": "../../x/../y.html"}, content="<p>x").raise_for_status()
    assert project.get("/visit").json() == ["y.html"]
    assert project.get("/inspection", version=7).status_code == 404


def test_a_paper_is_shown_and_can_do_no_harm(server):
    paper = Path(str(files("rowen.samples"))) / "papers" / "jcon.00187.pdf"
    document = server.add(paper.read_bytes())
    answer = server.get(f"/studio/papers/{document}")
    assert answer.headers["content-security-policy"] == "sandbox allow-scripts"
    assert "<svg" in answer.text
    text = server.add(b"just words <script>alert(1)</script>")
    shown = server.get(f"/studio/papers/{text}").text
    assert "just words" in shown
    assert "<script>alert" not in shown
    assert server.get(f"/studio/papers/{'0' * 32}").status_code == 404


LOST = (
    "<html><body><table><tr><td>Ada</td><td>1.20</td></tr><tr><td>Bob</td>"
    "<td>only today: 2.40!</td></tr><tr><td>Cid</td><td>was 4, now 3.60</td></tr></table>"
)


@pytest.fixture(scope="module")
def lost(server):
    """A project with a field that no rule finds."""
    project = Project(server, "lost field")
    project.post("/pages", params={"page": "lost.html"}, content=LOST.encode()).raise_for_status()
    project.act(do="fields", fields=["name", "price"])
    rows = [("Ada", "1.20"), ("Bob", "2.40"), ("Cid", "3.60")]
    records = [
        {
            name: [LOST.index(value), LOST.index(value) + len(value)]
            for name, value in zip(("name", "price"), row, strict=True)
        }
        for row in rows
    ]
    project.act(do="splice", page="lost.html", start=0, end=0, records=records, complete=True)
    return project


def test_what_a_wrapper_misses_is_reported_in_the_panel_and_when_it_is_published(lost, server):
    explanation = lost.get("/proposals").json()["explanation"]
    (warning,) = explanation["warnings"]
    assert (warning["kind"], warning["field"]) == ("field-lost", "price")
    assert explanation["warned"] == [f"price: lost.html: {warning['message']}"]
    version = lost.publish("lost", anyway=True).json()
    assert version["warnings"] == [warning]
    saved = server.get("/extractors/lost").json()
    assert saved["warnings"] == [warning]
    copied = server.client.put("/extractors/again", content=json.dumps(saved))
    assert copied.json()["warnings"] == [warning]
    rules = '{"kind": "pattern", "pattern": "(?P<a>x)"}'
    assert server.client.put("/extractors/rules", content=rules).json()["warnings"] == []
