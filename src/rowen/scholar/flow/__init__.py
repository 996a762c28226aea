"""Papers that come as plain text or HTML: paragraphs that flow, with no places on pages."""

from rowen.scholar.flow.declared import Declared, declared_in
from rowen.scholar.flow.html import html_paragraphs
from rowen.scholar.flow.pages import MARKS, Paragraph, paged, paragraph_starts
from rowen.scholar.flow.text import text_paragraphs

__all__ = [
    "MARKS",
    "Declared",
    "Paragraph",
    "declared_in",
    "html_paragraphs",
    "paged",
    "paragraph_starts",
    "text_paragraphs",
]
