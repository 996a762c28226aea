import json


def test_the_demo_shows_results_and_leaves_its_files(rowen, folder):
    answer = rowen("demo", "-o", "shown")
    assert answer.returncode == 0, answer.stderr
    assert "stages: 35 records" in answer.stdout
    assert "on all pages: 6 records" in answer.stdout
    assert "Booz Allen" in answer.stdout
    written = map(json.loads, (folder / "shown" / "records.jsonl").read_text().splitlines())
    assert {line["extractor"] for line in written} == {"stages", "dealings"}
    assert (folder / "shown" / "records.html").stat().st_size > 10_000


def test_the_demo_recycles_a_later_crawl(rowen):
    for _ in range(2):  # the second time as the first
        answer = rowen("demo", "-o", "shown")
        assert answer.returncode == 0, answer.stderr
        assert "15 pages: 13 unchanged, 1 changed, 1 renamed, 0 new, 1 gone" in answer.stdout
    assert "came on AppArmor.md: stage beta, default true, since 1.4, until 1.29" in answer.stdout
    assert "went on EventedPLEG.md: stage alpha" in answer.stdout
    listed = rowen("records", "--store", "shown/demo-store", "--list").stdout
    assert [line[0] for line in listed.splitlines() if line[0] != " "] == ["0", "1"]


def test_it_can_be_run_again_and_what_it_names_works(rowen):
    assert rowen("demo").returncode == 0
    assert rowen("demo", "-q").stdout == ""
    answer = rowen("extract", "rowen-demo/rules.toml", "rowen-demo/feature-gates", "-f", "csv")
    assert answer.stdout.startswith("page,extractor,stage,default,since,until,component,object")


def test_a_place_that_can_not_be_written_is_one_line(rowen, folder):
    (folder / "taken").write_text("a file")
    answer = rowen("demo", "-o", "taken")
    assert answer.returncode == 6
    assert answer.stderr.startswith("rowen: can't write into taken")
