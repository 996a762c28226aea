"""`rowen.discover`: slow references on random trees, properties, and what tables pages have."""

import random
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowen
from rowen import Page
from rowen.structure.cells import frames_of, shapes_of, split_texts
from rowen.structure.columns import find_columns
from rowen.structure.groups import DESCRIPTIONS, GROUPS, LEAST, find_groups
from rowen.structure.slots import Contents, Kind, Way, find_slots
from rowen.structure.surroundings import weigh_texts
from rowen.structure.ways import Ways
from rowen.wrappers.region.spot import Step
from rowen.wrappers.region.tree import Tree, View
from rowen.wrappers.region.wrapper import Pattern

WORDS = ["Oak", "Elm", "Ash", "Fir", "Yew", "Bay", "Box", "Fig", "Gum", "Nut"]


@st.composite
def elements(draw, depth=3):
    """A well-formed element, as HTML."""
    name = draw(st.sampled_from(["div", "b", "ul", "i"]))
    parts = st.sampled_from(["x", "y", "z: 1", "", " "])
    if depth:
        parts = st.one_of(parts, elements(depth=depth - 1))
    mark = draw(st.sampled_from(["", " class=k", " class=m"]))
    return f"<{name}{mark}>{''.join(draw(st.lists(parts, max_size=4)))}</{name}>"


bodies = st.lists(elements(), min_size=1, max_size=6).map("".join)


class Node:
    """An element of the slow reference."""

    def __init__(self, tag, name, mark, parent):
        self.tag, self.name, self.mark, self.parent = tag, name, mark, parent
        self.children, self.texts, self.end = [], [], None
        self.place = 1 + sum(child.name == name for child in parent.children) if parent else 1

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def described(self, names, classed, placed):
        """The names of the element and those around it, one of their classes or places."""
        described, node = [], self
        for level in range(names):
            if node.parent is None:
                break
            mark = node.mark if level == classed else None
            described.append((node.name, mark, node.place if level == placed else None))
            if level == classed and node.mark is None:
                return None
            node = node.parent
        return None if classed is not None and classed >= len(described) else tuple(described)


def reference(tree):
    """The tree, built tag by tag."""
    root = here = Node(0, "", None, None)
    for tag in range(tree.size):
        if tag:
            source = tree.text[tree.starts[tag] : tree.ends[tag]]
            if source.startswith("</"):
                here.end = int(tree.ends[tag])
                here = here.parent
            else:
                name, _, mark = source.strip("<>").partition(" class=")
                child = Node(tag, name, mark or None, here)
                here.children.append(child)
                here = child
        if tree.text[tree.slot_starts[tag] : tree.slot_ends[tag]]:
            here.texts.append(tag)
    return root


@given(bodies)
def test_groups_are_the_elements_of_the_same_description(text):
    # Deep enough for the longest description.
    tree = Tree(f"<html><body><main><p><q>{text}</q></p></main></body></html>")
    nodes = [node for node in reference(tree).walk() if node.parent]
    full = [node for node in nodes if any(inner.texts for inner in node.walk())]
    wanted = set()
    for description in DESCRIPTIONS:
        if description.reach == "element":
            groups = {}
            for node in full:
                _, classed, _, placed = description
                described = node.described(description.names, classed, placed)
                if described is not None:
                    groups.setdefault(described, []).append(node.tag)
            wanted |= {tuple(tags) for tags in groups.values() if len(tags) >= LEAST}
    found = set()
    groups = find_groups([tree], [weigh_texts(tree)])
    for pattern in groups:
        if pattern.reach == "element":
            steps = list(pattern.path)
            tags = [node.tag for node in full if matches(node, steps)]
            found.add(tuple(tags))
    assert wanted <= found or len(groups) == GROUPS


def matches(node, steps):
    for step in reversed(steps):
        if node.parent is None or node.name != step.name:
            return False
        if step.place is not None and node.place != step.place:
            return False
        if step.attributes and node.mark != step.attributes[0][1]:
            return False
        node = node.parent
    return True


