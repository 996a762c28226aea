"""Values as texts: what peers give has no offsets, so all are compared as texts then."""

import html
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from benchmarks.wrappers.trial import values_of
from rowen import Page

Record: TypeAlias = dict[str, list[str]]
"""The texts of each field."""

_TAG = re.compile(r"<[^>]*>")


def parsed(text: str) -> str:
    """The text that a parser makes of a piece of source."""
    return html.unescape(_TAG.sub("", text)).strip()


def cleaned(text: str) -> str:
    """A text without what tools do to it: some squeeze white space, some compose characters."""
    return " ".join(unicodedata.normalize("NFKD", parsed(text)).split())


def record_of(
    page: Page, record: Mapping[str, Any], form: Callable[[str], str] = cleaned
) -> Record:
    """The texts of a label's or an extracted record's values."""
    texts: Record = {}
    for name, start, end in sorted(values_of(record), key=lambda value: value[1:]):
        texts.setdefault(name, []).append(form(page.text[start:end]))
    return texts


def columns_of(records: Iterable[Record]) -> Record:
    """All texts of each field of a page."""
    columns: Record = {}
    for record in records:
        for name, texts in record.items():
            columns.setdefault(name, []).extend(texts)
    return columns
