"""How much of a PDF can be read: pages without text, fonts that don't say what they mean."""

from dataclasses import dataclass, field

import numpy as np

from rowen.limits import PAGE_CHARACTERS, PDF_PAGES
from rowen.scholar.layout.pdf import PageCharacters

_NOTABLE = 0.1
"""A share of characters from which on it is worth to be told."""

_MOST = 0.5
"""A share of characters from which on the text is of no use."""


@dataclass(slots=True)
class Legibility:
    """Counts over the pages of a PDF, and what is to be said of them."""

    pages: int = 0
    read: int = 0
    characters: int = 0
    meaningless: int = 0
    """Private use, replacement and control characters."""
    unmapped: int = 0
    """Characters whose font has no map to Unicode: what they are read as may be wrong."""
    empty: int = 0
    crowded: list[int] = field(default_factory=list)

    def add(self, page: PageCharacters) -> None:
        """Count a page."""
        codes = page.codes
        shown = (codes > 32) | ((codes < 32) & (codes != 2) & ((codes < 9) | (codes > 13)))
        meaningless = shown & (
            (codes < 32) | (codes == 0xFFFD) | ((codes >= 0xE000) & (codes <= 0xF8FF))
            | ((codes >= 0xF0000) & (codes <= 0x10FFFF))
        )  # fmt: skip
        count = int(np.count_nonzero(shown))
        self.read += 1
        self.characters += count
        self.meaningless += int(np.count_nonzero(meaningless))
        self.unmapped += int(np.count_nonzero(page.unmapped & shown & ~meaningless))
        self.empty += not count
        if len(codes) >= PAGE_CHARACTERS:
            self.crowded.append(page.number + 1)

    @property
    def hopeless(self) -> str | None:
        """Why there is nothing to read, if so."""
        if not self.characters:
            return "it has no text layer: its pages are pictures, or empty"
        if self.meaningless > _MOST * self.characters:
            return (
                "its text can't be read: the fonts don't say what letters "
                f"{_percent(self.meaningless, self.characters)} of the characters are"
            )
        return None

    def warnings(self) -> tuple[str, ...]:
        """What one who uses the text should know."""
        found = []
        if self.pages > self.read:
            found.append(f"only the first {PDF_PAGES:,} of {self.pages:,} pages were read")
        if self.crowded:
            pages = ", ".join(map(str, self.crowded[:8]))
            found.append(f"only {PAGE_CHARACTERS:,} characters were read of page {pages}")
        if self.empty > _NOTABLE * self.read:
            found.append(
                f"{self.empty:,} of {self.read:,} pages have no text: they are pictures, or empty"
            )
        if self.meaningless > _NOTABLE * self.characters:
            share = _percent(self.meaningless, self.characters)
            found.append(f"{share} of the characters have no meaning in Unicode")
        if self.unmapped > _MOST * self.characters:
            share = _percent(self.unmapped, self.characters)
            found.append(f"the fonts of {share} of the characters don't say what letters they are")
        return tuple(found)


def _percent(count: int, of: int) -> str:
    return f"{100 * count / of:.0f}%"
