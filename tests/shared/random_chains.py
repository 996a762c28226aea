"""Random chains, and random edits of the texts that they read."""

import re

import rowen
from rowen import Chain, Dictionary, Pattern, Segments, Window

LETTERS = "ab \n<>"


@rowen.extractor(name="runs", locality=rowen.WholePage(), version="1")
def runs(text):
    """Depends on all of its text: how many there are."""
    found = list(re.finditer("a+b?", text))
    if len(found) % 3:
        for match in found:
            yield {"x": match.span(), "y": None}


@rowen.extractor(name="lines", locality=Segments("\n"), version="1")
def lines(text):
    for line in Segments("\n").split(text):
        yield {"x": line, "y": [(line.start, line.start), (line.start, line.end)]}


@rowen.extractor(name="edges", locality=Window(2, 1), version="1")
def edges(text):
    """Records of no length, and some at the edges of texts."""
    for place in range(len(text) + 1):
        if text[max(place - 1, 0) : place + 1] in ("a", "ab", "b"):
            yield {"x": (place, place)}


EXTRACTORS = [
    Pattern("<(?P<x>[^<>]*)>", name="tags"),
    Pattern("(?s)(?P<x>a.{1,9}?)b|(?P<y><[^>]*)", name="bits"),
    Pattern(r"(?m)^(?P<x>[ab ]+)$", name="rows"),
    Pattern(r"(?P<x>\S{2})", name="pairs"),
    Pattern(r"(?s)<(?P<x>.*)>", name="most"),
    Dictionary(["a", "ab", "b a", "bab", "<"], field="x", words=False, name="words"),
    runs,
    lines,
    edges,
]


def chain_of(source):
    chain = source.choice(EXTRACTORS)
    for _ in range(source.randint(1, 3)):
        field = source.choice(chain.fields or ("x", "x", "y"))
        chain = Chain(source.choice(EXTRACTORS), chain, field)
    return chain


def edited(source, old):
    new = old
    for _ in range(source.randint(0, 3)):
        start = source.randint(0, len(new))
        end = min(len(new), start + source.choice((0, 1, 2, 6)))
        new = new[:start] + "".join(source.choices(LETTERS, k=source.randint(0, 4))) + new[end:]
    if source.random() < 0.2:
        cut = source.randint(0, len(new))
        new = new[cut:] + new[:cut]
    return new
