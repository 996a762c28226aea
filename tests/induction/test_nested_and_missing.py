"""The classes N-LR, N-HLRT, M-LR and M-HLRT against their definitions: a slow executor and a
search over all candidate delimiters. What only M-LR and M-HLRT share is in `test_missing`.
"""

import random
from dataclasses import dataclass
from types import ModuleType

import pytest
from reference_earliest import (
    FRAME,
    ROWS,
    exhaustive,
    flat,
    missing_examples,
    missing_page,
    nested,
    nested_examples,
    random_missing,
    random_nested,
    random_text,
    rows_of,
    run_missing,
    run_nested,
    table_b4_example,
    tail_stands,
    try_learning,
    values_of,
)

import rowen
from rowen.extractors.saved import from_dict
from rowen.induction import mhlrt, mlr, nhlrt, nlr
from rowen.wrappers.mhlrt import MHLRT
from rowen.wrappers.mlr import MLR
from rowen.wrappers.nhlrt import NHLRT
from rowen.wrappers.nlr import NLR

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Nested:
    """How labels of nested records are made and compared: values in page order."""

    module: ModuleType
    wrapper: type
    framed: bool

    def random_labels(self, rng, room):
        pages = random_nested(rng, room)
        return pages, 1 + max((field for _, values in pages for field, _, _ in values), default=-1)

    examples = staticmethod(nested_examples)

    def beginners(self, labels, count):  # noqa: ARG002  # the outermost field begins records
        return [0]

    def values(self, label):
        return label

    def run_reference(self, text, first, left, right, **frame):  # noqa: ARG002
        return run_nested(text, left, right, **frame)

    def read(self, records, fields):  # noqa: ARG002
        return flat(records)

    def random_beginners(self, rng, count):  # noqa: ARG002
        return [0]

    def build(self, names, first, left, right, **frame):  # noqa: ARG002
        return self.wrapper(names, left, right, **frame)


@dataclass(frozen=True)
class Missing:
    """How labels of records with missing fields are made and compared: rows of spans."""

    module: ModuleType
    wrapper: type
    framed: bool

    random_labels = staticmethod(random_missing)
    examples = staticmethod(missing_examples)

    def beginners(self, labels, count):  # noqa: ARG002
        rows = [record for _, records in labels for record in records]
        return sorted({next(n for n, span in enumerate(row) if span) for row in rows})

    def values(self, label):
        return values_of(label)

    def run_reference(self, text, first, left, right, **frame):
        return run_missing(text, first, left, right, **frame)

    def read(self, records, fields):
        return rows_of(records, fields)

    def random_beginners(self, rng, count):
        return sorted(rng.sample(range(count), rng.randint(1, count)))

    def build(self, names, first, left, right, **frame):
        return self.wrapper(names, left, right, first=[names[n] for n in first], **frame)


KINDS = {
    "n-lr": Nested(nlr, NLR, framed=False),
    "n-hlrt": Nested(nhlrt, NHLRT, framed=True),
    "m-lr": Missing(mlr, MLR, framed=False),
    "m-hlrt": Missing(mhlrt, MHLRT, framed=True),
}
every_class = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
nested_classes = pytest.mark.parametrize(
    "kind", [KINDS["n-lr"], KINDS["n-hlrt"]], ids=["n-lr", "n-hlrt"]
)
missing_classes = pytest.mark.parametrize(
    "kind", [KINDS["m-lr"], KINDS["m-hlrt"]], ids=["m-lr", "m-hlrt"]
)


