"""Wrappers that read data by path: what is learned, what auto chooses, what is refused."""

import json

import pytest
from effort import cases
from hypothesis import given, settings
from hypothesis import strategies as st

import rowen
from rowen.learning.auto import learn_auto
from rowen.wrappers.combination import Combination
from rowen.wrappers.data.path import EACH, Each, Where
from rowen.wrappers.data.source import Source
from rowen.wrappers.data.wrapper import Data, Rule


def script(content, attributes='type="application/ld+json"'):
    return f"<script {attributes}>{json.dumps(content)}</script>"


def product(number, name, *, price="12.50", reverse=False, delivery="2 days", markup=True):
    """A page of a shop with JSON-LD, whose order of things may change."""
    things = [
        {
            "@type": "Product",
            "name": name,
            "sku": f"\u00fc{number}",
            "offers": [{"@type": "Offer", "price": float(price)}],
            "keywords": [f"k{index}{number}" for index in range(number + 1)],
            "additionalProperty": [
                {"name": "Size", "value": f"S{number}"},
                {"name": "Colour", "value": f"C{number}"},
            ],
        },
        {"@type": "BreadcrumbList", "itemListElement": [{"name": "Home"}, {"name": name}]},
    ]
    body = f"<h1>{name}</h1><b>${price}</b><p>Delivery: <i>{delivery}</i></p>" if markup else ""
    graph = {"@context": "https://schema.org", "@graph": things[::-1] if reverse else things}
    return rowen.Page(f"<title>{name}</title>{script(graph)}{body}", id=f"p{number}.html")


def application(name, items, **beside):
    """A single-page application: all of its data is in a script."""
    state = {"props": {"pageProps": {"items": items, **beside}}}
    attributes = 'id="__NEXT_DATA__" type="application/json"'
    return rowen.Page(f"<div id=app></div>{script(state, attributes)}", id=name)


def values(wrapper, page):
    return [record.values for record in wrapper.extract(page)]


PRODUCTS = [product(1, 'Käse "Bär"'), product(2, "Lamp", price="13.25", reverse=True)]
LABELS = [
    {"name": 'Käse "Bär"', "price": "12.5", "tags": ["k01", "k11"], "colour": "C1"},
    {"name": "Lamp", "price": "13.25", "tags": ["k02", "k12", "k22"], "colour": "C2"},
]
EXAMPLES = [rowen.Example(page, [label]) for page, label in zip(PRODUCTS, LABELS, strict=True)]


def test_a_detail_page_is_read_by_paths_whatever_the_order_of_things():
    wrapper = rowen.learn(EXAMPLES)
    assert (wrapper.wrapper_class, wrapper.warnings) == ("data", ())
    assert wrapper.record is None
    source = Source("json-ld", type="Product")
    assert wrapper.rules == {
        "name": Rule(("name",), source),
        "price": Rule(("offers", EACH, "price"), source),
        "tags": Rule(("keywords", EACH), source),
        "colour": Rule(("additionalProperty", Where("name", "Colour"), "value"), source),
    }
    for reverse in (False, True):
        page = product(5, "Vase", price="99", reverse=reverse, markup=False)
        expected = {"name": "Vase", "price": "99.0", "colour": "C5"}
        assert values(wrapper, page) == [
            {**expected, "tags": [f"k{number}5" for number in range(6)]}
        ]


def test_the_words_say_the_path_and_why_it_was_chosen():
    explanation = rowen.learn(EXAMPLES).explain()
    assert "price: offers[each].price in the JSON-LD script of type Product" in explanation
    assert 'additionalProperty[name = "Colour"].value' in explanation
    assert "data in scripts survives redesigns better than markup" in explanation


def test_a_missing_key_is_a_missing_field_and_a_page_without_the_data_fails():
    wrapper = rowen.learn(EXAMPLES)
    page = script({"@type": "Product", "name": "Vase", "offers": None, "keywords": ""})
    assert values(wrapper, page) == [{"name": "Vase", "price": None, "tags": [], "colour": None}]
    records = wrapper.extract("<h1>Vase</h1>")
    assert list(records) == []
    assert records.failure == "none of the data that it reads is on the page"


def items(name, count, **extra):
    return [
        {
            "title": f"{name}{number} é",
            "price": {"amount": number + 0.5},
            "kind": "product",
            **extra,
        }
        for number in range(count)
    ]


