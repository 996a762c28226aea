"""Tails: what follows a value in its text on unlabelled pages, and on no marked one.

    marked    <td>8,112</td>             voters    <td>16,956 (fall)</td>
              <b>Ada King</b>                      <b>Eve Fay, staff</b>, <b>Bob, staff</b>

A tail is cut off where what is left looks as the marked values do and the whole does not. Words
look alike too easily: after them only a tail counts that is the same after several values.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rowen.landmarks.reading import read_values
from rowen.wrappers.profile import shape_of
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Rule

LEAST = 2
"""A tail has to follow this many different values."""

LONGEST = 200
"""Limit: longer texts are prose, of which no part is cut off."""

_SEPARATOR = re.compile(r"\s*[(\[;|,/\u2013\u2014]\s*|\s+[-:*]\s+|\s+")


def tailed(voters: Sequence[Outline], rule: Rule, values: Sequence[str]) -> Iterator[Rule]:
    """Rules that end a value before a tail; `values` are the marked ones."""
    cut = rule.cut
    if cut.right is not None or cut.until is not None or cut.exact or cut.element or not values:
        return
    shapes = set(map(shape_of, values))
    heads: dict[str, dict[str, str]] = defaultdict(dict)
    for voter in voters:
        for start, end in read_values(voter, [rule], several=False):
            text = voter.text[start:end]
            if "<" in text or len(text) > LONGEST or shape_of(text) in shapes:
                continue
            for match in _SEPARATOR.finditer(text):
                head = text[: match.start()]
                if shape_of(head) in shapes:
                    heads[match[0]].setdefault(head, text[match.start() :])
    for separator, tails in heads.items():
        if len(tails) < LEAST:
            continue
        are_words = not any(sign.isdigit() for head in tails for sign in head)
        if are_words and len(set(tails.values())) > 1:
            continue
        sign = separator.rstrip() if separator.strip() else separator
        right = next(iter(tails.values())) if are_words else sign
        plain = replace(cut, phrase=False, right=right, open=True)
        yield replace(rule, cut=plain)
