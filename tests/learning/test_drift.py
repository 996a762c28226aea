import json
import random
import re

import pytest

import rowen
from rowen.learning.survey import survey
from rowen.maintenance.comparison import compare
from rowen.maintenance.drift import check_against
from rowen.maintenance.drift_report import DriftReport
from rowen.maintenance.known_records import KnownRecord, KnownRecords, read_records
from rowen.model import ExtractorError, Page
from rowen.records import Example, Record, Records
from rowen.wrappers.lr import LR
from rowen.wrappers.profile import Profile, shape_of

COUNTRIES = [
    "Congo",
    "Egypt",
    "Belize",
    "Spain",
    "Peru",
    "Chad",
    "Niger",
    "Togo",
    "Mali",
    "Ghana",
    "Kenya",
    "Benin",
]


def listing(rng, *, row="<li><b>{}</b> <i>{}</i></li>", least=4, most=12):
    """A page of a site that lists countries and codes."""
    names = rng.sample(COUNTRIES, rng.randint(least, most))
    rows = "".join(row.format(name, rng.randint(10, 999)) for name in names)
    return Page(f"<ul>{rows}</ul>", f"{rng.random()}.html")


def listings(count, seed=0, **options):
    rng = random.Random(seed)
    return [listing(rng, **options) for _ in range(count)]


WRAPPER = LR(["country", "code"], left=["<b>", "<i>"], right=["</b>", "</i>"])
PROFILE = Profile.of(map(WRAPPER.extract, listings(3)))


def records(*rows):
    """Records of a page that has these values and nothing else."""
    page = Page("".join(value or "" for row in rows for value in row.values()), str(rows))
    result, cursor = [], 0
    for row in rows:
        spans = {}
        for name, value in row.items():
            spans[name] = None if value is None else (cursor, cursor + len(value))
            cursor += len(value or "")
        result.append(Record(page, spans))
    return Records(result)


def drifts(profile, pages):
    return [str(finding) for finding in compare(profile, pages) if finding.severity == "drift"]


@pytest.mark.parametrize("seed", range(20))
def test_other_pages_of_an_unchanged_site_raise_no_alarm(seed):
    report = check_against(PROFILE, WRAPPER, listings(10, seed=seed + 1))
    assert not report.drifted
    assert not report.findings


CHANGED = {
    "values with tags": ("<li><b><span>{}</span></b> <i>{}</i></li>", "country: .* with tags"),
    "empty values": ("<li><b></b>{} <i>{}</i></li>", "country: 100% empty values, used to be 0%"),
    "swapped fields": ("<li><b>{1}</b> <i>{0}</i></li>", "at once: country: 0% .*; code: "),
    "much longer values": ("<li><b>{} " + "and more " * 30 + "</b> <i>{}</i></li>", "country: abo"),
    "no records": ("<li><em>{}</em> <i>{}</i></li>", "no records on any of the 10 pages"),
    "one value for all": ("<li><b>Sign in</b> <i>{1}</i></li>", "'Sign in', one for all"),
}


@pytest.mark.parametrize("case", CHANGED)
def test_a_change_of_the_site_is_found_and_reported(case):
    row, message = CHANGED[case]
    report = check_against(PROFILE, WRAPPER, listings(10, row=row))
    assert report.drifted
    messages = "\n".join(str(finding) for finding in report.findings if finding.severity == "drift")
    assert re.search(message, messages), messages


def test_far_fewer_records_a_page_are_drift():
    many = Profile.of(map(WRAPPER.extract, listings(10, least=10)))
    few = map(WRAPPER.extract, listings(10, least=1, most=2))
    assert drifts(many, few)[0].startswith("about 2 records per page, used to be 11")


