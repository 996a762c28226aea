"""Extractors that depend on all that they may depend on."""

import hashlib
from collections.abc import Iterator
from typing import Literal

from rowen import Page, Record, Records, Segments, WholePage, Window
from rowen.extractors.locality import Locality


class _Stopped(Exception):  # noqa: N818  # says what it is
    pass


class Hanging:
    """Gives a record or not by all of the text within its reach, the page's edges included.

    No extractor depends on more than this one does, and none can be more sensitive to it: one
    character more or less anywhere in the reach gives other records. Where it `fails`, that hangs
    on a reach in the same way.
    """

    fields = ("all", "part", "parts")

    def __init__(
        self,
        locality: Locality,
        seed: int,
        *,
        name: str = "hanging",
        version: str = "1",
        fails: Literal["never", "raises", "stops"] = "never",
    ) -> None:
        self.locality = locality
        self.seed = seed
        self.name = name
        self.version = version
        self.fails = fails

    def extract(self, page: Page | str) -> Records:
        page = Page.of(page)
        match self.locality:
            case Window(scope, context):
                bounds = self.windows(page.text, scope, context)
            case Segments():
                bounds = self.segments(page.text)
            case WholePage():
                bounds = self.pages(page.text)
        records = []
        try:
            records.extend(self.record(page, start, end) for start, end in bounds)
        except _Stopped as stop:
            return Records(records, failure=str(stop))
        return Records(records)

    def windows(self, text: str, scope: int, context: int) -> Iterator[tuple[int, int]]:
        padded = "^" * context + text + "$" * context
        for start in range(len(text) + 1):
            for end in range(start, min(start + scope, len(text)) + 1):
                if self.says(f"{end - start} {padded[start : end + 2 * context]}"):
                    yield start, end

    def segments(self, text: str) -> Iterator[tuple[int, int]]:
        assert isinstance(self.locality, Segments)
        for start, end in self.locality.split(text):
            for length in range(end - start + 1):
                if self.says(f"{length} {text[start:end]}"):
                    yield start, start + length

    def pages(self, text: str) -> Iterator[tuple[int, int]]:
        if self.says(text):
            yield 0, len(text)

    def says(self, reach: str) -> bool:
        seed = f"{self.seed} {self.version} {reach}".encode()
        digest = hashlib.blake2b(seed, digest_size=2).digest()
        if digest[1] < 2 and self.fails == "raises":
            raise ValueError(f"can't stand {reach!r}")
        if digest[1] < 2 and self.fails == "stops":
            raise _Stopped(f"went no further than {reach!r}")
        return digest[0] % 3 == 0

    def record(self, page: Page, start: int, end: int) -> Record:
        middle = (start + end) // 2
        inner = Record(page, {"part": (start, middle), "parts": None})
        spans = {"all": (start, end), "parts": [(start, middle), (middle, end)]}
        return Record(page, spans, [inner] if middle > start else [])