@given(bodies, st.sampled_from(["div", "i", "ul"]))
def test_texts_have_the_same_key_if_they_have_the_same_places(text, name):
    tree = Tree(text)
    view = View(tree, Pattern((Step(name),)).find(tree))
    slots = find_slots([view], Ways([view]), [Contents(tree)])
    by_key = {}
    if slots is not None:
        chosen = (slots.kind == Kind.TEXT) & (slots.way == Way.PLACES)
        for key, tag in zip(slots.key[chosen].tolist(), slots.tag[chosen].tolist(), strict=True):
            by_key.setdefault(key, set()).add(tag)
    by_place = {}
    heads = set(view.regions.heads.tolist())
    for node in reference(tree).walk():
        way, outer = [], node
        while outer.parent is not None and outer.tag not in heads:
            way.append((outer.name, outer.place))
            outer = outer.parent
        if outer.tag in heads and outer.parent is not None:
            for number, tag in enumerate(node.texts):
                by_place.setdefault((tuple(way), number), set()).add(tag)
    assert sorted(map(sorted, by_key.values())) == sorted(map(sorted, by_place.values()))


@settings(max_examples=25)
@given(st.lists(st.one_of(bodies, st.text(max_size=9)), min_size=1, max_size=3))
def test_saved_wrappers_give_the_records_of_their_tables(texts):
    pages = [Page(text, id=str(number)) for number, text in enumerate(texts)]
    for table in rowen.discover(pages):
        wrapper = table.wrapper()
        again = type(wrapper).from_definition(wrapper.to_definition())
        spans = [record.spans for page in pages for record in again.extract(page)]
        assert spans == [record.spans for record in table.records]


@settings(max_examples=25)
@given(st.lists(bodies, min_size=1, max_size=3))
def test_records_of_a_table_are_disjoint(texts):
    pages = [Page(text, id=str(number)) for number, text in enumerate(texts)]
    for table in rowen.discover(pages):
        for page in pages:
            extents = [
                (
                    min(span.start for _, spans in record.items() for span in spans),
                    max(span.end for _, spans in record.items() for span in spans),
                )
                for record in table.records
                if record.page.id == page.id
            ]
            ends = [end for _, end in extents]
            starts = [start for start, _ in extents]
            assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))


def regions_of(root, pattern, tree):
    """The bounds of the regions of a pattern, element by element."""
    regions = []
    for node in root.walk():
        if not matches(node, list(pattern.path)):
            continue
        start, end = int(tree.starts[node.tag]), node.end
        if pattern.reach == "stretch":
            siblings = node.parent.children[node.parent.children.index(node) + 1 :]
            later = (each for each in siblings if matches(each, list(pattern.path)))
            following = next(later, None)
            end = node.parent.end or len(tree.text)
            end = end if following is None else int(tree.starts[following.tag])
        if not regions or start >= regions[-1][1]:
            regions.append((start, end))
    return regions


@settings(max_examples=25)
@given(bodies)
def test_each_record_is_in_a_region_of_its_own(text):
    tree = Tree(text)
    root = reference(tree)
    for table in rowen.discover([text]):
        pattern = table.wrapper().record
        regions = regions_of(root, pattern, tree)
        numbers = []
        for record in table.records:
            spans = [span for _, own in record.items() for span in own]
            within = {
                number
                for number, (start, end) in enumerate(regions)
                if all(start <= span.start and span.end <= end for span in spans)
            }
            assert len(within) == 1
            numbers += within
        assert numbers == sorted(set(numbers))


LAYOUTS = {
    "rows": ("<table id=main>{}</table>", "<tr><td>{}</td><td>{}</td>{}</tr>", "<td>{}</td>"),
    "items": ("<ul id=main>{}</ul>", "<li><b>{}</b> <i>{}</i> {}</li>", "<em>{}</em>"),
    "cards": (
        "<main>{}</main>",
        "<div class=card><h3>{}</h3><p>{}</p>{}</div>",
        "<span class=price>{}</span>",
    ),
    "siblings": ("<dl id=main>{}</dl>", "<dt>{}</dt><dd>{}</dd>{}", "<dd class=price>{}</dd>"),
}


