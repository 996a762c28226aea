"""The examples run, and show what they claim."""

import json
import os
import random
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path

import pytest

import rowen
from rowen.testing import check_locality

EXAMPLES = Path(__file__).parents[1] / "examples"
PLUGIN = EXAMPLES / "plugin"
PAGES = [(page.id, page.text) for page in rowen.open_source(EXAMPLES / "pages")]
FOUND = {
    "researcher": [
        ("Edgar", "F.", "Codd"),
        ("Barbara", None, "Liskov"),
        ("Konrad", None, "Zuse"),
        ("J.", None, "Gray"),
    ],
    "affiliation": [
        ("Ada Lovelace", "University of Cambridge"),
        ("Mary B. Hall", "University of Utah"),
        ("Grace Hopper", "Yale University"),
        ("Tony Hoare", "Microsoft Research"),
    ],
    "talk": [
        ("2 pm", "Fei Chen", "CS 105", ["information extraction"]),
        ("4:30 pm", "Mary B. Hall", "Main Auditorium", ["query optimization", "stream processing"]),
        ("11am", "Alan Perlis", None, ["wrapper induction"]),
    ],
    "actor": [
        ("Humphrey", None, "Bogart"),
        ("Ingrid", None, "Bergman"),
        ("Katharine", "Houghton", "Hepburn"),
    ],
    "play": [
        ("Humphrey Bogart", "Casablanca"),
        ("Humphrey Bogart", "Casablanca"),
        ("Claude Rains", "Casablanca"),
        ("Peter Lorre", "Casablanca"),
        ("Paul Henreid", "Casablanca"),
        ("Humphrey Bogart", "Casablanca"),
        ("Humphrey Bogart", "The African Queen"),
        ("Ingrid Bergman", "Gaslight"),
    ],
    "award": [
        ("Academy Award for Best Actor", "Humphrey Bogart", "The African Queen", "Charlie Allnut"),
        ("Academy Award for Best Actress", "Ingrid Bergman", "Gaslight", "Paula Alquist"),
    ],
}
"""What each of the paper's extractors finds on the pages, in the order of its fields."""


def run(*arguments, **environment):
    ran = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_rooms_are_paired_with_their_times():
    assert run(EXAMPLES / "rooms.py").splitlines()[-3:] == [
        "CS 105   2 pm",
        "CS 310   4 pm",
        "CS 77B   9:30 am",
    ]


def test_a_wrong_declaration_of_an_own_extractor_is_caught():
    told = run(EXAMPLES / "own_extractor.py")
    assert "['0378-5955', '0028-0836', '1476-4687']\n['2434-561X']\n" in told
    assert "Window(scope=9, context=1) held in" in told
    assert "'careless' looks further than Window(scope=9, context=0)" in told


def test_the_plugin_is_found_by_its_name(tmp_path):
    project = tomllib.loads((PLUGIN / "pyproject.toml").read_text("utf-8"))["project"]
    ((name, target),) = project["entry-points"]["rowen.extractors"].items()
    installed = tmp_path / "rowen_issn-1.dist-info"  # what an installer would leave behind
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: rowen-issn\nVersion: 1\n")
    (installed / "entry_points.txt").write_text(f"[rowen.extractors]\n{name} = {target}\n")
    page = tmp_path / "page.txt"
    page.write_text("Print ISSN 0378-5955; not an ISSN: 0378-5954.\n")
    places = os.pathsep.join([str(tmp_path), str(PLUGIN)])
    told = run("-m", "rowen", "extract", name, page, "-f", "csv", PYTHONPATH=places)
    assert told.splitlines() == ["page,issn", f"{page},0378-5955"]


def test_the_plugin_looks_no_further_than_it_says(monkeypatch):
    monkeypatch.syspath_prepend(PLUGIN)
    from rowen_issn import issn

    pages = ["0378-5955-0028-0836-1476-4687 0378-5955 (0028-0836)", "2434-561X2434-561X/2434-561X"]
    assert check_locality(issn, pages, trials=500) > 1000


@pytest.fixture(params=FOUND)
def paper(request):
    return rowen.load(EXAMPLES / f"{request.param}.toml")


