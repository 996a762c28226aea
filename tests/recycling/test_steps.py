"""Chains: by steps, with old records of each, they give what they give from scratch."""

import random
import re

import pytest
from effort import cases

import rowen
from rowen import Chain, Dictionary, Page, Pattern, Segments, Window
from rowen.records.packed import Shapes, unpack
from rowen.recycling.match import match_regions
from rowen.recycling.steps import extract_steps, recycle_steps

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


def by_steps(chain, old, new):
    """The records of each step on the new page, and how many characters were not extracted."""
    shapes = [Shapes() for _ in chain.steps]
    before = extract_steps(chain, Page(old), shapes)
    matches = match_regions(old, new, "suffix", 1)
    page = Page(new)
    result = recycle_steps(
        chain, matches, old, [*before.steps, before.records], page, shapes=shapes, sparing=1
    )
    steps = [
        set(unpack(packed.as_set(own), own, page))
        for packed, own in zip((*result.steps, result.records), shapes, strict=True)
    ]
    return steps, result.copied


@pytest.mark.parametrize("seed", range(5))
def test_random_chains_on_random_edits(seed):
    source = random.Random(seed)
    spared = 0
    for _ in range(cases(80, 10_000)):
        chain = chain_of(source)
        old = "".join(source.choices(LETTERS, k=source.randint(0, 60)))
        new = edited(source, old)
        steps, copied = by_steps(chain, old, new)
        expected = chain.extract(new)
        assert steps[-1] == set(expected), (chain, old, new)
        assert len(expected) == len(set(expected))
        for number, (extractor, _) in enumerate(chain.steps[:1]):
            assert steps[number] == set(extractor.extract(new))
        spared += copied
        # As one extractor, by the locality that follows from its first step.
        recycled = rowen.recycle(chain, old, chain.extract(old), new, matcher="suffix")
        assert set(recycled) == set(expected), (chain, old, new)
    assert spared


def test_a_step_reads_only_what_changed():
    read = []

    @rowen.extractor(name="words", locality=rowen.WholePage(), version="1")
    def words(text):
        read.append(text)
        return [{"word": match.span()} for match in re.finditer(r"\w+", text)]

    chain = Chain(words, Pattern(r"<p>(?P<text>[^<]*)</p>", name="blocks"), "text")
    old = "".join(f"<p>number {number}</p>" for number in range(200))
    new = old.replace("number 7<", "number seven<").replace("<p>number 100</p>", "")
    shapes = [Shapes(), Shapes()]
    before = extract_steps(chain, Page(old), shapes)
    read.clear()
    matches = match_regions(old, new, "anchor", 20)
    records = [*before.steps, before.records]
    result = recycle_steps(chain, matches, old, records, Page(new), shapes=shapes)
    assert read == ["number seven"]
    found = unpack(result.records.as_set(shapes[1]), shapes[1], Page(new))
    assert [record.values["word"] for record in found][-1] == "199"
