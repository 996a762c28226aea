"""N-HLRT against its definition: a slow executor and a search over all candidate delimiters."""

import random
from itertools import product

import pytest

import rowen
from rowen.extractors.saved import from_dict
from rowen.wrappers.racing.nhlrt import NHLRT, learn_class


def reference_values(text, head, tail, left, right):
    """The values that the definition gives, or None where a delimiter is missing."""
    cursor, before, values = text.find(head), -1, []
    if cursor < 0:
        return None
    while True:
        best = None
        for field in range(min(before + 2, len(left))):
            place = text.find(left[field], cursor)
            if place >= 0 and (best is None or place < best[0]):
                best = place, field
        stop = text.find(tail, cursor)
        if best is None or 0 <= stop <= best[0]:
            return values
        start = best[0] + len(left[best[1]])
        end = text.find(right[best[1]], start)
        if end < 0:
            return None
        values.append((best[1], start, end))
        cursor, before = end, best[1]


def gaps(pages, field):
    before, after = [], []
    for text, values in pages:
        ends = [0, *(end for _, _, end in values)]
        starts = [*(start for _, start, _ in values), len(text)]
        for number, (one, start, end) in enumerate(values):
            if one == field:
                before.append(text[ends[number] : start])
                after.append(text[end : starts[number + 1]])
    return min(before, key=len), min(after, key=len)


def substrings(text):
    return {text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)}


def fits(wrapper, text, values):
    """Whether the label is reproduced, and the tail stands after the last cursor."""
    cursor = values[-1][2] if values else text.find(wrapper[0])
    return text.find(wrapper[1], cursor) >= 0 and reference_values(text, *wrapper) == values


def exhaustive(pages, count):
    """Some consistent wrapper, found by trying all candidates.

    Only right delimiters are looked at one by one: whether they end values doesn't depend on
    anything else.
    """
    lefts, rights = [], []
    for field in range(count):
        before, after = gaps(pages, field)
        lefts.append([before[-n:] for n in range(1, len(before) + 1)])
        rights.append(
            next(
                (
                    after[:n]
                    for n in range(1, len(after) + 1)
                    if all(
                        text.find(after[:n], start) == end
                        for text, values in pages
                        for one, start, end in values
                        if one == field
                    )
                ),
                None,
            )
        )
    if None in rights:
        return None
    heads = [text[: values[0][1]] if values else text for text, values in pages]
    tails = [text[values[-1][2] :] if values else text for text, values in pages]
    for left in product(*lefts):
        for head in {"", *set.intersection(*map(substrings, heads))}:
            for tail in set.intersection(*map(substrings, tails)):
                wrapper = head, tail, left, rights
                if all(fits(wrapper, text, values) for text, values in pages):
                    return wrapper
    return None


def random_page(rng, alphabet, count):
    """A text with values of fields that nest, by chance."""
    parts, values, size, before = [], [], 0, -1
    for _ in range(rng.randint(0, 4)):
        field = rng.randint(0, min(before + 1, count - 1))
        for length, is_value in ((rng.randint(0, 3), False), (rng.randint(0, 2), True)):
            parts.append("".join(rng.choices(alphabet, k=length)))
            if is_value:
                values.append((field, size, size + length))
            size += length
        before = field
    parts.append("".join(rng.choices(alphabet, k=rng.randint(0, 3))))
    return "".join(parts), values


def templated_page(rng, alphabet, left, right):
    """A text that delimiters were put into, so that more of them can be learned."""
    text, values, before = "".join(rng.choices(alphabet, k=rng.randint(0, 3))), [], -1
    for _ in range(rng.randint(1, 4)):
        field = rng.randint(0, min(before + 1, len(left) - 1))
        text += "".join(rng.choices(alphabet, k=rng.randint(0, 1))) + left[field]
        value = "".join(rng.choices(alphabet, k=rng.randint(0, 2)))
        values.append((field, len(text), len(text) + len(value)))
        text += value + right[field]
        before = field
    return text + "".join(rng.choices(alphabet, k=rng.randint(0, 3))), values


