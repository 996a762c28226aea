"""The kind of work that a citation refers to, by its fields."""

import re
from enum import Enum

from rowen.citations.citation import Citation


class Kind(Enum):
    """The kinds of works that bibliography formats distinguish."""

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
_MEETING = re.compile(
    r"\b(?:conference|conf|symposium|symp|workshop|congress|meeting)\b", re.IGNORECASE
)
# Societies and academies call their journals proceedings; meetings have no numbered issues.
_SOCIETY = re.compile(
    r"\b(?:acad\w*|natl|nat\.?l|royal|roy|r\.? soc|soc|society|institution|endow\w*|clin|nutr"
    r"|fed)\b|^(?:proc\.?|proceedings of the) ieee$",
    re.IGNORECASE,
)
_THESIS = re.compile(r"\b(?:thesis|dissertation|ph\.?\s?d|diss|habilitation)\b", re.IGNORECASE)
_REPORT = re.compile(
    r"\b(?:report|tech\.? rep|working paper|memorandum|preprint|arxiv)\b", re.IGNORECASE
)


def kind_of(citation: Citation) -> Kind:  # noqa: PLR0911  # one for each kind
    """The kind of work; `OTHER` where the fields do not show it."""
    container = citation.container
    if _THESIS.search(citation.note or "") or (not container and _THESIS.search(citation.raw)):
        return Kind.THESIS
    if container and _PROCEEDINGS.search(container):
        return Kind.ARTICLE if _is_journal(citation, container) else Kind.PROCEEDINGS
    # A journal has volumes; a book with chapters has editors, or a publisher and no volume.
    if container and (citation.editors or (citation.publisher and not citation.volume)):
        return Kind.CHAPTER
    if container:
        return Kind.ARTICLE
    if _REPORT.search(citation.raw) and not citation.place:
        return Kind.REPORT
    if citation.publisher or citation.place or citation.editors:
        return Kind.BOOK
    return Kind.PAGE if citation.url else Kind.OTHER


def _is_journal(citation: Citation, container: str) -> bool:
    """Whether proceedings are a journal, as `Proc Natl Acad Sci` and `Proceedings of the IEEE`."""
    named = bool(_SOCIETY.search(container.strip(" .,"))) and bool(citation.volume)
    return (named or bool(citation.issue)) and _MEETING.search(container) is None
