from itertools import combinations, islice, pairwise, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.learning.recognizers.corrob_star import compact, corrob_star
from rowen.learning.recognizers.corroborate import corrob, ordering, orderings
from rowen.learning.recognizers.recognizer import Instances, Recognizer, Soundness, recognize
from rowen.model import InputError, Page, UsageError

pytestmark = pytest.mark.slow

PAGE = Page("x" * 100)


def recognizer(field, soundness, *spans):
    """The thesis' spans include their last character; ours end after it."""
    return Recognizer(field, lambda _: [(b, e) for b, e in spans], Soundness(soundness))


def labels(recognizers, page=PAGE):
    return {(label.order, label.rows) for label in corrob(page, recognizers)}


CODE = recognizer("code", "perfect", (22, 27), (42, 47), (62, 67))
CAP = recognizer("cap", "perfect", (29, 34), (49, 54), (69, 74))


def test_perfect_recognizers_give_one_label():
    country = recognizer("ctry", "perfect", (15, 20), (35, 40), (55, 60))
    ((order, rows),) = labels([CAP, country, CODE])
    assert order == ("ctry", "code", "cap")
    assert rows[0] == ((15, 20), (22, 27), (29, 34))


def test_incomplete_recognizers_leave_cells_unknown():
    tables = labels(
        [
            recognizer("cap", "incomplete", (29, 34), (69, 74)),
            recognizer("ctry", "incomplete", (35, 40)),
            CODE,
        ]
    )
    assert (
        ("ctry", "code", "cap"),
        ((None, (22, 27), (29, 34)), ((35, 40), (42, 47), None), (None, (62, 67), (69, 74))),
    ) in tables


def test_few_instances_allow_several_orders():
    tables = labels(
        [
            recognizer("cap", "incomplete", (49, 54)),
            recognizer("ctry", "incomplete", (35, 40)),
            CODE,
        ]
    )
    assert {("ctry", "code", "cap"), ("cap", "code", "ctry")} <= {order for order, _ in tables}


def test_the_example_of_6_4_gives_its_four_labels():
    tables = labels(
        [
            recognizer("cap", "unsound", (5, 10), (29, 34), (40, 41), (49, 54), (55, 60), (69, 74)),
            recognizer("ctry", "incomplete", (35, 40)),
            CODE,
        ]
    )
    ctry_first = {rows for order, rows in tables if order == ("ctry", "code", "cap")}
    cap_first = {rows for order, rows in tables if order == ("cap", "code", "ctry")}
    assert len(ctry_first) == len(cap_first) == 2
    assert {rows[1][2] for rows in ctry_first} == {(49, 54), (55, 60)}
    assert {rows[2][0] for rows in cap_first} == {(49, 54), (55, 60)}
    # The thesis lists only these four; by its own definition this order is consistent as well.
    assert ("code", "cap", "ctry") in {order for order, _ in tables}


AMBIGUOUS = [
    recognizer("ctry", "perfect", (15, 20), (35, 40), (55, 60)),
    recognizer("code", "unsound", (22, 27), (42, 47), (41, 46), (62, 67), (65, 70)),
    recognizer("cap", "unsound", (29, 34), (49, 54), (69, 74), (72, 78)),
]


def test_the_example_of_6_6_gives_six_labels_and_corrob_star_four():
    order = ("ctry", "code", "cap")
    assert len({rows for fields, rows in labels(AMBIGUOUS) if fields == order}) == 6
    star = corrob_star(PAGE, AMBIGUOUS, order)
    assert star.count() == 4
    assert star.rows[1][1] == ((41, 46), (42, 47))
    first, *_ = star.labels()
    assert first.rows == (
        ((15, 20), (22, 27), (29, 34)),
        ((35, 40), (41, 46), (49, 54)),
        ((55, 60), (62, 67), None),
    )


def test_an_order_that_can_not_be_gives_nothing():
    assert corrob_star(PAGE, AMBIGUOUS, ("cap", "code", "ctry")) is None


def test_without_a_perfect_recognizer_the_reason_is_said():
    with pytest.raises(InputError, match="perfect"):
        labels([recognizer("a", "unsound", (1, 2))])


def test_too_many_fields_to_order_are_refused():
    many = [recognizer(f"f{n}", "incomplete") for n in range(10)]
    with pytest.raises(UsageError, match="too many orders"):
        labels([CODE, *many])


