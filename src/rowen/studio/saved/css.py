r"""Harmless style sheets: as a page's author wrote them, but nothing is loaded and nothing covers.

A style sheet is read token by token, as browsers do (CSS Syntax Level 3), and written again. So an
escaped `u\72l(` is the function that a browser takes it for, and a `url(` in a string is not. What
would load something is written anew: with the address of a local file, or with an empty one. The
frame's Content-Security-Policy forbids loading in any case; this is the line before it.

    >>> sanitised("a { background: red u\\72l( //e.org/a.png ) }", lambda url: None).css
    'a { background: red url("data:,") }'
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

Resolve: TypeAlias = Callable[[str], str | None]
"""The address to use in place of a URL; None if there is no local file for it."""

NOTHING = "data:,"
"""An address without content. The rest of its declaration still counts, such as a colour."""

LINK = "data-rowen-link"
"""The attribute of links: without an address they are not `:link` for the browser."""
TAG = "data-rowen-tag"
"""The attribute with the tag of an element that is shown as another one."""
REPLACED_TAGS = frozenset(
    {"button", "form", "input", "select", "option", "optgroup", "textarea", "summary", "details"}
    | {"dialog", "iframe", "video", "canvas", "picture", "img"}
)
"""Elements that are shown as others; selectors of their names find them by `TAG`."""

STYLE_DEPTH = 64
"""Limit: how deep the brackets of a style sheet nest; a deeper one is left out. Browsers crash on
very deep ones, and those of real sites are below 20."""


_NEWLINE = re.compile("\r\n?|\f")
_ESCAPE = r"\\(?:[0-9a-fA-F]{1,6}[ \t\n]?|[^\n0-9a-fA-F])"
_START = rf"(?:[a-zA-Z_]|[^\x00-\x7f]|{_ESCAPE})"
_NAME = rf"(?:[\w-]|[^\x00-\x7f]|{_ESCAPE})*+"
_WORD = rf"(?:--|-?{_START}){_NAME}"
_QUOTED = (
    r'"(?:[^"\\\n]|\\[\s\S]|\\\Z)*+(?:"|(?=\n)|\Z)|'
    r"'(?:[^'\\\n]|\\[\s\S]|\\\Z)*+(?:'|(?=\n)|\Z)"
)
_TOKEN: Final = re.compile(
    rf"""(?xa)
    (?P<comment> /\* (?: [^*] | \*(?!/) )*+ (?: \*/ | \Z ) )
  | (?P<string> {_QUOTED} )
  | (?P<at> @{_WORD} )
  | (?P<hash> \#{_NAME} )
  | (?P<word> {_WORD} ) (?P<opens> \( )?
  | (?P<space> [ \t\n]++ )
  | (?P<number> [0-9.%+]++ )
  | (?P<sign> [\s\S] )"""
)
_ESCAPED = re.compile(r"\\(?:([0-9a-fA-F]{1,6})[ \t\n]?|([\s\S]))")
_QUOTED_URL = re.compile(rf"[ \t\n]*+({_QUOTED})[ \t\n]*+\)")
_BARE_URL = re.compile(r"""[ \t\n]*+(?!["'])((?:[^)\\]|\\[\s\S]|\\\Z)*+)(?:\)|\Z)""")
_LAYER = re.compile(r"(?i)\s*layer\s*(?:\([^)]*\))?\s*")

_IMAGE_SETS = frozenset({"image-set", "-webkit-image-set"})
_LOADING = frozenset({"src", "image", "expression", "-moz-element", "paint"})
"""Functions that load an address from a string, or that would run something."""
_IN_IMAGE_SETS = re.compile(r"type|url|(?:-webkit-)?(?:repeating-)?\w+-gradient|calc|rgba?|hsla?")
_FIXED = frozenset({"fixed", "sticky", "-webkit-sticky"})


@dataclass(frozen=True, slots=True)
class Import:
    """A style sheet that another one imports, with its media query."""

    url: str
    media: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A harmless style sheet, and those that it imports. They come before it."""

    css: str
    imports: tuple[Import, ...]


def sanitised(css: str, resolve: Resolve) -> Sheet:
    """A style sheet or a `style` attribute that loads only what `resolve` gives."""
    return _Writer(_NEWLINE.sub("\n", css).replace("\0", "\ufffd"), resolve).written()


class _Writer:
    """Reads a style sheet token by token, and writes it."""

    def __init__(self, css: str, resolve: Resolve) -> None:
        self._css = css
        self._resolve = resolve
        self._pieces: list[str] = []
        self._functions: list[str] = []
        """The open brackets: the names of functions, and the signs of other brackets."""
        self._imports: list[Import] = []
        self._imports_may_follow = True
        # The last tokens without white space, with the numbers of their pieces.
        self._before: tuple[str, int] = ("", -1)
        self._before_that: tuple[str, int] = ("", -1)
        self._tags: list[int] = []
        """Pieces since the last `{`, `}` or `;` that are names of elements if a selector ends."""
        self._links: list[int] = []
        self._is_rule = True
        self._is_font = False
        self._depth = self._deepest = 0

    def written(self) -> Sheet:
        """Read and write all of it."""
        at, css = 0, self._css
        while at < len(css):
            match = _TOKEN.match(css, at)
            assert match is not None
            at = self._write(match)
            if self._deepest > STYLE_DEPTH:
                return Sheet("", ())
        return Sheet("".join(self._pieces), tuple(self._imports))

    def _write(self, match: re.Match[str]) -> int:
        """Write a token; returns where the next one starts."""
        kind, text = match.lastgroup, match[0]
        if kind == "comment":
            self._pieces.append("/**/")  # not nothing: the tokens around it must not become one
        elif kind == "space":
            self._pieces.append(text)
        elif kind in ("word", "opens"):
            return self._word(_unescaped(match["word"]).lower(), match)
        elif kind == "at":
            return self._rule(_unescaped(text[1:]).lower(), match)
        elif kind == "string":
            self._string(text)
        elif kind == "sign":
            self._sign(text)
        else:
            self._note(text, text)
        return match.end()

    def _word(self, name: str, match: re.Match[str]) -> int:
        self._imports_may_follow = False
        if match["opens"]:
            return self._function(name, match)
        if name in _FIXED and self._before[0] == ":" and self._before_that[0] == "position":
            # A fixed element would cover the texts that a person wants to mark. It stays a
            # container for what is placed in it, and `top` and the like no longer move it.
            self._pieces[self._before_that[1]] = "inset:auto!important;position"
            self._note("relative", "relative")
            return match.end()
        if name in REPLACED_TAGS and not self._functions and self._before[0] not in (".", ":"):
            self._tags.append(len(self._pieces))
        elif name in ("link", "any-link") and self._before[0] == ":":
            self._links.append(len(self._pieces))
        self._note(name, match[0])
        return match.end()

    def _function(self, name: str, match: re.Match[str]) -> int:
        if name == "url":
            css, start = self._css, match.end()
            if quoted := _QUOTED_URL.match(css, start):
                self._url(_string_of(quoted[1]))
                return quoted.end()
            if bare := _BARE_URL.match(css, start):
                self._url(_unescaped(bare[1].rstrip(" \t\n")))
                return bare.end()
            name = "none"  # a string with something after it
        is_in_set = any(function in _IMAGE_SETS for function in self._functions)
        if name in _LOADING or (is_in_set and not _IN_IMAGE_SETS.fullmatch(name)):
            name = "none"
        self._functions.append(name)
        self._descend(1)
        self._note(f"{name}(", f"{name}(" if name == "none" else match[0])
        return match.end()

    def _url(self, url: str) -> None:
        stripped = url.strip(" \t\n")
        # An address that is only a fragment is in the page itself, such as a gradient of an SVG.
        address = stripped if stripped.startswith("#") else self._resolve(stripped)
        if address is None and self._is_font:
            self._note("local(", 'local("")')  # browsers complain about an empty font
        else:
            self._note("url", f"url({_quoted(address or NOTHING)})")

    def _string(self, text: str) -> None:
        if self._functions and self._functions[-1] in _IMAGE_SETS:
            self._url(_string_of(text))
        else:
            self._note("string", text if _is_closed(text) else _quoted(_string_of(text)))

    def _sign(self, sign: str) -> None:
        if sign in "([{":
            self._descend(1)
        elif sign in ")]}":
            self._descend(-1)
        if sign in "([":
            self._functions.append(sign)
        elif sign in ")]" and self._functions:
            self._functions.pop()
        elif sign in "{};":
            self._functions.clear()
            self._is_font = self._is_font and sign != "}"
            if sign == "{" and self._is_rule:
                self._end_selector()
            self._tags, self._links, self._is_rule = [], [], True
        if sign != ";":
            self._imports_may_follow = False
        self._note(sign, sign)

    def _descend(self, by: int) -> None:
        self._depth = max(0, self._depth + by)
        self._deepest = max(self._deepest, self._depth)

    def _end_selector(self) -> None:
        """Let selectors find what the view shows as other elements, or without an address."""
        for piece in self._tags:
            tag = self._pieces[piece].lower()
            self._pieces[piece] = f':where({tag},[{TAG}="{tag}"])'
        for piece in self._links:
            # `:link` is `:` and `link`: the sign before the word is part of it.
            self._pieces[piece] = f"where(*)[{LINK}]"

    def _rule(self, name: str, match: re.Match[str]) -> int:
        if name == "import":
            return self._import(match.end())
        if name not in ("charset", "layer"):
            self._imports_may_follow = False
        self._is_rule = False
        self._is_font = name == "font-face"
        self._note(f"@{name}", match[0])
        return match.end()

    def _import(self, at: int) -> int:
        """Leave out an import, and note it if it counts."""
        url, start = "", at
        css = self._css
        while match := _TOKEN.match(css, at):
            if match[0] in (";", "{", "}"):
                break
            word = match["word"] and _unescaped(match["word"]).lower()
            address = None
            if word == "url" and match["opens"]:
                address = _QUOTED_URL.match(css, match.end()) or _BARE_URL.match(css, match.end())
            at = (address or match).end()
            if not url and (address or match["string"]):
                text = address[1] if address else match["string"]
                is_bare = address is not None and text[:1] not in ('"', "'")
                url = _unescaped(text).strip() if is_bare else _string_of(text)
                start = at
        media = _LAYER.sub(" ", css[start:at], count=1).strip()
        if url and self._imports_may_follow:
            self._imports.append(Import(url, "" if "(" in media and "supports" in media else media))
        return at + 1 if css[at : at + 1] == ";" else at

    def _note(self, token: str, text: str) -> None:
        self._before_that, self._before = self._before, (token, len(self._pieces))
        self._pieces.append(text)


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(_character, text) if "\\" in text else text


def _character(escape: re.Match[str]) -> str:
    code, sign = escape.groups()
    if code is None:
        return "" if sign == "\n" else str(sign)
    number = int(code, 16)
    is_valid = 0 < number <= 0x10FFFF and not 0xD800 <= number < 0xE000
    return chr(number) if is_valid else "\ufffd"


def _is_closed(text: str) -> bool:
    """Whether a string ends with its quote, and not with an escaped one."""
    backslashes = len(text) - 1 - len(text[:-1].rstrip("\\"))
    return len(text) > 1 and text[-1] == text[0] and backslashes % 2 == 0


def _string_of(text: str) -> str:
    """What a string says; one without an end ends with its line."""
    return _unescaped(text[1:-1] if _is_closed(text) else text[1:].rstrip("\\"))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\n", "\\a ") + '"'