@every_class
@pytest.mark.parametrize("seed", range(8))
def test_learns_exactly_when_exhaustive_search_finds_a_wrapper(kind, seed):
    rng = random.Random(seed)
    learned = refused = 0
    # Heads and tails need room around the records, and make the search longer.
    cases, room = (500, 3) if kind.framed else (1000, 1)
    for _ in range(cases):
        labels, count = kind.random_labels(rng, room)
        pages = [(text, kind.values(label)) for text, label in labels]
        if not any(values for _, values in pages):
            continue
        first = kind.beginners(labels, count)

        def fits(number, left, right, labels=labels, first=first, **frame):
            text, label = labels[number]
            return kind.run_reference(text, first, left, right, **frame) == label

        possible = exhaustive(pages, count, fits, framed=kind.framed)
        wrapper = try_learning(kind.module.learn_class, kind.examples(labels))
        assert (wrapper is None) == (possible is None), (labels, possible, wrapper)
        if wrapper is None:
            refused += 1
            continue
        learned += 1
        frame = {"head": wrapper.head, "tail": wrapper.tail} if kind.framed else {}
        for (text, label), (_, values) in zip(labels, pages, strict=True):
            assert tail_stands(text, values, **frame)
            assert kind.run_reference(text, first, wrapper.left, wrapper.right, **frame) == label
            assert kind.read(wrapper.extract(text), wrapper.fields) == label
    assert learned > cases / 10
    assert refused > cases / 10


@every_class
@pytest.mark.parametrize("seed", range(4))
def test_runs_as_defined(kind, seed):
    rng = random.Random(seed)
    for _ in range(2000):
        alphabet = rng.choice(["ab", "abc"])
        text = random_text(rng, alphabet, 0, 16)
        count = rng.randint(1, 3)
        names = "abc"[:count]
        first = kind.random_beginners(rng, count)
        left = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
        right = [random_text(rng, alphabet, 1, 2) for _ in range(count)]
        frame = {}
        if kind.framed:
            frame = {
                "head": random_text(rng, alphabet, 0, 1),
                "tail": random_text(rng, alphabet, 1, 2),
            }
        records = kind.build(names, first, left, right, **frame).extract(text)
        expected = kind.run_reference(text, first, left, right, **frame)
        assert (records.failure is not None) == (expected is None)
        if expected is not None:
            assert kind.read(records, names) == expected


# The thesis' table B.4: a page of each region, and which classes wrap it.
TABLE_B4 = {
    "J": ("pA11qA12rA21sA22tA31uA32v", ()),
    "K": ("[h[A11][(A12)[A21](A22)[A31](A32)t", ()),
    "L": ("[A11][(A12)t[A21](A22)[A31](A32)t", ()),
    "M": ("h[A11][(A12)[A21](A22)[A31](A32)t", ()),
    "N": ("h[A11]-(A12)[A21](A22)[A31](A32)t(", ("n-hlrt",)),
    "O": ("[h[A11](A12)[A21](A22)[A31](A32)t", ("n-hlrt",)),
    "P": ("[h[A11i][A11ii](A12)[A21](A22)[A31](A32)t", ("n-hlrt",)),
    "Q": ("[A11i][A11ii](A12)t[A21](A22)[A31](A32)t", ("n-lr",)),
    "R": ("[A11](A12)t[A21](A22)[A31](A32)t", ("n-lr",)),
    "S": ("h[A11])t(A12)[A21](A22)[A31](A32)t", ("n-lr",)),
    "T": ("h[A11](A12)[A21](A22)[A31](A32)t", ("n-lr", "n-hlrt")),
    "U": ("h[A11i][A11ii](A12)[A21](A22)[A31](A32)t", ("n-lr", "n-hlrt")),
}


@nested_classes
@pytest.mark.parametrize("region", TABLE_B4)
def test_table_b4_row_by_row(kind, region):
    text, classes = TABLE_B4[region]
    example = table_b4_example(text)
    if kind.wrapper.wrapper_class not in classes:
        with pytest.raises(rowen.NoConsistentWrapper):
            kind.module.learn_class([example])
        return
    assert kind.module.learn_class([example]).extract(text) == list(example.records)
    frame = {"head": "h", "tail": "t"} if kind.framed else {}
    assert kind.wrapper("ab", "[(", "])", **frame).extract(text) == list(example.records)


CONTENTS = (
    "<h1>Part I</h1><h2>One</h2><p>1.1</p><p>1.2</p><h2>Two</h2><h1>Part II</h1><h2>Three</h2>"
    "<p>3.1</p><hr>"
)
LETTERS = "<p>menu</p><body><p>A</p><i>1</i><p>B</p><p>C</p><i>2</i><i>3</i><hr><p>foot</p>"


def place(page, text):
    start = page.index(f">{text}<") + 1
    return start, start + len(text)


