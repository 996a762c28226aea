"""Citations as RIS, the format that reference managers import."""

from collections.abc import Iterable, Iterator

from rowen.citations.citation import Citation, Name
from rowen.citations.kinds import Kind, kind_of

_TYPES = {
    Kind.ARTICLE: ("JOUR", "JO"),
    Kind.CHAPTER: ("CHAP", "T2"),
    Kind.PROCEEDINGS: ("CPAPER", "T2"),
    Kind.BOOK: ("BOOK", "T2"),
    Kind.THESIS: ("THES", "T2"),
    Kind.REPORT: ("RPRT", "T2"),
    Kind.PAGE: ("ELEC", "T2"),
    Kind.OTHER: ("GEN", "T2"),
}


def ris_entries(citations: Iterable[Citation]) -> Iterator[str]:
    """One record per citation; lines end with CR LF, as the format demands."""
    for citation in citations:
        kind, container = _TYPES[kind_of(citation)]
        first, _, last = (citation.pages or "").partition("-")
        fields = [
            ("TY", kind),
            *(("AU", _name(name)) for name in citation.authors),
            ("TI", citation.title),
            (container, citation.container),
            ("PY", citation.year),
            ("VL", citation.volume),
            ("IS", citation.issue),
            ("SP", first),
            ("EP", last),
            ("PB", citation.publisher),
            ("CY", citation.place),
            *(("ED", _name(name)) for name in citation.editors),
            ("DO", citation.doi),
            ("UR", citation.url),
            ("N1", citation.note),
        ]
        lines = [f"{tag}  - {' '.join(value.split())}" for tag, value in fields if value]
        yield "\r\n".join([*lines, "ER  - ", "", ""])


def _name(name: Name) -> str:
    return f"{name.family}, {name.given}" if name.given else name.family
