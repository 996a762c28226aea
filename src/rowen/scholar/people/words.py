"""Words of papers' fronts that tell what they stand in."""

import re
import tomllib
from importlib.resources import files

from rowen.scholar.citations.keywords import KEYWORDS


def _classes() -> tuple[dict[str, str], re.Pattern[str]]:
    """The classes of whole words, and what finds those of beginnings."""
    words = tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))
    whole = {word: name for name, known in words["whole"].items() for word in known.split()}
    begun = "|".join(
        f"(?P<{name}>{'|'.join(map(re.escape, known.split()))})"
        for name, known in words["beginnings"].items()
    )
    return whole, re.compile(begun)


_WHOLE, _BEGUN = _classes()


def kind_of(low: str) -> str:
    """What a lower-case word tells of where it stands; nothing for most."""
    if found := _WHOLE.get(low):
        return found
    begun = _BEGUN.match(low)
    return (begun.lastgroup or "") if begun else KEYWORDS.get(low, "")
