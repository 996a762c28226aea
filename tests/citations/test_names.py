"""Lists of names in the styles that references and headers print."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen.citations.names import parse_names

LISTS = {
    "Smith, J., Doe, M.": ["J.|Smith", "M.|Doe"],
    "J. Smith, M. Doe, and K. L. Jones": ["J.|Smith", "M.|Doe", "K. L.|Jones"],
    "Smith J, Doe MR, van der Berg K": ["J|Smith", "MR|Doe", "K|van der Berg"],
    "Smith, John and Mary Doe": ["John|Smith", "Mary|Doe"],
    "Smith, John": ["John|Smith"],
    "John Smith": ["John|Smith"],
    "Smith, J., K. Jones, and L. Brown": ["J.|Smith", "K.|Jones", "L.|Brown"],
    "Nair RP, Henseler T, Jenisch S, et al.": ["RP|Nair", "T|Henseler", "S|Jenisch"],
    "Aerts, W.J.; Hermanns, J.M.M.": ["W.J.|Aerts", "J.M.M.|Hermanns"],
    "W.J. Aerts – J.M.M. Hermanns (eds.)": ["W.J.|Aerts", "J.M.M.|Hermanns"],
    "World Health Organization": ["|World Health Organization"],
    "Beethoven, Ludwig van": ["Ludwig|van Beethoven"],
    "Knuth, D. E": ["D. E.|Knuth"],
    "Smith, J. R., Jr., & Doe, A.-M.": ["J. R.|Smith", "A.-M.|Doe"],
    "G. Tejeda, B. Mate, J. M. Fernandez-Sanchez et al": [
        "G.|Tejeda",
        "B.|Mate",
        "J. M.|Fernandez-Sanchez",
    ],
    "Maren Hans / Antje Ginnold (Hg.)": ["Maren|Hans", "Antje|Ginnold"],
    "Stengers, Isabelle, and Bruno Latour": ["Isabelle|Stengers", "Bruno|Latour"],
    "Wang, Wei, Li, Na, and Zhang, Min": ["Wei|Wang", "Na|Li", "Min|Zhang"],
    "Ford Versypt A. N.": ["A. N.|Ford Versypt"],
    "Siqueira JF Jr, Santos KR": ["JF|Siqueira", "KR|Santos"],
    "Jackson, J. A., & Davis, W. E. Jr": ["J. A.|Jackson", "W. E.|Davis"],
    "The pandas development team": ["|The pandas development team"],
    "United Nations Office on Drugs and Crime": ["|United Nations Office on Drugs and Crime"],
    "M. H. dalla Chiara": ["M. H.|dalla Chiara"],
    "": [],
    " , ; et al.": [],
}


@pytest.mark.parametrize("text", LISTS)
def test_names_come_out_of_lists_in_all_styles(text):
    assert [f"{name.given}|{name.family}" for name in parse_names(text)] == LISTS[text]


@given(st.text(st.sampled_from("ABab .,;&-()é1’"), max_size=60))
def test_any_text_gives_names_with_letters(text):
    for name in parse_names(text):
        assert any(letter.isalpha() for letter in name.family)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Smith", "O'Neil", "van der Berg", "Müller", "Garcia-Lopez"]),
            st.sampled_from(["J.", "K. L.", "A.-M.", "R."]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["inverted", "natural", "bare"]),
)
def test_what_a_style_prints_is_read_back(people, style):
    forms = {
        "inverted": lambda family, given: f"{family}, {given}",
        "natural": lambda family, given: f"{given} {family}",
        "bare": lambda family, given: f"{family} {given.translate({46: None, 32: None, 45: None})}",
    }
    text = ", ".join(forms[style](family, given) for family, given in people)
    assert [name.family for name in parse_names(text)] == [family for family, _ in people]
