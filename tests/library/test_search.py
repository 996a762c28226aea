"""Search, facets and pages of a library against a slow reference that looks at each paper."""

import re
import unicodedata
from contextlib import suppress
from pathlib import Path

import pytest
from bookshelf import content, in_memory, put
from effort import cases
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.errors import InputError
from rowen.library.library import Library
from rowen.library.query import Query
from rowen.library.selection import FACETS, Selection

WORDS = ("wrapper", "wrappers", "induction", "Zürich", "zurich", "Müller", "tree", "机器学习", "a1")
AUTHORS = ("Ada Lovelace", "Jürgen Müller", "Alan Turing")
texts = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
papers = st.builds(
    lambda title, authors, abstract, body, year, venue: {
        "title": title or None,
        "authors": authors,
        "abstract": abstract or None,
        "body": body,
        "date": year,
        "venue": venue,
    },
    texts,
    st.lists(st.sampled_from(AUTHORS), max_size=3, unique=True),
    texts,
    texts,
    st.sampled_from((None, "1999", "2001-05-03", "May 2020")),
    st.sampled_from((None, "Journal of Trees", "ACM")),
)
terms = st.builds(
    lambda minus, part, words, star, quoted: (
        minus + part + (f'"{" ".join(words)}"' if quoted or len(words) > 1 else words[0]) + star
    ),
    st.sampled_from(("", "", "-")),
    st.sampled_from(("", "", "title:", "author:", "body:", "ABSTRACT:")),
    st.lists(
        st.sampled_from((*WORDS, "wrap", "学", "机器", "ind", "nowhere")), min_size=1, max_size=2
    ),
    st.sampled_from(("", "*")),
    st.booleans(),
)


