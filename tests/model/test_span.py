import pytest

from rowen import Span


def test_a_span_equals_the_plain_tuple():
    assert Span(78, 83) == (78, 83)
    assert {Span(78, 83)} == {(78, 83)}


def test_a_span_knows_its_text_and_length():
    span = Span(2, 5)
    assert span.of("xxCongo") == "Con"
    assert span.length == 3
    assert span.shift(2) == (4, 7)
    assert isinstance(span.shift(2), Span)


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2)])
def test_impossible_bounds_are_refused(start, end):
    with pytest.raises(ValueError, match="not a span"):
        Span(start, end)
