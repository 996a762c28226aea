"""A citation as it is looked for: its title's words, its authors' names, year, volume and page."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from rowen.citations.citation import Citation
from rowen.matching.titles import shingles_of, words_of

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_NUMBER = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a citation says about the work that it names, in the form in which it is compared."""

    title: str
    """The title's words; empty where the citation has none."""
    words: tuple[str, ...]
    """All words of the reference."""
    families: tuple[str, ...]
    """The authors' family names, first author first."""
    year: int | None
    container: tuple[str, ...]
    volume: str
    page: str
    """The first page."""
    doi: str

    @classmethod
    def of(cls, citation: Citation | Mapping[str, Any]) -> Self:
        """From a citation, or from the object that `rowen cite` writes for one."""
        if isinstance(citation, Citation):
            citation = citation.to_dict()
        authors = citation.get("authors")
        return cls(
            title=" ".join(words_of(text_of(citation.get("title")))),
            words=tuple(words_of(text_of(citation.get("raw")))),
            families=tuple(
                plain
                for author in (authors if isinstance(authors, list) else [])
                if isinstance(author, Mapping) and (plain := plain_name(author.get("family")))
            ),
            year=year_of(citation.get("year")),
            container=tuple(words_of(text_of(citation.get("container")))),
            volume=number_of(citation.get("volume")),
            page=first_page(citation.get("pages")),
            doi=doi_of(citation.get("doi")),
        )

    @property
    def shingles(self) -> set[str]:
        """What it is found by: those of the title, else those of the whole reference."""
        return shingles_of(self.title.split() or list(self.words))


def text_of(value: object) -> str:
    """A value as a text; the first of a list, as Crossref writes titles."""
    if isinstance(value, list | tuple):
        value = next((one for one in value if one), None)
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


def year_of(value: object) -> int | None:
    """The first year in a text, a number or a date; None where there is none.

    >>> year_of("c. 1998a"), year_of(2020), year_of("n.d.")
    (1998, 2020, None)
    """
    found = _YEAR.search(text_of(value))
    return int(found[0]) if found else None


def doi_of(value: object) -> str:
    """A DOI without its resolver and in lower case; empty where there is none.

    >>> doi_of("https://doi.org/10.1000/ABC.")
    '10.1000/abc'
    """
    found = _DOI.search(text_of(value))
    return found[0].rstrip(".,;)]").lower() if found else ""


def number_of(value: object) -> str:
    """A volume or a page number, plain."""
    found = _NUMBER.search(text_of(value))
    return found[0].casefold().lstrip("0") if found else ""


def first_page(value: object) -> str:
    """The first page of a range.

    >>> first_page("097-111")
    '97'
    """
    return number_of(value)


def plain_name(value: object) -> str:
    """A family name without case, accents, spaces and hyphens."""
    return "".join(words_of(text_of(value)))
