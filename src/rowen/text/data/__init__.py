"""Trees of data on a page: JSON in scripts, microdata, RDFa and `<meta>`, with exact places."""

from rowen.text.data.escapes import unescaped
from rowen.text.data.page_data import ORIGINS, PageData
from rowen.text.data.sources import Origin, Root
from rowen.text.data.tree import Kind, Path, Tree

__all__ = ["ORIGINS", "Kind", "Origin", "PageData", "Path", "Root", "Tree", "unescaped"]
