"""Detect a document's type from its first bytes: names and declared types may be wrong."""

import re

from rowen.text.charset import decode

PDF = "application/pdf"
HTML = "text/html"
TEXT = "text/plain"

_PDF = re.compile(rb"(?:\A|[\r\n\0])\s*%PDF-\d")
_PDF_WITHIN = 1024
"""PDF readers accept this many bytes before the header: mail headers and other rubbish."""


_TAG = re.compile(
    r"<(?:!doctype\s+html|html|head|body|div|p|table|tr|td|ul|ol|li|dl|span|a|b|i|h[1-6])\b",
    re.IGNORECASE,
)
_SNIFFED = 4096
SNIFFED_BYTES = 4 * _SNIFFED
"""How many bytes of a document are enough to detect its type."""


def looks_like_html(text: str) -> bool:
    """Whether a common tag occurs near the start."""
    return _TAG.search(text, 0, _SNIFFED) is not None


def media_type_of(head: bytes) -> str:
    """The media type of a document with this beginning; DocumentError for other binary data."""
    if _PDF.search(head, 0, _PDF_WITHIN):
        return PDF
    return HTML if looks_like_html(decode(head, "the document").text) else TEXT
