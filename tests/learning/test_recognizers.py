import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen.extractors.pattern import Pattern
from rowen.learning.recognizers.library import is_isbn, load_recognizers, ready, ready_names
from rowen.learning.recognizers.recognizer import (
    Recognizer,
    Soundness,
    Where,
    from_entries,
    from_pattern,
    visible,
)
from rowen.model import ExtractionError, ExtractorError, UsageError


def found(recognizer, text):
    return [span.of(text) for span in recognizer.find(text)]


@pytest.mark.parametrize(
    ("name", "text", "instances"),
    [
        (
            "date",
            "on 2020-01-05, Jan 5, 2020 or 3 March 2019; 5/6/21",
            ["2020-01-05", "Jan 5, 2020", "3 March 2019", "5/6/21"],
        ),
        ("date", "version 1.2.3.4 of 12020-01-05", []),
        ("time", "10:30 pm, 9:15, 8am, 25:00, 1:99", ["10:30 pm", "9:15", "8am"]),
        ("price", "$1,200.50 or 12 EUR, not 12 apples", ["$1,200.50", "12 EUR"]),
        ("price", "\u20ac 9,99 and 5\u20ac", ["\u20ac 9,99", "5\u20ac"]),
        (
            "phone",
            "(206) 555-1234, +1 206-555-1234 on 2020-01-05",
            ["(206) 555-1234", "+1 206-555-1234"],
        ),
        ("email", "to a.b@c.org, or @handle", ["a.b@c.org"]),
        ("url", "see http://y.org/z. or www.x.org/a?b=c", ["http://y.org/z", "www.x.org/a?b=c"]),
        (
            "isbn",
            "0-306-40615-2 978-0-306-40615-7 978-0-306-40615-8 080442957X",
            ["0-306-40615-2", "978-0-306-40615-7", "080442957X"],
        ),
        ("doi", "doi:10.1038/nature12373.", ["10.1038/nature12373"]),
        ("ip", "192.168.0.1 but 999.1.1.1 and 1.2.3.4.5", ["192.168.0.1"]),
        (
            "state",
            "Seattle, WA; New York; SWAT; West Virginia",
            ["WA", "New York", "West Virginia"],
        ),
        ("zip", "98195-1234, 10001 and 123456", ["98195-1234", "10001"]),
        ("number", "1,234.5 and -7 and a1", ["1,234.5", "-7"]),
        ("year", "1999, 2024, 3024, 20199", ["1999", "2024"]),
        (
            "person",
            "by Dr. Zoltan Kovacs and Mary J. van der Berg",
            ["Dr. Zoltan Kovacs", "Mary J. van der Berg"],
        ),
    ],
)
def test_ready_recognizers_find(name, text, instances):
    assert found(ready(name), text) == instances


def test_all_ready_recognizers_of_the_documentation_are_there():
    names = "date time price phone email url isbn doi ip state zip number year person"
    assert set(names.split()) == set(ready_names())


def test_tags_scripts_and_comments_are_not_text():
    page = '<p title="5 May 2020" id=x5>5 May 2021<script>"5 May 2022"</script><!-- 5 May 2023 -->'
    assert found(ready("date"), page) == ["5 May 2021"]


def test_urls_are_found_in_attributes_but_no_further():
    page = '<a href="http://a.org/x" title=http://b.org>c</a><script>"http://d.org"</script>'
    assert found(ready("url"), page) == ["http://a.org/x", "http://b.org"]


def test_an_instance_never_spans_a_tag():
    for span in from_pattern("f", r"\d.*\d").find("<b>1</b>2 3"):
        assert "<" not in span.of("<b>1</b>2 3")


def test_patterns_take_the_group_of_the_field():
    recognizer = from_pattern("room", r"room (?P<room>\d+)")
    assert found(recognizer, "room 12") == ["12"]
    with pytest.raises(ExtractorError, match="has several groups"):
        from_pattern("room", r"(?P<a>\d)(?P<b>\d)")
    with pytest.raises(ExtractorError, match="does not compile"):
        from_pattern("room", "(")


def test_known_values_extractors_and_functions_recognize():
    assert found(from_entries("c", ["Congo", "Spain"]), "<b>Congo</b>") == ["Congo"]
    rooms = Pattern(r"(?P<room>\d+) (?P<who>\w+)")
    assert found(Recognizer("who", rooms), "12 Ada") == ["Ada"]
    assert found(Recognizer("x", lambda _: [(0, 2)]), "abc") == ["ab"]


