"""A page with values marked where they are, as a frame that runs nothing and loads nothing.

The page is shown as it is: a frame with an empty `sandbox` runs no script, opens no window and
follows no automatic redirect, and its policy loads neither images nor styles from elsewhere.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from rowen.text.markup import is_plain

if TYPE_CHECKING:
    from rowen.model import Page
    from rowen.records.record import Record

COLOURS = ("#ffe08a", "#b9e6ff", "#c8f2c2", "#ffd0d9", "#e2d4ff", "#ffdcb8", "#c9f0ea", "#f1e2c6")
"""Of the fields, in turn."""

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""A page in the frame runs nothing and loads nothing."""

TEXT_STYLE = "white-space:pre-wrap;overflow-wrap:anywhere;margin:.6em;font:13px/1.5 monospace"
"""Of pages of plain text."""

_UNSEEN = re.compile(r"<(script|style|title|template)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
"""Elements whose text a browser does not show."""


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
    # The source of a page of plain text is what a reader sees: its signs are no tags.
    is_text = is_plain(page)
    source: Callable[[str], str] = escape if is_text else str
    pieces, last = [policy, f'<pre style="{TEXT_STYLE}">' if is_text else ""], 0
    for start, end, number in shown_places(page, records, fields):
        name = escape(fields[number], quote=True)
        colour = COLOURS[number % len(COLOURS)]
        pieces += (
            source(page.text[last:start]),
            f'<span title="{name}" style="background:{colour};color:#000;outline:1px solid #555">',
            source(page.text[start:end]),
            "</span>",
        )
        last = end
    return "".join([*pieces, source(page.text[last:])])


def shown_places(
    page: "Page", records: "Iterable[Record]", fields: Sequence[str]
) -> Iterator[tuple[int, int, int]]:
    """The texts of a page that are values, with the numbers of their fields, in page order.

    Attributes and scripts are not to be seen, and of values inside each other the first is shown.
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
    is_shown = _shown(page)
    last = 0
    for start, negative, number in places:
        end = -negative
        if start >= last and is_shown(start):
            yield start, end, number
            last = end


def _shown(page: "Page") -> Callable[[int], bool]:
    """Tells whether a browser shows the text at a place: it is between tags and in no script."""
    if is_plain(page):
        return lambda _: True
    text = page.text
    unseen = [match.span() for match in _UNSEEN.finditer(text)]
    starts = [start for start, _ in unseen]

    def is_shown(start: int) -> bool:
        number = bisect_right(starts, start) - 1
        is_unseen = number >= 0 and start < unseen[number][1]
        # The last bracket before it closes a tag, or there is none.
        return not is_unseen and text.rfind(">", 0, start) >= text.rfind("<", 0, start)

    return is_shown
