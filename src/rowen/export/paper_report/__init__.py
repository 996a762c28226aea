"""Papers as an HTML report: the pages of the PDFs with everything that was found shown in place.

Attack: PDFs come from strangers. Everything from them is escaped, and a content security policy
allows only the report's own style and script, by their digests. The report loads nothing.
"""

from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from string import Template

from rowen.export.paper_report.panel import panel
from rowen.export.paper_report.places import Places
from rowen.export.paper_report.sheet import drawn, shown
from rowen.export.report import REPORT_CHARACTERS
from rowen.papers.paper import Reading
from rowen.pdf import Line
from rowen.pdf.pictures import Picture

REPORT_PICTURES = 16 * 1024 * 1024
"""Limit: bytes of the pictures of an HTML report; further pages show their text. A paper of ten
pages has one megabyte."""


def written_report(readings: Iterable[tuple[str, Reading]]) -> Iterator[str]:
    """The report, piece by piece; papers beyond its limit are counted at the end."""
    style, script = _resource("report.css"), _resource("report.js")
    before, after = _resource("report.html").split("$papers")
    yield Template(before).substitute(
        style=style, style_digest=_digest(style), script_digest=_digest(script)
    )
    length = left_out = 0
    album = _Album()
    for number, (name, reading) in enumerate(readings, start=1):
        if length >= REPORT_CHARACTERS:
            left_out += 1
            continue
        for text in _paper(name, reading, number, REPORT_CHARACTERS - length, album):
            length += len(text)
            yield text
    notice = f'<p class="left-out">{left_out:,} further papers not shown: the report is full.</p>'
    yield Template(after).substitute(script=script, left_out=notice if left_out else "")


class _Album:
    """The pictures of a report, as far as there is room for them."""

    def __init__(self) -> None:
        self._room = REPORT_PICTURES

    def of(self, reading: Reading, page: int) -> Picture | None:
        """The picture of a page, unless the album is full."""
        picture = reading.pictures[page] if page < len(reading.pictures) else None
        if picture is None or len(picture.rows) > self._room:
            return None
        self._room -= len(picture.rows)
        return picture


def _paper(name: str, reading: Reading, number: int, room: int, album: _Album) -> Iterator[str]:
    prefix = f"p{number}-"
    places = Places(reading, prefix)
    title = shown(reading.paper.title or "Without a title")
    yield f'<details class="paper" id="{prefix}paper"{" open" * (number == 1)}>\n'
    yield f'<summary><h2>{title}</h2><span class="file">{shown(name)}</span></summary>\n'
    yield '<div class="views">\n<div class="pages" tabindex="0" role="region" aria-label="Pages">\n'
    lines: defaultdict[int, list[Line]] = defaultdict(list)
    for line in reading.layout.lines:
        lines[line.page].append(line)
    for page, size in enumerate(reading.layout.pages):
        if room < 0:
            yield (
                f'<p class="left-out">Pages from {page + 1:,} on are not shown: '
                "the report is full.</p>\n"
            )
            break
        picture = album.of(reading, page)
        note = "" if picture or not reading.layout.placed else " · without its picture"
        yield f"<figure><figcaption>page {page + 1}{note}</figcaption>"
        for text in drawn(
            lines[page],
            size,
            places,
            name=f"page {page + 1}",
            areas=places.areas(page),
            picture=picture,
        ):
            room -= len(text)
            yield text
        yield "</figure>\n"
    yield '</div>\n<div class="panel" tabindex="0" role="region" aria-label="What was found">\n'
    yield from panel(reading.paper, places, prefix)
    yield "</div>\n</div>\n</details>\n"


def _digest(text: str) -> str:
    return b64encode(sha256(f"\n{text}".encode()).digest()).decode()


@cache  # a confined process may not open files any more when it writes a report
def _resource(name: str) -> str:
    return files("rowen.export.paper_report").joinpath(name).read_text(encoding="utf-8")
