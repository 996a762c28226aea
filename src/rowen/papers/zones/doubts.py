"""Whether a document is a paper at all: forms, tables and slides get a warning.

Their fields come out as something, such as a tax form's boxes as authors. So where a document has
neither an abstract nor references, and little running text, a warning says so.
"""

from collections.abc import Sequence

from rowen.pdf import Line
from rowen.pdf.stretches import stretches_of

_RUNNING = 0.4  # of the letters: a paper has at least so many in paragraphs
_SPLIT = 0.3  # of the lines: with so many in cells, a document is a form or a table
_LETTERS = 400  # shorter texts are not judged


def doubt_of(labelled: Sequence[tuple[Line, str]]) -> str | None:
    """The warning for a document that is hardly a paper; None for others."""
    labels = {label for _, label in labelled}
    lines = [line for line, label in labelled if label != "furniture"]
    letters = sum(len(line.text) for line in lines)
    if letters < _LETTERS or labels & {"abstract", "reference"}:
        return None
    running = sum(stretch.letters for stretch in stretches_of(lines) if stretch.long)
    if running >= _RUNNING * letters:
        return None
    split = sum(bool(line.gaps) for line in lines)
    kind = "a form or a table" if split >= _SPLIT * len(lines) else "no paper"
    return (
        f"this looks like {kind}: no abstract, no references and little running text; "
        "its fields may be wrong"
    )
