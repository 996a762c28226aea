"""The pure functions behind the views, in the browser that they are for."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

SIGNS = ["a", "é", "\U0001f600", "\U0001f468\u200d\U0001f469", "\n", "\r\n", "\r", "\t", " ", "漢"]
POINTS = """
(text) => {
  const points = new offsets.CodePoints(text);
  const units = Array.from({ length: text.length + 1 }, (_, unit) => unit);
  return {
    length: points.length,
    starts: units.map((unit) => points.point(unit)),
    ends: units.map((unit) => points.point(unit, { end: true })),
    units: Array.from({ length: points.length + 1 }, (_, point) => points.unit(point)),
  };
}
"""


def halves(text):
    """For each UTF-16 unit the code point that it starts or goes on."""
    return [at for at, sign in enumerate(text) for _ in range(2 if sign > "\uffff" else 1)]


def check_points(viewer, text):
    of_units = halves(text)
    answer = viewer.run(POINTS, text)
    assert answer["length"] == len(text)
    assert answer["starts"] == [*of_units, len(text)]
    ends = [0] + [point + 1 for point in of_units]
    assert answer["ends"] == ends[: len(of_units) + 1]
    assert answer["units"] == [of_units.index(point) for point in range(len(text))] + [
        len(of_units)
    ]


@settings(max_examples=30)
@given(text=st.lists(st.sampled_from(SIGNS), max_size=40).map("".join))
def test_code_points_and_units_are_distinguished(shared_viewer, text):
    check_points(shared_viewer, text)


def test_long_texts_are_counted_in_steps(shared_viewer):
    drawn = random.Random(1)
    for length in (1023, 1024, 1025, 2048, 5000):
        check_points(shared_viewer, "".join(drawn.choices(SIGNS, k=length)))
        check_points(shared_viewer, "a" * (length - 2) + "\U0001f600")


def test_a_selection_in_the_source_is_snapped_to_text_and_whole_references(shared_viewer):
    snap = "([text, start, end]) => offsets.snap(text, start, end)"
    assert shared_viewer.run(snap, ["  a b \n", 0, 7]) == [2, 5]
    assert shared_viewer.run(snap, [" \n ", 0, 3]) is None
    assert shared_viewer.run(snap, ["a &amp; b", 4, 9]) == [2, 9]
    assert shared_viewer.run(snap, ["a &amp; b", 0, 4]) == [0, 7]
    assert shared_viewer.run(snap, ["a &amp; b", 7, 9]) == [8, 9]
    assert shared_viewer.run(snap, ["a & b; c", 3, 5]) == [4, 5]


@settings(max_examples=30)
@given(
    text=st.lists(st.sampled_from(SIGNS), max_size=200).map("".join),
    columns=st.integers(2, 40),
)
def test_rows_are_all_of_the_text_and_fit(shared_viewer, text, columns):
    answer = shared_viewer.run(
        """([text, columns]) => {
          const { starts, lines } = rows.rowsOf(text, columns);
          return [[...starts].map((start, at) => text.slice(start, starts[at + 1])), [...lines]];
        }""",
        [text, columns],
    )
    cut, lines = answer
    assert "".join(cut) == text
    normal = text.replace("\r\n", "\n").replace("\r", "\n")
    assert max(lines) == normal.count("\n") + 1
    starts = [number for number, line in enumerate(lines) if line]
    assert starts == [0] + [
        number + 1 for number, row in enumerate(cut[:-1]) if row.endswith(("\n", "\r"))
    ]
    assert all(len(row.rstrip("\r\n")) <= columns for row in cut)
    assert all(row or number + 1 == len(cut) for number, row in enumerate(cut))


def test_markup_is_distinguished_from_text(shared_viewer):
    text = "<!-- <a> --><p class='x > y' hidden>1 < 2 &amp; 3<script>if (a<b) c</script></p>"
    answer = shared_viewer.run(
        """(text) => rows.tokensOf(text).flatMap((token) =>
          [token, ...(token.kind === "tag" ? rows.attributesOf(text, token) : [])])
          .map(({ start, end, kind }) => [kind, text.slice(start, end)])""",
        text,
    )
    assert answer == [
        ["comment", "<!-- <a> -->"],
        ["tag", "<p class='x > y' hidden>"],
        ["name", "class"],
        ["value", "'x > y'"],
        ["name", "hidden"],
        ["reference", "&amp;"],
        ["tag", "<script>"],
        ["tag", "</script>"],
        ["tag", "</p>"],
    ]
