"""The tabular classes, slow and obvious: the thesis' procedures and its learners by trial."""

from itertools import permutations, product
from math import prod


class Fails(Exception):  # noqa: N818
    def __init__(self, kind, field, rows):
        super().__init__(kind)
        self.kind = kind
        self.field = field
        self.rows = rows


def execute(text, *, left, right, head=None, tail=None, open=None, close=None):  # noqa: A002
    """ExecLR, ExecHLRT, ExecOCLR or ExecHOCLRT, by which delimiters are given; rows of bounds."""
    rows = []

    def find(needle, start, kind, field=0):
        place = text.find(needle, start)
        if place < 0:
            raise Fails(kind, field, rows)
        return place

    i = 0 if head is None else find(head, 0, "head")
    first = left[0] if open is None else open
    while True:
        start = text.find(first, i)
        if start < 0:
            return rows
        if tail is not None and 0 <= text.find(tail, i) <= start:
            return rows
        i = start
        row = []
        for k, (before, after) in enumerate(zip(left, right, strict=True)):
            i = find(before, i, "left", k) + len(before)
            begin = i
            i = find(after, i, "right", k)
            row.append((begin, i))
        rows.append(tuple(row))
        if close is not None:
            i = find(close, i, "close")


def outcome(text, **delimiters):
    """The rows, and the failure that ended them or None."""
    try:
        return execute(text, **delimiters), None
    except Fails as failure:
        return failure.rows, failure


def reproduces(example, delimiters):
    """Whether a wrapper gives the label, and its tail is where it must be; on a partial page the
    marked records come first.
    """
    text, rows, partial = example
    tail = delimiters.get("tail")
    if partial:
        return outcome(text, **delimiters)[0][: len(rows)] == rows
    if tail is not None:
        after = rows[-1][-1][1] if rows else text.find(delimiters["head"])
        if after < 0 or text.find(tail, after) < 0:
            return False
    return outcome(text, **delimiters) == (rows, None)


def substrings(text):
    return {text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)}


def prefixes(text):
    return {text[:n] for n in range(1, len(text) + 1)}


def suffixes(text):
    return {text[n:] for n in range(len(text))}


def common(sets):
    return sorted(set.intersection(*sets))


class Parts:
    """Heads, tails and separators of examples, and the candidates that they give."""

    def __init__(self, examples):
        self.examples = examples
        self.full = [example for example in examples if example[1]]
        self.fields = len(self.full[0][1][0])

    def separators(self, k):
        """What follows the values of a field, up to the next value."""
        gaps = []
        for text, rows, _ in self.full:
            values = [bounds for row in rows for bounds in row]
            starts = [*(bounds[0] for bounds in values[1:]), len(text)]
            for number, (bounds, after) in enumerate(zip(values, starts, strict=True)):
                if number % self.fields == k:
                    gaps.append(text[bounds[1] : after])
        return gaps

    def heads(self):
        return [text[: rows[0][0][0]] for text, rows, _ in self.full]

    def gaps(self):
        return [
            text[rows[m][-1][1] : rows[m + 1][0][0]]
            for text, rows, _ in self.full
            for m in range(len(rows) - 1)
        ]

    def tails(self):
        return [text[rows[-1][-1][1] :] for text, rows, partial in self.full if not partial]

    def rights(self, k):
        return common([prefixes(text) for text in self.separators(k)])

    def lefts(self, k):
        if k:
            return common([suffixes(text) for text in self.separators(k - 1)])
        return common([suffixes(text) for text in [*self.heads(), *self.gaps()]])

    def outer(self, name):
        empty = [example[0] for example in self.examples if not example[1] and not example[2]]
        if name == "head":
            return ["", *common([substrings(text) for text in [*self.heads(), *empty]])]
        if name == "tail":
            tails = [*self.tails(), *empty]
            if not tails:
                tails = [text[rows[-1][-1][1] :] for text, rows, _ in self.full]
            return common([substrings(text) for text in tails])
        if name == "open":
            return common([substrings(text) for text in self.heads()])
        # After the last record of a page `c` is found in its tail, or nothing is asked of it.
        if self.tails():
            return ["", *common([substrings(text) for text in self.tails()])]
        return ["", *sorted(substrings(self.full[0][0]))]