@pytest.mark.parametrize("bad", [[(0, 99)], [(2, 1)], [(0, 0)], [3], None])
def test_functions_that_fail_or_lie_are_named(bad):
    with pytest.raises(ExtractionError, match="recognizer of x"):
        Recognizer("x", lambda _: bad).find("abc")


def test_soundness_and_what_is_seen_may_be_given_as_plain_words():
    recognizer = Recognizer("n", lambda _: [], soundness="perfect", where="text")
    assert recognizer.soundness is Soundness.PERFECT
    assert recognizer.where is Where.TEXT
    with pytest.raises(UsageError, match="soundness must be one of perfect, .*, not 'sound'"):
        Recognizer("n", lambda _: [], soundness="sound")


@given(st.text("<>a\"'/=! -x&;", max_size=60), st.sampled_from(Where))
def test_what_is_hidden_keeps_its_length(text, where):
    seen = visible(text, where)
    assert len(seen) == len(text)
    assert all(a in (b, "\ue000") for a, b in zip(seen, text, strict=True))


@given(st.integers(0, 999_999_999))
def test_exactly_one_check_digit_makes_an_isbn(number):
    stem = f"{number:09d}"
    assert sum(is_isbn(stem + digit) for digit in "0123456789X") == 1
    assert sum(is_isbn("978" + stem + digit) for digit in "0123456789") == 1


REC = """
[[recognizer]]
field = "cost"
use = "price"
soundness = "perfect"
[[recognizer]]
field = "room"
pattern = 'CS\\d+'
where = "source"
[[recognizer]]
field = "c"
entries = ["Congo"]
soundness = "incomplete"
fold_case = true
[[recognizer]]
field = "d"
file = "names.txt"
"""


def test_a_recognizers_file_is_read(tmp_path):
    (tmp_path / "rec.toml").write_text(REC)
    (tmp_path / "names.txt").write_text("Spain\n\nEgypt\n")
    cost, room, c, d = load_recognizers(tmp_path / "rec.toml")
    assert (cost.field, cost.soundness) == ("cost", "perfect")
    assert found(cost, "$5") == ["$5"]
    assert found(room, "<a id=CS12>") == ["CS12"]
    assert (c.soundness, found(c, "congo")) == ("incomplete", ["congo"])
    assert (d.soundness, found(d, "Egypt")) == ("unreliable", ["Egypt"])


def test_a_saved_extractor_recognizes(tmp_path):
    Pattern(r"(?P<n>\d+)").save(tmp_path / "n.json")
    (tmp_path / "rec.toml").write_text('[[recognizer]]\nfield = "n"\nextractor = "n.json"\n')
    (recognizer,) = load_recognizers(tmp_path / "rec.toml")
    assert found(recognizer, "<b>12</b>") == ["12"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "tables"),
        ("x = 1", "tables"),
        ("[[recognizer]]", "'field'"),
        ("[[recognizer]]\nfield='a'", "one of"),
        ("[[recognizer]]\nfield='a'\nuse='price'\npattern='x'", "one of"),
        ("[[recognizer]]\nfield='a'\nuse='nonsense'", "choose from date"),
        ("[[recognizer]]\nfield='a'\nuse='price'\nsoundness='fair'", "'soundness' must be one of"),
        ("[[recognizer]]\nfield='a'\nuse='price'\ncolour='red'", "unknown setting 'colour'"),
        ("[[recognizer]]\nfield='a'\nentries='x'", "list"),
        ("[[recognizer]]\nfield='a'\nentries=[1]", "not an entry"),
        ("[[recognizer]]\nfield='a'\npattern=1", "string"),
        ("[[recognizer]]\nfield='a'\npattern='x'\ncheck='x'", "'check' must be one of"),
        ("[[recognizer]]\nfield='a'\nfile='none.txt'", "No such file"),
        ("[[recognizer", "malformed"),
    ],
)
def test_a_wrong_recognizers_file_is_refused_with_its_name(tmp_path, text, message):
    path = tmp_path / "rec.toml"
    path.write_text(text)
    with pytest.raises(ExtractorError, match=message) as caught:
        load_recognizers(path)
    assert "rec.toml" in str(caught.value)


HOSTILE = [
    "1" * 30_000,
    "1 " * 15_000,
    "a@" * 15_000,
    "1,111" * 6_000,
    "John " * 6_000,
    "www." * 7_000,
]


@pytest.mark.parametrize("name", ready_names())
def test_hostile_text_holds_no_ready_recognizer(name):
    for text in HOSTILE:
        ready(name).find(text)