def label(name, count):
    return [{"title": f"{name}{number} é", "price": f"{number + 0.5}"} for number in range(count)]


def test_each_element_of_an_array_is_a_record():
    pages = [application("a", items("A", 4)), application("b", items("B", 3))]
    labels = [label("A", 4), label("B", 3)]
    wrapper = rowen.learn([rowen.Example(*pair) for pair in zip(pages, labels, strict=True)])
    assert wrapper.wrapper_class == "data"
    source = Source("json", name="__NEXT_DATA__")
    assert wrapper.record == Rule(("props", "pageProps", "items", EACH), source)
    assert wrapper.rules == {"title": Rule(("title",)), "price": Rule(("price", "amount"))}
    other = application("c", items("C", 5))
    assert values(wrapper, other) == label("C", 5)
    assert list(wrapper.extract(application("d", []))) == []
    assert wrapper.extract(application("d", [])).failure is None
    assert wrapper.extract("<p>").failure == "the JSON script __NEXT_DATA__ is not on the page"


def test_records_may_be_those_that_say_what_they_are():
    advertisement = {"kind": "advertisement", "title": "Buy", "price": {"amount": 1}}
    listed = items("A", 4)
    listed.insert(2, advertisement)
    pages = [application("a", listed), application("b", items("B", 3))]
    labels = [label("A", 4), label("B", 3)]
    wrapper = rowen.learn([rowen.Example(*pair) for pair in zip(pages, labels, strict=True)])
    assert wrapper.record.path[-1] == Where("kind", "product")
    assert values(wrapper, application("c", [advertisement, *items("C", 2)])) == label("C", 2)


def test_a_few_records_of_a_page_are_enough():
    page = application("a", items("A", 6), related=[{"title": "A0 é"}])
    wrapper = rowen.learn([rowen.Example(page, label("A", 2), partial=True)])
    assert wrapper.wrapper_class == "data"
    assert values(wrapper, page) == label("A", 6)
    assert [record.values for record in wrapper.suggest(page)] == label("A", 6)


def test_things_of_one_type_are_records():
    def page(names):
        things = [{"@type": "Product", "name": name, "price": len(name)} for name in names]
        return rowen.Page(script([{"@type": "WebSite", "name": "Shop"}, *things]))

    names = ["Lamp", "Vase", "Chair"]
    labels = [{"name": name, "price": str(len(name))} for name in names]
    wrapper = rowen.learn([rowen.Example(page(names), labels)], "data")
    assert wrapper.record == Rule((), Source("json-ld", type="Product"))
    assert [value["name"] for value in values(wrapper, page(["Sofa"]))] == ["Sofa"]


def test_offsets_in_scripts_are_labels_as_well():
    def located(page, name):
        start = page.text.index(f'"name": "{name}"') + 9
        return rowen.Example(page, [{"name": (start, start + len(name))}])

    pages = [product(1, "Lamp"), product(2, "Vase")]
    wrapper = rowen.learn([located(*pair) for pair in zip(pages, ("Lamp", "Vase"), strict=True)])
    assert (wrapper.wrapper_class, wrapper.warnings) == ("data", ())
    assert values(wrapper, product(3, "Sofa")) == [{"name": "Sofa"}]


def test_offsets_in_the_markup_are_never_read_from_scripts():
    def located(page, name):
        start = page.text.index(f"<h1>{name}") + 4
        return rowen.Example(page, [{"name": (start, start + len(name))}])

    pages = [product(1, "Lamp"), product(2, "Vase")]
    examples = [located(*pair) for pair in zip(pages, ("Lamp", "Vase"), strict=True)]
    assert rowen.learn(examples).wrapper_class == "token"
    with pytest.raises(rowen.NoConsistentWrapper, match="'name': no path in the data"):
        rowen.learn(examples, "data")


def test_microdata_is_part_of_the_markup_which_landmarks_read_as_well():
    def page(name, price):
        return rowen.Page(
            f"<div itemscope itemtype='https://schema.org/Product'><h1 itemprop=name>{name}</h1>"
            f"<meta itemprop=price content={price}></div>"
        )

    examples = [
        rowen.Example(page(name, price), [{"name": name, "price": price}])
        for name, price in [("Lamp", "12"), ("Vase", "13")]
    ]
    assert rowen.learn(examples).wrapper_class == "token"
    wrapper = rowen.learn(examples, "data")
    assert wrapper.rules["price"] == Rule(("price",), Source("microdata", type="Product"))
    assert values(wrapper, page("Sofa", "14")) == [{"name": "Sofa", "price": "14"}]


