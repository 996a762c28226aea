import pytest
from starlette.exceptions import HTTPException

from rowen.service.negotiation import choose_form

OFFERED = ("xml", "json", "tei")


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        (None, "xml"),
        ("", "xml"),
        ("*/*", "xml"),
        ("application/json", "json"),
        ("text/xml", "xml"),
        ("Application/TEI+XML", "tei"),
        ("application/json;q=0.5, application/tei+xml;q=0.7", "tei"),
        ("text/html, application/*;q=0.9", "xml"),
        ("application/xml;q=0, */*", "json"),
        ("application/json; charset=utf-8; q=1", "json"),
        ("image/png, application/json;q=wrong, */*;q=0.1", "xml"),
    ],
)
def test_what_a_client_accepts_most_is_chosen(accept, form):
    assert choose_form(None, accept, OFFERED) == form


@pytest.mark.parametrize("accept", ["image/png", "*/*;q=0", "application/xml;q=0", ";;;,,"])
def test_what_nobody_accepts_is_not_given(accept):
    with pytest.raises(HTTPException) as caught:
        choose_form(None, accept, OFFERED)
    assert caught.value.status_code == 406


def test_output_goes_before_accept():
    assert choose_form("tei", "application/json", OFFERED) == "tei"
    with pytest.raises(HTTPException, match="422"):
        choose_form("csv", None, OFFERED)
