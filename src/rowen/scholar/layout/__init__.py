"""A PDF as lines in reading order, each with its place and its type."""

from rowen.scholar.layout.document import Glance, Layout, lines_on, read_layout
from rowen.scholar.layout.lines import Line

__all__ = ["Glance", "Layout", "Line", "lines_on", "read_layout"]
