"""The nested and missing-field classes, slow and obvious: learned by trying everything."""

from itertools import combinations, permutations, product
from math import prod

import rowen


def run_nested(text, left, right, *, head="", tail=None):
    """The values that N-LR, or with a frame N-HLRT, gives; None where a delimiter is missing."""
    cursor, before, values = text.find(head), -1, []
    if cursor < 0:
        return None
    while True:
        best = None
        for field in range(min(before + 2, len(left))):
            place = text.find(left[field], cursor)
            if place >= 0 and (best is None or place < best[0]):
                best = place, field
        if best is None or _ended(text, tail, cursor, best[0]):
            return values
        start = best[0] + len(left[best[1]])
        end = text.find(right[best[1]], start)
        if end < 0:
            return None
        values.append((best[1], start, end))
        cursor, before = end, best[1]


def run_missing(text, first, left, right, *, head="", tail=None):
    """The records that M-LR, or with a frame M-HLRT, gives; None where a delimiter is missing."""
    values, failed = trace_missing(text, first, left, right, head=head, tail=tail)
    return None if failed else records_of(values, len(left))


def trace_missing(text, first, left, right, *, head="", tail=None):
    """The values that M-LR or M-HLRT finds, and whether it fails after them."""
    cursor, before, values = text.find(head), -1, []
    if cursor < 0:
        return values, True
    while True:
        due = [*range(before + 1, len(left)), *range(before + 1)] if before >= 0 else first
        matches = []
        for number, field in enumerate(due):
            place = text.find(left[field], cursor) if left[field] else -1
            if place >= 0 and (field > before >= 0 or field in first):
                matches.append((place, -len(left[field]), number, field))
        if not matches or _ended(text, tail, cursor, min(matches)[0]):
            return values, False
        place, _, _, field = min(matches)
        start = place + len(left[field])
        end = text.find(right[field], start)
        if end < 0:
            return values, True
        values.append((field, start, end))
        cursor, before = end, field


def records_of(values, count):
    """Values in page order as flat records."""
    records, before = [], count
    for field, start, end in values:
        if field <= before:
            records.append([None] * count)
        records[-1][field] = (start, end)
        before = field
    return records


def _ended(text, tail, cursor, place):
    return tail is not None and 0 <= text.find(tail, cursor) <= place


def values_of(records):
    """The values of flat records in page order."""
    return [(field, *span) for record in records for field, span in enumerate(record) if span]


def exhaustive(pages, count, fits, *, framed):
    """Delimiters that fit all pages, found by trying all candidates (5.3.3); None without any.

    `pages` are texts with their values; `fits` tells of a page's number and delimiters whether its
    label comes back. Only right delimiters are looked at one by one: whether they end values
    doesn't depend on anything else.
    """
    lefts, rights = [], []
    for field in range(count):
        if all(field != number for _, values in pages for number, _, _ in values):
            lefts.append([""])
            rights.append("")
            continue
        before, after = _gaps(pages, field)
        lefts.append([before[-n:] for n in range(1, len(before) + 1)])
        rights.append(_right(pages, field, after))
    if None in rights:
        return None
    for left in product(*lefts):
        for frame in _frames(pages) if framed else [{}]:
            if all(
                tail_stands(text, values, **frame) and fits(number, left, rights, **frame)
                for number, (text, values) in enumerate(pages)
            ):
                return left, rights, frame
    return None


def tail_stands(text, values, head="", tail=None):
    """Whether the tail stands after the last cursor, as learning wants it."""
    cursor = values[-1][2] if values else text.find(head)
    return tail is None or text.find(tail, cursor) >= 0


UNKNOWN = "?"


def known_values(records):
    """The values of flat records in page order, of which some are unknown."""
    return values_of([[None if span == UNKNOWN else span for span in row] for row in records])


def leave_open(examples):
    """Whether there are values, and some are unknown of fields that any record tells of."""
    rows = [record for _, records, _ in examples for record in records]
    columns = [column for column in zip(*rows, strict=True) if {*column} != {UNKNOWN}]
    return bool(known_values(rows)) and any(UNKNOWN in column for column in columns)


def agrees(example, first, left, right, **frame):
    """Whether a wrapper gives back what is known of an example; an unknown cell has any value, or
    none. On a partial page nothing is asked of what follows the last known value.
    """
    text, records, partial = example
    values, failed = trace_missing(text, first, left, right, **frame)
    if partial:
        marked = known_values(records)
        if not marked:
            return True
        if marked[-1] not in values:
            return False
        extracted = records_of(values[: values.index(marked[-1]) + 1], len(left))
        if known_values(records[len(extracted) :]):
            return False
    else:
        extracted = records_of(values, len(left))
        if failed or len(extracted) != len(records) or not tail_stands(text, values, **frame):
            return False
    return len(extracted) <= len(records) and all(
        want in (UNKNOWN, got)
        for record, row in zip(extracted, records, strict=False)
        for got, want in zip(record, row, strict=True)
    )


