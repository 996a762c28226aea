"""TeX to plain text: comments, groups, macros without arguments, accents and formatting commands.

Nothing is executed and no file is included. Macros are replaced a few times at most, so that
a macro that grows with every step ends as it is.
"""

import re
import unicodedata
from collections.abc import Iterator

TEX_CHARACTERS = 4_000_000
"""Limit: characters of a LaTeX source that are read, also after macros; papers have 100,000."""

_MACRO_ROUNDS = 3
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?[ \t]*")
_DEFINED = re.compile(r"\\(?:(?:re)?newcommand\*?\s*\{?\\(\w+)\}?|def\s*\\(\w+))\s*(?=\{)")
_ACCENT = re.compile(
    r"\\([`'^\"~=.vHcukrbd])"
    r"(?:\s*\{\s*\\?([A-Za-z])\s*\}|(?<=[`'^\"~=.])\\?([A-Za-z])|\s+([A-Za-z]))"
)
_MARKS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "v": "\u030c", "H": "\u030b", "c": "\u0327", "u": "\u0306", "k": "\u0328",
    "r": "\u030a", "b": "\u0331", "d": "\u0323",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "DJ": "Đ", "dj": "đ", "TH": "Þ", "th": "þ",
    "dh": "ð", "DH": "Ð", "S": "§", "P": "¶", "dag": "†", "ddag": "‡", "ldots": "…", "dots": "…",
    "textendash": "–", "textemdash": "—", "LaTeX": "LaTeX", "TeX": "TeX", "textquoteright": "’",
    "copyright": "©", "pounds": "£", "euro": "€", "textless": "<", "textgreater": ">",
    "textbackslash": "\\", "textasciitilde": "~", "cdot": "·", "times": "×", "pm": "±",
}  # fmt: skip
_LETTER = re.compile(
    r"\\(" + "|".join(sorted(_LETTERS, key=len, reverse=True)) + r")(?![A-Za-z@])\s?(?:\{\})?"
)
_HREF = re.compile(r"\\href\s*\{[^{}]*\}")
_DROPPED = re.compile(
    r"\\(?:label|ref|eqref|pageref|autoref|index|vspace|hspace|thanks|footnotemark|footnotetext"
    r"|includegraphics|input|include|bibliographystyle|orcid|orcidlink|corref|fnref|cormark"
    r"|setlength|color|textcolor|fontsize|hypersetup|pagestyle|thispagestyle|natexlab|urlprefix"
    r"|bibinfo|bibfield|bibnamefont|bibfnamefont|begin|end|usepackage|IEEEmembership"
    r"|IEEEauthorrefmark|IEEEcompsocitemizethanks|inst|supit|email|Email|ead)\*?(?![A-Za-z])\s*(?:\[[^\]]*\]\s*)?(?=\{)"
)
_KEPT_FIELDS = re.compile(r"\\(?:bibinfo|bibfield)\s*\{[^{}]*\}\s*")
_COMMAND = re.compile(r"\\[A-Za-z@]+\*?\s*(?:\[[^\]\n]*\])?")
_SPACES = re.compile(
    r"\\(?:[ ,;:!/>]|quad|qquad|newblock|hfill|hfil|par|noindent|newline)(?![A-Za-z])"
    r"|\\\\(?:\[[^\]]*\])?|~"
)


def without_comments(tex: str) -> str:
    """TeX without comments, cut at the limit."""
    return _COMMENT.sub(r"\1", tex[:TEX_CHARACTERS])


def group_at(tex: str, start: int) -> tuple[str, int] | None:
    """The content of the group that opens at `start`, and where it ends; None if it never does.

    >>> group_at("{a{b}} c", 0)
    ('a{b}', 6)
    """
    depth = 0
    at = start
    while at < len(tex):
        letter = tex[at]
        if letter == "\\":
            at += 2
            continue
        depth += (letter == "{") - (letter == "}")
        at += 1
        if depth == 0:
            return tex[start + 1 : at - 1], at
    return None


