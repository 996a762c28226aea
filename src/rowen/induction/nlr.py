"""Learning class N-LR (thesis, section 5.3.1; `rowen.wrappers.nlr` says what it does).

    <h1>Ada</h1><b>Notes</b><b>Letters</b><h1>Alan</h1>        fields author > book

    right   each field by itself, as for LR: </h1>, </b>
    left    "<h1>" is what comes before all authors, "<b>" before all books. From the end of Ada on
            <b> must come before <h1>, from the end of Letters on <h1> before <b>: they do.

It departs from the thesis, which tries every combination of delimiters, O(N R^((2K+3)/3)): here
`earliest.propagation` finds a solution, or rules it out, in a few scans of the examples. Complete.
"""

from collections.abc import Sequence

from rowen.assurance.evidence import Evidence
from rowen.induction.earliest.nesting import nested_labels
from rowen.induction.earliest.whole_page import learn_sides
from rowen.records import Example
from rowen.wrappers.nlr import NLR, nested_rule


def learn_class(examples: Sequence[Example]) -> NLR:
    """An N-LR wrapper that reproduces every label."""
    fields, labels = nested_labels(examples)
    left, right = learn_sides(labels, nested_rule(len(fields)), fields)
    return NLR(fields, left, right, evidence=Evidence.of(examples))
