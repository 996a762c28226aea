"""Map offsets in a text with normalised newlines to offsets in the original text.

HTML parsers turn each CR LF into one character before they tokenize (WHATWG, "normalize newlines"),
so their offsets fall behind those of the page by one per CR LF.
"""

from bisect import bisect_left


class Newlines:
    """Maps offsets of a text in which each CR LF became one character."""

    __slots__ = ("_joined",)

    def __init__(self, text: str) -> None:
        self._joined: list[int] = []  # the offsets of CR LFs in the normalised text
        at = text.find("\r\n")
        while at >= 0:
            self._joined.append(at - len(self._joined))
            at = text.find("\r\n", at + 2)

    def source(self, offset: int) -> int:
        """The offset in the original text."""
        return offset + bisect_left(self._joined, offset)
