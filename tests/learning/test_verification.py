"""Warnings: every label that a wrapper does not reproduce is named, and no other."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from noisy_sites import examples

import rowen
from rowen.extractors.saved import from_dict
from rowen.learning.learn import LEARNED
from rowen.learning.verification import KEPT, reproduces, verify
from rowen.model import ExtractorError, InputError, NoConsistentWrapper, Page, Warning  # noqa: A004  # the design's word
from rowen.records import Example, Record, Records
from rowen.wrappers.summary import summarise

TEXT = "<b>Congo</b><i>242</i><b>Egypt</b><i>20</i><b>Belize</b><i>501</i>"


def at(text, page=TEXT):
    return (page.index(text), page.index(text) + len(text))


CONGO = {"country": at("Congo"), "code": at("242")}
EGYPT = {"country": at("Egypt"), "code": at("20")}
BELIZE = {"country": at("Belize"), "code": at("501")}


def warned(labels, extracted, *, partial=False, failure=None):
    page = Page(TEXT, id="p")
    records = Records([Record(page, spans) for spans in extracted], failure=failure)
    warnings = verify([Example(page, labels, partial=partial)], [records])
    return [(warning.kind, warning.record, warning.field) for warning in warnings]


def test_labels_that_come_back_are_no_warning():
    assert warned([CONGO, EGYPT], [CONGO, EGYPT]) == []
    assert warned([EGYPT], [CONGO, EGYPT, BELIZE], partial=True) == []
    assert warned([], []) == []


def test_unknown_values_are_not_asked_for_and_missing_ones_are():
    assert warned([CONGO, {"country": EGYPT["country"]}], [CONGO, EGYPT]) == []
    none = {**EGYPT, "code": None}
    assert warned([CONGO, none], [CONGO, none]) == []
    assert warned([CONGO, none], [CONGO, EGYPT]) == [("value-extra", 1, "code")]


def test_what_is_wrong_is_reported_with_its_record_and_field():
    none, wrong = {**EGYPT, "code": None}, {**EGYPT, "code": at("501")}
    assert warned([CONGO, EGYPT], [CONGO, none]) == [("value-missed", 1, "code")]
    assert warned([CONGO, EGYPT], [CONGO, wrong]) == [("value-differs", 1, "code")]
    assert warned([CONGO, EGYPT], [CONGO]) == [("record-missed", 1, None)]
    assert warned([CONGO], [CONGO, EGYPT]) == [("record-extra", None, None)]
    assert warned([CONGO, EGYPT, BELIZE], [CONGO, BELIZE]) == [("record-missed", 1, None)]
    assert warned([BELIZE], [CONGO, EGYPT], partial=True) == [("record-missed", 0, None)]


def test_a_field_that_is_never_found_is_one_warning():
    bare = [{**spans, "code": None} for spans in (CONGO, EGYPT)]
    assert warned([CONGO, EGYPT], bare) == [("field-lost", None, "code")]


def test_records_in_another_order_are_reported():
    assert warned([CONGO, EGYPT], [EGYPT, CONGO]) == [("record-order", None, None)]


def test_a_failure_is_reported_unless_the_page_has_no_records():
    assert warned([CONGO, EGYPT], [CONGO], failure="no <b>") == [
        ("page-failed", None, None),
        ("record-missed", 1, None),
    ]
    assert warned([CONGO], [CONGO], partial=True, failure="x") == [("page-stopped", None, None)]
    assert warned([], [], failure="nothing looks like a record") == []


def test_records_inside_records_are_compared():
    page = Page(TEXT, id="p")
    label = {"country": at("Congo"), "children": [{"code": at("242")}, {"code": at("20")}]}
    example = Example(page, [label])
    assert verify([example], [Records(example.records)]) == ()
    (different,) = Example(page, [{**label, "children": [{"code": at("242")}]}]).records
    assert [warning.kind for warning in verify([example], [Records([different])])] == [
        "children-differ"
    ]


def test_very_many_are_counted():
    text = "<b>x</b>" * (KEPT + 10)
    labels = [{"x": (8 * n + 3, 8 * n + 4)} for n in range(KEPT + 10)]
    warnings = verify([Example(Page(text, id="p"), labels)], [Records([])])
    assert len(warnings) == KEPT + 1
    assert warnings[-1].message == "and 10 more labels that are not reproduced"


def slow_oracle(wrapper, example):
    """As the design says it: marked records, all and only these unless more are there."""
    extracted = [dict(record.items()) for record in wrapper.extract(example.page)]

    def is_same(label, record):
        spans = dict(label.items())
        return all(sorted(record.get(name, ())) == sorted(spans[name]) for name in spans)

    if example.partial:
        return all(any(is_same(label, record) for record in extracted) for label in example.records)
    return len(extracted) == len(example.records) and all(map(is_same, example.records, extracted))


@settings(max_examples=60)
@given(examples(), st.sampled_from(["auto", "auto", "auto", *LEARNED]))
def test_no_wrapper_that_misses_a_label_comes_without_a_warning(site, wrapper_class):
    try:
        wrapper = rowen.learn(site, wrapper_class, seconds=5)
    except (NoConsistentWrapper, InputError):
        return
    warned_pages = {warning.page for warning in wrapper.warnings if warning.is_about_labels}
    right = {example.page.id: slow_oracle(wrapper, example) for example in site}
    assert bool(warned_pages) == (not all(right.values()))
    assert all(not right[page] for page in warned_pages if page is not None)
    for example in site:
        assert reproduces(example, wrapper.extract(example.page)) == right[example.page.id]
        if not right[example.page.id]:
            lost = any(warning.kind == "field-lost" for warning in wrapper.warnings)
            assert lost or example.page.id in warned_pages


@pytest.mark.parametrize("labels", [[{}], [{"name": None}], [{}, {"name": None, "code": None}]])
def test_labels_without_any_value_are_refused(labels):
    with pytest.raises(InputError, match="no record has a value"):
        rowen.learn([Example(Page(TEXT, id="p"), labels)])


def test_they_are_saved_and_loaded_and_change_no_version():
    wrapper = rowen.learn([Example(Page(TEXT, id="p"), [CONGO, EGYPT, BELIZE])], "lr")
    before = wrapper.version
    wrapper.warnings = (Warning("value-missed", "gone", "p", 1, "code"), Warning("new-kind", "?"))
    saved = json.loads(json.dumps(wrapper.to_definition().to_dict()))
    assert saved["warnings"][0] == {
        "kind": "value-missed",
        "message": "gone",
        "page": "p",
        "record": 1,
        "field": "code",
    }
    loaded = from_dict(saved)
    assert loaded.warnings == wrapper.warnings
    assert loaded.version == before
    assert "Warning: code: p, record 2: gone.\n" in loaded.explain()
    del saved["warnings"]
    assert from_dict(saved).warnings == ()


@pytest.mark.parametrize(
    "saved", [3, [3], [{"kind": "x"}], [{"kind": "x", "message": "y", "record": "1"}]]
)
def test_what_is_no_warning_is_refused(saved):
    wrapper = rowen.learn([Example(Page(TEXT, id="p"), [CONGO, EGYPT, BELIZE])], "lr")
    with pytest.raises(ExtractorError, match="'warnings'"):
        from_dict({**wrapper.to_definition().to_dict(), "warnings": saved})


def test_in_words_places_are_named_and_the_rest_is_counted():
    missed = [Warning("value-missed", f"'{n}' is not found", "p", n, "code") for n in range(5)]
    first, last = summarise([*missed, Warning("record-missed", "it is not found", "q", 0)])
    assert first.startswith("code: 5 marked values are not found: p, record 1 ('0' is not found); ")
    assert first.endswith("; p, record 3 ('2' is not found); and 2 more")
    assert last == "q, record 1: it is not found"
    assert list(summarise([Warning("new-kind", f"{n}", "p") for n in range(5)])) == [
        "p: 0",
        "p: 1",
        "p: 2",
        "and 2 more of these",
    ]


def test_that_a_page_has_no_records_is_nothing_against_the_labels():
    assert not Warning("pages-without-records", "2 of 3").is_about_labels
