"""A wrapper that stopped fitting is named in the report of the night, and until it is mended."""

import json

import rowen
from rowen import Example, Page, Pattern, Store
from rowen.cli import main


def page(name, *, broken=False, more=""):
    text = "".join(f"<b>{name}{n}</b> <i>{100 + n}</i><br>\n" for n in range(1, 6))
    return (text.replace("i>", "u>") if broken else text) + more


def wrapper():
    records = [{"name": f"a{n}", "code": str(100 + n)} for n in range(1, 6)]
    learned = rowen.learn([Example(Page(page("a"), id="a"), records)], "lr")
    learned.name = "site"
    return learned


def test_drift_is_seen_the_same_night_and_stays_until_the_pages_change(tmp_path):
    own, store = wrapper(), Store(tmp_path / "store")

    def night(**pages):
        report = store.run([own], pages, jobs=1)
        drift = report.drift["site"]
        # `check` says the same of all pages.
        assert drift["drift"] == rowen.check(own, map(Page, pages.values())).drifted
        assert report.to_dict()["drift"]["site"] == drift
        return drift

    fine = {name: page(name) for name in "abcd"}
    assert not night(**fine)["drift"]
    bad = {**fine, "c": page("c", broken=True)}
    first = night(**bad)
    assert (first["checked"], first["drifted"]) == (1, ["c"])
    assert [each["page"] for each in first["pages"]] == ["c"]
    # Another page changes, and fits: page c still does not.
    later = night(**{**bad, "a": page("a", more=" ")})
    assert (later["checked"], later["drifted"], later["pages"]) == (1, ["c"], [])
    assert not night(**fine)["drift"]


def test_other_extractors_are_not_checked(tmp_path):
    report = Store(tmp_path / "store").run([Pattern("(?P<x>a)")], {"p": "a"}, jobs=1)
    assert report.drift == {}


def test_the_command_fails_only_where_asked_for(tmp_path, capsys):
    wrapper().save(tmp_path / "w.json")
    for name in ("good", "bad"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.html").write_text(page("a", broken=name == "bad"))

    def run(*more):
        code = main(["run", str(tmp_path / "w.json"), "--store", str(tmp_path / "store"), *more])
        return code, capsys.readouterr()

    assert run("--snapshot", str(tmp_path / "good"), "--fail-on-drift")[0] == 0
    code, output = run("--snapshot", str(tmp_path / "bad"), "--fail-on-drift")
    assert code == 5
    assert "wrapper 'site' no longer fits" in output.err
    code, output = run("--snapshot", str(tmp_path / "bad"), "-f", "json")
    assert code == 0
    assert json.loads(output.out)["drift"]["site"]["drift"]
