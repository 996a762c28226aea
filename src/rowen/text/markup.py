"""Which pages are markup: HTML or XML, where a text is not what its source says."""

import re
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from rowen.model import Page
from rowen.text.sniffing import looks_like_html

PLAIN_ENDINGS = frozenset(
    [
        ".bib",
        ".c",
        ".cfg",
        ".cpp",
        ".css",
        ".csv",
        ".go",
        ".h",
        ".ini",
        ".java",
        ".js",
        ".json",
        ".jsonl",
        ".log",
        ".md",
        ".py",
        ".rs",
        ".rst",
        ".sql",
        ".srt",
        ".tex",
        ".toml",
        ".ts",
        ".tsv",
        ".txt",
        ".yaml",
        ".yml",
    ]
)
"""Endings of ids that name a page of plain text, whatever its first characters look like."""


MARKUP_ENDINGS = frozenset([".atom", ".htm", ".html", ".rss", ".svg", ".xhtml", ".xml"])
"""Endings of ids that name a page of markup, however long the comment is that it starts with."""

_TAG = re.compile("<[A-Za-z/!?]")
_BEFORE_XML = re.compile(r"[\ufeff \t\r\n]*+<\?xml\b", re.IGNORECASE)


def is_markup(page: Page) -> bool:
    """Whether a page is HTML or XML: by the ending of its id, then by its first characters."""
    ending = _ending(page.id)
    if ending in MARKUP_ENDINGS or _BEFORE_XML.match(page.text):
        return True
    return ending not in PLAIN_ENDINGS and looks_like_html(page.text)


def is_plain(page: Page) -> bool:
    """Whether a page is surely plain text: by its ending, or since nothing looks like a tag."""
    is_named = _ending(page.id) in PLAIN_ENDINGS
    return not is_markup(page) and (is_named or not _TAG.search(page.text))


def _ending(identity: str) -> str:
    """The ending of a path or of an address, without what follows the path."""
    try:
        path = urlsplit(identity).path
    except ValueError:  # an id is any text
        path = identity
    return PurePosixPath(path).suffix.lower()
