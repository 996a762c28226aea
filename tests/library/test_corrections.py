"""What people say of papers outlasts everything that programs read."""

from pathlib import Path

import pytest
from bookshelf import citation, content, document, in_memory, put, read
from effort import cases
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.errors import InputError
from rowen.library.library import Library
from rowen.library.selection import Selection

RAWS = (
    "Lovelace, A. (1843). Notes on the analytical engine. Scientific Memoirs 3, 666-731.",
    "Turing, A. (1936). On computable numbers. Proceedings of the LMS 42, 230-265.",
    "Knuth, D. (1984). Literate programming. The Computer Journal 27, 97-111.",
    "Hopper, G. (1952). The education of a computer. Proceedings of the ACM, 243-249.",
)
values = st.sampled_from(("Engines", "Trees", None))
steps = st.one_of(
    st.tuples(st.just("title"), values),
    st.tuples(st.just("venue"), values),
    st.tuples(st.just("year"), st.sampled_from(("1999", "2001", None))),
    st.tuples(st.just("keywords"), st.sampled_from((["a", "b"], []))),
    st.tuples(st.just("citation"), st.sampled_from(RAWS), st.sampled_from(("1990", None))),
    st.tuples(st.just("no citation"), st.sampled_from(RAWS)),
    st.tuples(st.just("tag"), st.sampled_from(("to read", "cited"))),
    st.tuples(st.just("untag"), st.sampled_from(("to read", "cited"))),
    st.tuples(st.just("note"), st.sampled_from(("see page 3", "why?"))),
    st.tuples(
        st.just("read"),
        st.sampled_from(("An extracted title", "Another one", None)),
        st.lists(st.sampled_from(RAWS), unique=True),
    ),
)  # fmt: skip


def expected_years(read_raws, said):
    """The year of each reference: what was said counts, wherever the last reading left it."""
    shown = dict.fromkeys(read_raws)
    for raw, value in said.items():
        if value == "none":
            shown.pop(raw, None)
        else:
            shown[raw] = value
    return shown


@settings(max_examples=cases(80, 4000), deadline=None)
@given(history=st.lists(steps, max_size=14))
def test_random_edits_and_readings_keep_every_correction(history):
    with in_memory() as folder:
        library = Library(Path(folder))
        paper = put(library, "a.pdf", content("First", citations=[citation(raw) for raw in RAWS]))
        header, said, tags, notes = {}, {}, set(), []
        title, raws = "First", list(RAWS)
        for kind, *detail in history:
            match kind:
                case "citation":
                    raw, year = detail
                    library.correct(paper, "citation", {"year": year}, raw=raw)
                    said[raw] = year
                case "no citation":
                    library.correct(paper, "citation", None, raw=detail[0])
                    said[detail[0]] = "none"
                case "tag":
                    library.tag(paper, add=detail)
                    tags.add(detail[0])
                case "untag":
                    library.tag(paper, remove=detail)
                    tags.discard(detail[0])
                case "note":
                    library.note(paper, detail[0])
                    notes.append(detail[0])
                case "read":
                    title, raws = detail
                    read(library, paper, content(title, citations=[citation(raw) for raw in raws]))
                case _:
                    library.correct(paper, kind, detail[0])
                    header[kind] = detail[0]
            details = library.details(paper)
            assert details.header["title"] == header.get("title", title)
            for name, value in header.items():
                assert details.header[name] == value
            years = {own.content["raw"]: own.content["year"] for own in details.references}
            assert years == expected_years(raws, said)
            assert set(details.item.tags) == tags
            assert [note.text for note in details.notes] == notes
            for word in ("engines", "trees"):
                (count,) = [library.page(Selection(f"title:{word}")).total]
                assert count == int((details.header["title"] or "").lower() == word)
        library.close()
        # And a restart.
        library = Library(Path(folder))
        assert library.details(paper) == details if history else True
        library.close()


def test_a_correction_follows_a_reference_that_is_cut_a_little_otherwise(library):
    paper = put(library, "a.pdf", content("T", citations=[citation(RAWS[0]), citation(RAWS[1])]))
    library.correct(paper, "citation", {"title": "Notes"}, raw=RAWS[0])
    cut = RAWS[0].removesuffix(" 666-731.")
    read(library, paper, content("T", citations=[citation(RAWS[1]), citation(cut)]))
    shown = library.details(paper).references
    assert [(own.content["raw"], own.content["title"]) for own in shown] == [
        (RAWS[1], None),
        (cut, "Notes"),
    ]
    library.correct(paper, "citation", {"year": "1843"}, raw=cut)
    shown = library.details(paper).references
    assert len(shown) == 2
    assert (shown[1].content["title"], shown[1].content["year"]) == ("Notes", "1843")
    assert len(library.details(paper).corrections) == 1


def test_a_correction_can_be_taken_back(library):
    paper = put(library, "a.pdf", content("Extracted", date="1999"))
    library.correct(paper, "title", "Said")
    library.correct(paper, "date", "May 2003")
    assert library.details(paper).header["year"] == "2003"
    for correction in library.details(paper).corrections:
        assert library.restore(paper, correction.number)
    header = library.details(paper).header
    assert (header["title"], header["date"], header["year"]) == ("Extracted", "1999", "1999")
    assert not library.restore(paper, 99)
    kinds = [event.kind for event in library.details(paper).events]
    assert kinds == ["added", "read", "corrected", "corrected", "restored", "restored"]


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("size", "1", "there is no such field"),
        ("title", 3, "a text or null"),
        ("year", "soon", "four digits"),
        ("doi", "none", "a DOI begins"),
        ("authors", "Ada", "a list"),
        ("authors", [{"given": "Ada"}], "a family name"),
        ("authors", [{"family": "L", "age": 3}], "a person has"),
        ("keywords", ["x"] * 5_001, "more than 5,000"),
        ("abstract", "x" * 20_001, "more than 20,000"),
    ],
)
def test_a_value_that_a_field_cannot_have_is_refused(library, field, value, reason):
    paper = put(library, "a.pdf", content("T"))
    with pytest.raises(InputError, match=reason):
        library.correct(paper, field, value)
    assert library.details(paper).corrections == []


def test_a_reference_needs_its_text_and_other_fields_have_none(library):
    paper = put(library, "a.pdf", content("T"))
    with pytest.raises(InputError, match="raw"):
        library.correct(paper, "citation", {"year": "1999"})
    with pytest.raises(InputError, match="raw"):
        library.correct(paper, "title", "X", raw=RAWS[0])
    with pytest.raises(InputError, match="a reference has some of"):
        library.correct(paper, "citation", {"weight": 3}, raw=RAWS[0])


def test_equal_documents_are_one_paper_and_a_removed_one_leaves_nothing(library):
    first = document("a.pdf")
    assert library.add(first)
    assert not library.add(document("b.pdf", digest=first.digest))
    library.note(first.id, "a thought")
    assert library.page(Selection("thought")).total == 1
    assert library.remove(first.id)
    assert not library.remove(first.id)
    assert library.page(Selection("thought")).total == 0
    assert library.details(first.id) is None
    assert library.add(document("b.pdf", digest=first.digest))


def test_what_is_said_of_an_unknown_paper_is_refused_quietly(library):
    assert not library.correct("0" * 32, "title", "X")
    assert not library.tag("0" * 32, add=["x"])
    assert not library.note("0" * 32, "x")
    assert not library.remove_note("0" * 32, 1)
