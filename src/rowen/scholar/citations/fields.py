"""From labelled tokens to the places of fields."""

import re
from collections.abc import Sequence

from rowen.scholar.citations.citation import FIELDS
from rowen.scholar.citations.tokens import Token

Spans = dict[str, list[tuple[int, int]]]

_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*\s?/\s?[^\s,;\"<>]+", re.IGNORECASE)
_URL = re.compile(r"(?:https?\s?:\s?//|www\.)\S+|\bftp://\S+", re.IGNORECASE)
_PAIRS = {")": "(", "]": "[", "}": "{", "”": "“", "»": "«"}
_EDGES = " \t\n,;:.-–—/"  # dashes of all kinds stand between fields


def spans_of(raw: str, tokens: Sequence[Token], labels: Sequence[str]) -> Spans:
    """Where each field stands; signs between two tokens of a field belong to it.

    A DOI shows by itself what it is, whatever its label.
    """
    found: Spans = {}
    i = 0
    while i < len(tokens):
        name, last, k = labels[i], i, i + 1
        while k < len(tokens) and (labels[k] == name or (labels[k] == "O" and _sign(tokens[k]))):
            last = k if labels[k] == name else last
            k += 1
        if name in FIELDS:
            span = _trimmed(raw, tokens[i].start, tokens[last].end)
            if any(letter.isalnum() for letter in raw[slice(*span)]):
                found.setdefault(name, []).append(span)
        i = last + 1
    _settle(raw, found)
    return found


def _sign(token: Token) -> bool:
    return not any(letter.isalnum() for letter in token.text)


def _settle(raw: str, found: Spans) -> None:
    """DOIs and addresses are found by their form, and leave room for no other field there."""
    for name, form in (("doi", _DOI), ("url", _URL)):
        spans = [_address(raw, *match.span()) for match in form.finditer(raw)]
        if name == "url":
            taken = found.get("doi", [])
            spans = [
                span for span in spans if not any(span[0] <= doi[0] < span[1] for doi in taken)
            ]
        if not spans:
            continue
        for other in list(found):
            found[other] = [
                span for span in found[other]
                if other not in {"doi", "url", "id", "note"}
                or not any(span[0] < end and start < span[1] for start, end in spans)
            ]  # fmt: skip
            if not found[other]:
                del found[other]
        found[name] = spans


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
