import json
import signal

import pytest
from terminal import watch

ROW = "<LI><B>{}</B> <I>{}</I>"
PAGES = {
    "p1.html": [("Congo", "242"), ("Egypt", "20")],
    "p2.html": [("Belize", "501"), ("Spain", "34"), ("Peru", "51")],
    "p3.html": [("Chad", "235")],
}


@pytest.fixture
def site(folder):
    """Pages with labels for two of them."""
    (folder / "site").mkdir()
    labels = []
    for name, rows in PAGES.items():
        text = "<H1>Codes</H1>" + "".join(ROW.format(*row) for row in rows) + "<HR>"
        (folder / "site" / name).write_text(text)
        records = [{"country": country, "code": code} for country, code in rows]
        labels.append({"page": name, "records": records})
    write_labels(folder, *labels[:2])
    return folder


def write_labels(folder, *lines):
    text = "".join(one if isinstance(one, str) else json.dumps(one) + "\n" for one in lines)
    (folder / "labels.jsonl").write_text(text)


def complaint(answer, code):
    """The one line that a failure prints."""
    assert answer.returncode == code, answer.stderr
    assert "Traceback" not in answer.stderr
    assert answer.stderr.count("\n") == 1, answer.stderr
    assert answer.stderr.startswith("rowen: ")
    return answer.stderr


@pytest.mark.parametrize("kind", ["lr", "hlrt", "oclr", "hoclrt", "m-lr", "m-hlrt"])
def test_what_is_learned_extracts_other_pages(command, site, kind):
    answer = command("learn", "site", "--labels", "labels.jsonl", "--class", kind, "-o", "w.json")
    assert answer.returncode == 0, answer.stderr
    assert (answer.stdout, answer.stderr) == ("", "")
    saved = json.loads((site / "w.json").read_text())
    assert (saved["kind"], saved["class"]) == ("wrapper", kind)
    assert saved["learned_from"]["pages"] == 2
    assert saved["profile"]["pages"] == 2
    assert command("check", "w.json", "site").returncode == 0


def test_the_wrapper_goes_to_standard_output_and_has_a_name(command, site):
    answer = command("learn", "site", "--labels", "labels.jsonl", "--class", "lr", "--name", "dial")
    assert json.loads(answer.stdout)["name"] == "dial"
    assert not list(site.glob("*.json"))


@pytest.mark.usefixtures("site")
def test_verbose_explains_it(command):
    options = ("--labels", "labels.jsonl", "--class", "lr", "-v", "-o", "w.json")
    answer = command("learn", "site/p1.html", "site/p2.html", *options)
    assert "country: starts after" in answer.stderr
    assert "more marked pages would raise that to 90%" in answer.stderr


ESTIMATED = "Estimated: 2 of 2 pages that were left out came out right"


@pytest.mark.parametrize("options", [["--class", "lr", "--estimate"], ["--estimate"]])
def test_an_estimate_is_kept_with_the_wrapper_and_explained(command, site, options):
    labels = ("--labels", "labels.jsonl", "-o", "w.json", "-v")
    answer = command("learn", "site", *labels, *options)
    assert ESTIMATED in answer.stderr
    saved = json.loads((site / "w.json").read_text())
    figures = {"right": 2, "tried": 2, "unit": "pages", "method": "leave-one-out"}
    assert saved["estimate"] == figures
    told = command("explain", "w.json").stdout
    assert ESTIMATED in told
    assert "PAC guarantee: it errs on less than 10% of pages" in told


def test_what_is_recognized_makes_no_estimate(command, site):
    (site / "rec.toml").write_text(RECOGNIZERS)
    options = ("--recognizers", "rec.toml", "--estimate", "-o", "w.json")
    assert "--estimate needs --labels" in complaint(command("learn", "site", *options), 2)


def test_pages_that_recognizers_leave_out_are_named(command, site):
    (site / "rec.toml").write_text(RECOGNIZERS)
    (site / "site" / "p4.html").write_text("<H1>Codes</H1><LI>none today<HR>")
    answer = command("learn", "site", "--recognizers", "rec.toml", "-o", "w.json")
    assert answer.returncode == 0
    assert "1 of 4 pages were left out" in answer.stderr
    assert "p4.html" in answer.stderr


