"""Load everything that reading papers needs from files, by reading three small papers.

Worker processes are copies of a process that has called `warm_up_papers`; they may open no files.
"""

from rowen.elements.kinds import kind_of_section
from rowen.facts import dates_of
from rowen.papers.paper import read_closely
from rowen.pdf.pictures import pictures_of

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
"""A paper with all parts, so that all three CRFs and all word lists are loaded."""

_HTML = (
    b"<html><meta name=citation_title content=Notes><p>\x93caf\xe9\x94 \xa4\xb3\xa4\xf3</p></html>"
)
"""A page in no declared charset: the detector and its codecs are loaded."""

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


def warm_up_papers() -> None:
    """Load all models, word lists and libraries, so that no file is opened later."""
    for content in (TEXT, _HTML, _PDF):
        read_closely(content)
    pictures_of(_PDF, (0,))  # pdfium looks for fonts when it first draws
    # What these papers have not: a date with the name of a month, and a section of a known kind.
    dates_of("Received: 3 May 2019; accepted 03/04/2019")
    kind_of_section("Funding", None, None)
