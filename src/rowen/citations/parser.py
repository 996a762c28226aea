"""Parsing reference strings: a CRF finds the fields, rules bring them to a normal form.

Each token gets a label; tokens with one label make a span; a span's text becomes a value:

    raw      Smith, A. (2020). On wrappers. Journal of Webs, 3, 14-5.
    labels   author     date   title        container       volume pages
    spans    Smith, A.  2020   On wrappers  Journal of Webs  3     14-5
    values   (A., Smith) 2020  On wrappers  Journal of Webs  3     14-15
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from rowen.citations.certainty import Calibration, Certainty, certainty
from rowen.citations.citation import Citation
from rowen.citations.features import FEATURES_FORM, TEMPLATES, feature_rows
from rowen.citations.fields import Spans, spans_of
from rowen.citations.keywords import words_of_class
from rowen.citations.names import parse_names
from rowen.citations.tokens import tokens_of
from rowen.crf.tagger import Model, load_model, open_model

REFERENCE_CHARACTERS = 4_000
"""Limit: characters of a reference string that are parsed; real ones have a few hundred."""


_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_DASH = re.compile(r"\s*[-‐‑‒–—−]+\s*")  # all characters that look like one
_MISREAD_DASH = re.compile(r"(\d{1,6})e(\d{1,6})")  # some fonts map their dash to an e
_PAGE_WORDS = "|".join(map(re.escape, words_of_class("pages")))
_PAGE_WORD = re.compile(rf"^\W*(?:{_PAGE_WORDS})(?:\b|(?<=第))\.?\s*", re.IGNORECASE)
_NUMBER_WORDS = "|".join(map(re.escape, [*words_of_class("volume"), *words_of_class("issue")]))
_NUMBER_WORD = re.compile(
    rf"^\W*(?:{_NUMBER_WORDS}|n[°º]|第)(?:\b|(?<=\W)|(?<=第))\.?\s*", re.IGNORECASE
)
_DIVIDED = re.compile(r"(?<=[a-z]{2})[-‐] (?=[a-z]{2})")  # a word in a DOI, at a line's end
_LAST_WORD = re.compile(r"\s*(?:年|卷|巻|期|号|页|頁|ページ)$")


def parse_citations(strings: Iterable[str], *, model: str | Path | None = None) -> list[Citation]:
    """Parse reference strings: one citation for each string, in order.

    `model` is a file that `rowen train citations` wrote, in place of the package's model; it raises
    `InputError` if it can't be used.

    >>> (citation,) = parse_citations(["Smith, A. (2020). On wrappers. Journal of Webs, 3, 14-15."])
    >>> citation.title, citation.year, citation.pages
    ('On wrappers', '2020', '14-15')
    """
    chosen = load_model("citations") if model is None else open_citations_model(model)
    return [parse_citation(string, chosen) for string in strings]


def open_citations_model(path: str | Path) -> Model:
    """The model of citations of a file; InputError if it can't be used."""
    written = Path(path).stat().st_mtime_ns if Path(path).exists() else 0
    return _opened(Path(path).absolute(), written)


@lru_cache(maxsize=4)
def _opened(path: Path, _written: int) -> Model:
    return open_model(path, templates=TEMPLATES, form=FEATURES_FORM)


def parse_citation(raw: str, model: Model) -> Citation:
    """Parse one reference string with a model; characters beyond the limit are ignored."""
    tokens = tokens_of(raw[:REFERENCE_CHARACTERS])
    if not tokens:
        return Citation(raw, {})
    # Models are trained on B- and I- labels; where two fields of one kind touch, they are joined.
    chosen, probabilities = model.label_surely(feature_rows(tokens))
    labels = list(map(_field, chosen))
    spans = spans_of(raw, tokens, labels)
    sure = certainty(spans, tokens, labels, probabilities, _calibration(model))
    return _citation(raw, spans, sure)


@cache  # of the few labels that models have
def _field(label: str) -> str:
    return label.rpartition("-")[2]


@lru_cache(maxsize=8)
def _calibration(model: Model) -> Calibration:
    return Calibration.of(model.record)


def _citation(raw: str, spans: Spans, sure: Certainty) -> Citation:
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
        confidence=sure.whole,
        field_confidence=sure.fields,
        is_reference=sure.is_reference,
    )


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _year(dates: list[str]) -> str | None:
    for date in dates:
        if match := _YEAR.search(_decimal(date)):
            return match.group()
    return dates[0] if dates else None


def _decimal(text: str) -> str:
    """A text with the digits of other scripts as ours."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.decimal(letter)) if letter.isdecimal() else letter for letter in text
    )


def _number(text: str | None) -> str | None:
    if not text:
        return None
    number = _LAST_WORD.sub("", _NUMBER_WORD.sub("", _decimal(text)))
    return _DASH.sub("-", number) or text  # a double issue has one


def _pages(text: str | None) -> str | None:
    """First and last page with a plain hyphen; omitted digits are restored: 114-21 is 114-121."""
    if not text:
        return None
    bare = _LAST_WORD.sub("", _PAGE_WORD.sub("", _decimal(text)))
    misread = _MISREAD_DASH.fullmatch(bare)
    ends = list(misread.groups()) if misread else _DASH.split(bare)
    if len(ends) == 2 and all(end.isdecimal() for end in ends) and len(ends[1]) < len(ends[0]):
        ends[1] = ends[0][: len(ends[0]) - len(ends[1])] + ends[1]
    return "-".join(end for end in ends if end) or None


def _doi(text: str | None) -> str | None:
    whole = _DIVIDED.sub("", text).replace(" ", "") if text else ""
    match = re.search(r"10\.\d.*", whole)
    return match.group() if match else None


def _url(text: str | None) -> str | None:
    return text.replace(" ", "") if text else None
