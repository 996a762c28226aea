import json
import re

import pytest

WRAPPER = {
    "rowen": 1,
    "kind": "wrapper",
    "name": "dial",
    "class": "lr",
    "fields": ["country", "code"],
    "left": ["<b>", "<i>"],
    "right": ["</b>", "</i>"],
}
PAGE = "<b>Congo</b> <i>242</i> <b>Egypt</b> <i>20</i>"


@pytest.fixture
def wrapper(folder):
    (folder / "w.json").write_text(json.dumps(WRAPPER))
    return folder


@pytest.mark.usefixtures("wrapper")
def test_a_wrapper_is_explained_in_words(command):
    answer = command("explain", "w.json")
    assert answer.returncode == 0, answer.stderr
    assert "country: starts after '<b>'" in answer.stdout


@pytest.mark.usefixtures("wrapper")
def test_a_wrapper_is_exported_as_code_that_runs(command, folder):
    answer = command("explain", "w.json", "--as", "python", "-o", "it.py")
    assert (answer.returncode, answer.stdout) == (0, "")
    names = {}
    exec((folder / "it.py").read_text(), names)
    assert names["extract"](PAGE)[1] == {"country": "Egypt", "code": "20"}


@pytest.mark.usefixtures("wrapper")
def test_a_wrapper_is_exported_as_a_regular_expression(command):
    pattern = command("explain", "w.json", "--as", "regex").stdout.removesuffix("\n")
    assert re.findall(pattern, PAGE) == [("Congo", "242"), ("Egypt", "20")]


@pytest.mark.usefixtures("wrapper")
def test_a_wrapper_is_exported_as_a_spider(command):
    assert "class WrapperSpider(Spider):" in command("explain", "w.json", "--as", "scrapy").stdout


@pytest.mark.usefixtures("wrapper")
def test_what_can_not_be_said_is_one_line_and_no_output(command, folder):
    (folder / "p.html").write_text(PAGE)
    answer = command("explain", "w.json", "p.html", "--as", "xpath", "-o", "x.txt")
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("rowen: XPath can't express this wrapper of class 'lr'")
    assert answer.stderr.count("\n") == 1
    assert not (folder / "x.txt").exists()


@pytest.mark.usefixtures("wrapper")
def test_xpaths_are_exported_if_they_give_the_same_on_pages(command, folder):
    rows = "".join(f"<p>{one}</p>" for one in PAGE.split(" <b>")).replace("<p>Egypt", "<p><b>Egypt")
    (folder / "p.html").write_text(rows)
    answer = command("explain", "w.json", "p.html", "--as", "xpath")
    assert answer.stdout.splitlines() == [
        "(records): //p",
        "country: .//b/text()",
        "code: .//i/text()",
    ]


@pytest.mark.usefixtures("wrapper")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--as", "xpath"], "--as xpath needs pages"), (["x.html"], "takes no pages")],
)
def test_pages_are_for_xpaths_and_xpaths_need_them(command, arguments, message):
    answer = command("explain", "w.json", *arguments)
    assert answer.returncode == 2
    assert message in answer.stderr
    assert answer.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [("none.json", "none.json: No such file"), ("rules.toml", "'rooms' is not a learned wrapper")],
)
def test_what_is_no_wrapper_is_refused(command, given, message):
    answer = command("explain", given)
    assert answer.returncode == 4
    assert message in answer.stderr
