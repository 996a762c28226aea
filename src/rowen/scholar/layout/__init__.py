"""A PDF as lines in reading order, each with its place and its type."""

from rowen.scholar.layout.document import Layout, read_layout
from rowen.scholar.layout.lines import Line

__all__ = ["Layout", "Line", "read_layout"]
