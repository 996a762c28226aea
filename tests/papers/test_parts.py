"""Parts of papers that are known from others: what is made of them is what is made anew."""

import json
import random
import zlib
from contextlib import suppress
from dataclasses import fields, replace
from importlib.resources import files

import hypothesis.strategies as st
import numpy as np
import pytest
from benchmarks.edits import edited_layout, edited_text
from hypothesis import given, settings
from pdfs import pdf

from rowen.citations.markers.marker import Marker
from rowen.citations.markers.years import dated, works_of
from rowen.citations.parser import parse_citations
from rowen.papers.paper import examine, read_closely, read_flow
from rowen.papers.parts import Parts, joined, parted
from rowen.papers.parts.digests import page_digest, pages_digest
from rowen.papers.parts.packed import (
    DamagedError,
    PackedPage,
    pack_authors,
    pack_citation,
    pack_markers,
    pack_page,
    pack_words,
    unpack_authors,
    unpack_citation,
    unpack_markers,
    unpack_words,
)
from rowen.papers.people import Author, authors_of
from rowen.papers.zones import Zones, zones_of
from rowen.papers.zones.features import word_rows
from rowen.pdf import Line, read_layout
from rowen.pdf.characters import characters_of
from rowen.pdf.document import PageLines
from rowen.pdf.lines import lines_from

KEY = bytes(range(16))
PAPER = (files("rowen.samples") / "papers" / "jcon.00187.pdf").read_bytes()


def recalling(known, key=KEY):
    return Parts(key, lambda digests: {one: known[one] for one in digests if one in known})


def read_with(parts, data):
    def glance(pages, _total):
        parts.page_digests(pages)
        parts.find_pages()

    return read_closely(data, parts=parts, glance=glance)


@pytest.fixture(scope="module")
def whole():
    """The sample paper, and its parts."""
    parts = Parts(KEY)
    return read_with(parts, PAPER), parts


def test_with_all_parts_known_the_paper_is_the_same_and_nothing_is_made(whole):
    reading, parts = whole
    assert reading.paper == read_closely(PAPER).paper
    again = recalling(parts.all)
    assert read_with(again, PAPER).paper == reading.paper
    assert (again.all, again.known) == (parts.all, len(parts.all))


def test_parts_have_a_key_and_are_found_with_no_other(whole):
    other = recalling(whole[1].all, key=bytes(16))
    assert read_with(other, PAPER).paper == whole[0].paper
    assert other.known == 0


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_with_any_of_the_parts_known_the_paper_is_the_same(whole, seed):
    reading, parts = whole
    drawn = random.Random(seed)
    some = {digest: part for digest, part in parts.all.items() if drawn.random() < 0.7}
    assert read_with(recalling(some), PAPER).paper == reading.paper


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32))
def test_damaged_parts_are_as_good_as_unknown(whole, seed):
    """Of lines and words a sum tells; a citation that is other JSON is no worse."""
    reading, parts = whole
    drawn = random.Random(seed)

    def damaged(part):
        kind = drawn.randrange(4)
        if kind == 0:
            return part[: drawn.randrange(len(part))]
        if kind == 1:
            at = drawn.randrange(len(part) - 4)
            return part[:at] + b"\xff\xff\xff" + part[at + 3 :]
        return drawn.choice((b"", b"[", b"[" * 100_000, b"{}", b"[1,2,3,4]", drawn.randbytes(50)))

    broken = {digest: damaged(part) for digest, part in parts.all.items()}
    read = read_with(recalling(broken), PAPER)
    assert read.paper == reading.paper


def test_a_part_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("rowen.papers.parts.packed.PART_BYTES", 1000)
    with pytest.raises(DamagedError):
        unpack_words(pack_words(np.zeros((50, 12), np.uint64)), 50)


TEXTS = st.text(min_size=1, max_size=12)
FLOATS = st.floats(allow_nan=False)
SPANS = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=2)
LINES = st.builds(
    Line, TEXTS, st.just(3), st.integers(5, 8), FLOATS, FLOATS, FLOATS, FLOATS, FLOATS, FLOATS,
    TEXTS, st.booleans(), st.booleans(), SPANS.map(tuple),
    st.lists(st.integers(0, 9), max_size=2).map(tuple), st.just(()),
).map(lambda line: replace(line, offsets=tuple(range(len(line.text)))))  # fmt: skip


