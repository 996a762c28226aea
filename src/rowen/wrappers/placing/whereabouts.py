"""Where a value stands on a page, also when white space and character references differ."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from rowen.documents.references import Decoded, decode
from rowen.limits import PLACES
from rowen.model import Page

Place = tuple[int, int]

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class _Plain:
    """A page as its reader sees it: references resolved, white space as one blank."""

    text: str
    starts: list[int]
    """Where each word starts in the plain text."""
    origins: list[int]
    """Where it starts in the decoded text."""
    decoded: Decoded

    def source(self, start: int, end: int) -> Place:
        """Where a part of the plain text stands in the page; it starts and ends with words."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        return self.decoded.source(
            self.origins[first] + start - self.starts[first],
            self.origins[last] + end - self.starts[last],
        )


class Occurrences:
    """All places of values on one page; what was looked up once is remembered."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._found: dict[str, list[Place]] = {}

    def of(self, value: str) -> list[Place]:
        """The places of a value in page order, at most `PLACES`; those that equal it included."""
        if value not in self._found:
            self._found[value] = sorted({*self._exact(value), *self._similar(value)})
        return self._found[value]

    def _exact(self, value: str) -> Iterator[Place]:
        for start in _finds(self.page.text, value):
            yield start, start + len(value)

    def _similar(self, value: str) -> Iterator[Place]:
        plain = self._plain
        for form in {_flat(value), _flat(decode(value).text)}:
            for start in _finds(plain.text, form):
                yield plain.source(start, start + len(form))

    @cached_property
    def _plain(self) -> _Plain:
        decoded = decode(self.page.text)
        words = list(_WORD.finditer(decoded.text))
        flat = [word.group() for word in words]
        starts = [0, *accumulate(len(word) + 1 for word in flat)][: len(flat)]
        return _Plain(" ".join(flat), starts, [word.start() for word in words], decoded)


def _finds(text: str, value: str) -> Iterator[int]:
    """Where a value starts, overlapping occurrences too: which of them is meant is not known."""
    start = text.find(value) if value else -1
    for _ in range(PLACES):
        if start < 0:
            return
        yield start
        start = text.find(value, start + 1)


def _flat(value: str) -> str:
    return " ".join(_WORD.findall(value))