@st.composite
def lists(draw):
    """A page with a list between a menu and a foot, its records, and the text of the list."""
    around, row, optional = LAYOUTS[name := draw(st.sampled_from(sorted(LAYOUTS)))]
    prices = draw(st.lists(st.sampled_from([None, 3, 7, 12]), min_size=4, max_size=8))
    records = [
        (f"{word} tree", f"{n + 1} m high", None if price is None else f"{price}.5{n} EUR")
        for n, (word, price) in enumerate(zip(WORDS, prices, strict=False))
    ]
    rows = [
        row.format(title, height, "" if price is None else optional.format(price))
        for title, height, price in records
    ]
    header = "<tr><th>Tree</th><th>Height</th><th>Price</th></tr>" if name == "rows" else ""
    menu = "".join(f"<li><a href=/{number}>Page {number}</a></li>" for number in range(5))
    page = (
        f"<body><nav><ol>{menu}</ol></nav>{around.format(header + ''.join(rows))}"
        "<footer>All trees <b>9.99 EUR</b> off</footer></body>"
    )
    return page, records


@settings(max_examples=20)
@given(lists())
def test_the_list_is_found_without_its_header_menu_and_foot(made):
    page, records = made
    tables = rowen.discover([page])[:3]
    titles = [title for title, _, _ in records]
    table = next(t for t in tables if titles in [column(t, c.name) for c in t.columns])
    assert [height for _, height, _ in records] in [column(table, c.name) for c in table.columns]
    values = str([column(table, c.name) for c in table.columns])
    assert "Page" not in values
    assert "9.99" not in values


@settings(max_examples=20)
@given(lists())
def test_a_missing_value_borrows_none_of_another_record(made):
    page, records = made
    places = [(page.index(f"{title}<"), title) for title, _, _ in records]
    table = next(
        t
        for t in rowen.discover([page])[:3]
        if [title for _, title in places] in [column(t, c.name) for c in t.columns]
    )
    bounds = [start for start, _ in places] + [page.index("<footer")]
    assert len(table.records) == len(records)
    for number, record in enumerate(table.records):
        for spans in record.spans.values():
            for span in spans if isinstance(spans, list) else [spans]:
                assert span is None or bounds[number] <= span.start < span.end <= bounds[number + 1]


@settings(max_examples=8)
@given(lists(), st.data())
def test_one_mark_chooses_the_whole_list_and_nothing_else(made, data):
    page, records = made
    title, height, _ = data.draw(st.sampled_from(records))
    example = rowen.Example(page, [{"title": title, "height": height}], partial=True)
    found = [record.source for record in rowen.learn([example]).extract(page)]
    assert found == [{"title": title, "height": height} for title, height, _ in records]


def column(table, name):
    return [record.source[name] for record in table.records]


@pytest.mark.slow
@settings(max_examples=25)
@given(st.lists(bodies, min_size=2, max_size=4, unique=True), st.randoms(use_true_random=False))
def test_the_order_of_pages_does_not_change_the_tables(texts, shuffler):
    pages = [Page(text, id=text) for text in texts]
    mixed = list(pages)
    shuffler.shuffle(mixed)
    assert summary(rowen.discover(pages)) == summary(rowen.discover(mixed))


def summary(tables):
    return [
        (
            [(column.name, column.type, column.filled) for column in table.columns],
            sorted((record.page.id, str(record.spans)) for record in table.records),
        )
        for table in tables
    ]


@given(
    st.lists(
        st.lists(st.sampled_from(["No.", "12", "Oak", ", ", ": ", " ", "by"]), max_size=6).map(
            "".join
        ),
        max_size=6,
    )
)
def test_parts_of_texts_are_in_order_and_disjoint(texts):
    parts = split_texts(texts)
    for text in texts:
        bounds = [own for part in parts if (own := part.value(text, 0, len(text)))]
        if len(bounds) == len(parts):
            assert all(a[1] <= b[0] for a, b in pairwise(bounds))


def test_template_words_separate_the_parts_of_texts():
    texts = [f"Filed 0{n}/24/12, No. A-40{n}" for n in range(1, 9)]
    parts = split_texts(texts)
    values = [[text[slice(*p.value(text, 0, len(text)))] for p in parts] for text in texts]
    assert values[0] == ["01/24/12", "A-401"]
    assert values[7] == ["08/24/12", "A-408"]
    assert split_texts(["12/31/2025", "11/30/2025"]) == []
    assert split_texts(["&lt;string&gt;", "&lt;number&gt;", "&lt;Buffer&gt;"]) == []