@given(st.lists(LINES, max_size=5))
def test_lines_survive_being_packed_to_the_last_bit(lines):
    made = PageLines(lines, 4)
    rows = np.arange(12 * len(lines), dtype=np.uint64).reshape(-1, 12) * 2**57
    packed = PackedPage.of(pack_page(made, 5, rows))
    assert packed.lines(3, 5) == made
    assert np.array_equal(packed.rows, rows)
    moved = packed.lines(0, 0).lines
    assert moved == [replace(line, page=0, block=line.block - 5) for line in lines]


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, max_size=8))
def test_features_of_words_do_not_depend_on_other_lines(texts):
    lines = [replace(LINE, text=text, offsets=(0,) * len(text)) for text in texts]
    known = Parts(KEY)
    known.words(lines)
    other = [*lines[::-1], *lines]
    assert np.array_equal(recalling(known.all).words(other), word_rows(other))


LINE = Line("x", 0, 0, 0.0, 0.0, 1.0, 1.0, 0.0, 10.0, "f", False, False, (), (), (-1,))  # noqa: FBT003


@given(st.lists(st.text(max_size=60), max_size=4))
def test_citations_survive_being_packed(strings):
    for citation in parse_citations(strings):
        again = unpack_citation(pack_citation(citation), citation.raw)
        assert again == citation
        assert again.to_dict() == citation.to_dict()


MARKERS = st.builds(
    Marker, st.integers(0, 99), st.integers(0, 99), st.lists(st.integers(0, 9)).map(tuple)
)
AUTHORS = st.builds(Author, TEXTS, TEXTS, st.lists(TEXTS).map(tuple), st.none() | TEXTS)


@given(st.lists(MARKERS, max_size=4), st.lists(AUTHORS, max_size=3))
def test_markers_and_authors_survive_being_packed(markers, authors):
    assert unpack_markers(pack_markers(markers)) == markers
    assert unpack_authors(pack_authors(authors)) == authors


@given(st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=8))
def test_other_data_is_never_taken_for_markers_or_authors_of_other_types(data):
    plain = json.dumps(data).encode()
    packed = zlib.crc32(plain).to_bytes(4, "little") + plain
    for unpack in (unpack_markers, unpack_authors):
        with suppress(DamagedError):
            assert all(isinstance(one, Marker | Author) for one in unpack(packed))


@given(st.lists(LINES, max_size=5))
def test_lines_made_by_columns_are_those_of_the_constructor(lines):
    rows = [[getattr(line, field.name) for field in fields(Line)] for line in lines]
    columns = zip(*rows, strict=True) if rows else [[] for _ in fields(Line)]
    assert lines_from(*columns) == lines


YEARS = st.sampled_from(("1999", "2001a", "2001b", "2004"))
FAMILIES = st.sampled_from(("Smith", "Doe", "López Obrador", "Lee"))
DATED = st.lists(
    st.builds("({} et al., {}) and {} ({})".format, FAMILIES, YEARS, FAMILIES, YEARS)
    | st.sampled_from(("", "no years", "in 1999 they")),
    max_size=5,
)
REFERENCES = st.lists(
    st.builds(
        "{}, A. and {}, B. ({}). A title. Some Journal, 3.".format, FAMILIES, FAMILIES, YEARS
    ),
    max_size=4,
)


@settings(max_examples=40, deadline=None)
@given(DATED, DATED, REFERENCES, REFERENCES)
def test_markers_with_years_are_the_same_whatever_is_known(texts, others, references, more):
    known = Parts(KEY)
    known.dated([*texts, *others], works_of(parse_citations(references)))
    for strings in (references, more):
        works = works_of(parse_citations(strings))
        parts = recalling(known.all)
        assert parts.dated(texts, works) == dated(texts, works)
        if strings == references:
            assert parts.known == len(texts)


def front_of(*shown):
    lines = [
        (
            replace(LINE, text=text, page=label == "body", baseline=700.0 - 20 * i, size=size),
            label,
        )
        for i, (text, size, label) in enumerate(shown)
    ]
    return Zones(lines)


TITLE = ("A Title of Some Length", 18.0, "title")
AUTHOR = ("Maria Smith and John Doe", 11.0, "author")
PLACE = ("University of Somewhere", 10.0, "affiliation")


