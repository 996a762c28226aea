"""Unlabelled pages decide among the rules that reproduce the marks."""

from hypothesis import given, settings
from hypothesis import strategies as st

import rowen


def learned(marked, pages):
    return rowen.learn([rowen.Example(text, [label]) for text, label in marked], pages=pages)


def value(wrapper, page, field):
    records = wrapper.extract(page)
    return records[0].values[field] if records else None


def offer(price, before=""):
    return (
        f"<h1>Lens</h1><div>{before}<span>{price}</span><button>Add</button></div>"
        "<p>Others</p><span>$9</span>"
    )


def test_the_rule_is_chosen_that_finds_the_same_kind_of_tag_on_other_pages():
    voters = [offer(f"${n}", "<span class=was>$99</span>" * (n % 2)) for n in range(20, 26)]
    wrapper = learned([(offer("$5"), {"price": "$5"})], voters)
    assert [value(wrapper, page, "price") for page in voters] == [f"${n}" for n in range(20, 26)]


def school(kind, before=""):
    return f"<h1>X</h1><p>{before}It is a <b>{kind}</b> school in <b>Boston</b>.</p><p>End</p>"


def test_a_text_of_the_template_is_trusted_more_than_a_number_of_tags():
    voters = [school(kind, "Once a <b>seminary</b>, ") for kind in ("public", "private", "small")]
    wrapper = learned([(school("large"), {"kind": "large"})], [*voters, school("old")])
    assert [value(wrapper, page, "kind") for page in voters] == ["public", "private", "small"]


def fact(text):
    return f"<h1>Facts</h1><table><tr><td>Students</td><td>{text}</td></tr></table><p>End</p>"


def test_what_follows_a_number_on_other_pages_only_is_cut_off():
    voters = [fact("16,956 (fall)"), fact("9,120"), fact("21,004 (fall)")]
    wrapper = learned([(fact("8,112"), {"students": "8,112"})], voters)
    assert value(wrapper, voters[0], "students") == "16,956"
    assert value(wrapper, voters[1], "students") == "9,120"


def test_words_keep_what_differs_after_them():
    voters = [fact("Public, 4-year"), fact("Private, 2-year"), fact("Private")]
    wrapper = learned([(fact("Public"), {"kind": "Public"})], voters)
    assert value(wrapper, voters[0], "kind") == "Public, 4-year"


def place(cuisines):
    items = "".join(f"<li><a href=/{each}>{each}</a></li>" for each in cuisines)
    return f"<ul><li><a href=/>Home</a></li></ul><h1>X</h1><ul class=tags>{items}</ul><p>End</p>"


def test_a_field_with_one_value_on_marked_pages_may_have_several_on_others():
    marked = [(place([each]), {"cuisine": each}) for each in ("Thai", "Sushi")]
    other = place(["Pizza", "Vegan"])
    assert value(learned(marked, [other, place(["Greek"])]), other, "cuisine") == ["Pizza", "Vegan"]


def car(engines):
    cell = "<br />".join(engines)
    return f"<h1>Car</h1><table><tr><td>Engines:<br></td><td>{cell}</td></tr></table>"


def test_line_breaks_separate_values_where_each_line_looks_like_a_marked_one():
    voters = [car(["1.8 V4", "2.4 V6", "4.0 V8"]), car(["3.5 V6"]), car(["2.0 V4", "2.5 V6"])]
    wrapper = learned([(car(["1.6 V4"]), {"engine": "1.6 V4"})], voters)
    assert [value(wrapper, page, "engine") for page in voters] == [
        ["1.8 V4", "2.4 V6", "4.0 V8"],
        ["3.5 V6"],
        ["2.0 V4", "2.5 V6"],
    ]


def test_line_breaks_in_prose_and_addresses_separate_nothing():
    voters = [car(["12 Oak Street", "Boston"]), car(["9 Elm Street"]), car(["7 Ash Lane", "Lynn"])]
    wrapper = learned([(car(["1 Fir Street"]), {"address": "1 Fir Street"})], voters)
    assert value(wrapper, voters[0], "address") == "12 Oak Street Boston"