def detail(title, pairs):
    rows = "".join(f"<p><b>{label}:</b> {value}</p>" for label, value in pairs)
    return f"<html><body><ul><li>Home<li>About<li>Shop</ul><h1>{title}</h1>{rows}</body></html>"


def test_what_varies_between_pages_is_a_column_and_missing_rows_shift_nothing():
    pages = []
    for number, word in enumerate(WORDS[:6]):
        pairs = [("Author", f"{word}son"), ("Pages", f"{number}7"), ("ISBN", f"978{number}1")]
        pages.append(Page(detail(word, pairs[number % 2 :]), id=word))
    (table,) = [t for t in rowen.discover(pages) if {"author", "isbn"} <= names(t)]
    by_page = {record.page.id: record.values for record in table.records}
    assert by_page["Oak"]["author"] == "Oakson"
    assert by_page["Elm"]["author"] is None
    assert by_page["Elm"]["isbn"] == "97811"
    unseen = table.wrapper().extract(detail("New", [("Pages", "9"), ("ISBN", "5")]))
    assert (unseen[0].source["isbn"], unseen[0].source["author"]) == ("5", None)


def names(table):
    return {column.name for column in table.columns}


def test_a_field_with_several_values_is_one_column():
    rows = "".join(
        f"<div class=film><h3>{word}{word}</h3><ul class=genres>"
        + "".join(f"<li>{WORDS[(n + k) % 10]}</li>" for k in range(1 + n % 3))
        + "</ul></div>"
        for n, word in enumerate(WORDS)
    )
    table, *_ = rowen.discover([f"<main>{rows}</main>"])
    lists = [record.values for record in table.records]
    assert any(
        [values[name] for values in lists[:3]] == [["Oak"], ["Elm", "Ash"], ["Ash", "Fir", "Yew"]]
        for name in names(table)
    )


def test_the_main_table_is_before_the_menu_and_header_rows_are_no_records():
    menu = "".join(f"<li><a href=/{word}>{word} menu</a></li>" for word in WORDS)
    rows = "".join(f"<tr><td>{word}<td>{n}.5{n} EUR" for n, word in enumerate(WORDS))
    text = f"<nav><ul>{menu}</ul></nav><table><tr><th>Tree<th>Price{rows}</table>"
    table, *_ = rowen.discover([text])
    assert [(column.name, column.type) for column in table.columns] == [
        ("tree", "text"),
        ("price", "price"),
    ]
    assert len(table.records) == 10


def test_a_header_row_of_plain_cells_is_no_record():
    rows = "".join(f"<tr><td>{word}<td>{7 * n}/5/2024" for n, word in enumerate(WORDS, 1))
    table = rowen.discover([f"<table><tr><td>Tree<td>Seen{rows}</table>"])[0]
    assert len(table.records) == len(WORDS)
    assert [
        record.values for record in table.wrapper().extract("<table><tr><td>A<td>B</table>")
    ] == []


def test_a_first_record_with_words_for_a_number_stays_where_others_have_words_too():
    rows = "".join(
        f"<tr><td>{word}<td>{(n % 3 and 7 * n) or 'none'}" for n, word in enumerate(WORDS)
    )
    table = rowen.discover([f"<table>{rows}</table>"])[0]
    assert len(table.records) == len(WORDS)


def test_two_records_and_a_date_that_both_share_are_a_table():
    menu = "".join(f"<li><a href=/{word}>{word}</a>" for word in WORDS)
    card = "<div class=case><h3>{}</h3><span class=filed>5/13/2024</span><p>{}</p></div>"
    cases = card.format("A v. B", "The first one.") + card.format("C v. D", "Another one.")
    table = rowen.discover([f"<nav><ul>{menu}</ul></nav><main>{cases}</main>"])[0]
    assert len(table.records) == 2
    assert ("filed", "date") in [(column.name, column.type) for column in table.columns]


def test_tables_side_by_side_with_other_columns_are_told_apart_by_their_places():
    news = "".join(f"<tr><td>{word} news<td>{n}/5/2024" for n, word in enumerate(WORDS, 1))
    rates = "".join(
        f"<tr><td>{word[:2]}<td>{word}<td>{n}.{n}5<td>+{n}%" for n, word in enumerate(WORDS, 1)
    )
    page = f"<body><table>{news}</table><br><table>{rates}</table></body>"
    counts = [(len(table.records), len(table.columns)) for table in rowen.discover([page])]
    assert (len(WORDS), 4) in counts


