"""Title, abstract and the rest of a paper's header but its people, from the lines they stand on."""

import re
from collections.abc import Sequence

from rowen.scholar.layout import Line
from rowen.scholar.passages import joined

_GAP = "\t"
_DOI = re.compile(r"10\.\d{4,9}/[^\s,;\"<>\]]+")
_ABSTRACT = re.compile(r"^\W*(?:a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|summary)\b[\s:.—–\-]*", re.IGNORECASE)
_KEYWORDS = re.compile(
    r"^\W*(?:key\s?words?(?: and phrases)?|index terms)\b[\s:.—–\-]*", re.IGNORECASE
)
_BETWEEN_KEYWORDS = re.compile(r"\s*[;,·•|\t]\s*|\s[-–—]\s")
_DATE = re.compile(
    r"(?:published|accepted|received|available online)\W*(?:online)?\W*(?:on)?\W*"
    r"(\d{1,2}\W{1,2}\w{3,9}\W{1,2}\d{4}|\w{3,9}\W{1,2}\d{1,2}\W{1,3}\d{4}|\d{4}-\d\d-\d\d"
    r"|\w{3,9} \d{4})",
    re.IGNORECASE,
)


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
    parts[-1] = parts[-1].rstrip(" .")  # the list's; else a dot is a keyword's: Ocimum spp.
    return [part.strip(" :") for part in parts if part.strip(" .:")]


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
