"""Pages that are extracted at once give what each gives by itself."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rowen import Page, Pattern, Store
from rowen.model import ExtractionError
from rowen.records import Record, Records
from rowen.records.packed import Shapes, pack_many, unpack
from rowen.recycling.batches import extract_batch
from rowen.recycling.calling import Calls
from rowen.recycling.recycle import whole
from rowen.recycling.task import Job, Pulse, Task

SPANS = st.one_of(
    st.none(), st.tuples(st.integers(0, 6), st.integers(0, 6)).map(lambda pair: tuple(sorted(pair)))
)
RECORDS = st.lists(st.dictionaries(st.sampled_from("ab"), SPANS, min_size=1), max_size=4)
ANSWERS = st.lists(
    st.one_of(
        RECORDS, st.sampled_from(["fails", "exits"]), st.tuples(RECORDS, st.text(max_size=3))
    ),
    max_size=8,
)
TEXTS = "abcde"


class Answering:
    """An extractor that gives what it was told, some of it outside the page or twice."""

    name = "answering"

    def __init__(self, answers):
        self.answers = answers

    def extract(self, page):
        answer = self.answers[int(page.id)]
        if answer == "fails":
            raise ExtractionError(self.name, page.id, "it fails")
        if answer == "exits":
            raise SystemExit(3)
        records, failure = answer if isinstance(answer, tuple) else (answer, None)
        return Records([Record(page, record) for record in records], failure=failure)


def calls(job):
    nothing = np.empty(0, np.int32)
    task = Task("", "", None, None, 0, nothing, nothing, nothing, (job,), 60.0)
    return Calls(task, Pulse())


def dicts(records, shapes, page):
    return [record.to_dict() for record in unpack(records, shapes, page)]


@given(ANSWERS)
def test_a_batch_gives_what_its_pages_give_alone_up_to_one_that_fails(answers):
    job = Job(Answering(answers))
    # Longer than any span on most pages; on some a span is outside.
    pages = [(2 * row, Page("x" * (6 - row % 3), str(row))) for row in range(len(answers))]
    shapes = Shapes()
    batch = extract_batch(job, pages, calls(job), shapes)
    first = np.concatenate(([0], np.cumsum(batch.counts)))
    for at, (row, page) in enumerate(pages):
        own = Shapes()
        alone = calls(job).attempt(job, row, lambda p=page, o=own: whole(job.extractor, p, o))
        if at == len(batch.rows):
            assert hasattr(alone, "reason")
            break
        assert batch.rows[at] == row
        assert batch.failures[at] == alone.failure
        records = batch.records.slice(int(first[at]), int(first[at + 1]))
        assert dicts(records, shapes, page) == dicts(alone.records.as_set(own), own, page)
    else:
        assert len(batch.rows) == len(pages)


@given(st.lists(st.integers(0, 30), unique=True).map(sorted), st.data())
def test_the_runs_of_a_batch_are_its_rows_and_records(rows, data):
    counts = [data.draw(st.integers(0, 3)) for _ in rows]
    job = Job(Answering([[{"a": (0, number)} for number in range(count)] for count in counts]))
    pages = [(row, Page(TEXTS, str(at))) for at, row in enumerate(rows)]
    runs = list(extract_batch(job, pages, calls(job), Shapes()).runs())
    assert [row for run in runs for row in run.rows.tolist()] == rows
    assert [count for run in runs for count in run.counts.tolist()] == counts
    assert all(run.records.count == run.counts.sum() for run in runs)
    for run in runs:
        assert run.rows.tolist() == list(range(run.rows[0], run.rows[0] + len(run.rows)))


@given(st.lists(st.lists(st.tuples(st.integers(0, 2), st.integers(2, 5)), max_size=3)))
def test_records_of_many_pages_are_packed_like_those_of_each(pages):
    pattern = Pattern("(?P<a>x+)(?P<b>y)?")
    results = [
        pattern.extract(" ".join("x" * size + "y" * more for more, size in page)) for page in pages
    ]
    shapes, others = Shapes(), Shapes()
    packed, counts = pack_many(results, shapes)
    assert counts.tolist() == [len(result) for result in results]
    first = np.concatenate(([0], np.cumsum(counts)))
    for at, result in enumerate(results):
        own, _ = pack_many([Records(list(result))], others)
        part = packed.slice(int(first[at]), int(first[at + 1]))
        assert part.bounds.tolist() == own.bounds.tolist()
        assert [shapes.written[number] for number in part.shapes.tolist()] == [
            others.written[number] for number in own.shapes.tolist()
        ]


def test_a_page_that_takes_too_long_costs_no_other_page_its_records(tmp_path):
    slow = Pattern(r"(?P<x>(a|aa)+b$)", name="slow")
    pages = {f"{number}": f"page {number}: aab" for number in range(6)}
    pages["slow"] = "a" * 60 + "bc"
    pages |= {f"z{number}": f"page {number}: ab" for number in range(6)}
    store = Store(tmp_path / "store")
    report = store.run([slow], pages, page_seconds=0.2, jobs=1)
    assert [page for page, _ in store.failures("slow")] == ["slow"]
    assert report.tallies["slow"].records == 12
