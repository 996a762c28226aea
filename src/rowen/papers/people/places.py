"""The parts of an affiliation: organisations and address, for formats that keep them apart.

    Dept. of Mathematics, University of London, 7 Main Street, London W1, UK
    department            institution           line           |      |   country
                                                      settlement      post code

A CRF labels the tokens, with the features of `features.py`.
"""

from collections import defaultdict
from dataclasses import dataclass
from itertools import groupby

from rowen.crf.tagger import Model, load_model
from rowen.papers.people.features import feature_rows
from rowen.papers.people.signatures import spelled
from rowen.papers.people.tokens import Token, words_of

AFFILIATION_LETTERS = 2_000
"""Limit: characters of an affiliation that is parsed into parts; a longer one is an institution."""

_EDGES = " ,;.:/-–"


@dataclass(frozen=True, slots=True)
class Place:
    """An affiliation in parts; what it does not have is empty or None.

    >>> parse_place("Dept. of Mathematics, University of London, London, UK").institutions
    ('University of London',)
    """

    laboratories: tuple[str, ...] = ()
    departments: tuple[str, ...] = ()
    institutions: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    """Lines of the address: street, building, box."""
    post_code: str | None = None
    settlement: str | None = None
    region: str | None = None
    country: str | None = None


def tokens_of_place(text: str) -> list[Token]:
    """The tokens of an affiliation, as the CRF of its parts reads them."""
    return [Token(word, 0, 0, spaced) for word, spaced in words_of(text)]


def parse_place(text: str, *, model: Model | None = None) -> Place:
    """Parse an affiliation into its parts; `model` replaces the CRF that comes with the package."""
    if len(text) > AFFILIATION_LETTERS:
        return Place(institutions=(text,))
    tokens = tokens_of_place(text)
    if not tokens:
        return Place()
    labels = (model or load_model("places")).label(feature_rows(tokens))
    parts: defaultdict[str, list[str]] = defaultdict(list)
    numbers = _numbers(labels)
    for (label, _), group in groupby(
        range(len(tokens)), key=lambda i: (labels[i].removesuffix(" start"), numbers[i])
    ):
        indices = list(group)
        part = spelled(tokens[indices[0] : indices[-1] + 1]).strip(_EDGES)
        if label != "other" and part:
            parts[label].append(part)
    return Place(
        tuple(parts["laboratory"]),
        tuple(parts["department"]),
        tuple(parts["institution"]),
        tuple(parts["line"]),
        *(
            next(iter(parts[name]), None)
            for name in ("post code", "settlement", "region", "country")
        ),
    )


def _numbers(labels: list[str]) -> list[int]:
    """For each token the number of its part: labels with `start` begin one."""
    numbers, count = [], 0
    for label in labels:
        count += label.endswith(" start")
        numbers.append(count)
    return numbers
