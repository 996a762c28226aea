"""Values that a label or a class gives to another field are never taken for the marked one."""

from random import Random

import pytest
from tests.shared.effort import cases

import rowen
from rowen import Example, Page

FIELDS = ("place", "start", "end", "pay")
PLACES = ("Leeds", "York", "Hull", "Derby", "Bath", "Ely")
OFTEN = 0.66

STYLES = {
    "definitions": "<dt>{label}</dt><dd>{value}</dd>",
    "cells": "<tr><th>{label}</th><td>{value}</td></tr>",
    "signs": "<p>{label}: <span>{value}</span></p>",
    "bold": "<p><b>{label}</b> <span>{value}</span></p>",
    "classes": '<p class="{label}">{value}</p>',
    "items": '<p itemprop="x"><span class="field {label}">{value}</span></p>',
}
BOXES = {"definitions": "dl", "cells": "table"}


def record(random, number, *, often=OFTEN):
    """A record with a title of its own and some of the fields."""
    values = {
        "place": random.choice(PLACES),
        "start": f"{random.randint(1, 28)} May 20{number + 10}",
        "end": f"{random.randint(1, 28)} June 20{number + 10}",
        "pay": f"{random.randint(10, 999)} pounds",
    }
    kept = {name: value for name, value in values.items() if random.random() < often}
    return {"title": f"Post {number}", **kept}


def html(style, listed):
    box = BOXES.get(style, "div")
    parts = []
    for record in listed:
        fields = [(name, record[name]) for name in FIELDS if name in record]
        inner = "".join(STYLES[style].format(label=name, value=value) for name, value in fields)
        parts.append(f"<section><h3>{record['title']}</h3><{box}>{inner}</{box}></section>")
    return f"<h1>Open places</h1><div id=list>{''.join(parts)}</div>"


def filled(record):
    return {"title": None, **dict.fromkeys(FIELDS), **record}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", range(cases(10, 500)))
def test_no_value_of_another_field_is_taken(style, seed):
    random = Random(seed)
    first = record(random, 0, often=1)
    listed = [first, *(record(random, number) for number in range(1, random.randint(9, 14)))]
    page = Page(html(style, listed))
    wrapper = rowen.learn([Example(page, [first], partial=True)])
    extracted = [found.values for found in wrapper.extract(page)]
    assert filled(first) in extracted
    # One with too few of the fields may be no record, but none is mixed up.
    assert all(found in map(filled, listed) for found in extracted)


def test_a_label_tells_what_is_missing():
    listed = [
        {"title": "Cook", "place": "Leeds", "start": "1 May 2024", "end": "2 June 2024"},
        {"title": "Clerk", "start": "3 May 2024", "end": "4 June 2024"},
        {"title": "Nurse", "place": "York", "end": "6 June 2024"},
    ]
    page = Page(html("definitions", listed))
    wrapper = rowen.learn([Example(page, listed[:1], partial=True)])
    missing = dict.fromkeys(["place", "start", "end"])
    assert [record.values for record in wrapper.extract(page)] == [
        {"title": "Cook", "place": "Leeds", "start": "1 May 2024", "end": "2 June 2024"},
        {**missing, "title": "Clerk", "start": "3 May 2024", "end": "4 June 2024"},
        {**missing, "title": "Nurse", "place": "York", "end": "6 June 2024"},
    ]


def test_classes_that_say_how_a_value_is_are_no_names():
    rows = [("won 3", "lost 1"), ("lost 0", "lost 2"), ("lost 4", "drawn 5"), ("won 6", "won 7")]
    cells = [[cell.split() for cell in row] for row in rows]
    table = "".join(
        "<tr>" + "".join(f"<td class={kind}>{value}</td>" for kind, value in row) + "</tr>"
        for row in cells
    )
    page = Page(f"<table>{table}</table>")
    wrapper = rowen.learn([Example(page, [{"home": "3", "away": "1"}], partial=True)])
    expected = [{"home": home, "away": away} for (_, home), (_, away) in cells]
    assert [record.values for record in wrapper.extract(page)] == expected