def folded(text):
    """The words of a text, as a slow reader sees them; each Chinese letter is one."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return re.findall(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+", plain)


def has(words, sought, *, prefix):
    for start in range(len(words) - len(sought) + 1):
        part = words[start : start + len(sought)]
        if part[:-1] == sought[:-1] and (
            part[-1].startswith(sought[-1]) if prefix else part[-1] == sought[-1]
        ):
            return True
    return False


def matches(paper, query):
    parts = {
        "title": [paper["title"] or ""],
        "authors": ["\n".join(paper["authors"])],
        "abstract": [paper["abstract"] or ""],
        "body": [paper["body"] or f"{paper['title']}\n{' '.join(paper['authors'])}\n"],
    }
    for term in Query.of(query).terms:
        looked = parts[term.part] if term.part else [text for own in parts.values() for text in own]
        found = any(has(folded(text), folded(term.words), prefix=term.prefix) for text in looked)
        if found == term.excluded:
            return False
    return True


def filled(library, listed):
    return [put(library, f"p{number}.pdf", content(**paper)) for number, paper in enumerate(listed)]


@settings(max_examples=cases(60, 4000), deadline=None)
@given(listed=st.lists(papers, max_size=6), sought=st.lists(terms, max_size=3).map(" ".join))
def test_search_finds_what_a_slow_reader_finds(listed, sought):
    with in_memory() as folder:
        library = Library(Path(folder))
        ids = filled(library, listed)
        expected = [id_ for id_, paper in zip(ids, listed, strict=True) if matches(paper, sought)]
        page = library.page(Selection(sought), sort="added", limit=100)
        assert [item.id for item in page.items] == expected
        assert page.total == len(expected)
        assert library.chosen(Selection(sought)) == expected
        library.close()


@settings(max_examples=cases(40, 2000), deadline=None)
@given(
    listed=st.lists(papers, max_size=7),
    sort=st.sampled_from(
        ("title", "-title", "year", "-year", "authors", "venue", "-venue", "added")
    ),
    limit=st.integers(1, 3),
)
def test_pages_give_every_paper_once_in_order_and_what_is_missing_last(listed, sort, limit):
    with in_memory() as folder:
        library = Library(Path(folder))
        ids = filled(library, listed)
        seen, cursor = [], None
        while True:
            page = library.page(Selection(), sort=sort, cursor=cursor, limit=limit)
            assert page.total == len(listed)
            assert len(page.items) <= limit
            seen += page.items
            cursor = page.next
            if cursor is None:
                break
        assert sorted(item.id for item in seen) == sorted(ids)
        name = sort.removeprefix("-")
        if name != "added":
            values = [
                item.authors[0].split()[-1] if name == "authors" and item.authors
                else getattr(item, name) or None
                for item in seen
            ]  # fmt: skip
            keys = [" ".join(folded(value)) if value else None for value in values]
            present = [key for key in keys if key]
            assert keys[len(present) :] == [None] * (len(keys) - len(present))
            if name != "title":  # Chinese letters are single words in `folded`
                assert present == sorted(present, reverse=sort.startswith("-"))
        library.close()


@settings(max_examples=cases(40, 2000), deadline=None)
@given(
    listed=st.lists(papers, max_size=7),
    sought=st.sampled_from(("", "wrapper", "-tree")),
    year=st.sampled_from(((), ("1999",), ("1999", "2020"), ("",))),
    author=st.sampled_from(((), ("Ada Lovelace",), ("",))),
)
def test_facets_count_what_choosing_them_lists(listed, sought, year, author):
    with in_memory() as folder:
        library = Library(Path(folder))
        filled(library, listed)
        selection = Selection(sought, {"year": year, "author": author})
        facets = library.facets(selection)
        assert set(facets) == set(FACETS)
        for name, counts in facets.items():
            others = selection.without(name).facets
            for value, number in counts:
                chosen = Selection(sought, {**others, name: (value or "",)})
                assert library.page(chosen).total == number
        library.close()


@settings(max_examples=cases(200, 20_000), deadline=None)
@given(sought=st.text(max_size=40))
def test_nothing_that_can_be_typed_is_an_error(shelf, sought):
    shelf.page(Selection(sought))
    shelf.facets(Selection(sought, {"tag": (sought,), "author": (sought,)}))


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    library = Library(tmp_path_factory.mktemp("library"))
    filled(library, [{"title": "A tree", "authors": ["Ada Lovelace"]}])
    yield library
    library.close()


@settings(max_examples=cases(100, 10_000), deadline=None)
@given(cursor=st.text(max_size=60))
def test_a_foreign_cursor_is_refused_or_a_place(shelf, cursor):
    with suppress(InputError):
        assert shelf.page(Selection(), cursor=cursor).total == 1


def test_a_cursor_of_another_order_is_refused(library):
    filled(library, [{"title": "One"}, {"title": "Two"}])
    cursor = library.page(Selection(), sort="title", limit=1).next
    with pytest.raises(InputError, match="another order"):
        library.page(Selection(), sort="-title", cursor=cursor)


def test_the_best_match_comes_first_where_words_are_sought(library):
    filler = "many other words " * 30
    below = put(library, "a.pdf", content("Of trees", body=f"{filler} wrapper {filler}"))
    above = put(library, "b.pdf", content("A wrapper", body=filler))
    assert [item.id for item in library.page(Selection("wrapper")).items] == [above, below]


def test_an_unknown_sort_or_facet_is_named(library):
    with pytest.raises(InputError, match="unknown sort 'size'"):
        library.page(Selection(), sort="size")
    with pytest.raises(InputError, match="unknown facet 'size'"):
        Selection("", {"size": ("1",)})


@pytest.mark.parametrize("most", [0, 3, 100])
def test_pages_of_a_search_give_every_match_once_also_where_there_are_too_many_to_rank(
    library, monkeypatch, most
):
    monkeypatch.setattr("rowen.library.listing.RANKED_PAPERS", most)
    ids = filled(library, [{"title": f"wrapper {'tree ' * number}"} for number in range(7)])
    seen, cursor = [], None
    while True:
        page = library.page(Selection("wrapper"), cursor=cursor, limit=2)
        seen += [item.id for item in page.items]
        cursor = page.next
        if cursor is None:
            break
    assert sorted(seen) == sorted(ids)
    if most < len(ids):
        assert seen == ids[::-1]  # the newest first
