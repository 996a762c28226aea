"""Notices of the first page that are no text of the paper: copyright, licence, who is to be asked.

(c) The Author(s) 2018. Published by ...      small type at the foot of the first page
This is an Open Access article ...            header, whatever the CRF says
"""

import re
from collections.abc import Sequence
from itertools import groupby

from rowen.papers.zones.features import body_size
from rowen.pdf import Line

_NOTICE = re.compile(
    r"©|\(c\)\s*(?:the\s+)?(?:author|\d{4})|\bcopyright\b|\ball rights reserved\b|"
    r"\bcreative\s*commons\b|\bopen[- ]access article\b|\bthe author\(s\),?\s*\d{4}|"
    r"\bcontributed equally\b",
    re.IGNORECASE,
)
_LONGEST = 12  # lines of a notice
_SMALLER = 0.5  # points: its type is smaller than that of the body by so much


def with_notices(lines: Sequence[Line], labels: Sequence[str]) -> list[str]:
    """Label the notices of the first page that were taken for the body."""
    corrected = list(labels)
    body = [line for line, label in zip(lines, labels, strict=True) if label == "body"]
    size = body_size(body)
    first = [i for i, line in enumerate(lines) if line.page == 0 and labels[i] == "body"]

    def stretch(pair: tuple[int, int]) -> tuple[int, int, int]:
        """What lines that follow each other in one block and type have in common."""
        count, i = pair
        return lines[i].block, round(2 * lines[i].size), i - count

    for _, group in groupby(enumerate(first), key=stretch):
        own = [i for _, i in group]
        small = all(lines[i].size < size - _SMALLER for i in own)
        if small and len(own) <= _LONGEST and any(_NOTICE.search(lines[i].text) for i in own):
            for i in own:
                corrected[i] = "header"
    return corrected
