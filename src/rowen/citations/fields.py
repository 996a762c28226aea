"""Spans of fields from labelled tokens, corrected where the form of the text is certain.

Tokens with the same label are one span, with the punctuation marks between them:

    raw      Smith A. “On wrappers.” J. Webs 2020;3:14. https://example.org/a.
    author   Smith A                 the dot ends the sentence: see `_with_dot`
    title    On wrappers             a title in quotation marks ends where these close
    date     2020                    `2020;3` labelled as a volume would be split
    url      https://example.org/a   found by its form, without the full stop
"""

import re
from collections.abc import Sequence

from rowen.citations.citation import FIELDS
from rowen.citations.keywords import ANNOUNCING
from rowen.citations.tokens import Token

Spans = dict[str, list[tuple[int, int]]]

_DOI = re.compile(
    r"10\.\d{4,9}(?:\.\d+)*\s?/\s?[^\s,;\"<>]+"
    # A line ended in it: after a full stop it goes on only with more than one number or word.
    r"(?:(?<=[/_-])\s(?=[^\s,;\"<>]*\d)[\w(][^\s,;\"<>]*|(?<=\.)\s[a-z\d]+[.\-][\w.()\-]*\d)*",
    re.IGNORECASE,
)
_DOI_WORD = re.compile(r"\bdoi\s?:?\s?$", re.IGNORECASE)
_URL = re.compile(
    r"(?:(?:https?\s?:\s?//|www\.)\S+|\bftp://\S+)"
    r"(?:(?<=[/_-])\s[\w-]+[./_]\S*)*",  # a line ended in it
    re.IGNORECASE,
)
_HOST = re.compile(r"www\.", re.IGNORECASE)
_LAST_PAGE = re.compile(r"e\d{1,6}\b")  # some fonts map their dash to an e
_YEAR = re.compile(r"((?:1[89]|20)\d\d)\s?;\s*(?=\w)")
_ARTICLE = re.compile(
    r"""(?<![\w.(/]) ([A-Z]?\d{1,4}[A-Z]?) \s?
    \(\s?( (?:(?:Suppl|Pt|Special[ ]Issue|S)\.?\s?)?
        \d{1,4} (?:\s?[-‐‑‒–—/&+,]\s?\d{1,4})? [A-Z]? )\s?\)
    \s?:\s?( [A-Z]{0,2}\d{1,7} (?:\s?(?:[-‐‑‒–—−{]|--)\s?[A-Z]{0,2}\d{1,7})? ) (?![\w/]|\.\d)""",
    re.IGNORECASE | re.VERBOSE,
)
_TOWN = re.compile(r"([^\W\d_a-z][^\W\d_]+(?:[ ,.]+[^\W\d_]+){0,3}) ?: +(?=[^\W\d_a-z])")
_PAIRS = {")": "(", "]": "[", "}": "{", "”": "“", "»": "«", "」": "「", "』": "『", "》": "《"}
_EDGES = " \t\n\u3000,;:.-–—/，。：；、．،؛・"  # all kinds of dashes separate fields
_OF_PEOPLE = frozenset({"author", "editor"})
_DATE = re.compile(r"(?:1[5-9]|20)\d\d")
NUMBERS = ("volume", "issue", "pages")
_NUMBERED = frozenset(NUMBERS)
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ]"
_MARKS = r"[\u0300-\u036f]*+"  # accents may be characters of their own
_LAST_INITIAL = re.compile(rf"(?<![^\W\d_]){_CAPITAL}{_MARKS}$")
_INITIAL = re.compile(
    rf"(?<![^\W\d_])(?:{_CAPITAL}{_MARKS}|{_CAPITAL}{{2,3}}(?=[,;]|$))(?![^\W\d_])(\.?)"
)
_OF_FAMILY = re.compile(rf"{_CAPITAL}{_MARKS}(?=,|\s[^\W\d_]{{2}})")  # E, W.; Ó Súilleabháin, É.
_NEXT_SENTENCE = re.compile(r"\s+[\w\"'“„«‘]")
_QUOTED = {
    "“": "”", "„": "“”", "«": "»", '"': '"', "‘": "’", "「": "」", "『": "』", "《": "》",
}  # fmt: skip
_CLOSED = re.compile(
    r"(?<=[,.])\s?.|.\s*(?:[,.;，。、،؛]|in\b|dans\b|en\b|em\b|載|载)|[」』》]", re.IGNORECASE
)


