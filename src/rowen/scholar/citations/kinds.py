"""What kind of work a citation is of, by the fields that it has."""

import re
from enum import Enum

from rowen.scholar.citations.citation import Citation


class Kind(Enum):
    """The kinds that bibliographies tell apart."""

    ARTICLE = "article"
    CHAPTER = "chapter"
    PROCEEDINGS = "proceedings"
    BOOK = "book"
    THESIS = "thesis"
    REPORT = "report"
    PAGE = "page"
    OTHER = "other"


_PROCEEDINGS = re.compile(
    r"\b(?:proc|proceedings|conference|conf|symposium|workshop)\b", re.IGNORECASE
)
_THESIS = re.compile(r"\b(?:thesis|dissertation|ph\.?\s?d|diss|habilitation)\b", re.IGNORECASE)
_REPORT = re.compile(
    r"\b(?:report|tech\.? rep|working paper|memorandum|preprint|arxiv)\b", re.IGNORECASE
)


def kind_of(citation: Citation) -> Kind:  # noqa: PLR0911  # one for each kind
    """The kind; `OTHER` where the fields say too little."""
    container = citation.container
    if _THESIS.search(citation.note or "") or (not container and _THESIS.search(citation.raw)):
        return Kind.THESIS
    if container and _PROCEEDINGS.search(container):
        return Kind.PROCEEDINGS
    if container and (citation.editors or (citation.publisher and not citation.volume)):
        return Kind.CHAPTER
    if container:
        return Kind.ARTICLE
    if _REPORT.search(citation.raw) and not citation.place:
        return Kind.REPORT
    if citation.publisher or citation.place or citation.editors:
        return Kind.BOOK
    return Kind.PAGE if citation.url else Kind.OTHER
