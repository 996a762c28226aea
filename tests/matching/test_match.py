"""Citations matched with works: the same as by comparing each with each, in all columns."""

from itertools import pairwise

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowen
from rowen.matching import match as matching
from rowen.matching.evidence import EVIDENCE, confidences, evidence_for, probability
from rowen.matching.index import SHARED, Index
from rowen.matching.titles import likeness, shingles_of, words_of
from rowen.matching.wanted import Wanted
from rowen.matching.work import work_of

TITLES = [
    "Wrapper induction for information extraction",
    "Wrapper induction: efficiency and expressiveness",
    "Efficient information extraction over evolving text data",
    "On the origin of species",
    "Introduction",
]


def cited(title, *, family="Smith", year="2000", **more):
    return {"title": title, "authors": [{"given": "A.", "family": family}], "year": year, **more}


def write(path, rows):
    pq.write_table(pa.Table.from_pylist(rows), path)
    return path


def found(citations, path, **options):
    return [match for _, match in rowen.match_citations(citations, path, **options)]


CROSSREF = {
    "DOI": "10.1000/A", "title": ["Wrapper induction"],
    "subtitle": ["Efficiency and expressiveness"],
    "author": [{"given": "Nicholas", "family": "Kushmerick"}],
    "issued": {"date-parts": [[2000, 4]]}, "volume": "118", "page": "15-68",
    "container-title": ["Artificial Intelligence"],
}  # fmt: skip
OPENALEX = {
    "id": "https://openalex.org/W1", "doi": "https://doi.org/10.1000/a",
    "display_name": "Wrapper induction: Efficiency and expressiveness", "publication_year": 2000,
    "authorships": [{"author": {"display_name": "Nicholas Kushmerick"}, "institutions": ["UCD"]}],
    "biblio": {"volume": "118", "issue": None, "first_page": "15", "last_page": "68"},
    "primary_location": {"source": {"display_name": "Artificial Intelligence"}, "pdf": "x"},
}  # fmt: skip
PLAIN = {
    "doi": "10.1000/a", "title": "Wrapper induction: efficiency and expressiveness", "year": 2000,
    "authors": "Kushmerick, Nicholas; Other, A.", "journal": "Artificial Intelligence",
    "volume": 118, "pages": "15-68",
}  # fmt: skip


@pytest.mark.parametrize("row", [CROSSREF, OPENALEX, PLAIN], ids=["crossref", "openalex", "plain"])
def test_the_columns_of_each_dump_say_the_same(row, tmp_path):
    raw = (
        "Kushmerick, N. (2000). Wrapper induction: Efficiency and expressiveness. "
        "Artificial Intelligence, 118, 15-68."
    )
    (citation,) = rowen.parse_citations([raw])
    (match,) = found([citation], write(tmp_path / "works.parquet", [row]))
    assert match.doi == "10.1000/a"
    assert match.year == 2000
    assert match.authors[0] == "Nicholas Kushmerick"
    assert match.confidence > 0.9


def test_another_work_of_the_same_authors_is_no_match(tmp_path):
    path = write(tmp_path / "w.parquet", [PLAIN])
    others = [
        cited("Wrapper induction for information extraction", family="Kushmerick", year="1997"),
        cited("Correction to: Wrapper induction: efficiency and expressiveness",
              family="Kushmerick"),
        cited("Wrapper induction: efficiency and expressiveness", family="Jones", year="1951"),
    ]  # fmt: skip
    assert found(others, path) == [None, None, None]


def test_a_title_that_was_misread_in_part_is_found(tmp_path):
    path = write(tmp_path / "w.parquet", [PLAIN])
    title = "Wraper induction: efficiency and expressivenes"
    wish = cited(title, family="Kushmerick", volume="118", pages="15-68")
    (match,) = found([wish], path)
    assert match.doi == "10.1000/a"


def test_a_printed_doi_finds_its_work_but_not_that_of_a_misprint(tmp_path):
    path = write(tmp_path / "w.parquet", [PLAIN])
    right = {**cited("Wrapper induction", family="Kushmerick"), "doi": "doi:10.1000/A"}
    wrong = {**cited("The cell cycle of yeast", family="Nurse", year="1975"), "doi": "10.1000/a"}
    assert [match and match.doi for match in found([right, wrong], path)] == ["10.1000/a", None]


def test_two_works_that_agree_equally_share_their_confidence(tmp_path):
    path = write(tmp_path / "w.parquet", [PLAIN, {**PLAIN, "doi": "10.1000/preprint"}])
    wish = cited("Wrapper induction: efficiency and expressiveness", family="Kushmerick")
    (match,) = found([wish], path, least=0.0)
    assert 0.4 < match.confidence < 0.5
    # The same work twice in a dump is one work.
    path = write(tmp_path / "twice.parquet", [PLAIN, PLAIN])
    (match,) = found([wish], path)
    assert match.confidence > 0.8


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_confidences_of_one_citation_sum_to_at_most_one_and_keep_the_order(chances):
    sure = confidences(chances)
    assert sum(sure) <= 1 + 1e-9
    pairs = sorted(zip(chances, sure, strict=True))
    assert all(one[1] <= other[1] + 1e-12 for one, other in pairwise(pairs))