@pytest.fixture
def contents():
    """Three levels from the start of the page to its end."""
    records = [
        {
            "part": place(CONTENTS, "Part I"),
            "children": [
                {
                    "chapter": place(CONTENTS, "One"),
                    "children": [
                        {"section": place(CONTENTS, "1.1")},
                        {"section": place(CONTENTS, "1.2")},
                    ],
                },
                {"chapter": place(CONTENTS, "Two")},
            ],
        },
        {
            "part": place(CONTENTS, "Part II"),
            "children": [
                {
                    "chapter": place(CONTENTS, "Three"),
                    "children": [{"section": place(CONTENTS, "3.1")}],
                }
            ],
        },
    ]
    return rowen.Example(rowen.Page(CONTENTS, id="contents"), records)


@pytest.fixture
def letters():
    """Two levels between a head and a tail."""
    records = [
        {"letter": place(LETTERS, "A"), "children": [{"number": place(LETTERS, "1")}]},
        {"letter": place(LETTERS, "B")},
        {
            "letter": place(LETTERS, "C"),
            "children": [{"number": place(LETTERS, "2")}, {"number": place(LETTERS, "3")}],
        },
    ]
    return rowen.Example(rowen.Page(LETTERS, id="letters"), records)


@pytest.fixture
def example(kind, contents, letters):
    """A page that the class can wrap."""
    if isinstance(kind, Missing):
        return missing_page(ROWS, *(FRAME if kind.framed else ()))
    return letters if kind.framed else contents


WHOLE_TAGS = {
    "n-lr": (("<h1>", "<h2>", "<p>"), ("</h1>", "</h2>", "</p>"), None),
    "n-hlrt": (("<p>", "<i>"), ("</p>", "</i>"), ("<body>", "<hr>")),
    "m-lr": (("<b>", "<i>", "<u>"), ("</b>", "</i>", "</u>"), None),
    "m-hlrt": (("<b>", "<i>", "<u>"), ("</b>", "</i>", "</u>"), ("<table>", "</table>")),
}


@every_class
def test_prefers_whole_tags(kind, example):
    name = kind.wrapper.wrapper_class
    wrapper = rowen.learn([example], name)
    left, right, frame = WHOLE_TAGS[name]
    assert wrapper.left == left
    assert wrapper.right == right
    if kind.framed:
        assert (wrapper.head, wrapper.tail) == frame


@nested_classes
def test_comes_back_from_a_file(kind, example, tmp_path):
    wrapper = kind.module.learn_class([example])
    wrapper.save(tmp_path / "w.json")
    loaded = rowen.load(tmp_path / "w.json")
    assert type(loaded) is kind.wrapper
    assert loaded.to_definition() == wrapper.to_definition()
    assert loaded.version == wrapper.version
    assert loaded.extract(example.page) == list(example.records)


EXPLAINED = {"n-lr": ("part > chapter > section", "'<h2>'"), "n-hlrt": ("'<body>'", "'<hr>'")}


@nested_classes
def test_explains_itself_with_fields_and_delimiters(kind, example):
    explanation = kind.module.learn_class([example]).explain()
    for words in EXPLAINED[kind.wrapper.wrapper_class]:
        assert words in explanation


@nested_classes
def test_a_large_nested_page_is_learned_and_read(kind):
    row = "<h1>Part</h1>" + "<h2>Chapter</h2><p>Section and more</p>"
    head, tail = "<html>", "<p" * 4_500_000
    if kind.framed:
        head, tail = "<p>skip</p><h1>skip</h1><table>", "</table>" + "<p>" * 3_000_000
    values, size = [], len(head)
    for _ in range(5000):
        values.append((0, size + 4, size + 8))
        values += [(1, size + 17, size + 24), (2, size + 32, size + 48)]
        size += len(row)
    text = head + row * 5000 + tail
    wrapper = kind.module.learn_class([rowen.Example(text, nested(values))])
    assert flat(wrapper.extract(text)) == values


def test_gives_nested_records(contents):
    wrapper = nlr.learn_class([contents])
    records = wrapper.extract("<h1>X</h1><h1>Y</h1><h2>Z</h2><p>W</p>")
    assert [record.values for record in records] == [{"part": "X"}, {"part": "Y"}]
    assert records[1].children[0].children[0].values == {"section": "W"}


