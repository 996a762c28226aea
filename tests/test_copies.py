"""Pages, records and extractors of every kind can be pickled and copied."""

import copy
import pickle
import re

import pytest

import rowen
from rowen import Example, Page, Record, Records

WAYS = {
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "pickle of protocol 2": lambda one: pickle.loads(pickle.dumps(one, 2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}

TEXT = "<h>x</h><b>Congo</b> <i>242</i><br><b>Egypt</b> <i>20</i><br><hr>"
PAGE = Page(TEXT, id="codes.html")


@rowen.extractor
def capitals(text):
    """A function of a module."""
    yield from ({"word": found.span()} for found in re.finditer("[A-Z]\\w+", text))


def plain(text):
    yield {"all": (0, len(text))}


named = rowen.extractor(name="other", version="3")(plain)


class Holder:
    @rowen.extractor
    @staticmethod
    def inside(text):
        yield {"all": (0, len(text))}


def learned(kind):
    bounds = [
        (found.span(1), found.span(2)) for found in re.finditer("<b>(.*?)</b> <i>(.*?)</i>", TEXT)
    ]
    records = [{"country": country, "code": code} for country, code in bounds]
    if kind.startswith("n-"):
        records = [{"country": country, "children": [{"code": code}]} for country, code in bounds]
    return rowen.learn([Example(PAGE, records)], kind)


def extractors():
    one = rowen.Pattern(r"<b>(?P<country>\w+)", name="one")
    two = rowen.Pattern(r"<b>(?P<country>\w+)(</b> <i>(?P<code>\d+))?", name="two")
    words = rowen.Dictionary(["Congo", "Egypt"], name="words", fold_case=True)
    made = {
        "pattern of one group": one,
        "pattern of two groups": two,
        "pattern of groups in look-around": rowen.Pattern(r"(?<=(?P<a>.))\d(?=(?P<b>.))"),
        "pattern with a version": rowen.Pattern(
            "(?P<a>b)", version="7", locality=rowen.WholePage()
        ),
        "dictionary": words,
        "relation": rowen.Relation({"country": one, "name": words}, distance=20),
        "relation of a function": rowen.Relation({"word": capitals, "name": words}, distance=20),
        "function": capitals,
        "function under another name": named,
        "function of a class": Holder.inside,
    }
    kinds = ("lr", "hlrt", "oclr", "hoclrt", "m-lr", "m-hlrt", "n-lr", "n-hlrt", "token", "auto")
    return made | {f"wrapper {kind}": learned(kind) for kind in kinds}


EXTRACTORS = extractors()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("used", [False, True], ids=["fresh", "used"])
@pytest.mark.parametrize("name", EXTRACTORS)
def test_a_copied_extractor_is_the_same(name, used, way):
    extractor = EXTRACTORS[name]
    if used:
        extractor.extract(PAGE)
        assert extractor.version
        assert extractor.locality
    other = WAYS[way](extractor)
    for what in ("name", "version", "locality", "fields"):
        assert getattr(other, what) == getattr(extractor, what)
    assert other.extract(PAGE) == extractor.extract(PAGE)


def some_records():
    nested = Record(PAGE, {"a": [(0, 1), (2, 3)], "b": None}, [Record(PAGE, {"c": (1, 2)})])
    return {
        "rows": EXTRACTORS["pattern of two groups"].extract(PAGE),
        "list": Records([nested]),
        "none": Records(),
        "stopped": Records([nested], failure="no right delimiter"),
    }


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("read", [False, True], ids=["unread", "read"])
@pytest.mark.parametrize("kind", some_records())
def test_copied_records_are_the_same(kind, read, way):
    records = some_records()[kind]
    if read:
        assert all(record.values for record in records)
    other = WAYS[way](records)
    assert other == records
    assert other.failure == records.failure
    assert [one.to_dict() for one in other] == [one.to_dict() for one in records]
    assert set(other) == set(records)
    with pytest.raises(AttributeError, match="can't be changed"):
        Record(PAGE, {}).page = PAGE


@pytest.mark.parametrize("way", WAYS)
def test_a_copied_record_is_the_same_and_still_can_t_be_changed(way):
    for records in some_records().values():
        for record in records:
            other = WAYS[way](record)
            assert other == record
            assert other.values == record.values
            with pytest.raises(AttributeError, match="can't be changed"):
                other.page = PAGE


@pytest.mark.parametrize("way", WAYS)
def test_a_copied_page_is_the_same(way):
    assert WAYS[way](PAGE) == PAGE
    assert WAYS[way](rowen.Span(1, 3)) == rowen.Span(1, 3)
