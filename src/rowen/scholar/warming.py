"""Everything that reading papers takes from files, loaded by reading three small ones."""

import codecs

from rowen.scholar.paper import read_closely

_CHARSETS = (
    "ascii", "latin-1", "windows-1252", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be",
    "utf-32", "utf-32-le", "utf-32-be", "unicode_escape", "idna",
)  # fmt: skip
"""Those of Python's own that texts are read with; each is a module."""

TEXT = b"""\
On Reading Small Papers

Ada Lovelace, Charles Babbage
University of London, London, UK
ada@example.org

Abstract
A paper that holds one of everything. 12 March 2020, doi:10.1000/182

Keywords: papers, parts

1 Introduction
As was shown by Knuth (1984) and others [1], papers have parts.

References
[1] D. E. Knuth. Literate programming. The Computer Journal, 27(2):97-111, 1984.
[2] Lovelace, A., and Babbage, C. (1843). Notes. In Proc. of the Royal Society, London.
"""
"""A paper that has all parts."""

_HTML = (
    b"<html><meta name=citation_title content=Notes><p>\x93caf\xe9\x94 \xa4\xb3\xa4\xf3</p></html>"
)
"""Its charset must be detected."""

_PAGE = b"BT /F 12 Tf 72 700 Td (A page that says so) Tj ET"
_PDF = b"""%%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R
/Resources <</Font <</F <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>>> endobj
4 0 obj <</Length %d>> stream
%b
endstream endobj
trailer <</Root 1 0 R>>
%%%%EOF
""" % (len(_PAGE), _PAGE)


def warm_up_scholar() -> None:
    """Load all models, word lists, codecs and libraries, so that no file is needed any more."""
    for charset in _CHARSETS:
        codecs.lookup(charset)
    for content in (TEXT, _HTML, _PDF):
        read_closely(content)