def in_order(examples, order):
    """The examples with the fields of their records in another order."""
    return [
        (text, [[record[field] for field in order] for record in records], partial)
        for text, records, partial in examples
    ]


def exhaustive_unknown(examples, count, *, framed, most):
    """An order of the fields, beginners and delimiters that agree with all examples, found by
    trying all; None without any, False where these are too many.
    """
    for order in permutations(range(count)):
        delimiters = _exhaustive_in_order(
            in_order(examples, order), count, framed=framed, most=most
        )
        if delimiters is not None:
            return delimiters and (order, *delimiters)
    return None


def _exhaustive_in_order(examples, count, *, framed, most):
    pages = [(text, known_values(records)) for text, records, _ in examples]
    lefts, rights = [], []
    for field in range(count):
        if all(field != number for _, values in pages for number, _, _ in values):
            lefts.append([""])
            rights.append([""])
            continue
        before, after = _gaps(pages, field)
        places = [(text, value) for text, values in pages for value in values if value[0] == field]
        lefts.append(
            [
                before[-n:]
                for n in range(1, len(before) + 1)
                if all(text.endswith(before[-n:], 0, start) for text, (_, start, _) in places)
            ]
        )
        rights.append(
            [
                after[:n]
                for n in range(1, len(after) + 1)
                if all(text.find(after[:n], start) == end for text, (_, start, end) in places)
            ]
        )
    seen = [field for field in range(count) if lefts[field] != [""]]
    if any(
        all(record[n] is None for n in seen) for _, records, _ in examples for record in records
    ):
        return None
    firsts = [first for n in range(1, len(seen) + 1) for first in combinations(seen, n)]
    frames = list(_loose_frames(examples)) if framed else [{}]
    choices = [firsts, frames, product(*lefts), product(*rights)]
    sizes = [len(firsts), len(frames), *map(len, lefts), *map(len, rights)]
    if prod(sizes) > most:
        return False
    for first, frame, left, right in product(*choices):
        if all(agrees(example, first, left, right, **frame) for example in examples):
            return first, left, right, frame
    return None


def _loose_frames(examples):
    """Heads that may reach up to the first known values, and tails from the last known ones on."""
    heads, tails = [], []
    for text, records, partial in examples:
        values = known_values(records)
        if records or not partial:
            heads.append(text[: values[0][1]] if values else text)
            tails.append(text[values[-1][2] :] if values else text)
    for head in {"", *set.intersection(*map(_substrings, heads))}:
        for tail in set.intersection(*map(_substrings, tails)):
            yield {"head": head, "tail": tail}


def _gaps(pages, field):
    """The shortest texts before and after values of a field."""
    before, after = [], []
    for text, values in pages:
        ends = [0, *(end for _, _, end in values)]
        starts = [*(start for _, start, _ in values), len(text)]
        for number, (own, start, end) in enumerate(values):
            if own == field:
                before.append(text[ends[number] : start])
                after.append(text[end : starts[number + 1]])
    return min(before, key=len), min(after, key=len)


def _right(pages, field, after):
    for length in range(1, len(after) + 1):
        if all(
            text.find(after[:length], start) == end
            for text, values in pages
            for own, start, end in values
            if own == field
        ):
            return after[:length]
    return None


def _frames(pages):
    heads = [text[: values[0][1]] if values else text for text, values in pages]
    tails = [text[values[-1][2] :] if values else text for text, values in pages]
    for head in {"", *set.intersection(*map(_substrings, heads))}:
        for tail in set.intersection(*map(_substrings, tails)):
            yield {"head": head, "tail": tail}


def _substrings(text):
    return {text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)}


def random_text(rng, alphabet, least, most):
    return "".join(rng.choices(alphabet, k=rng.randint(least, most)))


def random_nested(rng, room):
    """Pages with values of fields that nest; at most `room` characters stand around them."""
    alphabet = rng.choice(["ab", "abc", "<>ab"])
    count = rng.randint(1, 3)
    if rng.random() < 0.3:
        return [_chance_page(rng, alphabet, count) for _ in range(rng.randint(1, 2))]
    left = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
    right = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
    return [_nested_page(rng, alphabet, left, right, room) for _ in range(rng.randint(1, 2))]


def _chance_page(rng, alphabet, count):
    """A text with values of fields that nest, by chance."""
    text, values, before = "", [], -1
    for _ in range(rng.randint(0, 4)):
        field = rng.randint(0, min(before + 1, count - 1))
        text += random_text(rng, alphabet, 0, 3)
        start = len(text)
        text += random_text(rng, alphabet, 0, 2)
        values.append((field, start, len(text)))
        before = field
    return text + random_text(rng, alphabet, 0, 3), values


