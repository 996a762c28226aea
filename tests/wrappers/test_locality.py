"""Why learned wrappers take the whole page: docs/locality.md has the proof, here it is tried."""

import hypothesis.strategies as st
import pytest
from effort import cases
from hypothesis import assume, given, settings

import rowen
from rowen.extractors.locality import locality_to_dict
from rowen.extractors.saved import from_dict
from rowen.testing import check_locality
from rowen.wrappers.classes import CLASSES, wrapper_class
from rowen.wrappers.mixture import Mixture
from rowen.wrappers.spanning import Spanning
from rowen.wrappers.tree import Tree

PEOPLE = (("Ada", 1815), ("Grace", 1906), ("Alan", 1912))
FAR = 10_000
OPENED = dict.fromkeys(("token", "several", "nested", "tree", "region", "spanning"), "<!-- ")
"""Text that changes records however far behind it they are; others open a value."""


def page(people=PEOPLE, *, before=""):
    rows = "".join(f"<li><b>{name}</b> born <i>{year}</i></li>\n" for name, year in people)
    return f"<h1>People</h1>\n<ul>{before}{rows}</ul>\n<p>That is all.</p>"


def learned(name):
    if name == "several":
        token = learned("token")
        return Mixture(token.fields, wrappers=[token])
    if name == "nested":
        rows = [{"name": name, "years": [{"year": str(year)}]} for name, year in PEOPLE]
        return rowen.learn([rowen.Example(page(), rows)], "token")
    if name == "spanning":
        token = learned("token")
        return Spanning(token.fields, rows=token, shared=["year"])
    if name == "tree":
        return Tree(("name", "year", "below"), nested="below", wrapper=learned("token"))
    if name.startswith("n-"):
        rows = [{"name": name, "children": [{"year": str(year)}]} for name, year in PEOPLE]
    else:
        rows = [{"name": name, "year": str(year)} for name, year in PEOPLE]
    return rowen.learn([rowen.Example(page(), rows)], name)


# Data and lines of columns are not in this page's markup: tests of their own try these classes.
@pytest.fixture(params=[name for name in CLASSES if name not in ("data", "combined", "lines")])
def wrapper(request):
    return learned(request.param)


def test_a_wrapper_declares_no_more_than_the_whole_page(wrapper):
    assert wrapper.locality == rowen.WholePage()


def test_text_however_far_away_changes_a_record(wrapper):
    filler = "." * FAR
    opened = OPENED.get(wrapper.wrapper_class, "<li><b>")
    plain = page(before=filler)
    changed = page(before=opened + filler)
    by = len(opened)
    moved = {str(record.shift(by, rowen.Page(changed)).spans) for record in wrapper.extract(plain)}
    assert len(moved) == len(PEOPLE)
    assert moved != {str(record.spans) for record in wrapper.extract(changed)}


@pytest.mark.parametrize(
    "locality",
    [rowen.Window(60, 60), rowen.Segments("\n"), rowen.Segments(["<li>"]), rowen.Segments("<>")],
    ids=str,
)
def test_a_narrower_declaration_is_caught(wrapper, locality):
    saved = {**wrapper.to_definition().to_dict(), "locality": locality_to_dict(locality)}
    wrapper = from_dict(saved)
    assert wrapper.locality == locality
    people = [(f"{'x' * 7 * number}{number}", number) for number in range(30)]
    with pytest.raises(rowen.LocalityError):
        check_locality(wrapper, [page(), page(people, before="<li><b>\n")], trials=300)


PADDING = "z"
"""In no delimiter and no separator."""

delimiters = st.text("ab<", min_size=1, max_size=3)


@st.composite
def scans(draw):
    """A tabular wrapper, with a page that it is likely to have a record on."""
    name = draw(st.sampled_from(("lr", "hlrt", "oclr", "hoclrt")))
    count = draw(st.integers(1, 3))
    left = draw(st.lists(delimiters, min_size=count, max_size=count))
    right = draw(st.lists(delimiters, min_size=count, max_size=count))
    kind = wrapper_class(name)
    outer = {key: draw(delimiters) for key in kind.uses}
    wrapper = kind([f"f{number}" for number in range(count)], left=left, right=right, **outer)
    values = PADDING.join(
        f"{before}{PADDING}{after}" for before, after in zip(left, right, strict=True)
    )
    parts = (outer.get("head", ""), outer.get("open", ""), values, outer.get("close", ""))
    return wrapper, PADDING.join((*parts, draw(st.text("ab<z", max_size=6))))


def apart(wrapper, segments, text):
    """The records of the segments, each as a page of its own."""
    whole = rowen.Page(text)
    return {
        record.shift(part.start, whole)
        for part in segments.split(text)
        for record in wrapper.extract(part.of(text))
    }


def ends_in_padding(wrapper, text):
    """Where values end of which the last character is in no delimiter."""
    bounds = (span for record in wrapper.extract(text) for span in record.spans.values())
    return [end for start, end in bounds if start < end and text[end - 1] == PADDING]


@settings(max_examples=cases(400, 20_000))
@given(scans(), st.lists(delimiters, min_size=1, max_size=4))
def test_no_separators_make_segments_of_a_tabular_wrapper(scan, separators):
    wrapper, text = scan
    ends = ends_in_padding(wrapper, text)
    assume(ends)
    for end in ends:
        for separator in separators:
            put = text[:end] + PADDING + separator + PADDING + text[end:]
            assert set(wrapper.extract(put)) != apart(wrapper, rowen.Segments(separators), put)


@settings(max_examples=cases(200, 5_000))
@given(scans(), st.integers(1, 1000))
def test_no_scope_is_long_enough_for_a_tabular_wrapper(scan, scope):
    wrapper, text = scan
    ends = ends_in_padding(wrapper, text)
    assume(ends)
    for end in ends:
        longer = wrapper.extract(text[:end] + PADDING * scope + text[end:])
        assert max(record.extent.length for record in longer) > scope


def test_runs_reuse_a_wrapper_s_pages_and_report_where_it_stopped(wrapper, tmp_path):
    others = [(name.upper(), year) for name, year in PEOPLE]
    broken = "nothing" if wrapper.wrapper_class in OPENED else page().partition("</b>")[0]
    first = [rowen.Page(page(), id="same"), rowen.Page(page(), id="other")]
    second = [first[0], rowen.Page(page(others), id="other"), rowen.Page(broken, id="broken")]
    store = rowen.Store(tmp_path / "store")
    store.run([wrapper], first, jobs=1)
    report = store.run([wrapper], second, jobs=1, verify=1.0)
    tally = report.tallies[wrapper.name]
    assert tally.copied == len(wrapper.extract(page()))
    assert tally.extracted_characters == len(second[1].text) + len(second[2].text)
    results = {page.id: (set(records), records.failure) for page, records in store.each("wrapper")}
    for changed in second:
        scratch = wrapper.extract(changed)
        assert results[changed.id] == (set(scratch), scratch.failure)
    assert [page for page, _ in store.failures("wrapper")] == ["broken"]
