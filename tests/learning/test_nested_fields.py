"""Fields that hold records: labels by value on two pages, and what is found on a third."""

import json
import pickle

import hypothesis.strategies as st
import pytest
import rendered
from effort import cases
from hypothesis import assume, given, settings

import rowen
from rowen.errors import LabelError
from rowen.extractors.saved import from_dict
from rowen.labels.locate import locate
from rowen.learning.label_parts import nested_names
from rowen.learning.verification import verify
from rowen.wrappers.nested_fields import NestedFields
from rowen.wrappers.tree import Tree


def values(wrapper, page):
    return [record.values for record in wrapper.extract(page)]


# A shop: one product on a page, with reviews and an average that looks like one.


def product(title, price, reviews, name, *, after=""):
    items = "".join(
        f'<div class="review" id="r{number}"><b class="who">{author}</b> gave <i>{stars}</i> stars'
        f"<p>{text}</p></div>"
        for number, (author, stars, text) in enumerate(reviews)
    )
    return rowen.Page(
        f"<html><head><title>{title} - Shop</title></head><body><h1>{title}</h1>"
        f'<span class="price">{price}</span><div class="average">4.2</div>'
        f'<section class="reviews"><h2>Reviews</h2>{items}</section>{after}'
        "<footer>4 shops</footer></body></html>",
        id=name,
    )


def product_label(title, price, reviews):
    held = [{"author": a, "stars": s, "text": t} for a, s, t in reviews]
    return [{"title": title, "price": price, "reviews": held}]


PRODUCTS = [
    ("Tea", "4.00", [("Ann", "4", "Good"), ("Bob", "2", "Bad tea"), ("Cid", "4", "fine")]),
    ("Milk", "2.00", [("Dan", "5", "White &amp; cold")]),
    ("Rum", "22.00", []),
    ("Gin", "20.00", [("Eve", "3", "ok"), ("Fay", "4", "ok")]),
]
SHOP = [product(*row, f"shop-{number}") for number, row in enumerate(PRODUCTS)]


def read(row):
    title, price, reviews = row
    return product_label(title, price, [(a, s, t.replace("&amp;", "&")) for a, s, t in reviews])


def shop_examples(*numbers):
    return [rowen.Example(SHOP[number], read(PRODUCTS[number])) for number in numbers]


@pytest.mark.parametrize("kind", ["token", "auto", "hlrt", "lr"])
def test_reviews_of_products_are_learned_from_two_pages(kind):
    wrapper = rowen.learn(shop_examples(0, 1), kind)
    assert wrapper.warnings == ()
    for page, row in zip(SHOP, PRODUCTS, strict=True):
        assert values(wrapper, page) == read(row)
        assert wrapper.extract(page).failure is None


def test_one_review_on_each_marked_page_is_enough():
    rows = [("Tea", "4.00", [("Ann", "4", "Good")]), ("Milk", "2.00", [("Dan", "5", "White")])]
    pages = [product(*row, f"one-{number}") for number, row in enumerate(rows)]
    marked = [rowen.Example(page, read(row)) for page, row in zip(pages, rows, strict=True)]
    for kind in ("token", "auto"):
        wrapper = rowen.learn(marked, kind)
        assert values(wrapper, SHOP[0]) == read(PRODUCTS[0])
        assert values(wrapper, SHOP[2]) == read(PRODUCTS[2])


def test_a_page_known_to_have_none_is_an_example_too():
    teaser = (
        '<section class="teaser"><div class="review"><b class="who">Zoe</b> gave <i>1</i></div>'
    )
    page = product("Ale", "3.00", [], "none", after=f"{teaser}</section>")
    marked = [*shop_examples(0, 1), rowen.Example(page, read(("Ale", "3.00", [])))]
    wrapper = rowen.learn(marked)
    assert wrapper.warnings == ()
    assert values(wrapper, page) == read(("Ale", "3.00", []))


def test_unknown_is_not_none():
    page = product("Ale", "3.00", [("Gus", "1", "flat")], "unknown")
    marked = [*shop_examples(0, 1), rowen.Example(page, [{"title": "Ale", "price": "3.00"}])]
    wrapper = rowen.learn(marked, "token")
    assert wrapper.warnings == ()
    assert values(wrapper, page)[0]["reviews"] == [{"author": "Gus", "stars": "1", "text": "flat"}]


