"""What is remembered of earlier labels changes no answer."""

from hypothesis import given, settings
from hypothesis import strategies as st

import rowen
from rowen.learning import learn as learning
from rowen.learning.memory import Memory

VALUES = st.tuples(st.sampled_from(("Tea", "Milk", "Salt")), st.sampled_from(("3", "12", "7.5")))


def page(number, title, price, *, other):
    start = "<p>Price <b>" if other else "<p class=price>"
    return rowen.Page(f"<h1>{title}</h1><p>New</p>{start}{price}</p>", id=f"{number}.html")


def spans(at, title, price):
    first, second = at.text.index(title), at.text.index(price, at.text.index("<p>New"))
    return {"title": (first, first + len(title)), "price": (second, second + len(price))}


def learned(pages, records, count):
    examples = [
        rowen.Example(own, [record], partial=True)
        for own, record in zip(pages[:count], records, strict=False)
    ]
    try:
        wrapper = rowen.learn(examples, pages=pages)
    except rowen.NoConsistentWrapper as error:
        return str(error)
    return wrapper.to_definition().to_dict(), wrapper.reason, [str(w) for w in wrapper.warnings]


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(VALUES, st.booleans()), min_size=2, max_size=4))
def test_marking_page_by_page_ends_as_with_an_empty_memory(drawn):
    pages = [page(at, *values, other=other) for at, (values, other) in enumerate(drawn)]
    records = [spans(own, *values) for own, (values, _) in zip(pages, drawn, strict=True)]
    learning.MEMORY = Memory()
    for count in range(1, len(pages) + 1):
        remembered = learned(pages, records, count)
        memory, learning.MEMORY = learning.MEMORY, Memory()
        assert learned(pages, records, count) == remembered
        learning.MEMORY = memory


class Counted:
    """Counts how often a real learner is asked."""

    def __init__(self):
        self.calls = 0

    def __call__(self, examples):
        self.calls += 1
        return rowen.learn(examples, "token")


def example(text="<b>Tea</b> <i>3</i>", span=(3, 6), **options):
    return rowen.Example(rowen.Page(text, id="p"), [{"title": span}], **options)


def test_the_same_labels_are_learned_from_once_and_others_again():
    memory, learner = Memory(), Counted()
    first = memory.learn(learner, "token", [example()], [])
    before = first.to_definition().to_dict()
    first.reason = "changed by the caller"
    second = memory.learn(learner, "token", [example()], [])
    assert learner.calls == 1
    assert second.to_definition().to_dict() == before
    others = [
        ("token", example(span=(14, 15)), []),
        ("token", example(partial=True), []),
        ("token", example("<b>Tea</b> <i>4</i>"), []),
        ("auto", example(), []),
        ("token", example(), [rowen.Page("<b>Milk</b>")]),
    ]
    for number, (name, changed, pages) in enumerate(others, 2):
        memory.learn(learner, name, [changed], pages)
        assert learner.calls == number


def test_what_was_cut_short_is_not_remembered():
    memory, learner = Memory(), Counted()

    def cut_short(examples):
        learning.budget.leave_untried("no time")
        return learner(examples)

    with learning.budget.limit(60):
        memory.learn(cut_short, "token", [example()], [])
    memory.learn(learner, "token", [example()], [])
    assert learner.calls == 2


def test_no_more_is_kept_than_the_limit_allows():
    memory, learner = Memory(most=2), Counted()
    texts = [f"<b>Tea</b> <i>{number}</i>" for number in range(3)]
    for text in (*texts, texts[2], texts[0]):
        memory.learn(learner, "token", [example(text)], [])
    assert learner.calls == 4
