"""Names that people and places have."""

from functools import cache
from importlib.resources import files


@cache
def _classes() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in (
        files("rowen.scholar.models").joinpath("lexicon.tsv").read_text("utf-8").splitlines()
    ):
        word, kinds = line.split("\t")
        found[word] = kinds
    return found


def lexicon_class(word: str) -> str:
    """What a lower-case word is known as: given name, family name, place; may be several."""
    return _classes().get(word, "")
