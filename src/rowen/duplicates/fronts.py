"""What texts begin with: whether one's header is the other's, too."""

import re
from itertools import islice

from rowen.duplicates.normal_form import normal_form
from rowen.limits import FRONT_WORDS

_WORD = re.compile(r"[^\W_]+")


def front_of(text: str) -> str:
    """A text's first words, without case and punctuation."""
    words = islice(_WORD.finditer(normal_form(text)), FRONT_WORDS)
    return " ".join(word[0].casefold() for word in words)


def may_share_header(text: str, other: str) -> bool:
    """Whether near-duplicates have the same header, as far as their first words tell.

    Filled-in forms are near-duplicates by any measure, and their title lines may agree, too; what
    was filled in stands on the first page. So the whole front must agree, not only the title line.
    """
    front = front_of(text)
    return bool(front) and front == front_of(other)
