"""The kind of rule that a field gets: by prediction, and only where it predicts better."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_token import find

import rowen
from rowen import Example, Page, learn
from rowen.landmarks import context
from rowen.landmarks.excerpt import learn_class
from rowen.landmarks.occurrence import locate
from rowen.landmarks.trial import Matches
from rowen.learning.auto import learn_auto
from rowen.learning.prediction import predict
from rowen.learning.rule_kinds import choose_kinds
from rowen.wrappers.token.outline import Outline

pytestmark = pytest.mark.slow


def film(title, *rows):
    body = "".join(f"<tr><td>{name}:</td><td><font>{cell}</font></td></tr>" for name, cell in rows)
    return Page(f"<h1>{title}</h1><table>{body}</table>", id=title)


def link(name):
    return f'<a href="/people">{name}</a>'


ALIEN = film("Alien", ("Year", "1979"), ("Director", link("Scott")))
HEAT = film("Heat", ("Director", link("Mann")), ("Writer", link("Cook")), ("Year", "1995"))
JAWS = film("Jaws", ("Director", "Spielberg"), ("Year", "1975"))


def example(page, director):
    return Example(page, [{"title": page.id, "director": director}])


MARKED = [example(ALIEN, "Scott"), example(HEAT, "Mann")]


def test_a_field_gets_the_kind_of_rule_that_predicts_it_better():
    cheapest = learn(MARKED, "token")
    assert "inside" in cheapest.describe()
    assert [record.values for record in cheapest.extract(JAWS)] == [
        {"title": "Jaws", "director": None}
    ]
    chosen = learn_auto(MARKED)
    assert [record.values for record in chosen.extract(JAWS)] == [
        {"title": "Jaws", "director": "Spielberg"}
    ]


def test_it_says_why_and_is_saved_with_it(tmp_path):
    wrapper = learn_auto(MARKED)
    assert "director as all of an element: 1.00, not 0.67" in wrapper.reason
    wrapper.save(tmp_path / "w.json")
    loaded = rowen.load(tmp_path / "w.json")
    assert wrapper.reason in loaded.explain()
    assert loaded.extract(JAWS) == wrapper.extract(JAWS)
    assert loaded.version == wrapper.version


CELL = st.sampled_from(["{}", "<a>{}</a>", "<b>{}</b>", "<a>{}</a> <a>more</a>"])
ROW = st.tuples(st.sampled_from(["Director", "Writer", "Year", ""]), CELL)
ROWS = st.tuples(st.lists(ROW, max_size=2), CELL, st.lists(ROW, max_size=2))


@settings(max_examples=25, deadline=None)
@given(st.lists(ROWS, min_size=2, max_size=3))
def test_what_is_chosen_gives_back_the_labels_and_predicts_no_worse(given_rows):
    examples = []
    for number, (before, cell, after) in enumerate(given_rows):
        rows = [(name, content.format("other")) for name, content in before]
        rows.append(("Director", cell.format(f"person{number}")))
        rows += [(name, content.format("another")) for name, content in after]
        examples.append(example(film(f"film{number}", *rows), f"person{number}"))
    try:
        wrapper = learn_class(examples)
    except rowen.NoConsistentWrapper:
        return
    before = predict(learn_class, examples)
    chosen, after = choose_kinds(wrapper, before, examples)
    assert after.score >= before.score
    for marked in examples:
        assert [record.spans for record in chosen.extract(marked.page)] == [
            record.spans for record in marked.records
        ]
    if chosen is not wrapper:
        assert chosen.reason
        assert chosen.rules != wrapper.rules


TAG = st.sampled_from(
    ['<a class="x">', "<a>", "</a>", "<b>", "</b>", "x", "Name:", "<td>", "</td>"]
)


@settings(max_examples=40, deadline=None)
@given(st.lists(TAG, min_size=3, max_size=14), st.data())
def test_matches_are_the_tags_that_stand_at_the_landmark(parts, data):
    outline = Outline("".join(parts) + "<p>end</p>")
    starts = [tag for tag in range(1, outline.size) if outline.slots[tag]]
    chosen = data.draw(st.lists(st.sampled_from(starts), min_size=1, max_size=2, unique=True))
    spans = [(int(outline.slot_starts[tag]), int(outline.slot_ends[tag])) for tag in chosen]
    occurrences = [locate(outline, span, 0, number) for number, span in enumerate(spans)]
    back = context.before(occurrences)
    ahead = context.after(occurrences, slot_first=True)
    if not back:
        return
    matches = Matches([(outline, np.arange(outline.size))], back=back, ahead=ahead)
    for choice in context.choices(back, ahead, occurrences, listed=True):
        mark = context.landmark(choice, back, ahead, occurrences[0])
        slow = find(outline, mark)
        tags = np.flatnonzero(matches.at(choice)).tolist()
        # A landmark doesn't mind where the page ends when any text would do.
        assert set(tags) <= set(slow)
        assert {tag for tag in slow if tag + context.AFTER < outline.size} <= set(tags)
