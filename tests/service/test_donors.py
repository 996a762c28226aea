"""Parts of a document may come from several others that are like it."""

import random

from benchmarks.reused import Service
from pdfs import pdf

from rowen.papers.parts import memory
from rowen.text.sniffing import PDF

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def page(seed):
    """A page of random words."""
    drawn = random.Random(seed)
    words = ["".join(drawn.choices(_LETTERS, k=6)) for _ in range(240)]
    return [(72, 720 - 20 * i, 11, " ".join(words[8 * i : 8 * i + 8])) for i in range(30)]


def test_pages_that_the_nearest_document_lacks_come_from_the_next_one(tmp_path, monkeypatch):
    first = [page(number) for number in range(10)]
    second = [page("s"), *first[1:9], page("q")]
    third = [*first[:8], page("r"), page("q")]  # one page of the first, one of the second, one new
    donors = []

    def lines_on(own, block, real=memory.lines_on):
        donors.append(own.number)
        return real(own, block)

    monkeypatch.setattr(memory, "lines_on", lines_on)
    with Service(tmp_path) as service:
        for pages in (first, second):
            service.answers(service.add(pdf(pages), PDF))
        donors.clear()
        document = service.add(pdf(third), PDF)
        answers, _ = service.answers(document)
        assert donors == [8]
        assert answers == service.fresh(document)


def test_parts_of_another_form_are_not_read(tmp_path, monkeypatch):
    first = [page(number) for number in range(6)]
    revised = [*first[:5], page("r")]
    made = []

    def lines_on(own, block, real=memory.lines_on):
        made.append(own.number)
        return real(own, block)

    monkeypatch.setattr(memory, "lines_on", lines_on)
    with monkeypatch.context() as earlier:
        earlier.setattr("rowen.service.extraction.PARTS_FORM", 1)
        with Service(tmp_path) as service:
            service.answers(service.add(pdf(first), PDF))
    made.clear()
    with Service(tmp_path) as service:
        document = service.add(pdf(revised), PDF)
        answers, _ = service.answers(document)
        assert made == [0, 1, 2, 3, 4, 5]
        assert answers == service.fresh(document)
