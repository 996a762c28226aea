import ast
import random
import re
import sys
from types import ModuleType, SimpleNamespace

import pytest
import regex

from rowen.model import Page, UsageError
from rowen.wrappers.classes import wrapper_class
from rowen.wrappers.exports import EXPORTS, to_python, to_regex, to_scrapy, to_xpath

USES = {"lr": "", "hlrt": "ht", "oclr": "oc", "hoclrt": "htoc"}
OUTER = {"h": "head", "t": "tail", "o": "open", "c": "close"}


def make(kind, fields, left, right, **outer):
    return wrapper_class(kind)(fields, left=left, right=right, **outer)


def run(source):
    names = {}
    exec(compile(source, "exported.py", "exec"), names)
    return names["extract"]


def random_wrapper(kind, rng):
    """A wrapper of short delimiters over few letters, so that they overlap and repeat."""

    def text(least):
        return "".join(rng.choice("ab[.") for _ in range(rng.randint(least, 2)))

    fields = ["one", "an other", "three"][: rng.randint(1, 3)]
    outer = {OUTER[key]: text(0 if key in "hc" else 1) for key in USES[kind]}
    left, right = [text(1) for _ in fields], [text(1) for _ in fields]
    return make(kind, fields, left, right, **outer)


def random_page(rng):
    return "".join(rng.choice("ab[.\n") for _ in range(rng.randint(0, 40)))


@pytest.mark.parametrize("kind", USES)
def test_the_function_gives_what_the_wrapper_gives(kind):
    rng = random.Random(kind)
    found = 0
    for _ in range(150):
        wrapper = random_wrapper(kind, rng)
        extract = run(to_python(wrapper))
        for page in (random_page(rng) for _ in range(20)):
            expected = [record.values for record in wrapper.extract(page)]
            assert extract(page) == expected, (wrapper.settings(), page)
            found += len(expected)
    assert found > 100


@pytest.mark.parametrize("kind", USES)
def test_the_regular_expression_matches_the_wrappers_records(kind):
    rng = random.Random(kind)
    found = 0
    for _ in range(150):
        wrapper = random_wrapper(kind, rng)
        engines = [regex] if "t" in USES[kind] else [re, regex]
        compiled = [engine.compile(to_regex(wrapper)) for engine in engines]
        for page in (random_page(rng) for _ in range(20)):
            expected = [tuple(record.values.values()) for record in wrapper.extract(page)]
            for one in compiled:
                got = [match.groups() for match in one.finditer(page)]
                assert got == expected, (wrapper.settings(), page, one.pattern)
            found += len(expected)
    assert found > 100


def test_a_hostile_page_does_not_hold_the_regular_expression():
    wrapper = make("lr", ["a", "b", "c"], ["<", "<", "<"], [">", ">", "!"])
    assert not re.search(to_regex(wrapper), "<>" * 3_000)


AWKWARD = {
    "fields": ['q"""uote', "back\\slash", "new\nline", "\ud800"],
    "left": ['\'"""', "\\", "\n\r\t", "{x}$y"],
    "right": ["'", '"', "</p>" * 60, "\u2028"],
}


def test_awkward_names_and_delimiters_are_written_safely():
    wrapper = make("hlrt", **AWKWARD, head="", tail="\x00%")
    wrapper.name = 'a """name"""\nof two lines\\'
    page = "x" + "".join(
        f"{left}v{number}{right}"
        for number, (left, right) in enumerate(zip(AWKWARD["left"], AWKWARD["right"], strict=True))
    )
    expected = [record.values for record in wrapper.extract(page)]
    assert run(to_python(wrapper))(page) == expected != []
    (match,) = regex.finditer(to_regex(wrapper), page)
    assert [*match.groupdict()] == ["field_1", "field_2", "field_3", "field_4"]
    ast.parse(to_scrapy(wrapper))


def test_nothing_is_imported_by_the_function():
    tree = ast.parse(to_python(make("lr", ["a"], ["<"], [">"])))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]


class FakeLoader:
    """Keeps what a Scrapy item loader would be given."""

    def __init__(self):
        self.item = {}

    def add_value(self, field, value):
        self.item[field] = value

    def load_item(self):
        return self.item


@pytest.fixture
def scrapy(monkeypatch):
    for name, names in {
        "itemloaders": {},
        "itemloaders.processors": {"MapCompose": lambda *_: None, "TakeFirst": lambda: None},
        "scrapy": {"Spider": object},
        "scrapy.loader": {"ItemLoader": FakeLoader},
    }.items():
        module = ModuleType(name)
        vars(module).update(names)
        monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.usefixtures("scrapy")
def test_the_spider_loads_an_item_a_record():
    wrapper = make("oclr", ["a", "b"], ["<b>", "<i>"], ["</b>", "</i>"], open="<li>", close="</li>")
    names = {}
    exec(to_scrapy(wrapper), names)
    page = "<b>no</b><li><b>1</b><i>2</i></li>"
    spider = names["WrapperSpider"]()
    assert list(spider.parse(SimpleNamespace(text=page))) == [{"a": "1", "b": "2"}]


def test_a_spider_of_another_class_opens_the_wrapper():
    wrapper = wrapper_class("m-lr")(["a"], left=["<"], right=[">"])
    source = to_scrapy(wrapper)
    ast.parse(source)
    assert 'rowen.load("wrapper.json")' in source


def test_xpath_is_told_where_it_says_the_same():
    assert to_xpath(make("lr", ["a"], ["<B>"], ["</B>"])) == "//b[not(@*)]"


@pytest.mark.parametrize(
    ("kind", "left", "right", "reason"),
    [
        ("lr", ["<b>"], ["</i>"], "are not an element's tags"),
        ("lr", ["Price: "], ["<"], "are not an element's tags"),
        ("lr", ["<b>", "<i>"], ["</b>", "</i>"], "depend on what stands before them"),
    ],
)
def test_where_no_xpath_says_the_same_the_reason_is_told(kind, left, right, reason):
    with pytest.raises(UsageError, match=reason):
        to_xpath(make(kind, ["a", "b"][: len(left)], left, right))


@pytest.mark.parametrize("form", ["python", "regex", "xpath"])
def test_a_class_that_is_not_so_simple_is_refused(form):
    wrapper = wrapper_class("m-lr")(["a"], left=["<"], right=[">"])
    with pytest.raises(UsageError, match="can't say what this wrapper of class 'm-lr' does"):
        EXPORTS[form](wrapper)


def test_the_page_may_be_a_page_of_the_model():
    wrapper = make("lr", ["a"], ["<"], [">"])
    page = Page("<1> <2>")
    assert run(to_python(wrapper))(page.text) == [{"a": "1"}, {"a": "2"}]
