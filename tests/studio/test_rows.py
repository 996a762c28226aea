"""Which records a page shows: one table of cases for the server and for the browser.

The server gives the data of a project, the browser shows it: both must come to the same records.
"""

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest

from rowen.studio.rows import rows_of
from rowen.studio.state import Label

CASES = json.loads(Path(__file__).with_name("rows.json").read_text("utf-8"))
FIELDS = ["name", "price", "year", "list.part"]
ROWS = """async (cases) => {
  const { rowsOf } = await import("/studio/static/records.js");
  return cases.map(({ label, proposed, regions }) =>
    rowsOf(label ?? undefined, proposed, ["name", "price", "year", "list.part"], regions)
      .map(({ record }) => record));
}"""


def on_the_server(case):
    label = case["label"] and Label(
        tuple(case["label"]["records"]),
        case["label"]["complete"],
        tuple(case["label"].get("rejected", ())),
    )
    return rows_of(label, case["proposed"], FIELDS, case["regions"])


@pytest.mark.parametrize("case", CASES, ids=[case["claim"] for case in CASES])
def test_the_server_follows_the_table(case):
    assert on_the_server(case) == case["rows"]


def test_the_browser_follows_the_table(shared_viewer):
    for case, rows in zip(CASES, shared_viewer.run(ROWS, CASES), strict=True):
        assert rows == case["rows"], case["claim"]


def span(at, way):
    return [9 * at + 2 * way, 9 * at + 2 * way + 2]


def random_case(drawn):
    def records():
        return [
            {
                name: drawn.choice([None, span(at, way), [span(at, way), span(at + 1, way)]])
                for way, name in enumerate(drawn.sample(FIELDS, drawn.randint(1, 4)))
            }
            for at in sorted(drawn.sample(range(12), drawn.randint(0, 6)))
        ]

    bounds = sorted(drawn.sample(range(13), drawn.randint(0, 6)))
    regions = [[9 * start, 9 * end] for start, end in pairwise(bounds)]
    label = {"records": records(), "complete": drawn.random() < 0.3, "rejected": records()[:1]}
    return {"label": label, "proposed": records(), "regions": regions}


def test_random_pages_show_the_same_records_on_both_sides(shared_viewer):
    drawn = random.Random(1)
    pages = [random_case(drawn) for _ in range(2000)]
    for case, rows in zip(pages, shared_viewer.run(ROWS, pages), strict=True):
        assert rows == on_the_server(case), case
