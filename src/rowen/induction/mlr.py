"""Learning class M-LR (thesis, section 9.2.1; `rowen.wrappers.mlr` says where it departs).

    <b>Ada</b> (12) <b>Alan</b> <b>Kurt</b> (3)        fields name, phone

    first   name: it begins all records
    left    <b>, and "</b> (": after Alan, <b> must come before the phone's, which is found only
            after Kurt
    right   </b> and )

Complete: it finds a wrapper exactly when there is one, among all suffixes of the texts before a
field's values and all prefixes of the texts after them. The fields that begin a record in the
examples are those that may begin one; more would only make it harder. See `earliest.propagation`.
Where values are unknown, `earliest.unknown` searches, also for the fields that begin a record and
for the order of the fields.
"""

from collections.abc import Sequence

from rowen.assurance.evidence import Evidence
from rowen.induction.earliest.missing import Sample, learn_ordered
from rowen.induction.earliest.unknown import find_delimiters
from rowen.induction.earliest.whole_page import learn_sides
from rowen.records import Example
from rowen.wrappers.mlr import MLR


def learn_class(examples: Sequence[Example]) -> MLR:
    """An M-LR wrapper that reproduces every label."""
    evidence = Evidence.of(examples)
    return learn_ordered(examples, lambda sample: _learn(sample, evidence))


def _learn(sample: Sample, evidence: Evidence) -> MLR:
    if sample.is_known:
        left, right = learn_sides(sample.labels, sample.rule, sample.fields)
        first = [sample.fields[number] for number in sample.first]
    else:
        left, right, first, *_ = find_delimiters(sample, framed=False)
    return MLR(sample.fields, left, right, first=first, evidence=evidence)