def test_values_of_nested_records_may_be_missing_or_unknown():
    rows = [
        ("Tea", "4.00", [("Ann", "4", "Good"), ("Bob", "2", "Bad"), ("Cid", "5", "Fine")]),
        ("Milk", "2.00", [("Dan", "5", "White"), ("Eve", "1", "Sour")]),
    ]
    pages = [product(*row, f"gap-{number}") for number, row in enumerate(rows)]
    gap = pages[0].text.replace('<b class="who">Bob</b>', "")
    first = rowen.Page(gap, id="gap-0")
    label = read(rows[0])
    label[0]["reviews"][1]["author"] = None
    del label[0]["reviews"][2]["text"]
    wrapper = rowen.learn([rowen.Example(first, label), rowen.Example(pages[1], read(rows[1]))])
    assert wrapper.warnings == ()
    reviews = values(wrapper, first)[0]["reviews"]
    assert [review["author"] for review in reviews] == ["Ann", None, "Cid"]
    assert [review["text"] for review in reviews] == ["Good", "Bad", "Fine"]


def test_a_page_may_be_nothing_but_a_list():
    marked = [
        rowen.Example(SHOP[number], [{"reviews": read(PRODUCTS[number])[0]["reviews"]}])
        for number in (0, 1)
    ]
    wrapper = rowen.learn(marked, "token")
    assert values(wrapper, SHOP[3]) == [{"reviews": read(PRODUCTS[3])[0]["reviews"]}]
    assert values(wrapper, SHOP[2]) == [{"reviews": []}]
    assert "The page is one record." in wrapper.describe()


def test_offsets_are_labels_too():
    text = SHOP[0].text
    spans = [{"author": (text.index(name), text.index(name) + 3)} for name in ("Ann", "Bob", "Cid")]
    start = text.index("<h1>") + 4
    marked = rowen.Example(SHOP[0], [{"title": (start, start + 3), "reviews": spans}])
    wrapper = rowen.learn([marked, *shop_examples(1)], "token")
    assert [review["author"] for review in values(wrapper, SHOP[3])[0]["reviews"]] == ["Eve", "Fay"]


def test_a_field_that_holds_records_here_and_a_text_there_is_refused():
    text = rowen.Example(SHOP[1], [{"title": "Milk", "reviews": "White & cold"}])
    with pytest.raises(LabelError, match="holds records in another label"):
        rowen.learn([*shop_examples(0), text])


def located(page, row):
    """The label of a page, with the places that a page of the shop teaches."""
    return locate([(SHOP[0], read(PRODUCTS[0]), False), (page, read(row), False)])[1]


def test_what_is_wrong_is_named_by_its_path():
    label = read(PRODUCTS[0])
    label[0]["reviews"][1]["stars"] = "5"
    with pytest.raises(LabelError, match=r"field 'reviews\[2\].stars': '5' was not found"):
        rowen.learn([rowen.Example(SHOP[0], label)])
    broken = rowen.Page(SHOP[1].text.replace("<i>5</i>", "<u>5</u>"), id="broken")
    wrapper = rowen.learn(shop_examples(0, 1, 3))
    example = located(broken, PRODUCTS[1])
    (warning,) = verify([example], [wrapper.extract(broken)])
    assert warning.kind == "field-lost"
    assert warning.field == "reviews.stars"
    marked = [located(SHOP[3], PRODUCTS[3]), example]
    warnings = verify(marked, [wrapper.extract(entry.page) for entry in marked])
    assert [(entry.kind, entry.record, entry.field) for entry in warnings] == [
        ("value-missed", 0, "reviews[1].stars")
    ]


def test_records_that_are_missing_and_too_many_are_named():
    wrapper = rowen.learn(shop_examples(0, 1))
    title, price, reviews = PRODUCTS[3]
    (extra,) = verify([located(SHOP[3], (title, price, reviews[:1]))], [wrapper.extract(SHOP[3])])
    assert (extra.kind, extra.record, extra.field) == ("record-extra", 0, "reviews")
    before, _, after = SHOP[3].text.partition('<div class="review" id="r1"><b class="who">')
    other = after.replace("</b>", "</u>").replace("<i>", "<s>").replace("<p>", "<u>", 1)
    gone = rowen.Page(f"{before}<h4><u>{other}", id="gone")
    (missed,) = verify([located(gone, PRODUCTS[3])], [wrapper.extract(gone)])
    assert (missed.kind, missed.record, missed.field) == ("record-missed", 0, "reviews[2]")


