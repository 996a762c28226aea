"""A document that is hardly a paper gets a warning; papers and short texts get none."""

from rowen.papers.zones.bibliography import with_bibliography
from rowen.papers.zones.doubts import doubt_of
from rowen.pdf import Line

_WORDS = "words of running text that fill a whole line of a page and then some"


def _line(text: str, number: int, gaps: tuple[int, ...] = ()) -> Line:
    baseline = 780 - 12.0 * number
    return Line(
        text, 0, 0, 72, baseline, 500, baseline + 10, baseline, 10, "Roman", bold=False,
        italic=False, raised=(), gaps=gaps, offsets=(),
    )  # fmt: skip


def _labelled(texts: list[str], label: str = "body", gaps: tuple[int, ...] = ()) -> list:
    return [(_line(text, i, gaps), label) for i, text in enumerate(texts)]


def test_a_form_is_named_as_such() -> None:
    form = _labelled([f"{n} Name of box {n}" for n in range(60)], gaps=(2,))
    assert "a form or a table" in (doubt_of(form) or "")


def test_short_lines_without_cells_are_no_paper() -> None:
    slides = [(_line("A point on a slide", 3 * i), "body") for i in range(40)]
    assert "no paper" in (doubt_of(slides) or "")


def test_running_text_and_short_texts_are_not_doubted() -> None:
    assert doubt_of(_labelled([_WORDS] * 30)) is None
    assert doubt_of(_labelled(["A short note"])) is None


def test_a_document_with_references_is_not_doubted() -> None:
    lines = [*_labelled(["Box"] * 200), *_labelled(["Smith, A. 2004."], "reference")]
    assert doubt_of(lines) is None


def test_entries_of_a_table_of_contents_are_no_references() -> None:
    lines = [
        _line("References", 0),
        *(_line(f"{n} Results of 2004 ..... {n}", n) for n in range(1, 9)),
    ]
    labels = ["heading", *["reference"] * 8]
    assert "reference" not in with_bibliography(lines, labels)


def test_lines_without_any_year_are_no_references() -> None:
    lines = [_line(_WORDS, n) for n in range(20)]
    assert "reference" not in with_bibliography(lines, ["reference"] * 20)
