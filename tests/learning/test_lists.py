"""Lists from few marks: what is found, what is left open, and what more marks change."""

import json
from random import Random

import pytest
from benchmarks.wrappers.list_sites import LAYOUTS, list_site
from hypothesis import given, settings
from hypothesis import strategies as st

import rowen
from rowen.learning.likeness import likeness

REGULAR = ("departures", "stripes", "medals", "links", "episodes", "thread", "glossary", "minutes")
"""Layouts that one full record says all about."""

LAYOUT = {layout.__name__: layout for layout in LAYOUTS}


def page_of(name, seed=0, number=0):
    return list_site(LAYOUT[name], seed).pages[number]


def learned(page, records, **options):
    """From marks in page order."""
    order = sorted(records, key=lambda record: min(span for span in record.values() if span))
    return rowen.learn([rowen.Example(page, order, partial=True)], **options)


def values(wrapper, page):
    return [
        {name: tuple(span) if span else None for name, span in record.spans.items()}
        for record in wrapper.extract(page)
    ]


def full_records(gold):
    return [record for record in gold if all(record.values())]


@pytest.mark.parametrize("name", sorted(LAYOUT))
def test_the_gold_of_made_up_sites_is_text_of_their_pages(name):
    for page, gold in list_site(LAYOUT[name]).pages:
        assert len(gold) >= 5
        spans = [span for record in gold for span in record.values() if span]
        assert len(set(spans)) == len(spans)
        for start, end in spans:
            text = page.text[start:end]
            assert text == text.strip() != ""
            assert "<" not in text


@pytest.mark.parametrize("name", REGULAR)
def test_one_full_record_finds_all_records_of_a_regular_page(name):
    page, gold = page_of(name)
    for record in full_records(gold)[:3]:
        assert values(learned(page, [record]), page) == list(gold)


def test_records_before_the_marked_one_count():
    page, gold = page_of("stripes")
    assert values(learned(page, [full_records(gold)[-1]]), page) == list(gold)


def test_of_two_tables_the_one_with_the_mark_counts_and_the_other_is_suggested():
    page, gold = page_of("departures")
    wrapper = learned(page, [full_records(gold)[0]])
    assert values(wrapper, page) == list(gold)
    (suggestion,) = wrapper.suggestions
    assert suggestion.page == page.id
    assert suggestion.end < min(span[0] for record in gold for span in record.values() if span)
    assert "mark it if it is one" in suggestion.message
    assert str(suggestion) in wrapper.explain()


def test_a_mark_in_each_of_two_tables_takes_both():
    text = "".join(
        f'<table id="{name}">'
        + "".join(f"<tr><td>{name}{row}</td><td>{row}</td></tr>" for row in range(4))
        + "</table>"
        for name in ("north", "south")
    )
    page = rowen.Page(text, id="p.html")
    alone = rowen.learn([rowen.Example(page, [{"name": "south1"}], partial=True)])
    assert len(alone.extract(page)) == 4
    marks = [{"name": "north2"}, {"name": "south1"}]
    assert len(rowen.learn([rowen.Example(page, marks, partial=True)]).extract(page)) == 8


def test_numbered_parts_of_a_list_are_one_list():
    text = "".join(
        f'<ul id="year-{year}">' + "".join(f"<li>Item {year}{n}</li>" for n in range(3)) + "</ul>"
        for year in (2024, 2025)
    )
    page = rowen.Page(text)
    wrapper = rowen.learn([rowen.Example(page, [{"item": "Item 20251"}], partial=True)])
    assert len(wrapper.extract(page)) == 6


ROWS = "<tr><td>Name</td><td>Price</td></tr>" + "".join(
    f"<tr><td>Thing {letter}</td><td>{price}</td></tr>"
    for letter, price in zip(
        "ABCDEF", ("12.50", "7.00", "sold out", "8.25", "99.00", "3.10"), strict=True
    )
)


def test_header_rows_are_no_records_and_words_are_no_numbers():
    page = rowen.Page(f"<table>{ROWS}</table>")
    marks = [{"name": "Thing B", "price": "7.00"}]
    wrapper = rowen.learn([rowen.Example(page, marks, partial=True)])
    found = [record.values for record in wrapper.extract(page)]
    assert {"name": "Name", "price": "Price"} not in found
    assert "if it has a digit" in wrapper.describe()
    assert [record["price"] for record in found if record["name"] == "Thing F"] == ["3.10"]
    assert "sold out" not in [record["price"] for record in found]


def test_a_missing_value_never_borrows_another_field():
    page, gold = page_of("board")
    record = next(record for record in full_records(gold))
    found = values(learned(page, [record]), page)
    wrong = [
        (name, span)
        for row in found
        for name, span in row.items()
        if span and span not in [record[name] for record in gold]
    ]
    assert not wrong


