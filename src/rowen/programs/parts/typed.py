"""Values of types, and what a page says that they depend on: its language and its address."""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any
from urllib.parse import urljoin, urlsplit

from rowen.programs.parts.references import resolve_references
from rowen.programs.parts.tags import read_tags
from rowen.values.refusal import NotConverted
from rowen.values.setting import Setting

LOOKED_AT = 65_536
"""How much of a page is searched for its language and its base."""

_SAVED = re.compile(r"<!--\s*saved from url=\(\d{1,6}\)(\S+)\s*-->")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*\Z")


class Converter:
    """Converts the texts of a page; `url` is its address."""

    def __init__(
        self, page: str, url: str, conversions: dict[str, Callable[[str, Setting], Any]]
    ) -> None:
        self._head = page[:LOOKED_AT]
        self._url = url
        self._conversions = conversions

    def __call__(self, text: str, kind: str, language: str | None) -> Any:
        """The value of a text; None where it has none of that type."""
        setting = Setting(language or self.language, self.base)
        try:
            return self._conversions[kind](text, setting)
        except NotConverted:
            return None

    @cached_property
    def language(self) -> str | None:
        """The language of `<html lang>`."""
        written = self._attribute("html", "lang") or self._attribute("html", "xml:lang")
        return written.replace("_", "-") if written and _LANGUAGE.match(written) else None

    @cached_property
    def base(self) -> str | None:
        """The address that relative links start from: `<base href>`, else the page's own."""
        own = self._url if _is_address(self._url) else self._origin()
        written = self._attribute("base", "href")
        try:
            base = urljoin(own or "", written or "")
        except ValueError:
            return own
        return base if _is_address(base) else own

    def _origin(self) -> str | None:
        """The address that a saved page says that it has."""
        saved = _SAVED.search(self._head)
        written = [saved[1]] if saved else []
        for tag in read_tags(self._head):
            values = {
                name: resolve_references(self._head[start:end], attribute=True).strip()
                for name, start, end in reversed(tag.attributes if tag.name == "link" else [])
            }
            if "canonical" in values.get("rel", "").lower().split() and values.get("href"):
                written.append(values["href"])
                break
        addresses = (url for url in written if url.startswith(("http://", "https://")))
        return next(filter(_is_address, addresses), None)

    def _attribute(self, tag_name: str, name: str) -> str | None:
        """The value of an attribute of the first such tag."""
        for tag in read_tags(self._head):
            if tag.name == tag_name:
                places = [(start, end) for key, start, end in tag.attributes if key == name]
                if places and places[0][0] >= 0:
                    value = self._head[slice(*places[0])]
                    return resolve_references(value, attribute=True).strip() or None
                if tag_name != "base":
                    return None
        return None


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https", "file"} and bool(parts.netloc or parts.path)
