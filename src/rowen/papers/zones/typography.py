"""How a paper uses each of its types, for the features of lines.

A type is a font, a size, and whether the line is in capitals. The types of headings come in runs of
one or two lines, end before the edge of the column, and are followed by the usual type:

    type             share of letters   lines in a run   followed by usual type   ends short
    Times 10         most               many             -                        sometimes
    Times-Bold 10    few                1-2              always                   always
    Times 8          some               many             rarely                   sometimes

This is the same in all languages, and where a paper has no numbers before its headings.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rowen.pdf import Line

Type: TypeAlias = tuple[str, int, bool]

_SHORT = 0.88  # of its block's width: a line that ends before it does not fill the column
_SHARES = (0.3, 0.1, 0.03, 0.01, 0.003)
_LINES = (1.15, 1.8, 3.0, 6.0)


def type_of(line: Line) -> Type:
    """The type that a line is set in."""
    return line.font, round(2 * line.size), line.text.isupper()


def uses_of_types(
    lines: Sequence[Line], furniture: set[int], reach: NDArray[np.float64]
) -> tuple[list[str], list[str], list[bool]]:
    """For each line how often its type is used, what comes after it, and whether it is the usual.

    `reach` is where each line ends, as a share of the width of its block.
    """
    types = [type_of(line) for line in lines]
    letters: Counter[Type] = Counter()
    for i, type_ in enumerate(types):
        if i not in furniture:
            letters[type_] += len(lines[i].text)
    usual = letters.most_common(1)[0][0] if letters else None
    runs, total, followed, short = (
        Counter[Type](),
        Counter[Type](),
        Counter[Type](),
        Counter[Type](),
    )
    shown = [i for i in range(len(lines)) if i not in furniture]
    groups = [
        (type_, [*group])
        for (type_, _), group in groupby(shown, lambda i: (types[i], lines[i].block))
    ]
    for k, (type_, group) in enumerate(groups):
        runs[type_] += 1
        total[type_] += len(group)
        followed[type_] += k + 1 < len(groups) and groups[k + 1][0] == usual
        short[type_] += bool(reach[group[-1]] < _SHORT)
    whole = max(sum(letters.values()), 1)
    amounts, places = {}, {}
    for type_, count in runs.items():
        share = sum(letters[type_] < bound * whole for bound in _SHARES)
        length = sum(total[type_] > bound * count for bound in _LINES)
        amounts[type_] = f"{share}{length}"
        places[type_] = f"{4 * followed[type_] // count}{4 * short[type_] // count}{min(count, 4)}"
    return (
        [amounts.get(type_, "") for type_ in types],
        [places.get(type_, "") for type_ in types],
        [type_ == usual for type_ in types],
    )