def test_the_extractors_of_the_paper_find_what_they_name(paper):
    found = [
        tuple(record.values[field] for field in paper.fields)
        for _, text in PAGES
        for record in paper.extract(text)
    ]
    assert found == FOUND[paper.name]


def test_the_extractors_of_the_paper_look_no_further_than_they_say(paper):
    trap = "Prof. Dr. Ada Dr. B. B. Bey Dr. Ab. Cde as Ab as Cd as Ef Gh as\nIj actor actor Ab Cd\n"
    pages = [text for _, text in PAGES]
    assert check_locality(paper, [*pages, trap * 3, "".join(pages), *pages[::-1]], trials=150) > 900


def edited(text, chance):
    """The text with some of it cut out, doubled, or exchanged."""
    for _ in range(chance.randint(1, 5)):
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.choice((1, 3, 20, 200)))
        other = chance.randint(0, len(text))
        put = chance.choice(
            ("", text[start:end] * 2, text[other : other + end - start], "\n", ". ")
        )
        text = text[:start] + put + text[end:]
    return text


@pytest.mark.parametrize("matcher", ["line", "anchor", "suffix"])
def test_the_extractors_of_the_paper_recycle_to_what_they_extract(paper, matcher):
    chance = random.Random(7)
    old = "\n".join(text for _, text in PAGES) * 2
    records = paper.extract(old)
    for _ in range(60):
        new = edited(old, chance)
        again = rowen.recycle(paper, old, records, new, matcher)
        assert set(again) == set(paper.extract(new))


def test_the_extractors_of_the_paper_run_together_over_changing_pages(tmp_path):
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    for name, text in PAGES:
        (crawl / name).write_text(text)
    files = [EXAMPLES / f"{name}.toml" for name in FOUND]
    told = ["--snapshot", crawl, "--store", tmp_path / "store", "--matcher", "anchor", "-f", "json"]
    run("-m", "rowen", "run", *files, *told)
    seminar = crawl / "seminar.txt"
    seminar.write_text(seminar.read_text().replace("2 pm", "3 pm"))
    report = json.loads(run("-m", "rowen", "run", *files, *told, "--verify", "1"))
    assert report["pages"]["unchanged"] == 2
    assert {name: one["records"] for name, one in report["tallies"].items()} == {
        name: len(found) for name, found in FOUND.items()
    }


@pytest.fixture
def spacy():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it imports warns of itself
        yield pytest.importorskip("spacy", exc_type=ImportError)


def test_a_pipeline_of_spacy_gives_entities_line_by_line(spacy, monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    from entities import entities_of

    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    patterns = [
        {"label": "PERSON", "pattern": [{"TEXT": "Mary"}, {"IS_TITLE": True}]},
        {"label": "ORG", "pattern": "Yale University"},
    ]
    pipeline.add_pipe("entity_ruler").add_patterns(patterns)
    entities = entities_of(pipeline, version="1")
    text = "Mary Hall is at Yale University.\n\nSo is Mary\nSmith. And Mary Smith."
    assert [record.values for record in entities.extract(text)] == [
        {"person": "Mary Hall"},
        {"org": "Yale University"},
        {"person": "Mary Smith"},
    ]
    assert check_locality(entities, [text, text * 3], trials=30) > 60
    new = text.replace("So is", "So was") * 2
    assert set(rowen.recycle(entities, text, entities.extract(text), new)) == set(
        entities.extract(new)
    )


def test_what_spacy_lacks_is_reported_with_how_to_get_it(spacy, monkeypatch):  # noqa: ARG001
    monkeypatch.syspath_prepend(EXAMPLES)
    from entities import load_pipeline

    with pytest.raises(rowen.ExtractorError, match="python -m spacy download no_such_model"):
        load_pipeline("no_such_model")


def test_without_spacy_the_error_says_what_to_install(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    monkeypatch.setitem(sys.modules, "spacy", None)
    from entities import load_pipeline

    with pytest.raises(rowen.ExtractorError, match="pip install spacy"):
        load_pipeline("en_core_web_sm")