def test_forms_of_labels_and_values_are_records():
    forms = "".join(
        f"<table><tr><td colspan=2><b>{word}</b>"
        + "".join(
            f"<tr><td>{label}:<td>{label[0]}{n}"
            for label in ("Town", "Phone", "Open")[: 3 if n % 2 else 2]
        )
        + "</table><hr>"
        for n, word in enumerate(WORDS)
    )
    table = rowen.discover([f"<div id=hits>{forms}</div>"])[0]
    assert len(table.records) == len(WORDS)
    assert {"town", "phone", "open"} <= {column.name for column in table.columns}


def test_marks_before_a_value_are_no_part_of_it_and_a_year_is_called_so():
    rows = "".join(f"<li><b>{word}</b>, {1870 + n}</li>" for n, word in enumerate(WORDS))
    table = rowen.discover([f"<ul>{rows}</ul>"])[0]
    assert [(column.name, column.samples[0]) for column in table.columns][1:] == [("year", "1870")]


def test_tables_of_the_same_shape_are_one():
    def day(words):
        return "<table>" + "".join(f"<tr><td>{w}<td>{len(w)}:0{w[0]}" for w in words) + "</table>"

    table, *_ = rowen.discover([f"<h2>Mon</h2>{day(WORDS[:4])}<h2>Tue</h2>{day(WORDS[4:])}"])
    assert len(table.records) == 10


def test_siblings_without_an_element_around_are_records():
    text = (
        "<dl>" + "".join(f"<dt>{w}</dt><dd>{n}.{n} m</dd>" for n, w in enumerate(WORDS)) + "</dl>"
    )
    table = next(t for t in rowen.discover([text]) if len(t.columns) == 2)
    assert [list(record.source.values()) for record in table.records][3] == ["Fir", "3.3 m"]


def test_links_and_dates_in_attributes_are_columns():
    rows = "".join(
        f"<li><a href='/t/{w}'>{w}</a> <time datetime='2026-01-0{n}'>day {w}</time></li>"
        for n, w in enumerate(WORDS[1:], 1)
    )
    table, *_ = rowen.discover([f"<ul>{rows}</ul>"])
    samples = {column.samples[0] for column in table.columns}
    assert {"/t/Elm", "Elm", "2026-01-01"} <= samples


def test_titles_that_records_share_are_values_and_not_labels():
    rows = [("Tea", 2), ("Jam", 3), ("Tea", 4), ("Salt", 5), ("Jam", 6), ("Tea", 7), ("Salt", 8)]
    cards = "".join(f"<li><h3>{name}</h3><p>{price} coins</p></li>" for name, price in rows)
    (table, *_) = rowen.discover([f"<ul>{cards}</ul>"])
    assert table.columns[0].samples[0] == "Tea"
    assert {"tea", "jam", "salt"}.isdisjoint(column.name for column in table.columns)


def test_what_a_reader_sees_is_preferred_to_an_attribute_that_repeats_it():
    card = '<li><img class=pic alt="{0}" src="/{0}.png"><h3><a href="/{0}">{0}</a></h3></li>'
    (table, *_) = rowen.discover(["<ul>" + "".join(map(card.format, WORDS)) + "</ul>"])
    texts = [column for column in table.columns if "Oak" in column.samples]
    assert [column.name.endswith("alt") for column in texts] == [False]


def test_discover_needs_pages_and_says_nothing_of_empty_ones():
    with pytest.raises(rowen.errors.InputError):
        rowen.discover([])
    assert rowen.discover([""]) == []
    assert rowen.discover(["plain text < & <b", "<p>"]) == []


@pytest.mark.parametrize(
    "text",
    [
        "<div>x" * 5_000,
        "<li><b>x</b>" * 5_000,
        "<ul>" + "".join(f"<li class=c{n}>{n}" for n in range(5_000)) + "</ul>",
        "<table>" + "<tr>" * 5_000 + "<td>x",
    ],
    ids=["deep", "siblings", "classes", "rows"],
)
def test_hostile_pages_stay_in_bounds(text):
    assert len(rowen.discover([text])) <= 20


