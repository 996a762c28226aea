"""Papers in plain text or HTML: paragraphs without a layout, set on pages by Rowen.

    text or HTML -> paragraphs      text.py, html.py (signs.py classifies the HTML tokens)
    paragraphs -> lines on pages    pages.py
    meta tags of HTML -> metadata   declared.py

The CRFs that read PDFs then label the lines; declared metadata takes precedence over theirs.
"""

from rowen.papers.flow.declared import Declared, declared_in
from rowen.papers.flow.html import html_paragraphs
from rowen.papers.flow.pages import Paragraph, paged, paragraph_starts, without_marks
from rowen.papers.flow.text import text_paragraphs

__all__ = [
    "Declared",
    "Paragraph",
    "declared_in",
    "html_paragraphs",
    "paged",
    "paragraph_starts",
    "text_paragraphs",
    "without_marks",
]