def test_several_recognizers_of_a_field_complete_each_other():
    instances = recognize(
        PAGE,
        [
            recognizer("a", "unsound", (1, 2), (3, 4), (5, 6)),
            recognizer("a", "unsound", (3, 4), (5, 6), (7, 8)),
            recognizer("a", "incomplete", (5, 6)),
            recognizer("b", "unreliable", (1, 2)),
        ],
    )
    assert instances["a"] == Instances(
        frozenset({(5, 6)}), frozenset({(3, 4), (5, 6)}), complete=True
    )
    assert instances["b"] == Instances(frozenset(), frozenset({(1, 2)}), complete=False)


def test_thousands_of_labels_are_counted_not_listed():
    anchors = [(100 * n, 100 * n + 5) for n in range(200)]
    noise = [(100 * n + 10 * k, 100 * n + 10 * k + 5) for n in range(200) for k in range(1, 9)]
    page = Page("x" * 20_100)
    table = ordering(
        recognize(page, [recognizer("a", "perfect", *anchors), recognizer("b", "unsound", *noise)]),
        ("a", "b"),
    )
    assert table.count() == 8**200
    assert len(list(islice(table.labels(), 10))) == 10
    assert len(list(compact(table).labels(10))) == 10


def slow_corrob(instances):
    """Figure 6.1 word by word: all subsets, all orders, each checked."""
    anchor = next(name for name, spans in instances.items() if spans.perfect)
    rows = len(instances[anchor].certain)
    subsets = []
    for spans in instances.values():
        doubtful = sorted(spans.possible - spans.certain)
        sizes = [rows - len(spans.certain)] if spans.complete else range(len(doubtful) + 1)
        subsets.append(
            [
                spans.certain | set(chosen)
                for size in sizes
                if 0 <= size <= len(doubtful)
                for chosen in combinations(doubtful, size)
            ]
        )
    tables = set()
    for chosen in product(*subsets):
        for order in permutations(instances):
            table = slow_label(dict(zip(instances, chosen, strict=True)), order, rows)
            tables |= {(order, label) for label in table}
    return tables


def slow_label(chosen, order, rows):
    """All tables with this order that hold exactly the chosen instances."""
    cells = [(row, name) for row in range(rows) for name in order]
    columns = [
        [
            dict(zip(where, sorted(chosen[name]), strict=True))
            for where in combinations(range(rows), len(chosen[name]))
        ]
        for name in order
    ]
    for placed in product(*columns):
        column = dict(zip(order, placed, strict=True))
        sequence = [column[name].get(row) for row, name in cells]
        placed_spans = [span for span in sequence if span is not None]
        if all(a[1] <= b[0] for a, b in pairwise(placed_spans)):
            yield tuple(
                tuple(sequence[row * len(order) : (row + 1) * len(order)]) for row in range(rows)
            )


SPAN = st.tuples(st.integers(0, 14), st.integers(1, 3)).map(lambda pair: (pair[0], sum(pair)))


@st.composite
def problems(draw):
    anchors = draw(st.sets(st.integers(0, 4), max_size=3))
    perfect = frozenset((4 * n, 4 * n + 1) for n in anchors)
    instances = {"p": Instances(perfect, perfect, complete=True)}
    for name in draw(st.sampled_from(["a", "ab"])):
        spans = draw(st.frozensets(SPAN, max_size=4))
        kind = draw(st.sampled_from(["incomplete", "unsound", "unreliable", "both"]))
        if kind == "incomplete":
            instances[name] = Instances(spans, spans, complete=False)
        else:
            certain = frozenset(sorted(spans)[:1]) if kind == "both" else frozenset()
            instances[name] = Instances(certain, spans, complete=kind != "unreliable")
    return instances


@given(problems())
@settings(max_examples=500, deadline=None)
def test_corrob_agrees_with_the_figure(instances):
    tables = [(label.order, label.rows) for each in orderings(instances) for label in each.labels()]
    assert len(tables) == len(set(tables))
    assert set(tables) == slow_corrob(instances)
    assert len(tables) == sum(each.count() for each in orderings(instances))


def blank(rows, star):
    return tuple(
        tuple(
            None if choices == (None,) else value for value, choices in zip(row, cells, strict=True)
        )
        for row, cells in zip(rows, star.rows, strict=True)
    )


@given(problems())
@settings(max_examples=500, deadline=None)
def test_corrob_star_is_corrob_with_cells_made_unknown(instances):
    for each in orderings(instances):
        star = compact(each)
        tables = {label.rows for label in star.labels()}
        assert len(tables) == star.count()
        assert tables == {blank(label.rows, star) for label in each.labels()}