def test_struck_out_prices_are_not_taken_for_prices():
    cards = "".join(
        f"<li><b>Thing {n}</b> <p>"
        + (f"<del>€{n}9</del> " if n % 3 else "")
        + f"<i>€{n}5</i></p></li>"
        for n in range(1, 9)
    )
    page = rowen.Page(f"<ul>{cards}</ul>")
    marks = [{"name": "Thing 3", "price": "35"}]
    wrapper = rowen.learn([rowen.Example(page, marks, partial=True)])
    prices = [record.values["price"] for record in wrapper.extract(page)]
    assert prices == [f"{n}5" for n in range(1, 9)]


def test_a_remark_after_one_marked_name_is_not_expected_after_all():
    rows = "".join(f"<tr><td>Case {n}</td><td>{n}.5.2020</td></tr>" for n in range(1, 9))
    text = f"<table>{rows}</table>".replace("Case 4", "Case 4 (again)")
    marks = [{"name": "Case 4", "date": "4.5.2020"}]
    wrapper = rowen.learn([rowen.Example(rowen.Page(text), marks, partial=True)])
    names = [record.values["name"] for record in wrapper.extract(text)]
    assert names == [f"Case {n}" for n in range(1, 9)]


def test_a_shape_is_no_piece_of_a_longer_number():
    lines = ("costs 12.50 net", "about 1,250.00 gross", "for 3.75 only", "and 8.00 more")
    text = "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"
    wrapper = rowen.learn([rowen.Example(text, [{"price": "12.50"}], partial=True)], "region")
    found = [record.values["price"] for record in wrapper.extract(text)]
    assert "250.00" not in found
    assert found[0] == "12.50"


def test_a_mark_that_contradicts_the_others_is_warned_about():
    rows = "".join(f"<tr><td>Ann{n} Lee</td><td>{n}</td></tr>" for n in range(8))
    page = rowen.Page(f"<table>{rows}</table>", id="p.html")
    place = page.text.index("Ann3 Lee")
    marks = [{"name": "Ann1 Lee"}, {"name": "Ann2 Lee"}, {"name": (place + 1, place + 3)}]
    wrapper = rowen.learn([rowen.Example(page, marks, partial=True)])
    found = [record.values["name"] for record in wrapper.extract(page)]
    assert any(warning.is_about_labels for warning in wrapper.warnings) or "nn" in found
    assert found.count("Ann5 Lee") == 1


def test_a_single_mark_says_that_nothing_was_left_out_to_try_it():
    page, gold = page_of("stripes")
    explained = learned(page, [full_records(gold)[0]]).explain()
    assert "from a single record, so that nothing could be left out to try it" in explained
    assert "0.00" not in explained


def test_suggestions_are_saved_with_the_wrapper(tmp_path):
    page, gold = page_of("departures")
    wrapper = learned(page, [full_records(gold)[0]])
    wrapper.save(tmp_path / "w.json")
    assert rowen.load(tmp_path / "w.json").suggestions == wrapper.suggestions
    saved = json.loads((tmp_path / "w.json").read_text("utf-8"))
    assert saved["suggestions"][0]["page"] == page.id


def test_marks_on_one_page_and_other_pages_without_labels_give_the_records_of_all():
    for name in ("stripes", "glossary", "departures"):
        site = list_site(LAYOUT[name], 3)
        (page, gold), *others = site.pages
        marked = [rowen.Example(page, [full_records(gold)[0]], partial=True)]
        wrapper = rowen.learn(marked, pages=[other for other, _ in others])
        for other, records in others:
            assert values(wrapper, other) == list(records)


def test_of_two_wrappers_the_one_that_finds_records_on_the_other_pages_is_chosen():
    def page(number, count=20):
        rows = "".join(
            f"<tr><td><b>Name{number}x{row}</b></td><td><i>{number}{row:03}</i></td></tr>\n"
            for row in range(count)
        )
        return rowen.Page(
            f"<html><h1>Page {number} of 5</h1><table id='t{number}'>{rows}</table></html>",
            id=f"{number}.html",
        )

    pages = [page(number) for number in range(1, 6)]
    marks = [{"name": f"Name1x{row}", "code": f"1{row:03}"} for row in (0, 1)]
    wrapper = rowen.learn([rowen.Example(pages[0], marks, partial=True)], pages=pages)
    assert [len(wrapper.extract(other)) for other in pages] == [20] * 5


@given(
    st.sampled_from(REGULAR),
    st.integers(min_value=0, max_value=20),
    st.randoms(use_true_random=False),
)
@settings(max_examples=25, deadline=None)
def test_a_further_mark_that_is_found_already_changes_nothing(name, seed, chance: Random):
    page, gold = page_of(name, seed)
    records = full_records(gold)
    first = chance.choice(records)
    before = values(learned(page, [first]), page)
    more = [record for record in records if record != first and record in before]
    for count in range(1, min(len(more), 2) + 1):
        marks = [first, *chance.sample(more, count)]
        assert values(learned(page, marks), page) == before


