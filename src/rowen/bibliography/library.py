"""Reading the library of a reference manager, in the format that its content shows."""

import os
from pathlib import Path

from rowen.bibliography.bibtex import read_bibtex
from rowen.bibliography.csl import read_csl
from rowen.bibliography.rdf import read_rdf
from rowen.bibliography.ris import read_ris
from rowen.citations.citation import Citation
from rowen.model.errors import InputError

LIBRARY_BYTES = 256 * 1024 * 1024
"""Limit: the size of a library: 100,000 items have about 100 MB."""


def read_library(path: str | os.PathLike[str]) -> list[Citation]:
    """The items of a library that Zotero or another reference manager exported.

    The formats are BibTeX, RIS, CSL JSON and Zotero's RDF; which one it is, is seen from the
    content. `write_citations` writes what they import.

    >>> import rowen
    >>> cited = rowen.parse_citations(["Knuth, D. E. (1984). Literate programming."])
    >>> rowen.write_citations("library.bib", cited, format="bibtex")
    1
    >>> [item.title for item in rowen.read_library("library.bib")]
    ['Literate programming']
    """
    name = os.fspath(path)
    try:
        size = Path(path).stat().st_size
        if size > LIBRARY_BYTES:
            raise InputError(f"{name} is larger than the limit of {LIBRARY_BYTES:,} bytes")
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8: export the library as Unicode") from None
    start = text.lstrip()[:1]
    if start in {"[", "{"}:
        return list(read_csl(text, name))
    if start == "<":
        return list(read_rdf(text, name))
    items = list(read_ris(text)) if "TY  -" in text[:10_000] else list(read_bibtex(text))
    if not items and text.strip():
        raise InputError(f"{name} has no items: BibTeX, RIS, CSL JSON or Zotero's RDF is expected")
    return items