# A forum: several posts on a page, each with replies that look alike.


def thread(posts, name, *, layout="after"):
    parts = []
    for title, author, replies in posts:
        inner = "".join(
            f'<li class="reply"><span class="author">{who}</span>: <q>{text}</q></li>'
            for who, text in replies
        )
        held = f"<ul>{inner}</ul>" if inner else ""
        own = f'<h3>{title}</h3><span class="author">{author}</span>'
        body = {
            "after": own + held,
            "before": held + own,
            "between": own.replace("</h3>", f"</h3>{held}"),
        }[layout]
        parts.append(f'<div class="post">{body}</div>')
    return rowen.Page(f"<main>{''.join(parts)}</main><p>4 posts</p>", id=name)


def thread_label(posts):
    return [
        {
            "title": title,
            "author": author,
            "replies": [{"author": who, "text": text} for who, text in replies],
        }
        for title, author, replies in posts
    ]


THREADS = [
    [("Kiln", "ann", [("bob", "hot"), ("ann", "cold")]), ("Clay", "cid", [("dan", "red")])],
    [("Glaze", "eve", []), ("Wheel", "fay", [("gus", "slow"), ("hal", "fast")])],
    [("Ash", "ida", []), ("Iron", "jon", []), ("Salt", "kim", [("ann", "no"), ("leo", "yes")])],
]


@pytest.mark.parametrize("layout", ["after", "before", "between"])
@pytest.mark.parametrize("kind", ["token", "auto"])
def test_replies_belong_to_their_posts(layout, kind):
    pages = [thread(posts, f"t{n}", layout=layout) for n, posts in enumerate(THREADS)]
    marked = [
        rowen.Example(page, thread_label(posts))
        for page, posts in zip(pages[:2], THREADS, strict=False)
    ]
    wrapper = rowen.learn(marked, kind)
    assert wrapper.warnings == ()
    assert values(wrapper, pages[2]) == thread_label(THREADS[2])


@pytest.mark.parametrize(("order", "way"), [("after", "after"), ("before", "before")])
def test_delimiters_know_no_stretches_and_go_by_order(order, way):
    pages = [thread(posts, f"t{n}", layout=order) for n, posts in enumerate(THREADS)]
    marked = [
        rowen.Example(page, thread_label(posts))
        for page, posts in zip(pages[:2], THREADS, strict=False)
    ]
    wrapper = rowen.learn(marked, "lr")
    assert wrapper.parts["replies"].belongs == way
    assert values(wrapper, pages[2]) == thread_label(THREADS[2])


def test_records_that_can_not_be_shared_out_are_refused_or_warned_of():
    # The replies of the first post stand before it, those of the second after it.
    text = "<main><li><q>hot</q></li><h3>Kiln</h3><p>x</p><h3>Clay</h3><li><q>red</q></li></main>"
    labels = [
        {"title": "Kiln", "replies": [{"text": "hot"}]},
        {"title": "Clay", "replies": [{"text": "red"}]},
    ]
    marked = [rowen.Example(rowen.Page(text, id="mixed"), labels)]
    with pytest.raises(rowen.NoConsistentWrapper, match="to which record its records belong"):
        rowen.learn(marked, "lr")


def test_several_records_need_values_of_their_own():
    page = thread(THREADS[0], "t")
    labels = [{"replies": record["replies"]} for record in thread_label(THREADS[0])]
    with pytest.raises(rowen.NoConsistentWrapper, match="no values of their own"):
        rowen.learn([rowen.Example(page, labels)], "token")


# A recipe: two lists in one record, one of them in groups.


def recipe(title, groups, steps, name):
    parts = "".join(
        f"<h3>{group}</h3><ul>"
        + "".join(f"<li><b>{amount}</b> {what}</li>" for amount, what in items)
        + "</ul>"
        for group, items in groups
    )
    done = "".join(f"<li><p>{text}</p><time>{minutes} min</time></li>" for text, minutes in steps)
    return rowen.Page(
        f"<h1>{title}</h1><div class='in'>{parts}</div><ol class='steps'>{done}</ol>", id=name
    )


