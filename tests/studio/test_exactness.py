"""A selection in a real browser gives its exact span of the source, and a span is shown there."""

import os
import random
import tarfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from markup import MARKUP, numbered

from rowen.model import Page
from rowen.views.view import view_of

SAMPLES = Path(__file__).parents[2] / "src" / "rowen" / "samples" / "case-studies"
SHARED = Path(os.environ.get("ROWEN_SHARED", Path(__file__).parents[3] / "shared")) / "data"
REAL_PAGES = int(os.environ.get("ROWEN_REAL_PAGES", "2"))
SIGNS = [
    "\U0001f600",
    "&#x1f600;",
    "&NotEqualTilde;",
    "&notit;",
    "&nbsp;",
    "\u0301",
    "\u202e",
    "שלום",
]
DATA = [
    '<script type="application/ld+json">{"name": "K\\u00f6ln \\ud83d\\ude00", "n": [1]}</script>',
    "<script>var shop = {name: 'Caf\\xe9', open: true}; list.push({a: 1})</script>",
    '<meta name="description" content="Tea &amp; more">',
]

SELECT = """
async ([view, points]) => {
  // Selects between points of nodes of all kinds; tells which units of which texts that selects,
  // by asking about each of them, and what the view makes of it.
  await page.show(view);
  const all = [];
  const walker = frame.contentDocument.createTreeWalker(frame.contentDocument.documentElement, 5);
  walker.currentNode = frame.contentDocument.head;
  for (let node = walker.nextSibling(); node; node = walker.nextNode()) all.push(node);
  const nodes = texts();
  const selection = frame.contentDocument.getSelection();
  const point = ([which, where]) => {
    const node = all[Math.floor(which * all.length)];
    const length = node.nodeType === 3 ? node.length : node.childNodes.length;
    return [node, Math.floor(where * (length + 1))];
  };
  return points.map(([start, end]) => {
    selection.setBaseAndExtent(...point(start), ...point(end));
    const range = selection.rangeCount ? selection.getRangeAt(0) : null;
    const isIn = (node, unit) =>
      range.comparePoint(node, unit) >= 0 && range.comparePoint(node, unit + 1) <= 0;
    const units = [];
    nodes.forEach((node, text) => {
      let selected = [];
      if (range && !range.collapsed) {
        selected = Array.from(node.data.split("").keys()).filter((unit) => isIn(node, unit));
      }
      if (selected.length) units.push([text, selected[0], selected.at(-1) + 1]);
    });
    return { units, exact: page.selection({ exact: true }), snapped: page.selection() };
  });
}
"""
MARK = """
async ([view, spans]) => {
  // Marks spans, one after the other and all at once; selects what is painted and reads it back.
  await page.show(view);
  // What is folded is unfolded where a mark is.
  const state = () => frame.contentDocument.documentElement.outerHTML
    .replaceAll(' data-rowen-open=""', "") + texts().map((node) => node.data.length);
  const before = state();
  const registry = frame.contentWindow.CSS.highlights;
  const selection = frame.contentDocument.getSelection();
  const kinds = ["mark", "proposal", "recognized", "delimiter", "conflict"];
  const marks = spans.map(([start, end], at) =>
    ({ id: `${at}`, start, end, color: at % 9, kind: kinds[at % 5], current: at % 7 === 0 }));
  page.setMarks(marks);
  const results = marks.map((mark) => {
    page.setMarks([mark]);
    page.reveal(mark.start, mark.end);
    const ranges = [...registry.get(`rowen-${mark.kind}-${mark.color}`)];
    const said = ranges.map((range) => {
      selection.setBaseAndExtent(
        range.startContainer, range.startOffset, range.endContainer, range.endOffset);
      return range.startContainer.data.slice(range.startOffset, range.endOffset);
    });
    return { said, back: page.selection({ exact: true }) };
  });
  page.setMarks([]);
  const left = [...registry].reduce((sum, [, highlight]) => sum + highlight.size, 0);
  return { results, left, isSame: state() === before };
}
"""


def texts_of(tree):
    if isinstance(tree, dict):
        return [tree]
    return [text for child in tree[2:] for text in texts_of(child)]


def shown_texts(view):
    """The texts that the page's frame has: of its data, with notes around, and of its body."""
    data, note = view["data"], {"x": "note", "m": []}
    body = texts_of(view["tree"])
    if data["bare"]:
        return [note, note, *(texts_of(data["tree"]) if data["tree"] else []), *body]
    return [*body, note, *texts_of(data["tree"])] if data["tree"] else body