def random_pages(rng):
    alphabet = rng.choice(["ab", "abc", "<>ab"])
    count = rng.randint(1, 3)
    if rng.random() < 0.3:
        return [random_page(rng, alphabet, count) for _ in range(rng.randint(1, 2))]
    left = ["".join(rng.choices(alphabet, k=rng.randint(1, 2))) for _ in range(count)]
    right = ["".join(rng.choices(alphabet, k=rng.randint(1, 2))) for _ in range(count)]
    return [templated_page(rng, alphabet, left, right) for _ in range(rng.randint(1, 2))]


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
    values = []
    for record in records:
        values.append((depth, *record.spans[names[depth]]))
        values += flat(record.children, names, depth + 1)
    return values


def examples_of(pages):
    return [
        rowen.Example(rowen.Page(text, id=str(number)), nested(values))
        for number, (text, values) in enumerate(pages)
    ]


def learned(pages):
    """A wrapper, or None where learning finds none."""
    try:
        return learn_class(examples_of(pages))
    except rowen.NoConsistentWrapper:
        return None


@pytest.mark.parametrize("seed", range(8))
def test_learns_exactly_when_exhaustive_search_finds_a_wrapper(seed):
    rng = random.Random(seed)
    found = refused = 0
    for _ in range(500):
        pages = random_pages(rng)
        count = 1 + max((field for _, values in pages for field, _, _ in values), default=-1)
        if count == 0:
            continue
        possible = exhaustive(pages, count)
        wrapper = learned(pages)
        assert (wrapper is None) == (possible is None), (pages, possible, wrapper)
        if wrapper is None:
            refused += 1
            continue
        found += 1
        for text, values in pages:
            parts = wrapper.head, wrapper.tail, wrapper.left, wrapper.right
            assert fits(parts, text, values)
            assert flat(wrapper.extract(text)) == values
    assert found > 50
    assert refused > 50


@pytest.mark.parametrize("seed", range(4))
def test_runs_as_defined(seed):
    rng = random.Random(seed)
    for _ in range(2000):
        alphabet = rng.choice(["ab", "abc"])
        text = "".join(rng.choices(alphabet, k=rng.randint(0, 16)))
        count = rng.randint(1, 3)
        left = ["".join(rng.choices(alphabet, k=rng.randint(1, 2))) for _ in range(count)]
        right = ["".join(rng.choices(alphabet, k=rng.randint(1, 2))) for _ in range(count)]
        head = "".join(rng.choices(alphabet, k=rng.randint(0, 1)))
        tail = "".join(rng.choices(alphabet, k=rng.randint(1, 2)))
        records = NHLRT("abc"[:count], left, right, head=head, tail=tail).extract(text)
        expected = reference_values(text, head, tail, left, right)
        assert (records.failure is not None) == (expected is None)
        if expected is not None:
            assert flat(records) == expected


TABLE_B4 = {
    "J": ("pA11qA12rA21sA22tA31uA32v", False),
    "K": ("[h[A11][(A12)[A21](A22)[A31](A32)t", False),
    "L": ("[A11][(A12)t[A21](A22)[A31](A32)t", False),
    "M": ("h[A11][(A12)[A21](A22)[A31](A32)t", False),
    "N": ("h[A11]-(A12)[A21](A22)[A31](A32)t(", True),
    "O": ("[h[A11](A12)[A21](A22)[A31](A32)t", True),
    "P": ("[h[A11i][A11ii](A12)[A21](A22)[A31](A32)t", True),
    "Q": ("[A11i][A11ii](A12)t[A21](A22)[A31](A32)t", False),
    "R": ("[A11](A12)t[A21](A22)[A31](A32)t", False),
    "S": ("h[A11])t(A12)[A21](A22)[A31](A32)t", False),
    "T": ("h[A11](A12)[A21](A22)[A31](A32)t", True),
    "U": ("h[A11i][A11ii](A12)[A21](A22)[A31](A32)t", True),
}