def test_fails_with_the_outermost_records_that_were_complete(contents):
    wrapper = nlr.learn_class([contents])
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
        nlr.learn_class([good, bad])
    assert caught.value.field == "b"
    assert caught.value.pages == ("good", "bad")


@nested_classes
def test_refuses_labels_that_are_not_nested(kind):
    with pytest.raises(rowen.NoConsistentWrapper, match="isn't nested"):
        kind.module.learn_class([rowen.Example("[A](B)", [{"a": (1, 2), "b": (4, 5)}])])
    twice = [{"a": (1, 2), "children": [{"a": (4, 5)}]}]
    with pytest.raises(rowen.NoConsistentWrapper, match="level 2"):
        kind.module.learn_class([rowen.Example("[A](B)", twice)])


@nested_classes
def test_contradicting_labels_have_no_wrapper(kind):
    pages = [[(0, 1, 2)], [(0, 4, 5)]]
    with pytest.raises(rowen.NoConsistentWrapper):
        kind.module.learn_class([rowen.Example("[A](B)", nested(values)) for values in pages])


@nested_classes
def test_a_partial_label_holds_the_first_records(kind):
    text = "[A](B)[C](D)[E]"
    label = rowen.Example(text, nested([(0, 1, 2), (1, 4, 5)]), partial=True)
    wrapper = kind.module.learn_class([label])
    assert flat(wrapper.extract(text))[:2] == [(0, 1, 2), (1, 4, 5)]


def test_broken_files_are_reported():
    good = {"class": "n-lr", "fields": ["a"], "left": ["<"], "right": [">"]}
    assert from_dict({"rowen": 1, "kind": "wrapper", **good}).fields == ("a",)
    for wrong in ({"left": ["<", "("]}, {"left": [""]}, {"right": [""]}, {"left": [1]}):
        with pytest.raises(rowen.ExtractorError):
            from_dict({"rowen": 1, "kind": "wrapper", **good, **wrong})


def test_fails_without_a_head(letters):
    records = nhlrt.learn_class([letters]).extract("<p>A</p>")
    assert len(records) == 0
    assert "head" in records.failure


def test_a_saved_wrapper_needs_a_tail():
    definition = {"class": "n-hlrt", "fields": ["a"], "head": "", "left": ["<"], "right": [">"]}
    for tail in ({}, {"tail": ""}):
        with pytest.raises(rowen.ExtractorError, match="tail"):
            from_dict({"rowen": 1, "kind": "wrapper", **definition, **tail})


def test_a_page_whose_tail_ends_its_records_too_soon_has_no_wrapper(letters):
    contradicting = rowen.Example("<body><hr><p>A</p>", nested([(0, 13, 14)], ["letter", "number"]))
    with pytest.raises(rowen.NoConsistentWrapper) as caught:
        nhlrt.learn_class([letters, contradicting])
    assert caught.value.pages


@missing_classes
def test_fields_are_ordered_as_they_stand_on_the_pages(kind):
    example = rowen.Example("(1)[A];", [{"letter": (4, 5), "number": (1, 2)}])
    assert kind.module.learn_class([example]).fields == ("number", "letter")


def test_names_the_pages_on_which_fields_are_mixed_up():
    good = rowen.Example(rowen.Page("(A)[B]", id="good"), [{"a": (1, 2), "b": (4, 5)}])
    turned = rowen.Example(rowen.Page("[A](B)[C]", id="turned"), [{"a": (4, 5), "b": (7, 8)}])
    # From the start of the page only "a" is looked for; "b" begins no record.
    assert mlr.learn_class([good, turned]).extract(turned.page) == list(turned.records)
    mixed = rowen.Example(
        rowen.Page("(A)[B][(C)[D]", id="mixed"),
        [{"a": (1, 2), "b": (4, 5)}, {"a": (8, 9), "b": None}],
    )
    with pytest.raises(rowen.NoConsistentWrapper) as caught:
        mlr.learn_class([good, mixed])
    assert caught.value.field == "b"
    assert caught.value.pages == ("mixed",)
