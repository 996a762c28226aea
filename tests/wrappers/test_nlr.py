"""N-LR against its definition: a slow executor and a search over all candidate delimiters."""

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
    try_learning,
)

import rowen
from rowen.extractors.saved import from_dict
from rowen.wrappers.racing.nlr import NLR, learn_class


@pytest.mark.parametrize("seed", range(8))
def test_learns_exactly_when_exhaustive_search_finds_a_wrapper(seed):
    rng = random.Random(seed)
    found = refused = 0
    for _ in range(1000):
        pages = random_nested(rng, 1)
        count = 1 + max((field for _, values in pages for field, _, _ in values), default=-1)
        if count == 0:
            continue

        def fits(number, left, right, pages=pages, **frame):
            text, values = pages[number]
            return run_nested(text, left, right, **frame) == values

        possible = exhaustive(pages, count, fits, framed=False)
        wrapper = try_learning(learn_class, nested_examples(pages))
        assert (wrapper is None) == (possible is None), (pages, possible, wrapper)
        if wrapper is None:
            refused += 1
            continue
        found += 1
        for text, values in pages:
            assert run_nested(text, wrapper.left, wrapper.right) == values
            assert flat(wrapper.extract(text)) == values
    assert found > 100
    assert refused > 100


@pytest.mark.parametrize("seed", range(4))
def test_runs_as_defined(seed):
    rng = random.Random(seed)
    for _ in range(2000):
        alphabet = rng.choice(["ab", "abc"])
        text = random_text(rng, alphabet, 0, 16)
        count = rng.randint(1, 3)
        left = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
        right = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
        records = NLR("abc"[:count], left, right).extract(text)
        expected = run_nested(text, left, right)
        assert (records.failure is not None) == (expected is None)
        if expected is not None:
            assert flat(records) == expected


