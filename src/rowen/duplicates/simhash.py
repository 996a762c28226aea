"""Fingerprints of texts: much the same text, few different bits (Charikar, 2002)."""

from rowen._core import simhash64
from rowen.duplicates.normal_form import normal_form


def simhash(text: str) -> int:
    """A text's 64-bit fingerprint, made of its runs of three words.

    Case, punctuation, ligatures, hyphens and the line ends after them don't count.
    """
    return simhash64(normal_form(text))