def recipe_label(title, groups, steps):
    return [
        {
            "title": title,
            "groups": [
                {"name": group, "items": [{"amount": amount} for amount, _ in items]}
                for group, items in groups
            ],
            "steps": [{"text": text, "minutes": minutes} for text, minutes in steps],
        }
    ]


RECIPES = [
    (
        "Broth",
        [("Soup", [("150 g", "barley"), ("3", "leeks")]), ("Top", [("2 tbsp", "butter")])],
        [("Melt it.", "10"), ("Simmer.", "50")],
    ),
    (
        "Cake",
        [("Dough", [("200 g", "flour"), ("2", "eggs")]), ("Crumble", [("80 g", "sugar")])],
        [("Beat.", "5"), ("Bake.", "45"), ("Rest.", "20")],
    ),
    ("Tea", [("Cup", [("1", "bag")])], []),
]


def test_two_lists_and_a_list_in_a_list():
    pages = [recipe(*row, f"r{number}") for number, row in enumerate(RECIPES)]
    marked = [
        rowen.Example(page, recipe_label(*row))
        for page, row in zip(pages[:2], RECIPES, strict=False)
    ]
    for kind in ("token", "auto"):
        wrapper = rowen.learn(marked, kind)
        assert wrapper.warnings == ()
        assert values(wrapper, pages[2]) == recipe_label(*RECIPES[2])


# Nested data in a script: the objects around records say to which they belong.


@pytest.mark.parametrize("kind", ["data", "auto"])
def test_records_in_scripts_belong_to_the_object_around_them(kind):
    rows = [
        [("Inn", ["single", "double"], "Ulm"), ("Hut", ["bunk"], "Bonn")],
        [("Spa", [], "Kiel"), ("Tent", ["ground", "hammock"], "Trier")],
        [("Barn", ["straw", "hay", "loft"], "Celle"), ("Boat", [], "Jena")],
    ]
    pages = [
        rowen.Page(
            "<p>Loading ...</p><script type='application/json' id='state'>"
            + json.dumps(
                {
                    "hotels": [
                        # the name comes first, and the town after the rooms
                        {"name": name, "rooms": [{"kind": room} for room in rooms], "town": town}
                        for name, rooms, town in hotels
                    ]
                }
            )
            + "</script>",
            id=f"data-{number}",
        )
        for number, hotels in enumerate(rows)
    ]
    labels = [
        [{"town": town, "rooms": [{"kind": room} for room in rooms]} for _, rooms, town in hotels]
        for hotels in rows
    ]
    marked = [rowen.Example(page, label) for page, label in zip(pages[:2], labels, strict=False)]
    wrapper = rowen.learn(marked, kind)
    assert wrapper.warnings == ()
    assert values(wrapper, pages[2]) == labels[2]


@pytest.mark.parametrize("kind", ["data", "auto"])
@pytest.mark.parametrize("several", [False, True])
def test_one_record_in_each_list_of_a_script_is_enough(kind, several):
    def page(hotels, name):
        held = [
            {"name": hotel, "rooms": [{"kind": room} for room in rooms]} for hotel, rooms in hotels
        ]
        state = json.dumps({"all": held} if several else {"hotel": held[0]})
        return rowen.Page(f"<script type='application/json'>{state}</script>", id=name), [
            {"name": hotel, "rooms": [{"kind": room} for room in rooms]} for hotel, rooms in hotels
        ]

    rows = [
        [("Inn", ["single"]), ("Hut", ["bunk"])],
        [("Spa", ["suite"]), ("Tent", ["ground"])],
        [("Barn", ["straw", "loft"]), ("Boat", [])],
        [("Ship", []), ("Tree", ["nest", "branch"])],
    ]
    made = [page(row if several else row[:1], f"s{number}") for number, row in enumerate(rows)]
    wrapper = rowen.learn([rowen.Example(*entry) for entry in made[:2]], kind)
    for entry, label in made:
        assert values(wrapper, entry) == label