def fitting_sides(parts, k):
    """The right delimiters, and for fields after the first the left ones: C1 and C2, one by one.

    They don't depend on the others, so each is tried where the scan stands when it is its turn.
    """
    rights = [
        right
        for right in parts.rights(k)
        if all(
            text.find(right, row[k][0]) == row[k][1] for text, rows, _ in parts.full for row in rows
        )
    ]
    lefts = [
        left
        for left in (parts.lefts(k) if k else [])
        if all(
            text.find(left, row[k - 1][1]) + len(left) == row[k][0]
            for text, rows, _ in parts.full
            for row in rows
        )
    ]
    return lefts, rights


def learn(examples, outer):
    """Figure 4.6: fields' delimiters by themselves, then every choice of l1 and the outer ones."""
    parts = Parts(examples)
    left, right = [""], []
    for k in range(parts.fields):
        lefts, rights = fitting_sides(parts, k)
        if not rights or (k and not lefts):
            return None
        right.append(rights[0])
        if k:
            left.append(lefts[0])
    choices = [parts.outer(name) for name in outer]
    for first in parts.lefts(0):
        for chosen in product(*choices):
            delimiters = {
                "left": [first, *left[1:]],
                "right": right,
                **dict(zip(outer, chosen, strict=True)),
            }
            if all(reproduces(example, delimiters) for example in examples):
                return delimiters
    return None


def learn_all(examples, outer):
    """Figure 4.4: every choice of every delimiter, with nothing factored out."""
    parts = Parts(examples)
    choices = [
        *(parts.lefts(k) for k in range(parts.fields)),
        *(parts.rights(k) for k in range(parts.fields)),
        *(parts.outer(name) for name in outer),
    ]
    for chosen in product(*choices):
        delimiters = {
            "left": list(chosen[: parts.fields]),
            "right": list(chosen[parts.fields : 2 * parts.fields]),
            **dict(zip(outer, chosen[2 * parts.fields :], strict=True)),
        }
        if all(reproduces(example, delimiters) for example in examples):
            return delimiters
    return None


