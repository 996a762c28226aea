"""Learning class N-HLRT (thesis, section 5.3.1; `rowen.wrappers.nhlrt` says what it does).

    <h1>Authors</h1><p><h1>Ada</h1><b>Notes</b><b>Letters</b><hr><b>Help</b>     author > book

    head   <p>: from there on the first <h1> is that of Ada
    tail   <hr>: it comes before the <b> of Help, and not between values
    left   <h1> and <b>, as for N-LR

Complete for heads that occur before the first value of every example and tails that occur after the
last value of every example: see `earliest.head_tail`.
"""

from collections.abc import Sequence

from rowen.assurance.evidence import Evidence
from rowen.induction.earliest.head_tail import learn_framed
from rowen.induction.earliest.nesting import nested_labels
from rowen.records import Example
from rowen.wrappers.nhlrt import NHLRT
from rowen.wrappers.nlr import nested_rule


def learn_class(examples: Sequence[Example]) -> NHLRT:
    """An N-HLRT wrapper that reproduces every label."""
    fields, labels = nested_labels(examples)
    head, tail, left, right = learn_framed(labels, nested_rule(len(fields)), fields)
    return NHLRT(fields, left, right, head=head, tail=tail, evidence=Evidence.of(examples))
