"""What can be told of a paper before its lines are made and understood."""

from collections.abc import Iterable

import numpy as np

from rowen.scholar.layout.pdf import PageCharacters


def plain_text(pages: Iterable[PageCharacters]) -> str:
    """All characters in the order of the file, which is nearly that of reading."""
    return "\n".join(
        page.codes.astype(np.dtype("<u4")).tobytes().decode("utf-32-le", "replace")
        for page in pages
    )
