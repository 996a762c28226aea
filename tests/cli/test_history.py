"""`rowen history`, `changes` and `prune`, and updates on the command line."""

import json

import pytest

RULES = """
[extractor]
name = "books"
kind = "pattern"
pattern = '(?P<title>\\w+): (?P<price>\\d+)'
[extractor.schema.title]
key = true
[extractor.schema.price]
type = "integer"
"""


@pytest.fixture
def shop(command, folder):
    """A store of three nights."""
    (folder / "books.toml").write_text(RULES)
    (folder / "shop").mkdir()
    for price in (7, 8, 9):
        (folder / "shop" / "list.txt").write_text(f"Emma: {price}, Kim: 3\n")
        assert night(command).returncode == 0
    return folder / "shop"


def night(command, *options):
    return command("run", "books.toml", "--snapshot", "shop", "--store", "store", *options)


def history(command, *options):
    return command("history", "--store", "store", "--extractor", "books", *options)


@pytest.mark.usefixtures("shop")
def test_history_is_a_table_data_or_a_plot(command, folder):
    answer = history(command, "--key", "title=Emma", "--field", "price")
    assert answer.stderr == ""
    head, *rows = answer.stdout.splitlines()
    assert head.split() == ["record", "since", "until", "page", "price"]
    assert [row.split()[-1] for row in rows] == ["7", "8", "9"]
    lines = history(command, "--key", "title=Emma", "-f", "jsonl").stdout.splitlines()
    assert [json.loads(line)["values"]["price"] for line in lines] == [7, 8, 9]
    assert history(command, "-o", "all.csv").stdout == ""
    assert (folder / "all.csv").read_text().count("\n") == 5
    assert history(command, "--field", "price", "-o", "prices.svg").returncode == 0
    assert (folder / "prices.svg").read_text().count("<path") == 3


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--key", "title"], 2, "FIELD=VALUE"),
        (["-f", "svg"], 2, "--field"),
        (["-o", "x.doc"], 2, ".svg"),
        (["--key", "title=Walden"], 4, "title=Walden"),
    ],
)
def test_a_wrong_request_is_one_line(command, options, code, message):
    answer = history(command, *options)
    assert answer.returncode == code
    assert message in answer.stderr.splitlines()[-1]


@pytest.mark.usefixtures("shop")
def test_changes_go_on_after_a_snapshot(command):
    lines = command("changes", "--store", "store").stdout.splitlines()
    kinds = [(change["snapshot"], change["change"]) for change in map(json.loads, lines)]
    assert kinds == [(0, "came"), (0, "came"), (1, "changed"), (2, "changed")]
    assert command("changes", "--store", "store", "--since", "1").stdout.splitlines() == lines[3:]
    assert command("prune", "--store", "store", "--keep", "1").stdout == "2 removed, 1 left\n"
    answer = command("changes", "--store", "store", "--since", "0")
    assert (answer.returncode, answer.stdout) == (6, "")


def test_an_update_keeps_pages_and_names_those_that_are_gone(command, shop, folder):
    (shop / "more.txt").write_text("Walden: 5")
    assert night(command).returncode == 0
    (shop / "more.txt").unlink()
    answer = night(command)
    assert answer.returncode == 4
    assert "--update" in answer.stderr
    assert night(command, "--update").stdout.startswith("snapshot 4: 2 pages: 1 unchanged")
    (folder / "gone.txt").write_text("more.txt\nother.txt\n")
    assert night(command, "--gone", "gone.txt").returncode == 2
    answer = night(command, "--update", "--gone", "gone.txt")
    assert "0 new, 1 gone" in answer.stdout
    assert "'other.txt'" in answer.stderr
