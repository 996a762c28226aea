"""Papers of known content in the layouts of many publishers: the scores must not fall.

The bounds are a little below the scores of the day; `python -m benchmarks.templates` has them all.
"""

from functools import cache

from benchmarks.templates import COLUMNS, FARM, held_out, names, score

LEAST = {
    "title": 0.89,
    "authors": 0.90,
    "affiliations": 0.84,
    "abstract": 0.92,
    "keywords": 0.87,
    "families": 0.87,
    "linked": 0.79,
    "headings": 0.93,
    "found": 0.93,
    "cut": 0.90,
    "fields": 0.83,
}


@cache
def scores():
    return [score(name) for name in names()]


def test_every_document_has_its_gold():
    assert {path.stem for path in FARM.glob("*.json")} == set(names())
    assert len(names()) >= 60


def test_about_half_of_the_templates_are_held_out():
    assert 0.35 < sum(map(held_out, names())) / len(names()) < 0.65


def test_the_documents_are_small():
    sizes = [path.stat().st_size for path in FARM.glob("*.pdf")]
    assert max(sizes) < 200_000
    assert sum(sizes) < 5_000_000


def test_scores_do_not_fall_below_their_bounds():
    means = {
        column: sum(result.shares[column] for result in scores()) / len(scores())
        for column in COLUMNS
    }
    assert {column for column in COLUMNS if means[column] < LEAST[column]} == set()


def test_headers_and_references_stay_right():
    assert sum(result.header for result in scores()) >= 31
    assert sum(result.found for result in scores()) >= 56
