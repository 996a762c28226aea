from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.maintenance.known_records import KnownRecord
from rowen.maintenance.known_values import recognizers_of
from rowen.maintenance.occurrences import find_occurrences
from rowen.maintenance.repair import repair
from rowen.model import Page
from rowen.wrappers.lr import LR
from rowen.wrappers.profile import Profile

NOTHING = Profile.of([])


def seen(text, *records, whole=True):
    page = Page(text, "p")
    occurrences = find_occurrences(
        page, [KnownRecord("p", values) for values in records], same_page=whole
    )
    assert occurrences.records
    return occurrences


def recalled(pages, usual=NOTHING):
    return {
        (recognizer.field, str(recognizer.soundness)): recognizer
        for recognizer in recognizers_of(pages, usual)
    }


def texts(recognizer, page):
    return [span.of(page.text) for span in recognizer.find(page)]


def test_values_that_are_known_and_stand_once_are_recognized_perfectly():
    occurrences = seen("<b>Congo</b> <i>242</i>", {"name": "Congo", "code": "242"})
    assert set(recalled([occurrences])) == {("name", "perfect"), ("code", "perfect")}


def test_places_that_are_alike_on_all_pages_are_believed():
    occurrences = [
        seen("Congo! <b>Congo</b> <i>242</i>", {"name": "Congo", "code": "242"}),
        seen("Egy <b>Egypt</b> <i>20 1</i> by Egypt", {"name": "Egypt", "code": "20 1"}),
    ]
    name = recalled(occurrences)["name", "perfect"]
    assert [span.start for occurrence in occurrences for span in name.find(occurrence.page)] == [
        10,
        7,
    ]


def test_values_that_stand_anywhere_are_unsound():
    occurrences = seen("<b>Congo</b><b>Congo</b> <i>242</i>", {"name": "Congo", "code": "242"})
    assert ("name", "unsound") in recalled([occurrences])


def test_words_in_the_text_come_before_parts_of_words_and_attributes():
    text = "Congolese <p title='Congo'>of Congo</p> <i>242</i>"
    occurrences = seen(text, {"name": "Congo", "code": "242"})
    (place,) = recalled([occurrences])["name", "perfect"].find(occurrences.page)
    assert place.start == text.index("Congo</p>")


def test_a_field_that_is_missing_somewhere_is_incomplete():
    records = {"name": "Congo", "code": "242"}, {"name": "Egypt", "code": None}
    occurrences = seen("<b>Congo</b> <i>242</i> <b>Egypt</b>", *records)
    assert set(recalled([occurrences])) == {("name", "perfect"), ("code", "incomplete")}


def test_what_nobody_knew_is_recognized_by_its_shape():
    usual = Profile.of_values([[{"code": "+242"}, {"code": "+20"}]])
    occurrences = seen(
        "<b>Congo</b> <i>+242</i> <b>Chad</b> <i> +235</i>",
        {"name": "Congo", "code": "+242"},
        whole=False,
    )
    recognizers = recalled([occurrences], usual)
    assert texts(recognizers["code", "incomplete"], occurrences.page) == ["+242"]
    assert texts(recognizers["code", "unsound"], occurrences.page) == ["+242", "+235"]


def test_fields_with_several_values_are_left_to_others():
    occurrences = seen("<b>Congo</b> 1 2", {"name": "Congo", "code": ["1", "2"]})
    assert set(recalled([occurrences])) == {("name", "perfect")}


WORD = st.text("abc", min_size=4, max_size=6)


@given(st.lists(st.tuples(WORD, WORD, st.text("<> -", max_size=3)), min_size=1, max_size=4))
@settings(max_examples=200, deadline=None)
def test_what_is_declared_perfect_is_as_often_there_as_it_is_known(rows):
    occurrences = []
    for number, (name, code, sign) in enumerate(rows):
        page = Page(f"{code}{sign}{name}<b>{name}</b>{sign}{name} <i>{code}</i>", f"p{number}")
        occurrences.append(
            find_occurrences(page, [KnownRecord(page.id, {"n": name, "o": code})], same_page=True)
        )
    occurrences = [occurrence for occurrence in occurrences if occurrence.records]
    for recognizer in recognizers_of(occurrences, NOTHING):
        for occurrence in occurrences:
            recognized = texts(recognizer, occurrence.page)
            expected = [record[recognizer.field] for record in occurrence.records]
            assert set(recognized) <= set(expected)
            if recognizer.soundness == "perfect":
                assert sorted(recognized) == sorted(expected)
            if recognizer.soundness == "unsound":
                assert len(recognized) >= len(expected)


def test_corroboration_locates_values_that_occur_in_many_places():
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
    pages, known_records = [], []
    for number, (pair, around) in enumerate(zip(people, noise, strict=True)):
        page = f"p{number}.html"
        known_records.append(
            {"page": page, "values": dict(zip(("author", "title"), pair, strict=True))}
        )
        layout = around + "<h1>{1}</h1><h2>{0}</h2>" + around
        pages.append(Page(layout.format(*pair), page))
    repaired = repair(wrapper, pages, known_records)
    extracted = [
        tuple(record.values.values()) for page in pages for record in repaired.wrapper.extract(page)
    ]
    assert sorted(tuple(sorted(pair)) for pair in extracted) == sorted(
        tuple(sorted(pair)) for pair in people
    )
    assert not repaired.report.doubts