RECOGNIZERS = """
[[recognizer]]
field = "country"
entries = ["Congo", "Egypt", "Belize", "Spain", "Peru", "Chad"]
soundness = "perfect"

[[recognizer]]
field = "code"
pattern = '\\d{2,3}'
"""


def test_recognizers_take_the_place_of_labels(command, site):
    (site / "rec.toml").write_text(RECOGNIZERS)
    answer = command("learn", "site", "--recognizers", "rec.toml", "-o", "w.json")
    assert answer.returncode == 0, answer.stderr
    saved = json.loads((site / "w.json").read_text())
    assert (saved["class"], saved["fields"]) == ("hlrt", ["country", "code"])
    assert command("check", "w.json", "site").stdout == "no drift: 6 records from 3 pages\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [("[x", "rec.toml: malformed TOML"), (RECOGNIZERS.replace("perfect", "unsound"), "perfect")],
)
def test_bad_recognizers_are_one_line_and_no_output(command, site, text, message):
    (site / "rec.toml").write_text(text)
    answer = command("learn", "site", "--recognizers", "rec.toml", "-o", "w.json")
    assert message in complaint(answer, 4)
    assert not (site / "w.json").exists()


BAD = {
    "a label outside the page": (
        [{"page": "p1.html", "records": [{"a": [5, 9999]}]}],
        "labels.jsonl: line 1: p1.html: record 1, field 'a': [5, 9999) is not a span of a page",
    ),
    "a label that stands nowhere": (
        [{"page": "p1.html", "records": [{"country": "Atlantis"}]}],
        "labels.jsonl: line 1: p1.html: record 1, field 'country': 'Atlantis' was not found",
    ),
    "labels that contradict each other": (
        [{"page": "p1.html", "records": []}, {"page": "p1.html", "records": [{"a": [1, 2]}]}],
        "labels.jsonl: line 2: page 'p1.html' has a label in line 1 already",
    ),
    "fields that overlap": (
        [{"page": "p1.html", "records": [{"a": [20, 25], "b": [21, 26]}]}],
        "labels.jsonl: line 1: p1.html: record 1, field 'b': [21, 26) overlaps field 'a'",
    ),
    "an unknown page": (
        [{"page": "p9.html", "records": []}],
        "labels.jsonl: line 1: page 'p9.html' is not among the pages given",
    ),
    "a malformed line": (['{"page": \n'], "labels.jsonl: line 1: not JSON: "),
    "no labels": ([], "labels.jsonl has no labels"),
    "no record": ([{"page": "p1.html", "records": []}], "no example has a record"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_labels_are_one_line_4_and_no_output(command, site, case):
    lines, message = BAD[case]
    write_labels(site, *lines)
    before = set(site.iterdir())
    answer = command("learn", "site", "--labels", "labels.jsonl", "--class", "lr", "-o", "w.json")
    assert message in complaint(answer, 4)
    assert set(site.iterdir()) == before


WRONG = {
    "a missing label file": (["site", "--labels", "none.jsonl"], 4, "can't read none.jsonl"),
    "a missing page": (["none", "--labels", "labels.jsonl"], 4, "no such file or folder: none"),
    "an empty page set": (["empty", "--labels", "labels.jsonl"], 4, "is not among the pages"),
    "an unknown class": (
        ["site", "--labels", "labels.jsonl", "--class", "x"],
        2,
        "choose from auto",
    ),
    "neither labels nor recognizers": (["site"], 2, "give either --labels or --recognizers"),
    "no pages": (["--labels", "labels.jsonl"], 2, "Missing argument 'PAGE...'"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_calls_are_one_line_and_no_output(command, site, case):
    arguments, code, message = WRONG[case]
    (site / "empty").mkdir()
    before = set(site.iterdir())
    assert message in complaint(command("learn", *arguments, "-o", "w.json"), code)
    assert set(site.iterdir()) == before


def test_labels_that_no_wrapper_fits_are_3_and_name_the_field_and_the_pages(command, site):
    write_labels(
        site,
        {"page": "p1.html", "records": [{"a": "Congo"}]},
        {"page": "p2.html", "records": [{"a": "<B>"}]},
    )
    answer = command("learn", "site", "--labels", "labels.jsonl", "--class", "lr", "-o", "w.json")
    told = complaint(answer, 3)
    assert told.startswith("rowen: no consistent wrapper: field 'a': ")
    assert "p1.html" in told or "p2.html" in told
    assert not (site / "w.json").exists()


def test_a_place_that_can_not_be_written_leaves_nothing(command, site):
    options = ("--labels", "labels.jsonl", "--class", "lr", "-o", "no/w.json")
    complaint(command("learn", "site", *options), 6)
    assert not (site / "no").exists()


def test_on_a_terminal_learning_shows_that_it_works_and_what_came_of_it(site):
    arguments = ("learn", "site", "--labels", "labels.jsonl", "-o", "w.json", "--estimate")
    shown, code = watch(site, *arguments)
    assert code == 0
    for one in (b"Reading pages", b"Learning, at most 60 s", ESTIMATED.encode(), b"PAC guarantee"):
        assert one in shown
    assert watch(site, *arguments, "-q") == (b"", 0)


def test_interrupted_learning_ends_with_130_and_leaves_the_old_wrapper(site):
    (site / "w.json").write_text("old")
    rows = "".join(ROW.format(f"Country {n}", n) for n in range(60_000))
    (site / "site" / "p1.html").write_text(f"<H1>Codes</H1>{rows}<HR>")
    records = [{"country": f"Country {n}", "code": str(n)} for n in range(3)]
    write_labels(site, {"page": "p1.html", "records": records, "partial": True})
    arguments = ("learn", "site", "--labels", "labels.jsonl", "-o", "w.json")
    shown, code = watch(site, *arguments, until=b"Learning", send=signal.SIGINT)
    assert code == 130
    assert b"rowen: interrupted" in shown
    assert (site / "w.json").read_text() == "old"
    assert {path.name for path in site.glob("*w.json*")} == {"w.json"}


DEAR = "<table><tr><td>Ada</td><td>{}</td></tr><tr><td>Bob</td><td>{}</td></tr>"
DEAR += "<tr><td>Cid</td><td>{}</td></tr></table>"


def learn_dear(command, folder, cells, *options):
    (folder / "dear.html").write_text(DEAR.format(*cells))
    values = ["1.20", "2.40", "3.60"]
    records = [
        {"name": name, "price": value}
        for name, value in zip(["Ada", "Bob", "Cid"], values, strict=True)
    ]
    write_labels(folder, {"page": "dear.html", "records": records})
    return command("learn", "dear.html", "--labels", "labels.jsonl", "-o", "w.json", *options)


LOST = ("1.20", "only today: 2.40!", "was 4, now 3.60")


def test_a_field_that_is_lost_is_reported_without_v_and_is_7(command, folder):
    answer = learn_dear(command, folder, LOST)
    assert answer.returncode == 7
    first, last = answer.stderr.splitlines()
    assert first.startswith("rowen: price: dear.html: always empty: not one of 3 marked values")
    assert last.startswith("rowen: the wrapper does not reproduce all labels")
    saved = json.loads((folder / "w.json").read_text())
    assert [(one["kind"], one["field"]) for one in saved["warnings"]] == [("field-lost", "price")]
    assert "Warning: price: dear.html: always empty" in command("explain", "w.json").stdout


def test_quiet_it_is_7_all_the_same(command, folder):
    answer = learn_dear(command, folder, LOST, "-q")
    assert (answer.returncode, answer.stderr) == (7, "")


def test_labels_that_come_back_are_0_without_a_word(command, folder):
    answer = learn_dear(command, folder, ("1.20", "2.40", "3.60"))
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "warnings" not in json.loads((folder / "w.json").read_text())


@pytest.mark.parametrize("blank", ["&nbsp;", "&#160;", "\u00a0", " &nbsp; "])
@pytest.mark.parametrize("row", range(3))
def test_no_mark_is_lost_in_silence_beside_a_blank(command, folder, row, blank):
    cells = ["1.20", "2.40", "3.60"]
    cells[row] += blank
    answer = learn_dear(command, folder, cells)
    found = command("extract", "w.json", "dear.html", "-f", "jsonl").stdout.splitlines()
    prices = [json.loads(line)["values"].get("price") for line in found]
    if prices == ["1.20", "2.40", "3.60"]:
        assert (answer.returncode, answer.stderr) == (0, "")
    else:
        assert answer.returncode == 7
        assert "rowen: price: dear.html:" in answer.stderr
