"""A PDF as lines in reading order, each with its place and its type."""

from rowen.scholar.layout.document import Layout, PageReader, read_layout
from rowen.scholar.layout.lines import Line

__all__ = ["Layout", "Line", "PageReader", "read_layout"]
