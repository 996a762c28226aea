"""The report of papers is parsed back as a browser would, and compared with the papers."""

import re
from base64 import b64encode
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest
import turbohtml
from pdfs import pdf, wide

from rowen.export import paper_report
from rowen.export.paper_report import written_report
from rowen.papers.paper import examine, pictured, read_closely
from rowen.papers.zones import Zones
from rowen.pdf import read_layout

PAPERS = Path(str(files("rowen.samples"))) / "papers"
HOSTILE = [
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</text></svg><script>alert(1)</script>",
    "</title></a></tspan><svg/onload=alert(1)>",
    "</style><script>alert(1)</script>",
    "&lt;b&gt; &amp; &#60;script&#62;",
    "$papers $style ${script} {0} %s",
]


def report(readings):
    text = "".join(written_report(readings))
    return text, turbohtml.parse(text)


@pytest.fixture(scope="module")
def readings():
    paths = sorted(PAPERS.glob("*.pdf"))
    return [(path.name, pictured(read_closely(path), path.read_bytes())) for path in paths]


@pytest.fixture(scope="module")
def shown(readings):
    return report(readings)


def anchors(parsed):
    return [one.attrs["id"] for one in parsed.select("main [id]")]


def test_every_line_of_every_page_is_shown(readings, shown):
    text, _ = shown  # without what is shown when the mouse rests on a mark
    parsed = turbohtml.parse(re.sub("<title>.*?</title>", "", text, flags=re.DOTALL))
    found = [
        "".join("".join(one.text for one in sheet.select("text")).split())
        for sheet in parsed.select("svg")
    ]
    assert found == [
        "".join("".join(line.text for line in reading.layout.lines if line.page == page).split())
        for _, reading in readings
        for page in range(len(reading.layout.pages))
    ]


def test_names_of_places_are_used_once_and_every_link_leads_to_one(shown):
    _, parsed = shown
    names = anchors(parsed)
    assert len(names) == len(set(names))
    goals = {one.attrs["href"] for one in parsed.select("main a")}
    assert len(goals) > 50
    assert goals <= {f"#{name}" for name in names}


def test_markers_lead_to_references_and_back(readings, shown):
    _, parsed = shown
    count = 0
    for number, (_, reading) in enumerate(readings, start=1):
        for section in reading.paper.body:
            for marker in section.markers:
                if marker.citations:
                    count += 1
        for i, citation in enumerate(reading.paper.citations):
            item = parsed.select_one(f"#p{number}-cited{i}")
            assert item.select_one("a").attrs["href"] == f"#p{number}-reference{i}"
            assert citation.title is None or citation.title in item.text
    assert count == len(parsed.select("rect.marker[id]")) > 0


