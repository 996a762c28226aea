"""Made-up sites whose labels no wrapper, or only a poor one, may reproduce."""

from hypothesis import strategies as st

from rowen.model import Page
from rowen.records import Example

NOISE = ["", "", "", "&nbsp;", "*", " <small>new</small>", "<br>"]
NAMES = ["Ada", "Bob", "Cid", "Dan", "Eve", "Fay"]
TOWNS = ["Abilene, TX 79699", "Abilene, TX 79699", "Waco, TX 76798", "Tyler, TX 75799"]
SHAPES = [
    ("<table>", "<tr><td>{name}</td><td>{town}</td></tr>", "</table>"),
    ("<h1>People</h1>", "<p><b>{name}</b> <i>{town}</i></p>", "<hr><b>End</b>"),
    ("<ul>", "<li>{name}, {town}</li>", "</ul>"),
]


FEW = st.integers(1, 3)


@st.composite
def examples(draw, *, pages=FEW, records=FEW, whole=False):
    """Examples of one site: rows of one shape, some with noise, some labels wrong or unknown."""
    before, row, after = draw(st.sampled_from(SHAPES))
    return [
        _example(draw, f"{number}.html", before, row, after, draw(records), whole=whole)
        for number in range(draw(pages))
    ]


def _example(draw, name, before, row, after, count, *, whole):
    text, labels = before, []
    for _ in range(count):
        values = {"name": draw(st.sampled_from(NAMES)), "town": draw(st.sampled_from(TOWNS))}
        label = {}
        shown = row
        for field, value in values.items():
            noise = draw(st.sampled_from(NOISE))
            start = len(text) + len(shown.partition(f"{{{field}}}")[0])
            shown = shown.replace(f"{{{field}}}", value + noise)
            label[field] = (start, start + len(value))
            fate = draw(st.integers(0, 19))
            if fate == 0 and not whole:
                del label[field]
            elif fate == 1 and not whole:
                label[field] = None
            elif fate == 2:
                label[field] = (start, start + len(value) - 1)
        text += shown
        labels.append(label)
    partial = not whole and count > 1 and draw(st.integers(0, 3)) == 0
    if partial:
        labels = labels[: draw(st.integers(1, count))]
    return Example(Page(text + after, id=name), labels, partial=partial)
