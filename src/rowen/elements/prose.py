"""Running text: lines of words, as wide as a column."""

import re

from rowen.pdf import Line

_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDY = 0.6  # of the letters are in words, at least
_WIDE = 0.6  # of the width of what is around it


def is_prose(line: Line, size: float, width: float) -> bool:
    """Whether a line looks like running text of this size in a column of this width."""
    if abs(line.size - size) > 0.7 or line.right - line.left < _WIDE * width or line.gaps:
        return False
    return is_wordy(line.text, least=4)


def is_wordy(text: str, *, least: int) -> bool:
    """Whether most of a text is words, at least so many."""
    words = _WORD.findall(text)
    return len(words) >= least and sum(map(len, words)) > _WORDY * len(text.replace(" ", ""))
