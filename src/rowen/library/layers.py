"""What a library shows of a paper: what was extracted, with what people say laid over it.

extracted            {"title": "A STUDY OF WRAPERS", "year": "2001"}
corrections          title: "A Study of Wrappers"
shown                {"title": "A Study of Wrappers", "year": "2001"}
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rowen.library.fields import CITATION, HEADER
from rowen.library.keys import plain, year_in

LIKE_REFERENCES = 0.8
"""The share of words that a reference must keep, for a correction of it to hold still. Another
version of Rowen may cut a reference list otherwise, by a number or a page."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person says about a field."""

    number: int
    field: str
    value: Any
    extracted: Any
    """What was extracted when it was corrected."""
    made: str
    raw: str = ""
    """The text of the reference that it is about."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A reference as it is shown."""

    content: dict[str, Any]
    corrected: bool = False
    added: bool = False
    """Whether only a correction has it: the last extraction did not give it."""
    position: int | None = None
    """Its place among the references that were extracted."""


def extracted_header(content: Mapping[str, Any]) -> dict[str, Any]:
    """The header of a paper as it was extracted."""
    header = {name: content.get(name) for name in HEADER}
    dates = content.get("dates") or {}
    days = (header["date"], *(dates.get(name) for name in ("published", "accepted", "received")))
    header["year"] = next((year for year in map(year_in, days) if year is not None), None)
    header["authors"] = header["authors"] or []
    header["keywords"] = header["keywords"] or []
    return header


def shown_header(extracted: Mapping[str, Any], corrections: Iterable[Correction]) -> dict[str, Any]:
    """The header with all corrections."""
    said = {own.field: own.value for own in corrections if own.field != CITATION}
    shown = {**extracted, **said}
    # A corrected date has another year, unless that was corrected, too.
    if "date" in said and "year" not in said:
        shown["year"] = year_in(said["date"])
    return shown


def shown_citations(
    extracted: Sequence[Mapping[str, Any]], corrections: Iterable[Correction]
) -> list[Cited]:
    """The references with all corrections.

    A correction belongs to the reference with its text, or else to the one most like it. Where no
    reference is like it, what the person said is added at the end: it is never lost.
    """
    about = [own for own in corrections if own.field == CITATION]
    places = _places([str(citation.get("raw", "")) for citation in extracted], about)
    shown: list[Cited] = []
    for position, citation in enumerate(extracted):
        own = places.get(position)
        if own is None:
            shown.append(Cited(dict(citation), position=position))
        elif own.value is not None:
            content = corrected_citation(citation, own.value)
            shown.append(Cited(content, corrected=True, position=position))
    placed = {own.number for own in places.values()}
    for own in about:
        if own.number not in placed and own.value is not None:
            whole = {**_EMPTY, **(own.extracted or {}), "raw": own.raw}
            content = corrected_citation(whole, own.value)
            shown.append(Cited(content, corrected=True, added=True))
    return shown


@dataclass(frozen=True, slots=True)
class Before:
    """What there is of a reference before it is corrected again."""

    extracted: dict[str, Any] | None
    correction: Correction | None


def correction_of_citation(
    extracted: Sequence[Mapping[str, Any]], corrections: Iterable[Correction], raw: str
) -> Before:
    """What was extracted of the reference with this text, and what was said about it before."""
    about = [own for own in corrections if own.field == CITATION]
    places = _places([str(citation.get("raw", "")) for citation in extracted], about)
    named = plain(raw)
    for position, citation in enumerate(extracted):
        if plain(str(citation.get("raw", ""))) == named:
            return Before(dict(citation), places.get(position))
    same = (own for own in about if plain(own.raw) == named)
    correction = next(same, None)
    return Before(None if correction is None else correction.extracted, correction)


def corrected_citation(citation: Mapping[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    """A reference with these fields; their old places in its text are no longer true."""
    spans = {
        name: places
        for name, places in citation.get("spans", {}).items()
        if FIELDS_OF_SPANS.get(name, name) not in value
    }
    return {**citation, **value, "spans": spans}


_EMPTY: dict[str, Any] = {
    **dict.fromkeys(("title", "container", "year", "volume", "issue", "pages", "publisher")),
    **dict.fromkeys(("place", "doi", "url", "note")),
    "authors": [],
    "editors": [],
    "spans": {},
}
FIELDS_OF_SPANS = {"author": "authors", "editor": "editors", "date": "year", "location": "place"}
"""Fields of spans that have another name in a citation."""


def _places(raws: Sequence[str], corrections: Sequence[Correction]) -> dict[int, Correction]:
    """The correction of each reference that has one."""
    places: dict[int, Correction] = {}
    exact: dict[str, list[int]] = {}
    for position, raw in enumerate(raws):
        exact.setdefault(plain(raw), []).append(position)
    unplaced = []
    for own in corrections:
        free = [at for at in exact.get(plain(own.raw), ()) if at not in places]
        if free:
            places[free[0]] = own
        else:
            unplaced.append(own)
    words = {at: _words(raw) for at, raw in enumerate(raws) if at not in places} if unplaced else {}
    for own in unplaced:
        mine = _words(own.raw)
        likest = max(words, key=lambda at: _likeness(mine, words[at]), default=None)
        if likest is not None and _likeness(mine, words[likest]) >= LIKE_REFERENCES:
            places[likest] = own
            del words[likest]
    return places


def _words(raw: str) -> frozenset[str]:
    return frozenset(filter(None, map(plain, raw.split())))


def _likeness(left: frozenset[str], right: frozenset[str]) -> float:
    return len(left & right) / len(left | right) if left or right else 0.0


def shown_paper(
    content: Mapping[str, Any], header: Mapping[str, Any], corrections: Iterable[Correction]
) -> dict[str, Any]:
    """A whole paper with all corrections; its markers lead to the references that are left."""
    citations = shown_citations(content.get("citations") or (), corrections)
    places = {own.position: at for at, own in enumerate(citations) if own.position is not None}
    body = [
        {**section, "markers": [_moved(marker, places) for marker in section.get("markers", ())]}
        for section in content.get("body") or ()
    ]
    return {**content, **header, "citations": [own.content for own in citations], "body": body}


def _moved(marker: Mapping[str, Any], places: Mapping[int, int]) -> dict[str, Any]:
    return {**marker, "citations": [places[at] for at in marker["citations"] if at in places]}
