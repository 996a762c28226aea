"""Learning class M-HLRT (`rowen.wrappers.mhlrt` says what it does; not in the thesis).

    <b>People</b><ul><b>Ada</b> T:12; <b>Alan</b></ul> T:help;       fields name, phone

    head   <ul>: from there on the first <b> is that of Ada
    tail   </ul>: it comes before the next T:, and not between values
    left   <b> and "</b> T:", as for M-LR

Complete for heads that occur before the first value of every example and tails that occur after the
last value of every example: see `earliest.head_tail`, and `earliest.unknown` where values are
unknown.
"""

from collections.abc import Sequence

from rowen.assurance.evidence import Evidence
from rowen.induction.earliest.head_tail import learn_framed
from rowen.induction.earliest.missing import Sample, learn_ordered
from rowen.induction.earliest.unknown import find_delimiters
from rowen.records import Example
from rowen.wrappers.mhlrt import MHLRT


def learn_class(examples: Sequence[Example]) -> MHLRT:
    """An M-HLRT wrapper that reproduces every label."""
    evidence = Evidence.of(examples)
    return learn_ordered(examples, lambda sample: _learn(sample, evidence))


def _learn(sample: Sample, evidence: Evidence) -> MHLRT:
    if sample.is_known:
        head, tail, left, right = learn_framed(sample.labels, sample.rule, sample.fields)
        first = [sample.fields[number] for number in sample.first]
    else:
        left, right, first, head, tail = find_delimiters(sample, framed=True)
    return MHLRT(sample.fields, left, right, head=head, tail=tail, first=first, evidence=evidence)
