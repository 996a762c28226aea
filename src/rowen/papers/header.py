"""Title, abstract, keywords, DOI and date of a paper, as texts from their lines."""

import re
from collections.abc import Sequence

from rowen.papers.zones.words import without_opening
from rowen.pdf import Line
from rowen.pdf.passages import joined

_GAP = "\t"
_DOI = re.compile(r"10\.\d{4,9}/[^\s,;\"<>\]]+")
_ABSTRACT = re.compile(
    r"^\W*(?:a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|(?:executive )?summary)\b[\s:.—–\-]*",
    re.IGNORECASE,
)
# Some journals print how to cite the paper right after the abstract.
_CITED_AS = re.compile(
    r"\s[-–—]\s(?=[A-Z])[^.:;()]{4,60}\s\d[\d\s]{0,6}(?:\(.{1,20}\))?\s?:\s?\d+\s?[-–]\s?\d+\s?\((?:19|20)\d\d\)\.?$"
)
_KEYWORDS = re.compile(
    r"^\W*(?:key\s?words?(?: and phrases)?|index terms)\b[\s:.—–\-]*", re.IGNORECASE
)
_BETWEEN_KEYWORDS = re.compile(r"\s*[;,·•|\t、，；،؛]\s*|\s[-–—]\s")
_STRONG = re.compile(r"\s*[;·•|\t；؛]\s*|\s[-–—]\s")
_CODES = re.compile(
    r"[\s.;,(]*\b(?:JEL|MSC|PACS|AMS|CCS|(?:19|20)\d\d mathematics subject)"
    r"(?:\s(?:codes?|class\w*|numbers?|subject|concepts|\(?\d{4}\)?)){0,3}\s?[:.—–(\s]",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r"[;,·•|、，；،؛]")
_DATE = re.compile(
    r"(?:published|accepted|received|available online)\W*(?:online)?\W*(?:on)?\W*"
    r"(\d{1,2}\W{1,2}\w{3,9}\W{1,2}\d{4}|\w{3,9}\W{1,2}\d{1,2}\W{1,3}\d{4}|\d{4}-\d\d-\d\d"
    r"|\w{3,9} \d{4})",
    re.IGNORECASE,
)


def title_of(lines: Sequence[Line]) -> str | None:
    """The title, without a footnote mark at its end."""
    return re.sub(r"\s*[*†‡§¶∗]+$", "", joined(lines)) or None


def abstract_of(lines: Sequence[Line]) -> str | None:
    """The abstract without its opening word, such as `Abstract:`."""
    text, count = _ABSTRACT.subn("", joined(lines), count=1)
    if not count:
        text = without_opening(text, "abstract")
    return _CITED_AS.sub("", text) or None


def keywords_of(lines: Sequence[Line]) -> list[str]:
    """The keywords, in order; where no separator occurs, each line is a keyword.

    Codes of a classification that follow, such as `JEL: J31, J61`, are left out.
    """
    text = joined(lines)
    if not _SEPARATORS.search(text):
        text = _GAP.join(line.text for line in lines)
    text, count = _KEYWORDS.subn("", text, count=1)
    if not count:
        text = without_opening(text, "keywords")
    if (codes := _CODES.search(text)) is not None and codes.start():
        text = text[: codes.start()]
    # Between semicolons or dashes, commas are parts of keywords: `dust, extinction`.
    strong = len(_STRONG.findall(text))
    parts = (_STRONG if strong > text.count(",") else _BETWEEN_KEYWORDS).split(text)
    # The dot at the end of the list; any other dot belongs to its keyword, as in `Ocimum spp.`.
    parts[-1] = parts[-1].rstrip(" .")
    return [part.strip(" :") for part in parts if part.strip(" .:")]


def doi_of(lines: Sequence[Line]) -> str | None:
    """The first DOI in these lines."""
    for line in lines:
        if match := _DOI.search(line.text):
            return match.group().rstrip(".,;)")
    return None


def date_of(lines: Sequence[Line]) -> str | None:
    """The date of publication as printed; otherwise that of acceptance or receipt."""
    dates = {
        match.group()[:9].lower(): match.group(1)
        for line in lines
        for match in _DATE.finditer(line.text)
    }
    for kind in ("published", "available", "accepted ", "accepted", "received"):
        for start, date in dates.items():
            if start.startswith(kind):
                return date
    return None