def random_example(source, *, alphabet, size, fields, most=3, partial=0.0, empty=0.0):
    """A random page with random rows on it."""
    text = "".join(source.choice(alphabet) for _ in range(source.randint(size // 2, size)))
    if source.random() < empty:
        return text, [], False
    count = source.randint(1, most)
    cuts = sorted(source.randint(0, len(text)) for _ in range(2 * count * fields))
    if source.random() < 0.8:
        cuts = sorted(source.sample(range(len(text) + 1), min(len(cuts), len(text) + 1)))
        count = len(cuts) // (2 * fields)
        cuts = cuts[: 2 * count * fields]
    bounds = list(zip(cuts[::2], cuts[1::2], strict=True))
    rows = [tuple(bounds[m * fields : (m + 1) * fields]) for m in range(count)]
    return text, rows, bool(rows) and source.random() < partial


def generated_example(source, *, alphabet, outer, fields, most=3):
    """A page that some wrapper made, so that most are learnable."""

    def piece(longest):
        return "".join(source.choice(alphabet) for _ in range(source.randint(1, longest)))

    left = [piece(2) for _ in range(fields)]
    right = [piece(2) for _ in range(fields)]
    around = {name: piece(2) for name in outer}
    pages = []
    for _ in range(source.randint(1, 2)):
        text = piece(2) + around.get("head", "")
        rows = []
        for _ in range(source.randint(1, most)):
            text += piece(1) + around.get("open", "")
            row = []
            for k in range(fields):
                text += left[k]
                value = piece(2)
                row.append((len(text), len(text) + len(value)))
                text += value + right[k]
            text += around.get("close", "") + (piece(1) if source.random() < 0.5 else "")
            rows.append(tuple(row))
        pages.append((text + around.get("tail", "") + piece(2), rows, False))
    return pages


def known_sides(examples, fields):
    """For each field the left and right delimiters that fit its known values; l1 at first only by
    what stands before all of them.
    """
    lefts, rights = [[] for _ in range(fields)], [[] for _ in range(fields)]
    for text, rows, _ in examples:
        cells = [(k, span, m) for m, row in enumerate(rows) for k, span in enumerate(row) if span]
        for at, (k, (begin, end), m) in enumerate(cells):
            before = cells[at - 1][1][1] if at else 0
            after = cells[at + 1][1][0] if at + 1 < len(cells) else len(text)
            rights[k].append(
                {prefix for prefix in prefixes(text[end:after]) if text.find(prefix, begin) == end}
            )
            follows = k and rows[m][k - 1]
            lefts[k].append(
                {
                    suffix
                    for suffix in suffixes(text[before:begin])
                    if not follows or text.find(suffix, before) + len(suffix) == begin
                }
            )
    return [common(choices) for choices in lefts], [common(choices) for choices in rights]


def agrees(example, delimiters):
    """Whether a wrapper gives the known values back, and for the others any; None is unknown."""
    text, rows, partial = example
    extracted, failure = outcome(text, **delimiters)
    if not partial and (failure or len(extracted) != len(rows)):
        return False
    return (
        len(extracted) >= len(rows)
        and all(
            want in (None, got)
            for record, row in zip(extracted, rows, strict=False)
            for got, want in zip(record, row, strict=True)
        )
        and reproduces((text, extracted[: len(rows)], partial), delimiters)
    )


def outer_choices(examples):
    """The delimiters beside those of fields, where heads and tails may reach up to known values."""
    heads, tails, partly, empty = [], [], [], []
    for text, rows, partial in examples:
        spans = [span for row in rows for span in row if span]
        if rows:
            heads.append(text[: min([span[0] for span in spans], default=len(text))])
            after = text[max([span[1] for span in spans], default=0) :]
            (partly if partial else tails).append(after)
        elif not partial:
            empty.append(text)

    def among(parts):
        return common([substrings(text) for text in parts])

    anything = sorted(set().union(*(substrings(text) for text, _, _ in examples)))
    return {
        "head": ["", *among([*heads, *empty])],
        "tail": among([*tails, *empty] or partly),
        "open": among(heads),
        "close": ["", *(among(tails) if tails else anything)],
    }


def in_order(examples, order):
    """The examples with the columns of their rows in another order."""
    return [
        (text, [tuple(row[k] for k in order) for row in rows], partial)
        for text, rows, partial in examples
    ]


def learn_unknown(examples, outer, most):
    """6.5.1: every order of the fields and every choice of every delimiter; None without any, False
    where it is too many.
    """
    fields = next(len(rows[0]) for _, rows, _ in examples if rows)
    for order in permutations(range(fields)):
        delimiters = _learn_in_order(in_order(examples, order), outer, most)
        if delimiters is not None:
            return delimiters
    return None


def _learn_in_order(examples, outer, most):
    fields = next(len(rows[0]) for _, rows, _ in examples if rows)
    lefts, rights = known_sides(examples, fields)
    around = outer_choices(examples)
    choices = [*lefts, *rights, *(around[name] for name in outer)]
    if prod(map(len, choices)) > most:
        return False
    for chosen in product(*choices):
        delimiters = {
            "left": list(chosen[:fields]),
            "right": list(chosen[fields : 2 * fields]),
            **dict(zip(outer, chosen[2 * fields :], strict=True)),
        }
        if all(agrees(example, delimiters) for example in examples):
            return delimiters
    return None
