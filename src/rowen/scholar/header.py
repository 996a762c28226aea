"""Title, authors and the rest of a paper's header, from the lines that they stand on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rowen.scholar.citations.citation import Name
from rowen.scholar.citations.names import parse_names
from rowen.scholar.layout import Line
from rowen.scholar.passages import joined

_OPEN, _CLOSE, _GAP = "\x1e", "\x1f", "\t"  # around marks, and for what parts names
_SIGNS = re.compile(r"[*†‡§¶#∗⋆✉∥‖♯◦⁎☆★⁰¹²³⁴-⁹]|(?<=[^\W\d_])\d{1,2}(?:,\d{1,2})*|\b\d{1,2}\b")
_DEGREES = re.compile(
    r",?\s*\b(?:M\.?D\.?|Ph\.?\s?D\.?|M\.?Sc\.?|B\.?Sc\.?|Dr\.|Prof\.|DDS|DMD|MPH|MBBS|FRCP|RN|DVM|PharmD|Jr\.?|Sr\.?)"
    r"(?=[\s,;.\t]|$)"
)
_PARTED = re.compile(r"\s*(?:,|;|·|•|\||\band\b|&|\bund\b|\bet\b|\t)\s*")
_MAIL = re.compile(r"\{[^}@]{1,200}\}\s?@\s?[\w\-.]+|[\w.+\-]{1,64}\s?@\s?[\w\-]+(?:\.[\w\-]+)+")
_DOI = re.compile(r"10\.\d{4,9}/[^\s,;\"<>\]]+")
_ABSTRACT = re.compile(r"^\W*(?:a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|summary)\b[\s:.—–\-]*", re.IGNORECASE)
_KEYWORDS = re.compile(
    r"^\W*(?:key\s?words?(?: and phrases)?|index terms)\b[\s:.—–\-]*", re.IGNORECASE
)
_BETWEEN_KEYWORDS = re.compile(r"\s*[;,·•|\t]\s*|\s[-–—]\s")
_MARK = re.compile(r"\s*(\d{1,2}|[a-z](?=\s?[A-Z])|[*†‡§¶])\s?\.?\)?\s*(?=[A-Z])")
_DATE = re.compile(
    r"(?:published|accepted|received|available online)\W*(?:online)?\W*(?:on)?\W*"
    r"(\d{1,2}\W{1,2}\w{3,9}\W{1,2}\d{4}|\w{3,9}\W{1,2}\d{1,2}\W{1,3}\d{4}|\d{4}-\d\d-\d\d"
    r"|\w{3,9} \d{4})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Author:
    """One who wrote a paper, and where they can be found."""

    given: str
    family: str
    affiliations: tuple[str, ...] = ()
    email: str | None = None


def title_of(lines: Sequence[Line]) -> str | None:
    """The title, without a footnote's mark."""
    return re.sub(r"\s*[*†‡§¶∗]+$", "", joined(lines)) or None


def abstract_of(lines: Sequence[Line]) -> str | None:
    """The abstract without the word that opens it."""
    return _ABSTRACT.sub("", joined(lines), count=1) or None


def keywords_of(lines: Sequence[Line]) -> list[str]:
    """The keywords, one by one; each line is one where nothing else parts them."""
    text = joined(lines)
    if not re.search(r"[;,·•|]", text):
        text = _GAP.join(line.text for line in lines)
    parts = _BETWEEN_KEYWORDS.split(_KEYWORDS.sub("", text, count=1))
    return [part.strip(" .:") for part in parts if part.strip(" .:")]


def doi_of(lines: Sequence[Line]) -> str | None:
    """The first DOI that stands on some lines."""
    for line in lines:
        if found := _DOI.search(line.text):
            return found.group().rstrip(".,;)")
    return None


def date_of(lines: Sequence[Line]) -> str | None:
    """When the paper was published, or else accepted or received, as it is printed."""
    dates = {
        found.group()[:9].lower(): found.group(1)
        for line in lines
        for found in _DATE.finditer(line.text)
    }
    for kind in ("published", "available", "accepted ", "accepted", "received"):
        for start, date in dates.items():
            if start.startswith(kind):
                return date
    return None


