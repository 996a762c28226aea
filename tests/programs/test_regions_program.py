"""The program for regions, beside the wrappers that it was written from, on random pages."""

import hypothesis.strategies as st
import reference_token
from effort import cases
from exported import agree
from hypothesis import example, given, settings

from rowen.programs.parts.elements import IMPLIED, UNREAD, Elements
from rowen.wrappers.region import tree as region_tree
from rowen.wrappers.region.part import Part
from rowen.wrappers.region.spot import Spot, Step
from rowen.wrappers.region.wrapper import FieldRule, Pattern, Region
from rowen.wrappers.token.outline import Outline

PIECES = [
    *("<td>", "</td>", "<td class=a>", "<TR>", "</tr>", "<li>", "</li>", "<ul>", "</ul>", "<p>"),
    *(
        "</p>",
        "<b>",
        "</b>",
        "<br>",
        "<b/>",
        "<b c=/>",
        "<i class='a b'>",
        "</i>",
        "<div>",
        "</div>",
    ),
    *(
        "</div>",
        "<script>x</script>",
        "<!-- c -->",
        "x",
        "y z",
        " ",
        "Born:",
        "12",
        "<a href='u v'>",
        "</a>",
    ),
    *("<table>", "</table>", "<dt>", "<dd>", "<noscript>t</noscript>", "&amp;", "No. A-1 b"),
]
MARKUP = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
NAMES = st.sampled_from(["td", "tr", "li", "b", "p", "I", "div", "a", "br", "ul"])
ATTRIBUTES = st.sampled_from([(), (), (), (("Class", "a"),), (("class", "a b"),)])
PLACES = st.sampled_from([None, None, None, 1, 2])
STEPS = st.builds(Step, NAMES, PLACES, ATTRIBUTES, st.booleans())
SHALLOW = st.builds(Step, NAMES, PLACES, ATTRIBUTES)
SPOTS = st.builds(
    lambda steps, what: Spot(tuple(steps), **what),
    st.lists(STEPS, max_size=2),
    st.one_of(
        st.just({}),
        st.fixed_dictionaries({"attribute": st.sampled_from(["href", "CLASS"])}),
        st.fixed_dictionaries({"text": st.integers(1, 2)}),
        st.fixed_dictionaries({"content": st.integers(1, 3)}),
        st.fixed_dictionaries({"label": st.sampled_from(["Born:", "x"])}),
        st.fixed_dictionaries({"after": SHALLOW}),
    ),
)
PARTS = st.sampled_from(
    [
        *(Part(), Part(), Part(left="x"), Part(left=" ", last=True), Part(right="z")),
        *(Part(shape="9"), Part(shape="A-9"), Part(left="N", right="b", shape="x")),
    ]
)
RULES = st.builds(FieldRule, SPOTS, PARTS)
FIELDS = ["one", "an other"]


@st.composite
def cases_of_regions(draw):
    """A wrapper, and pages on which its regions are."""
    head = draw(SHALLOW)
    chosen = st.lists(st.sampled_from(FIELDS), unique=True)
    wrapper = Region(
        FIELDS,
        record=Pattern(
            (*draw(st.lists(SHALLOW, max_size=1)), head),
            draw(st.sampled_from(["element", "stretch", "line", "paragraph"])),
        ),
        rules={name: draw(st.lists(RULES, max_size=2)) for name in FIELDS},
        several=draw(chosen),
        required=draw(chosen),
    )
    written = "".join(f' {name}="{value}"' for name, value in head.attributes)
    rows = st.lists(MARKUP, max_size=4).map(
        lambda texts: "".join(f"<{head.name}{written}>{text}" for text in texts)
    )
    return wrapper, draw(st.lists(rows | MARKUP, min_size=3, max_size=3))


@settings(max_examples=cases(200, 20_000))
@given(cases_of_regions())
def test_the_function_of_a_region_wrapper_gives_what_it_gives(case):
    wrapper, pages = case
    agree(wrapper, pages)
    agree(wrapper, pages, "page.html")


@settings(max_examples=cases(300, 20_000))
@given(MARKUP)
@example("<table><tr><td>a<tr><td>b</table>")
@example("<b>never closed")
def test_the_function_nests_elements_as_the_wrapper_does(page):
    tree, elements = region_tree.Tree(page), Elements(page)
    assert elements.parents == tree.parents.tolist()
    assert elements.ends == tree.closes.tolist()
    assert elements.opens == tree.is_open.tolist()
    assert elements.owners == tree.owners.tolist()
    assert elements.read_texts == tree.filled.nonzero()[0].tolist()
    bounds = [elements.bounds(number) for number in elements.texts]
    assert bounds == [(tree.slot_starts[tag], tree.slot_ends[tag]) for tag in elements.texts]


def test_what_the_function_knows_of_elements_is_what_the_wrapper_knows():
    assert {
        name: (set(ended), set(scope)) for name, (ended, scope) in region_tree.IMPLIED.items()
    } == IMPLIED
    assert set(region_tree.UNSEEN) == UNREAD


def test_a_text_inside_the_last_element_is_not_taken_for_one_behind_it():
    rule = FieldRule(Spot(after=Step("b")), Part())
    wrapper = Region(["a"], record=Pattern((Step("li"),)), rules={"a": [rule]})
    pages = ["<li><b>in</b>behind</li>", "<li><b>in"]
    assert [[r.values for r in wrapper.extract(page)] for page in pages] == [[{"a": "behind"}], []]
    assert agree(wrapper, pages) == 1


CELLS = st.tuples(st.sampled_from(["td", "td", "td", "th"]), st.integers(0, 3), st.integers(0, 3))
GRIDS = st.lists(st.lists(CELLS, max_size=4), min_size=1, max_size=5)


@settings(max_examples=cases(60, 5_000))
@given(GRIDS, st.sampled_from(["tr", "td", "table"]), st.sampled_from(["element", "stretch"]))
def test_cells_of_a_region_count_as_in_the_grid_of_their_table(rows, head, reach):
    cell = "<{0} rowspan={1} colspan={2}>{3}</{0}>"
    written = [[cell.format(*each, number) for number, each in enumerate(row)] for row in rows]
    page = "<table>" + "".join(f"<tr>{''.join(row)}</tr>" for row in written)
    page += "</table><table><tr><td>1</td></tr></table>"
    steps = [Step("tr")] if head == "table" else []
    rules = {
        f"{name}{place}": [FieldRule(Spot((*steps, Step(name, place))), Part())]
        for name in ("td", "th")
        for place in (1, 2, 3)
    }
    wrapper = Region(
        list(rules), record=Pattern((Step(head),), reach), rules=rules, several=[*rules]
    )
    agree(wrapper, [page])
    if (head, reach) == ("tr", "element"):
        outline = Outline(page)
        for record in wrapper.extract(page):
            for field, spans in record.items():
                for span in spans:
                    cell = outline.tag_at(span.start)
                    assert reference_token.place_of(outline, cell) == int(field[2:])
