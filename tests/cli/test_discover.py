"""`rowen discover`."""

import json

import pytest
from click.testing import CliRunner

from rowen.cli.discover import command

ROWS = "".join(f"<tr><td>{'ABCDEF'[n]}da<td>{n}.50 EUR" for n in range(6))


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "p.html"
    path.write_text(f"<table><tr><th>Name<th>Price{ROWS}</table>", "utf-8")
    return str(path)


def run(*arguments):
    return CliRunner().invoke(command, list(arguments), standalone_mode=False)


def test_tables_as_text_json_and_html(page, tmp_path):
    assert "Table 1: 6 records on 1 page" in run(page).output
    (table, *_) = json.loads(run(page, "-f", "json").output)
    assert [column["name"] for column in table["columns"]] == ["name", "price"]
    run(page, "-o", str(tmp_path / "t.html"))
    assert "<td>Bda" in (tmp_path / "t.html").read_text("utf-8")


def test_a_table_becomes_a_wrapper(page, tmp_path):
    run(page, "--table", "1", "--name", "items", "-o", str(tmp_path / "w.json"))
    saved = json.loads((tmp_path / "w.json").read_text("utf-8"))
    assert (saved["class"], saved["name"]) == ("region", "items")


def test_wrong_numbers_and_formats_are_refused(page):
    assert "there is no table 99" in str(run(page, "--table", "99").exception)
    assert "leave out --format" in str(run(page, "--table", "1", "-f", "text").exception)
