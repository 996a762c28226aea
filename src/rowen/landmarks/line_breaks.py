"""Values with line breaks between them: several values in one element.

<td>3.5 V6<br>4.0 V8</td>       the text after <td>, and each text after a <br> inside <td>
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.landmark import Landmark, Tag
from rowen.wrappers.token.wrapper import Rule

_BREAK = re.compile(r"(?:\s|<br\b[^<>]*>)*<br\b[^<>]*>(?:\s|<br\b[^<>]*>)*", re.IGNORECASE)


def lines_of(rules: Sequence[Rule]) -> tuple[Rule, Rule] | None:
    """Rules for the first line of a value and for the others; None where it can't have lines."""
    rule, *more = rules
    if more or rule.container is not None or not rule.item.before:
        return None
    if rule.cut not in (Cut(phrase=True), Cut(element=True)):
        return None
    first = replace(rule, cut=Cut())
    return first, Rule(Landmark((Tag("br"),), ()), Cut(), container=rule.item)


def are_lines(text: str, value: tuple[int, int], items: Sequence[tuple[int, int]]) -> bool:
    """Whether nothing but line breaks is between these items of a value, and they are all of it."""
    if len(items) < 2:
        return False
    places = sorted(items)
    gaps = [text[end:start] for (_, end), (start, _) in pairwise(places)]
    rest = text[places[-1][1] : value[1]]
    return (
        places[0][0] == value[0]
        and all(map(_BREAK.fullmatch, gaps))
        and (not rest.strip() or _BREAK.fullmatch(rest) is not None)
    )