def test_the_policy_admits_nothing_but_the_style_and_the_script(shown):
    text, parsed = shown
    policy = parsed.select_one("meta[http-equiv]").attrs["content"]
    for name in ("style", "script"):
        (inside,) = re.findall(rf"<{name}>(.*?)</{name}>", text, re.DOTALL)
        digest = b64encode(sha256(inside.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "img-src data:;" in policy
    assert "unsafe" not in policy
    assert not re.search(r"https?:|url\(|@import|\bsrc=|\bstyle=", text.split("<main>")[0])
    assert not parsed.select("main [src], main [style], main script, main link, main img")
    linked = [one.attrs["href"] for one in parsed.select("main [href]")]
    assert all(goal.startswith(("#", "data:image/png;base64,")) for goal in linked)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_nothing_from_a_pdf_becomes_markup(hostile):
    lines = [
        (72, 740, 20, hostile), (72, 700, 10, f"As said [1] {hostile}"),
        (72, 600, 12, "References"), (72, 580, 10, f"[1] Smith, J. (2004). {hostile}. Journal."),
    ]  # fmt: skip
    content = pdf([lines])
    text, parsed = report([(hostile, pictured(read_closely(content), content))])
    _, harmless = report([("a.pdf", read_closely(pdf([lines[2:3]])))])
    kinds = {"text", "tspan", "rect", "a", "title", "li", "ol", "dl", "dt", "dd", "svg", "small",
             "details", "summary", "p", "ul", "figure", "figcaption", "div", "span", "h2",
             "h3", "image"}  # fmt: skip
    assert {one.tag for one in parsed.select("main *")} <= kinds
    assert len(parsed.select("script, style")) == len(harmless.select("script, style")) == 2
    assert not any(name.startswith("on") for one in parsed.select("*") for name in one.attrs)
    assert hostile in parsed.select_one("main").text
    assert text.count("<script>") == 1


def test_authors_of_one_name_have_places_of_their_own():
    layout = read_layout(pdf([[(72, 740, 20, "A Title"), (72, 700, 12, "Wei Zhang, Li Zhang")]]))
    zones = Zones(list(zip(layout.lines, ["title", "author"], strict=True)))
    _, parsed = report([("a.pdf", examine(layout, zones))])
    links = [one.attrs["href"] for one in parsed.select(".person a")]
    assert links == ["#p1-author0", "#p1-author1"]
    assert set(links) <= {f"#{name}" for name in anchors(parsed)}


def test_text_from_right_to_left_begins_at_the_right():
    _, parsed = report([("a.pdf", read_closely(wide([(72, 700, 12, "םלוע םולש")])))])
    line = parsed.select_one("svg text")
    assert line.attrs["direction"] == "rtl"
    assert float(line.attrs["x"]) > 72


@pytest.mark.parametrize("box", ["1e30", "0"])
def test_pages_of_no_size_are_shown(box):
    content = pdf([[(72, 700, 12, "Some words")]]).replace(b"612 792", f"{box} {box}".encode())
    _, parsed = report([("a.pdf", read_closely(content))])
    width, height = map(float, parsed.select_one("svg").attrs["viewbox"].split()[2:])
    assert 100 <= width < 16_000
    assert 100 <= height < 16_000


def test_what_finds_no_room_is_counted(readings, monkeypatch):
    monkeypatch.setattr(paper_report, "REPORT_CHARACTERS", 100)
    text, parsed = report([*readings, *readings])
    assert "3 further papers not shown: the report is full." in text
    assert "Pages from 2 on are not shown: the report is full." in text
    assert len(parsed.select("svg")) == 1


def test_pages_show_their_pictures_until_the_report_has_no_room_for_them(readings, monkeypatch):
    pages = sum(len(reading.layout.pages) for _, reading in readings)
    _, parsed = report(readings)
    assert len(parsed.select("svg image")) == pages
    first = readings[0][1].pictures[0]
    monkeypatch.setattr(paper_report, "REPORT_PICTURES", len(first.rows))
    text, parsed = report(readings)
    assert len(parsed.select("svg image")) == 1
    assert text.count("without its picture") == pages - 1
    assert len(parsed.select("svg")) == pages


def test_all_that_was_found_is_beside_the_pages_and_leads_to_its_place(readings, shown):
    _, parsed = shown
    for number, (_, reading) in enumerate(readings, start=1):
        paper = reading.paper
        elements = {
            "figure": len(paper.figures), "table": len(paper.tables),
            "formula": len(paper.formulas), "footnote": len(paper.footnotes),
        }  # fmt: skip
        for kind, count in elements.items():
            for i in range(count):
                assert parsed.select_one(f"rect#p{number}-{kind}{i}.area.{kind}")
                assert parsed.select_one(f'.panel a[href="#p{number}-{kind}{i}"]')
        for i, section in enumerate(paper.body):
            for k in range(len(section.paragraphs)):
                assert parsed.select_one(f"rect#p{number}-paragraph{i}-{k}.paragraph")
    assert any(reading.paper.figures for _, reading in readings)


def test_every_kind_that_is_drawn_has_a_switch_that_hides_it(shown):
    text, parsed = shown
    style = text.split("</style>")[0]
    switches = {one.attrs["id"].removeprefix("show-") for one in parsed.select(".legend input")}
    kinds = {one.attrs["class"][-1] for one in parsed.select("svg .area, svg .ground")}
    assert "paragraph" in kinds
    assert kinds <= switches
    for switch in switches - {"all"}:
        assert f"#show-{switch}:not(:checked)" in style


def test_long_lists_are_cut_and_counted(readings, monkeypatch):
    module = import_module("rowen.export.paper_report.panel")  # its function has the same name
    monkeypatch.setattr(module, "PANEL_ENTRIES", 2)
    reading = readings[1][1]
    text, parsed = report([("a.pdf", reading)])
    listed = len(parsed.select(".references > li"))
    assert listed == 2
    assert f"{len(reading.paper.citations) - 2} more are not listed." in text
