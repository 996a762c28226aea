"""What texts begin with: whether one's header is the other's, too."""

from rowen._core import first_words
from rowen.duplicates.normal_form import normal_form
from rowen.limits import FRONT_WORDS


def may_share_header(text: str, other: str) -> bool:
    """Whether near-duplicates have the same header, as far as their first words tell.

    Filled-in forms are near-duplicates by any measure, and their title lines may agree, too; what
    was filled in stands on the first page. So the whole front must agree, not only the title line.
    """
    words = first_words(normal_form(text), FRONT_WORDS)
    return bool(words) and words == first_words(normal_form(other), FRONT_WORDS)