def table_example(text):
    values = []
    for word in ("A11i", "A11ii", "A11", "A12", "A21", "A22", "A31", "A32"):
        if word == "A11" and "A11i" in text:
            continue
        start = text.find(word + "]") if word.startswith("A11i") else text.find(word)
        if start >= 0:
            values.append((int(word[2]) - 1, start, start + len(word)))
    return rowen.Example(text, nested(sorted(values, key=lambda one: one[1]), "ab"))


@pytest.mark.parametrize("region", TABLE_B4)
def test_table_b4_row_by_row(region):
    text, wrappable = TABLE_B4[region]
    example = table_example(text)
    if not wrappable:
        with pytest.raises(rowen.NoConsistentWrapper):
            learn_class([example])
        return
    assert learn_class([example]).extract(text) == list(example.records)
    assert NHLRT("ab", "[(", "])", head="h", tail="t").extract(text) == list(example.records)


PAGE = "<p>menu</p><body><p>A</p><i>1</i><p>B</p><p>C</p><i>2</i><i>3</i><hr><p>foot</p>"


@pytest.fixture
def letters():
    def at(text):
        start = PAGE.index(f">{text}<") + 1
        return start, start + len(text)

    records = [
        {"letter": at("A"), "children": [{"number": at("1")}]},
        {"letter": at("B")},
        {"letter": at("C"), "children": [{"number": at("2")}, {"number": at("3")}]},
    ]
    return rowen.Example(rowen.Page(PAGE, id="letters"), records)


def test_prefers_whole_tags(letters):
    wrapper = rowen.learn([letters], "n-hlrt")
    assert (wrapper.head, wrapper.tail) == ("<body>", "<hr>")
    assert wrapper.left == ("<p>", "<i>")
    assert wrapper.right == ("</p>", "</i>")


def test_comes_back_from_a_file(letters, tmp_path):
    wrapper = learn_class([letters])
    wrapper.save(tmp_path / "w.json")
    again = rowen.load(tmp_path / "w.json")
    assert isinstance(again, NHLRT)
    assert again.to_definition() == wrapper.to_definition()
    assert again.extract(letters.page) == list(letters.records)


def test_explains_where_records_start_and_end(letters):
    told = learn_class([letters]).explain()
    assert "'<body>'" in told
    assert "'<hr>'" in told


def test_fails_without_a_head(letters):
    found = learn_class([letters]).extract("<p>A</p>")
    assert len(found) == 0
    assert "head" in found.failure


def test_a_saved_wrapper_needs_a_tail():
    definition = {"class": "n-hlrt", "fields": ["a"], "head": "", "left": ["<"], "right": [">"]}
    for tail in ({}, {"tail": ""}):
        with pytest.raises(rowen.ExtractorError, match="tail"):
            from_dict({"rowen": 1, "kind": "wrapper", **definition, **tail})


def test_a_page_whose_tail_ends_its_records_too_soon_has_no_wrapper(letters):
    other = rowen.Example("<body><hr><p>A</p>", nested([(0, 13, 14)], ["letter", "number"]))
    with pytest.raises(rowen.NoConsistentWrapper) as caught:
        learn_class([letters, other])
    assert caught.value.pages


def test_a_large_page_is_learned_and_read():
    row = "<h1>Part</h1>" + "<h2>Chapter</h2><p>Section and more</p>"
    head = "<p>skip</p><h1>skip</h1><table>"
    values, size = [], len(head)
    for _ in range(5000):
        values.append((0, size + 4, size + 8))
        values += [(1, size + 17, size + 24), (2, size + 32, size + 48)]
        size += len(row)
    text = head + row * 5000 + "</table>" + "<p>" * 3_000_000
    wrapper = learn_class([rowen.Example(text, nested(values))])
    assert flat(wrapper.extract(text)) == values
