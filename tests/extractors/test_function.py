import re

import pytest

import rowen
from rowen import ExtractionError, Extractor, WholePage, Window


@rowen.extractor(name="rooms", version="1", locality=rowen.Window(scope=6, context=0))
def rooms(text: str):
    """Rooms of the computer science building."""
    for match in re.finditer(r"CS \d{3}", text):
        yield {"room": match.span()}


def test_a_function_becomes_an_extractor():
    assert isinstance(rooms, Extractor)
    assert (rooms.name, rooms.version, rooms.locality) == ("rooms", "1", Window(6, 0))
    assert [record.values for record in rooms.extract("in CS 105")] == [{"room": "CS 105"}]


def test_it_can_still_be_called():
    assert list(rooms("in CS 105")) == [{"room": (3, 9)}]
    assert rooms.__doc__.startswith("Rooms")


def test_without_options_the_name_is_the_function_s_and_the_whole_page_counts():
    @rowen.extractor
    def everything(text):
        return [{"x": (0, len(text))}]

    assert everything.name == "everything"
    assert everything.locality == WholePage()
    assert len(everything.extract("abc")) == 1


def test_children_and_lists_come_through():
    @rowen.extractor
    def book(_text):
        yield {"part": (0, 1), "children": [{"chapter": [(1, 2), (2, 3)]}]}

    (record,) = book.extract("abc")
    assert record.children[0].values == {"chapter": ["b", "c"]}


def test_nothing_is_no_records():
    @rowen.extractor
    def nothing(_text):
        return None

    assert len(nothing.extract("abc")) == 0


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        ({"x": (0, 9)}, "3 characters"),
        ({"x": "abc"}, "not a span"),
        (7, "int"),
        ({"children": 3}, "list"),
    ],
)
def test_what_is_no_record_of_the_page_is_refused_with_names(result, reason):
    @rowen.extractor(name="wrong")
    def wrong(_text):
        yield result

    with pytest.raises(ExtractionError, match=f"p1: extractor 'wrong' failed: .*{reason}"):
        wrong.extract(rowen.Page("abc", id="p1"))


def test_what_it_raises_is_reported_with_names_and_its_cause():
    @rowen.extractor(name="fragile")
    def fragile(text):
        yield {"x": (0, 1)}
        raise KeyError(text)

    with pytest.raises(ExtractionError, match="'fragile' failed: KeyError") as caught:
        fragile.extract("abc")
    assert isinstance(caught.value.__cause__, KeyError)