def test_types_are_given_and_suggested_by_path():
    wrapper = rowen.learn(shop_examples(0, 1), schema={"reviews.stars": "integer"})
    assert values(wrapper, SHOP[3])[0]["reviews"][1]["stars"] == 4
    assert rowen.learn(shop_examples(0, 1)).suggested_types["reviews.stars"] == "integer"
    assert list(wrapper.schema["reviews"].fields) == ["author", "stars", "text"]
    with pytest.raises(rowen.errors.UsageError, match=r"no field 'reviews.price' is marked"):
        rowen.learn(shop_examples(0, 1), schema={"reviews": {"fields": {"price": "price"}}})


def test_examples_that_are_left_out_are_predicted_as_lists():
    # Learned from the page with one review alone, the reviews of the other are still a list.
    assert "reviews: class token" in rowen.learn(shop_examples(0, 1)).reason


def test_nested_texts_that_scripts_say_twice_are_found_by_path():
    # `true` stands under two keys: only that of breakfast says it in all rooms.
    rows = [
        ("Inn", [("single", True, True), ("double", True, False)]),
        ("Hut", [("bunk", True, True), ("floor", True, True)]),
        ("Spa", [("suite", True, False), ("bath", True, True), ("pool", True, True)]),
    ]
    pages = [
        rowen.Page(
            "<script type='application/json'>"
            + json.dumps(
                {
                    "name": name,
                    "rooms": [{"kind": k, "tax": t, "breakfast": b} for k, t, b in rooms],
                }
            )
            + "</script>",
            id=name,
        )
        for name, rooms in rows
    ]
    labels = [
        [
            {
                "name": name,
                "rooms": [{"kind": k, "breakfast": str(b).lower()} for k, _, b in rooms],
            }
        ]
        for name, rooms in rows
    ]
    marked = [rowen.Example(page, label) for page, label in zip(pages[:2], labels, strict=False)]
    wrapper = rowen.learn(marked)
    assert wrapper.warnings == ()
    assert values(wrapper, pages[2]) == labels[2]


# Comments on comments, all of one template.


def comment(name, *replies):
    author = f"{name}.online"
    inner = "".join(replies)
    held = f'<div class="replies">{inner}</div>' if inner else ""
    return f'<div class="comment"><a href="/u/{author}">{author}</a><p>by {author}</p>{held}</div>'


def comment_label(name, *replies):
    return {"author": f"{name}.online", "replies": list(replies)}


def board(name, *comments):
    return rowen.Page(f"<h1>Board {name}</h1><div id='all'>{''.join(comments)}</div>", id=name)


BOARDS = [
    board("a", comment("ann", comment("bob", comment("cid")), comment("dan")), comment("eve")),
    board("b", comment("fay"), comment("gus", comment("hal"))),
    board("c", comment("ida", comment("jon", comment("kim", comment("leo", comment("max")))))),
]
BOARD_LABELS = [
    [
        comment_label("ann", comment_label("bob", comment_label("cid")), comment_label("dan")),
        comment_label("eve"),
    ],
    [comment_label("fay"), comment_label("gus", comment_label("hal"))],
    [
        comment_label(
            "ida",
            comment_label("jon", comment_label("kim", comment_label("leo", comment_label("max")))),
        )
    ],
]


@pytest.mark.parametrize("kind", ["token", "auto"])
def test_comments_nest_deeper_than_any_label(kind):
    marked = [rowen.Example(BOARDS[n], BOARD_LABELS[n]) for n in (0, 1)]
    wrapper = rowen.learn(marked, kind)
    assert isinstance(wrapper, Tree)
    assert wrapper.warnings == ()
    assert values(wrapper, BOARDS[2]) == BOARD_LABELS[2]
    assert "records of the same kind" in wrapper.describe()


def test_comments_may_be_a_nested_field():
    marked = [
        rowen.Example(BOARDS[n], [{"title": f"Board {name}", "comments": BOARD_LABELS[n]}])
        for n, name in ((0, "a"), (1, "b"))
    ]
    wrapper = rowen.learn(marked)
    assert values(wrapper, BOARDS[2]) == [{"title": "Board c", "comments": BOARD_LABELS[2]}]


