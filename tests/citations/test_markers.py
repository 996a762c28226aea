"""Markers of citations lead to the references that they mean, or to none."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfs import pdf

from rowen.citations.citation import Citation, Name
from rowen.citations.markers import Marker, find_markers, years
from rowen.export.marker_parts import parts_of
from rowen.export.paper_xml import plain_xml
from rowen.export.tei import TEI, tei_xml
from rowen.papers.body import Section
from rowen.papers.paper import Paper
from rowen.pdf import read_layout
from rowen.pdf.passages import Passage, passage_of


def links(text, citations):
    """The markers of a text, each as it is printed, with the references that it leads to."""
    (found,) = find_markers([Passage(text, (), ())], citations)
    return {text[marker.start : marker.end]: marker.citations for marker in found}


def numbered(count, form="[{}] A. Author. Title."):
    return [Citation(form.format(i + 1), {}) for i in range(count)]


def test_numbers_and_ranges_in_square_brackets():
    found = links("As in [1], [3, 5–7] and [2,4].", numbered(7))
    assert found == {"[1]": (0,), "[3, 5–7]": (2, 4, 5, 6), "[2,4]": (1, 3)}


def test_a_range_over_two_brackets():
    assert links("As in [1]–[4], and [5].", numbered(5)) == {"[1]–[4]": (0, 1, 2, 3), "[5]": (4,)}


def test_places_within_a_work():
    found = links("See [2, Theorem 3], [1, p. 7], [3].", numbered(3))
    assert found == {"[2, Theorem 3]": (1,), "[1, p. 7]": (0,), "[3]": (2,)}


def test_what_has_no_reference_leads_nowhere():
    found = links("As in [1], [2], [9] and over [0, 1].", numbered(2))
    assert found == {"[1]": (0,), "[2]": (1,), "[9]": ()}


def test_the_numbers_of_the_list_count_and_not_the_places_in_it():
    cut_wrongly = [Citation(raw, {}) for raw in ("[1] A.", "[2] B.", "[4] D.", "[5] E.")]
    found = links("[1] [2] [3] [4] [5]", cut_wrongly)
    assert found == {"[1]": (0,), "[2]": (1,), "[3]": (), "[4]": (2,), "[5]": (3,)}


def test_keys():
    citations = [Citation("[Knu84] D. Knuth.", {}), Citation("[ABC+99] A. B. C.", {})]
    assert links("See [Knu84, ABC+99].", citations) == {"[Knu84, ABC+99]": (0, 1)}


def test_round_brackets_where_they_come_in_lists():
    found = links("Seen (1), often (2, 3), in Eq. (3) too (4–5).", numbered(5, "{}. A. Author."))
    assert found == {"(1)": (0,), "(2, 3)": (1, 2), "(4–5)": (3, 4)}


def test_equations_are_no_markers():
    assert links("By (1) and (2) we have (3).", numbered(3, "{}. A. Author.")) == {}


def test_raised_numbers_but_no_powers():
    page = [
        (72, 700, 10, "As known"), (117, 704, 6, "1,2"), (127, 700, 10, "areas of 5 km"),
        (193, 704, 6, "2"), (200, 700, 10, "are small."), (247, 704, 6, "3"),
    ]  # fmt: skip
    passage = passage_of(read_layout(pdf([page])).lines)
    (found,) = find_markers([passage], numbered(3, "{}. A. Author."))
    assert [(passage.text[m.start : m.end], m.citations) for m in found] == [
        ("1,2", (0, 1)),
        ("3", (2,)),
    ]


def work(year, *families):
    raw = f"{', '.join(families)} ({year}). Title."
    start = raw.index(year)
    date = {"date": [(start, start + len(year))]}
    return Citation(raw, date, authors=tuple(Name("A.", family) for family in families))


WORKS = [
    work("2004a", "Smith", "Jones"),
    work("2004b", "Smith", "Jones"),
    work("2010", "Doe", "Roe", "Poe"),
    work("2004", "Smith"),
    work("1999", "van den Berg", "García-López", "Ng"),
    work("2001", "Müller"),
    work("2003", "Müller"),
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(Smith and Jones 2004a; Doe et al., 2010)",
         {"Smith and Jones 2004a": (0,), "Doe et al., 2010": (2,)}),
        ("Smith & Jones (2004a,b) say", {"Smith & Jones (2004a,b)": (0, 1)}),
        ("However, Smith (2004) says", {"Smith (2004)": (3,)}),
        ("Doe, Roe, and Poe (2010)", {"Doe, Roe, and Poe (2010)": (2,)}),
        ("see Van den Berg et al. 1999", {"Van den Berg et al. 1999": (4,)}),
        ("(e.g., Mueller 2000, Müller 2001, 2003)", {"Müller 2001": (5,), "2003": (6,)}),
        ("Müller's (2001) result", {"Müller's (2001)": (5,)}),
        ("(Smith and Jones, 2004)", {"Smith and Jones, 2004": ()}),
        ("Black et al. (2004) and White and Green (1998)",
         {"Black et al. (2004)": (), "White and Green (1998)": ()}),
        ("In March 2004 and in 2010", {}),
    ],
)  # fmt: skip
def test_names_and_years(text, found):
    cited = "Smith (2004), Müller (2001), Doe et al. (2010)."  # shows how this paper cites
    assert links(f"{text} - {cited}", WORKS) == {
        "Smith (2004)": (3,), "Müller (2001)": (5,), "Doe et al. (2010)": (2,), **found
    }  # fmt: skip


def test_an_author_the_parser_missed_is_found_in_the_string():
    raw = "Sobti, S. N., & Pushpangadan, P. (1979). Studies."
    assert links("(Sobti & Pushpangadan, 1979)", [Citation(raw, {})]) == {
        "Sobti & Pushpangadan, 1979": (0,)
    }


FAMILIES = ["Adams", "Brown", "Clark", "Davis", "Evans", "Ford", "O'Hara", "de Vries"]


@given(st.lists(st.lists(st.sampled_from(FAMILIES), min_size=1, max_size=4, unique=True),
                min_size=1, max_size=12), st.booleans())  # fmt: skip
def test_every_work_of_a_year_of_its_own_is_found(authors, inside):
    works = [work(str(1990 + i), *names) for i, names in enumerate(authors)]
    texts = []
    for i, names in enumerate(authors):
        shown = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        texts.append(f"({shown}, {1990 + i})" if inside else f"{shown} ({1990 + i})")
    (found,) = find_markers([Passage("As " + " or as ".join(texts), (), ())], works)
    assert [marker.citations for marker in found] == [(i,) for i in range(len(works))]


@given(st.sets(st.integers(1, 40), min_size=8), st.sampled_from("-–—"))
def test_numbers_are_found_however_they_are_listed(numbers, dash):
    items, ordered = [], sorted(numbers)
    while ordered:
        first = last = ordered.pop(0)
        while ordered and ordered[0] == last + 1:
            last = ordered.pop(0)
        items.append(str(first) if first == last else f"{first}{dash}{last}")
    (found,) = links(f"[{', '.join(items)}]", numbered(40)).values()
    assert found == tuple(sorted(number - 1 for number in numbers))


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=4))
def test_any_text_has_markers_in_order_that_lead_to_references(text, raws):
    (found,) = find_markers([Passage(text, (), ())], [Citation(raw, {}) for raw in raws])
    ends = [place for marker in found for place in (marker.start, marker.end)]
    assert ends == sorted(ends)
    assert all(0 <= one < len(raws) for marker in found for one in marker.citations)


@given(st.text("ab 1[]-\n", max_size=40).filter(str.strip), st.data())
def test_pointers_of_tei_are_the_markers(text, data):
    places = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    markers = tuple(
        Marker(start, end, data.draw(st.sampled_from([(), (0,), (0, 2)])))
        for start, end in zip(places[::2], places[1::2], strict=False)
    )
    cited = tuple(Citation(f"A. Ada. On engines. {year}.", spans={}) for year in (1843, 1844, 1845))
    paper = Paper(None, (), None, (), None, None, cited, (Section("A", text, markers),), text)
    root = ET.fromstring(tei_xml(paper, file="a.pdf"))
    paragraph = root.find(f".//{{{TEI}}}p")
    assert "".join(paragraph.itertext() if paragraph is not None else ()) == text
    pointers = root.findall(f".//{{{TEI}}}ref")
    assert [(one.text or "", one.get("target")) for one in pointers] == [
        (part, None if number is None else f"#b{number}")
        for marker in markers
        for part, number in parts_of(text[marker.start : marker.end], marker.citations)
    ]
    plain = ET.fromstring(plain_xml(paper, file="a.pdf"))
    assert len(plain.findall(".//marker")) == len(markers)
    assert paper.to_dict()["body"][0]["markers"] == [m.to_dict() for m in markers]


@pytest.mark.parametrize(
    "text",
    [
        "2004-" * 40_000, "Smith" + "," * 40_000 + "2004 " * 20_000, "Smith, 2004, " * 20_000,
        "[" * 100_000, "[1" + ",1" * 50_000, "(1" + ", 1" * 50_000, "et al. " * 40_000 + "2004",
    ],
    ids=["years", "commas", "markers", "brackets", "list", "round list", "others"],
)  # fmt: skip
def test_hostile_texts_are_read_to_their_end(text):
    find_markers([Passage(text, (), ())], WORKS)


class AllWorks:
    """The references of a year, each compared with each marker: slow, and easy to follow."""

    def __init__(self, works):
        self.letters = {work.letter for work in works}
        self.works = works

    def named(self, _word):
        return self.works


FAMILIES = st.lists(st.sampled_from(["Smith", "Doe", "de Vries", "Vries", "Li"]), max_size=3)
DATES = st.sampled_from(["2004", "2004a", "2004b", "2005"])
MENTIONS = ["Smith", "Doe", "de Vries", "Li", "et al.", "and", ",", "(", "2004", "2004a,b", "2005)"]


@given(
    st.lists(st.tuples(FAMILIES, DATES), max_size=8),
    st.lists(st.sampled_from(MENTIONS), max_size=20).map(" ".join),
)
def test_markers_by_year_are_those_of_comparing_all_references(works, text):
    citations = [
        Citation(f"{', '.join(names)}. {date}.", {}, authors=tuple(Name("A.", n) for n in names))
        for names, date in works
    ]
    references = years.works_of(citations)
    markers = years.dated([text], references)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(years, "_WorksOfYear", AllWorks)
        assert years.dated([text], references) == markers


def test_a_marker_is_compared_with_few_of_many_references():
    citations = [
        Citation(f"Smith{n}. 2004.", {}, authors=(Name("A.", f"Smith{n}"),)) for n in range(3_000)
    ]
    [works] = map(years._WorksOfYear, years.works_of(citations).values())
    assert max(len(works.named(f"smith{n}")) for n in range(3_000)) <= 2
    same = [Citation("Smith. 2004.", {}, authors=(Name("A.", "Smith"),))] * 3_000
    [works] = map(years._WorksOfYear, years.works_of(same).values())
    assert len(works.named("smith")) <= 4
