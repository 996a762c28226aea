"""Results are read as they were written, copied or not."""

from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis.strategies as st
from hypothesis import given, settings

from rowen import Page, Record
from rowen.records.packed import pack, unpack
from rowen.storage.place import Place
from rowen.storage.snapshots.results import ResultsBuilder, file_name, read_results, write_results

PAGE = Page("0123456789", id="p")
SPANS = st.integers(0, 9).map(lambda start: (start, start + 1))
RECORDS = st.builds(
    lambda fields, inner: Record(
        PAGE, fields, [Record(PAGE, fields_of_child) for fields_of_child in inner]
    ),
    st.dictionaries(
        st.sampled_from("ab"), st.one_of(st.none(), SPANS, st.lists(SPANS, max_size=2))
    ),
    st.lists(st.dictionaries(st.sampled_from("cd"), SPANS, max_size=2), max_size=2),
)
RESULTS = st.lists(
    st.one_of(st.lists(RECORDS, max_size=3), st.text(st.characters(codec="utf-8"), max_size=5)),
    max_size=6,
)


def built(given_: list[list[Record] | str]) -> ResultsBuilder:
    builder = ResultsBuilder()
    for records in given_:
        if isinstance(records, str):
            builder.fail(records)
        else:
            builder.add(pack(records, builder.shapes))
    return builder


@settings(max_examples=50)
@given(RESULTS, st.text(min_size=1, max_size=5), st.data())
def test_results_come_back_and_can_be_copied(pages, name, data):
    with TemporaryDirectory() as folder:
        place = Place(folder)
        write_results(place, "s", name, 0, built(pages).done())
        read = read_results(place, "s", name, 0)
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(pages))] * 2)))
        copy = ResultsBuilder()
        copy.copy(read, read.first(), start, end)
        write_results(place, "copied", name, 0, copy.done())
        write_results(place, "made", name, 0, built(pages[start:end]).done())
        written = [
            (Path(folder) / f"{snapshot}/{file_name(name, 0)}.columns").read_bytes()
            for snapshot in ("copied", "made")
        ]
    first = read.first()
    for row, records in enumerate(pages):
        own = read.records.slice(int(first[row]), int(first[row + 1]))
        assert unpack(own, read.shapes, PAGE) == ([] if isinstance(records, str) else records)
        assert read.failures[row] == (records if isinstance(records, str) else None)
        assert bool(read.complete[row]) == (not isinstance(records, str))
    assert written[0] == written[1]
