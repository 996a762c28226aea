"""Reference strings to citations: a model finds the fields, rules bring them to a normal form."""

import re
from collections.abc import Iterable

from rowen.limits import REFERENCE_CHARACTERS
from rowen.scholar.citations.citation import Citation
from rowen.scholar.citations.columns import columns_of
from rowen.scholar.citations.fields import Spans, spans_of
from rowen.scholar.citations.names import parse_names
from rowen.scholar.citations.tokens import tokens_of
from rowen.scholar.tagging import Model, shipped

_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_DASH = re.compile(r"\s*[-‐‑‒–—−]+\s*")  # all that look like one
_MISREAD_DASH = re.compile(r"(\d{1,6})e(\d{1,6})")  # some fonts have an e in a dash's place
_PAGE_WORD = re.compile(r"^\W*(?:pp?|pages?|seiten?|s|págs?)\b\.?\s*", re.IGNORECASE)
_NUMBER_WORD = re.compile(
    r"^\W*(?:vols?|volumes?|v|bd|band|jg|tome|no|nr|num|number|issue|iss|heft|n[°º])\b\.?\s*",
    re.IGNORECASE,
)


def parse_citations(strings: Iterable[str], *, model: Model | None = None) -> list[Citation]:
    """The citations that reference strings stand for, one each, in order."""
    used = model or shipped("citations")
    return [parse_citation(string, used) for string in strings]


def parse_citation(raw: str, model: Model) -> Citation:
    """One reference string; what lies beyond the limit of its length is not looked at."""
    tokens = tokens_of(raw[:REFERENCE_CHARACTERS])
    if not tokens:
        return Citation(raw, {})
    labels = [label.rpartition("-")[2] for label in model.label(columns_of(tokens))]
    return _citation(raw, spans_of(raw, tokens, labels))


def _citation(raw: str, spans: Spans) -> Citation:
    texts = {
        name: [_spaced(raw[start:end]) for start, end in places] for name, places in spans.items()
    }

    def first(name: str) -> str | None:
        return texts[name][0] if name in texts else None

    def longest(name: str) -> str | None:
        return max(texts[name], key=len) if name in texts else None

    return Citation(
        raw,
        spans,
        authors=parse_names(" and ".join(texts.get("author", []))),
        title=longest("title"),
        container=longest("container"),
        year=_year(texts.get("date", [])),
        volume=_number(first("volume")),
        issue=_number(first("issue")),
        pages=_pages(first("pages")),
        publisher=first("publisher") or first("institution"),
        place=first("location"),
        editors=parse_names(" and ".join(texts.get("editor", []))),
        doi=_doi(first("doi")) or _doi(first("url")),
        url=_url(first("url")),
        note=first("note"),
    )


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _year(dates: list[str]) -> str | None:
    for date in dates:
        if found := _YEAR.search(date):
            return found.group()
    return dates[0] if dates else None


def _number(text: str | None) -> str | None:
    return (_NUMBER_WORD.sub("", text) or text) if text else None


def _pages(text: str | None) -> str | None:
    """First and last page with a plain hyphen; digits that the last leaves out are filled in."""
    if not text:
        return None
    told = _PAGE_WORD.sub("", text)
    misread = _MISREAD_DASH.fullmatch(told)
    ends = list(misread.groups()) if misread else _DASH.split(told)
    if len(ends) == 2 and all(end.isdecimal() for end in ends) and len(ends[1]) < len(ends[0]):
        ends[1] = ends[0][: len(ends[0]) - len(ends[1])] + ends[1]
    return "-".join(end for end in ends if end) or None


def _doi(text: str | None) -> str | None:
    found = re.search(r"10\.\d.*", text.replace(" ", "")) if text else None
    return found.group() if found else None


def _url(text: str | None) -> str | None:
    return text.replace(" ", "") if text else None