def arguments(tex: str, *names: str) -> Iterator[tuple[re.Match[str], str, int]]:
    """Each use of a command: the match with its options, its argument, and where that ends."""
    command = re.compile(rf"\\({'|'.join(names)})\*?\s*((?:\[[^\]]*\]\s*)*)(?=\{{)")
    at = 0
    while match := command.search(tex, at):
        group = group_at(tex, match.end())
        at = match.end()
        if group is not None:
            content, at = group
            yield match, content, at


def divided(tex: str, between: re.Pattern[str]) -> list[str]:
    """TeX divided where a pattern matches outside of groups.

    >>> divided("a{b,c},d", re.compile(","))
    ['a{b,c}', 'd']
    """
    pieces: list[str] = []
    start = at = 0
    while match := between.search(tex, at):
        opened = tex.find("{", at)
        group = group_at(tex, opened) if 0 <= opened < match.start() else None
        if group is not None:
            at = group[1]
            continue
        pieces.append(tex[start : match.start()])
        start = at = max(match.end(), match.start() + 1)
    return [*pieces, tex[start:]]


def environments(tex: str, *names: str) -> Iterator[tuple[str, int, int]]:
    """The content of each environment with one of these names, and its span."""
    begin = re.compile(rf"\\begin\s*\{{({'|'.join(names)})(\*?)\}}")
    at = 0
    while match := begin.search(tex, at):
        closing = f"\\end{{{match.group(1)}{match.group(2)}}}"
        end = tex.find(closing, match.end())
        if end < 0:
            return
        yield tex[match.end() : end], match.start(), end + len(closing)
        at = end + len(closing)


def with_macros(tex: str) -> str:
    """TeX with its own macros without arguments replaced, within limits."""
    macros: dict[str, str] = {}
    for match in _DEFINED.finditer(tex):
        group = group_at(tex, match.end())
        name = match.group(1) or match.group(2)
        if group is not None and "#" not in group[0] and f"\\{name}" not in group[0]:
            macros[name] = group[0]
    if not macros:
        return tex
    head, begin, body = tex.partition("\\begin{document}")
    front = _DEFINED.sub(r"\\defined", head)
    names = "|".join(map(re.escape, sorted(macros, key=len, reverse=True)))
    use = re.compile(rf"\\({names})(?![A-Za-z@])\s?(?:\{{\}})?")
    text = front + begin + body
    for _ in range(_MACRO_ROUNDS):
        grown = use.sub(lambda match: macros[match.group(1)], text)
        if grown == text or len(grown) > TEX_CHARACTERS:
            break
        text = grown
    return text


def without_arguments(tex: str, pattern: re.Pattern[str] = _DROPPED) -> str:
    """TeX without some commands and their arguments."""
    pieces: list[str] = []
    at = 0
    while match := pattern.search(tex, at):
        pieces.append(tex[at : match.start()])
        group = group_at(tex, match.end())
        at = match.end() if group is None else group[1]
    return "".join(pieces) + tex[at:]


def plain(tex: str) -> str:
    r"""The text that a reader sees, as far as it is known without running TeX.

    >>> plain(r"On \emph{na\"{\i}ve} pages~--- by J. Erd\H{o}s")
    'On naïve pages — by J. Erdős'
    """
    text = _KEPT_FIELDS.sub("", _HREF.sub("", tex))
    text = without_arguments(text)
    text = _ACCENT.sub(_accented, text)
    text = _LETTER.sub(lambda match: _LETTERS[match.group(1)], text)
    text = _SPACES.sub(" ", text)
    text = re.sub(r"\\([&%$#_{}])", lambda match: _ESCAPED[match.group(1)], text)
    text = _COMMAND.sub("", text)
    text = text.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”")
    text = re.sub(r"[{}$]", "", text).translate(_UNESCAPED)
    return " ".join(unicodedata.normalize("NFC", text).split())


# Escaped signs are kept as other characters while braces and dollars are removed.
_ESCAPED = {sign: chr(0xE000 + index) for index, sign in enumerate("&%$#_{}")}
_UNESCAPED = {ord(mark): sign for sign, mark in _ESCAPED.items()}


def _accented(match: re.Match[str]) -> str:
    letter = match.group(2) or match.group(3) or match.group(4)
    return unicodedata.normalize("NFC", letter + _MARKS[match.group(1)])
