from rowen.model import Page
from rowen.records import Example
from rowen.wrappers.lr import LR

WRAPPER = LR(["country", "code"], left=["<b>", "<i>"], right=["</b>", "</i>"])
GOOD = Page("<li><b>Congo</b><i>242</i><li><b>Egypt</b><i>20</i><li><b>Peru</b><i>51</i>", "good")
BROKEN = Page("<li><b>Congo</b><i>242</i><li><b>Egypt</b>", "broken")


def countries(records):
    return [record.values["country"] for record in records]


def test_the_rest_of_a_label_is_proposed():
    marked = Example(GOOD, [{"country": "Congo", "code": "242"}], partial=True)
    assert countries(WRAPPER.suggest(marked)) == ["Egypt", "Peru"]


def test_without_marks_everything_is_proposed():
    assert countries(WRAPPER.suggest(GOOD)) == ["Congo", "Egypt", "Peru"]
    assert countries(WRAPPER.suggest(GOOD.text)) == ["Congo", "Egypt", "Peru"]


def test_what_a_person_marked_differently_is_not_proposed():
    start = GOOD.text.index("Egypt")
    marked = Example(GOOD, [{"country": (start + 1, start + 3)}], partial=True)
    assert countries(WRAPPER.suggest(marked)) == ["Congo", "Peru"]


def test_a_failure_is_passed_on():
    assert "code" in WRAPPER.suggest(BROKEN).failure
