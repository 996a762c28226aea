import json
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def run(place):
    """The installed command in a folder that the tests share: each demo takes seconds."""

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "rowen", *arguments],
            cwd=place, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    return run


@pytest.fixture(scope="module")
def first(run):
    return run("demo", "-o", "shown")


def test_the_demo_shows_results_and_leaves_its_files(first, place):
    assert first.returncode == 0, first.stderr
    assert "stages: 35 records" in first.stdout
    assert "on all pages: 6 records" in first.stdout
    assert "Booz Allen" in first.stdout
    written = map(json.loads, (place / "shown" / "records.jsonl").read_text().splitlines())
    assert {line["extractor"] for line in written} == {"stages", "uses"}
    assert (place / "shown" / "records.html").stat().st_size > 10_000


def test_the_demo_recycles_a_later_crawl_the_second_time_as_the_first(first, run):
    for answer in (first, run("demo", "-o", "shown")):
        assert answer.returncode == 0, answer.stderr
        assert "15 pages: 13 unchanged, 1 changed, 1 renamed, 0 new, 1 gone" in answer.stdout
        assert (
            "changed on AppArmor.md: stage beta, default true, since 1.4, until 1.29\n"
            "  until: 1.30 -> 1.29\n"
        ) in answer.stdout
        assert "went on EventedPLEG.md: stage alpha" in answer.stdout
    listed = run("records", "--store", "shown/demo-store", "--list").stdout
    assert [line[0] for line in listed.splitlines() if line[0] != " "] == ["0", "1"]


def test_it_has_a_folder_of_its_own_is_quiet_when_asked_and_what_it_names_works(run):
    answer = run("demo", "-q")
    assert (answer.returncode, answer.stdout) == (0, "")
    answer = run("extract", "rowen-demo/rules.toml", "rowen-demo/feature-gates", "-f", "csv")
    assert answer.stdout.startswith("page,extractor,stage,default,since,until,component,object")


def test_a_place_that_can_not_be_written_is_one_line(run, place):
    (place / "taken").write_text("a file")
    answer = run("demo", "-o", "taken")
    assert answer.returncode == 6
    assert answer.stderr.startswith("rowen: can't write into taken")
