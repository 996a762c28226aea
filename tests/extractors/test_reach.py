"""How far a pattern looks, and where its fields can lie."""

import pytest

from rowen.extractors.expression import read
from rowen.extractors.reach import Extent, harmless_size
from rowen.extractors.reach import reach_of as reach_of_tree


def reach_of(pattern):
    return reach_of_tree(read(pattern))


@pytest.mark.parametrize(
    ("pattern", "extent"),
    [
        ("a(?P<x>b)c", Extent(1, 1, 2, 2)),
        ("a?(?P<x>b{1,3})", Extent(0, 1, 1, 4)),
        ("(?<=(?P<x>a{2,4}))b", Extent(-4, -2, -2, 0)),
        ("a(?=b(?P<x>c{2}))", Extent(2, 2, 4, 4)),
        ("(?<=(?P<x>a{4}))b(?=(?P<y>c{5}))", Extent(-4, -4, 6, 6)),
        ("(?=a(?<=(?P<x>b{3}a)))a", Extent(-3, -3, 1, 1)),
        ("(?P<x>a(?=(?P<y>b{7})))", Extent(0, 0, 8, 8)),
        ("a(?P<x>b)?", Extent(1, 1, 2, 2, sure=False)),
        ("a(?=(?P<x>b)?)", Extent(1, 1, 2, 2, sure=False)),
        ("(?!(?P<x>bbb))a", Extent(0, 0, 3, 3, sure=False)),
        ("(?P<x>a)|bb(?P<y>c)", Extent(0, 2, 1, 3)),
        ("(?:(?P<x>a)|(?P<y>b)){5}", Extent(0, 4, 1, 5)),
        ("abc", None),
    ],
)
def test_the_fields_lie_where_their_groups_are_look_around_included(pattern, extent):
    assert reach_of(pattern).fields == extent


@pytest.mark.parametrize(
    ("pattern", "behind", "far"),
    [
        ("abc", 0, 3),
        (r"\ba", 1, 1),
        (r"a\b", 0, 2),
        ("a(?=b(?=c))", 0, 3),
        ("(?<=a(?<=bb))c", 2, 1),
        ("(?<=a(?=bbb))c", 1, 3),
        ("aaa(?<=bb)", 0, 3),
        ("a(?=bcd)e", 0, 4),
        ("a$", 0, 3),
    ],
)
def test_look_around_counts_from_where_the_match_begins(pattern, behind, far):
    reach = reach_of(pattern)
    assert (reach.behind, reach.far) == (behind, far)


@pytest.mark.parametrize("pattern", ["a+", "aa(?<=b*)", "a(?=b*)c", "(?<=a(?=b*))c", r"(a+)\1"])
def test_patterns_without_a_bound_have_none(pattern):
    assert not reach_of(pattern).bounded


def test_a_reference_takes_as_much_as_its_group_can_hold():
    assert reach_of(r"(a{1,3})-\1").most == 7
    assert reach_of(r"(?:\1x|(a))+") is None
    assert reach_of(r"(?P<x>a)(?:\g<x>b|(?P<x>c))+") is None


@pytest.mark.parametrize(
    ("pattern", "size"),
    [("abc", 999_999), ("a?b", 499_999), (r"a\s*b", 999), ("ab|c", 499_999), ("(?=a)b", 999_999)],
)
def test_texts_on_which_a_pattern_can_not_take_long_are_known(pattern, size):
    assert harmless_size(reach_of(pattern), 1e6) == size


@pytest.mark.parametrize("pattern", ["(a+)+", "(a|a)*", "(a?){30}", "(?:a|ab){20}", r"(a+)*\1"])
def test_what_can_run_away_is_harmless_on_no_text(pattern):
    assert harmless_size(reach_of(pattern), 1e6) == -1


@pytest.mark.parametrize(
    ("pattern", "fills"),
    [
        ("(?P<x>a+)", True),
        ("(?P<x>a*)", False),
        ("(?P<x>a)?b", False),
        ("(?P<x>a)|b", False),
        ("(?P<x>a)|(?P<y>b)", True),
        ("(a)(?P<x>b?)", False),
        ("(?:(?P<x>a)b)+", True),
        ("(?=(?P<x>a))", False),
    ],
)
def test_whether_a_field_always_holds_a_character_is_known(pattern, fills):
    assert reach_of(pattern).fills is fills
