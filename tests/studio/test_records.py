"""The pure functions of the main screen, run in the browser that they are for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

FIELDS = ["name", "price"]


@pytest.fixture(scope="module")
def window(server, chromium):
    opened = chromium.new_page()
    opened.goto(f"{server.url}/studio")
    yield opened
    opened.close()


@pytest.fixture
def run(window):
    """Calls an exported function of one of the studio's modules."""

    def call(module, function, *arguments):
        script = "async ([module, name, list]) => (await import(module))[name](...list) ?? null"
        return window.evaluate(script, [f"/studio/static/{module}.js", function, list(arguments)])

    return call


def row(record, index=-1):
    spans = [span for span in record.values() if span]
    start, end = min(span[0] for span in spans), max(span[1] for span in spans)
    kind = "proposal" if index < 0 else "mark"
    kinds = dict.fromkeys(record, kind)
    marked = {} if index < 0 else record
    places = {"index": index, "start": start, "end": end}
    return {"record": record, "marked": marked, "kinds": kinds, **places}


ROWS = [
    row({"name": [10, 12], "price": [20, 22]}, 0),
    row({"name": [30, 32]}, 1),
    row({"name": [50, 52], "price": [60, 62]}),
    row({"price": [80, 82]}, 2),
]


@pytest.mark.parametrize(
    ("field", "span", "place"),
    [
        ("price", [21, 24], 0),  # it touches the row's value
        ("name", [14, 16], 0),  # within the row's reach
        ("price", [40, 42], 1),  # the one before lacks it
        ("price", [70, 72], 2),  # a proposal there may be wrong
        ("name", [70, 72], 3),  # the one after lacks it
        ("price", [5, 7], None),  # the one after has it
        ("name", [40, 42], None),  # both neighbours have it
        ("price", [90, 92], None),
    ],
)
def test_a_mark_goes_into_the_record_that_wants_it(run, field, span, place):
    row = run("records", "rowFor", ROWS, field, span)
    assert row == (None if place is None else ROWS[place])


ELSEWHERE = True
REGIONS = [[8, 28], [28, 48], [48, 68], [78, 100]]
MARKED = [row({"name": [10, 12], "price": [20, 22]}, 0), *ROWS[1:3], row({"price": [80, 82]})]


@pytest.mark.parametrize(
    ("field", "span", "place"),
    [
        ("year", [25, 27], 0),  # in the region of a marked record
        ("price", [40, 42], 1),  # the marked record of the region lacks it
        ("year", [64, 66], 2),  # the proposal there has what is marked of the first record
        ("year", [84, 86], 1),  # this one has not: the mark is for the nearest marked record
        ("name", [78, 80], 3),  # unless all marked ones have the field
        ("year", [70, 72], 1),  # between regions, too
        ("name", [44, 46], None),  # a second value of a marked field begins a record
        ("name", [70, 72], None),
    ],
)
def test_a_mark_belongs_to_the_record_whose_region_it_is_in(run, field, span, place):
    rows = MARKED
    row = run("records", "rowFor", rows, field, span, REGIONS)
    assert row == (None if place is None else rows[place])


def test_a_guess_from_one_field_does_not_take_the_next_mark_away(run):
    rows = [row({"name": [10, 12]}, 0), row({"name": [30, 32]}), row({"name": [50, 52]})]
    assert run("records", "rowFor", rows, "price", [40, 42], REGIONS) == rows[0]


def test_a_mark_that_is_known_to_be_elsewhere_is_not_of_the_first_record(run):
    rows = [row({"name": [10, 12]}, 0), row({"name": [30, 32]}), row({"name": [50, 52]})]
    assert run("records", "rowFor", rows, "price", [40, 42], REGIONS, ELSEWHERE) == rows[1]
    assert run("records", "rowFor", rows, "price", [70, 72], REGIONS, ELSEWHERE) is None
    assert run("records", "rowFor", rows, "price", [20, 22], REGIONS, ELSEWHERE) == rows[0]


def test_only_what_was_marked_of_a_row_becomes_a_label(run):
    mixed = ROWS[0] | {"marked": {"price": [20, 22]}}
    assert run("records", "markedPart", mixed) == {"price": [20, 22]}
    assert run("records", "markedPart", ROWS[2]) is None
    # A field can only be missing from something: the first value says from what.
    assert run("records", "anchorOf", ROWS[2]) == {"name": [50, 52]}


def test_a_mark_on_a_page_that_was_accepted_without_records_opens_it_again(run):
    state = {**STATE, "labels": {"a": {"records": [], "complete": True}}}
    intent = {"want": "set", "page": "a", "anchor": None, "field": "price", "value": [20, 22]}
    label = wanted(run, state, **intent)["labels"]["a"]
    assert label == {"records": [{"price": [20, 22]}], "complete": False}


