import pytest

from rowen.model import Example, InputError, Page
from rowen.wrappers.profile import Profile
from rowen.wrappers.suggest import doubt_of, next_page, suggest
from rowen.wrappers.tabular.lr import LR

WRAPPER = LR(["country", "code"], left=["<b>", "<i>"], right=["</b>", "</i>"])
RIVAL = LR(["country", "code"], left=["<li><b>", "<i>"], right=["</b>", "</i>"])
GOOD = Page("<li><b>Congo</b><i>242</i><li><b>Egypt</b><i>20</i><li><b>Peru</b><i>51</i>", "good")
BROKEN = Page("<li><b>Congo</b><i>242</i><li><b>Egypt</b>", "broken")
EMPTY = Page("<p>Nothing here", "empty")
ODD = Page("<b>Advertisement</b><i>1</i><li><b>Peru</b><i>51</i>", "odd")


def countries(records):
    return [record.values["country"] for record in records]


def test_the_rest_of_a_label_is_proposed():
    marked = Example(GOOD, [{"country": "Congo", "code": "242"}], partial=True)
    assert countries(suggest(WRAPPER, marked)) == ["Egypt", "Peru"]


def test_without_marks_everything_is_proposed():
    assert countries(suggest(WRAPPER, GOOD)) == ["Congo", "Egypt", "Peru"]
    assert countries(suggest(WRAPPER, GOOD.text)) == ["Congo", "Egypt", "Peru"]


def test_what_a_person_marked_differently_is_not_proposed():
    start = GOOD.text.index("Egypt")
    marked = Example(GOOD, [{"country": (start + 1, start + 3)}], partial=True)
    assert countries(suggest(WRAPPER, marked)) == ["Congo", "Peru"]


def test_a_failure_is_passed_on():
    assert "code" in suggest(WRAPPER, BROKEN).failure


@pytest.mark.parametrize("other", [BROKEN, EMPTY])
def test_a_page_on_which_the_wrapper_fails_is_most_worth_labelling(other):
    assert next_page(WRAPPER, [GOOD, other, GOOD]) is other


def test_a_page_on_which_wrappers_disagree_is_worth_labelling():
    assert next_page(WRAPPER, [GOOD, ODD], others=[RIVAL]) is ODD
    assert next_page(WRAPPER, [GOOD, ODD]) is GOOD
    assert doubt_of(WRAPPER, ODD, others=[RIVAL]) == pytest.approx(0.5)


def test_a_page_unlike_the_known_ones_is_worth_labelling():
    profile = Profile.of([WRAPPER.extract(GOOD)] * 4)
    long = "and so on " * 40
    strange = Page("".join(f"<b>x{long}</b><i>\n{n}<br></i>" for n in range(8)), "strange")
    assert next_page(WRAPPER, [GOOD, strange], profile=profile) is strange


def test_no_pages_are_no_choice():
    with pytest.raises(InputError, match="no pages to choose from"):
        next_page(WRAPPER, [])
