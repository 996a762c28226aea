"""A record marked on a page that may have others: a list, or a page of one record."""

import rowen


def detail(title, price, tags):
    items = "".join(f"<li>{tag}</li>" for tag in tags)
    return (
        f"<nav><a href=x>Home</a></nav><h1>{title}</h1><ul>{items}</ul>"
        f"<p>Price: <b>{price}</b></p><p>Shipping: <b>free</b></p>"
    )


DETAILS = [
    rowen.Page(detail("Middlemarch", "48.00", ["novel", "long"]), id="1.html"),
    rowen.Page(detail("Emma", "12.50", ["novel"]), id="2.html"),
    rowen.Page(detail("Walden", "9.00", ["essay", "wood", "pond"]), id="3.html"),
]


def table(rows):
    cells = "".join(f"<tr><td>{name}</td><td>{age}</td></tr>" for name, age in rows)
    return f"<h1>People</h1><table>{cells}</table>"


def values(wrapper, page):
    return [dict(record.values) for record in wrapper.extract(page)]


def test_where_nothing_repeats_a_record_is_all_of_its_page():
    marks = [{"title": "Middlemarch", "price": "48.00"}]
    wrapper = rowen.learn([rowen.Example(DETAILS[0], marks, partial=True)], pages=DETAILS)
    assert "no page has a second record" in wrapper.reason
    assert [values(wrapper, page) for page in DETAILS] == [
        [{"title": "Middlemarch", "price": "48.00"}],
        [{"title": "Emma", "price": "12.50"}],
        [{"title": "Walden", "price": "9.00"}],
    ]


def test_where_the_page_repeats_the_record_it_is_a_list():
    rows = [("Ada", 36), ("Bob", 41), ("Eve", 29), ("Max", 50)]
    page = rowen.Page(table(rows), id="list.html")
    other = rowen.Page(table([("Zoe", 7)]), id="other.html")
    for name, age in rows:
        marks = [{"name": name, "age": str(age)}]
        wrapper = rowen.learn([rowen.Example(page, marks, partial=True)], pages=[other])
        assert values(wrapper, page) == [{"name": name, "age": str(age)} for name, age in rows]


def test_where_another_page_has_two_records_it_is_a_list():
    page = rowen.Page(table([("Zoe", 7)]), id="one.html")
    other = rowen.Page(table([("Ada", 36), ("Bob", 41)]), id="two.html")
    marks = [{"name": "Zoe", "age": "7"}]
    wrapper = rowen.learn([rowen.Example(page, marks, partial=True)], pages=[other])
    assert len(wrapper.extract(other)) == 2


def test_a_page_alone_does_not_show_that_it_has_no_second_record():
    marks = [{"title": "Middlemarch", "price": "48.00"}]
    marked = rowen.Example(DETAILS[0], marks, partial=True)
    assert "no page has a second record" not in rowen.learn([marked]).reason
    assert "no page has a second record" in rowen.learn([marked], pages=DETAILS[1:]).reason


def shop(*products):
    items = ", ".join(f'{{"price": {price}, "name": "{name}"}}' for name, price in products)
    return f'<div id=root></div><script>window.state = {{"items": [{items}]}}</script>'


def test_data_in_a_script_repeats_what_is_marked_there():
    pages = [
        rowen.Page(shop(("Vase", 8), ("Lamp", 12), ("Chair", 99)), id="a"),
        rowen.Page(shop(("Bowl", 45)), id="b"),
    ]
    at = pages[0].text.index("Lamp")
    example = rowen.Example(pages[0], [{"name": (at, at + 4)}], partial=True)
    wrapper = rowen.learn([example], pages=pages)
    assert wrapper.wrapper_class == "data"
    assert [values(wrapper, page) for page in pages] == [
        [{"name": "Vase"}, {"name": "Lamp"}, {"name": "Chair"}],
        [{"name": "Bowl"}],
    ]


def test_data_with_one_thing_per_page_makes_its_page_one_record():
    pages = [
        rowen.Page(f"<h1>Shop</h1>{shop((name, 8))}", id=name) for name in ("Vase", "Lamp", "Bowl")
    ]
    at = pages[0].text.index("Vase")
    example = rowen.Example(pages[0], [{"name": (at, at + 4)}], partial=True)
    wrapper = rowen.learn([example], pages=pages)
    assert [values(wrapper, page) for page in pages] == [
        [{"name": "Vase"}],
        [{"name": "Lamp"}],
        [{"name": "Bowl"}],
    ]
