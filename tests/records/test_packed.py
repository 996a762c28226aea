"""Packed records are the records; what is done to them by the thousand is what it says."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rowen import Page, Record, Records, Span
from rowen.records.nested import Nested
from rowen.records.packed import EMPTY, MISSING, NOWHERE, Packed, Shapes, join, pack, unpack
from rowen.records.records import Rows

PAGE = Page("0123456789" * 2, id="p")
SIZE = len(PAGE.text)
SPANS = st.tuples(st.integers(0, SIZE), st.integers(0, SIZE)).map(sorted).map(tuple)
FEW = st.integers(0, 2).map(lambda place: (place, place + 1))  # so that records come twice
FIELDS = st.dictionaries(
    st.sampled_from(["a", "b", "é", "1"]),
    st.one_of(st.none(), SPANS, FEW, st.lists(SPANS, max_size=3)),
    max_size=3,
)
RECORDS = st.recursive(
    st.builds(lambda fields: Record(PAGE, fields), FIELDS),
    lambda inner: st.builds(
        lambda fields, nested, children: Record(PAGE, {**fields, **nested}, children),
        FIELDS,
        st.dictionaries(
            st.sampled_from(["a", "held"]), st.lists(inner, max_size=3).map(Nested), max_size=1
        ),
        st.lists(inner, max_size=3),
    ),
    max_leaves=5,
)
LISTS = st.one_of(
    st.lists(RECORDS, max_size=8),
    st.lists(FEW.map(lambda span: Record(PAGE, {"a": span})), max_size=8),
    st.lists(SPANS.map(lambda span: Record(PAGE, {"a": span, "b": None})), max_size=8),
)


def packed_of(records: list[Record]) -> tuple[Packed, Shapes]:
    shapes = Shapes(["{}", '{"never":1}'])  # others were there before
    return pack(records, shapes), shapes


def bounds_of(record: Record) -> list[int]:
    """A record's bounds as packed, the obvious way."""
    own: list[int] = []
    for _, where in record.stored():
        if isinstance(where, Nested):
            own += [bound for inner in where for bound in bounds_of(inner)]
            continue
        spans = [where] if where is None or isinstance(where, Span) else where
        for span in spans:
            own += span or (MISSING, MISSING)
    return own + [bound for child in record.children for bound in bounds_of(child)]


def shape_of(record: Record) -> object:
    """What is left of a record without its bounds."""
    fields = [
        (name, [shape_of(inner) for inner in where])
        if isinstance(where, Nested)
        else (name, None if where is None or isinstance(where, Span) else len(where))
        for name, where in record.stored()
    ]
    return fields, [shape_of(child) for child in record.children]


def identity(record: Record) -> str:
    """Equal where records are, and their fields come in the same order."""
    return repr((bounds_of(record), shape_of(record)))


@given(LISTS)
def test_records_come_back_as_they_were(records):
    packed, shapes = packed_of(records)
    assert packed.count == len(records)
    back = unpack(packed, shapes, PAGE)
    assert back == records
    assert [list(record.spans) for record in back] == [list(record.spans) for record in records]
    assert [packed.bounds[a:b].tolist() for a, b in ranges(packed)] == list(map(bounds_of, records))


def ranges(packed: Packed) -> list[tuple[int, int]]:
    return list(zip(packed.offsets[:-1].tolist(), packed.offsets[1:].tolist(), strict=True))


@given(st.lists(st.tuples(st.one_of(SPANS, st.just((-1, -1))), SPANS), max_size=6))
def test_rows_are_packed_as_their_records_are(rows):
    records = Records(Rows(PAGE, ("a", "b"), rows))
    packed, shapes = packed_of(records)
    repacked = pack(list(records), shapes)
    assert packed.same(repacked)


@given(LISTS)
def test_extents_are_those_of_the_records(records):
    packed, _ = packed_of(records)
    starts, ends = packed.extents()
    expected = [record.extent or (NOWHERE, MISSING) for record in records]
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == expected


@given(LISTS, st.data())
def test_taking_slicing_and_joining_work_as_on_lists(records, data):
    packed, shapes = packed_of(records)
    rows = data.draw(
        st.lists(st.integers(0, len(records) - 1), max_size=9) if records else st.just([])
    )
    taken = packed.take(np.array(rows, np.intp))
    assert unpack(taken, shapes, PAGE) == [records[row] for row in rows]
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(records))] * 2)))
    part = packed.slice(start, end)
    assert unpack(part, shapes, PAGE) == records[start:end]
    joined = join([taken, EMPTY, part, packed])
    expected = [*(records[row] for row in rows), *records[start:end], *records]
    assert unpack(joined, shapes, PAGE) == expected


@given(LISTS, st.data())
def test_shifting_moves_spans_and_leaves_what_is_missing(records, data):
    packed, shapes = packed_of(records)
    by = data.draw(st.lists(st.integers(0, 50), min_size=len(records), max_size=len(records)))
    longer = Page(PAGE.text * 4, id="longer")
    each = packed.shift(np.array(by, np.int32))
    expected = [record.shift(own, longer) for record, own in zip(records, by, strict=True)]
    assert unpack(each, shapes, longer) == expected
    assert unpack(packed.shift(7), shapes, longer) == [
        record.shift(7, longer) for record in records
    ]
    assert packed.shift(7).shift(-7).same(packed)


@given(LISTS)
def test_a_set_has_each_record_once_by_place(records):
    packed, shapes = packed_of(records)
    unpacked = list(unpack(packed.as_set(shapes), shapes, PAGE))
    assert sorted(map(identity, unpacked)) == sorted({identity(record) for record in records})
    places = [record.extent or (NOWHERE, MISSING) for record in unpacked]
    assert places == sorted(places)


@given(LISTS, st.randoms(use_true_random=False))
def test_a_set_does_not_depend_on_the_order_in_which_records_and_shapes_came(records, random):
    packed, shapes = packed_of(records)
    once, own_shapes = packed.as_set(shapes).numbered_anew(shapes)
    mixed = records + records[:2]
    random.shuffle(mixed)
    own = Shapes()
    shuffled, others = pack(mixed, own).as_set(own).numbered_anew(own)
    assert once.same(shuffled)
    assert own_shapes.written == others.written
    assert unpack(once, own_shapes, PAGE) == unpack(packed.as_set(shapes), shapes, PAGE)


@given(LISTS, st.integers(0, SIZE))
def test_records_fit_where_no_span_ends_later(records, length):
    packed, _ = packed_of(records)
    assert packed.fits(SIZE)
    assert packed.fits(length) == all((record.extent or (0, 0))[1] <= length for record in records)


@pytest.mark.parametrize("bounds", [(-1, 3), (2, -1), (-2, -2), (3, 2), (-5, 2), (0, SIZE + 1)])
def test_bounds_that_are_no_span_fit_nowhere(bounds):
    shapes = Shapes()
    good = Records(Rows(PAGE, ("a",), [((0, 1),), ((-1, -1),)]))
    bad = Records(Rows(PAGE, ("a",), [((0, 1),), (bounds,)]))
    assert pack(good, shapes).fits(SIZE)
    assert not pack(bad, shapes).fits(SIZE)


@given(LISTS, LISTS)
def test_records_are_the_same_with_the_shape_numbers_of_others(records, others):
    packed, shapes = packed_of(records)
    own = Shapes()
    pack(others, own)
    moved = packed.renumbered(shapes.numbers_in(own))
    assert unpack(moved, own, PAGE) == records
