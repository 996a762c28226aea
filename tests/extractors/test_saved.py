import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowen
from rowen import Dictionary, ExtractorError, Pattern, Relation, Segments, Window
from rowen.extractors.saved import from_dict

PAGE = "CS 105 at 2pm, with IR"


def meeting():
    return Relation(
        {
            "room": Pattern(r"(?P<room>CS\s*\d{3})", name="rooms"),
            "time": Pattern(r"\b(?P<time>\d+[ap]m)", name="times", version="7"),
            "topics": Dictionary(["IR", "CIM"], field="topic", fold_case=True, words=False),
        },
        distance=80,
        name="meetings",
        many=["topics"],
        within="\n",
        locality=Window(80, 200),
    )


EXTRACTORS = [
    Pattern(r"(?P<room>CS\s*\d{3})", name="rooms", version="3", locality=Segments("\n<")),
    Dictionary(["CS", "IR"], field="word", name="words", fold_case=True),
    meeting(),
]


@pytest.mark.parametrize("extractor", EXTRACTORS, ids=lambda extractor: extractor.name)
def test_what_is_saved_loads_as_the_same_extractor(extractor, tmp_path):
    extractor.save(tmp_path / "e.json")
    loaded = rowen.load(tmp_path / "e.json")
    assert type(loaded) is type(extractor)
    assert (loaded.name, loaded.version) == (extractor.name, extractor.version)
    assert (loaded.locality, loaded.fields) == (extractor.locality, extractor.fields)
    assert len(extractor.extract(PAGE)) > 0
    assert loaded.extract(PAGE) == extractor.extract(PAGE)


def test_the_file_is_plain_json_with_kind_and_format(tmp_path):
    Pattern("(?P<x>a)", name="letters").save(tmp_path / "e.json")
    assert json.loads((tmp_path / "e.json").read_text()) == {
        "rowen": 1,
        "kind": "pattern",
        "name": "letters",
        "pattern": "(?P<x>a)",
    }


def test_saving_leaves_no_draft_behind_when_it_can_not(tmp_path):
    with pytest.raises(rowen.OutputError, match="can't write"):
        Pattern("(?P<x>a)").save(tmp_path / "nowhere" / "e.json")
    assert list(tmp_path.iterdir()) == []


RULES = """
[[extractor]]
name = "rooms"
kind = "pattern"
pattern = '(?P<room>CS\\s*\\d{3})'
part = true

[[extractor]]
name = "times"
kind = "pattern"
pattern = '(?P<time>\\d+[ap]m)'
version = "2"
locality = { separators = "\\n" }

[[extractor]]
name = "meetings"
kind = "relation"
fields = { room = "rooms", time = "times" }
distance = 50
"""


