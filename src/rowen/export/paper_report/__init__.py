"""Papers as one HTML page for people: the pages of the PDFs with what was found, in place.

The page loads nothing and runs only its own script: a policy in it names both its style and its
script by their digests. Whatever comes from PDFs is escaped.
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
from rowen.limits import REPORT_CHARACTERS
from rowen.scholar.layout import Line
from rowen.scholar.paper import Reading


def written_report(readings: Iterable[tuple[str, Reading]]) -> Iterator[str]:
    """The page, piece by piece; papers that find no room are counted at its end."""
    style, script = _resource("report.css"), _resource("report.js")
    before, after = _resource("report.html").split("$papers")
    yield Template(before).substitute(
        style=style, style_digest=_digest(style), script_digest=_digest(script)
    )
    length = left_out = 0
    for number, (name, reading) in enumerate(readings, start=1):
        if length >= REPORT_CHARACTERS:
            left_out += 1
            continue
        for text in _paper(name, reading, number, REPORT_CHARACTERS - length):
            length += len(text)
            yield text
    told = f'<p class="left-out">{left_out:,} further papers found no room here.</p>'
    yield Template(after).substitute(script=script, left_out=told if left_out else "")


def _paper(name: str, reading: Reading, number: int, room: int) -> Iterator[str]:
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
            yield f'<p class="left-out">Pages from {page + 1:,} on found no room here.</p>\n'
            break
        yield f"<figure><figcaption>page {page + 1}</figcaption>"
        for text in drawn(lines[page], size, places, name=f"page {page + 1}"):
            room -= len(text)
            yield text
        yield "</figure>\n"
    yield '</div>\n<div class="panel" tabindex="0" role="region" aria-label="What was found">\n'
    yield from panel(reading.paper, places, prefix)
    yield "</div>\n</div>\n</details>\n"


def _digest(text: str) -> str:
    return b64encode(sha256(f"\n{text}".encode()).digest()).decode()


@cache  # a process that reads documents may have no files left when it writes a report
def _resource(name: str) -> str:
    return files("rowen.export.paper_report").joinpath(name).read_text(encoding="utf-8")
