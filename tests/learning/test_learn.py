import pytest

import rowen
from rowen import Example, InputError, NoConsistentWrapper, Page, learn
from rowen.wrappers.mixture import Mixture
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.landmark import Landmark, Tag
from rowen.wrappers.token.wrapper import Boundary, Rule, Token


def page(rows, *, name, head="<h1>Codes</h1>"):
    listed = "".join(f"<li><b>{country}</b> <i>{code}</i></li>" for country, code in rows)
    return Page(f"{head}<ul>{listed}</ul><p>end</p>", id=name)


def example(rows, *, name, **options):
    records = [{"country": country, "code": code} for country, code in rows]
    return Example(page(rows, name=name), records, **options)


ONE = [("Congo", "242"), ("Egypt", "20")]
TWO = [("Spain", "34"), ("Belize", "501"), ("Chad", "235")]
NEW = [("Peru", "51"), ("Mali", "223")]


@pytest.mark.parametrize(
    "name", ["auto", "lr", "hlrt", "oclr", "hoclrt", "m-lr", "m-hlrt", "token"]
)
def test_every_class_learns_a_plain_list(name, tmp_path):
    wrapper = learn([example(ONE, name="a"), example(TWO, name="b")], name)
    expected = [{"country": country, "code": code} for country, code in NEW]
    assert [record.values for record in wrapper.extract(page(NEW, name="c"))] == expected
    wrapper.save(tmp_path / "w.json")
    loaded = rowen.load(tmp_path / "w.json")
    assert [record.values for record in loaded.extract(page(NEW, name="c"))] == expected
    assert loaded.version == wrapper.version
    assert wrapper.explain()
    assert 0 <= wrapper.confidence() <= 1


def test_nested_labels_get_a_nested_class():
    text = "<h2>A</h2><p>a</p><p>b</p><h2>B</h2><p>c</p><hr>"
    label = [
        {"part": (4, 5), "children": [{"chapter": (13, 14)}, {"chapter": (21, 22)}]},
        {"part": (30, 31), "children": [{"chapter": (39, 40)}]},
    ]
    wrapper = learn([Example(text, label)])
    assert wrapper.wrapper_class.startswith("n-")
    (first, second) = wrapper.extract(text)
    assert [child.values["chapter"] for child in first.children] == ["a", "b"]
    assert second.values["part"] == "B"


def test_auto_gives_its_reason():
    wrapper = learn([example(ONE, name="a"), example(TWO, name="b")])
    assert "predicts examples left out" in wrapper.reason


def test_texts_are_placed_where_their_surroundings_are_alike():
    head = "<p>Egypt and Chad, codes 20 and 235</p>"
    pages = [page(rows, name=str(len(rows)), head=head) for rows in (ONE, TWO)]
    labels = [[{"country": a, "code": b} for a, b in rows] for rows in (ONE, TWO)]
    wrapper = learn([Example(*pair) for pair in zip(pages, labels, strict=True)])
    assert [record.values for record in wrapper.extract(pages[1])] == labels[1]


def test_values_that_differ_in_references_and_white_space_are_found():
    text = "<b>Trinidad &amp;\n Tobago</b><i>1</i><b>Chad</b><i>2</i>"
    wrapper = learn([Example(text, [{"country": "Trinidad & Tobago"}, {"country": "Chad"}])])
    assert [record.source["country"] for record in wrapper.extract(text)] == [
        "Trinidad &amp;\n Tobago",
        "Chad",
    ]


def test_two_templates_get_a_wrapper_each_and_pages_go_where_they_fit():
    def other(rows, name):
        cells = "".join(f"<tr><td>{b}</td><th>{a}</th></tr>" for a, b in rows)
        shown = Page(f"<table>{cells}</table>", id=name)
        return Example(shown, [{"country": a, "code": b} for a, b in rows])

    examples = [example(ONE, name="a"), example(TWO, name="b"), other(ONE, "c"), other(TWO, "d")]
    wrapper = learn(examples)
    assert isinstance(wrapper, Mixture | Token)
    for unseen in [page(NEW, name="x"), other(NEW, "y").page]:
        assert [record.values for record in wrapper.extract(unseen)] == [
            {"country": country, "code": code} for country, code in NEW
        ]
    assert wrapper.extract("<p>something else</p>").failure


def test_of_templates_that_find_as_much_the_one_with_fewer_incomplete_records_gets_a_page():
    def cells(**tags):
        rules = {name: [Rule(Landmark((Tag(tag),)), Cut())] for name, tag in tags.items()}
        return Token(["a", "b"], rules=rules, record=Boundary(Tag("tr")), required=["a", "b"])

    loose, tight = cells(a="td", b="i"), cells(a="b", b="i")
    row = "<tr><td>x<b>1</b><i>2</i></td></tr>"
    text = f"<tr><td>head</td></tr>{row}{row}"
    for wrappers in ([loose, tight], [tight, loose]):
        several = Mixture(["a", "b"], wrappers=wrappers)
        assert several.route(Page(text))[0] is tight


def test_labels_that_contradict_each_other_are_refused():
    text = "<b>x</b><b>y</b>"
    with pytest.raises(NoConsistentWrapper, match="same page and different labels.*pages: a, b"):
        learn(
            [
                Example(Page(text, id="a"), [{"f": (3, 4)}]),
                Example(Page(text, id="b"), [{"f": (11, 12)}]),
            ]
        )


def test_learning_needs_examples_with_records():
    with pytest.raises(InputError, match="at least one example"):
        learn([])
    with pytest.raises(InputError, match="mark at least one"):
        learn([Example("<b>x</b>", [])])


def test_an_unknown_class_is_a_usage_error():
    with pytest.raises(rowen.UsageError, match="unknown wrapper class 'xyz'; choose from auto, lr"):
        learn([example(ONE, name="a")], "xyz")


def test_one_record_is_enough_for_an_answer():
    wrapper = learn([Example("<h1>Title</h1><p>x</p>", [{"title": "Title"}])])
    assert [record.values for record in wrapper.extract("<h1>Other</h1><p>y</p>")] == [
        {"title": "Other"}
    ]


def test_steps_are_reported_and_what_the_callback_raises_ends_learning():
    examples = [example(ONE, name="1"), example(TWO, name="2")]
    steps = []
    learn(examples, estimate=True, progress=steps.append)
    assert steps[0] == "locating texts"
    assert "class token" in steps
    assert "cross-validation, 1 of 2" in steps
    assert steps[-1] == "comparing records with labels"

    def stop(step):
        raise KeyboardInterrupt(step)

    with pytest.raises(KeyboardInterrupt, match="locating texts"):
        learn(examples, progress=stop)