def sources(text):
    """The source of each UTF-16 unit of a text, one by one."""
    said, places = text["x"].encode("utf-16-le"), text["m"]
    spans = []
    bounds = [*places[::3], len(said) // 2]
    for number, start in enumerate(places[::3]):
        source, end = places[3 * number + 1 : 3 * number + 3]
        signs = said[2 * start : 2 * bounds[number + 1]].decode("utf-16-le")
        if len(signs) == end - source:
            for at, sign in enumerate(signs):
                spans += [(source + at, source + at + 1)] * (2 if sign > "\uffff" else 1)
        else:
            spans += [(source, end)] * (bounds[number + 1] - start)
    return spans


def hull(places):
    if not places:
        return None
    return {"start": min(start for start, _ in places), "end": max(end for _, end in places)}


def check_selections(viewer, source, points):
    view = view_of(Page(source, id="page"))
    texts = shown_texts(view)
    by_unit = [sources(text) for text in texts]
    for answer in viewer.run(SELECT, [view, points]):
        units = [
            (text, unit)
            for text, first, last in answer["units"]
            for unit in range(first, last)
            if by_unit[text]
        ]
        assert answer["exact"] == hull([by_unit[text][unit] for text, unit in units])
        if answer["snapped"] is not None:
            check_snapped(answer, texts, [(*place, by_unit[place[0]][place[1]]) for place in units])


def check_snapped(answer, texts, units):
    """Less than what was selected, and text at both ends."""
    snapped, exact = answer["snapped"], answer["exact"]
    assert exact["start"] <= snapped["start"] < snapped["end"] <= exact["end"]
    starts = [start for _, _, (start, _) in units]
    if starts != sorted(starts):
        return  # data and text of the page: what is first in the source may be white space
    said = {
        place: texts[text]["x"].encode("utf-16-le")[2 * unit : 2 * unit + 2]
        for text, unit, place in units
    }
    for where, end in ((0, snapped["start"]), (1, snapped["end"])):
        signs = [sign for place, sign in said.items() if place[where] == end]
        assert any(not sign.decode("utf-16-le", "replace").isspace() for sign in signs)


def check_marks(viewer, source, drawn):
    view = view_of(Page(source, id="page"))
    spans, said = [], []
    texts = [text for text in shown_texts(view) if text["m"]]
    for text in drawn.sample(texts, min(len(texts), 40)):
        places = sources(text)
        for _ in range(3):
            first, last = sorted((drawn.randrange(len(places)), drawn.randrange(len(places))))
            if any(end < start for (_, end), (start, _) in pairwise(places[first : last + 1])):
                continue  # a tag that browsers ignored stands between: not one piece
            start, end = places[first][0], places[last][1]
            inside = [at for at, place in enumerate(places) if start <= place[0] < end]
            units = text["x"].encode("utf-16-le")[2 * inside[0] : 2 * inside[-1] + 2]
            spans.append((start, end))
            said.append(units.decode("utf-16-le"))
    answer = viewer.run(MARK, [view, spans])
    for (start, end), text, result in zip(spans, said, answer["results"], strict=True):
        assert result == {"said": [text], "back": {"start": start, "end": end}}
    assert answer["isSame"]
    assert answer["left"] == 0


def drawn_points(drawn, number):
    return [
        [[drawn.random(), drawn.random()], [drawn.random(), drawn.random()]] for _ in range(number)
    ]


markup = st.lists(st.sampled_from(MARKUP + SIGNS * 3 + DATA * 2), max_size=30).map(numbered)


@settings(
    max_examples=150,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(source=markup, seed=st.integers(0, 2**32))
def test_selections_and_marks_on_random_pages_are_exact(shared_viewer, source, seed):
    drawn = random.Random(seed)
    check_selections(shared_viewer, source, drawn_points(drawn, 12))
    check_marks(shared_viewer, source, drawn)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.html")), ids=lambda path: path.stem)
def test_selections_and_marks_on_sample_pages_are_exact(shared_viewer, path):
    drawn = random.Random(path.name)
    source = path.read_bytes().decode()
    check_selections(shared_viewer, source, drawn_points(drawn, 4))
    check_marks(shared_viewer, source, drawn)


SETS = ["wrappers/court_opinions", "wrappers/swde", "wrappers/procyclingstats", "evolving/ota_html"]


@pytest.mark.parametrize("name", SETS)
def test_selections_and_marks_on_real_pages_are_exact(shared_viewer, name):
    archive = SHARED / f"{name}.tar.xz"
    if not archive.exists():
        pytest.skip("the shared data is not there")
    drawn = random.Random(name)
    with tarfile.open(archive) as members:
        pages = [
            member
            for member in members
            if member.isfile() and member.name.endswith((".html", ".htm"))
        ]
        for page in drawn.sample(pages, REAL_PAGES):
            source = members.extractfile(page).read().decode("utf-8", "replace")
            check_selections(shared_viewer, source, drawn_points(drawn, 3))
            check_marks(shared_viewer, source, drawn)