def test_random_bytes_of_markup_are_no_problem():
    generator = random.Random(7)
    for _ in range(30):
        text = "".join(generator.choice("<>/ab =\"'&;:\n") for _ in range(400))
        rowen.discover([text, text[::-1]])


def test_what_comes_after_a_list_is_no_column():
    shelves = [
        "<body>"
        + "".join(
            f"<div class=book><h3>{w}{w.lower()}</h3><b>{n}.50 EUR</b></div>" for n, w in shelf
        )
        + f"<footer>{len(shelf)} books. <b>Open</b> daily</footer></body>"
        for shelf in (list(enumerate(WORDS[:4], 2)), list(enumerate(WORDS[5:], 7)))
    ]
    table, *_ = rowen.discover(shelves)
    assert [column.name for column in table.columns] == ["title", "price"]
    assert len(table.records) == 9


def test_dates_of_two_layouts_are_one_column():
    pages = [
        "<ul>"
        + "".join(
            f"<li><h3>{word}</h3><p><b>{label}:</b> {5 * n}/{12 + n}/2024</p></li>"
            for n, word in enumerate(words, 1)
        )
        + "</ul>"
        for label, words in (("Filed", WORDS[:2]), ("Posted", WORDS[2:4]))
    ]
    table, *_ = rowen.discover(pages)
    dates = [c for c in table.columns if c.filled == 1 and "2024" in c.samples[0]]
    assert len(dates) == 1


def test_equal_columns_are_shown_once():
    cards = "".join(
        f'<li><h3 title="{w}">{w}</h3><img alt="{w}" src=/{n}.png></li>'
        for n, w in enumerate(WORDS)
    )
    table, *_ = rowen.discover([f"<ul>{cards}</ul>"])
    assert sum("Oak" in column.samples for column in table.columns) == 1


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["(1975)", "(2020)"], ["1975", "2020"]),
        (["1.", "2.", "13."], ["1", "2", "13"]),
        (["22 May 2026 \u2014", "3 May 2026"], ["22 May 2026", "3 May 2026"]),
        (["one, two,", "three,"], None),
        (["(a) first", "(b) second"], None),
        (["5 (3)", "6 (4)"], None),
        (["", "  "], None),
    ],
)
def test_marks_around_values_are_told_from_parts_of_them(texts, values):
    frames = frames_of(texts)
    if values is None:
        assert frames == []
    else:
        bounds = [
            next(b for frame in frames if (b := frame.value(text, 0, len(text)))) for text in texts
        ]
        assert [text[slice(*b)] for text, b in zip(texts, bounds, strict=True)] == values


@given(st.lists(st.text("()[],;.1a \u2014", max_size=6), max_size=5))
def test_marks_around_values_are_only_marks(texts):
    frames = frames_of(texts)
    for text in texts:
        bounds = next((b for frame in frames if (b := frame.value(text, 0, len(text)))), None)
        if bounds is not None:
            rest = text[: bounds[0]] + text[bounds[1] :]
            assert not any(map(str.isalnum, rest))


def test_numbers_with_a_word_files_and_dates_of_links_are_parts():
    rows = "".join(
        f'<li><a href="/op/2024-0{n}-1{n}/{w}{n}.pdf">{w} case</a> <i>{7 * n} comments</i></li>'
        for n, w in enumerate(WORDS[:8], 1)
    )
    table, *_ = rowen.discover([f"<ul>{rows}</ul>"])
    samples = {column.name: column.samples[0] for column in table.columns}
    assert samples["comments"] == "7"
    assert {"Oak1.pdf", "2024-01-11"} <= set(samples.values())


def test_rows_of_several_tables_are_records_and_not_the_tables():
    def section(first, count):
        rows = "".join(
            f"<tr><td><a href=/{n}>{WORDS[n % 10]}-{n}</a><td>{WORDS[n % 7]} for {n} years"
            for n in range(first, first + count)
        )
        return f"<div class=wrapper><table><thead><tr><th>Tree<th>Notes<tbody>{rows}</table></div>"

    page = "".join(section(*bounds) for bounds in ((0, 6), (6, 14), (20, 25), (45, 9)))
    table, *_ = rowen.discover([f"<main>{page}</main>"])
    assert len(table.records) == 54


