"""What a document is, told by how it begins: names and declared types may be wrong."""

import re

from rowen.documents.charset import decode
from rowen.export.markup import looks_like_html

PDF = "application/pdf"
HTML = "text/html"
TEXT = "text/plain"

_PDF = re.compile(rb"(?:\A|[\r\n\0])\s*%PDF-\d")
_PDF_WITHIN = 1024
"""Readers of PDFs take so much before it: headers of mails, and other rubbish."""


def media_type_of(head: bytes) -> str:
    """The type of a document that begins so; DocumentError where it is none that can be read."""
    if _PDF.search(head, 0, _PDF_WITHIN):
        return PDF
    return HTML if looks_like_html(decode(head, "the document").text) else TEXT
