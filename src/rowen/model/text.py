"""Text that can be encoded: Python's strings may contain lone surrogates, UTF-8 files may not."""

import re

SURROGATE = re.compile("[\ud800-\udfff]")
"""A lone surrogate: half of a pair that UTF-16 uses for one character."""


def replace_surrogates(text: str) -> str:
    """The text with U+FFFD for each lone surrogate, which no encoding can write; lengths stay."""
    return SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
