"""Records as an HTML report: the text of each page with its records marked, and tables of them.

Attack: pages come from strangers. So everything from them is escaped, and the report loads nothing
and runs only its own script.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from html import escape
from importlib.resources import files
from string import Template

from rowen.export.report import REPORT_CHARACTERS, PageReport, marker, plural
from rowen.export.spool import Spool
from rowen.export.target import Target
from rowen.export.unicode import encode
from rowen.export.writer import TargetWriter
from rowen.model import Page
from rowen.records import Record

_OPEN_PAGES = 3
"""How many pages are unfolded at first."""


class HtmlWriter(TargetWriter):
    """One section per page, folded where there are many.

    The header with the totals comes first but is known last, so sections are spooled until the end.
    """

    def __init__(self, target: Target, *, fields: Sequence[str], name_extractor: bool) -> None:
        super().__init__(target)
        self._name_extractor = name_extractor
        self._fields: dict[str, int] = dict.fromkeys(fields, 0)
        self._extractors: dict[str, int] = {}
        self._current: PageReport | None = None
        self._pages = 0
        self._records = 0
        self._written = 0
        self._left_out = _Count()
        self._waiting = Spool()

    def write(self, records: Iterable[Record], *, page: Page, extractor: str) -> None:
        """Add records to the section of their page; several extractors may share one section."""
        if self._current is None or self._current.page != page:
            self._end_section()
            self._pages += 1
            self._current = PageReport(page, number=self._pages)
        count = self._current.add(
            self._counted(records), extractor=extractor if self._name_extractor else ""
        )
        self._extractors[extractor] = self._extractors.get(extractor, 0) + count
        self._records += count

    def _counted(self, records: Iterable[Record]) -> Iterator[Record]:
        for record in records:
            self._count_values(record)
            yield record

    def _count_values(self, record: Record) -> None:
        for name, spans in record.items():
            self._fields[name] = self._fields.get(name, 0) + len(spans)
        for child in record.children:
            self._count_values(child)

    def _end_section(self) -> None:
        section, self._current = self._current, None
        if section is None:
            return
        if self._written >= REPORT_CHARACTERS:
            self._left_out.add(section.record_count)
            return
        for text in section.render(self._fields, unfolded=section.number <= _OPEN_PAGES):
            self._written += len(text)
            self._waiting.write(encode(text))

    def _finish(self) -> None:
        self._end_section()
        before, after = _resource("report.html").split("$sections")
        self._target.write(encode(Template(before).substitute(self._header())))
        self._waiting.copy_to(self._target)
        script = {"left_out": str(self._left_out), "script": _resource("report.js")}
        self._target.write(encode(Template(after).substitute(script)))

    def _header(self) -> dict[str, str]:
        now = datetime.now(UTC)
        legend = "".join(
            f'<li><span class="chip {marker(position)}">{escape(name) or "&nbsp;"}</span>'
            f' <span class="count">{count:,}</span></li>'
            for position, (name, count) in enumerate(self._fields.items())
        )
        return {
            "style": _resource("report.css"),
            "title": f"{plural(self._records, 'record')} on {plural(self._pages, 'page')}",
            "extractors": ", ".join(f"<b>{escape(name)}</b>" for name in self._extractors)
            or "no extractor",
            "time": now.isoformat(timespec="seconds"),
            "shown_time": now.strftime("%Y-%m-%d %H:%M UTC"),
            "legend": legend,
        }

    def _discard(self) -> None:
        self._waiting.close()


class _Count:
    """Counts the pages that are left out when the report is full."""

    def __init__(self) -> None:
        self._pages = 0
        self._records = 0

    def add(self, records: int) -> None:
        self._pages += 1
        self._records += records

    def __str__(self) -> str:
        if not self._pages:
            return ""
        return (
            f'<p class="left-out">{plural(self._pages, "further page")} with '
            f"{plural(self._records, 'record')} not shown: the report is full.</p>"
        )


def _resource(name: str) -> str:
    return files("rowen.export").joinpath(name).read_text(encoding="utf-8")