def authors_of(lines: Sequence[Line], affiliations: Sequence[Line]) -> list[Author]:
    """The authors, each with the affiliations that have its marks, or with all where none has."""
    signed = _signed_names(lines)
    places = _affiliations(affiliations)
    marked = [mark for mark, _ in places if mark]
    found = []
    for name, marks in signed:
        own = tuple(text for mark, text in places if mark and mark in marks)
        if not own and not (marked and marks):
            own = tuple(text for mark, text in places if not mark)
        found.append(Author(name.given, name.family, own))
    return _with_mails(found, [*lines, *affiliations])


def _signed_names(lines: Sequence[Line]) -> list[tuple[Name, set[str]]]:
    """Names with the marks behind them."""
    text = _DEGREES.sub("", _MAIL.sub(_GAP, _marked_text(lines)))
    found: list[tuple[Name, set[str]]] = []
    for piece in re.split(f"({_OPEN}[^{_CLOSE}]*{_CLOSE})", text):
        if piece.startswith(_OPEN):
            if found:
                found[-1][1].update(re.findall(r"\d+|[^\W\d_]|[^\w\s,]", piece[1:-1]))
            continue
        for part in _PARTED.split(piece):
            signs = _SIGNS.findall(part)
            name = _named(" ".join(_SIGNS.sub(" ", part).split()).strip(" .,-–:()"))
            if name is not None:
                found.append((name, set(signs)))
    return found


def _named(text: str) -> Name | None:
    """A name, if that is what a text is."""
    text = re.sub(r"^(?:by|authors?:?)\s+", "", text, flags=re.IGNORECASE)
    words = text.split()
    if len(words) < 2 or len(words) > 7 or sum(word[0].isupper() for word in words) < 2:
        return None
    names = parse_names(text.title() if text.isupper() else text)
    return names[0] if names else None


def _marked_text(lines: Sequence[Line]) -> str:
    """All lines as one; where names are listed with commas, a line's end parts none."""
    listed = any(sign in line.text for line in lines for sign in ",;")
    text = ""
    for line in lines:
        open_ = listed and not text.rstrip().endswith((",", ";", " and", "&", _GAP, _CLOSE))
        text += (" " if open_ else _GAP) + _with_marks(line)
    return text


def _with_marks(line: Line) -> str:
    letters = list(line.text)
    for start, end in line.raised:
        letters[start] = _OPEN + letters[start]
        letters[end - 1] += _CLOSE
    for gap in line.gaps:
        letters[gap] = _GAP
    # Marks that a comma or a space parts belong together.
    return re.sub(f"{_CLOSE}([\\s,]*){_OPEN}", r"\1", "".join(letters)).strip()


def _affiliations(lines: Sequence[Line]) -> list[tuple[str, str]]:
    """Marks and texts; lines without a mark go on with the text above, within their block."""
    marked = any(_MARK.match(line.text) for line in lines)
    found: list[list[str]] = []
    block = -1
    for line in lines:
        text = _MAIL.sub("", line.text)
        if begin := _MARK.match(text):
            found.append([begin.group(1), text[begin.end() :]])
        elif not found or (not marked and line.block != block):
            found.append(["", text])
        else:
            found[-1][1] += f" {text}"
        block = line.block
    return [(mark, tidy) for mark, text in found if len(tidy := text.strip(" ,;.{}")) > 3]


def _with_mails(authors: list[Author], lines: Sequence[Line]) -> list[Author]:
    """Addresses go to the author whose name they have; a single one of each kind go together."""
    mails = [
        mail for line in lines for found in _MAIL.findall(line.text) for mail in _spread(found)
    ]
    for mail in mails:
        local = re.sub(r"\W", "", mail.partition("@")[0].lower())
        for i, author in enumerate(authors):
            family, given = (
                re.sub(r"\W", "", part.lower()) for part in (author.family, author.given)
            )
            if author.email is None and (
                (len(family) > 2 and family in local) or (len(given) > 2 and given in local)
            ):
                authors[i] = replace(author, email=mail)
                break
    if len(authors) == len(mails) == 1:
        authors[0] = replace(authors[0], email=mails[0])
    return authors


def _spread(mail: str) -> list[str]:
    """`{a, b}@host` as two addresses."""
    mail = mail.replace(" ", "")
    if not mail.startswith("{"):
        return [mail]
    names, _, host = mail[1:].partition("}@")
    return [f"{name}@{host}" for name in re.split(r"[,;|]", names) if name]