def test_fields_of_scripts_and_of_markup_make_one_record(tmp_path):
    pages = [product(1, "Lamp"), product(2, "Vase", delivery="3 weeks", reverse=True)]
    labels = [
        {"sku": "ü1", "delivery": "2 days"},
        {"sku": "ü2", "delivery": "3 weeks"},
    ]
    examples = [rowen.Example(page, [label]) for page, label in zip(pages, labels, strict=True)]
    wrapper = learn_auto(examples)
    assert isinstance(wrapper, Combination)
    assert [sorted(part.fields) for part in wrapper.wrappers] == [["sku"], ["delivery"]]
    assert "sku: sku in the JSON-LD script of type Product" in wrapper.explain()
    other = product(7, "Sofa", delivery="tomorrow")
    assert values(wrapper, other) == [{"sku": "ü7", "delivery": "tomorrow"}]
    assert values(wrapper, "<p>Delivery: <i>never</i></p>") == [{"sku": None, "delivery": "never"}]
    assert wrapper.extract("").failure is not None
    wrapper.save(tmp_path / "w.json")
    assert rowen.load(tmp_path / "w.json").extract(other) == wrapper.extract(other)


def test_one_page_is_enough_where_one_source_has_all_fields():
    wrapper = rowen.learn(EXAMPLES[:1], "data")
    assert {rule.source for rule in wrapper.rules.values()} == {Source("json-ld", type="Product")}
    stray = rowen.Page(
        f"{script({'@type': 'Product', 'name': 'Lamp'})}<script>x={{n:'12'}}</script>"
    )
    with pytest.raises(rowen.NoConsistentWrapper):
        rowen.learn([rowen.Example(stray, [{"name": "Lamp", "stock": "12"}])], "data")


def test_scripts_whose_ids_differ_are_read_by_their_kind():
    def page(number, name):
        content = {"product": {"title": name}}
        return rowen.Page(script(content, f'id="product-{number}" type="application/json"'))

    examples = [
        rowen.Example(page(number, name), [{"title": name}])
        for number, name in enumerate(["Lamp", "Vase"])
    ]
    wrapper = rowen.learn(examples)
    assert wrapper.rules["title"].source == Source("json")
    assert values(wrapper, page(9, "Sofa")) == [{"title": "Sofa"}]


def test_keys_that_are_ids_are_generalised():
    def page(number, name):
        return rowen.Page(
            f"<script>window.store = {json.dumps({f'P{number}': {'n': name}})}</script>"
        )

    examples = [
        rowen.Example(page(number, name), [{"name": name}])
        for number, name in enumerate(["Lamp", "Vase", "Chair"])
    ]
    wrapper = learn_auto(examples)
    assert wrapper.rules["name"] == Rule(
        (Each(keyed=True), "n"), Source("script", name="window.store")
    )
    assert values(wrapper, page(9, "Sofa")) == [{"name": "Sofa"}]


def test_cross_validation_knows_that_a_text_is_right_anywhere():
    more = rowen.Example(
        product(3, "Sofa", price="7.75"),
        [{"name": "Sofa", "price": "7.75", "tags": ["k03", "k13", "k23", "k33"], "colour": "C3"}],
    )
    wrapper = rowen.learn([*EXAMPLES, more], estimate=True)
    assert wrapper.wrapper_class == "data"
    assert (wrapper.estimate.right, wrapper.estimate.tried) == (3, 3)


def test_nested_labels_are_refused():
    page = script({"a": "x", "b": [{"c": "y"}]})
    nested = rowen.Example(page, [{"a": "x", "children": [{"c": "y"}]}])
    with pytest.raises(rowen.NoConsistentWrapper):
        rowen.learn([nested], "data")


def test_text_however_far_away_changes_a_record():
    wrapper = rowen.learn(EXAMPLES)
    assert wrapper.locality == rowen.WholePage()
    filler = "." * 10_000
    assert len(wrapper.extract(f"{filler}{PRODUCTS[0].text}")) == 1
    assert len(wrapper.extract(f"<!--{filler}{PRODUCTS[0].text}")) == 0


