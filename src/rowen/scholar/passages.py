"""Lines joined to running text: words that were divided are whole again."""

import re
from collections.abc import Sequence

from rowen.scholar.layout import Line

_DIVIDED = re.compile(r"[^\W\d_]{2,}-$")
_WHOLE = re.compile(
    r"(?:^|[\s(])(?:self|non|well|co|multi|semi|half|cross|high|low|long|short|two|three|one|e)-$",
    re.IGNORECASE,
)
_OPEN_ADDRESS = re.compile(r"(?:https?://|www\.|doi[:.\s/]|10\.\d{4,9}/)\S*$", re.IGNORECASE)


def joined(lines: Sequence[Line]) -> str:
    """The text of some lines, one after the other."""
    pieces: list[str] = []
    for line in lines:
        if text := line.text.strip():
            if pieces:
                pieces[-1], between = _seam(pieces[-1], text)
                pieces.append(between)
            pieces.append(text)
    return "".join(pieces)


def _seam(text: str, more: str) -> tuple[str, str]:
    """The end of a line without the hyphen of a divided word, and what is to stand after it."""
    if _DIVIDED.search(text) and more[0].islower():
        return (text, "") if _WHOLE.search(text) else (text[:-1], "")
    if text[-1] in "-–/" and more[0].isalnum():  # pages, compounds, addresses
        return text, ""
    if _OPEN_ADDRESS.search(text) and text[-1] not in ".,;)" and " " not in more[:8]:
        return text, ""
    return text, " "
