"""The token class: what it does with missing, several and disordered fields, and what it finds."""

import json
import random

import pytest

import rowen
from rowen import Example, NoConsistentWrapper, Page, learn
from rowen.extractors.saved import from_dict
from rowen.landmarks import context
from rowen.landmarks.occurrence import common_cut, locate
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Rule, Token

pytestmark = pytest.mark.slow


def marked(template, *, name="p", partial=False):
    """A page with its label out of a text such as `<li>{name=Ada} {year=1815}</li>|<li>...`.

    A bar ends a record; several values of a field make a list.
    """
    text, records, record = "", [], {}
    for piece in template.replace("|", "{|}").split("{"):
        if "}" not in piece:
            text += piece
            continue
        mark, following = piece.split("}", 1)
        if mark == "|":
            records.append(record)
            record = {}
        else:
            field, value = mark.split("=", 1)
            record.setdefault(field, []).append((len(text), len(text) + len(value)))
            text += value
        text += following
    if record:
        records.append(record)
    return Example(Page(text, id=name), [_plain(marks) for marks in records], partial=partial)


def _plain(record):
    return {name: spans[0] if len(spans) == 1 else spans for name, spans in record.items()}


def test_text_in_the_place_of_a_missing_value_has_another_name():
    book = "<div class=book><h3>{title=%s}</h3><span class=price>{price=%s}</span></div>|"
    novels = marked(book % ("Emma", "£3") + book % ("Persuasion", "£4"))
    wrapper = learn([novels], "token")
    sold = novels.page.text.replace("<span class=price>£4", "<span class=sold>sold")
    first, second = wrapper.extract(Page(sold))
    assert first.values["price"] == "£3"
    assert second.values == {"title": "Persuasion", "price": None}


def test_a_name_of_one_record_alone_may_be_its_own():
    only = marked("<h1 id=item-17>{title=Emma}</h1><p>Old</p>")
    unseen = Page("<h1 id=item-18>Persuasion</h1><p>New</p>")
    assert [record.values for record in learn([only], "token").extract(unseen)] == [
        {"title": "Persuasion"}
    ]


def values(wrapper, text):
    return [record.values for record in wrapper.extract(text)]


LIST = (
    "<h1>People</h1><ul>"
    "<li class=odd><b>{name=Ada}</b> <i>{year=1815}</i> <a href='{link=/ada}'>more</a></li>|"
    "<li class=even><b>{name=Grace}</b> <a href='{link=/grace}'>more</a></li>|"
    "<li class=odd><b>{name=Alan}</b> <i>{year=1912}</i> <a href='{link=/alan}'>more</a></li>|"
    "</ul><p>end</p>"
)


def test_a_missing_field_moves_no_neighbour():
    wrapper = learn([marked(LIST)], "token")
    page = (
        "<h1>x</h1><ul><li class=odd><b>Kurt</b> <a href='/kurt'>more</a></li>"
        "<li class=even><i>1903</i> <b>John</b> <a href='/john'>more</a></li></ul>"
    )
    assert values(wrapper, page) == [
        {"name": "Kurt", "year": None, "link": "/kurt"},
        {"name": "John", "year": "1903", "link": "/john"},
    ]


def test_the_examples_come_out_as_they_were_marked():
    example = marked(LIST)
    wrapper = learn([example], "token")
    assert [
        {name: spans for name, spans in record.items() if spans}
        for record in wrapper.extract(example.page)
    ] == [dict(record.items()) for record in example.records]


def test_attributes_that_differ_are_generalised_and_white_space_counts_as_one():
    first = marked("<p id=1 class='k'>Price:</p>\n<b x=1>{price=5}</b><b>no</b>", name="a")
    second = marked("<p class='k' id=2>Price:</p><b x=2>{price=7}</b> <b>no</b>", name="b")
    wrapper = learn([first, second], "token")
    assert values(wrapper, "<p id=9 class=k> Price: </p>  <b x=3>9</b><b>no</b>") == [
        {"price": "9"}
    ]