def _nested_page(rng, alphabet, left, right, room):
    """A text that delimiters were put into, so that more of them can be learned."""
    text, values, before = random_text(rng, alphabet, 0, room), [], -1
    for _ in range(rng.randint(1, 4)):
        field = rng.randint(0, min(before + 1, len(left) - 1))
        text += random_text(rng, alphabet, 0, 1) + left[field]
        value = random_text(rng, alphabet, 0, 2)
        values.append((field, len(text), len(text) + len(value)))
        text += value + right[field]
        before = field
    return text + random_text(rng, alphabet, 0, room), values


def random_missing(rng, room):
    """Pages with flat records of which fields are missing, and how many fields there are."""
    alphabet = rng.choice(["ab", "abc", "<>ab"])
    count = rng.randint(1, 3)
    left = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
    right = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
    required = rng.choice([None, 0, 0])
    return [
        _missing_page(rng, alphabet, left, right, required, room) for _ in range(rng.randint(1, 2))
    ], count


def _missing_page(rng, alphabet, left, right, required, room):
    """A text with delimiters, most of them right, and its records."""
    text, records = random_text(rng, alphabet, 0, room), []
    for _ in range(rng.randint(0, 3)):
        record = [None] * len(left)
        for field in range(len(left)):
            if rng.random() < 0.3 and field != required:
                continue
            wrong = rng.random() < 0.03
            text += random_text(rng, alphabet, 0, 1)
            text += random_text(rng, alphabet, 0, 2) if wrong else left[field]
            start = len(text)
            text += random_text(rng, alphabet, 0, 2)
            record[field] = (start, len(text))
            text += right[field]
        if any(record):
            records.append(record)
    return text + random_text(rng, alphabet, 0, room), records


def blotted(rng, labels):
    """Labels of which some values are unknown, and some pages partial."""
    rate = rng.choice([0.1, 0.3, 0.6])
    return [
        (
            text,
            [[UNKNOWN if rng.random() < rate else span for span in record] for record in records],
            rng.random() < 0.15,
        )
        for text, records in labels
    ]


def nested(values, names="abc"):
    """A label from values in page order."""
    roots = []
    path = []
    for field, start, end in values:
        del path[field:]
        record = {names[field]: (start, end), "children": []}
        (path[-1]["children"] if path else roots).append(record)
        path.append(record)
    return roots


def flat(records, names="abc", depth=0):
    """The values of nested records in page order."""
    values = []
    for record in records:
        values.append((depth, *record.spans[names[depth]]))
        values += flat(record.children, names, depth + 1)
    return values


def rows_of(records, fields):
    """Flat records as rows of bounds."""
    return [[record.spans[name] for name in fields] for record in records]


def nested_examples(pages):
    return [
        rowen.Example(rowen.Page(text, id=str(number)), nested(values))
        for number, (text, values) in enumerate(pages)
    ]


def missing_examples(labels):
    return [
        rowen.Example(
            rowen.Page(text, id=str(number)),
            [dict(zip("abc", record, strict=False)) for record in records],
        )
        for number, (text, records) in enumerate(labels)
    ]


def unknown_examples(examples):
    return [
        rowen.Example(
            rowen.Page(text, id=str(number)),
            [
                {name: span for name, span in zip("abc", record, strict=False) if span != UNKNOWN}
                for record in records
            ],
            partial=partial,
        )
        for number, (text, records, partial) in enumerate(examples)
    ]


def table_b4_example(text):
    """A row of the thesis' table B.4 with its label."""
    values = []
    for word in ("A11i", "A11ii", "A11", "A12", "A21", "A22", "A31", "A32"):
        if word == "A11" and "A11i" in text:
            continue
        start = text.find(word + "]") if word.startswith("A11i") else text.find(word)
        if start >= 0:
            values.append((int(word[2]) - 1, start, start + len(word)))
    return rowen.Example(text, nested(sorted(values, key=lambda value: value[1]), "ab"))


def try_learning(learn_class, examples):
    """A wrapper, or None where learning finds none."""
    try:
        return learn_class(examples)
    except rowen.NoConsistentWrapper:
        return None


ROWS = [("A", "1", "x"), ("B", None, "y"), ("C", "3", None), (None, "4", "z"), ("E", None, None)]
FRAME = ("<p><b>Menu</b></p><table>", "</table><p><b>End</b><i>!</i></p>")
"""What stands around the rows of a page that only wrappers with head and tail can read."""


def missing_page(rows, head="<table>", tail="</table>"):
    """A page, and its records."""
    text, records = head, []
    for row in rows:
        record = {}
        text += "<tr>"
        for name, tag, value in zip(("letter", "number", "sign"), "biu", row, strict=True):
            text += f"<{tag}>" * (value is not None)
            record[name] = None if value is None else (len(text), len(text) + len(value))
            text += "" if value is None else f"{value}</{tag}>"
        text += "</tr>"
        records.append(record)
    return rowen.Example(rowen.Page(text + tail, id="rows"), records)
