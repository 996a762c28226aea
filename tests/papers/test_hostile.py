"""Pages that nobody sets: each is read to its end, or refused."""

import pytest
from pdfs import pdf

import rowen

PAGES = {
    "many pages": [
        [(72, 700 - 12 * i, 10, f"line {i} of {page}") for i in range(5)] for page in range(300)
    ],
    "letters all over": [
        [((37 * i) % 600, (91 * i) % 780, 3, "abcdefghij"[i % 10]) for i in range(5000)]
    ],
    "one long line": [[(1, 700, 2, "x" * 90_000)]],
    "numbers without end": [[(72, 790 - 0.1 * i, 8, str(i)) for i in range(3000)]],
    "braces before an address": [[(10, 700, 4, "{" * 20_000 + "@" * 20_000)]],
    "marks on marks": [[(10 + i % 500, 700 + i % 3, 12 - i % 2 * 6, "a1") for i in range(5000)]],
    "labels without end": [
        [(72, 760, 12, "References")]
        + [(72, 740 - 0.1 * i, 8, f"[{i}] A. B. {i}.") for i in range(3000)]
    ],
    "commas for names": [[(72, 760, 20, "A title"), (72, 740, 12, "A," * 20_000)]],
    "ands for names": [[(72, 760, 20, "A title"), (72, 740, 12, "A B and " * 5000)]],
}


@pytest.mark.parametrize("name", PAGES)
def test_hostile_pages_are_read_to_their_end(name):
    paper = rowen.read_paper(pdf(PAGES[name]))
    assert isinstance(paper.text, str)
    paper.to_dict()


LONG = ["(" * 100_000, "A. " * 50_000, "10.1234/" * 5000, "http://" * 5000, "1-" * 50_000]


@pytest.mark.parametrize("text", LONG, ids=["brackets", "initials", "DOIs", "addresses", "pages"])
def test_hostile_references_are_parsed(text):
    [found] = rowen.parse_citations([text])
    assert found.raw == text
