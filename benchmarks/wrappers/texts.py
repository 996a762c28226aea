"""Values as texts: what peers give has no offsets, so all are compared as texts then."""

import html
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from benchmarks.wrappers.trial import values_of
from rowen import Page

Record: TypeAlias = dict[str, list[str]]
"""The texts of each field."""

_TAG = re.compile(r"<[^>]*>")


def cleaned(text: str) -> str:
    """A text without the differences between a source and what a parser makes of it."""
    return " ".join(html.unescape(_TAG.sub("", text)).split())


def record_of(page: Page, record: Mapping[str, Any]) -> Record:
    """The texts of a label's or an extracted record's values."""
    texts: Record = {}
    for name, start, end in sorted(values_of(record), key=lambda value: value[1:]):
        texts.setdefault(name, []).append(cleaned(page.text[start:end]))
    return texts


def columns_of(records: Iterable[Record]) -> Record:
    """All texts of each field of a page."""
    columns: Record = {}
    for record in records:
        for name, texts in record.items():
            columns.setdefault(name, []).extend(texts)
    return columns