def test_several_values_are_found_in_their_container():
    first = marked(
        "<dl><dt>By:</dt><dd><a>{who=Ann}</a>, <a>{who=Bob}</a></dd><dt>x</dt></dl><a>no</a>",
        name="a",
    )
    second = marked("<dl><dt>By:</dt><dd><a>{who=Cyd}</a></dd><dt>x</dt></dl><a>no</a>", name="b")
    wrapper = learn([first, second], "token")
    page = "<dl><dt>By:</dt><dd><a>P</a>, <a>Q</a>, <a>R</a></dd><dt>x</dt></dl><a>no</a>"
    assert values(wrapper, page) == [{"who": ["P", "Q", "R"]}]


def test_parts_of_a_text_are_cut_out():
    first = marked("<p>Date: {day=3 May} (Monday)</p><p>other</p>", name="a")
    second = marked("<p>Date: {day=12 June} (Friday)</p><p>other</p>", name="b")
    assert values(learn([first, second], "token"), "<p>Date: 1 July (Sunday)</p><p>other</p>") == [
        {"day": "1 July"}
    ]


def test_a_value_may_run_over_tags():
    first = marked("<h1>{title=A <i>b</i> c}</h1><h2>x</h2>", name="a")
    second = marked("<h1>{title=D <i>e</i>}</h1><h2>x</h2>", name="b")
    assert values(learn([first, second], "token"), "<h1>F<br>g</h1><h2>x</h2>") == [
        {"title": "F g"}
    ]


def test_the_rest_of_a_partly_marked_page_is_found():
    rows = "".join(f"<tr><td><b>n{n}</b></td><td>{n}</td></tr>" for n in range(3, 20))
    first = "".join(
        f"<tr><td><b>{{name=n{n}}}</b></td><td>{{size={n}}}</td></tr>|" for n in range(3)
    )
    example = marked(f"<table><tr><th>x</th></tr>{first}{rows}</table>", partial=True)
    records = values(learn([example], "token"), example.page)
    assert records == [{"name": f"n{n}", "size": str(n)} for n in range(20)]


def test_a_page_that_fits_nothing_is_reported():
    wrapper = learn([marked(LIST)], "token")
    records = wrapper.extract("<p>nothing here</p>")
    assert len(records) == 0
    assert "looks like a record" in records.failure


def test_it_is_saved_and_loaded(tmp_path):
    wrapper = learn([marked(LIST)], "token")
    wrapper.save(tmp_path / "w.json")
    loaded = rowen.load(tmp_path / "w.json")
    assert isinstance(loaded, Token)
    assert loaded.version == wrapper.version
    assert loaded.explain() == wrapper.explain()
    page = marked(LIST).page
    assert loaded.extract(page) == wrapper.extract(page)
    assert json.loads((tmp_path / "w.json").read_text())["class"] == "token"


def test_it_explains_itself():
    explanation = learn([marked(LIST)], "token").explain()
    assert explanation.splitlines()[0] == "A record begins at each <li> in <ul>."
    assert "link: attribute href of <a>" in explanation


def test_labels_that_contradict_each_other_are_refused_with_the_field():
    same = "<b>{}</b><b>{}</b>"
    first = Example(Page(same.format("x", "y"), id="a"), [{"f": (3, 4)}])
    second = Example(Page(same.format("x", "y"), id="b"), [{"f": (11, 12)}])
    with pytest.raises(NoConsistentWrapper, match="field 'f'.*pages: a, b"):
        learn([first, second], "token")


def test_a_value_inside_a_tag_s_name_is_refused():
    with pytest.raises(NoConsistentWrapper, match="inside a tag"):
        learn([Example("<table>x</table>", [{"f": (1, 3)}])], "token")


def test_a_large_page_of_one_record_is_no_trouble():
    filler = "<div class=ad><a href=/x>x</a></div>" * 100_000
    example = marked(f"<h1>{{title=T}}</h1>{filler}")
    assert values(learn([example], "token"), "<h1>U</h1>") == [{"title": "U"}]


def test_broken_definitions_are_refused():
    good = learn([marked(LIST)], "token").to_definition().to_dict()
    for change in (
        {"rules": 3},
        {"rules": {"name": 3}},
        {"rules": {"name": [3]}},
        {"rules": {"name": [{"before": []}]}},
        {"rules": {"name": [{"before": [7]}]}},
        {"rules": {"name": [{"before": [None]}]}},
        {"rules": {"name": [{"before": [["b"]], "take": "some"}]}},
        {"rules": {"name": [{"before": [["b"]], "cut": {"left": 3}}]}},
        {"rules": {"name": [{"before": [["b"]], "cut": {"run": "p"}}]}},
        {"rules": {"name": [{"before": [["b"]], "cut": {"run": [["p"]]}}]}},
        {"rules": {"name": [{"before": [["b"]], "cut": {"run": [["", "x"]]}}]}},
        {"rules": {"name": [{"before": [["b"]], "cut": {"outer": 1}}]}},
        {"record": {"parent": ["ul"]}},
        {"fields": []},
    ):
        with pytest.raises(rowen.ExtractorError):
            from_dict({**good, **change})


