"""`rowen sync`, and `rowen changes --webhook` as far as it needs no server."""

import json
import sqlite3

import pytest

RULES = """
[extractor]
name = "books"
kind = "pattern"
pattern = '(?P<title>\\w+): (?P<price>\\d+)'
[extractor.schema.price]
type = "integer"
"""


@pytest.fixture
def night(command, folder):
    (folder / "books.toml").write_text(RULES)
    (folder / "shop").mkdir()

    def run(text):
        (folder / "shop" / "list.txt").write_text(text)
        done = command("run", "books.toml", "--snapshot", "shop", "--store", "store")
        assert done.returncode == 0

    run("Emma: 7, Kim: 3")
    return run


def test_a_database_follows_the_store(command, folder, night):
    first = command("sync", "--store", "store", "--to", "sqlite:b.db")
    assert (first.returncode, first.stdout) == (
        0,
        "books: snapshot 0, all records: 2 written, 0 deleted\n",
    )
    night("Emma: 8, Kim: 3")
    second = command("sync", "--store", "store", "--to", "sqlite:b.db", "-f", "json")
    (done,) = json.loads(second.stdout)
    assert done == {
        "extractor": "books",
        "snapshot": 1,
        "previous": 0,
        "written": 1,
        "deleted": 1,
    }
    third = command("sync", "--store", "store", "--to", "sqlite:b.db")
    assert third.stdout == "books: snapshot 1, up to date\n"
    database = sqlite3.connect(folder / "b.db")
    assert database.execute("SELECT title, price FROM books ORDER BY 1").fetchall() == [
        ("Emma", 8),
        ("Kim", 3),
    ]
    database.close()


@pytest.mark.usefixtures("night")
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["sync", "--to", "oracle:x"], 2, "unknown target 'oracle:x'"),
        (["sync", "--to", "sqlite:none/b.db"], 6, "its folder does not exist"),
        (["sync", "--to", "sqlite:b.db", "--extractor", "talks"], 6, "no records of 'talks'"),
        (["changes", "--webhook", "http://127.0.0.1:1/"], 2, "--webhook needs --state FILE"),
        (["changes", "--state", "s"], 2, "are for --webhook"),
        (["changes", "--webhook", "x", "--state", "s"], 2, "a webhook is an address"),
        (["changes", "--webhook", "http://h/", "--state", "s", "--since", "0"], 2, "--state says"),
    ],
)
def test_wrong_use_is_one_line_with_its_code(command, arguments, code, message):
    answer = command(*arguments, "--store", "store")
    assert answer.returncode == code
    assert message in answer.stderr
    assert answer.stderr.count("\n") == 1
