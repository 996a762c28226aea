"""N-HLRT against its definition: a slow executor and a search over all candidate delimiters."""

import random

import pytest
from reference_racing import (
    exhaustive,
    flat,
    nested,
    nested_examples,
    random_nested,
    random_text,
    run_nested,
    table_b4_example,
    tail_stands,
    try_learning,
)

import rowen
from rowen.extractors.saved import from_dict
from rowen.wrappers.racing.nhlrt import NHLRT, learn_class


@pytest.mark.parametrize("seed", range(8))
def test_learns_exactly_when_exhaustive_search_finds_a_wrapper(seed):
    rng = random.Random(seed)
    found = refused = 0
    for _ in range(500):
        pages = random_nested(rng, 3)
        count = 1 + max((field for _, values in pages for field, _, _ in values), default=-1)
        if count == 0:
            continue

        def fits(number, left, right, pages=pages, **frame):
            text, values = pages[number]
            return run_nested(text, left, right, **frame) == values

        possible = exhaustive(pages, count, fits, framed=True)
        wrapper = try_learning(learn_class, nested_examples(pages))
        assert (wrapper is None) == (possible is None), (pages, possible, wrapper)
        if wrapper is None:
            refused += 1
            continue
        found += 1
        for text, values in pages:
            frame = {"head": wrapper.head, "tail": wrapper.tail}
            assert tail_stands(text, values, **frame)
            assert run_nested(text, wrapper.left, wrapper.right, **frame) == values
            assert flat(wrapper.extract(text)) == values
    assert found > 50
    assert refused > 50


@pytest.mark.parametrize("seed", range(4))
def test_runs_as_defined(seed):
    rng = random.Random(seed)
    for _ in range(2000):
        alphabet = rng.choice(["ab", "abc"])
        text = random_text(rng, alphabet, 0, 16)
        count = rng.randint(1, 3)
        left = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
        right = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
        head = random_text(rng, alphabet, 0, 1)
        tail = random_text(rng, alphabet, 1, 2)
        records = NHLRT("abc"[:count], left, right, head=head, tail=tail).extract(text)
        expected = run_nested(text, left, right, head=head, tail=tail)
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


@pytest.mark.parametrize("region", TABLE_B4)
def test_table_b4_row_by_row(region):
    text, wrappable = TABLE_B4[region]
    example = table_b4_example(text)
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