WORDS = ["deep", "review", "of", "the", "learning", "cell", "a", "yeast", "graph"]
titles = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join)  # fmt: skip
works = st.lists(
    st.builds(
        lambda title, family, year: {"title": title, "authors": [family], "year": year},
        titles, st.sampled_from(["Smith", "Jones"]), st.integers(1998, 2002),
    ),
    max_size=12,
)  # fmt: skip
wishes = st.lists(
    st.builds(
        lambda title, family, year: cited(title, family=family, year=str(year)),
        titles, st.sampled_from(["Smith", "Jones"]), st.integers(1998, 2002),
    ),
    min_size=1, max_size=8,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(works, wishes)
def test_the_index_finds_what_comparing_each_with_each_finds(rows, citations):
    """As long as no row of words is common, the index leaves out no pair that shares enough."""
    wanted = [Wanted.of(citation) for citation in citations]
    index = Index(wanted)
    for row in rows:
        own = shingles_of(words_of(row["title"]))
        expected = {
            number
            for number, one in enumerate(wanted)
            if len(one.shingles & own) >= max(SHARED * min(len(one.shingles), len(own)), 1)
        }
        assert set(index.find(row)) == expected


@settings(max_examples=30, deadline=None)
@given(works.filter(bool), wishes, st.integers(1, 3))
def test_passes_and_batches_change_nothing(tmp_path_factory, rows, citations, size):
    rows = [{**row, "id": f"W{number}"} for number, row in enumerate(rows)]
    path = write(tmp_path_factory.mktemp("works") / "w.parquet", rows)
    whole = found(citations, path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "CITATIONS_AT_ONCE", size)
        patch.setattr("rowen.matching.dump.WORKS_AT_ONCE", size)
        assert found(citations, path) == whole


@given(titles, titles)
def test_likeness_is_symmetric_and_one_only_for_equal_titles(one, other):
    assert likeness(one, other) == likeness(other, one)
    assert 0 <= likeness(one, other) <= 1
    assert likeness(one, one) == 1


def test_each_weight_speaks_for_what_it_is_evidence_of():
    work = work_of(PLAIN)
    best = Wanted.of(cited(PLAIN["title"], family="Kushmerick", volume="118", pages="15"))
    for worse in (
        cited("Correction to: " + PLAIN["title"], family="Kushmerick", volume="118", pages="15"),
        cited(PLAIN["title"], family="Jones", volume="118", pages="15"),
        cited(PLAIN["title"], family="Kushmerick", year="1990", volume="118", pages="15"),
        cited(PLAIN["title"], family="Kushmerick", volume="7", pages="15"),
        cited(PLAIN["title"], family="Kushmerick", volume="118", pages="900"),
    ):
        assert probability(Wanted.of(worse), work) < probability(best, work)
    assert len(evidence_for(best, work)) == len(EVIDENCE)


HOSTILE = [
    {"title": None, "doi": None, "authors": None, "year": None},
    {"title": "", "doi": "", "authors": [], "year": -1},
    {"title": "x" * 100_000, "doi": "10." * 5_000, "authors": ["," * 500] * 300, "year": 10**15},
    {"title": "<" * 5_000 + "&lt;" * 5_000, "doi": "\x00", "authors": ["\u202e"], "year": 0},
]


def test_rows_of_any_content_are_read(tmp_path):
    path = write(tmp_path / "w.parquet", [*HOSTILE, {**PLAIN, "authors": ["N. Kushmerick"]}])
    wishes = [
        cited("Wrapper induction: efficiency and expressiveness", family="Kushmerick"),
        cited(""),
        {"raw": "", "title": None},
        {"raw": ["no", 1], "title": {"a": 1}, "authors": "x"},
        cited("x" * 100_000, year="n.d.", pages="-", volume="()"),
    ]  # fmt: skip
    first, *others = found(wishes, path)
    assert first.doi == "10.1000/a"
    assert all(match is None or match.confidence <= 1 for match in others)


def test_strings_that_are_not_utf8_are_no_titles(tmp_path):
    broken = pa.array([b"Wrapper \xff\xfe induction", b"Wrapper induction"]).view(pa.binary())
    table = pa.table({"title": broken.view(pa.string()), "doi": ["10.1000/b", "10.1000/a"]})
    pq.write_table(table, tmp_path / "w.parquet")
    (match,) = found([{"title": "Wrapper induction"}], tmp_path / "w.parquet", least=0.0)
    assert match.doi == "10.1000/a"


@pytest.mark.parametrize("rows", [[{"name": "x"}], [{"titel": "x", "doi": "10.1000/a"}]])
def test_a_table_without_titles_is_refused_with_its_columns(rows, tmp_path):
    write(tmp_path / "w.parquet", rows)
    with pytest.raises(rowen.errors.SourceError, match="no column of titles") as caught:
        found([cited("x")], tmp_path / "w.parquet")
    assert repr(next(iter(rows[0]))) in str(caught.value)


def test_what_is_no_parquet_is_refused(tmp_path):
    (tmp_path / "w.parquet").write_bytes(b"PAR1 not really PAR1")
    with pytest.raises(rowen.errors.SourceError, match="as Parquet"):
        found([cited("x")], tmp_path / "w.parquet")
    (tmp_path / "empty").mkdir()
    with pytest.raises(rowen.errors.SourceError, match="no Parquet files"):
        found([cited("x")], tmp_path / "empty")


def test_columns_of_other_types_than_expected_are_read_as_unknown(tmp_path):
    row = {**PLAIN, "authors": 7, "volume": {"a": 1}, "doi": ["10.1000/a"], "year": {"y": 2}}
    path = write(tmp_path / "w.parquet", [row])
    (match,) = found([cited(PLAIN["title"], family="Kushmerick")], path, least=0.0)
    assert match.doi == "10.1000/a"
    assert match.year is None


@given(st.text(max_size=200))
def test_words_are_plain_and_stay_the_same(text):
    words = words_of(text)
    assert words_of(" ".join(words)) == words
