"""Title, abstract, keywords, DOI and date of a paper, as texts from their lines; how sure they are.

Each field has evidence for it, as numbers from 0 to 1: an abstract below the word `Abstract` that
ends with a sentence is rarely wrong, a list of authors that leaves out words of its lines often is.
A logistic curve per field turns these numbers into the share of such fields that are right:

    abstract    opened by its word 1, ends a sentence 1, usual length 1      .96
    authors     lines used up .7, with affiliations 0, no long names 1       .71

`certainty.toml` has the curves; `python -m training.header_certainty` fits them.
"""

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from rowen.papers.people import Author
from rowen.papers.people.words import kind_of
from rowen.papers.zones import Zones
from rowen.papers.zones.features import body_size
from rowen.papers.zones.words import beginning_of, without_opening
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
    # `Test Med J 2018; Vol. 39 (2): 124-130 doi: 10.5555/tmj.2018.2`
    r"|(?<=[.?!])\s(?:[A-Z][\w.]*\s){1,5}(?:19|20)\d\d\s?;[\w\s.():]{1,30}\d\s?[-–]\s?\d+\.?"
    r"(?:\s?doi:?\s?10\.\S+)?$"
)
_KEYWORDS = re.compile(
    r"^\W*(?:key\s?words?(?: and phrases)?|index terms)\b[\s:.—–\-]*", re.IGNORECASE
)
_BETWEEN_KEYWORDS = re.compile(r"\s*[;,·•|\t、，；،؛]\s*|\s[-–—]\s")
_STOPS = re.compile(r"(?<=[^\W\d_]{4})\.\s+")
_STRONG = re.compile(r"\s*[;·•|\t；؛]\s*|\s[-–—]\s")
_CODES = re.compile(
    r"[\s.;,(]*\b(?:JEL|MSC|PACS|AMS|CCS|(?:19|20)\d\d mathematics subject)"
    r"(?:\s(?:codes?|class\w*|numbers?|subject|concepts|\(?\d{4}\)?)){0,3}\s?[:.—–(\s]",
    re.IGNORECASE,
)
_MARK = re.compile(r"(?:[\W_]|\d{1,2}|[a-z](?=\)|\W*$)){1,6}")
_MARKED = re.compile(r"[^\W\d_]{4}[)”\"?!]?\s*$")
_SEPARATORS = re.compile(r"[;,·•|、，；،؛]")
_DATE = re.compile(
    r"(?:published|accepted|received|available online)\W*(?:online)?\W*(?:on)?\W*"
    r"(\d{1,2}\W{1,2}\w{3,9}\W{1,2}\d{4}|\w{3,9}\W{1,2}\d{1,2}\W{1,3}\d{4}|\d{4}-\d\d-\d\d"
    r"|\w{3,9} \d{4})",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+")
Evidence = Mapping[str, tuple[float, ...]]

_USUAL_TITLE = (20, 220)  # letters of most titles
_USUAL_ABSTRACT = (300, 3_000)  # of most abstracts
_USUAL_KEYWORDS = (2, 12)  # how many there usually are
_KEYWORD = 70  # letters: longer ones are hardly keywords
_PLACE = 220  # letters: longer affiliations are probably several
_NAME = 3  # words: which of them are the family name is unsure where there are more
_SENTENCE = (".", "?", "!", ")", "。", "؟")


def title_of(lines: Sequence[Line]) -> str | None:
    """The title, without footnote marks at its end.

    Raised marks may be anything, such as `a)` or a star that its font maps to `?`; what is raised
    at the end of `the isotope Ca2+` is none.
    """
    text = joined(lines)
    last = lines[-1] if lines else None
    if last is not None and last.raised and last.raised[-1][1] >= len(last.text.rstrip()):
        mark = last.text[last.raised[-1][0] :].rstrip()
        rest = text.removesuffix(mark)
        if _MARK.fullmatch(mark) and _MARKED.search(rest):
            text = rest.rstrip()
    return re.sub(r"\s*[*†‡§¶∗⋆★☆,]+$", "", text) or None


def abstract_of(lines: Sequence[Line]) -> str | None:
    """The abstract without its opening word, such as `Abstract:`, and a note's mark at its end."""
    text, count = _ABSTRACT.subn("", _without_mark(joined(lines), lines), count=1)
    if not count:
        text = without_opening(text, "abstract")
    return _CITED_AS.sub("", text) or None


def _without_mark(text: str, lines: Sequence[Line]) -> str:
    """A text of these lines without a raised mark behind its last sentence."""
    last = lines[-1] if lines else None
    if last is None or not last.raised or last.raised[-1][1] < len(last.text):
        return text
    mark = last.text[last.raised[-1][0] :]
    rest = text.removesuffix(mark).rstrip()
    return rest if rest.endswith(_SENTENCE) and not any(map(str.isalpha, mark)) else text


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
    between = _STRONG if strong > text.count(",") else _BETWEEN_KEYWORDS
    # Full stops separate them where nothing else does: `latex. abntex. editing.`
    if not between.search(text) and text.endswith("."):
        between = _STOPS
    parts = between.split(text)
    # The dot at the end of the list; any other dot belongs to its keyword, as in `Ocimum spp.`.
    parts[-1] = parts[-1].rstrip(" .")
    return [part.strip(" :") for part in parts if part.strip(" .:")]


def doi_of(lines: Sequence[Line]) -> str | None:
    """The first DOI in these lines."""
    for line in lines:
        if match := _DOI.search(line.text):
            return re.sub(r"(?<=\d)doi:?$", "", match.group(), flags=re.IGNORECASE).rstrip(".,;)")
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


@cache
def _curves() -> dict[str, tuple[float, ...]]:
    table = tomllib.loads(files(__package__).joinpath("certainty.toml").read_text("utf-8"))
    return {name: tuple(map(float, weights)) for name, weights in table["curves"].items()}


def header_certainty(evidence: Evidence) -> dict[str, float]:
    """How probable it is that each field that was found is right."""
    return {
        name: round(_logistic(_curves()[name], values), 3)
        for name, values in evidence.items()
        if name in _curves()
    }


def _logistic(weights: Sequence[float], values: Sequence[float]) -> float:
    offset, *slopes = weights
    score = offset + sum(a * b for a, b in zip(slopes, values, strict=True))
    return 1 / (1 + math.exp(-min(max(score, -30.0), 30.0)))


def evidence_for(
    zones: Zones,
    *,
    title: str | None,
    authors: Sequence[Author],
    abstract: str | None,
    keywords: Sequence[str],
) -> Evidence:
    """The evidence for each field of a header that has a value."""
    evidence: dict[str, tuple[float, ...]] = {}
    if title:
        evidence["title"] = _title(zones, title)
    if authors:
        evidence["authors"] = _authors(zones, authors)
    if any(author.affiliations for author in authors):
        evidence["affiliations"] = _affiliations(zones, authors)
    if abstract:
        evidence["abstract"] = _abstract(zones, abstract)
    if keywords:
        evidence["keywords"] = _keywords(zones, keywords)
    return evidence


def _title(zones: Zones, title: str) -> tuple[float, ...]:
    lines = zones["title"]
    usual = body_size([line for line, _ in zones.labelled])
    largest = max((line.size for line, _ in zones.labelled if line.page == 0), default=usual)
    size = max((line.size for line in lines), default=usual)
    return (
        min(max(size / usual - 1, 0.0), 1.0),
        float(size > largest - 1),
        float(_USUAL_TITLE[0] <= len(title) <= _USUAL_TITLE[1]),
        float(bool(zones["author"])),
    )


def _authors(zones: Zones, authors: Sequence[Author]) -> tuple[float, ...]:
    names = [f"{author.given} {author.family}".split() for author in authors]
    used = {word for name in names for word in _WORD.findall(" ".join(name).lower())}
    printed = [
        word
        for line in zones["author"]
        for word in _WORD.findall(line.text.lower())
        if len(word) > 1 and not kind_of(word) and word != "and"
    ]
    left = sum(word not in used for word in printed)
    return (
        1 - left / len(printed) if printed else 0.0,
        sum(bool(author.affiliations) for author in authors) / len(authors),
        sum(len(name) <= _NAME for name in names) / len(names),
        float(bool(printed)),
    )


def _affiliations(zones: Zones, authors: Sequence[Author]) -> tuple[float, ...]:
    places = {text for author in authors for text in author.affiliations}
    used = {word for text in places for word in _WORD.findall(text.lower())}
    printed = [
        word
        for line in zones["affiliation"]
        for word in _WORD.findall(line.text.lower())
        if len(word) > 1
    ]
    left = sum(word not in used for word in printed)
    organised = sum(
        any(kind_of(word) == "organisation" for word in _WORD.findall(text.lower()))
        for text in places
    )
    return (
        1 - left / len(printed) if printed else 0.0,
        sum(bool(author.affiliations) for author in authors) / len(authors),
        organised / len(places),
        sum(len(text) <= _PLACE for text in places) / len(places),
    )


def _abstract(zones: Zones, abstract: str) -> tuple[float, ...]:
    lines = zones["abstract"]
    opened = bool(zones["abstract heading"]) or (
        bool(lines) and beginning_of(lines[0].text) == "abstract"
    )
    return (
        float(opened),
        float(abstract.endswith(_SENTENCE)),
        float(_USUAL_ABSTRACT[0] <= len(abstract) <= _USUAL_ABSTRACT[1]),
        float(not abstract[0].islower()),
    )


def _keywords(zones: Zones, keywords: Sequence[str]) -> tuple[float, ...]:
    lines = zones["keywords"]
    return (
        float(bool(lines) and beginning_of(lines[0].text) == "keywords"),
        float(_USUAL_KEYWORDS[0] <= len(keywords) <= _USUAL_KEYWORDS[1]),
        float(max(map(len, keywords)) <= _KEYWORD),
    )