def _words(phrases: Sequence[str]) -> str:
    """An expression for phrases, longest first; spaces may be missing or more."""
    return "|".join(
        re.escape(phrase).replace(r"\ ", r"\s*") for phrase in sorted(phrases, key=len)[::-1]
    )


_BEFORE = {
    "author": re.compile(r"[\[(]?\d{1,3}[\])]?\.?\s*(?=[^\W\d_])"),
    "editor": re.compile(
        rf"(?:in|dans|en|em)\b\W+|(?:\w*edited\s?by|{_words(ANNOUNCING['before']['editor'])})"
        r"(?:\b|(?<=\W)|(?<=[载见]))[.:\s]*",
        re.IGNORECASE,
    ),
    "container": re.compile(r"(?:[Ii]n|[Dd]ans|[Ee]n|[Ee]m|В кн\.?)\s?:\s*"),
    "location": re.compile(rf"(?:{_words(ANNOUNCING['before']['location'])})\s+", re.IGNORECASE),
}  # words that announce a field and are not part of it
_AFTER = {
    "title": re.compile(r"[,.;”»\"]\s*(?:in|dans|en|em)$", re.IGNORECASE),
    **{name: re.compile(rf"(?:{_words(words)})$") for name, words in ANNOUNCING["after"].items()},
}


def spans_of(raw: str, tokens: Sequence[Token], labels: Sequence[str]) -> Spans:
    """The spans of each field; punctuation between two tokens of a field belongs to it.

    DOIs and URLs are found by their form, whatever their labels.
    """
    fields: Spans = {}
    i = 0
    while i < len(tokens):
        name, last, k = labels[i], i, i + 1
        while k < len(tokens) and (labels[k] == name or (labels[k] == "O" and _sign(tokens[k]))):
            last = k if labels[k] == name else last
            k += 1
        if name in FIELDS:
            span = _bare(raw, name, *_trimmed(raw, tokens[i].start, tokens[last].end))
            if any(letter.isalnum() for letter in raw[slice(*span)]):
                fields.setdefault(name, []).append(span)
        i = last + 1
    _quote(raw, fields)
    _part(raw, fields, _YEAR, ("date", "volume"))
    _part(raw, fields, _TOWN, ("location", "publisher"))
    _number(raw, fields)
    _settle(raw, fields)
    for name in _OF_PEOPLE & fields.keys():
        fields[name] = [(start, _with_dot(raw, start, end)) for start, end in fields[name]]
    return fields


def _with_dot(raw: str, start: int, end: int) -> int:
    """The end of a list of names, with the dot of its last initial if the dot belongs to that.

    It does where most other initials have dots. The dot of a single initial belongs to it after a
    comma, `Smith, A. Title`, and before text that starts no sentence, `Smith A. (2020)`. In
    `Smith A. Title` it ends the sentence.
    """
    text = raw[start:end]
    if raw[end : end + 1] != "." or not _LAST_INITIAL.search(text):
        return end
    family = _OF_FAMILY.match(text)
    others = [
        initial.group(1) for initial in _INITIAL.finditer(text, family.end() if family else 0)
    ][:-1]
    if others:
        return end + (2 * others.count(".") >= len(others))
    return end + ("," in text or _NEXT_SENTENCE.match(raw, end + 1) is None)


def _bare(raw: str, name: str, start: int, end: int) -> tuple[int, int]:
    """A field without the words that only announce it, such as `In:` or `edited by`."""
    before, after = _BEFORE.get(name), _AFTER.get(name)
    if before is not None and (words := before.match(raw, start, end)) and words.end() < end:
        start = words.end()
    if after is not None and (words := after.search(raw, start, end)) and words.start() > start:
        end = words.start()
    if name == "pages" and raw[start:end].isdecimal() and (last_page := _LAST_PAGE.match(raw, end)):
        end = last_page.end()
    return _trimmed(raw, start, end)


def _quote(raw: str, fields: Spans) -> None:
    """End a title that starts inside quotation marks where these close."""
    for i, title in enumerate(fields.get("title", ())):
        end = _quotation_end(raw, title[0])
        quoted = _trimmed(raw, title[0], end)
        if quoted == title or quoted[1] - quoted[0] < 3:
            continue
        for name in [name for name in fields if name != "title"]:
            remaining = [
                span if not _meet(span, quoted) else _trimmed(raw, end + 1, span[1])
                for span in fields.pop(name)
                if span[1] > end or not _meet(span, quoted)
            ]
            if remaining:
                fields[name] = remaining
        fields["title"][i] = quoted