TABLE_B4 = {
    "J": ("pA11qA12rA21sA22tA31uA32v", False),
    "K": ("[h[A11][(A12)[A21](A22)[A31](A32)t", False),
    "L": ("[A11][(A12)t[A21](A22)[A31](A32)t", False),
    "M": ("h[A11][(A12)[A21](A22)[A31](A32)t", False),
    "N": ("h[A11]-(A12)[A21](A22)[A31](A32)t(", False),
    "O": ("[h[A11](A12)[A21](A22)[A31](A32)t", False),
    "P": ("[h[A11i][A11ii](A12)[A21](A22)[A31](A32)t", False),
    "Q": ("[A11i][A11ii](A12)t[A21](A22)[A31](A32)t", True),
    "R": ("[A11](A12)t[A21](A22)[A31](A32)t", True),
    "S": ("h[A11])t(A12)[A21](A22)[A31](A32)t", True),
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
    assert NLR("ab", "[(", "])").extract(text) == list(example.records)


CONTENTS = (
    "<h1>Part I</h1><h2>One</h2><p>1.1</p><p>1.2</p><h2>Two</h2><h1>Part II</h1><h2>Three</h2>"
    "<p>3.1</p><hr>"
)


@pytest.fixture
def contents():
    def at(text):
        start = CONTENTS.index(f">{text}<") + 1
        return start, start + len(text)

    records = [
        {
            "part": at("Part I"),
            "children": [
                {
                    "chapter": at("One"),
                    "children": [{"section": at("1.1")}, {"section": at("1.2")}],
                },
                {"chapter": at("Two")},
            ],
        },
        {
            "part": at("Part II"),
            "children": [{"chapter": at("Three"), "children": [{"section": at("3.1")}]}],
        },
    ]
    return rowen.Example(rowen.Page(CONTENTS, id="contents"), records)


def test_prefers_whole_tags(contents):
    wrapper = rowen.learn([contents], "n-lr")
    assert wrapper.left == ("<h1>", "<h2>", "<p>")
    assert wrapper.right == ("</h1>", "</h2>", "</p>")


def test_gives_nested_records(contents):
    wrapper = learn_class([contents])
    found = wrapper.extract("<h1>X</h1><h1>Y</h1><h2>Z</h2><p>W</p>")
    assert [record.values for record in found] == [{"part": "X"}, {"part": "Y"}]
    assert found[1].children[0].children[0].values == {"section": "W"}


def test_comes_back_from_a_file(contents, tmp_path):
    wrapper = learn_class([contents])
    wrapper.save(tmp_path / "w.json")
    again = rowen.load(tmp_path / "w.json")
    assert isinstance(again, NLR)
    assert again.to_definition() == wrapper.to_definition()
    assert again.version == wrapper.version
    assert again.extract(contents.page) == list(contents.records)


def test_explains_itself_with_fields_and_delimiters(contents):
    told = learn_class([contents]).explain()
    assert "part > chapter > section" in told
    assert "'<h2>'" in told


def test_fails_with_the_outermost_records_that_were_complete(contents):
    wrapper = learn_class([contents])
    inside = wrapper.extract("<h1>A</h1><h2>B</h2><h1>C</h1><h2>D")
    assert [record.values["part"] for record in inside] == ["A"]
    assert "'chapter'" in inside.failure
    outside = wrapper.extract("<h1>A</h1><h2>B</h2><h1>C")
    assert [record.values["part"] for record in outside] == ["A"]
    assert outside[0].children[0].values == {"chapter": "B"}


def test_names_the_field_and_the_page_in_conflict():
    good = rowen.Example(rowen.Page("[A](B)", id="good"), nested([(0, 1, 2), (1, 4, 5)]))
    bad = rowen.Example(rowen.Page("[A]{B)", id="bad"), nested([(0, 1, 2), (1, 4, 5)]))
    with pytest.raises(rowen.NoConsistentWrapper) as caught:
        learn_class([good, bad])
    assert caught.value.field == "b"
    assert caught.value.pages == ("good", "bad")


def test_refuses_labels_that_are_not_nested():
    with pytest.raises(rowen.NoConsistentWrapper, match="isn't nested"):
        learn_class([rowen.Example("[A](B)", [{"a": (1, 2), "b": (4, 5)}])])
    with pytest.raises(rowen.NoConsistentWrapper, match="level 2"):
        learn_class([rowen.Example("[A](B)", [{"a": (1, 2), "children": [{"a": (4, 5)}]}])])


def test_contradicting_labels_have_no_wrapper():
    pages = [[(0, 1, 2)], [(0, 4, 5)]]
    with pytest.raises(rowen.NoConsistentWrapper):
        learn_class([rowen.Example("[A](B)", nested(values)) for values in pages])


def test_a_partial_label_holds_the_first_records():
    text = "[A](B)[C](D)[E]"
    wrapper = learn_class([rowen.Example(text, nested([(0, 1, 2), (1, 4, 5)]), partial=True)])
    assert flat(wrapper.extract(text))[:2] == [(0, 1, 2), (1, 4, 5)]


def test_a_large_page_is_learned_and_read():
    row = "<h1>Part</h1>" + "<h2>Chapter</h2><p>Section and more</p>"
    values, size = [], len("<html>")
    for _ in range(5000):
        values.append((0, size + 4, size + 8))
        values += [(1, size + 17, size + 24), (2, size + 32, size + 48)]
        size += len(row)
    text = "<html>" + row * 5000 + "<p" * 4_500_000
    wrapper = learn_class([rowen.Example(text, nested(values))])
    assert flat(wrapper.extract(text)) == values


def test_broken_files_are_told():
    good = {"class": "n-lr", "fields": ["a"], "left": ["<"], "right": [">"]}
    assert from_dict({"rowen": 1, "kind": "wrapper", **good}).fields == ("a",)
    for wrong in ({"left": ["<", "("]}, {"left": [""]}, {"right": [""]}, {"left": [1]}):
        with pytest.raises(rowen.ExtractorError):
            from_dict({"rowen": 1, "kind": "wrapper", **good, **wrong})
