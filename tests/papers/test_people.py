"""From labelled lines of a front to people, with the model that ships."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdfs import pdf

from rowen.citations.citation import Name
from rowen.papers.people import Author, authors_of
from rowen.papers.people.affiliations import affiliations_of, owners_of
from rowen.papers.people.front import chosen, front_of
from rowen.papers.people.lists import (
    cell_heads,
    listed_names,
    named_members,
    numbered_affiliations,
)
from rowen.papers.people.mails import mails_of, owned_mails
from rowen.papers.people.names import mentions_of, name_of
from rowen.papers.people.orders import family_comes_first
from rowen.papers.people.signatures import Signature, signatures_of, spelled
from rowen.papers.people.tokens import Token, Type, tokens_of, words_of
from rowen.papers.zones import Zones
from rowen.pdf import read_layout

TITLE = (72, 740, 18, "On the analytical engine")
TWO, THREE = ["Lovelace", "Hopper"], ["Lovelace", "Hopper", "Turing"]


def zones_of(*labelled):
    """A page of lines, given with their labels; each line of the layout has that of its top."""
    kinds = {(place[0], place[1]): label for label, place in labelled}
    lines = read_layout(pdf([[place for _, place in labelled]])).lines
    known = [
        (line, label)
        for line in lines
        for (left, bottom), label in kinds.items()
        if abs(line.left - left) < 3 and abs(line.baseline - bottom) < 3
    ]
    assert len(known) == len(lines)
    return Zones(known)


def front(*lines, label="author"):
    return zones_of(("title", TITLE), *((label, line) for line in lines))


@pytest.mark.parametrize(
    ("lines", "families"),
    [
        ([(72, 700, 12, "Ada Lovelace, Grace Hopper and Alan Turing")], THREE),
        ([(72, 700, 12, "Ada Lovelace"), (300, 700, 12, "Grace Hopper")], TWO),
        ([(72, 700, 12, "Ada Lovelace, Grace"), (72, 686, 12, "Hopper, Alan Turing")], THREE),
        ([(72, 700, 12, "Ada Lovelace, PhD, Grace Hopper, MD")], TWO),
        ([(72, 700, 12, "Ada Lovelace, PhD; Grace Hopper, MD")], TWO),
        ([(72, 700, 12, "Lovelace, Ada; Hopper, Grace; Turing, Alan")], THREE),
        ([(72, 700, 12, "ADA LOVELACE"), (72, 686, 12, "GRACE HOPPER")], TWO),
    ],
)
def test_authors_are_distinguished(lines, families):
    assert [author.family for author in authors_of(front(*lines))] == families


def test_marks_link_authors_to_affiliations():
    zones = zones_of(
        ("title", TITLE),
        ("author", (72, 700, 12, "Ada Lovelace")),
        ("author", (144, 705, 7, "1")),
        ("author", (150, 700, 12, ", Grace Hopper")),
        ("author", (231, 705, 7, "2")),
        ("affiliation", (72, 680, 9, "1 University of London, London, UK")),
        ("affiliation", (72, 668, 9, "2 Yale University, New Haven, USA; hopper@yale.edu")),
    )
    ada, grace = authors_of(zones)
    assert ada == Author("Ada", "Lovelace", ("University of London, London, UK",))
    yale = ("Yale University, New Haven, USA",)
    assert grace == Author("Grace", "Hopper", yale, "hopper@yale.edu")


GRID = [
    ("title", TITLE),
    ("author", (72, 700, 10, "Ada Lovelace")),
    ("affiliation", (72, 688, 10, "University of London")),
    ("affiliation", (72, 676, 10, "London, UK")),
    ("abstract", (72, 640, 10, "We show how engines may compose music.")),
    ("body", (330, 700, 10, "Grace Hopper")),
    ("body", (330, 688, 10, "Yale University")),
    ("body", (330, 676, 10, "New Haven, USA")),
    ("body", (330, 640, 10, "The engine has no pretensions whatever.")),
]


def test_an_author_beside_another_is_found_though_the_line_was_taken_for_the_body():
    cells = front_of(zones_of(*GRID))
    assert [[chunk.line.text for chunk in cell] for cell in cells] == [
        ["Ada Lovelace", "University of London", "London, UK"],
        ["Grace Hopper", "Yale University", "New Haven, USA"],
    ]
    ada, grace = authors_of(zones_of(*GRID))
    assert ada.affiliations == ("University of London London, UK",)
    assert grace.affiliations == ("Yale University New Haven, USA",)


def test_rows_of_a_grid_come_one_after_the_other():
    names = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Edsger Dijkstra"]
    places = [(72, 700), (330, 700), (72, 640), (330, 640)]
    lines = [
        line
        for name, (left, top) in zip(names, places, strict=True)
        for line in (
            ("author", (left, top, 10, name)),
            ("affiliation", (left, top - 12, 10, "University of London")),
        )
    ]
    found = authors_of(zones_of(("title", TITLE), *lines))
    assert [f"{one.given} {one.family}" for one in found] == names


@pytest.mark.parametrize(
    ("text", "elsewhere", "name"),
    [
        ("Ada Lovelace", "", Name("Ada", "Lovelace")),
        ("Ludwig van Beethoven", "", Name("Ludwig", "van Beethoven")),
        ("ADA KING LOVELACE", "", Name("Ada King", "Lovelace")),
        ("Romain PEREIRA", "", Name("Romain", "Pereira")),
        ("MENG Wei", "", Name("Wei", "Meng")),
        ("Lovelace, Ada", "", Name("Ada", "Lovelace")),
        ("Ana Soares de Oliveira", "", Name("Ana Soares", "de Oliveira")),
        (
            "Ana Soares de Oliveira",
            "[1] A. Soares de Oliveira, Engines",
            Name("Ana", "Soares de Oliveira"),
        ),
        ("Ada N. King Lovelace", "as shown (King Lovelace, 1843)", Name("Ada N.", "King Lovelace")),
        ("Ada Augusta King Lovelace", "A. A. King Lovelace", Name("Ada Augusta", "King Lovelace")),
        ("Ada Augusta Lovelace", "Lovelace AA. Notes.", Name("Ada Augusta", "Lovelace")),
    ],
)
def test_where_the_family_name_begins(text, elsewhere, name):
    assert name_of(text, [elsewhere]) == name


NAMES = ["Ada Lovelace", "Grace Hopper", "Alan Turing"]


def tokens(text):
    return [Token(word, 0, 0, spaced) for word, spaced in words_of(text)]


@pytest.mark.parametrize(
    ("text", "elsewhere", "family"),
    [
        ("Ana Gómez Villar", [], "Gómez Villar"),
        ("Carlos Andrés Restrepo Montoya", [], "Restrepo Montoya"),
        ("María Helena Vargas", [], "Vargas"),
        ("Eva López de la Torre", [], "López de la Torre"),
        ("Siobhán Mac Cárthaigh", [], "Mac Cárthaigh"),
        ("Mac Anthony Miller", [], "Miller"),
        ("Reza Karimi Pour", [], "Karimi Pour"),
        ("Matthew G. Vander Heiden", [], "Vander Heiden"),
        ("J. Hajo Miller", [], "Miller"),
        ("Seán Ó Briain", [], "Ó Briain"),
        ("Eoin Mac Giolla Bhríde", [], "Mac Giolla Bhríde"),
        ("Mona Abd El Rahman", [], "Abd El Rahman"),
        ("João Pedro da Silva Júnior", [], "da Silva Júnior"),
        ("Marco Lo Presti", [], "Lo Presti"),
        ("Kin Lo Wong", [], "Wong"),
        ("Chun Hei Au Yeung", [], "Au Yeung"),
        ("Iñaki Goñi Etxebarria", [], "Goñi Etxebarria"),
        ("Pedro Calderón de la Barca", [], "Calderón de la Barca"),
        ("Watcharaporn Devakul Na Ayutthaya", [], "Devakul Na Ayutthaya"),
        ("Mary Ann Norte", ["mary.ann@example.org"], "Norte"),
        ("Lea Brisa Norte", ["lbrisa@example.org"], "Brisa Norte"),
        ("Lea Brisa Norte", ["lnorte@example.org"], "Norte"),
        ("Lea Brisa Norte", ["cite this: 3, Brisa", "Norte, L., and others"], "Brisa Norte"),
        ("Lea Brisa Norte", ["BRISA NORTE ET AL."], "Brisa Norte"),
    ],
)
def test_tables_addresses_and_divided_mentions_show_compound_names(text, elsewhere, family):
    mentions = mentions_of([text], elsewhere)
    assert name_of(text, mentions.get(text, ())).family == family


def test_names_before_affiliations_are_found_where_the_model_saw_none():
    lines = [
        (72, 700, 10, "Thomas Ashe, Cape Point University"),
        (72, 686, 10, "Julia Marco, Delta Institute"),
    ]
    authors = authors_of(front(*lines, label="affiliation"))
    assert [(author.family, author.affiliations) for author in authors] == [
        ("Ashe", ("Cape Point University",)), ("Marco", ("Delta Institute",)),
    ]  # fmt: skip


def test_affiliations_below_each_other_without_marks_are_two():
    tokens = tokens_in(
        "Ada Lovelace\nDepartment of Mathematics, London, France\nUniversity of Webs, Paris, France"
    )
    labels = ["name start", "name", *["affiliation"] * (len(tokens) - 2)]
    labels[2] = "affiliation start"
    assert [own.text for own in affiliations_of(tokens, labels)] == [
        "Department of Mathematics, London, France", "University of Webs, Paris, France",
    ]  # fmt: skip


def test_a_note_that_is_a_sentence_is_no_affiliation():
    tokens = [replace(token, zone="footnote") for token in tokens_in("This name was chosen before")]
    assert not affiliations_of(tokens, ["affiliation start", *["affiliation"] * 4])


@pytest.mark.parametrize(
    ("title", "found"), [("On the analytical engine of a century", True), ("Another paper", False)]
)
def test_after_a_cover_the_page_with_the_title_counts(title, found):
    cover = [(72, 740, 18, "On the analytical engine of a century"), (72, 700, 14, "Ada Lovelace")]
    page = [(72, 740, 16, title), (72, 710, 11, "Grace Hopper")]
    lines = read_layout(pdf([cover, page])).lines
    labels = ["title", "author", "header", "header"]
    lines_chosen = chosen(Zones(list(zip(lines, labels, strict=True))))
    assert ("Grace Hopper" in [line.text for line, _ in lines_chosen]) == found


def test_a_line_between_those_of_an_affiliation_belongs_to_it():
    zones = zones_of(
        ("title", TITLE), ("author", (72, 700, 12, "Ada Lovelace")),
        ("affiliation", (72, 684, 9, "College of Resources and")),
        ("header", (72, 674, 9, "Environment, Southwest Plains")),
        ("affiliation", (72, 664, 9, "University, Chongqing, China")),
    )  # fmt: skip
    [author] = authors_of(zones)
    assert author.affiliations == (
        "College of Resources and Environment, Southwest Plains University, Chongqing, China",
    )


def tokens_in(text):
    return [
        Token(word, 0, line, spaced)
        for line, own in enumerate(text.split("\n"))
        for word, spaced in words_of(own)
    ]


def test_text_between_names_of_a_list_is_a_name():
    words = tokens("Ada Lovelace, Grace Hopper and Alan Turing, Yale University")
    other = ["other"] * 4
    labels = ["name start", "name", *other, "name start", "name", *other[:3]]
    people = signatures_of(words, listed_names(words, labels))
    assert [spelled(one.tokens) for one in people] == NAMES


def test_a_name_may_go_on_in_the_next_line():
    words = [
        Token(word, 0, number, spaced, zone="author")
        for number, text in enumerate(["Ada Lovelace, Grace", "Hopper, Alan Turing"])
        for word, spaced in words_of(text)
    ]
    people = signatures_of(words, listed_names(words, ["other"] * len(words)))
    assert [spelled(one.tokens) for one in people] == NAMES


def test_numbers_that_authors_have_begin_affiliations():
    words = [
        Token(word, 0, number, spaced)
        for number, text in enumerate(
            ["Ada Lovelace 1, Grace Hopper 2", "1 Engines Ltd 2 Cobol Co"]
        )
        for word, spaced in words_of(text)
    ]
    people = ["name start", "name", "mark"]
    labels = [*people, "other", *people, *["other"] * 6]
    places = affiliations_of(words, numbered_affiliations(words, labels))
    assert [(one.marks, one.text) for one in places] == [
        (["1"], "Engines Ltd"),
        (["2"], "Cobol Co"),
    ]


def test_names_without_marks_have_the_affiliations_below_them():
    words = tokens("Ada Lovelace Grace Hopper Yale University Alan Turing Princeton University")
    pair, place = ["name start", "name"], ["affiliation start", "affiliation"]
    labels = [*pair, *pair, *place, *pair, *place]
    people = signatures_of(words, labels)
    yale, princeton = ("Yale University",), ("Princeton University",)
    assert owners_of(people, affiliations_of(words, labels)) == [yale, yale, princeton]


def test_marks_run_together_are_parted():
    people = [Signature(tokens("Ada Lovelace"), 0, ["12"]), Signature(tokens("G Hopper"), 4, ["2"])]
    words = tokens("1 University of London 2 Yale University")
    labels = ["mark", "affiliation start", *["affiliation"] * 2, "mark", "affiliation start"]
    places = affiliations_of(words, [*labels, "affiliation"])
    assert owners_of(people, places) == [
        ("University of London", "Yale University"),
        ("Yale University",),
    ]


def test_addresses_in_braces_go_to_those_they_name():
    words = tokens("{lovelace, g.hopper}@example.org")
    named = [
        (Signature(tokens(str(name)), 0), name)
        for name in (Name("Grace", "Hopper"), Name("Ada", "Lovelace"))
    ]
    assert owned_mails(named, mails_of(words)) == ["g.hopper@example.org", "lovelace@example.org"]


def test_accents_apart_and_words_run_together():
    zones = front((72, 700, 12, "Kurt G¨odel and AdaLovelace KingNoel"))
    words = [token.text for token in tokens_of(front_of(zones))]
    assert words == ["Kurt", "Gödel", "and", "AdaLovelace", "King", "Noel"]


LABELS = st.sampled_from(
    ["name start", "name", "mark", "affiliation start", "affiliation", "email", "other"]
)


@given(st.lists(st.tuples(st.text(min_size=1, max_size=8), LABELS), max_size=30))
def test_any_labels_make_people_of_their_own_words(labelled):
    words = [Token(text, 0, 0, spaced=True) for text, _ in labelled]
    labels = [label for _, label in labelled]
    people = signatures_of(words, labels)
    places = affiliations_of(words, labels)
    used = [token for one in (*people, *places) for token in one.tokens]
    assert len({id(token) for token in used}) == len(used)
    assert len(owners_of(people, places)) == len(people)
    for one in people:
        name_of(spelled(one.tokens))


@pytest.mark.parametrize(
    ("names", "divided"),
    [
        (["Wang Xiaoming", "Li Yang"], [Name("Xiaoming", "Wang"), Name("Yang", "Li")]),
        (["Xiaoming Wang", "Yang Li"], [Name("Xiaoming", "Wang"), Name("Yang", "Li")]),
        (["Juan Carlos García López"], [Name("Juan Carlos", "García López")]),
        (["María Dolores Peñalver Ruiz"], [Name("María Dolores", "Peñalver Ruiz")]),
        (["Nguyen Van Thanh", "Dirk Van Damme"], [Name("Nguyen Van", "Thanh"), None]),
        (["张伟", "欧阳明"], [Name("伟", "张"), Name("明", "欧阳")]),
        (["小笠原 健太"], [Name("健太", "小笠原")]),
    ],
)
def test_a_list_shows_the_order_of_its_names(names, divided):
    first = family_comes_first(names)
    expected = [name or Name("Dirk", "Van Damme") for name in divided]
    assert [name_of(name, family_first=first) for name in names] == expected


NOTES = [
    ("title", TITLE),
    ("author", (72, 700, 12, "Ada Lovelace and Grace Hopper")),
    ("abstract", (72, 640, 10, "We show how engines may compose music, and what they may not.")),
    ("body", (72, 300, 10, "The engine has no pretensions whatever to originate anything at all.")),
    ("body", (72, 288, 10, "It can do whatever we know how to order it to perform, and no more.")),
    ("body", (72, 80, 8, "A. Lovelace is with the University of London, London, UK.")),
    ("body", (72, 70, 8, "G. Hopper is with Yale University, New Haven, USA.")),
]


def test_notes_at_the_foot_have_affiliations():
    ada, grace = authors_of(zones_of(*NOTES))
    assert (ada.family, grace.family) == ("Lovelace", "Hopper")
    assert ada.affiliations == ("University of London, London, UK",)
    assert grace.affiliations == ("Yale University, New Haven, USA",)


def test_lines_of_a_cell_in_the_type_of_a_name_are_names():
    words = [
        Token(word, 0, line, spaced=True, type=Type(size, bold=False, italic=False, font=""))
        for line, (text, size) in enumerate(
            [
                ("Ada Lovelace", 12),
                ("Yale University", 10),
                ("Grace Hopper", 12),
                ("Kings College", 10),
            ]
        )
        for word in text.split()
    ]
    labels = ["name start", "name", "affiliation start", *["affiliation"] * 5]
    people = signatures_of(words, cell_heads(words, labels))
    assert [spelled(one.tokens) for one in people] == ["Ada Lovelace", "Grace Hopper"]


def test_a_mark_before_other_words_is_not_that_of_the_affiliation():
    words = tokens("* Equal contribution 1 Yale University")
    labels = ["mark", "other", "other", "mark", "affiliation start", "affiliation"]
    [place] = affiliations_of(words, labels)
    assert place.marks == ["1"]


def test_an_icon_is_parted_from_its_name():
    assert [word for word, _ in words_of("Grace HopperiD")] == ["Grace", "Hopper", "iD"]


def test_addresses_of_offices_belong_to_nobody():
    words = tokens("permissions@example.org")
    assert owned_mails([(Signature(tokens("G H"), 0), Name("G", "H"))], mails_of(words)) == [None]


def test_a_mark_of_the_size_of_the_name_is_no_part_of_it():
    own = tokens_in("Ada Lovelace \u2217 , Grace Hopper")
    signed = signatures_of(own, ["name start", "name", "name", "other", "name start", "name"])
    assert [(spelled(one.tokens), one.marks) for one in signed] == [
        ("Ada Lovelace", ["*"]), ("Grace Hopper", []),
    ]  # fmt: skip


def test_an_initial_without_a_space_is_a_given_name():
    assert name_of("B.Benciolini") == Name("B.", "Benciolini")
    assert name_of("G.K.M.Tobin") == Name("G.K.M.", "Tobin")


def test_two_spanish_family_names_are_one_without_accents_too():
    assert name_of("Ana Aguilo Mondejar").family == "Aguilo Mondejar"
    assert name_of("Jacques Perret Dubois").family == "Dubois"


def test_lines_that_say_how_to_cite_the_paper_are_not_of_its_authors():
    cited = [
        ("affiliation", (72, 640, 10, "To cite this version:")),
        ("affiliation", (72, 615, 10, "Ada Lovelace. Notes. University Letters, 1843, 30.")),
        ("affiliation", (72, 580, 10, "University of London")),
    ]
    lines = [("title", TITLE), ("author", (72, 700, 12, "Ada Lovelace"))]
    shown = [line.text for line, _ in chosen(zones_of(*lines, *cited))]
    assert shown == ["Ada Lovelace", "University of London"]


def test_the_next_person_of_a_list_of_addresses_ends_the_address():
    text = "Ada Lovelace , Grace Hopper . Addresses Yale ; Grace Hopper , UCL ; Leeds"
    labels = [
        "name start", "name", "other", "name start", "name", "other", "other",
        "affiliation start", *["affiliation"] * 7,
    ]  # fmt: skip
    own = tokens_in(text)
    corrected = named_members(own, labels)
    assert [place.text for place in affiliations_of(own, corrected)] == ["Yale", "UCL; Leeds"]


def test_a_role_in_brackets_behind_a_name_is_no_affiliation():
    own = tokens_in("Ada Lovelace ( Conceptualization ) Yale University")
    labels = ["name start", "name", "other", "affiliation start", "other", "affiliation start",
              "affiliation"]  # fmt: skip
    assert [place.text for place in affiliations_of(own, labels)] == ["Yale University"]
