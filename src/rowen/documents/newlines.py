"""Offsets in a text whose newlines were normalised, and the same places in the text itself."""

from bisect import bisect_left


class Newlines:
    """Leads back from a text in which each CR LF became one character."""

    __slots__ = ("_joined",)

    def __init__(self, text: str) -> None:
        self._joined: list[int] = []  # where the joined newlines stand in the normalised text
        at = text.find("\r\n")
        while at >= 0:
            self._joined.append(at - len(self._joined))
            at = text.find("\r\n", at + 2)

    def source(self, offset: int) -> int:
        """The offset in the text as it is."""
        return offset + bisect_left(self._joined, offset)
