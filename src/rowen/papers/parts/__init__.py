"""Cached parts of papers, found by the digest of exactly the input that they were computed from.

A revision of a paper shares pages, sections and references with the paper before it. Each part has
a key: the digest of its whole input. Equal digests mean equal inputs and so equal results; what was
cached can make reading faster, but never change its result.

    part                             its digest covers
    lines of a page, word features   the characters of the page, with positions and fonts
    a citation                       its reference string
    markers with years in a text     the text, and names, years and order of all references
    authors                          the lines of the front, with their labels

Labels of lines are not cached: each may depend on any line of the paper.
"""

from rowen.papers.parts.digests import DIGEST_BYTES
from rowen.papers.parts.memory import LookUp, Parts
from rowen.papers.parts.packed import PARTS_FORM, joined, parted

__all__ = ["DIGEST_BYTES", "PARTS_FORM", "LookUp", "Parts", "joined", "parted"]
