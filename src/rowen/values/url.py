"""URLs: absolute addresses, read as browsers read an `href`."""

import re
from urllib.parse import urljoin, urlsplit, urlunsplit

from rowen.values.refusal import NotConverted, shown
from rowen.values.setting import Setting

URL_CHARACTERS = 2 * 1024 * 1024
"""Limit: the longest address that is resolved; Chromium navigates to none that is longer."""

_EDGES = "".join(map(chr, range(33)))
_INSIDE = re.compile(r"[\t\n\r]")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_UNSAFE = re.compile(r'[\x00-\x20"<>`\x7f]')
_SURROGATES = re.compile("[\ud800-\udfff]")
_ADDRESS_SIGNS = re.compile(r"[/.?#:]")
_WEB = {"http", "https", "ftp", "ws", "wss"}
_CODE = {"javascript", "vbscript"}


def to_url(text: str, setting: Setting) -> str:
    """The absolute address that a browser would go to.

    Raises:
        NotConverted: there is no address, it runs a script, or it is relative and there is no base.

    >>> to_url(" ../b?q=1 ", Setting(base="https://example.org/a/c/"))
    'https://example.org/a/b?q=1'
    """
    if len(text) > URL_CHARACTERS:
        raise NotConverted(f"{shown(text)} is longer than {URL_CHARACTERS} characters")
    address = _INSIDE.sub("", text.strip(_EDGES))
    if not address:
        raise NotConverted("the text is empty")
    scheme = _SCHEME.match(address)
    kind = scheme[0][:-1].lower() if scheme else ""
    if kind in _CODE:
        raise NotConverted(f"{shown(text)} is a script, not an address")
    if scheme and kind not in _WEB:
        return _escaped(kind + address[len(kind) :])
    if not scheme:
        _check_relative(address, setting.base)
    try:
        return _resolved(address, setting.base)
    except ValueError as error:
        raise NotConverted(f"{shown(text)} is not a valid address: {error}") from None


def _check_relative(address: str, base: str | None) -> None:
    if " " in address and not _ADDRESS_SIGNS.search(address):
        raise NotConverted(f"{shown(address)} is words, not an address")
    if address[:4].lower() == "www.":
        raise NotConverted(
            f"{shown(address)} has no scheme: a browser takes it for a relative path"
        )
    if not base or not _SCHEME.match(base):
        raise NotConverted(
            f"{shown(address)} is relative; give the page its URL as id to make it absolute"
        )


def _resolved(address: str, base: str | None) -> str:
    end = min((place for sign in "?#" if (place := address.find(sign)) >= 0), default=len(address))
    address = address[:end].replace("\\", "/") + address[end:]
    parts = urlsplit(urljoin(base, address) if base else address)
    if parts.scheme not in _WEB:  # relative to file: or to another scheme
        return _escaped(urlunsplit(parts))
    if not parts.hostname:
        raise ValueError("it has no host")
    _ = parts.port  # raises ValueError where it is no number
    login, at, host = parts.netloc.rpartition("@")
    netloc = login + at + host.lower()
    return _escaped(urlunsplit(parts._replace(netloc=netloc, path=parts.path or "/")))


def _escaped(address: str) -> str:
    """The address with characters in percent notation that would end it in text."""
    if _SURROGATES.search(address):
        raise NotConverted(f"{shown(ascii(address))} has broken characters")
    return _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", address)
