"""Values as a reader sees them: the text at a place, without tags and with references resolved."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from rowen.programs.parts.fragment import complete_fragment
from rowen.programs.parts.references import resolve_references
from rowen.programs.parts.result import Place, Record
from rowen.programs.parts.strings import read_string
from rowen.programs.parts.tags import Tag, read_tags

# fmt: off
INLINE = {
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "img", "ins", "kbd", "label", "mark", "nobr", "q", "rb", "rp", "rt", "rtc", "ruby",
    "s", "samp", "script", "small", "span", "strike", "strong", "style", "sub", "sup", "svg",
    "time", "tt", "u", "var", "wbr",
}
"""Elements that break no line; the tags of all others are seen as a blank."""
UNSEEN = {"iframe", "noembed", "noframes", "plaintext", "script", "style", "xmp"}
"""Elements whose text is taken as it is, and not seen."""
PLAIN_ENDINGS = {
    ".bib", ".c", ".cfg", ".cpp", ".css", ".csv", ".go", ".h", ".ini", ".java", ".js", ".json",
    ".jsonl", ".log", ".md", ".py", ".rs", ".rst", ".sql", ".srt", ".tex", ".toml", ".ts", ".tsv",
    ".txt", ".yaml", ".yml",
}
MARKUP_ENDINGS = {".atom", ".htm", ".html", ".rss", ".svg", ".xhtml", ".xml"}
# fmt: on

_DOUBTFUL = re.compile(
    r"[<>&\\\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[^\S ]|\s\s|^\s|\s\Z"
)
_COMMON_TAG = re.compile(
    r"<(?:!doctype\s+html|html|head|body|div|p|table|tr|td|ul|ol|li|dl|span|a|b|i|h[1-6])\b",
    re.IGNORECASE,
)
_XML = re.compile(r"[\ufeff \t\r\n]*+<\?xml\b", re.IGNORECASE)
_GLYPHLESS = re.compile(
    "[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+"
)
_JOINERS = re.compile(
    r"(?:(?<![\s\S])|(?<=[\x00-\x7f\s]))[\u200c\u200d]++"
    r"|(?<![\u200c\u200d])[\u200c\u200d]++(?=[\x00-\x7f\s]|\Z)"
)
_OPENING = re.compile(r"<(?=[a-zA-Z!?]|/[^>])")
_JUNK = "</>"

Convert: TypeAlias = Callable[[str, str, str | None], Any]
"""Takes a text, a type and a language; None where the text has no such value."""


def read_records(
    records: list[Record], reader: "Reader", fields: dict[str, Any], convert: Convert | None = None
) -> list[Record]:
    """The records with values for places; `fields` has what is not simply one text."""
    return [
        {
            name: read_records(where, reader, fields, convert)
            if name == "children"
            else _value(where, reader, fields.get(name, {}), convert)
            for name, where in record.items()
            if name != "children" or where
        }
        for record in records
    ]


def _value(where: Any, reader: "Reader", field: dict[str, Any], convert: Convert | None) -> Any:
    many = field.get("many", False)
    if where is None:
        return [] if many else None
    several = isinstance(where, list)
    if several and where and isinstance(where[0], dict):
        # Records in a field are values, which have no children of their own.
        own = [
            {name: inner for name, inner in record.items() if name != "children"}
            for record in where
        ]
        return read_records(own, reader, field.get("fields", {}), convert)
    values = [reader.value(place, field, convert) for place in (where if several else [where])]
    if several or many:
        return [value for value in values if value is not None]
    return values[0]


class Reader:
    """Reads values of one page; `url` is its address or file name."""

    def __init__(self, page: str, url: str = "") -> None:
        self.page = page
        ending = _ending(url)
        self._is_markup = (
            ending in MARKUP_ENDINGS
            or _XML.match(page) is not None
            or (ending not in PLAIN_ENDINGS and _COMMON_TAG.search(page, 0, 4096) is not None)
        )

    @cached_property
    def tags(self) -> list[Tag]:
        """The tags of the page."""
        return read_tags(self.page)

    @cached_property
    def _end(self) -> int:
        """Where a tag begins that the end of the page cuts off."""
        last = self.tags[-1]
        cut = None
        if last.name not in {*UNSEEN, "textarea", "title"}:
            cut = _OPENING.search(self.page, last.end)
        return cut.start() if cut else len(self.page)

    def value(self, place: Place, field: dict[str, Any], convert: Convert | None) -> Any:
        """The value at a place, of the field's type."""
        kind = field.get("type", "text")
        source = self.page[place[0] : place[1]]
        if kind == "source":
            return source
        if kind == "html":
            return complete_fragment(source)
        text = self.text(*place, digits_apart=kind in {"number", "integer", "price"})
        if kind == "text" or convert is None:
            return text
        return convert(text, kind, field.get("language")) if text else None

    def text(self, start: int, end: int, *, digits_apart: bool = False) -> str:
        """What is seen from `start` to `end`; in an attribute or a script, what is written."""
        source = self.page[start:end]
        if not self._is_markup or not _DOUBTFUL.search(source):
            return source
        number = bisect_right(self.tags, start, key=lambda tag: tag.start) - 1
        tag = self.tags[number]
        if start >= self._end:
            inside = start > self._end
            return _tidy(resolve_references(source, attribute=True)) if inside else ""
        if tag.start < start < end <= tag.end and tag.name[0] != "/":
            if tag.name[0] == "!":
                return _tidy(source)
            return _tidy(resolve_references(source, attribute=True))
        if tag.name in UNSEEN and tag.end <= start < end <= tag.after:
            return _tidy(read_string(self.page, start, end))
        return _tidy("".join(self._seen(number, start, end, digits_apart=digits_apart)))

    def _seen(self, number: int, start: int, end: int, *, digits_apart: bool) -> Iterator[str]:
        before, apart = "", False
        for tag in self.tags[number:]:
            if tag.start >= end:
                return
            if tag.end > start and tag.name[0] != "!":
                name = tag.name.removeprefix("/")
                if name not in INLINE:
                    yield " "
                    before = " "
                # 48 raised 99 is a price, and not 4899.
                apart = apart or digits_apart or name in {"sub", "sup"}
            if tag.name in UNSEEN:
                continue
            for part in self._texts(tag, start, end):
                text = _GLYPHLESS.sub("", resolve_references(part, attribute=False))
                if text:
                    yield " " if apart and before.isdecimal() and text[0].isdecimal() else ""
                    yield text
                    before, apart = text[-1], False

    def _texts(self, tag: Tag, start: int, end: int) -> Iterator[str]:
        """The text after a tag; `</>` and a tag that is cut off are none of it."""
        at, end = max(tag.end, start - len(_JUNK) + 1), min(tag.after, end, self._end)
        if tag.name not in {"textarea", "title"}:
            while 0 <= (junk := self.page.find(_JUNK, at, tag.after)) < end:
                yield self.page[max(at, start) : junk]
                at = junk + len(_JUNK)
        yield self.page[max(at, start) : end]


def _tidy(text: str) -> str:
    return " ".join(_JOINERS.sub("", _GLYPHLESS.sub("", text)).split())


def _ending(url: str) -> str:
    try:
        path = urlsplit(url).path
    except ValueError:
        path = url
    return PurePosixPath(path).suffix.lower()
