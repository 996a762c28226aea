"""Further rules of fields on pages of one record each."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rowen
from rowen.landmarks.alternatives import finds_all_of
from rowen.landmarks.reading import read_values
from rowen.learning.auto import learn_auto
from rowen.wrappers.token.cut import Cut
from rowen.wrappers.token.landmark import Landmark, Slot, Tag
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Rule, Token


def learned(pages):
    """From all of the pages, also where the first of them would be enough for the others."""
    return learn_auto([rowen.Example(text, [label]) for text, label in pages])


def value(wrapper, page, field):
    records = wrapper.extract(page)
    return records[0].values[field] if records else None


def place(name, street, code):
    return (
        f"<h1>{name}</h1><p>Boston</p><p>{code}</p><p>{street}</p>"
        f"<p>Open daily</p><div class=f>{name} and {street}</div>"
    )


def test_pages_of_the_same_city_teach_what_holds_in_other_cities():
    marked = [
        (place("Ada's", "1 Oak St", "02116"), {"name": "Ada's", "street": "1 Oak St"}),
        (place("Ben's", "2 Elm St", "02116"), {"name": "Ben's", "street": "2 Elm St"}),
    ]
    wrapper = learned(marked)
    other = place("Cy's", "3 Ash St", "97205").replace("Boston", "Portland")
    assert value(wrapper, other, "street") == "3 Ash St"


def offer(price, before=""):
    return (
        f"<h1>Lens</h1><div class=buy>{before}<span class=now>{price}</span></div>"
        "<div class=item><span class=now>$9</span></div>"
    )


def test_a_value_is_found_behind_a_block_that_no_marked_page_has():
    wrapper = learned([(offer("$5"), {"price": "$5"}), (offer("$6"), {"price": "$6"})])
    assert value(wrapper, offer("$7", "<span class=was>$8</span>"), "price") == "$7"
    assert any(rule.otherwise for rule in wrapper.rules["price"])
    assert "otherwise" in wrapper.explain()


def test_an_end_that_only_some_texts_have_is_learned():
    pages = [
        (f"<b>Weight</b><i>{text}</i><b>Age</b><i>4</i>", {"weight": "12 lb"})
        for text in ("12 lb (5 kg)", "12 lb")
    ]
    wrapper = learned(pages)
    for text, expected in [("30 lb (14 kg)", "30 lb"), ("41 lb", "41 lb")]:
        page = f"<b>Weight</b><i>{text}</i><b>Age</b><i>9</i>"
        assert value(wrapper, page, "weight") == expected


def test_a_word_before_a_value_is_its_label():
    page = "<h1>Ada</h1><p>Height: {} | Weight: {} lbs{}</p>"
    wrapper = learned([(page.format("6-7", "220", ""), {"weight": "220"})])
    assert value(wrapper, page.format("6-9", "240", " | Born: 1980"), "weight") == "240"


def test_the_number_of_a_page_is_not_a_name():
    page = "<h1>News</h1><div id=post-{}><p>{}</p></div><p>Foot</p>"
    wrapper = learned([(page.format("20817", "first"), {"text": "first"})])
    assert value(wrapper, page.format("20911", "second"), "text") == "second"


def test_alternatives_survive_saving(tmp_path):
    wrapper = learned([(offer("$5"), {"price": "$5"}), (offer("$6"), {"price": "$6"})])
    wrapper.save(tmp_path / "w.json")
    assert rowen.load(tmp_path / "w.json").rules == wrapper.rules


def test_a_rule_with_a_wrong_otherwise_is_refused():
    wrapper = Token(["a"], rules={"a": [Rule(Landmark((Tag("b"),)), Cut())]})
    saved = wrapper.to_definition().to_dict()
    saved["rules"]["a"][0]["otherwise"] = "yes"
    with pytest.raises(rowen.RowenError, match="must be true or false"):
        rowen.extractors.saved.from_dict(saved)


ROWS = ("size", "price", "colour", "maker")
VALUES = st.sampled_from(["red", "12", "$7", "blue whale", "12 (new)"])


@st.composite
def sites(draw):
    """Pages of labels and values in some order, some missing, and what is marked on them."""
    pages = []
    for number in range(draw(st.integers(1, 4))):
        names = draw(st.permutations(ROWS))[: draw(st.integers(2, 4))]
        texts = {name: draw(VALUES) for name in names}
        text = f"<h1>Item {number}</h1>" + "".join(
            f"<p><b>{name}</b> <i>{texts[name]}</i></p>" for name in names
        )
        label = {}
        for name in ("size", "price"):
            start = text.find(f"<b>{name}</b> <i>") + len(f"<b>{name}</b> <i>")
            label[name] = (start, start + len(texts[name])) if name in texts else None
        if any(label.values()):
            pages.append(rowen.Example(rowen.Page(text, id=f"{number}.html"), [label]))
    return pages


@settings(max_examples=60, deadline=None)
@given(sites())
def test_marks_are_reproduced_or_warned_about(examples):
    if not examples:
        return
    wrapper = rowen.learn(examples)
    missed = [
        example
        for example in examples
        if [record.spans for record in wrapper.extract(example.page)]
        != [
            {name: label[name] for name in wrapper.fields if name in label}
            for label in _labels(example)
        ]
    ]
    assert bool(missed) == any(warning.is_about_labels for warning in wrapper.warnings)


def _labels(example):
    return [record.spans for record in example.records]


TAGS = st.builds(
    Tag,
    st.sampled_from(["p", "b", "/p", "/b"]),
    st.sampled_from([(), (("class", "x"),), (("class", "x"), ("id", "y"))]),
)
SLOTS = st.builds(Slot, st.sampled_from([None, "1", ""]))
LANDMARKS = st.builds(
    lambda tag, before, after: Landmark((tag, *before), after),
    TAGS,
    st.sampled_from([0, 1]).flatmap(lambda long: st.tuples(*[SLOTS, TAGS][: 2 * long])),
    st.sampled_from([0, 1]).flatmap(lambda long: st.tuples(*[TAGS][:long])),
)
CUTS = st.builds(
    Cut,
    right=st.sampled_from([None, " ("]),
    open=st.booleans(),
)
RULES = st.builds(Rule, LANDMARKS, CUTS, st.none() | LANDMARKS)
PIECES = ("<p>", "<p class=x>", "<p class=x id=y>", "</p>", "<b>", "<b class=x>", "</b>")
PAGES = st.lists(st.sampled_from((*PIECES, "1", "2", "3 (4)")), max_size=20).map("".join)


@settings(max_examples=300, deadline=None)
@given(RULES, RULES, st.lists(PAGES, min_size=5, max_size=5))
def test_a_rule_that_finds_all_of_another_finds_something_wherever_that_does(wide, narrow, pages):
    for general in (wide, replace(narrow, container=None), replace(narrow, cut=wide.cut)):
        if finds_all_of(general, narrow):
            for page in map(Outline, pages):
                if read_values(page, [narrow], several=True):
                    assert read_values(page, [general], several=True)
