"""Papers as files: corrections are in all of them, and what is written can be read again."""

import csv
import io
import json
import zipfile

import pytest
from bookshelf import citation, content, put
from small_papers import paper

import rowen
from rowen.citations.adaptation import read_annotated
from rowen.errors import UsageError
from rowen.library.exports import FORMATS, export
from rowen.library.restored import paper_from
from rowen.library.selection import Selection
from rowen.library.training import annotated_references


def exported(library, chosen, *, archive=False):
    target = io.BytesIO()
    number = export(target, library.papers(library.chosen(Selection())), chosen, archive=archive)
    return number, target.getvalue()


@pytest.fixture
def read_paper(library):
    """A paper whose body points at its references, and what was extracted of it."""
    whole = rowen.read_paper(paper(3, cites=[4, 5])).to_dict()
    (section,) = [own for own in whole["body"] if own["text"]][:1]
    section["markers"] = [
        {"span": [0, 1], "citations": [0, 2]},
        {"span": [1, 2], "citations": [1]},
    ]
    return put(library, "a.pdf", whole), whole


def test_pointers_lead_to_the_same_references_after_one_was_removed(library, read_paper):
    id_, whole = read_paper
    raws = [own["raw"] for own in whole["citations"]]
    library.correct(id_, "citation", None, raw=raws[1])
    (shown,) = library.papers([id_])
    restored = paper_from(shown.content)
    pointed = [
        [restored.citations[at].raw for at in marker.citations]
        for section in restored.body
        for marker in section.markers
    ]
    assert pointed == [[raws[0], raws[2]], []]


@pytest.mark.parametrize("chosen", FORMATS)
@pytest.mark.parametrize("archive", [False, True])
def test_every_format_has_the_corrected_title(library, read_paper, chosen, archive):
    id_, _ = read_paper
    library.correct(id_, "title", "A title by hand")
    number, written = exported(library, chosen, archive=archive)
    assert number == 1
    if archive:
        with zipfile.ZipFile(io.BytesIO(written)) as read:
            (name,) = read.namelist()
            assert name == f"a.{FORMATS[chosen].ending}"
            written = read.read(name)
    assert "A title by hand" in written.decode()


def test_a_formula_in_a_title_is_text_in_a_spreadsheet(library):
    put(library, "a.pdf", content('=HYPERLINK("http://x")'))
    _, row = csv.reader(exported(library, "csv")[1].decode().splitlines())
    assert row[2].startswith("'=")


def test_files_in_an_archive_have_names_of_their_own(library):
    for number, name in enumerate(("a/b.pdf", "a b.pdf", "A b.pdf", "...", "")):
        put(library, name, content(f"Title {number}"))
    with zipfile.ZipFile(io.BytesIO(exported(library, "json", archive=True)[1])) as read:
        names = read.namelist()
    assert len({name.casefold() for name in names}) == len(names) == 5
    assert not any("/" in name or name.startswith(".") for name in names)


def test_an_unknown_format_names_the_others(library):
    with pytest.raises(UsageError, match="bibtex"):
        exported(library, "docx")


def test_corrected_references_are_examples_for_the_parser(library, tmp_path):
    raw = "Knuth, D. Literate programming. Comp. J. 27, 97-111 (1984)"
    spans = {"author": [[0, 9]], "title": [[10, 30]]}
    other = "Turing, A. On computable numbers. 1936."
    whole = content("T", citations=[citation(raw, spans=spans), citation(other)])
    id_ = put(library, "a.pdf", whole)
    library.correct(id_, "citation", {"container": "Comp. J.", "year": "1984"}, raw=raw)
    library.correct(id_, "citation", {"container": "Proceedings"}, raw=other)  # not in its text
    (row,) = annotated_references(library)
    assert row["fields"] == {
        "author": ["Knuth, D."],
        "title": ["Literate programming"],
        "container": ["Comp. J."],
        "date": ["1984"],
    }
    file = tmp_path / "references.jsonl"
    file.write_text(json.dumps(row) + "\n", "utf-8")
    (annotated,) = read_annotated(file)
    assert annotated.raw == raw
    assert set(annotated.labels) == {"author", "title", "container", "date"}