def tiny_page(chance):
    tags = ["<b>", "</b>", "<i>", "<b class=x>", "<i id=y>", "<br>"]
    return "".join(
        chance.choice(tags) + chance.choice(["", "p", "q", "r: ", "7"])
        for _ in range(chance.randint(3, 9))
    )


def tiny_example(chance, name):
    """A tiny page with one of its texts marked, or None where it has none."""
    text = tiny_page(chance)
    outline = Outline(text)
    full = [tag for tag in range(outline.size) if outline.slots[tag]]
    if not full:
        return None
    tag = chance.choice(full)
    span = (int(outline.slot_starts[tag]), int(outline.slot_ends[tag]))
    return Example(Page(text, id=name), [{"f": span}])


def any_landmark_fits(examples):
    """By trying every landmark of the space on every page, one after the other."""
    outlines = [Outline(example.page.text) for example in examples]
    spans = [example.records[0].spans["f"] for example in examples]
    occurrences = [locate(o, s, n, n) for n, (o, s) in enumerate(zip(outlines, spans, strict=True))]
    cut = common_cut(occurrences)
    back, ahead = context.before(occurrences), context.after(occurrences, slot_first=False)
    if cut is None or not back:
        return False
    for choice in context.choices(back, ahead, occurrences):
        rule = Rule(context.landmark(choice, back, ahead, occurrences[0]), cut)
        if all(
            [value[:2] for value in rule.values(outline)] == [span]
            for outline, span in zip(outlines, spans, strict=True)
        ):
            return True
    return False


def test_a_plain_rule_is_found_exactly_when_trying_all_finds_one():
    """Completeness: of the landmarks in `context.choices`, one is found if one fits."""
    chance = random.Random(7)
    outcomes = {True: 0, False: 0}
    from rowen.landmarks.field_search import FieldSearch
    from rowen.landmarks.sample import divide, read_sample

    for _ in range(3000):
        examples = [tiny_example(chance, f"p{n}") for n in range(chance.randint(1, 3))]
        if None in examples:
            continue
        sample = read_sample(examples)
        assert divide(sample, None)
        occurrences = [
            occurrence for marked_values in sample.marked for occurrence in marked_values.all
        ]
        rule = FieldSearch(sample, "f", occurrences).rule(occurrences, "all")
        expected = any_landmark_fits(examples)
        assert (rule is not None) == expected
        outcomes[expected] += 1
        if rule is not None:
            for example, outline in zip(examples, sample.outlines, strict=True):
                assert [value[:2] for value in rule[1].values(outline)] == [
                    example.records[0].spans["f"]
                ]
    assert min(outcomes.values()) > 300


def test_what_is_learned_reproduces_its_examples():
    chance = random.Random(3)
    learned = 0
    for _ in range(1500):
        examples = [tiny_example(chance, f"p{n}") for n in range(chance.randint(1, 3))]
        if None in examples:
            continue
        try:
            wrapper = learn(examples, "token")
        except NoConsistentWrapper:
            continue
        learned += 1
        for example in examples:
            assert [record.spans for record in wrapper.extract(example.page)] == [
                record.spans for record in example.records
            ]
    assert learned > 300


def test_tags_inside_a_value_may_come_and_go():
    wrapper = learn(
        [
            marked(
                "<ul><li><i>1</i> <a href=/a>{name=<b>Ada</b> Lovelace}</a></li>|"
                "<li><i>2</i> <a href=/g>{name=Grace Hopper}</a></li>|</ul>".replace(
                    "{name=<b>Ada</b>", "<b>{name=Ada</b>"
                )
            )
        ],
        "token",
    )
    assert "name: the whole element at <a>" in wrapper.explain()
    page = "<ul><li><i>1</i> <a href=/t>Alan <i>M.</i> <b>Turing</b></a></li></ul>"
    assert values(wrapper, page) == [{"name": "Alan M. Turing"}]