def _quotation_end(raw: str, start: int) -> int:
    """The end of the quotation that starts here; `start` itself where it does not close."""
    opening = raw[:start].rstrip()[-1:]
    if opening == "‘":  # its closing mark is also an apostrophe
        ends = [
            at for at in range(start + 1, len(raw)) if raw[at] == "’" and _CLOSED.match(raw, at)
        ]
    else:
        ends = [at for sign in _QUOTED.get(opening, "") if (at := raw.find(sign, start)) > start]
    whole = ends and opening not in raw[start : min(ends)] and _CLOSED.match(raw, min(ends))
    return min(ends) if whole else start


def _part(raw: str, fields: Spans, form: re.Pattern[str], names: tuple[str, str]) -> None:
    """Split a span labelled as the second of two fields where its form shows both."""
    first, second = names
    spans = fields.get(second, [])
    if spans and (match := form.match(raw, *spans[0])):
        fields.setdefault(first, []).append(match.span(1))
        spans[0] = _trimmed(raw, match.end(), spans[0][1])
        fields[first].sort()


def numbers_in(raw: str) -> re.Match[str] | None:
    """Volume, issue and pages, in this order, where their form shows all: `54(12):645-666`.

    In `10 (1998): 544-67` the number in brackets is the year.
    """
    if "(" not in raw:
        return None
    matches = list(_ARTICLE.finditer(raw))
    return matches[0] if len(matches) == 1 and not _DATE.fullmatch(matches[0].group(2)) else None


def _number(raw: str, fields: Spans) -> None:
    """Set volume, issue and pages by their form; the CRF may call them something else."""
    numbers = numbers_in(raw) if _NUMBERED & fields.keys() else None
    if numbers is None:
        return
    start, end = numbers.span()
    for name in [*fields]:
        parts = [
            part for span in fields.pop(name) if name not in _NUMBERED
            for part in ((span[0], min(span[1], start)), (max(span[0], end), span[1]))
        ]  # fmt: skip
        trimmed = [_trimmed(raw, *part) for part in parts if part[0] < part[1]]
        if kept := [span for span in trimmed if span[0] < span[1]]:
            fields[name] = kept
    for i, name in enumerate(NUMBERS, 1):
        fields[name] = [numbers.span(i)]


def _sign(token: Token) -> bool:
    return not any(letter.isalnum() for letter in token.text)


def _settle(raw: str, fields: Spans) -> None:
    """Find DOIs and URLs by their form, and remove other fields there.

    A DOI inside a URL is part of the URL, unless the word before says that it is a DOI.
    """
    if not ("10." in raw or "//" in raw or _HOST.search(raw)):
        return
    dois = [_address(raw, *match.span()) for match in _DOI.finditer(raw)]
    addresses = [
        _address(raw, *match.span())
        for match in _URL.finditer(raw)
        if not (_DOI.search(match.group()) and _DOI_WORD.search(raw, 0, match.start()))
    ]
    dois = [doi for doi in dois if not any(_meet(doi, address) for address in addresses)]
    for name, spans in (("url", addresses), ("doi", dois)):
        if not spans:
            continue
        for field in [key for key in ("doi", "url", "id", "note") if key in fields]:
            remaining = [
                span
                for span in fields.pop(field)
                if field != name and not any(_meet(span, own) for own in spans)
            ]
            if remaining:
                fields[field] = remaining
        fields[name] = spans


def _meet(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return first[0] < second[1] and second[0] < first[1]


def _address(raw: str, start: int, end: int) -> tuple[int, int]:
    """A DOI or URL without the punctuation of the sentence around it."""
    while end > start and (raw[end - 1] in ".,;:'\"”>" or _unopened(raw[start:end])):
        end -= 1
    return start, end


def _unopened(text: str) -> bool:
    """Whether a text ends with a closing bracket that it does not open."""
    opening = _PAIRS.get(text[-1])
    return opening is not None and text.count(text[-1]) > text.count(opening)


def _trimmed(raw: str, start: int, end: int) -> tuple[int, int]:
    while start < end and raw[start] in _EDGES:
        start += 1
    while end > start and raw[end - 1] in _EDGES:
        end -= 1
    return start, end