def test_proposals_are_shown_beside_marks_and_fill_what_is_unknown(run):
    label = {"records": [{"name": [30, 32]}], "complete": False}
    proposed = [
        {"name": [10, 12], "price": [20, 22]},
        {"name": [30, 32], "price": [40, 42]},
        {"name": [50, 52], "price": None, "children": []},
    ]
    rows = run("records", "rowsOf", label, proposed, FIELDS)
    assert [row["record"] for row in rows] == [*proposed[:2], {"name": [50, 52], "price": None}]
    assert rows[1]["kinds"] == {"name": "mark", "price": "proposal"}
    assert [row["index"] for row in rows] == [-1, 0, -1]
    assert run("records", "rowsOf", {**label, "complete": True}, proposed, FIELDS)[1:] == []


def test_a_proposal_that_contradicts_a_mark_is_not_shown(run):
    label = {"records": [{"name": [30, 34]}], "complete": False}
    proposed = [{"name": [30, 32], "price": [40, 42]}]
    rows = run("records", "rowsOf", label, proposed, FIELDS)
    assert [row["record"] for row in rows] == label["records"]


STATE = {
    "fields": FIELDS,
    "class": "auto",
    "pages": ["a", "b"],
    "labels": {"a": {"records": [{"name": [10, 12]}, {"name": [30, 32]}], "complete": False}},
}


def wanted(run, state, **intent):
    action = run("intents", "actionFor", intent, state)
    return state if action is None else run("intents", "applied", state, action)


def test_what_is_wanted_is_reached_once_however_often_it_is_wanted(run):
    for intent in (
        {
            "want": "set",
            "page": "a",
            "anchor": {"name": [30, 32]},
            "field": "price",
            "value": [40, 42],
        },
        {"want": "set", "page": "a", "anchor": None, "field": "price", "value": [20, 22]},
        {"want": "set", "page": "a", "anchor": {"name": [10, 12]}, "field": "name", "value": None},
        {"want": "drop", "page": "a", "anchor": {"name": [10, 12]}},
        {"want": "label", "page": "b", "records": [{"name": [1, 2]}], "complete": True},
        {"want": "action", "action": {"do": "fields", "fields": ["price"], "renamed": {}}},
        {
            "want": "action",
            "action": {"do": "fields", "fields": ["n", "price"], "renamed": {"name": "n"}},
        },
        {"want": "action", "action": {"do": "class", "class": "lr"}},
        {"want": "action", "action": {"do": "remove page", "page": "b"}},
    ):
        once = wanted(run, STATE, **intent)
        assert once != STATE, intent
        assert wanted(run, once, **intent) == once, intent


def test_a_new_record_is_put_in_page_order(run):
    intent = {"want": "set", "page": "a", "anchor": None, "field": "price", "value": [20, 22]}
    records = wanted(run, STATE, **intent)["labels"]["a"]["records"]
    assert records == [{"name": [10, 12]}, {"price": [20, 22]}, {"name": [30, 32]}]


def test_texts_are_cut_and_found_by_code_points(window):
    @given(
        st.lists(st.sampled_from(["a", "é", "😀", " ", "-", "$"]), max_size=30).map("".join),
        st.data(),
    )
    def check(text, data):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        script = """async ([text, start, end]) => {
          const {Source} = await import('/studio/static/texts.js');
          const source = new Source(text);
          return [source.slice(start, end), source.find(text.slice(0, 3))];
        }"""
        cut, spans = window.evaluate(script, [text, start, end])
        assert cut == text[start:end]
        assert all(first < last <= len(text) for first, last in spans)

    check()


def test_what_has_not_changed_is_the_same_object(window):
    script = """async () => {
      const { reusing, rowsOf } = await import("/studio/static/records.js");
      const record = (_, at) => ({ name: [9 * at, 9 * at + 2] });
      const made = (length) => Array.from({ length }, record);
      const [old, fields] = [made(9), ["name", "price"]];
      const all = reusing(old, made(9)) === old;
      const changed = made(9).toSpliced(4, 1, { name: [36, 39] }, { name: [40, 41] });
      const records = reusing(old, changed);
      const kept = records.filter((one) => old.includes(one)).length;
      const before = rowsOf({ records: old, complete: false }, [], fields);
      const other = old.toSpliced(4, 1, changed[4]);
      const after = rowsOf({ records: other, complete: false }, [], fields);
      const rows = after.filter((row, at) => row === before[at]).length;
      return [all, JSON.stringify(records) === JSON.stringify(changed), kept, rows];
    }"""
    assert window.evaluate(script) == [True, True, 8, 8]
