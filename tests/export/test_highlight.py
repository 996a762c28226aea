from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rowen.export.highlight import (
    REPORT_CONTEXT,
    REPORT_OVERLAP,
    REPORT_PAGE_CHARACTERS,
    Edge,
    Extent,
    Gap,
    Mark,
    Piece,
    excerpts,
    pieces,
)
from rowen.model import Span

SIZE = 30
PLACES = st.tuples(st.integers(0, SIZE), st.integers(0, SIZE)).map(lambda pair: Span(*sorted(pair)))


def marked(*spans):
    return [Mark(Span(*span), str(number), "f", str(number)) for number, span in enumerate(spans)]


def swept(marks, extents=(), markup=(), size=SIZE):
    return list(pieces(size, [Span(0, size)], marks, extents, markup))


@given(st.lists(PLACES, max_size=8))
def test_pieces_are_a_partition_and_each_has_exactly_the_marks_that_cover_it(spans):
    marks = marked(*spans)
    found = swept(marks)
    place = 0
    for piece in found:
        assert piece.span.start == place
        place = piece.span.end
        if piece.span.length:
            covering = {mark for mark in marks if covers(mark.span, piece.span)}
            assert set(piece.marks) == covering
            assert not any(
                piece.span.start < edge < piece.span.end for mark in marks for edge in mark.span
            )
    assert place == SIZE
    hollow = [piece.marks[0] for piece in found if not piece.span.length]
    assert sorted(hollow, key=str) == sorted((m for m in marks if not m.span.length), key=str)


def covers(outer, inner):
    return outer.start <= inner.start and inner.end <= outer.end


@given(st.lists(PLACES, max_size=6), st.lists(PLACES, max_size=6))
def test_a_piece_knows_whether_it_is_in_a_record_and_in_markup(extents, places):
    markup = disjoint(places)
    records = [Extent(span, str(number)) for number, span in enumerate(extents)]
    for piece in swept([], records, markup):
        if isinstance(piece, Piece):
            assert piece.in_record == any(covers(span, piece.span) for span in extents)
            assert piece.in_markup == any(covers(span, piece.span) for span in markup)


@given(st.lists(PLACES, max_size=6))
def test_every_record_starts_and_ends_once_at_its_place(extents):
    records = [Extent(span, str(number)) for number, span in enumerate(extents)]
    place, edges = 0, {}
    for piece in swept([], records):
        match piece:
            case Piece(span):
                place = span.end
            case Edge(record, ends):
                edges.setdefault(record, []).append((place, ends))
    assert edges == {r.record: [(r.span.start, False), (r.span.end, True)] for r in records}


def disjoint(spans):
    kept = []
    for span in sorted(spans):
        if span.length and (not kept or kept[-1].end <= span.start):
            kept.append(span)
    return kept


def test_the_innermost_mark_comes_last():
    (outer, inner) = marked((0, 30), (5, 10))
    assert [piece.marks for piece in swept([inner, outer])] == [(outer,), (outer, inner), (outer,)]


def test_a_mark_without_length_is_inside_its_record():
    marks = marked((3, 5))
    hollow = Mark(Span(5, 5), "h", "g", "0")
    found = swept([*marks, hollow], [Extent(Span(3, 5), "0")])
    assert [type(one) for one in found] == [Piece, Edge, Piece, Piece, Edge, Piece]
    assert found[3].marks == (hollow,)


def test_a_pile_of_marks_is_cut_to_the_innermost():
    marks = marked(*((start, SIZE) for start in range(SIZE)))
    assert swept(marks)[-1].marks == tuple(marks[-REPORT_OVERLAP:])


def test_a_short_text_is_shown_whole():
    assert excerpts(REPORT_PAGE_CHARACTERS, []) == [Span(0, REPORT_PAGE_CHARACTERS)]


def test_of_a_long_text_the_surroundings_of_every_edge_are_shown():
    size = 50_000_000
    marks = marked((1_000, 1_010), (20_000_000, 40_000_000))
    reach = REPORT_CONTEXT
    assert excerpts(size, marks) == [
        Span(0, 1_010 + reach),
        Span(20_000_000 - reach, 20_000_000 + reach),
        Span(40_000_000 - reach, 40_000_000 + reach),
    ]
    found = list(pieces(size, excerpts(size, marks), marks))
    shown = [one.span for one in found]
    assert shown[0].start == 0
    assert shown[-1].end == size
    assert all(one.end == other.start for one, other in pairwise(shown))
    assert sum(isinstance(one, Gap) for one in found) == 3


def test_many_edges_share_the_room_that_a_page_has():
    marks = marked(*((place, place + 5) for place in range(0, 50_000_000, 50_000)))
    shown = sum(span.length for span in excerpts(50_000_000, marks))
    assert shown <= 1.2 * REPORT_PAGE_CHARACTERS


def test_a_long_text_without_marks_shows_its_start():
    assert excerpts(REPORT_PAGE_CHARACTERS + 1, []) == [Span(0, REPORT_CONTEXT)]
