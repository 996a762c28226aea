"""How much of a PDF can be read: pages without text, fonts without a map to Unicode."""

from dataclasses import dataclass, field

import numpy as np

from rowen.pdf.characters import PAGE_CHARACTERS, PDF_PAGES, PageCharacters

_NOTABLE = 0.1
"""The share of characters, or pages, above which a warning is given."""

_MOST = 0.5
"""The share of characters above which the text is useless."""


@dataclass(slots=True)
class Legibility:
    """Counts over the pages of a PDF, and the warnings that follow from them."""

    pages: int = 0
    read: int = 0
    characters: int = 0
    meaningless: int = 0
    """Private use, replacement and control characters."""
    unmapped: int = 0
    """Characters whose font has no map to Unicode: they may be read wrongly."""
    empty: int = 0
    crowded: list[int] = field(default_factory=list)

    def add(self, page: PageCharacters) -> None:
        """Count a page."""
        codes = page.codes
        # pdfium gives 2 for a hyphen at a line's end; 9 to 13 are white space.
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
        """Why the PDF can't be read; None if it can."""
        if not self.characters:
            return "it has no text layer: its pages are images or empty"
        if self.meaningless > _MOST * self.characters:
            return (
                "its text can't be read: the fonts have no Unicode map for "
                f"{_percent(self.meaningless, self.characters)} of the characters"
            )
        return None

    def warnings(self) -> tuple[str, ...]:
        """What a user of the text should know."""
        warnings = []
        if self.pages > self.read:
            warnings.append(f"only the first {PDF_PAGES:,} of {self.pages:,} pages were read")
        if self.crowded:
            pages = ", ".join(map(str, self.crowded[:8]))
            warnings.append(f"only {PAGE_CHARACTERS:,} characters were read of page {pages}")
        if self.empty > _NOTABLE * self.read:
            warnings.append(
                f"{self.empty:,} of {self.read:,} pages have no text: they are images or empty"
            )
        if self.meaningless > _NOTABLE * self.characters:
            share = _percent(self.meaningless, self.characters)
            warnings.append(f"{share} of the characters have no meaning in Unicode")
        if self.unmapped > _MOST * self.characters:
            share = _percent(self.unmapped, self.characters)
            warnings.append(
                f"{share} of the characters may be wrong: their fonts have no Unicode map"
            )
        return tuple(warnings)


def _percent(count: int, of: int) -> str:
    return f"{100 * count / of:.0f}%"
