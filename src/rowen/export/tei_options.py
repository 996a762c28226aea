"""What a client may ask of TEI, as of GROBID: printed strings, places on the pages, sentences."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rowen.elements.element import Box

COORDINATES = frozenset({"figure", "formula", "head", "p", "s", "ref", "biblStruct", "note"})
"""The elements that can have coordinates."""


@dataclass(frozen=True, slots=True)
class TeiOptions:
    """What a client may ask GROBID to add."""

    raw_citations: bool = True
    """The reference strings as they are printed."""
    raw_affiliations: bool = True
    """The affiliations as they are printed."""
    coordinates: frozenset[str] = frozenset()
    """The elements that get `coords`: page, x, y, width and height, y from the page's top."""
    sentences: bool = False
    """Whether paragraphs are divided into sentences."""
    ids: bool = False
    """Whether titles, headings, paragraphs and sentences have identifiers."""
    first_page: int = 1
    """The number of the first page that was read."""

    def coords(self, name: str, boxes: Iterable[Box], pages: Sequence[tuple[float, float]]) -> str:
        """The attribute with the places of an element, if it was asked for."""
        if name not in self.coordinates:
            return ""
        before = self.first_page - 1
        shown = [
            f"{before + page},{left:.2f},{pages[page - 1][1] - top:.2f},"
            f"{right - left:.2f},{top - bottom:.2f}"
            for page, left, bottom, right, top in boxes
            if 0 < page <= len(pages)
        ]
        return f' coords="{";".join(shown)}"' if shown else ""


ALL = TeiOptions()
"""What files have that no client asked for."""
