"""From labelled tokens to the places of fields."""

import re
from collections.abc import Sequence

from rowen.scholar.citations.citation import FIELDS
from rowen.scholar.citations.tokens import Token

Spans = dict[str, list[tuple[int, int]]]

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*\s?/\s?[^\s,;\"<>]+", re.IGNORECASE)
_DOI_WORD = re.compile(r"\bdoi\s?:?\s?$", re.IGNORECASE)
_URL = re.compile(
    r"(?:(?:https?\s?:\s?//|www\.)\S+|\bftp://\S+)"
    r"(?:(?<=[/_-])\s[\w-]+[./_]\S*)*",  # a line ended in it
    re.IGNORECASE,
)
_HOST = re.compile(r"www\.", re.IGNORECASE)
_LAST_PAGE = re.compile(r"e\d{1,6}\b")  # with an e for a dash, as some fonts have it
_YEAR = re.compile(r"((?:1[89]|20)\d\d)\s?;\s*(?=\w)")
_TOWN = re.compile(r"([^\W\d_a-z][^\W\d_]+(?:[ ,.]+[^\W\d_]+){0,3}) ?: +(?=[^\W\d_a-z])")
_PAIRS = {")": "(", "]": "[", "}": "{", "”": "“", "»": "«"}
_EDGES = " \t\n,;:.-–—/"  # dashes of all kinds stand between fields
_OF_PEOPLE = frozenset({"author", "editor"})
_CAPITAL = r"[^\W\d_a-zß-öø-ÿ]"
_LAST_INITIAL = re.compile(rf"(?<![^\W\d_]){_CAPITAL}$")
_INITIAL = re.compile(rf"(?<![^\W\d_])(?:{_CAPITAL}|{_CAPITAL}{{2,3}}(?=[,;]|$))(?![^\W\d_])(\.?)")
_NEXT_SENTENCE = re.compile(r"\s+[\w\"'“„«‘]")
_QUOTED = {"“": "”", "„": "“”", "«": "»", '"': '"', "‘": "’"}
_CLOSED = re.compile(r"(?<=[,.])\s?.|.\s*(?:[,.;]|in\b|dans\b)", re.IGNORECASE)
_BEFORE = {
    "author": re.compile(r"[\[(]?\d{1,3}[\])]?\.?\s*(?=[^\W\d_])"),
    "editor": re.compile(
        r"(?:in|dans)\b\W+|(?:\w*edited\s?by|eds?\.? by|edd?s?|hrsg\.? v(?:on|\.)|hrsg|hg|a cura di"
        r"|sous la direction de|dirigé par)\b[.:\s]*",
        re.IGNORECASE,
    ),
    "container": re.compile(r"(?:[Ii]n|[Dd]ans)\s?:\s*"),
    "location": re.compile(r"(?:held )?(?:at|in)\s+", re.IGNORECASE),
}  # words that tell what follows and are no part of it
_AFTER = {"title": re.compile(r"[,.;”»\"]\s*(?:in|dans)$", re.IGNORECASE)}


def spans_of(raw: str, tokens: Sequence[Token], labels: Sequence[str]) -> Spans:
    """Where each field stands; signs between two tokens of a field belong to it.

    A DOI or an address shows by itself what it is, whatever its label.
    """
    found: Spans = {}
    i = 0
    while i < len(tokens):
        name, last, k = labels[i], i, i + 1
        while k < len(tokens) and (labels[k] == name or (labels[k] == "O" and _sign(tokens[k]))):
            last = k if labels[k] == name else last
            k += 1
        if name in FIELDS:
            span = _bare(raw, name, *_trimmed(raw, tokens[i].start, tokens[last].end))
            if any(letter.isalnum() for letter in raw[slice(*span)]):
                found.setdefault(name, []).append(span)
        i = last + 1
    _quote(raw, found)
    _part(raw, found, _YEAR, ("date", "volume"))
    _part(raw, found, _TOWN, ("location", "publisher"))
    _settle(raw, found)
    for name in _OF_PEOPLE & found.keys():
        found[name] = [(start, _with_dot(raw, start, end)) for start, end in found[name]]
    return found