@given(
    st.sampled_from(sorted(LAYOUT)),
    st.integers(min_value=0, max_value=20),
    st.integers(min_value=1, max_value=4),
    st.randoms(use_true_random=False),
)
@settings(max_examples=40, deadline=None)
def test_every_mark_is_in_the_result_or_warned_about(name, seed, count, chance: Random):
    page, gold = page_of(name, seed)
    marks = chance.sample(list(gold), count)
    try:
        wrapper = learned(page, marks)
    except rowen.NoConsistentWrapper:
        return
    found = values(wrapper, page)
    warned = any(warning.is_about_labels for warning in wrapper.warnings)
    assert warned or all(mark in found for mark in marks)


def test_titles_with_a_number_are_like_titles_without():
    assert likeness("The old bridge, part 3", ["A quiet harbour"]) > 0.8
    assert likeness("sold out", ["12.50"]) < 0.5
    assert likeness("Apr 18, 2024", ["G062648"]) < likeness("G061916", ["G062648"]) == 1.0


PAPERS = (
    ("On graphs", ["Ada King", "Al Turing"], "12 pages"),
    ("Bounds for sums", ["Emmy Noe"], None),
    ("A note", ["Kurt Go", "Paul Er", "Al Tar"], "5 figures"),
    ("Deep nets", ["Y. Kun"], "ICML 2023"),
    ("Random walks", ["A. Mark", "P. Levy"], None),
)


def paper(title, authors, comment):
    names = ", ".join(f"<a href=/s>{name}</a>" for name in authors)
    note = "" if comment is None else f'<div class="note"><span>Comments:</span> {comment}\n</div>'
    return (
        f'<dt><a href=/1>[1]</a></dt><dd><div class="meta"><div class="title"><span>Title:</span> '
        f'{title}</div><div class="names"><span>Authors:</span> {names}</div>{note}'
        '<div class="field"><span>Subjects:</span> <b>Math</b></div></div></dd>'
    )


def test_a_value_that_some_records_lack_is_not_found_by_counting_texts():
    text = f"<h1>Math</h1><dl>{''.join(paper(*each) for each in PAPERS)}</dl><h3>End</h3>"
    title, authors, comment = PAPERS[0]
    label = {"title": title, "author": authors, "comment": comment}
    wrapper = rowen.learn([rowen.Example(text, [label], partial=True)])
    found = [record.values for record in wrapper.extract(text)]
    assert [record["comment"] for record in found] == [comment for *_, comment in PAPERS]
    assert [record["author"] for record in found] == [authors for _, authors, _ in PAPERS]


def staff(people):
    """Lines of a staff list, with the labels of each."""
    text, gold = "<h1>Staff</h1>", []
    for name, role, note in people:
        start = len(text) + len("<p><b>")
        text += f"<p><b>{name}</b>, {role}{note}</p>"
        from_ = start + len(name) + len("</b>, ")
        gold.append({"name": (start, start + len(name)), "role": (from_, from_ + len(role))})
    return rowen.Page(text), gold


def test_a_value_after_a_sign_is_not_cut_at_its_last_space():
    roles = ["Clerk", "Head of Office", "Curator", "Head of Office", "Driver of Buses"]
    page, gold = staff([(f"Ann {number}", role, "") for number, role in enumerate(roles)])
    assert values(learned(page, gold[:1]), page) == gold


@pytest.mark.parametrize("marked", [0, 1])
def test_a_remark_after_the_marked_value_is_not_after_every_value(marked):
    notes = ["", " (on leave)", "", "", " (on leave)", ""]
    roles = ["Clerk", "Curator", "Driver", "Clerk", "Driver", "Baker"]
    page, gold = staff(
        [
            (f"Ann {at}", role, note)
            for at, (role, note) in enumerate(zip(roles, notes, strict=True))
        ]
    )
    assert values(learned(page, gold[1 - marked : 2]), page) == gold


def test_cells_count_as_in_the_grid_where_a_date_spans_several_rows():
    spans, number = (2, 1, 3, 1, 2), 0
    text, gold = "<table><tr><th>Date</th><th>Event</th><th>Place</th><th>Fee</th></tr>", []
    for group, span in enumerate(spans):
        for row in range(span):
            number += 1
            text += "<tr>" + (f"<td rowspan={span}>{group + 1} May</td>" if not row else "")
            cells = {"event": f"Event {number}", "place": f"Hall {number % 3}", "fee": f"${number}"}
            gold.append({})
            for name, value in cells.items():
                text += "<td>"
                gold[-1][name] = (len(text), len(text) + len(value))
                text += f"{value}</td>"
            text += "</tr>"
    page = rowen.Page(text + "</table>")
    for marked in (gold[0], gold[1]):
        assert values(learned(page, [marked]), page) == gold
