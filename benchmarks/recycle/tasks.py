"""What is extracted: from a pattern as quick as reading to work as slow as a model's."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from timeit import timeit
from typing import Literal

from rowen import Pattern, Segments, Window, extractor
from rowen.extractors.base import Extractor
from rowen.extractors.locality import Locality

NAME = r"\b(?P<name>(?:[A-Z][a-z]{2,20} ){1,3}[A-Z][a-z]{2,20})\b"
"""Names of up to four words: some 30 MB a second, never across a line."""

SCOPE, CONTEXT = 22, 1
"""What the working extractors need: a word of so many characters, and the one after it."""


def _digests(rate: float) -> int:
    """How many digests for every 64 characters make for so many characters a second, here."""
    count = 20_000
    took = min(timeit(lambda: blake2b(bytes(64)).digest(), number=count) for _ in range(5)) / count
    return max(1, round(64 / rate / took))


SLOW, MIDDLING = _digests(0.5e6), _digests(5e6)

_MARKS = "\n\t\r <>\"'()[]{},;|="
_WORD = re.compile(r"[A-Z][a-z]{2,20}\d?")


@dataclass(frozen=True)
class Task:
    """An extractor, and how much of its time can be spared for measuring."""

    name: str
    extractor: Extractor
    pace: Literal["quick", "middling", "slow"]


def working(digests: int, locality: Locality, name: str) -> Extractor:
    """An extractor that stands for a model: much work a character, whatever the stretch."""

    @extractor(name=name, locality=locality)
    def work(text: str) -> Iterator[dict[str, tuple[int, int]]]:
        for start in range(0, len(text), 64):
            data = text[start : start + 64].encode("utf-8", "replace")
            for _ in range(digests * len(data) // 64):
                data = blake2b(data).digest()
        for found in _WORD.finditer(text):
            yield {"word": found.span()}

    return work


CHEAP = Task("cheap pattern", Pattern(NAME, name="names"), "quick")


def windowed(scope: int, context: int) -> Task:
    """The middling extractor, with as wide a window as is declared."""
    name = f"middling, window of {scope} + {context}"
    return Task(name, working(MIDDLING, Window(scope, context), "middling"), "middling")


TASKS = (
    CHEAP,
    windowed(SCOPE, CONTEXT),
    Task(
        f"slow, window of {SCOPE} + {CONTEXT}",
        working(SLOW, Window(SCOPE, CONTEXT), "slow-window"),
        "slow",
    ),
    Task("slow, segments", working(SLOW, Segments(_MARKS), "slow-segments"), "slow"),
)
