"""What is remembered of earlier marks changes no answer."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.model import NoConsistentWrapper, Page
from rowen.records import Example
from rowen.structure import learn
from rowen.structure.memory import Memory
from rowen.wrappers.region.tree import Tree
from rowen.wrappers.region.trees import TREES, Trees

ROW = st.tuples(*[st.sampled_from(("Ada", "Alan", "18", "19"))] * 3)


def _page(rows):
    items = (f"<li><b>{name}</b> <i>{year}</i>, {place}</li>" for name, year, place in rows)
    return Page(f"<h1>People</h1><ul>{''.join(items)}</ul><p>Contact</p>")


def _learned(page, record, others):
    try:
        wrapper = learn.learn_class([Example(page, [record], partial=True)], pages=others)
    except NoConsistentWrapper as error:
        return str(error)
    return wrapper.to_definition().to_dict()


@settings(max_examples=25, deadline=None)
@given(st.lists(ROW, min_size=2, max_size=8), st.data())
def test_marking_field_by_field_ends_as_marking_all_at_once(rows, data):
    page, other = _page(rows), _page(rows[::-1])
    number = data.draw(st.integers(0, len(rows) - 1))
    start = [at for at in range(len(page.text)) if page.text.startswith("<li>", at)][number]
    record = {}
    for field, value in zip(("name", "year", "place"), rows[number], strict=True):
        start = page.text.index(value, start)
        record = {**record, field: [start, start + len(value)]}
        start += len(value)
        remembered = _learned(page, record, [other])
    memory, learn.MEMORY = learn.MEMORY, Memory()
    try:
        assert remembered == _learned(page, record, [other])
    finally:
        learn.MEMORY = memory


def test_a_caller_that_adds_rules_leaves_the_memory_alone():
    page = _page([("Ada", "1815", "London"), ("Alan", "1912", "London")])
    record = {"name": [page.text.index("Ada"), page.text.index("Ada") + 3]}
    first = _learned(page, record, [])
    assert _learned(page, record, []) == first


def test_no_more_trees_are_kept_than_the_limit_allows():
    trees = Trees(most=100)
    texts = [f"<p>{'x' * length}</p>" for length in (10, 20, 30, 40, 200)]
    built = [trees.of(text) for text in texts]
    assert trees.of(texts[3]) is built[3]
    assert trees.of(texts[0]) is not built[0]
    assert trees.of(texts[4]) is not built[4]
    assert isinstance(TREES.of(texts[0]), Tree)