def test_authors_are_known_by_their_lines_and_what_these_were_taken_for():
    body = ("Some words of the body", 10.0, "body")
    parts = Parts(KEY)
    authors = parts.authors(front_of(TITLE, AUTHOR, PLACE, body))
    assert [author.family for author in authors] == ["Smith", "Doe"]
    [known] = parts.all.values()
    assert unpack_authors(known) == authors
    same = recalling(parts.all)
    changed = front_of(TITLE, AUTHOR, PLACE, ("Other words", 10.0, "body"))
    assert same.authors(changed) == authors
    assert same.known == 1
    for other in (
        front_of(TITLE, ("Maria Smith and John Roe", 11.0, "author"), PLACE, body),
        front_of(TITLE, AUTHOR, (*PLACE[:2], "author"), body),
        front_of(TITLE, (AUTHOR[0], 12.0, "author"), PLACE, body),
    ):
        asked = recalling(parts.all)
        assert asked.authors(other) == authors_of(other)
        assert asked.known == 0


def test_authors_that_depend_on_other_lines_are_computed_again():
    """`Ford Versypt` is one family name where the paper cites it so: the front does not tell."""
    author = ("Ashlee Ford Versypt", 11.0, "author")
    cited = "as Ford Versypt et al. have shown, and A. Ford Versypt"
    cites = front_of(TITLE, author, (cited, 10.0, "body"))
    plain = front_of(TITLE, author, ("as others have shown", 10.0, "body"))
    for first, second in ((cites, plain), (plain, cites)):
        parts = Parts(KEY)
        parts.authors(first)
        assert recalling(parts.all).authors(second) == authors_of(second)
    assert authors_of(cites) != authors_of(plain)


@given(st.dictionaries(st.binary(min_size=16, max_size=16), st.binary(max_size=20), max_size=4))
def test_parts_are_joined_and_parted(parts):
    together = joined(parts)
    assert parted(together) == parts
    for at in range(len(together)):
        assert parted(together[:at]).items() <= parts.items()
    parted(together[3:])


def pages_of(data):
    return list(characters_of(data, "a", opened=lambda _: None))


def test_every_column_of_a_page_counts_and_its_number_does_not():
    [page] = pages_of(pdf([[(72, 700, 12, "Some words"), (72, 650, 9, "more")]]))
    own = page_digest(page, KEY)
    assert page_digest(replace(page, number=7), KEY) == own
    others = [replace(page, width=page.width + 1), replace(page, height=page.height + 1)]
    for name in ("codes", "places", "fonts", "turned", "unmapped"):
        column = getattr(page, name).copy()
        column.flat[1] = not column.flat[1] if column.dtype == bool else column.flat[1] + 1
        others.append(replace(page, **{name: column}))
    face, *more = page.faces
    others += [
        replace(page, faces=[replace(face, **{name: value}), *more])
        for name, value in (("name", "Other"), ("bold", True), ("italic", True))
    ]
    digests = {page_digest(other, KEY) for other in others}
    assert len(digests - {own}) == len(others)
    assert pages_digest([own], 1, KEY) != pages_digest([own], 2, KEY)
    assert pages_digest([own, own], 2, KEY) != pages_digest([own], 2, KEY)


def test_random_edits_of_lines_are_read_as_if_nothing_were_known(whole):
    layout, known = read_layout(PAPER), dict(whole[1].all)
    runs = Parts(KEY)
    runs.words(layout.lines)
    known |= runs.all
    drawn = random.Random(3)
    for _ in range(12):
        other = edited_layout(layout, drawn)
        parts = recalling(known)
        found = examine(other, zones_of(other, words=parts.words), parts=parts)
        assert found.paper == examine(other, zones_of(other)).paper
        assert parts.known > 10


@pytest.mark.parametrize("html", [False, True])
def test_random_edits_of_texts_are_read_as_if_nothing_were_known(whole, html):
    text = whole[0].paper.text
    if html:
        text = "<h1>" + text.replace("\n\n", "</p>\n<p>")
    known = Parts(KEY)
    read_flow(text, html=html, parts=known)
    drawn = random.Random(4)
    for _ in range(12):
        other = edited_text(text, drawn)
        parts = recalling(known.all)
        assert read_flow(other, html=html, parts=parts).paper == read_flow(other, html=html).paper
        assert parts.known > 5
