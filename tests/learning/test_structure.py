"""Regions and spots against slow references on random trees, and what marks choose."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowen
from rowen import Example, NoConsistentWrapper, Page
from rowen.wrappers.region.part import Part, shape_of
from rowen.wrappers.region.spot import Spot, Step, tag_name
from rowen.wrappers.region.tree import Tree, View
from rowen.wrappers.region.wrapper import Pattern

ROWS = "<ul class=menu><li>Home<li>About</ul><table><tr><th>Name<th>Age{}</table>"


def rows(*people):
    return ROWS.format("".join(f"<tr><td>{name}<td>{age}" for name, age in people))


def values(wrapper, text):
    return [record.values for record in wrapper.extract(text)]


@st.composite
def elements(draw, depth=3):
    """A well-formed element, as HTML."""
    name = draw(st.sampled_from(["div", "b", "i", "ul"]))
    parts = st.sampled_from(["x", "y", "", " "])
    if depth:
        parts = st.one_of(parts, elements(depth=depth - 1))
    mark = draw(st.sampled_from(["", " class=k"]))
    return f"<{name}{mark}>{''.join(draw(st.lists(parts, max_size=4)))}</{name}>"


class Node:
    """A node of the slow reference: its tag, its children, and its texts by the tags before."""

    def __init__(self, tag, name, parent):
        self.tag, self.name, self.parent = tag, name, parent
        self.children, self.texts = [], []

    def path(self):
        return (*self.parent.path(), self.name) if self.parent else ()

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()


def reference(tree):
    """The tree, built tag by tag."""
    root = here = Node(0, "", None)
    for tag in range(tree.size):
        if tag:
            source = tree.text[tree.starts[tag] : tree.ends[tag]]
            if source.startswith("</"):
                here = here.parent
            else:
                child = Node(tag, tag_name(tree, tag), here)
                here.children.append(child)
                here = child
        if tree.text[tree.slot_starts[tag] : tree.slot_ends[tag]]:
            here.texts.append(tag)
    return root


@given(
    st.lists(elements(), min_size=1, max_size=4),
    st.lists(st.sampled_from(["div", "b", "i", "ul"]), min_size=1, max_size=2),
    st.lists(st.tuples(st.sampled_from(["div", "b", "i"]), st.integers(1, 2)), max_size=2),
    st.integers(1, 2),
    st.sampled_from(["element", "stretch"]),
    st.sampled_from(["text", "content"]),
)
def test_spots_find_what_walking_the_tree_finds(parts, path, steps, number, reach, kind):
    tree = Tree("".join(parts))
    pattern = Pattern(tuple(map(Step, path)), reach)
    view = View(tree, pattern.find(tree))
    spot = Spot(tuple(Step(*step) for step in steps), **{kind: number})
    expected = set()
    covered = -1
    for node in reference(tree).walk():
        if not node.parent or node.path()[-len(path) :] != tuple(path) or node.tag < covered:
            continue
        if reach == "element":
            root, siblings, texts = node, node.children, node.texts
            covered = int(tree.closes[node.tag])
        else:
            beside = node.parent.children
            after = beside[beside.index(node) + 1 :]
            following = next((other for other in after if other.path() == node.path()), None)
            end = following.tag if following else int(tree.closes[node.parent.tag])
            siblings = [other for other in beside if node.tag <= other.tag < end]
            texts = [tag for tag in node.parent.texts if node.tag <= tag < end]
            root, covered = Node(node.tag, "", None), end
        root_like = Node(root.tag, "", None)
        root_like.children, root_like.texts = siblings, texts
        nodes = [root_like]
        for name, place in steps:
            nodes = [
                same[place - 1]
                for outer in nodes
                for same in [[child for child in outer.children if child.name == name]]
                if len(same) >= place
            ]
        for found in nodes:
            inside = sorted(tag for inner in found.walk() for tag in inner.texts)
            texts = inside if kind == "content" else found.texts
            expected.update(texts[number - 1 : number])
    assert set(spot.find(view).tolist()) == expected


def test_one_record_is_enough_and_headers_and_menus_are_no_records():
    text = rows(("Ada", 36), ("Bob", 41), ("Eve", 29))
    wrapper = rowen.learn([Example(text, [{"name": "Bob", "age": "41"}], partial=True)])
    assert wrapper.wrapper_class == "region"
    expected = [
        {"name": name, "age": age} for name, age in (("Ada", "36"), ("Bob", "41"), ("Eve", "29"))
    ]
    assert values(wrapper, text) == expected
    assert wrapper.warnings == ()
    assert values(wrapper, rows(("Zoe", 5), ("Kim", 7)))[1] == {"name": "Kim", "age": "7"}


def test_a_missing_value_never_borrows_that_of_the_next_record():
    cards = "".join(
        f"<div class=card><b>Book {n}</b>{'' if n == 2 else f'<i class=price>{n}.00</i>'}</div>"
        for n in range(1, 6)
    )
    text = f"<main>{cards}</main>"
    marked = Example(text, [{"title": "Book 1", "price": "1.00"}], partial=True)
    found = values(rowen.learn([marked], "region"), text)
    assert [record["price"] for record in found] == ["1.00", None, "3.00", "4.00", "5.00"]


def test_siblings_without_an_element_around_are_stretches():
    text = "<dl>" + "".join(f"<dt>T{n}<dd>D{n}" for n in range(5)) + "</dl>"
    wrapper = rowen.learn([Example(text, [{"t": "T1", "d": "D1"}], partial=True)], "region")
    assert wrapper.record.reach == "stretch"
    assert values(wrapper, text) == [{"t": f"T{n}", "d": f"D{n}"} for n in range(5)]


def test_a_record_of_the_same_shape_in_another_place_belongs_to_another_group():
    def card(n):
        return f"<div class=row><b>Name {n}</b><i>{n} pieces</i></div>"

    deal = card(9).replace("class=row", 'class="row mini"')
    text = f"<div>{deal}<p>Deal</p></div><div>{''.join(map(card, range(1, 5)))}</div>"
    marked = Example(text, [{"name": "Name 2", "count": "2 pieces"}], partial=True)
    wrapper = rowen.learn([marked], "region")
    assert [record["name"] for record in values(wrapper, text)] == [
        f"Name {n}" for n in range(1, 5)
    ]


@pytest.mark.parametrize(
    ("text", "shape"), [("A-14271", "A-9"), ("May 1, 2026", "x 9, 9"), ("", "")]
)
def test_shapes_have_one_sign_for_each_run(text, shape):
    assert shape_of(text) == shape


def test_parts_are_cut_by_delimiters_and_shapes():
    text = "No. A-14271 (PDF)"
    assert Part("No. ", " (").value(text, 0, len(text)) == (4, 11)
    assert Part(shape="A-9").value(text, 0, len(text)) == (4, 11)
    assert Part("[").value(text, 0, len(text)) is None


def test_saved_region_wrappers_are_the_same_and_bad_files_are_refused(tmp_path):
    text = rows(("Ada", 36), ("Bob", 41), ("Eve", 29))
    wrapper = rowen.learn([Example(text, [{"name": "Ada", "age": "36"}], partial=True)], "region")
    wrapper.save(tmp_path / "w.json")
    loaded = rowen.load(tmp_path / "w.json")
    assert values(loaded, text) == values(wrapper, text)
    assert loaded.to_definition() == wrapper.to_definition()
    saved = json.loads((tmp_path / "w.json").read_text("utf-8"))
    for change in (
        {"record": {"path": []}},
        {"record": {"path": [["tr", "first"]]}},
        {"rules": {"name": [{"steps": "td"}]}},
        {"rules": {"name": [{"text": "1"}]}},
        {"rules": {"name": [{"text": 1, "shape": "9" * 9}]}},
    ):
        (tmp_path / "bad.json").write_text(json.dumps({**saved, **change}), "utf-8")
        with pytest.raises(rowen.RowenError):
            rowen.load(tmp_path / "bad.json")


def test_pages_of_one_record_have_no_regions():
    with pytest.raises(NoConsistentWrapper, match="one record each"):
        rowen.learn([Example("<h1>Title</h1>", [{"title": "Title"}])], "region")


def test_unlabelled_pages_vote():
    pages = [Page(rows(*[(f"N{n}{p}", 10 * n + p) for n in range(4)]), id=str(p)) for p in range(4)]
    marked = Example(
        pages[0], [{"name": "N00", "age": "0"}, {"name": "N10", "age": "10"}], partial=True
    )
    wrapper = rowen.learn([marked], pages=pages)
    assert "whole records on unlabelled pages" in wrapper.reason
    assert all(len(wrapper.extract(page)) == 4 for page in pages)
