"""The queue in the database: who is next, when a paper is tried again, and when not."""

from bookshelf import content, document

from rowen.library import waiting


def test_papers_are_read_in_the_order_in_which_they_came(library):
    added = [document(f"{number}.pdf") for number in range(3)]
    for own in added:
        library.add(own)
    first = library.next_waiting()
    second = library.next_waiting(but={first.number})
    third = library.next_waiting(but={first.number, second.number})
    assert [own.id for own in (first, second, third)] == [own.id for own in added]
    assert library.next_waiting(but={own.number for own in (first, second, third)}) is None
    library.put_content(second.number, content("Read"), "1")
    assert library.next_waiting(but={first.number}).id == third.id
    assert library.counts() == {"waiting": 2, "ready": 1, "failed": 0}


def test_a_fault_that_may_pass_is_tried_again_later_and_later_and_not_for_ever(library):
    library.add(document("a.pdf"))
    paper = library.next_waiting()
    pauses, now = [], 1000.0
    with library._writing() as do:  # the clock is an argument there
        for attempt in range(waiting.READ_ATTEMPTS):
            ended = waiting.put_failure(do, paper.number, "the disk is full", final=False, now=now)
            assert ended == (attempt == waiting.READ_ATTEMPTS - 1)
            if not ended:
                due = waiting.next_due(do)
                assert waiting.next_waiting(do, now=due - 0.1) is None
                assert waiting.next_waiting(do, now=due) == paper
                pauses.append(due - now)
                now = due
    assert pauses == [2.0, 4.0, 8.0, 16.0]
    assert library.counts()["failed"] == 1
    assert library.next_waiting() is None


def test_a_paper_that_can_not_be_read_fails_at_once_until_somebody_asks_again(library):
    library.add(document("a.pdf"))
    paper = library.next_waiting()
    library.put_failure(paper.number, "it is not a PDF", final=True)
    (item,) = library.items([paper.id])
    assert (item.state, item.reason) == ("failed", "it is not a PDF")
    assert [event.kind for event in library.details(paper.id).events] == ["added", "failed"]
    assert library.read_again() == 1
    again = library.next_waiting()
    assert (again.id, again.fresh) == (paper.id, True)
    library.remove(paper.id)
    library.put_content(again.number, content("Late"), "1")  # it was removed while it was read
    assert library.counts() == {"waiting": 0, "ready": 0, "failed": 0}