def test_a_text_is_whole_where_a_line_may_break_in_it():
    rows = "".join(f"<li><b>{w}<wbr>{w.lower()}</b> <i>{n} m</i></li>" for n, w in enumerate(WORDS))
    table, *_ = rowen.discover([f"<ul>{rows}</ul>"])
    assert "Elm<wbr>elm" in [r.source[c.name] for c in table.columns for r in table.records]


def test_lists_side_by_side_in_named_elements_are_tables_of_their_own():
    def board(name, words):
        rows = "".join(f"<tr><td>{w}<td>{n}:1{n}<td>to {w}{w}" for n, w in enumerate(words, 1))
        return f"<table id={name}>{rows}</table>"

    page = board("departures", WORDS[:6]) + board("arrivals", WORDS[6:])
    assert {len(table.records) for table in rowen.discover([page])[:3]} == {4, 6, 10}


def test_boxes_around_lists_are_no_records_if_some_pages_have_none():
    def rows(page, count):
        cells = [f"<tr><td>{'Ha' * (n % 5 + page)}<td>{n + page}.5" for n in range(count)]
        return f"<div><div><div><table>{''.join(cells)}</table></div></div></div>"

    lengths = [(1, 12, 17), (2, 14, 13), (3, 16, 11)]
    pages = [
        "".join(
            f"<div class=box><h2>Hall {length}</h2>{rows(page, length)}</div>" for length in own
        )
        for page, *own in lengths
    ]
    pages += [f"<main>{rows(page, 30)}</main>" for page in (4, 5, 6)]
    tables = rowen.discover(pages)
    assert max(len(table.columns) for table in tables) == 2
    assert any(len(table.records) == 83 + 90 for table in tables)


def test_regions_without_any_text_have_no_columns():
    tree = Tree("<ul><li></li><li> </li><li></li></ul>")
    view = View(tree, Pattern((Step("li"),)).find(tree))
    assert view.count == 3
    assert find_columns([view], [Contents(tree)]) == []


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (
            ["Order No. 22-1403 of May 3, 2024, modified", "Decision of April 19, 2023 (22-0917)"],
            [["May 3, 2024", "22-1403"], ["April 19, 2023", "22-0917"]],
        ),
        (["Oak 5", "Elm 6"], []),
        (["22-1403", "22-0917"], []),
        (["seen in 1998, by all", "1975 was the year"], [["1998"], ["1975"]]),
    ],
)
def test_dates_and_codes_inside_texts_are_parts_by_their_shapes(texts, values):
    parts = shapes_of(texts)
    found = [
        [text[slice(*bounds)] for part in parts if (bounds := part.value(text, 0, len(text)))]
        for text in texts
    ]
    assert [own for own in found if own] == values


@given(st.lists(st.text("aA1 -/,", max_size=12), max_size=5))
def test_parts_by_shape_are_found_in_most_texts_and_do_not_overlap(texts):
    chosen = [text for text in texts if text]
    found = [[part.value(text, 0, len(text)) for text in chosen] for part in shapes_of(texts)]
    for own in found:
        assert sum(bounds is not None for bounds in own) >= 0.8 * len(chosen)
        assert len({text[slice(*b)] for text, b in zip(chosen, own, strict=True) if b}) > 1
    for one, other in combinations(found, 2):
        both = [(a, b) for a, b in zip(one, other, strict=True) if a and b]
        assert 2 * sum(a[0] < b[1] and b[0] < a[1] for a, b in both) <= len(both)


def test_parameters_of_links_are_parts():
    rows = "".join(
        f'<li><a href="/doc.aspx?id={n * 7}&amp;lang=en">Paper {"x" * n}</a></li>'
        for n in range(1, 6)
    )
    table, *_ = rowen.discover([f"<ul>{rows}</ul>"])
    samples = {column.name: column.samples for column in table.columns}
    assert ("7", "14", "21", "28", "35") in samples.values()


