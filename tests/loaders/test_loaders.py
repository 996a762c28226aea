"""Papers as documents of LangChain and LlamaIndex, with the real packages where they are there."""

from importlib.resources import files

import pytest

import rowen
from rowen.loaders.documents import documents_of, files_of

PAPER = files("rowen.samples") / "papers" / "jose.00050.pdf"


@pytest.fixture(scope="module")
def sections():
    return list(documents_of(PAPER))


def test_a_section_has_its_heading_its_page_and_its_boxes(sections):
    assert sections[0].metadata["title"].startswith("Emacs-reveal")
    assert sections[0].metadata["authors"] == ["Jens Lechtenbörger"]
    (intro,) = [one for one in sections if one.metadata.get("section") == "Introduction"]
    assert intro.metadata["page"] == 1
    page, left, bottom, right, top = intro.metadata["boxes"][0]
    assert page == 1
    assert 0 < left < right < 596
    assert 0 < bottom < top < 842


def test_all_modes_have_the_same_text(sections):
    (whole,) = documents_of(PAPER, mode="paper")
    paragraphs = list(documents_of(PAPER, mode="paragraphs"))
    assert len(paragraphs) > len(sections) > 3
    assert len(whole.metadata["references"]) == 14
    by_section = "".join("".join(one.text.split()) for one in sections)
    assert "".join("".join(one.text.split()) for one in paragraphs) == by_section
    ids = [one.id for one in (whole, *sections, *paragraphs)]
    assert len({*ids[1:]}) == len(ids) - 1


def test_a_folder_is_read_and_bad_files_end_it_or_are_left_out(tmp_path):
    (tmp_path / "a.pdf").write_bytes(PAPER.read_bytes())
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.4 broken")
    (tmp_path / "notes.md").write_text("not a paper")
    assert [file.name for file in files_of(tmp_path)] == ["a.pdf", "b.pdf"]
    with pytest.raises(rowen.RowenError):
        list(documents_of(tmp_path))
    assert {one.metadata["source"] for one in documents_of(tmp_path, skip_errors=True)} == {
        str(tmp_path / "a.pdf")
    }
    with pytest.raises(rowen.errors.UsageError, match="modes are"):
        list(documents_of(tmp_path, mode="words"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_langchain_takes_the_documents(sections):
    pytest.importorskip("langchain_core")
    from langchain_core.documents import Document

    from rowen.loaders.langchain import PaperLoader

    loaded = PaperLoader(PAPER).load()
    assert all(isinstance(one, Document) for one in loaded)
    assert [(one.id, one.page_content, one.metadata) for one in loaded] == [
        tuple(one) for one in sections
    ]


@pytest.mark.filterwarnings("ignore")
def test_llama_index_takes_the_documents(sections):
    pytest.importorskip("llama_index.core")
    from rowen.loaders.llama_index import PaperReader

    loaded = PaperReader().load_data(PAPER)
    assert [(one.id_, one.text, one.metadata) for one in loaded] == [tuple(one) for one in sections]
    # What only programs need does not fill a model's prompt.
    assert "boxes" not in loaded[0].get_content(metadata_mode="llm")
