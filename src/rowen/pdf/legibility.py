"""How much of a PDF can be read: pages without text, fonts without a map to Unicode."""

from dataclasses import dataclass, field

import numpy as np

from rowen.pdf.characters import PAGE_CHARACTERS, PDF_PAGES, PageCharacters

_NOTABLE = 0.1
"""The share of characters, or pages, above which a warning is given."""

_MOST = 0.5
"""The share of characters above which the text is useless."""


_LETTERS = 0.6
"""The share of characters that are letters in text."""

_USED = 0.5
"""The share of letters that are `_COMMON` in text; measured are .62 to .68 for European languages,
.31 for letters by chance."""

_COMMON = np.frombuffer(b"aeinorst", np.uint8).astype(np.uint32)


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
    letters: int = 0
    """Those of them that are read as ASCII letters."""
    common: int = 0
    """Those of these letters that languages use most."""
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
        unmapped = page.unmapped & shown & ~meaningless
        if unmapped.any():
            small = codes[unmapped] | 32
            self.unmapped += len(small)
            self.letters += int(np.count_nonzero((small >= ord("a")) & (small <= ord("z"))))
            self.common += int(np.count_nonzero(np.isin(small, _COMMON)))
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

    def _reads_well(self) -> bool:
        """Whether characters without a map are text all the same: letters as languages use them.

        A font that numbers its letters in some order gives others as often.
        """
        return self.letters >= _LETTERS * self.unmapped and self.common >= _USED * self.letters

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
        if self.unmapped > _MOST * self.characters and not self._reads_well():
            share = _percent(self.unmapped, self.characters)
            warnings.append(
                f"{share} of the characters may be wrong: their fonts have no Unicode map"
            )
        return tuple(warnings)


def _percent(count: int, of: int) -> str:
    return f"{100 * count / of:.0f}%"
