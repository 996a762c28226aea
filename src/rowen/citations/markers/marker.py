"""A marker: a place in the body where works are cited."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Marker:
    """A span of the section's text, and the indexes, from 0, of the citations it leads to.

    Without citations, the reference was not found or could be one of several.

    >>> text = "as shown in [1, 3]"
    >>> marker = Marker(12, 18, citations=(0, 2))
    >>> text[marker.start : marker.end]
    '[1, 3]'
    """

    start: int
    end: int
    citations: tuple[int, ...]
    page: int | None = None
    """The page of the PDF that it is on, from 1; None where there is no layout."""
    boxes: tuple[tuple[int, float, float, float, float], ...] = ()
    """Its boxes: page, left, bottom, right, top in points; two where it is on two lines."""

    def to_dict(self) -> dict[str, Any]:
        """The marker as a dict for JSON; `page` and `boxes` only where the PDF has them.

        >>> Marker(12, 18, citations=(0, 2)).to_dict()
        {'span': [12, 18], 'citations': [0, 2]}
        """
        place = (
            {}
            if self.page is None
            else {"page": self.page, "boxes": [list(box) for box in self.boxes]}
        )
        return {"span": [self.start, self.end], "citations": list(self.citations), **place}
