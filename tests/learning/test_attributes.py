"""Attributes as fields: their values are marked by what they say, and learned from two pages."""

import html

import pytest

import rowen

ROWS = [
    {
        "link": "/buy?a=1&amp;b=2",
        "image": "/img/1.jpg",
        "sizes": "/img/1.jpg 1x, /img/1b.jpg 2x",
        "alt": "A red &quot;bike&quot;",
        "hint": "Made in Italy",
        "when": "2026-10-03T10:00",
        "summary": "Caf&eacute; racer &amp; more",
        "sku": "SKU-1",
        "action": "Add Bike &amp; lock to basket",
        "name": "Bike",
    },
    {
        "link": "/buy?a=3&amp;b=4",
        "image": "/img/2.jpg",
        "sizes": "/img/2.jpg 1x, /img/2b.jpg 2x",
        "alt": "A blue &quot;kite&quot;",
        "hint": "Made in Spain",
        "when": "2026-11-04T11:00",
        "summary": "High &amp; low flyer",
        "sku": "SKU-22",
        "action": "Add Kite to basket",
        "name": "Kite",
    },
    {
        "link": "/buy?x=9&amp;b=7",
        "image": "/img/9.jpg",
        "sizes": "/img/9.jpg 1x, /img/9b.jpg 2x",
        "alt": "A green &lt;drum&gt;",
        "hint": "Made in Kenya",
        "when": "2027-01-04T09:30",
        "summary": "Loud &amp; round",
        "sku": "SKU-3",
        "action": "Add Drum to basket",
        "name": "Drum",
    },
]


def page(row, number):
    return rowen.Page(
        f"<html><head><title>Shop {number}</title>"
        f'<meta property="og:description" content="{row["summary"]}"></head><body>'
        '<nav><a href="/home">Home</a><img src="/logo.png" alt="Logo"></nav>'
        f'<article data-sku="{row["sku"]}"><h1>{row["name"]}</h1>'
        f"<a class=buy href='{row['link']}'>Buy</a>"
        f'<img class="photo" src="{row["image"]}" srcset="{row["sizes"]}" alt="{row["alt"]}">'
        f'<abbr title="{row["hint"]}">?</abbr><time datetime={row["when"]}>some day</time>'
        f'<button aria-label="{row["action"]}">x</button></article>'
        '<footer><a href="/imprint">Imprint</a></footer></body></html>',
        id=f"https://shop.example/{number}",
    )


PAGES = [page(row, number) for number, row in enumerate(ROWS)]
LABELS = [{name: html.unescape(value) for name, value in row.items()} for row in ROWS]


@pytest.mark.parametrize("kind", ["token", "auto"])
@pytest.mark.parametrize("names", [list(ROWS[0]), *([name] for name in ROWS[0])], ids=str)
def test_attributes_are_learned_by_value(kind, names):
    labels = [{name: label[name] for name in names} for label in LABELS]
    marked = [rowen.Example(page, [label]) for page, label in zip(PAGES[:2], labels, strict=False)]
    wrapper = rowen.learn(marked, kind)
    assert wrapper.warnings == ()
    assert [record.values for record in wrapper.extract(PAGES[2])] == [labels[2]]


def listing(items, name):
    rows = "".join(
        f'<li data-id="{number}"><a href="/p?id={number}&amp;r=1" title="{text}">{text}</a>'
        f'<img src="/t/{number}.png" alt="{text} photo"><time datetime="2026-0{number}-01">x</time>'
        for number, text in items
    )
    return rowen.Page(f"<ul class=l>{rows}</ul>", id=name)


def listing_label(items):
    return [
        {
            "id": str(number),
            "link": f"/p?id={number}&r=1",
            "image": f"/t/{number}.png",
            "alt": f"{html.unescape(text)} photo",
            "when": f"2026-0{number}-01",
            "name": html.unescape(text),
        }
        for number, text in items
    ]


@pytest.mark.parametrize("kind", ["token", "auto"])
def test_attributes_of_lists_are_learned_by_value(kind):
    lists = [
        [(1, "Tea &amp; milk"), (2, "Rum"), (3, "Gin")],
        [(4, "Wine"), (5, "Port")],
        [(6, "Ale &amp; oil"), (7, "Cava")],
    ]
    pages = [listing(items, f"l{number}") for number, items in enumerate(lists)]
    marked = [
        rowen.Example(page, listing_label(items))
        for page, items in zip(pages[:2], lists, strict=False)
    ]
    wrapper = rowen.learn(marked, kind)
    assert wrapper.warnings == ()
    assert [record.values for record in wrapper.extract(pages[2])] == listing_label(lists[2])


@pytest.mark.parametrize("kind", ["token", "auto"])
def test_attributes_of_nested_records_are_learned_by_value(kind):
    lists = [[(1, "Tea"), (2, "Rum")], [(4, "Wine"), (5, "Port"), (6, "Ale")], [(7, "Cava")]]
    pages = [
        rowen.Page(f"<h1>Page {n}</h1>{listing(items, '').text}", id=f"n{n}")
        for n, items in enumerate(lists)
    ]
    labels = [
        [{"title": f"Page {n}", "items": listing_label(items)}] for n, items in enumerate(lists)
    ]
    marked = [rowen.Example(page, label) for page, label in zip(pages[:2], labels, strict=False)]
    wrapper = rowen.learn(marked, kind)
    assert wrapper.warnings == ()
    assert [record.values for record in wrapper.extract(pages[2])] == labels[2]


def test_a_number_in_a_class_is_not_meant_where_another_place_says_it():
    def rated(stars, name):
        icons = '<svg class="w-4 h-4"><path d="M4 5"/></svg>' * stars
        body = f'<div role="img" aria-label="{stars} of 5">{icons}</div><b>{name}</b>'
        return rowen.Page(f"<article>{body}</article>", id=name)

    pages = [rated(4, "Tea"), rated(5, "Rum"), rated(3, "Gin")]
    labels = [{"stars": "4", "name": "Tea"}, {"stars": "5", "name": "Rum"}]
    marked = [rowen.Example(page, [label]) for page, label in zip(pages[:2], labels, strict=True)]
    wrapper = rowen.learn(marked)
    assert wrapper.extract(pages[2])[0].values == {"stars": "3", "name": "Gin"}


def test_a_class_is_a_value_where_nothing_else_says_it():
    pages = [
        rowen.Page(f'<h1>{name}</h1><p class="rating {stars}"></p>', id=name)
        for name, stars in (("Tea", "Four"), ("Rum", "Two"), ("Gin", "Three"))
    ]
    labels = [{"name": "Tea", "stars": "Four"}, {"name": "Rum", "stars": "Two"}]
    marked = [rowen.Example(page, [label]) for page, label in zip(pages[:2], labels, strict=True)]
    assert rowen.learn(marked).extract(pages[2])[0].values == {"name": "Gin", "stars": "Three"}
