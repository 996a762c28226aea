"""Chains: by steps, with old records of each, they give what they give from scratch."""

import random
import re

import pytest
from effort import cases
from random_chains import LETTERS, chain_of, edited

import rowen
from rowen import Chain, Page, Pattern
from rowen.records.packed import Shapes, unpack
from rowen.recycling.match import match_regions
from rowen.recycling.steps import extract_steps, recycle_steps


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
