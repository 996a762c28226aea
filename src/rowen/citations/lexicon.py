"""Words that occur in names of people and places (`lexicon.tsv`, from training/lexicon.py)."""

from functools import cache
from importlib.resources import files


@cache
def _classes() -> dict[str, str]:
    classes: dict[str, str] = {}
    for line in files("rowen.crf.models").joinpath("lexicon.tsv").read_text("utf-8").splitlines():
        word, kinds = line.split("\t")
        classes[word] = kinds
    return classes


def lexicon_class(word: str) -> str:
    """The classes of a lower-case word: g(iven), f(amily), p(lace), c(ountry); may be several."""
    return _classes().get(word, "")