def _with_dot(raw: str, start: int, end: int) -> int:
    """The end of a list of names with the dot of its last initial, if that is the initial's.

    It is where the other initials have dots. A single initial has its own behind a comma, `Smith,
    A. Title`, and before what begins no sentence, `Smith A. (2020)`; in `Smith A. Title` it is the
    sentence's.
    """
    text = raw[start:end]
    if raw[end : end + 1] != "." or not _LAST_INITIAL.search(text):
        return end
    others = [initial.group(1) for initial in _INITIAL.finditer(text)][:-1]
    if others:
        return end + (2 * others.count(".") >= len(others))
    return end + ("," in text or _NEXT_SENTENCE.match(raw, end + 1) is None)


def _bare(raw: str, name: str, start: int, end: int) -> tuple[int, int]:
    """A field without the words that only tell what it is."""
    before, after = _BEFORE.get(name), _AFTER.get(name)
    if before is not None and (words := before.match(raw, start, end)) and words.end() < end:
        start = words.end()
    if after is not None and (words := after.search(raw, start, end)) and words.start() > start:
        end = words.start()
    if name == "pages" and raw[start:end].isdecimal() and (rest := _LAST_PAGE.match(raw, end)):
        end = rest.end()
    return _trimmed(raw, start, end)


def _quote(raw: str, found: Spans) -> None:
    """A title that begins with a quotation ends with it."""
    for i, title in enumerate(found.get("title", ())):
        end = _quotation_end(raw, title[0])
        quoted = _trimmed(raw, title[0], end)
        if quoted == title or quoted[1] - quoted[0] < 3:
            continue
        for name in [name for name in found if name != "title"]:
            kept = [
                span if not _meet(span, quoted) else _trimmed(raw, end + 1, span[1])
                for span in found.pop(name)
                if span[1] > end or not _meet(span, quoted)
            ]
            if kept:
                found[name] = kept
        found["title"][i] = quoted


def _quotation_end(raw: str, start: int) -> int:
    """Where the quotation ends that begins at a place; there itself where it is no whole one."""
    opening = raw[:start].rstrip()[-1:]
    if opening == "‘":  # whose end is also an apostrophe
        ends = [
            at for at in range(start + 1, len(raw)) if raw[at] == "’" and _CLOSED.match(raw, at)
        ]
    else:
        ends = [at for sign in _QUOTED.get(opening, "") if (at := raw.find(sign, start)) > start]
    whole = ends and opening not in raw[start : min(ends)] and _CLOSED.match(raw, min(ends))
    return min(ends) if whole else start


def _part(raw: str, found: Spans, form: re.Pattern[str], names: tuple[str, str]) -> None:
    """What was taken for the second of two fields, parted where its form shows both of them."""
    first, second = names
    spans = found.get(second, [])
    if spans and (both := form.match(raw, *spans[0])):
        found.setdefault(first, []).append(both.span(1))
        spans[0] = _trimmed(raw, both.end(), spans[0][1])
        found[first].sort()


def _sign(token: Token) -> bool:
    return not any(letter.isalnum() for letter in token.text)


def _settle(raw: str, found: Spans) -> None:
    """DOIs and addresses are found by their form, and leave room for no other field there.

    A DOI in an address is part of the address, unless a word before says that it is a DOI.
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
        for other in [other for other in ("doi", "url", "id", "note") if other in found]:
            kept = [
                span
                for span in found.pop(other)
                if other != name and not any(_meet(span, own) for own in spans)
            ]
            if kept:
                found[other] = kept
        found[name] = spans


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _address(raw: str, start: int, end: int) -> tuple[int, int]:
    """Without the punctuation of the sentence that it stands in."""
    while end > start and (raw[end - 1] in ".,;:'\"”>" or _unopened(raw[start:end])):
        end -= 1
    return start, end


def _unopened(text: str) -> bool:
    """Whether a text ends with a bracket that closes none of its own."""
    opening = _PAIRS.get(text[-1])
    return opening is not None and text.count(text[-1]) > text.count(opening)


def _trimmed(raw: str, start: int, end: int) -> tuple[int, int]:
    while start < end and raw[start] in _EDGES:
        start += 1
    while end > start and raw[end - 1] in _EDGES:
        end -= 1
    return start, end
