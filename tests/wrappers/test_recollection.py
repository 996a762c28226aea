from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.model import Page
from rowen.wrappers.maintaining.earlier import Known
from rowen.wrappers.maintaining.recollection import recall
from rowen.wrappers.maintaining.repair import repair
from rowen.wrappers.maintaining.sightings import sight
from rowen.wrappers.profile import Profile
from rowen.wrappers.tabular.lr import LR

NOTHING = Profile.of([])


def seen(text, *records, whole=True):
    page = Page(text, "p")
    found = sight(page, [Known("p", one) for one in records], same_page=whole)
    assert found.records
    return found


def recalled(sightings, usual=NOTHING):
    return {(one.field, str(one.soundness)): one for one in recall(sightings, usual)}


def texts(recognizer, page):
    return [span.of(page.text) for span in recognizer.find(page)]


def test_values_that_are_known_and_stand_once_are_recognized_perfectly():
    one = seen("<b>Congo</b> <i>242</i>", {"name": "Congo", "code": "242"})
    assert set(recalled([one])) == {("name", "perfect"), ("code", "perfect")}


def test_places_that_are_alike_on_all_pages_are_believed():
    sightings = [
        seen("Congo! <b>Congo</b> <i>242</i>", {"name": "Congo", "code": "242"}),
        seen("Egy <b>Egypt</b> <i>20 1</i> by Egypt", {"name": "Egypt", "code": "20 1"}),
    ]
    name = recalled(sightings)["name", "perfect"]
    assert [span.start for one in sightings for span in name.find(one.page)] == [10, 7]


def test_values_that_stand_anywhere_are_unsound():
    one = seen("<b>Congo</b><b>Congo</b> <i>242</i>", {"name": "Congo", "code": "242"})
    assert ("name", "unsound") in recalled([one])


def test_words_in_the_text_come_before_parts_of_words_and_attributes():
    text = "Congolese <p title='Congo'>of Congo</p> <i>242</i>"
    one = seen(text, {"name": "Congo", "code": "242"})
    (place,) = recalled([one])["name", "perfect"].find(one.page)
    assert place.start == text.index("Congo</p>")


def test_a_field_that_is_missing_somewhere_is_incomplete():
    records = {"name": "Congo", "code": "242"}, {"name": "Egypt", "code": None}
    one = seen("<b>Congo</b> <i>242</i> <b>Egypt</b>", *records)
    assert set(recalled([one])) == {("name", "perfect"), ("code", "incomplete")}


def test_what_nobody_knew_is_recognized_by_its_shape():
    usual = Profile.of_values([[{"code": "+242"}, {"code": "+20"}]])
    one = seen(
        "<b>Congo</b> <i>+242</i> <b>Chad</b> <i> +235</i>",
        {"name": "Congo", "code": "+242"},
        whole=False,
    )
    found = recalled([one], usual)
    assert texts(found["code", "incomplete"], one.page) == ["+242"]
    assert texts(found["code", "unsound"], one.page) == ["+242", "+235"]


def test_fields_with_several_values_are_left_to_others():
    one = seen("<b>Congo</b> 1 2", {"name": "Congo", "code": ["1", "2"]})
    assert set(recalled([one])) == {("name", "perfect")}


WORD = st.text("abc", min_size=4, max_size=6)


@given(st.lists(st.tuples(WORD, WORD, st.text("<> -", max_size=3)), min_size=1, max_size=4))
@settings(max_examples=200, deadline=None)
def test_what_is_declared_perfect_is_as_often_there_as_it_is_known(rows):
    sightings = []
    for number, (name, other, sign) in enumerate(rows):
        page = Page(f"{other}{sign}{name}<b>{name}</b>{sign}{name} <i>{other}</i>", f"p{number}")
        sightings.append(sight(page, [Known(page.id, {"n": name, "o": other})], same_page=True))
    sightings = [one for one in sightings if one.records]
    for recognizer in recall(sightings, NOTHING):
        for one in sightings:
            found = texts(recognizer, one.page)
            wanted = [record[recognizer.field] for record in one.records]
            assert set(found) <= set(wanted)
            if recognizer.soundness == "perfect":
                assert sorted(found) == sorted(wanted)
            if recognizer.soundness == "unsound":
                assert len(found) >= len(wanted)


def test_corroboration_places_what_stands_in_many_places():
    people = [("Anna Low", "Hill and Dale"), ("Bert Day", "Moon"), ("Cora May", "Old Sea")]
    people += [("Dora Fox", "The Cup"), ("Emil Roe", "Sand"), ("Finn Ash", "Two Days")]
    noise = [
        "{1} is by {0}. ",
        "<p>{0}</p><em>{1}</em>",
        "{0}: {1}; {0}",
        "<i>{1}</i>{0}",
        "",
        "{0}",
    ]
    wrapper = LR(["author", "title"], left=["<a>", "<b>"], right=["</a>", "</b>"])
    pages, known = [], []
    for number, (pair, around) in enumerate(zip(people, noise, strict=True)):
        page = f"p{number}.html"
        known.append({"page": page, "values": dict(zip(("author", "title"), pair, strict=True))})
        layout = around + "<h1>{1}</h1><h2>{0}</h2>" + around
        pages.append(Page(layout.format(*pair), page))
    made = repair(wrapper, pages, known)
    found = [tuple(one.values.values()) for page in pages for one in made.wrapper.extract(page)]
    assert sorted(tuple(sorted(one)) for one in found) == sorted(
        tuple(sorted(one)) for one in people
    )
    assert not made.report.doubts
