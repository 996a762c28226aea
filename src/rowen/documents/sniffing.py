"""What a document is, told by how it begins: names and declared types may be wrong."""

import re

from rowen.documents.charset import decode

PDF = "application/pdf"
HTML = "text/html"
TEXT = "text/plain"

_PDF = re.compile(rb"(?:\A|[\r\n\0])\s*%PDF-\d")
_PDF_WITHIN = 1024
"""Readers of PDFs take so much before it: headers of mails, and other rubbish."""


_TAG = re.compile(
    r"<(?:!doctype\s+html|html|head|body|div|p|table|tr|td|ul|ol|li|dl|span|a|b|i|h[1-6])\b",
    re.IGNORECASE,
)
_SNIFFED = 4096
SNIFFED_BYTES = 4 * _SNIFFED
"""How much of a document is enough to tell what it is."""


def looks_like_html(text: str) -> bool:
    """Whether a common tag stands near the start."""
    return _TAG.search(text, 0, _SNIFFED) is not None


def media_type_of(head: bytes) -> str:
    """The type of a document that begins so; DocumentError where it is none that can be read."""
    if _PDF.search(head, 0, _PDF_WITHIN):
        return PDF
    return HTML if looks_like_html(decode(head, "the document").text) else TEXT
