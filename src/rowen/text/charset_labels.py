"""Charset labels and the encodings that browsers use for them (the Encoding Standard)."""

import re
from functools import lru_cache

_UTF_8 = frozenset(
    ("utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8")
)
_WESTERN = frozenset(
    ("iso-8859-1", "windows-1252", "latin1", "us-ascii", "ascii", "cp1252", "iso8859-1", "l1")
)
_WIDE = {
    **dict.fromkeys(("utf-16be", "unicodefffe"), "utf-16be"),
    **dict.fromkeys(
        ("utf-16", "utf-16le", "unicode", "ucs-2", "csunicode", "iso-10646-ucs-2", "unicodefeff"),
        "utf-16le",
    ),
}
_LABEL = re.compile(r"[a-z0-9_.:+-]{1,40}")
_WHITE_SPACE = "\t\n\f\r "


@lru_cache(maxsize=256)
def encoding_named(label: str) -> str | None:
    """The standard's name for a charset, in lower case; None for an unknown label.

    The standard maps some old charsets to `replacement`: browsers know them but refuse to decode
    them, because they were used for attacks.

    >>> [encoding_named(label) for label in (" Latin1 ", "utf-16", "hz-gb-2312", "utf-32")]
    ['windows-1252', 'utf-16le', 'replacement', None]
    """
    label = label.strip(_WHITE_SPACE).lower()
    if label in _UTF_8:
        return "utf-8"
    if label in _WESTERN:
        return "windows-1252"
    if wide := _WIDE.get(label):
        return wide
    if not _LABEL.fullmatch(label):
        return None
    from turbohtml.detect import detect

    # turbohtml has no public table of labels, but its detector follows a page's declaration. For an
    # unknown label it answers UTF-8, and UTF-8's own labels are handled above.
    name = detect(f"<meta charset={label}>\u00e9".encode()).encoding
    return None if name in {None, "UTF-8"} else str(name).lower()