def test_a_page_on_which_the_wrapper_stops_is_drift_even_without_a_profile():
    broken = Page("<b>Congo</b> <i>242</i> <b>Egypt</b>", "broken.html")
    report = rowen.check(WRAPPER, [*listings(3), broken])
    assert report.drifted
    assert not report.compared
    (finding,) = report.pages[-1].findings
    assert finding.message.startswith("stopped after 1 record: field 'code'")
    assert not any(page.findings for page in report.pages[:-1])


def test_one_odd_page_among_good_ones_is_a_note():
    odd = listing(random.Random(1), row="<li><b>{} & more of it</b> <i>x{}</i></li>")
    empty = Page("<ul></ul>", "empty.html")
    report = check_against(PROFILE, WRAPPER, [*listings(20, seed=9), odd, empty])
    assert not report.drifted
    assert report.pages[-1].findings[0].message == "no records; every known page has some"


def test_a_field_that_is_always_missing_now_is_drift():
    before = [records({"a": "x1", "b": "y"}, {"a": "x2", "b": "z"}) for _ in range(3)]
    now = [records({"a": "x3", "b": None}) for _ in range(6)]
    assert drifts(Profile.of(before), now) == ["b: 100% records without it, used to be 0%"]


def test_a_field_that_goes_missing_on_most_pages_is_drift_and_on_some_is_not():
    before = Profile.of(records({"a": "x", "b": "y"}) for _ in range(3))
    for number, drifted in ((8, True), (5, False)):
        now = [records({"a": "x", "b": "y" if n >= number else None}) for n in range(11)]
        assert bool(drifts(before, now)) is drifted


def test_a_field_that_comes_back_is_none():
    before = [records({"a": "x1", "b": None}) for _ in range(6)]
    now = [records({"a": "x3", "b": "y"}) for _ in range(6)]
    assert not drifts(Profile.of(before), now)


def test_one_known_page_says_little_about_what_values_say():
    before = [records(*({"date": f"{day} May 2014"} for day in range(1, 30)))]
    now = [records(*({"date": f"{day} June 2015"} for day in range(1, 30)))]
    assert not drifts(Profile.of(before), now)


def test_a_unit_that_changes_everywhere_is_drift():
    before = [records({"price": f"${n}.00"}) for n in range(10, 22)]
    now = [records({"price": f"€{n}.00"}) for n in range(10, 22)]
    assert "price: 0% values with '$', used to be 100%" in drifts(Profile.of(before), now)


def test_the_values_of_children_count():
    page = Page("Ab 12", "p")
    nested = Records([Record(page, {"a": (0, 2)}, [Record(page, {"b": (3, 5)})])])
    assert list(Profile.of([nested]).fields) == ["a", "b"]


def test_a_profile_is_read_as_it_was_saved():
    saved = json.loads(json.dumps(PROFILE.to_dict()))
    assert Profile.from_dict(saved).to_dict() == saved
    assert len(saved["samples"]) <= 20
    assert saved["samples"][0]["values"].keys() == {"country", "code"}


@pytest.mark.parametrize("saved", [{}, [], {"pages": "x"}, {**PROFILE.to_dict(), "fields": [1]}])
def test_what_is_no_profile_is_refused(saved):
    with pytest.raises(ExtractorError, match="'profile' is invalid"):
        Profile.from_dict(saved)


def test_values_alone_give_the_same_profile():
    pages = [WRAPPER.extract(page) for page in listings(3)]
    earlier = KnownRecords.of(record.to_dict() for page in pages for record in page)
    from_values, from_records = earlier.profile().to_dict(), Profile.of(pages).to_dict()
    assert {**from_values, "samples": []} == {**from_records, "samples": []}


def test_records_are_read_from_a_file(tmp_path):
    written = WRAPPER.extract(listings(1)[0]).to_dicts()
    path = tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in written))
    read = read_records(path)
    assert [record.values for record in read] == [record["values"] for record in written]
    nested = KnownRecord.of({"page": "p", "a": "1", "children": [{"b": ["2", "3"]}]})
    assert nested.to_dict() == {"a": "1", "children": [{"b": ["2", "3"]}]}
    assert nested.children[0].page == "p"