def rows(*rows):
    """A table with the cells of these rows."""
    cells = ("".join(f"<td>{cell}</td>" for cell in row.split(";")) for row in rows)
    return "<table>" + "".join(f"<tr>{row}</tr>|" for row in cells) + "</table>"


def test_a_cell_is_found_by_its_place_where_the_cells_before_it_vary():
    wrapper = learn(
        [
            marked(
                rows(
                    "1;<p>a</p><p>b</p>;{year=1815};x;y",
                    "2;a;{year=1906};x;<p>c</p>",
                    "3;<p>a</p>;{year=1912};<p>c</p>;y",
                )
            )
        ],
        "token",
    )
    assert "year: the text after <td> no. 3" in wrapper.explain()
    page = rows("4;<i>a</i> <i>b</i>;1930;<p>x</p>;y", "5;a;1931;x;y").replace("|", "")
    assert values(wrapper, page) == [{"year": "1930"}, {"year": "1931"}]
    assert values(from_dict(wrapper.to_definition().to_dict()), page) == values(wrapper, page)


def test_rows_of_another_table_are_no_records():
    wrapper = learn(
        [marked(rows("{name=Ada};<b>{year=1815}</b>", "{name=Alan};<b>{year=1912}</b>"))], "token"
    )
    table = "<table><tr><td>{}</td><td>{}</td></tr><tr><td>{}</td><td>{}</td></tr></table>"
    page = table.format("Share", "7%", "Rest", "93%") + table.format(
        "Grace", "<b>1906</b>", "Edsger", "<b>1930</b>"
    )
    assert [record["name"] for record in values(wrapper, page)] == ["Grace", "Edsger"]


def test_rows_of_another_table_with_more_than_half_of_the_fields_are_records():
    row = "<tr><td>{{a={0}1}}</td><td>{{b={0}2}}</td><td><b>*</b>{{c={0}3}}</td></tr>|"
    head = "<tr><td>x</td></tr>"
    wrapper = learn([marked(f"<table>{head}{row.format('p')}{row.format('q')}</table>")], "token")
    starred = "".join(f"<tr><td>{n}</td><td>{n}</td><td><b>*</b>{n}</td></tr>" for n in (1, 2))
    plain = "<tr><td>3</td><td>3</td><td>3</td></tr>"
    records = values(wrapper, f"<table>{starred}</table><table>{head}{plain}</table>")
    assert records[2:] == [{"a": "3", "b": "3", "c": None}]


def test_what_a_rule_finds_in_rows_that_are_no_records_does_no_harm():
    table = "<table><tr><td>7+</td><td>9</td></tr><tr><td>4+</td><td>8</td></tr></table>"
    rows = "".join(
        f"<tr><td>{{date={day} May}}</td><td>1</td><td><a>{{race=R{day}}}</a></td></tr>|"
        for day in (3, 5, 8)
    )
    wrapper = learn([marked(f"{table}<table>{rows}</table>")], "token")
    seen = "".join(f"<tr><td>{n} June</td><td>{n}</td><td><a>S{n}</a></td></tr>" for n in (2, 4))
    assert values(wrapper, f"{table}<table>{seen}</table>") == [
        {"date": "2 June", "race": "S2"},
        {"date": "4 June", "race": "S4"},
    ]


def test_an_empty_attribute_says_nothing():
    rows = "<table><tr class=''><td>{a=1}</td></tr>|<tr class=''><td>{a=2}</td></tr>|</table>"
    wrapper = learn([marked(rows)], "token")
    assert values(wrapper, "<table><tr><td>3</td></tr></table>") == [{"a": "3"}]


def test_a_value_may_lie_inside_another_one():
    text = "<ul><li>Ada, 10 December 1815</li><li>Alan, 23 June 1912</li></ul>"
    dates = ("10 December 1815", "23 June 1912")
    starts = [text.index(date) for date in dates]
    label = [
        {"born": (at, at + len(date)), "year": (at + len(date) - 4, at + len(date))}
        for at, date in zip(starts, dates, strict=True)
    ]
    for name in ("token", "auto"):
        wrapper = learn([Example(text, label)], name)
        assert values(wrapper, "<ul><li>Grace, 9 December 1906</li></ul>") == [
            {"born": "9 December 1906", "year": "1906"}
        ]
    for name in ("lr", "hlrt", "oclr", "hoclrt", "m-lr", "m-hlrt"):
        with pytest.raises(NoConsistentWrapper, match="shares text with field 'born'"):
            learn([Example(text, label)], name)


