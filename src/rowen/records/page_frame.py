"""A page with values marked where they are, as a frame that runs nothing and loads nothing.

The page is shown as it is: a frame with an empty `sandbox` runs no script, opens no window and
follows no automatic redirect, and its policy loads neither images nor styles from elsewhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowen.model import Page
    from rowen.records.record import Record

COLOURS = ("#ffe08a", "#b9e6ff", "#c8f2c2", "#ffd0d9", "#e2d4ff", "#ffdcb8", "#c9f0ea", "#f1e2c6")
"""Of the fields, in turn."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""A page in the frame runs nothing and loads nothing."""


def page_frame(
    page: "Page", records: "Iterable[Record]", fields: Sequence[str], *, style: str = ""
) -> str:
    """A frame with a page, on which the values of these fields are marked."""
    shown = escape(_marked(page, records, fields), quote=True)
    styled = f' style="{style}"' if style else ""
    return f'<iframe sandbox="" loading="lazy" title="The page"{styled} srcdoc="{shown}"></iframe>'


def _marked(page: "Page", records: "Iterable[Record]", fields: Sequence[str]) -> str:
    """A page with the values marked in their fields' colours."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    is_markup = "<" in page.text
    # A plain text is shown as one: the browser would join its lines.
    pieces, last = [policy, "" if is_markup else "<pre>"], 0

    def shown(text: str) -> str:
        return text if is_markup else escape(text)

    for start, end, number in _disjoint(page, records, fields):
        name = escape(fields[number], quote=True)
        colour = COLOURS[number % len(COLOURS)]
        pieces += (
            shown(page.text[last:start]),
            f'<span title="{name}" style="background:{colour};color:#000;outline:1px solid #555">',
            shown(page.text[start:end]),
            "</span>",
        )
        last = end
    return "".join([*pieces, shown(page.text[last:])])


def _disjoint(
    page: "Page", records: "Iterable[Record]", fields: Sequence[str]
) -> Iterator[tuple[int, int, int]]:
    """The texts of a page that are values, with the numbers of their fields, in page order.

    Attributes are not to be seen, and of values inside each other the first is shown.
    """
    numbers = {name: number for number, name in enumerate(fields)}
    places = sorted(
        (span.start, -span.end, numbers[name])
        for record in records
        if record.page.id == page.id
        for name, spans in record.items()
        if name in numbers
        for span in spans
    )
    is_markup = "<" in page.text
    last = 0
    for start, negative, number in places:
        end = -negative
        if start >= last and (not is_markup or _is_content(page.text, start)):
            yield start, end, number
            last = end


def _is_content(text: str, start: int) -> bool:
    """Whether a place is between tags: the last bracket before it closes one."""
    return text.rfind(">", 0, start) >= text.rfind("<", 0, start)