def test_what_is_in_the_records_of_a_page_is_no_column_of_the_page():
    def page(shelf, number):
        books = "".join(
            f"<div class=book><h3>Book {shelf} {n}</h3><i>Person {n * number}</i>"
            f"<b>{n}.50 EUR</b></div>"
            for n in range(1, number)
        )
        return f"<html><body><h1>{shelf}</h1><p>Shelf {number}</p>{books}</body></html>"

    tables = rowen.discover([page("Novels", 5), page("Poems", 7), page("Plays", 9)])
    assert [len(table.records) for table in tables[:2]] == [18, 3]
    texts = {text for column in tables[1].columns for text in column.samples}
    assert "Novels" in texts
    assert not any(text.startswith(("Book", "Person")) for text in texts)


def test_a_name_of_which_a_part_is_emphasized_is_a_column_as_a_whole():
    rows = "".join(
        f"<tr><td>{n}<td><a href=/{n}><b>{word.upper()}</b> {first}</a><td><b>Age</b> {n * 7}"
        for n, (word, first) in enumerate(zip(WORDS, reversed(WORDS), strict=True), 1)
    )
    table = rowen.discover([f"<table>{rows}</table>"])[0]
    samples = [column.samples[0] for column in table.columns]
    assert "OAK Nut" in samples
    assert not any("Age 7" in sample for sample in samples)
    assert [record.values for record in table.records][9]["column_3"] == "NUT Oak"


def test_all_sections_of_a_list_come_before_one_of_them():
    def section(name, words):
        items = "".join(f"<div><b>{word}</b><i>{len(word) * n}</i></div>" for n, word in words)
        return f"<h2>{name}</h2><div class='list {name}'>{items}</div>"

    words = [(n, word * n) for n, word in enumerate(WORDS, 1)]
    page = section("north", words[:6]) + section("south", words[6:])
    tables = rowen.discover([f"<body><section>{page}</section></body>"])
    assert len(tables[0].records) == len(WORDS)


def test_names_and_values_are_not_one_table_with_the_records_that_they_are_in():
    entries = "".join(
        f"<dl><dt>Tree<dd>{word}<dt>Height<dd>{n} m<dt>Girth<dd>{n * 3} cm</dl>"
        for n, word in enumerate(WORDS, 1)
    )
    table = rowen.discover([f"<body><main>{entries}</main></body>"])[0]
    assert len(table.records) == len(WORDS)


def test_cells_that_are_cards_side_by_side_are_the_records():
    def card(number):
        return f"<td><b>{WORDS[number]}</b><br><i>{WORDS[-number]} wood, {number} m</i>"

    rows = "".join(f"<tr>{card(number)}{card(number + 1)}" for number in range(0, 10, 2))
    table = rowen.discover([f"<html><body><h1>Trees</h1><table>{rows}</table></html>"])[0]
    assert [column.samples[0] for column in table.columns][:2] == ["Oak", "Oak wood, 0 m"]
    assert len(table.records) == len(WORDS)


def test_columns_of_a_table_with_labels_in_its_cells_are_no_records():
    rows = "".join(
        f"<tr><td><b>Tree</b> <i>{word}</i><td><b>Height</b> <i>{number} m</i>"
        for number, word in enumerate(WORDS, 1)
    )
    table = rowen.discover([f"<html><body><table>{rows}</table></html>"])[0]
    assert len(table.records) == len(WORDS)


def test_prices_are_a_column_without_the_words_beside_them():
    prices = ["7.50 EUR", "8.00 EUR", "sold out", "9.25 EUR", "sold out", *["6.75 EUR"] * 5]
    rows = "".join(
        f"<li><b>{word}</b> <i>{price}</i>" for word, price in zip(WORDS, prices, strict=True)
    )
    table = rowen.discover([f"<ul>{rows}</ul>"])[0]
    columns = [[record.values[name] for record in table.records] for name in table.records[0].spans]
    assert prices in columns
    assert [None if price == "sold out" else price for price in prices] in columns


def test_paragraphs_between_breaks_are_records_wherever_they_are():
    def page(start, end, words):
        entries = "<br><br>".join(
            f"Filed {n}/4/2026<br><a href=/{n}>{word}</a>" for n, word in words
        )
        return f"<html>{start}<h1>Trees</h1><hr><br>{entries}<br><br>{end}</html>"

    words = list(enumerate(WORDS, 1))
    pages = [page("<body>", "</body>", words[:5]), page("", "", words[5:])]
    table = rowen.discover(pages)[0]
    assert len(table.records) == len(WORDS)
