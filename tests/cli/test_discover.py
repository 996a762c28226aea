"""`rowen discover`."""

import html
import json
import re

import pytest

ROWS = "".join(f"<tr><td>{'ABCDEF'[n]}da<td>{n}.50 EUR" for n in range(6))


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "p.html"
    path.write_text(f"<table><tr><th>Name<th>Price{ROWS}</table>", "utf-8")
    return str(path)


def test_tables_as_text_json_and_html(command, page, tmp_path):
    assert "Table 1: 6 records on 1 page" in command("discover", page).stdout
    (table, *_) = json.loads(command("discover", page, "-f", "json").stdout)
    assert [column["name"] for column in table["columns"]] == ["name", "price"]
    command("discover", page, "-o", str(tmp_path / "t.html"))
    assert "<td>Bda" in (tmp_path / "t.html").read_text("utf-8")


def test_a_table_becomes_a_wrapper(command, page, tmp_path):
    path = str(tmp_path / "w.json")
    command("discover", page, "--table", "1", "--name", "items", "-o", path)
    saved = json.loads((tmp_path / "w.json").read_text("utf-8"))
    assert (saved["class"], saved["name"]) == ("region", "items")


def test_wrong_numbers_and_formats_are_refused(command, page):
    missing = command("discover", page, "--table", "99")
    assert (missing.returncode, missing.stdout) == (4, "")
    assert "there is no table 99" in missing.stderr
    without_use = command("discover", page, "--table", "1", "-f", "text")
    assert without_use.returncode == 2
    assert "leave out --format" in without_use.stderr


def test_the_report_shows_pages_of_plain_text_as_they_are(command, tmp_path):
    trees = ("Oak & Elm", "Ash < Fir", "Yew", "Bay", "Box")
    rows = "".join(f"{tree:12}{n * 11:4} m\n" for n, tree in enumerate(trees, 1))
    (tmp_path / "trees.txt").write_text(f"Tree         Height\n\n{rows}", "utf-8")
    command("discover", str(tmp_path / "trees.txt"), "-o", str(tmp_path / "t.html"))
    (page,) = re.findall('srcdoc="([^"]*)"', (tmp_path / "t.html").read_text("utf-8"))[:1]
    shown = html.unescape(page)
    assert "<pre style=" in shown
    plain = html.unescape(re.sub("<[^<>]*>", "", shown))
    assert plain == f"Tree         Height\n\n{rows}"
    for tree in trees:
        assert re.search(f"<span [^<>]*>{html.escape(tree)}", shown)


def test_the_report_says_where_values_are_that_a_browser_does_not_show(command, tmp_path):
    items = json.dumps([{"tree": "ABCDEF"[n] * 3, "height": n * 7} for n in range(6)])
    page = tmp_path / "p.html"
    page.write_text(f"<html><body><p>Loading<script>state = {items}</script></html>", "utf-8")
    command("discover", str(page), "-o", str(tmp_path / "t.html"))
    report = (tmp_path / "t.html").read_text("utf-8")
    assert "<td>BBB" in report
    assert "in scripts or attributes" in report
    assert "<iframe" not in report