def test_a_shape_is_what_the_tokens_are():
    assert shape_of("United States v. Ethan KIBLER") == "Aa a . Aa AA"
    assert shape_of("$1,234.50") == "$ 9 , 9 . 9"
    assert shape_of(" ") == ""
    assert shape_of("a1" * 50).endswith("...")


def test_a_report_of_nothing_is_no_drift():
    assert not DriftReport((), (), compared=True).drifted
    assert compare(PROFILE, []) == []


def test_nothing_found_is_drift_with_and_without_a_profile():
    wrapper = LR(["a"], left=["<b>"], right=["</b>"])
    pages = [Page("<p>x", id="1"), Page("<p>y", id="2")]
    for profile in (None, Profile.of([wrapper.extract(Page("<b>x</b>"))])):
        report = check_against(profile, wrapper, pages)
        assert report.drifted
        assert [str(finding) for finding in report.findings] == ["no records on any of the 2 pages"]


def test_nothing_found_is_drift_where_nothing_was_found_on_marked_pages_either():
    wrapper = LR(["a"], left=["<b>"], right=["</b>"])
    never = Profile.of([wrapper.extract(Page("<p>"))] * 2)
    assert check_against(never, wrapper, [Page("<p>x")]).drifted


def test_a_page_that_failed_while_learning_is_drift_from_then_on():
    wrapper = LR(["a", "b"], left=["<b>", "<i>"], right=["</b>", "</i>"])
    page = Page("<b>x</b> <i>1</i> <b>y</b>", id="odd")
    examples = [Example(page, [{"a": (3, 4), "b": (12, 13)}, {"a": (21, 22), "b": None}])]
    survey(wrapper, examples)
    assert [warning.kind for warning in wrapper.warnings] == ["page-failed", "record-missed"]
    good = Page("<b>x</b> <i>1</i>", id="good")
    report = rowen.check(wrapper, [good])
    assert report.drifted
    assert "from learning: odd: the wrapper stops after 1 record" in str(report.findings[0])
    assert report.to_dict()["warnings"][0]["kind"] == "page-failed"
    assert rowen.check(wrapper, [page]).pages[0].drifted


def test_other_warnings_of_learning_are_notes():
    wrapper = LR(["a"], left=["<b>"], right=["</b>"])
    page = Page("<b>x</b> <b>y</b>", id="p")
    survey(wrapper, [Example(page, [{"a": (3, 4)}])])
    report = rowen.check(wrapper, [page])
    assert not report.drifted
    assert [finding.severity for finding in report.findings] == ["note"]


def test_an_empty_page_that_is_marked_as_empty_is_usual():
    full = Example(Page("<ul><li>x<li>y<li>z</ul>", id="1"), [{"a": value} for value in "xyz"])
    empty = Example(Page("<ul></ul>", id="2"), [])
    wrapper = rowen.learn([full, empty], "token")
    assert wrapper.warnings == ()
    report = rowen.check(wrapper, [full.page, empty.page])
    assert not report.drifted


def test_records_from_before_take_the_place_of_the_profile(tmp_path):
    extracted = [WRAPPER.extract(page) for page in listings(3)]
    records = [record for page in extracted for record in page]
    path = tmp_path / "before.jsonl"
    path.write_text("".join(json.dumps(record.to_dict()) + "\n" for record in records))
    changed = listings(10, row="<li><b><span>{}</span></b> <i>{}</i></li>")
    by_file = rowen.check(WRAPPER, changed, against=path)
    assert by_file.compared
    assert by_file.drifted
    assert rowen.check(WRAPPER, changed, against=records).findings == by_file.findings
    assert not rowen.check(WRAPPER, listings(10, seed=5), against=records).drifted


def test_pages_may_be_texts():
    report = rowen.check(WRAPPER, ["<b>Congo</b> <i>242</i>"])
    assert [page.records for page in report.pages] == [1]