def test_runs_reuse_the_pages_of_a_wrapper(tmp_path):
    wrapper = rowen.learn(EXAMPLES)
    store = rowen.Store(tmp_path / "store")
    store.run([wrapper], PRODUCTS, jobs=1)
    changed = [PRODUCTS[0], product(2, "Sofa"), rowen.Page("nothing", id="p3.html")]
    report = store.run([wrapper], changed, jobs=1, verify=1.0)
    assert report.tallies[wrapper.name].copied == 1
    results = {page.id: (list(records), records.failure) for page, records in store.each("wrapper")}
    for page in changed:
        scratch = wrapper.extract(page)
        assert results[page.id] == (list(scratch), scratch.failure)


NAMES = st.text('abcdeé"\\/\u2028<&😀', min_size=1, max_size=8).map(lambda text: f"x{text}x")


@settings(max_examples=cases(60, 10_000), deadline=None)
@given(
    st.lists(st.tuples(NAMES, st.integers(100, 999)), min_size=2, max_size=5, unique=True),
    st.lists(NAMES, min_size=1, max_size=4),
    st.booleans(),
)
def test_what_is_learned_from_a_list_gives_back_all_of_it(listed, others, ascii_only):
    def page(rows):
        text = json.dumps({"rows": rows}, ensure_ascii=ascii_only).replace("</", "<\\/")
        return rowen.Page(f'<script type="application/json">{text}</script>')

    rows = [{"name": name, "number": number} for name, number in listed]
    labels = [{"name": name, "number": str(number)} for name, number in listed]
    wrapper = rowen.learn([rowen.Example(page(rows), labels)], "data")
    assert wrapper.warnings == ()
    other = page([{"name": name, "number": 1} for name in others])
    assert [record.source["number"] for record in wrapper.extract(other)] == ["1"] * len(others)
    spans = [span for record in wrapper.extract(other) for _, (span,) in record.items()]
    assert spans == sorted(spans)


def test_a_wrapper_is_saved_and_read_again(tmp_path):
    for wrapper in (
        rowen.learn(EXAMPLES),
        Data(
            ["a", "b"],
            record=Rule(("x", 0, Each(keyed=True), Where("k", "v")), Source("script", "s.t")),
            rules={"a": Rule(())},
            several=["a"],
            required=["a"],
        ),
    ):
        wrapper.save(tmp_path / "w.json")
        again = rowen.load(tmp_path / "w.json")
        assert again.settings() == wrapper.settings()
        assert (again.record, again.rules) == (wrapper.record, wrapper.rules)
        assert again.version == wrapper.version


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rules": {"a": {"path": ["x"]}}}, "needs a 'source'"),
        ({"rules": {"a": {"source": {"origin": "air"}, "path": []}}}, "needs an 'origin'"),
        ({"rules": {"a": {"source": {"origin": "json"}, "path": [-1]}}}, "a step of a path"),
        ({"rules": {"a": {"source": {"origin": "json"}, "path": [{"each": 1}]}}}, "a step"),
        ({"rules": {"a": {"source": {"origin": "json"}, "path": "x"}}}, "must be a list"),
        ({"rules": {"a": 1}}, "must have a 'path'"),
        ({"rules": {"c": {"source": {"origin": "json"}, "path": []}}}, "which is no field"),
        ({"record": {"path": []}, "rules": {}}, "needs a 'source'"),
        (
            {
                "record": {"source": {"origin": "json"}, "path": []},
                "rules": {"a": {"source": {"origin": "json"}, "path": []}},
            },
            "can't have",
        ),
        ({"rules": {}, "colour": 1}, "unknown setting"),
    ],
)
def test_a_malformed_file_is_refused(tmp_path, settings, message):
    saved = {"rowen": 1, "kind": "wrapper", "class": "data", "fields": ["a"], **settings}
    (tmp_path / "w.json").write_text(json.dumps(saved))
    with pytest.raises(rowen.ExtractorError, match=message):
        rowen.load(tmp_path / "w.json")


def test_a_regular_expression_can_not_say_it_and_names_the_forms_that_can():
    with pytest.raises(
        rowen.UsageError,
        match="it follows paths in the data of a page; --as python and --as scrapy can",
    ):
        rowen.export_wrapper(rowen.learn(EXAMPLES), "regex")
