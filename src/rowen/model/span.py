"""Spans: half-open ranges of code points in a page's text."""

from typing import NamedTuple, Self


class _Bounds(NamedTuple):
    start: int
    end: int


class Span(_Bounds):
    """`[start, end)` in code points; equal to the plain tuple `(start, end)`.

    >>> span = Span(3, 8)
    >>> span.of("<b>Congo</b>"), span.length, span.shift(10)
    ('Congo', 5, Span(13, 18))
    >>> span == (3, 8)
    True
    """

    __slots__ = ()

    def __new__(cls, start: int, end: int) -> Self:
        """Refuse a span that starts before the page or ends before it starts."""
        if not 0 <= start <= end:
            raise ValueError(f"[{start}, {end}) is not a span")
        return super().__new__(cls, start, end)

    @classmethod
    def trusted(cls, bounds: tuple[int, int]) -> Self:
        """A span of bounds that are known to be valid: no checks, a quarter of the time."""
        return tuple.__new__(cls, bounds)

    @property
    def length(self) -> int:
        """The number of code points."""
        return self.end - self.start

    def shift(self, by: int) -> Self:
        """The same span in a text that has `by` more characters before it."""
        return type(self)(self.start + by, self.end + by)

    def of(self, text: str) -> str:
        """The text that the span covers."""
        return text[self.start : self.end]

    def __repr__(self) -> str:
        return f"Span({self.start}, {self.end})"