def test_one_label_in_the_wrong_cell_is_not_believed():
    right = [f"{{name=n{n}}};{{rank={n}}};{n}" for n in range(10)]
    example = marked(rows(*right, "{name=x};7;{rank=7}"))
    with pytest.raises(NoConsistentWrapper, match="field 'rank'"):
        learn([example], "token")
    wrapper = learn([example])
    assert "some are not believed" in wrapper.reason
    page = rows("y;3;4", "z;5;6").replace("|", "")
    assert values(wrapper, page) == [{"name": "y", "rank": "3"}, {"name": "z", "rank": "5"}]


def test_of_pages_that_contradict_each_other_those_are_believed_that_agree_best_with_all():
    def car(city, highway, *, name, only=None):
        text = f"<h1>Car</h1><table><tr><td>City</td><td>{city}</td></tr>"
        text += f"<tr><td>Highway</td><td>{highway}</td></tr></table>"
        places = [
            (text.index(number), text.index(number) + 2) for number in only or (city, highway)
        ]
        return Example(Page(text, id=name), [{"model": (4, 7), "mpg": places}])

    examples = [car("18", "26", name="a"), car("19", "27", name="b", only=["27"])]
    wrapper = learn(examples)
    assert "not believed" in wrapper.reason
    (record,) = wrapper.extract(car("13", "17", name="c").page)
    assert record.values == {"model": "Car", "mpg": ["13", "17"]}
    (alone,) = learn([*examples, car("20", "28", name="d", only=["28"])]).extract(
        car("13", "17", name="c").page
    )
    assert alone.values == {"model": "Car", "mpg": ["17"]}  # a list, as marked


def test_values_that_are_alike_by_chance_are_no_landmark():
    def film(*genres, name):
        def items(names):
            return "".join(f'<li><a href="/{genre}">{genre}</a></li>' for genre in names)

        spaced = "<tr><td><img></td></tr>" * 2
        text = f"<table><tr><td>Themes</td></tr>{spaced}<tr><td><ul>{items(['War'])}</ul></td></tr>"
        text += (
            f"<tr><td>Genres</td></tr>{spaced}<tr><td><ul>{items(genres)}</ul></td></tr></table>"
        )
        places = [(at := text.index(f">{genre}<") + 1, at + len(genre)) for genre in genres]
        return Example(Page(text, id=name), [{"genre": places}])

    wrapper = learn([film("Drama", name="a"), film("Drama", "Crime", name="b")], "token")
    (record,) = wrapper.extract(film("Comedy", "Family", name="c").page)
    assert record.values == {"genre": ["Comedy", "Family"]}
    assert "Drama" not in wrapper.describe()


def test_a_value_far_from_its_record_is_not_believed():
    text = "<h1>Edition 1</h1>" + rows(
        *(f"{{no={n}}};{{name=n{n}}};{{page=p{n}}}" for n in (1, 2, 3))
    )
    good = marked(text)
    stray = [dict(record.spans) for record in good.records]
    place = good.page.text.index("Edition 1") + 8
    stray[0]["no"] = (place, place + 1)
    wrapper = learn([Example(good.page, stray), marked(text.replace("n1", "m1"), name="q")])
    assert [record.spans for record in wrapper.extract(good.page)] == [
        record.spans for record in good.records
    ]


def test_places_and_contents_are_those_of_a_slow_look():
    chance = random.Random(5)
    for _ in range(500):
        outline = Outline(tiny_page(chance))
        for tag in range(1, outline.size):
            alike = [
                before
                for before in range(tag + 1)
                if outline.names[before] == outline.names[tag]
                and outline.parents[before] == outline.parents[tag]
            ]
            assert outline.places[tag] == len(alike)
            full = [slot for slot in range(tag, outline.closes[tag]) if outline.slots[slot]]
            expected = (outline.slot_starts[full[0]], outline.slot_ends[full[-1]]) if full else None
            assert outline.content(tag) == expected
