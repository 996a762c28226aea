"""What a page says about itself: its language and the address that its links start from."""

import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

from rowen.model import Page
from rowen.text.character_references import decode
from rowen.text.html_tokens import Kind, Token, Tokens

LOOKED_AT = 65_536
"""Limit: this many characters of a page are searched for `<html lang>` and `<base>`, which come
first in a page."""

PAGES = 4
"""Limit: the declarations of this many pages are kept: records are read page by page."""

NEAR = 4_096
"""How far beyond the first mention of a tag is read at first."""

# Letters of both cases, not a flag: so the search goes from one `<` to the next.
_TAGS = {"html": re.compile("<[hH][tT][mM][lL]"), "base": re.compile("<[bB][aA][sS][eE]")}

_SAVED = re.compile(r"<!--\s*saved from url=\(\d{1,6}\)(\S+)\s*-->")
_CANONICAL = re.compile("[cC][aA][nN][oO][nN][iI][cC][aA][lL]")

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*\Z")


@lru_cache(maxsize=PAGES)
def language_of(text: str) -> str | None:
    """The language of `<html lang>`, such as `de` or `en-GB`."""
    written = _attribute(text, "html", "lang") or _attribute(text, "html", "xml:lang")
    return written.replace("_", "-") if written and _LANGUAGE.match(written) else None


@lru_cache(maxsize=PAGES)
def base_of(text: str, identity: str) -> str | None:
    """The address that relative links start from: `<base href>`, else the page's own URL.

    A page that was saved, and has a path or a digest for an id, may say where it came from:
    browsers write that into a comment, sites into `<link rel=canonical>`.
    """
    own = identity if _is_url(identity) else _origin(text)
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


def _origin(text: str) -> str | None:
    """The address that a saved page says that it has."""
    head = text[:LOOKED_AT]
    saved = _SAVED.search(head)
    written = [saved[1]] if saved else []
    if _CANONICAL.search(head):
        for token in Tokens(head):
            if token.kind is Kind.START_TAG and token.name == "link":
                rel, href = (_value(head, token, name) for name in ("rel", "href"))
                if href and "canonical" in (rel or "").lower().split():
                    written.append(href)
                    break
    addresses = (url for url in written if url.startswith(("http://", "https://")))
    return next(filter(_is_url, addresses), None)


def _value(head: str, token: Token, name: str) -> str | None:
    attribute = token.attribute(name)
    if attribute is None or attribute.value_span is None:
        return None
    return decode(head, attribute.value_span, attribute=True).text.strip() or None


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
            if (attribute := token.attribute(name)) and attribute.value_span is not None:
                return _value(head, token, name)
            if tag != "base":  # of those the first one with an address counts
                return None
    return None
