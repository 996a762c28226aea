"""Suggestions of a saved wrapper are checked: the file may come from anywhere."""

import pytest

from rowen.errors import ExtractorError
from rowen.model.suggestion import Suggestion

SAVED = {"page": "p1.html", "start": 120, "end": 128, "message": "is this a price?"}


@pytest.mark.parametrize("field", [None, "price"])
def test_a_suggestion_is_read_as_it_was_saved(field):
    suggestion = Suggestion("p1.html", 120, 128, "is this a price?", field)
    assert Suggestion.from_dict(suggestion.to_dict()) == suggestion


@pytest.mark.parametrize(
    "saved",
    [None, [], "x", {}, *({**SAVED, name: []} for name in SAVED), {**SAVED, "field": 3},
     {**SAVED, "start": True}],
)  # fmt: skip
def test_what_is_no_suggestion_is_an_error_of_the_file(saved):
    with pytest.raises(ExtractorError, match="'suggestions'"):
        Suggestion.from_dict(saved)
