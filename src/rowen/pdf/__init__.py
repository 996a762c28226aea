"""PDF to lines in reading order, each with its position and its type.

The steps, one file each: characters, pieces, order, lines; then furniture and passages.
"""

from rowen.pdf.document import Layout, PageReader, read_layout
from rowen.pdf.lines import Line

__all__ = ["Layout", "Line", "PageReader", "read_layout"]
