"""Simhash: a 64-bit fingerprint that differs in few bits for similar texts (Charikar, 2002).

Each run of three words is hashed to 64 bits. Bit `i` of the fingerprint is 1 if more of these
hashes have a 1 there than a 0. With four bits for the text "a b c d e":

    a b c   1 0 1 1
    b c d   1 1 0 1
    c d e   0 0 0 1
    votes   2 1 1 3  of 3, so the fingerprint is 1 0 0 1

A changed word changes three runs of a text of thousands, and so tips few of the 64 votes.
"""

from rowen._core import simhash64
from rowen.duplicates.normal_form import normal_form


def simhash(text: str) -> int:
    """The 64-bit fingerprint of a text, from its runs of three words.

    Case, punctuation, ligatures, hyphens and the line ends after hyphens don't count.

    >>> one, two = simhash("A paper about wrappers."), simhash("a paper about  Wrappers")
    >>> (one ^ two).bit_count()
    0
    """
    return simhash64(normal_form(text))