def test_no_page_makes_records_nest_without_end():
    marked = [rowen.Example(BOARDS[n], BOARD_LABELS[n]) for n in (0, 1)]
    wrapper = rowen.learn(marked, "token")
    deep = "".join(f'<div class="comment"><a href="/u/{n}">{n}</a><p>' for n in range(3000))
    records = wrapper.extract(f"<div id='all'>{deep}</div>")
    assert len(records) == 1
    assert sum(1 for record in records for path, _ in record.leaves() if path.endswith("author"))
    assert records[0].values["author"] == "0"


# What else a wrapper has to do.


@pytest.fixture(scope="module")
def shop():
    return rowen.learn(shop_examples(0, 1))


def test_saved_and_loaded_and_pickled_it_is_the_same(shop, tmp_path):
    shop.save(tmp_path / "shop.json")
    board_tree = rowen.learn([rowen.Example(BOARDS[n], BOARD_LABELS[n]) for n in (0, 1)])
    board_tree.save(tmp_path / "board.json")
    for wrapper, name, page in ((shop, "shop", SHOP[3]), (board_tree, "board", BOARDS[2])):
        loaded = rowen.load(tmp_path / f"{name}.json")
        assert loaded.version == wrapper.version
        assert loaded.describe() == wrapper.describe()
        assert loaded.schema == wrapper.schema
        assert loaded.extract(page) == wrapper.extract(page)
        assert pickle.loads(pickle.dumps(wrapper)).extract(page) == wrapper.extract(page)
        records = wrapper.extract(page)
        assert pickle.loads(pickle.dumps(records)) == records


def test_types_reach_nested_records(shop):
    schema = {"price": "number", "reviews": {"fields": {"stars": "integer"}}}
    wrapper = rowen.learn(shop_examples(0, 1), schema=schema)
    (record,) = wrapper.extract(SHOP[3])
    assert record.values["reviews"][0] == {"author": "Eve", "stars": 3, "text": "ok"}
    assert record.source["reviews"][0]["stars"] == "3"
    assert shop.schema["reviews"].fields is not None


def test_stores_keep_nested_records(shop, tmp_path):
    store = rowen.Store(tmp_path / "store")
    store.run([shop], SHOP)
    assert store.run([shop], SHOP).pages["unchanged"] == len(SHOP)
    assert rowen.recycle(shop, SHOP[0], shop.extract(SHOP[0]), SHOP[3]) == shop.extract(SHOP[3])


def test_lists_that_are_empty_are_no_drift_at_once(shop):
    assert not rowen.check(shop, SHOP).drifted
    assert not rowen.check(shop, [SHOP[2]]).drifted


def test_lists_that_are_gone_are_drift():
    pages = [
        product("Tea", "4.00", [(f"Ann{n}", "4", "Good"), (f"Bob{n}", "2", "Bad")], f"d{n}")
        for n in range(12)
    ]
    marked = [
        rowen.Example(
            page, read(("Tea", "4.00", [(f"Ann{n}", "4", "Good"), (f"Bob{n}", "2", "Bad")]))
        )
        for n, page in enumerate(pages)
    ]
    wrapper = rowen.learn(marked, "token")
    assert not rowen.check(wrapper, pages).drifted
    bare = [rowen.Page(page.text.replace('"review"', '"rv"'), id=page.id) for page in pages]
    report = rowen.check(wrapper, bare)
    assert report.drifted
    assert {finding.field for finding in report.findings} == {"reviews"}
    changed = [rowen.Page(page.text.replace("<i>", "<i>about "), id=page.id) for page in pages]
    assert "reviews.stars" in {finding.field for finding in rowen.check(wrapper, changed).findings}


def test_records_from_before_are_compared_with(shop):
    before = [record for page in SHOP for record in shop.extract(page)]
    assert not rowen.check(shop, SHOP, against=before).drifted
    written = [record.to_dict() for record in before]
    assert not rowen.check(shop, SHOP, against=written).drifted


def test_redesigned_pages_are_repaired_part_by_part(shop):
    def redesigned(page):
        text = page.text.replace('class="review"', 'class="rv"').replace("<h1>", '<h1 id="t">')
        text = text.replace('<b class="who">', "<em>").replace("</b>", "</em>")
        return rowen.Page(text.replace("<i>", "<s>").replace("</i>", "</s>"), id=page.id)

    pages = [redesigned(page) for page in SHOP]
    known = [record for page in SHOP for record in shop.extract(page)]
    for records in ((), known):
        repaired = rowen.repair(shop, pages, records)
        for page, row in zip(pages, PRODUCTS, strict=True):
            assert values(repaired.wrapper, page) == read(row)
        assert repaired.wrapper.name == shop.name


