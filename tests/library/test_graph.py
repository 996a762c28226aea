"""Who cites whom, and which papers are versions of one work: whatever the order they came in."""

from pathlib import Path

from bookshelf import citation, content, in_memory, put, read
from effort import cases
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen.library.keys import doi_key, plain, title_key
from rowen.library.library import Library
from rowen.library.selection import Selection

TITLES = ("Wrapper induction for information extraction", "On computable numbers and more", "Short")
AUTHORS = ("Nicholas Kushmerick", "Alan Turing")
DOIS = (None, None, "10.1000/one", "10.1000/TWO")

papers = st.builds(
    lambda title, author, doi, cites: {
        "title": title,
        "authors": [author],
        "doi": doi,
        "cites": cites,
    },
    st.sampled_from(TITLES),
    st.sampled_from(AUTHORS),
    st.sampled_from(DOIS),
    st.lists(
        st.tuples(st.sampled_from(TITLES), st.sampled_from(AUTHORS), st.sampled_from(DOIS)),
        max_size=2,
    ),
)  # fmt: skip


def cites(paper):
    return [
        citation(f"{author.split()[1]}. {title}. 1999.", title=title, doi=doi)
        for title, author, doi in paper["cites"]
    ]


def extracted(paper):
    return content(
        paper["title"], paper["authors"], doi=paper["doi"], citations=cites(paper), text=""
    )


def means(paper, cited):
    """Whether a reference means a paper, by the rule in words."""
    title, author, doi = cited
    if doi_key(doi) and doi_key(doi) == doi_key(paper["doi"]):
        return 2
    named = plain(author.split()[1]) in plain(" ".join(paper["authors"]))
    return int(bool(title_key(title)) and title_key(title) == title_key(paper["title"]) and named)


def groups(listed):
    """Works, by comparing every pair."""
    parents = list(range(len(listed)))

    def root(at):
        return at if parents[at] == at else root(parents[at])

    for left, one in enumerate(listed):
        for right, two in enumerate(listed[:left]):
            same_doi = doi_key(one["doi"]) and doi_key(one["doi"]) == doi_key(two["doi"])
            title = title_key(one["title"])
            same_title = title and title == title_key(two["title"])
            if same_doi or (same_title and one["authors"] == two["authors"]):
                parents[root(left)] = root(right)
    return [
        sum(root(other) == root(at) for other in range(len(listed))) for at in range(len(listed))
    ]


@settings(max_examples=cases(80, 4000), deadline=None)
@given(listed=st.lists(papers, max_size=6), again=st.data())
def test_references_and_versions_are_those_of_comparing_every_pair(listed, again):
    with in_memory() as folder:
        library = Library(Path(folder))
        ids = [put(library, f"{number}.pdf", extracted(one)) for number, one in enumerate(listed)]
        # Some are read again, and then say something else.
        for number in again.draw(st.lists(st.integers(0, 5), max_size=3)):
            if number < len(listed):
                listed[number] = again.draw(papers)
                read(library, ids[number], extracted(listed[number]))
        sizes = groups(listed)
        for number, id_ in enumerate(ids):
            details = library.details(id_)
            assert details.item.versions == sizes[number]
            assert len(details.versions) == sizes[number] - 1
            for reference, cited in zip(details.references, listed[number]["cites"], strict=True):
                scores = [
                    means(paper, cited) if other != number else 0
                    for other, paper in enumerate(listed)
                ]
                best = max(scores)
                expected = ids[scores.index(best)] if best else None
                assert (reference.cited and reference.cited.id) == expected
        references = [own for id_ in ids for own in library.details(id_).references]
        cited = [own.cited.id for own in references if own.cited]
        for id_ in ids:
            assert library.details(id_).item.cited == cited.count(id_)
        grouped = library.page(Selection(), grouped=True, limit=100)
        assert grouped.total == len(grouped.items) == round(sum(1 / size for size in sizes))
        library.close()


def test_nearly_equal_texts_are_versions_and_fall_apart_again(library):
    words = " ".join(f"word{number * 7 % 997}" for number in range(900))
    first = put(library, "a.pdf", content("A title of its own", ["A B"], text=words))
    second = put(library, "b.pdf", content("Quite another title", ["C D"], text=f"{words} end"))
    (version,) = library.details(first).versions
    assert version.item.id == second
    assert version.kinds == ("text",)
    assert version.similarity > 0.9
    read(library, second, content("Quite another title", ["C D"], text="nothing of the kind"))
    assert library.details(first).versions == []
    assert library.page(Selection(), grouped=True).total == 2


def test_a_removed_paper_leaves_its_group_and_its_citing_papers(library):
    title = "Wrapper induction for information extraction"
    one, two, three = (
        put(library, f"{n}.pdf", content(title, ["N Kushmerick"], text="")) for n in range(3)
    )
    cited = citation(f"Kushmerick. {title}.", title=title)
    citing = put(library, "c.pdf", content("Citing", ["X Y"], text="", citations=[cited]))
    assert library.details(citing).references[0].cited.id == one
    library.remove(one)
    assert {version.item.id for version in library.details(two).versions} == {three}
    assert library.details(citing).references[0].cited.id == two
    library.remove(two)
    assert library.details(three).versions == []


def test_the_venue_of_a_paper_comes_from_those_that_cite_it_unless_a_person_says_it(library):
    title = "Wrapper induction for information extraction"
    paper = put(library, "a.pdf", content(title, ["N Kushmerick"], text=""))
    cited = citation(f"Kushmerick. {title}.", title=title, container="IJCAI")
    citing = put(library, "c.pdf", content("Citing", ["X Y"], text="", citations=[cited]))
    assert library.details(paper).item.venue == "IJCAI"
    library.correct(paper, "venue", None)
    assert library.details(paper).item.venue is None
    library.correct(paper, "venue", "Proceedings of IJCAI")
    read(library, citing, content("Citing", ["X Y"], text="", citations=[cited]))
    assert library.details(paper).item.venue == "Proceedings of IJCAI"
