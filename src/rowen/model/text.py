"""Text that can be written: Python's strings may hold halves of surrogate pairs, files may not."""

import re

SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a pair, where it should not be: a Python string keeps whole characters."""


def replace_surrogates(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which no encoding can write; lengths stay."""
    return SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
