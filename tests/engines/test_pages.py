"""Extraction on several processes gives what it gives on one."""

import itertools

import pytest

from rowen import Dictionary, Page, Pattern, extractor
from rowen.engines.pages import extract_many_spread
from rowen.extractors import many
from rowen.extractors.many import extract_many


@extractor(name="nested", version="1")
def nested(text):
    if "fail" in text:
        raise ValueError("no such page")
    for at, character in enumerate(text):
        if character == "x":
            yield {"x": (at, at + 1), "rest": [(at, len(text))], "none": None}


EXTRACTORS = [Pattern(r"(?P<a>x+)(?P<b>y)?", name="p"), Dictionary(["x y"], field="d"), nested]


def shown(results):
    return [
        (page, [(each.name, records.to_dicts(), records.fields) for each, records in own])
        for page, own in results
    ]


@pytest.mark.parametrize("jobs", [2, 3])
def test_pages_come_in_their_order_with_the_records_that_one_process_gives(monkeypatch, jobs):
    monkeypatch.setattr(many, "_BATCH_PAGES", 3)
    pages = [
        Page("xx y x y"[: number % 9] + "fail" * (number % 7 == 3), str(number))
        for number in range(100)
    ]
    errors, others = [], []
    alone = shown(extract_many(EXTRACTORS, pages, on_error=errors.append))
    spread = shown(extract_many_spread(EXTRACTORS, pages, jobs=jobs, on_error=others.append))
    assert spread == alone
    assert [str(error) for error in others] == [str(error) for error in errors] != []


def test_an_endless_source_is_read_only_as_far_as_it_is_asked_for():
    read = []

    def pages():
        for number in itertools.count():
            read.append(number)
            yield Page("x" * 1000, str(number))

    results = extract_many_spread(EXTRACTORS[:1], pages(), jobs=2, on_error=pytest.fail)
    assert [page.id for page, _ in itertools.islice(results, 100)] == [str(n) for n in range(100)]
    results.close()
    assert len(read) < 2000