def bargain(price, was=""):
    return f"<h1>Lens</h1><div>{was}<span>{price}</span><button>Add</button></div><p>Others</p>"


def test_the_page_is_suggested_on_which_rules_that_fit_the_marks_disagree():
    voters = [
        rowen.Page(bargain(f"${n}", f"<span>${n + 9}</span>" * (n % 2)), id=f"{n}.html")
        for n in range(20, 26)
    ]
    wrapper = learned([(bargain("$5"), {"price": "$5"})], voters)
    (suggestion,) = wrapper.suggestions
    assert suggestion.page == "21.html"
    assert suggestion.field == "price"
    assert "'$30' is found, but a rule that fits the marks as well finds '$21'" in str(suggestion)
    found = voters[1].text[suggestion.start : suggestion.end]
    assert found == "$30"
    marked = rowen.Example(voters[1], [{"price": "$21"}])
    wrapper = rowen.learn([rowen.Example(bargain("$5"), [{"price": "$5"}]), marked], pages=voters)
    assert wrapper.suggestions == ()
    assert [value(wrapper, page.text, "price") for page in voters] == [
        f"${n}" for n in range(20, 26)
    ]


def test_where_rules_agree_on_all_pages_nothing_is_suggested():
    voters = [bargain(f"${n}") for n in range(20, 26)]
    assert learned([(bargain("$5"), {"price": "$5"})], voters).suggestions == ()


TEXTS = st.sampled_from(["Ada", "Bob", "12", "7 kg", "x, y"])
BLOCKS = st.sampled_from(["", "<p>ad</p>", "<i>new</i>", "<div class=b><b>12</b></div>"])
PAGES = st.builds(
    lambda name, size, block: (
        f"<h1>{name}</h1>{block}<p>Size: <b>{size}</b></p><p>End</p>",
        {"name": name, "size": size},
    ),
    TEXTS,
    TEXTS,
    BLOCKS,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(PAGES, min_size=1, max_size=3), st.lists(PAGES, max_size=4))
def test_marks_are_in_the_result_or_warned_about_whatever_other_pages_there_are(marked, voters):
    wrapper = learned(marked, [text for text, _ in voters])
    missed = [
        text
        for text, label in marked
        if any(value(wrapper, text, name) != label[name] for name in label)
    ]
    assert not missed or wrapper.warnings


def entry(**facts):
    rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts.items())
    return f"<h1>Entry</h1><dl>{rows}</dl><p>End</p>"


def test_a_value_with_another_label_of_the_marked_page_is_not_taken():
    marked = entry(contact="Ann Ash", town="Leeds", firm="Elm Ltd", since="2011")
    voters = [
        entry(contact="Bo Fir", town="York", firm="Oak Ltd", since="2012"),
        entry(contact="Cy Yew", town="Derby", since="2013"),
        entry(contact="Di Box", firm="Bay Ltd", since="2014"),
        entry(contact="Ed Sloe", town="Bath", since="2015"),
    ]
    label = {"contact": "Ann Ash", "firm": "Elm Ltd", "since": "2011"}
    wrapper = learned([(marked, label)], voters)
    firms = [value(wrapper, page, "firm") for page in voters]
    assert firms == ["Oak Ltd", None, "Bay Ltd", None]


def test_a_badge_before_the_marked_value_is_no_label():
    page = "<div><b>{}</b></div><h2>Book</h2>{}<h1>{}</h1><p>End</p>".format
    marked = page("Shop", "<i>New</i>", "Emma")
    titles = ["Persuasion", "Lady Susan", "Mansfield Park", "Sanditon"]
    voters = [page("Shop", "<i>New</i>" * (at % 2), title) for at, title in enumerate(titles)]
    wrapper = learned([(marked, {"title": "Emma"})], voters)
    assert [value(wrapper, page, "title") for page in voters] == titles