def test_redesigned_boards_are_repaired():
    wrapper = rowen.learn([rowen.Example(BOARDS[n], BOARD_LABELS[n]) for n in (0, 1)])
    pages = [rowen.Page(page.text.replace('"comment"', '"note"'), id=page.id) for page in BOARDS]
    known = [record for page in BOARDS for record in wrapper.extract(page)]
    repaired = rowen.repair(wrapper, pages, known)
    assert [values(repaired.wrapper, page) for page in pages] == BOARD_LABELS


def test_an_estimate_counts_nested_values():
    wrapper = rowen.learn(shop_examples(0, 1, 3), "token", estimate=True)
    assert (wrapper.estimate.right, wrapper.estimate.tried) == (3, 3)


def test_label_files_hold_nested_records(tmp_path):
    marked = rowen.learn(shop_examples(0, 1), "token")
    records = [marked.extract(page) for page in SHOP[:3]]
    examples = [
        rowen.Example(page, list(found)) for page, found in zip(SHOP[:3], records, strict=True)
    ]
    rowen.write_labels(tmp_path / "labels.jsonl", examples)
    assert rowen.read_labels(tmp_path / "labels.jsonl", SHOP) == examples
    by_value = '{"page": "shop-0", "records": [{"title": "Tea", "reviews": [{"author": "Bob"}]}]}'
    (tmp_path / "texts.jsonl").write_text(by_value)
    (example,) = rowen.read_labels(tmp_path / "texts.jsonl", SHOP)
    assert example.records[0].values["reviews"] == [{"author": "Bob"}]
    assert nested_names([example]) == ["reviews"]


def test_suggestions_have_nested_records(shop):
    partial = rowen.Example(SHOP[3], [], partial=True)
    assert [record.values for record in shop.suggest(partial)] == read(PRODUCTS[3])


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"nested": {}}, "a wrapper for each nested field"),
        ({"nested": {"reviews": {"belongs": "page"}}}, "must be wrappers"),
        ({"nested": {"reviews": {"belongs": "nowhere"}}}, "what it 'belongs' to"),
        ({"parent": 5}, "must be wrappers"),
        ({"other": 5}, "unknown setting"),
    ],
)
def test_malformed_files_are_refused(shop, change, complaint):
    saved = {**shop.to_definition().to_dict(), **change}
    with pytest.raises(rowen.RowenError, match=complaint):
        from_dict(saved)


def test_a_list_that_breaks_off_is_a_failure():
    wrapper = rowen.learn(shop_examples(0, 1, 3), "lr")
    assert isinstance(wrapper, NestedFields)
    page = rowen.Page(SHOP[3].text.rpartition("</i>")[0], id="broken")
    records = wrapper.extract(page)
    assert records.failure.startswith("reviews: ")
    assert [review["author"] for review in records[0].values["reviews"]] == ["Eve"]


# Made-up trees through made-up templates.


def _has_repeats(level, records):
    below = [inner for record in records for inner in record.get(level.name, ())]
    return level.nested is None or (bool(below) and _has_repeats(level.nested, below))


@settings(max_examples=cases(40, 600), deadline=None)
@given(st.data(), st.integers(1, 2), st.integers(1, 3), st.sampled_from(["token", "auto"]))
def test_rendered_records_are_read_again(data, depth, most, kind):
    level = data.draw(rendered.levels(depth))
    numbers = rendered.fresh()
    trees = rendered.trees(level, st.integers(0, 9), least=1, most=most)
    made = [rendered.numbered(data.draw(trees), numbers) for _ in range(3)]
    assume(_has_repeats(level, made[0]))
    assume(most == 1 or len(made[0]) > 1)
    pages = [rendered.page(level, records, f"p{n}") for n, records in enumerate(made)]
    marked = [rowen.Example(page, label) for page, label in zip(pages[:2], made, strict=False)]
    wrapper = rowen.learn(marked, kind)
    assert wrapper.warnings == ()
    for page, records in zip(pages, made, strict=True):
        assert values(wrapper, page) == records
