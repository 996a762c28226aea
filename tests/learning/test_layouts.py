"""Sites with two layouts: marked in both, or in one of them only."""

import rowen
from rowen.learning.auto import learn_auto
from rowen.learning.transfer import learn_other_layout
from rowen.wrappers.mixture import Mixture
from rowen.wrappers.token.wrapper import Token

PEOPLE = ("Ada King", "Bob Moss", "Eve Fay", "Hal Lowe", "Ida Hale", "Jon Kerr", "Kim Grant")


def number(at):
    return f"(617) 555-{1000 + 37 * at}"


def cards(at):
    name = PEOPLE[at]
    return (
        f"<title>{name} at Campus</title><h1>{name}</h1>"
        f"<div class=card><h3>Call</h3><p>{number(at)}</p></div>"
        f"<div class=card><h3>Room</h3><p>B {at}</p></div><p>Campus pages</p>"
    )


def table(at):
    name = PEOPLE[at]
    return (
        f"<title>{name} at Campus</title><table class=basic><tr><td>Name</td><td>{name}</td></tr>"
        f"<tr><td>Phone</td><td>{number(at)}</td></tr><tr><td>Office</td><td>B {at}</td></tr>"
        "</table><p>Campus</p>"
    )


def label(at):
    return {"name": PEOPLE[at], "phone": number(at), "room": f"B {at}"}


def page(layout, at):
    return rowen.Page(layout(at), id=f"{layout.__name__}{at}.html")


def values(wrapper, text):
    return [record.values for record in wrapper.extract(text)]


def test_marked_pages_of_two_layouts_get_rules_of_their_own():
    marked = [(cards, 0), (table, 1), (cards, 2), (table, 3)]
    examples = [rowen.Example(page(layout, at), [label(at)]) for layout, at in marked]
    wrapper = learn_auto(examples, pages=[page(cards, 5), page(table, 6)])
    assert isinstance(wrapper, Mixture)
    assert "the marked pages have 2 layouts (2 and 2 pages)" in wrapper.explain()
    for layout in (cards, table):
        assert values(wrapper, layout(4)) == [label(4)]


def test_a_layout_of_which_no_page_is_marked_is_guessed_and_said_to_be():
    others = [page(layout, at) for layout in (cards, table) for at in range(2, 7)]
    wrapper = rowen.learn([rowen.Example(page(cards, 0), [label(0)])], pages=others)
    assert values(wrapper, cards(1)) == [label(1)]
    assert values(wrapper, table(1)) == [label(1)]
    (suggestion,) = wrapper.suggestions
    assert suggestion.page.startswith("table")
    assert "guess" in wrapper.explain()


def test_pages_with_something_else_get_no_rules():
    other = "<title>About us</title><h1>About</h1><p>We are {}.</p><div>Since {}</div>"
    others = [rowen.Page(other.format(word, word * 2), id=word) for word in ("old", "new", "glad")]
    wrapper = rowen.learn([rowen.Example(page(cards, 0), [label(0)])], pages=[*others, cards(3)])
    assert isinstance(wrapper, Token)
    assert not any(values(wrapper, each.text) for each in others)


def test_a_list_of_records_is_no_page_of_another_layout():
    item = "<div class=row><b>{}</b><i>{}</i></div>"
    lists = [
        rowen.Page(
            "<title>All</title>"
            + "".join(item.format(PEOPLE[(at + by) % 7], number(at + by)) for by in range(5)),
            id=f"list{at}",
        )
        for at in range(3)
    ]
    example = rowen.Example(page(cards, 0), [label(0)])
    familiar = [page(cards, at) for at in range(1, 5)]
    wrapper = rowen.learn([example], pages=familiar)
    assert learn_other_layout(wrapper, [example], [*familiar, *lists]) is wrapper


def test_a_saved_wrapper_for_a_guessed_layout_reads_the_same(tmp_path):
    others = [page(layout, at) for layout in (cards, table) for at in range(2, 7)]
    wrapper = rowen.learn([rowen.Example(page(cards, 0), [label(0)])], pages=others)
    wrapper.save(tmp_path / "wrapper.json")
    again = rowen.load(tmp_path / "wrapper.json")
    assert [values(again, each.text) for each in others] == [
        values(wrapper, each.text) for each in others
    ]
    assert again.suggestions == wrapper.suggestions


def article(title, parts, lead=""):
    body = "".join(parts)
    return (
        f"<title>{title}</title><nav><p>Herald</p></nav><div id=story><h1>{title}</h1>{lead}{body}"
        "<div class=share><a>Share</a></div><h4>More</h4><ul><li>Other</li></ul></div>"
    )


FIGURE = "<figure><img src=i.jpg><figcaption>A view</figcaption></figure>"
ADVERT = "<div class=ad><a href=/ad>Buy</a></div>"


def test_a_run_of_paragraphs_with_figures_between_them_is_learned_as_one_value():
    bodies = [
        ["<p>One a.</p>", FIGURE, "<p>One b.</p>"],
        ["<p>Two a.</p>", "<p>Two b.</p>", ADVERT, "<p>Two c.</p>"],
        ["<p>Three a.</p>", ADVERT, "<p>Three b.</p>", FIGURE, "<p>Three c.</p>"],
    ]
    leads = ["", "<img src=lead.jpg>", ""]
    pages = [
        article(f"T{n}", body, lead)
        for n, (body, lead) in enumerate(zip(bodies, leads, strict=True))
    ]
    runs = ["".join(body).removeprefix("<p>").removesuffix("</p>") for body in bodies]
    examples = [
        rowen.Example(text, [{"body": (text.index(run), text.index(run) + len(run))}])
        for text, run in zip(pages[:2], runs[:2], strict=True)
    ]
    wrapper = rowen.learn(examples, schema={"body": "html"}, pages=pages)
    assert not wrapper.warnings
    (record,) = wrapper.extract(pages[2])
    assert record.source["body"] == runs[2]
