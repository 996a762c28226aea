"""ISSNs, the numbers of journals, where their check digit is right."""

import re
from collections.abc import Iterator

import rowen

_NUMBER = re.compile(r"(?<![\d-])\d{4}-\d{3}[\dX](?![\d-])")


@rowen.extractor(
    name="issn", version="1", fields=["issn"], locality=rowen.Window(scope=9, context=1)
)
def issn(text: str) -> Iterator[dict[str, tuple[int, int]]]:
    """Find the ISSNs in a text."""
    for match in _NUMBER.finditer(text):
        digits = [10 if one == "X" else int(one) for one in match[0].replace("-", "")]
        if sum((8 - place) * digit for place, digit in enumerate(digits)) % 11 == 0:
            yield {"issn": match.span()}
