"""The plain text of a PDF, available before its lines are made: to find near-duplicates early."""

from collections.abc import Iterable

import numpy as np

from rowen.pdf.characters import PageCharacters


def plain_text(pages: Iterable[PageCharacters]) -> str:
    """All characters in the order of the file, which is close to reading order."""
    return "\n".join(
        page.codes.astype(np.dtype("<u4")).tobytes().decode("utf-32-le", "replace")
        for page in pages
    )
