"""What a page says about itself: its language and the address that its links start from."""

import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

from rowen.model import Page
from rowen.text.character_references import decode
from rowen.text.html_tokens import Kind, Tokens

LOOKED_AT = 65_536
"""Limit: this many characters of a page are searched for `<html lang>` and `<base>`, which come
first in a page."""

PAGES = 4
"""Limit: the declarations of this many pages are kept: records are read page by page."""

NEAR = 4_096
"""How far beyond the first mention of a tag is read at first."""

# Letters of both cases, not a flag: so the search goes from one `<` to the next.
_TAGS = {"html": re.compile("<[hH][tT][mM][lL]"), "base": re.compile("<[bB][aA][sS][eE]")}

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*\Z")


@lru_cache(maxsize=PAGES)
def language_of(text: str) -> str | None:
    """The language of `<html lang>`, such as `de` or `en-GB`."""
    written = _attribute(text, "html", "lang") or _attribute(text, "html", "xml:lang")
    return written.replace("_", "-") if written and _LANGUAGE.match(written) else None


@lru_cache(maxsize=PAGES)
def base_of(text: str, identity: str) -> str | None:
    """The address that relative links start from: `<base href>`, else the page's own URL."""
    own = identity if _is_url(identity) else None
    written = _attribute(text, "base", "href")
    if written is None:
        return own
    try:
        base = urljoin(own or "", written)
    except ValueError:  # such as an address with half of an IPv6 host
        return own
    return base if _is_url(base) else own


def page_base(page: Page) -> str | None:
    """The address that relative links of a page start from."""
    return base_of(page.text, page.id)


def _is_url(identity: str) -> bool:
    try:
        parts = urlsplit(identity)
    except ValueError:
        return False
    return parts.scheme in ("http", "https", "file") and bool(parts.netloc or parts.path)


def _attribute(text: str, tag: str, name: str) -> str | None:
    """The value of an attribute of the first such tag near the start."""
    match = _TAGS[tag].search(text, 0, LOOKED_AT)
    if match is None:
        return None
    # Most often the first tag of that name says it, so what follows need not be read.
    near = text[: min(match.start() + NEAR, LOOKED_AT)]
    for head in (near, text[:LOOKED_AT]):
        for token in Tokens(head):
            if token.kind is not Kind.START_TAG or token.name != tag:
                continue
            attribute = token.attribute(name)
            if attribute is not None and attribute.value_span is not None:
                value = decode(head, attribute.value_span, attribute=True).text.strip()
                return value or None
            if tag != "base":  # of those the first one with an address counts
                return None
    return None
