"""Formulas on lines of their own: signs instead of words, indented, perhaps with a number.

The solution is                      body
        b = (X'WX)^-1 X'Wy    (1)    no words, indented, a number at the right: a formula
where X is the full rank version     body
"""

import re
from collections.abc import Sequence

from rowen.elements.columns import Columns
from rowen.pdf import Line

_NUMBER = re.compile(r"\(\s?(?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})*[a-z]?\s?\)[.,;]?$")
_WORD = re.compile(r"[^\W\d_]{3,}")
_FUNCTIONS = frozenset(
    {
        *("sin", "cos", "tan", "sec", "cot", "sinh", "cosh", "tanh", "log", "exp", "max", "min"),
        *("arg", "argmin", "argmax", "lim", "sup", "inf", "det", "mod", "var", "cov", "corr"),
        *("diag", "rank", "sgn", "trace", "prob", "ker", "dim", "gcd"),
        *("and", "for", "with", "where", "otherwise"),
    }
)
"""Words that formulas have."""
_SIGNS = re.compile(
    r"[=<>≤≥≠≈≡∼∝∈∉⊂⊆∪∩∑∏∫∂∇√±×÷·∘⊗⊕→←↔⇒⇔∀∃∞αβγδεζηθικλμνξπρσςτυφχψωΓΔΘΛΞΠΣΦΨΩϵϕϑ+−^|{}\[\]⟨⟩∗]"
)
_MATHS = re.compile(
    r"CMMI|CMSY|CMEX|MSBM|MSAM|Math|Symbol|Euler|STIX|MTSY|MTMI|rsfs", re.IGNORECASE
)
_INDENT = 1.2  # of the size, from the left edge of the column
_LETTERS = 0.25  # of a formula's letters are in words, at most
_NEAR = 2.6  # of the size: lines of one formula are not further apart


def formula_lines(
    lines: Sequence[Line], labels: Sequence[str], columns: Columns
) -> list[list[int]]:
    """The formulas of a paper: groups of indexes of lines labelled `body`."""
    groups: list[list[int]] = []
    for i, line in enumerate(lines):
        if labels[i] != "body" or not _is_formula(line, columns):
            continue
        last = groups[-1] if groups else None
        if last and last[-1] == i - 1 and _adjoins(lines[last[-1]], line):
            last.append(i)
        else:
            groups.append([i])
    return [group for group in groups if _is_certain([lines[i] for i in group])]


def number_of(text: str) -> str | None:
    """The number of a formula at the end of its text."""
    match = _NUMBER.search(text)
    return match.group().rstrip(".,;") if match else None


def is_number(text: str) -> bool:
    """Whether a text is only the number of a formula."""
    return _NUMBER.fullmatch(text.strip()) is not None


def without_number(text: str) -> str:
    """The text of a formula without its number."""
    return _NUMBER.sub("", text).strip()


def _is_formula(line: Line, columns: Columns) -> bool:
    """Whether a line may be part of a formula: hardly any words, and indented or with a number."""
    text = line.text
    number = _NUMBER.search(text)
    plain = text[: number.start()] if number else text
    words = [word for word in _WORD.findall(plain) if word.lower() not in _FUNCTIONS]
    letters = sum(map(len, words))
    if letters > _LETTERS * len(plain.replace(" ", "")) or letters > 24:
        return False
    if number and not plain.strip():
        return True
    left, right = columns.edges(line)
    indented = line.left > left + _INDENT * line.size
    numbered = number is not None and line.right > right - 2 * line.size
    return (indented or numbered) and (bool(_SIGNS.search(plain)) or bool(_MATHS.search(line.font)))


def _adjoins(line: Line, below: Line) -> bool:
    near = abs(line.baseline - below.baseline) < _NEAR * max(line.size, below.size)
    return line.page == below.page and near


def _is_certain(group: Sequence[Line]) -> bool:
    """Whether lines are a formula together: a single number or a bare sign is none."""
    text = "".join(line.text for line in group)
    signs = len(_SIGNS.findall(text))
    numbered = any(_NUMBER.search(line.text) for line in group)
    maths = any(_MATHS.search(line.font) for line in group)
    bare = without_number(text)
    return len(bare) > 2 and (signs >= 2 or (signs and (numbered or maths)) or (numbered and maths))
