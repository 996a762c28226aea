"""Known records are texts as a reader sees them, whatever wrote them and whatever their types."""

import json

import pytest

import rowen
from rowen.maintenance.known_records import KnownRecord, KnownRecords, read_records
from rowen.model import InputError
from rowen.records import Record
from rowen.wrappers.profile import Profile

NAMES = ["Pogačar Tadej", "Vos Marianne", "Roglič Primož", "Kopecky Lotte"]


def old_page(rows):
    return "<html><body><table>" + "".join(
        f"<tr><td><span>{name.replace(' ', '</span> ')}</td><td>{price}</td>"
        f'<td><a href="/rider?a={n}&amp;b=2">more</a></td></tr>'
        for n, (name, price) in enumerate(rows)
    )


def new_page(rows):
    return "<html><body><ul>" + "".join(
        f"<li><h3>{name.replace(' ', ' <b>')}</b></h3> <em>{price}</em> "
        f'<a class=more href="/rider?a={n}&amp;b=2">more</a></li>'
        for n, (name, price) in enumerate(rows)
    )


ROWS = [(name, f"£{1 + n},048.{n}0") for n, name in enumerate(NAMES)]
SCHEMA = {"price": "price", "link": "url"}


@pytest.fixture(scope="module")
def wrapper():
    page = rowen.Page(old_page(ROWS), "https://example.org/riders")
    label = [
        {"name": name, "price": price, "link": f"/rider?a={n}&b=2"}
        for n, (name, price) in enumerate(ROWS)
    ]
    return rowen.learn([rowen.Example(page, label)], "token", schema=SCHEMA)


def texts(n):
    name, price = ROWS[n]
    return {"name": name, "price": price, "link": f"/rider?a={n}&b=2"}


def test_the_texts_of_typed_records_are_what_a_reader_sees(wrapper):
    page = rowen.Page(old_page(ROWS), "https://example.org/riders")
    records = wrapper.extract(page)
    assert records[0].values["price"]["currency"] == "GBP"
    assert records[0].values["link"] == "https://example.org/rider?a=0&b=2"
    for known in (
        KnownRecord.of(records[0]),
        KnownRecord.of(json.loads(json.dumps(records[0].to_dict()))),
    ):
        assert known.values == texts(0)
        assert known.sources == records[0].source
        assert known.page == page.id


@pytest.mark.parametrize(
    ("written", "values"),
    [
        # 0.1: values are sources.
        ({"values": {"a": "Tom</b> &amp; Jerry"}, "spans": {}, "children": []}, "Tom & Jerry"),
        ({"values": {"a": "a < b"}}, "a < b"),
        # 0.2
        ({"values": {"a": "Tom & Jerry"}, "source": {"a": "Tom <i>&amp; Jerry"}}, "Tom & Jerry"),
        ({"values": {"a": 48.5}, "source": {"a": "48,<sup>50</sup> kg"}}, "48,50 kg"),
        ({"values": {"a": {"amount": "4", "currency": None}}, "source": {"a": "&pound;4"}}, "£4"),
        ({"values": {"a": "2026-10-03"}, "source": {"a": "3 Oct 2026"}}, "3 Oct 2026"),
        ({"values": {"a": True}, "source": {"a": "yes"}}, "yes"),
        ({"values": {"a": None}, "source": {"a": "unreadable"}}, "unreadable"),
        ({"values": {"a": None}, "source": {"a": None}}, None),
        ({"values": {"a": "http://x.org/b?c&d"}, "source": {"a": "/b?c&amp;d"}}, "/b?c&d"),
        ({"values": {"a": 'Café "x"'}, "source": {"a": r"Caf\u00e9 \"x\""}}, 'Café "x"'),
        ({"values": {"a": "<b>x</b>"}, "source": {"a": " <b>x</b>"}}, "x"),
        ({"values": {"a": [1, 2]}, "source": {"a": ["1 kg", "2 kg"]}}, ["1 kg", "2 kg"]),
        ({"values": {"a": [1]}, "source": {"a": ["1 kg", "heavy"]}}, ["1 kg", "heavy"]),
        ({"values": {"a": ["x & y"]}, "source": {"a": "x &amp; y"}}, "x & y"),
        ({"a": "x"}, "x"),
    ],
)
def test_records_of_any_version_are_read(written, values):
    assert KnownRecord.of(written).values == {"a": values}


def test_nested_records_are_left_out():
    written = {
        "values": {"a": "x", "b": [{"c": "d"}]},
        "source": {"a": "x", "b": [{"c": "d"}]},
    }
    assert KnownRecord.of(written).values == {"a": "x"}


@pytest.mark.parametrize("value", [{"amount": "4", "currency": None}, 4, True, [1, "x"], [["x"]]])
def test_a_typed_value_without_its_source_is_refused(tmp_path, value):
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps({"page": "p", "values": {"a": value}}) + "\n")
    with pytest.raises(InputError, match=r"r\.jsonl: line 1: 'a' is .* must be in 'source'"):
        read_records(path)


@pytest.mark.parametrize("source", [3, "x", ["a"]])
def test_a_source_that_is_no_object_is_refused(tmp_path, source):
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps({"page": "p", "values": {"a": "b"}, "source": source}) + "\n")
    with pytest.raises(InputError, match="'source' must be an object"):
        read_records(path)


def test_the_profile_of_known_records_is_that_of_the_records(wrapper):
    page = rowen.Page(old_page(ROWS), "https://example.org/riders")
    records = wrapper.extract(page)
    known = KnownRecords.of([json.loads(json.dumps(record.to_dict())) for record in records])
    assert known.profile().fields == Profile.of([records]).fields


def test_samples_are_texts_and_can_be_saved(wrapper, tmp_path):
    wrapper.save(tmp_path / "w.json")
    samples = rowen.load(tmp_path / "w.json").profile.samples
    assert [KnownRecord.of(sample).values for sample in samples] == [texts(n) for n in range(4)]


@pytest.mark.parametrize("version", ["0.1", "0.2", "samples"])
def test_a_redesign_is_repaired_with_known_records_of_any_version(wrapper, tmp_path, version):
    old = rowen.Page(old_page(ROWS), "https://example.org/riders")
    records = wrapper.extract(old)
    path = tmp_path / "records.jsonl"
    lines = [record.to_dict() for record in records]
    if version == "0.1":
        lines = [{**line, "values": line["source"], "children": []} for line in lines]
        for line in lines:
            del line["source"]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    new = rowen.Page(new_page(ROWS), "https://example.org/riders")
    known = {} if version == "samples" else {"known": path}
    repaired = rowen.repair(wrapper, [new], **known)
    texts_now = [record.with_schema(None).values for record in repaired.wrapper.extract(new)]
    assert texts_now == [texts(n) for n in range(4)]
    assert repaired.wrapper.schema["price"].type == "price"


def test_records_are_checked_against_records_of_before(wrapper, tmp_path):
    page = rowen.Page(old_page(ROWS), "https://example.org/riders")
    path = tmp_path / "records.jsonl"
    path.write_text(
        "".join(json.dumps(record.to_dict()) + "\n" for record in wrapper.extract(page))
    )
    assert not rowen.check(wrapper, [page], against=path).drifted
    other = page.text.replace("£", "sold for £ ").replace(",048", " hundred")
    assert rowen.check(wrapper, [rowen.Page(other)], against=path).drifted


def test_a_record_without_a_schema_is_known_by_its_texts():
    record = Record("<p>Tom &amp; Jerry", {"a": (3, 18), "b": None})
    assert KnownRecord.of(record).values == {"a": "Tom & Jerry", "b": None}