def test_rules_for_people_are_toml_and_refer_to_each_other(tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(RULES)
    times, meetings = rowen.load_all(rules)
    assert (times.name, times.version, times.locality) == ("times", "2", Segments("\n"))
    assert [record.values for record in meetings.extract(PAGE)] == [
        {"room": "CS 105", "time": "2pm"}
    ]


def test_load_wants_exactly_one(tmp_path):
    rules = tmp_path / "rules.toml"
    rules.write_text(RULES)
    with pytest.raises(
        ExtractorError, match=r"2 extractors \(times, meetings\), where one is expected"
    ):
        rowen.load(rules)


def test_a_dictionary_reads_its_entries_from_a_file_beside_it(tmp_path):
    (tmp_path / "names.txt").write_text("\N{BOM}Ada\n\n  Grace  \n", "utf-8")
    (tmp_path / "d.toml").write_text('[extractor]\nkind = "dictionary"\nfile = "names.txt"\n')
    assert rowen.load(tmp_path / "d.toml").entries == ("Ada", "Grace")


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("e.json", "{", "malformed JSON"),
        ("e.json", "[1]", "not an extractor"),
        ("e.json", "[" * 100_000, "nested too deeply|malformed"),
        ("e.json", '{"kind": "pattern"}', "'pattern' is missing"),
        ("e.json", '{"kind": "pattern", "pattern": 7}', "must be a string, not 7"),
        (
            "e.json",
            '{"kind": "pattern", "pattern": "(?P<x>a)", "patern": 1}',
            "unknown setting 'patern'",
        ),
        ("e.json", '{"kind": "magic"}', "unknown kind 'magic'; the kinds are pattern"),
        ("e.json", '{"kind": ["pattern"]}', "unknown kind"),
        ("e.json", '{"rowen": 99, "kind": "pattern"}', "format 99"),
        (
            "e.json",
            '{"kind": "pattern", "name": "n", "pattern": "("}',
            "'n': the pattern does not compile",
        ),
        (
            "e.json",
            '{"kind": "pattern", "pattern": "(?P<x>a)", "locality": 7}',
            "a locality must be",
        ),
        (
            "e.json",
            '{"kind": "pattern", "pattern": "(?P<x>a)", "locality": {"scope": -1, "context": 0}}',
            "scope",
        ),
        ("e.json", '{"kind": "dictionary"}', "needs 'entries' or a 'file'"),
        ("e.json", '{"kind": "dictionary", "file": "none.txt"}', "can't read the entries"),
        ("e.json", '{"kind": "dictionary", "entries": ["a"], "words": 1}', "true or false"),
        ("e.json", '{"kind": "relation"}', "needs 'fields' and a 'distance'"),
        (
            "e.json",
            '{"kind": "relation", "distance": 5, "fields": {"a": "b"}}',
            "no extractor 'b' in this file",
        ),
        ("e.toml", "a =", "malformed TOML"),
        (
            "e.toml",
            "[[extractor]]\nkind='pattern'\n[[extractor]]\nkind='pattern'",
            "each needs a 'name'",
        ),
        (
            "e.toml",
            "[[extractor]]\nname='a'\n[[extractor]]\nname='a'",
            "two extractors are called 'a'",
        ),
        ("e.toml", "[extractor]\nname='a'\npart=true", "none is left to run"),
        ("e.toml", "extractor = 3", "a table of settings"),
        ("e.toml", "[extractor]\nkind='pattern'\n[extra]\n", "unknown table 'extra'"),
        (
            "e.toml",
            "[extractor]\nname='a'\nkind='relation'\ndistance=5\nfields={x='a',y='a'}",
            "a -> a",
        ),
        ("e.yaml", "", "must end in .json or .toml"),
    ],
)
def test_a_bad_file_is_refused_with_its_path_and_the_reason(tmp_path, name, content, complaint):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ExtractorError, match=complaint) as caught:
        rowen.load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_bytes_that_are_no_text_are_refused(tmp_path):
    with pytest.raises(ExtractorError, match="No such file"):
        rowen.load(tmp_path / "none.json")
    (tmp_path / "e.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ExtractorError, match="not UTF-8"):
        rowen.load(tmp_path / "e.json")


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
keys = st.sampled_from(
    ["rowen", "name", "version", "locality", "pattern", "entries", "file", "field", "words", "part",
     "fields", "distance", "pairing", "many", "optional", "within"]
)  # fmt: skip


@given(st.sampled_from(["pattern", "dictionary", "relation"]), st.dictionaries(keys, anything))
def test_any_definition_is_built_or_refused_as_an_extractor(kind, settings):
    try:
        extractor = from_dict({"kind": kind, **settings})
    except ExtractorError:
        return
    extractor.extract("abc")


def test_a_function_can_not_be_saved_within_a_relation(tmp_path):
    @rowen.extractor
    def code(_text):
        return []

    related = Relation({"a": code, "b": Pattern("(?P<b>b)")}, distance=5)
    assert related.version
    with pytest.raises(ExtractorError, match="'code' is Python code, which can't be saved"):
        related.save(tmp_path / "r.json")
