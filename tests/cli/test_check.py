import json

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
ROWS = [("Congo", 242), ("Egypt", 20), ("Belize", 501), ("Spain", 34)]


@pytest.fixture
def site(folder):
    """A wrapper, the pages that it fits, and the same pages redesigned."""
    (folder / "w.json").write_text(json.dumps(WRAPPER))
    for name, row in {"old": "<b>{}</b> <i>{}</i>", "new": "<b><a>{}</a></b> <i>{}</i>"}.items():
        (folder / name).mkdir()
        for number in range(4):
            text = "".join(row.format(*one) for one in ROWS[number:] + ROWS[:number])
            (folder / name / f"{number}.html").write_text(text)
    (folder / "broken.html").write_text("<b>Congo</b> <i>242</i> <b>Egypt</b>")
    return folder


@pytest.fixture
def known(command, site):
    """Records of the pages before the redesign."""
    assert command("extract", "w.json", "old", "-o", "known.jsonl").returncode == 0
    return site / "known.jsonl"


def complaint(answer, code):
    assert answer.returncode == code, answer.stderr
    assert answer.stderr.count("\n") == 1, answer.stderr
    assert answer.stderr.startswith("rowen: ")
    return answer.stderr


@pytest.mark.usefixtures("known")
def test_pages_that_still_fit_are_0(command):
    answer = command("check", "w.json", "old", "--against", "known.jsonl")
    assert answer.returncode == 0, answer.stdout
    assert answer.stdout == "no drift: 16 records from 4 pages\n"
    assert answer.stderr == ""


@pytest.mark.usefixtures("known")
def test_a_redesign_is_5_and_reported(command):
    answer = command("check", "w.json", "new", "--against", "known.jsonl")
    assert answer.returncode == 5
    assert answer.stdout.startswith("drift found: 16 records from 4 pages\n")
    assert "  drift  country: 100% values with tags, used to be 0%\n" in answer.stdout


@pytest.mark.usefixtures("site")
def test_a_failure_is_drift_without_anything_to_compare_with(command):
    answer = command("check", "w.json", "broken.html")
    assert answer.returncode == 5
    assert "broken.html  1 record\n  drift  stopped after 1 record: field 'code'" in answer.stdout
    assert "w.json has no profile" in answer.stderr


def test_nothing_found_is_drift_though_a_marked_page_failed_while_learning(command, site):
    (site / "later").mkdir()
    pages = {
        "list.html": "<ul><li><i>Ada</i> (Waco)</li><li><i>Bob</i> (Tyler)</li></ul><hr>",
        "prose.html": "<p>Cid: Abilene.</p><p>Dan: Dallas.</p><hr>",
        "later/1.html": "<p>Eve: Austin.</p><p>Fay: Laredo.</p><hr>",
        "later/2.html": "<p>Gus: Odessa.</p><p>Hal: Denton.</p><hr>",
    }
    for name, text in pages.items():
        (site / name).write_text(f"<h1>People</h1>{text}")
    marked = {
        "list.html": [{"name": "Ada", "town": "Waco"}, {"name": "Bob", "town": "Tyler"}],
        "prose.html": [{"name": "Cid", "town": "Abilene"}, {"name": "Dan", "town": "Dallas"}],
    }
    lines = [json.dumps({"page": page, "records": records}) for page, records in marked.items()]
    (site / "labels.jsonl").write_text("\n".join(lines))
    learned = command("learn", "--labels", "labels.jsonl", *marked, "-o", "people.json")
    assert learned.returncode == 7
    answer = command("check", "people.json", "later")
    assert answer.returncode == 5
    assert answer.stdout.startswith("drift found: 0 records from 2 pages\n")


@pytest.mark.usefixtures("known")
def test_the_report_can_be_json(command, site):
    answer = command(
        "check", "w.json", "old", "broken.html", "--against", "known.jsonl", "-f", "json", "-o", "r"
    )
    assert (answer.returncode, answer.stdout) == (5, "")
    report = json.loads((site / "r").read_text())
    assert report["drift"] is True
    assert [page["drift"] for page in report["pages"]] == [False] * 4 + [True]
    assert report["pages"][-1]["findings"][0]["severity"] == "drift"


@pytest.mark.usefixtures("known")
def test_verbose_lists_every_page(command):
    shown = command("check", "-v", "w.json", "old", "--against", "known.jsonl").stdout
    assert shown.count(".html  4 records\n") == 4


BAD = {
    "a missing wrapper": (["none.json", "old"], 4, "none.json: No such file"),
    "an extractor that is no wrapper": (
        ["rules.toml", "old"],
        4,
        "'rooms' is not a learned wrapper",
    ),
    "a wrapper of no class": (["bad.json", "old"], 4, "unknown wrapper class 'x'"),
    "a broken profile": (["profile.json", "old"], 4, "profile.json: 'profile' is invalid"),
    "a missing page": (["w.json", "none"], 4, "no such file or folder: none"),
    "no pages": (["w.json", "empty"], 4, "no pages in empty"),
    "missing records": (["w.json", "old", "--against", "none"], 4, "can't read none"),
    "malformed records": (["w.json", "old", "--against", "bad.json"], 4, "bad.json: line 1: not a"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_no_report(command, site, case):
    arguments, code, message = BAD[case]
    (site / "bad.json").write_text(json.dumps({**WRAPPER, "class": "x"}))
    (site / "profile.json").write_text(json.dumps({**WRAPPER, "profile": {"pages": 1}}))
    (site / "empty").mkdir()
    before = set(site.iterdir())
    assert message in complaint(command("check", *arguments, "-o", "report.txt"), code)
    assert set(site.iterdir()) == before


def test_many_odd_pages_are_cut_short_unless_all_are_asked_for(command, site):
    (site / "many").mkdir()
    for number in range(12):
        (site / "many" / f"{number:02}.html").write_text("<b>Congo</b> <i>242</i> <b>Egypt</b>")
    answer = command("check", "w.json", "many")
    assert "09.html" in answer.stdout
    assert "10.html" not in answer.stdout
    assert answer.stdout.endswith("and 2 more pages; -v lists all\n")
    assert "11.html" in command("check", "w.json", "many", "-v").stdout
