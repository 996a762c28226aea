"""Near-duplicates: what is reused equals what extraction gives; what is left of deleted ones."""

import random
import re
import sqlite3
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import hypothesis.strategies as st
import pytest
from fingerprints import reference_nearest, sketched
from hypothesis import given, settings
from pdfs import pdf

from rowen.duplicates.simhash import simhash
from rowen.storage.documents.neighbours import EmbeddedNeighbours

NEAR = re.compile(r"near; source=([0-9a-f]{32}); distance=(\d+); similarity=([01]\.\d\d)")
TITLE = "On Trees of Great Age"
AUTHOR = "Ada Example and Bob Sample"
REFERENCES = (
    "[1] C. Third. Forests by number. Journal of Woods, 3(1):1-9, 2001.",
    "[2] D. Fourth. Counting rings. Annals of Timber, 7(2):10-19, 2003.",
    "[3] E. Fifth. Roots and leaves. Botany Letters, 2(4):20-29, 2005.",
)


def words_of(seed, count=900):
    drawn = random.Random(seed)
    return [f"{drawn.choice('bcdfgklmnprst')}a{drawn.randrange(3000)}" for _ in range(count)]


def with_changes(words, count, seed=1):
    drawn = random.Random(seed)
    found = list(words)
    for at in drawn.sample(range(300, len(found)), count):
        found[at] = f"other{at}"
    return found


def made(
    words, *, title=TITLE, author=AUTHOR, abstract="All of it is about trees.", keywords="oak, elm",
    references=REFERENCES, title_size=18, late=(),
):  # fmt: skip
    """A paper: what is said first, sections of these words, and a list of references."""
    lines = [(title_size, title), (12, author), (10, "Abstract"), (10, abstract)]
    lines += [(10, f"Keywords: {keywords}"), (14, "1 Introduction")]
    lines += [(10, " ".join(words[at : at + 12])) for at in range(0, len(words), 12)]
    lines += [(14, "References"), *((10, one) for one in references)]
    pages = [lines[at : at + 45] for at in range(0, len(lines), 45)]
    placed = [
        [(72, 740 - 15 * row, size, text) for row, (size, text) in enumerate(page)]
        for page in pages
    ]
    placed[0] += late
    return pdf(placed)


def again(data):
    """The same with other bytes, as an update that changes nothing."""
    return data + b"% saved again\n"


def reuse_of(answer):
    assert answer.status_code == 200, answer.text
    return answer.headers.get("rowen-reuse")


def near_source(answer):
    found = NEAR.fullmatch(reuse_of(answer) or "")
    return found and found[1]


@pytest.fixture
def words(request):
    return words_of(request.node.name)


@pytest.fixture
def known(server, words):
    """A service that has extracted one paper, and its id."""
    return server, extracted(server, words)


def extracted(server, words):
    document = server.add(made(words))
    assert reuse_of(server.get(f"/{document}/header")) is None
    return document


FORMS = {
    "header": ("xml", "json", "tei"),
    "citations": ("xml", "json", "tei", "bibtex", "csl"),
    "body": ("xml", "json", "tei"),
    "text": ("text",),
}


def all_answers(server, document, **query):
    """All representations of a document in all their forms."""
    return {
        (stage, form): server.get(
            f"/{document}/{stage}", params=query if stage == "text" else {**query, "output": form}
        ).content
        for stage, forms in FORMS.items()
        for form in forms
    }


def assert_as_extracted(server, document):
    """What is answered for it, from wherever, is what extraction gives."""
    answers = all_answers(server, document)
    server.get(f"/{document}/header", params={"reuse": "off"})  # which extracts all stages
    fresh = all_answers(server, document, reuse="exact")
    assert answers == fresh


def test_a_paper_that_was_saved_again_has_all_of_the_first(start, paper):
    server = start()
    first, second = server.add(paper), server.add(again(paper))
    digests = [
        server.get(f"/{one}", params={"output": "json"}).json()["digest"] for one in (first, second)
    ]
    for stage in ("header", "citations", "body", "text"):
        own = server.get(f"/{first}/{stage}")
        answer = server.get(f"/{second}/{stage}")
        assert reuse_of(answer) == f"near; source={first}; distance=0; similarity=1.00"
        assert answer.text == own.text.replace(digests[0], digests[1])
        assert answer.headers["rowen-version"] == own.headers["rowen-version"]
    for stage, kind, count in (("header", "near", 1), ("body", "near", 1), ("text", "none", 0)):
        name = f'rowen_results_total{{reuse="{kind}",stage="{stage}"}}'
        assert server.number(name) == count
    assert_as_extracted(server, second)


def test_a_service_without_near_duplicates_extracts_them(start, paper):
    server = start(near=False)
    first, second, third = server.add(paper), server.add(again(paper)), server.add(paper)
    for one in (first, second):
        answer = server.get(f"/{one}/header", params={"reuse": "near"})
        assert reuse_of(answer) is None
    assert reuse_of(server.get(f"/{third}/header")) == f"exact; source={first}"
    assert server.delete(f"/{first}").status_code == 200


def test_a_stage_of_a_revision_says_how_near_it_is_where_nothing_of_it_changed(known, words):
    server, first = known
    revised = made(with_changes(words, 15))
    second = server.add(revised)
    answer = server.get(f"/{second}/header", params={"output": "json"})
    source, distance, similarity = NEAR.fullmatch(reuse_of(answer)).groups()
    assert source == first
    assert int(distance) <= 12
    assert 0.5 <= float(similarity) < 1
    assert answer.json()["title"] == TITLE
    assert "other" in server.get(f"/{second}/text").text  # its own
    assert_as_extracted(server, second)
    third = server.add(again(revised))
    assert near_source(server.get(f"/{third}/body")) == second


def test_what_may_be_reused_is_for_the_client_to_say(known, words):
    server, first = known
    second = server.add(again(made(words)))
    query = {"reuse": "exact", "output": "json"}
    assert near_source(server.get(f"/{second}/citations")) == first
    assert reuse_of(server.get(f"/{second}/citations", params=query)) is None
    assert reuse_of(server.get(f"/{second}/citations", params=query)) == f"exact; source={second}"
    for stage in ("header", "citations", "body", "text"):
        assert reuse_of(server.get(f"/{second}/{stage}", params={"reuse": "off"})) is None
    assert reuse_of(server.get(f"/{second}/header")) == f"exact; source={second}"
    rules = "kind = 'pattern'\npattern = '(?P<word>Trees)'"
    server.put("/extractors/trees", content=rules)
    asked = {"extractor": "trees"}
    assert reuse_of(server.get(f"/{second}/records", params=asked)) is None
    assert reuse_of(server.get(f"/{second}/records", params=asked)) == f"exact; source={second}"
    assert reuse_of(server.get(f"/{second}/records", params={**asked, "reuse": "off"})) is None
    assert server.get(f"/{second}/header", params={"reuse": "some"}).status_code == 422


FOOT = (72, 40, 8, "https://doi.org/10.1234/trees.17")
PLUS = "[1] C. Third. Forests in C++. Journal of Woods, 3(1):1-9, 2001."
NEIL = "[1] C. O'Neil. Forests by number. Journal of Woods, 3(1):1-9, 2001."
SPACED = "[1] A.Author C. Third. Forests by number. Journal of Woods, 3(1):1-9, 2001."
CHANGES = {
    "a title": ({}, {"title": "On Bushes of Great Age"}),
    "an author": ({}, {"author": "Mallory Else"}),
    "an apostrophe in a name": ({"author": "Ann O'Neil"}, {"author": "Ann ONeil"}),
    "an initial that moves": ({"author": "A.Author C"}, {"author": "A. AuthorC"}),
    "the size of the title": ({}, {"title_size": 10}),
    "the language in a title": ({"title": "Trees in C++"}, {"title": "Trees in C"}),
    "the end of the abstract": ({}, {"abstract": "All of it is about trees"}),
    "case in the abstract": ({}, {"abstract": "All of it is about TREES."}),
    "keywords": ({}, {"keywords": "oak, yew"}),
    "what parts keywords": ({}, {"keywords": "oak; elm"}),
    "a DOI in the foot": ({"late": [FOOT]}, {"late": [(*FOOT[:3], FOOT[3].replace("17", "18"))]}),
    "a DOI that comes": ({}, {"late": [FOOT]}),
    "an apostrophe in a reference": (
        {"references": (NEIL, *REFERENCES[1:])},
        {"references": (NEIL.replace("'", ""), *REFERENCES[1:])},
    ),
    "a sign in a reference": (
        {"references": (PLUS, *REFERENCES[1:])},
        {"references": (PLUS.replace("++", ""), *REFERENCES[1:])},
    ),
    "a space in a reference": (
        {"references": (SPACED, *REFERENCES[1:])},
        {"references": (SPACED.replace("A.Author C.", "A. AuthorC."), *REFERENCES[1:])},
    ),
    "one reference more": (
        {},
        {"references": (*REFERENCES, "[4] F. Sixth. Bark. Bark Letters, 1:1-2, 2007.")},
    ),
    "the order of references": ({}, {"references": REFERENCES[::-1]}),
    "where a reference stands": ({}, {"abstract": "Trees.", "late": [(72, 60, 8, "A note.")]}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changed_is_answered_as_extraction_does(server, change):
    words = words_of(change)
    before, after = CHANGES[change]
    first = server.add(made(words, **before))
    assert reuse_of(server.get(f"/{first}/header")) is None
    second = server.add(made(words, **after))
    assert_as_extracted(server, second)
    # And the other way round: whichever comes first, the other has its own.
    third = server.add(again(made(words, **before)))
    assert near_source(server.get(f"/{third}/header")) == first
    assert_as_extracted(server, third)


def test_of_a_bibliography_with_one_new_entry_the_others_are_known(server, words):
    """Seen by what was kept: the parts of the second are those of the first, and a few more."""
    first = server.add(made(words))
    server.get(f"/{first}/header")
    titled = server.add(made(words, title="The Same by Another Name"))
    answer = server.get(f"/{titled}/header", params={"output": "json"})
    assert (reuse_of(answer), answer.json()["title"]) == (None, "The Same by Another Name")
    other = (*REFERENCES[:2], "[3] M. Allory. What was never written. Nowhere, 1:1-2, 2024.")
    cited = server.add(made(words, references=other))
    assert near_source(server.get(f"/{cited}/header")) == first
    answer = server.get(f"/{cited}/citations", params={"output": "json"})
    assert "never written" in answer.json()["citations"][-1]["raw"]
    assert_as_extracted(server, titled)
    assert_as_extracted(server, cited)


def test_filled_in_forms_have_their_own_headers(server, words):
    """What was filled in is drawn last, as programs that fill in forms do."""
    for number in range(4):
        filled = [(330, 725, 12, f"Applicant {number} of Town {number}")]
        form = server.add(made(words, title="Application for a Permit", author="", late=filled))
        assert f"Applicant {number} of" in server.get(f"/{form}/text").text
        assert_as_extracted(server, form)


def forged(victim, seed):
    """Other words with filler that brings their simhash within 3 bits of the victim's."""
    drawn = random.Random(seed)
    own, target = words_of(f"own {seed}", 300), simhash(" ".join(victim))
    best = (simhash(" ".join(own)) ^ target).bit_count()
    for _ in range(20_000):
        filler = [f"f{drawn.getrandbits(40)}" for _ in range(8)]
        distance = (simhash(" ".join(own + filler)) ^ target).bit_count()
        if distance <= best:
            own, best = own + filler, distance
        if best <= 3:
            return own
    raise AssertionError("not forged")


def plain(words):
    """Nothing but words."""
    lines = [" ".join(words[at : at + 10]) for at in range(0, len(words), 10)]
    pages = [lines[at : at + 45] for at in range(0, len(lines), 45)]
    return pdf([[(72, 740 - 15 * n, 10, line) for n, line in enumerate(page)] for page in pages])


def test_a_forged_text_is_never_answered(server):
    victim = words_of("victim")
    first, second = server.add(plain(victim)), server.add(plain(forged(victim, "forged")))
    for stage in ("header", "citations"):
        for document in (first, second):
            assert near_source(server.get(f"/{document}/{stage}")) is None


def test_a_forged_copy_that_came_first_gives_nothing_away(server, words):
    """Documents made to be near to one that is yet to come, each wrong somewhere."""
    wrong = [
        {"title": "A Title of Mallory"},
        {"author": "Mallory Else"},
        {"abstract": "All of it is about Mallory."},
        {"keywords": "mallory, elm"},
        {"late": [(72, 40, 8, "https://doi.org/10.6666/mallory")]},
        {"references": ("[1] M. Allory. Mine. Journal of Mine, 1:1-2, 2024.",)},
        {"references": (*REFERENCES[:2], REFERENCES[2].replace("Fifth", "Mallory"))},
    ]
    for changes in wrong:
        for stage in ("header", "citations"):
            server.get(f"/{server.add(made(words, **changes))}/{stage}")
    victim = server.add(made(words))
    answers = all_answers(server, victim)
    assert not [where for where, content in answers.items() if b"allory" in content]
    assert_as_extracted(server, victim)


def test_who_was_answered_by_a_deleted_document_is_extracted(known, words):
    server, first = known
    second = server.add(again(made(words)))
    before = server.get(f"/{second}/header")
    assert near_source(before) == first
    server.delete(f"/{first}")
    after = server.get(f"/{second}/header")
    assert (reuse_of(after), after.content) == (None, before.content)
    third = server.add(again(again(made(words))))
    assert near_source(server.get(f"/{third}/citations")) == second


def test_parts_of_a_deleted_document_are_gone(known, words):
    server, first = known
    server.delete(f"/{first}")
    second = server.add(made(words, keywords="yew, elm"))
    assert reuse_of(server.get(f"/{second}/citations")) is None
    assert_as_extracted(server, second)


def test_where_an_equal_document_is_left_it_answers_instead(known, words):
    server, first = known
    equal, near = server.add(made(words)), server.add(again(made(words)))
    assert near_source(server.get(f"/{near}/header")) == first
    server.delete(f"/{first}")
    assert near_source(server.get(f"/{near}/header")) == equal
    other = server.add(again(again(made(words))))
    assert near_source(server.get(f"/{other}/header")) == equal


def entries(server):
    database = sqlite3.connect(server.data / "near.sqlite3")
    try:
        return {row[0].hex() for row in database.execute("SELECT id FROM neighbours")}
    finally:
        database.close()


def test_results_that_are_gone_are_made_again_and_the_index_is_repaired(start, words):
    server = start()
    first = extracted(server, words)
    second = server.add(again(made(words)))
    assert near_source(server.get(f"/{second}/header")) == first
    server.end()
    database = sqlite3.connect(server.data / "rowen.sqlite3")
    with database:
        database.execute("DELETE FROM results WHERE source = ?", (first,))
    database.close()
    server = start(server.data)
    assert entries(server) == {first}
    assert reuse_of(server.get(f"/{second}/header")) is None
    assert entries(server) == {second}
    assert near_source(server.get(f"/{first}/header")) == second


def test_an_index_outlives_its_service_and_is_not_missed_when_it_is_broken(start, words):
    server = start()
    first = extracted(server, words)
    server.end()
    server = start(server.data)
    second = server.add(again(made(words)))
    assert near_source(server.get(f"/{second}/header")) == first
    server.end()
    (server.data / "near.sqlite3").write_bytes(b"no database" * 1000)
    server = start(server.data)
    assert reuse_of(server.get(f"/{second}/header")) is None
    assert reuse_of(server.get(f"/{first}/header")) == f"exact; source={first}"
    third = server.add(again(again(made(words))))
    assert near_source(server.get(f"/{third}/header")) == second


def test_many_who_ask_at_once_are_all_answered(known, words):
    server, first = known
    second = server.add(again(made(words)))
    stages = ["header", "body", "citations", "text", "header", "citations"] * 2
    with ThreadPoolExecutor(len(stages)) as threads:
        answers = list(
            threads.map(lambda one: httpx.get(f"{server.url}/{second}/{one}", timeout=60), stages)
        )
    assert {answer.status_code for answer in answers} == {200}
    for stage in set(stages):
        own = [answer for answer, of in zip(answers, stages, strict=True) if of == stage]
        assert len({answer.content for answer in own}) == 1
        assert {near_source(answer) for answer in own} <= {None, first}


FINGERPRINTS = st.builds(
    lambda seed, flips: sketched(seed, *flips),
    st.integers(0, 3),
    st.lists(st.integers(0, 255), max_size=24),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(0, 9), FINGERPRINTS),
        st.tuples(st.just("remove"), st.integers(0, 9), st.none()),
        st.tuples(st.just("restart"), st.none(), st.none()),
        st.tuples(st.just("match"), st.none(), FINGERPRINTS),
    ),
    max_size=30,
)


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_the_index_answers_as_a_list_of_all_does(steps):
    entered = {}
    with tempfile.TemporaryDirectory() as folder:
        index = EmbeddedNeighbours(Path(folder), version="1")
        key = index.key
        for step, number, fingerprint in steps:
            own = f"{number or 0:032x}"
            if step == "add":
                index.add(own, fingerprint)
                entered.setdefault(own, fingerprint)
            elif step == "remove":
                index.remove(own, None)
                entered.pop(own, None)
            elif step == "restart":
                index.close()
                index = EmbeddedNeighbours(Path(folder), version="1")
                index.wait()
                assert index.key == key
            else:
                found = [one.id for one in index.nearest(fingerprint, entered.get)]
                assert found == reference_nearest(entered, fingerprint)
        index.close()


def test_another_version_has_another_key_and_knows_nothing(tmp_path):
    index = EmbeddedNeighbours(tmp_path, version="1")
    index.add("0" * 32, sketched(1))
    index.close()
    other = EmbeddedNeighbours(tmp_path, version="2")
    other.wait()
    assert other.key != index.key
    assert other.nearest(sketched(1), lambda _: None) == []
    other.close()


def written(words, *, declared="", form="html"):
    """The same as a page or a text."""
    body = [" ".join(words[at : at + 12]) for at in range(0, len(words), 12)]
    if form == "text":
        return "\n".join([TITLE, "", AUTHOR, "", *body, "", "References", *REFERENCES]).encode()
    shown = "".join(f"<p>{line}</p>" for line in (AUTHOR, *body))
    listed = "".join(f"<p>{one}</p>" for one in REFERENCES)
    head = f"<head><title>x</title>{declared}</head>"
    return f"<html>{head}<body><h1>{TITLE}</h1>{shown}<h2>References</h2>{listed}".encode()


@pytest.mark.parametrize("form", ["html", "text"])
def test_documents_without_layout_are_near_to_each_other(server, form):
    words = words_of(f"flow {form}")
    source = server.add(written(words, form=form))
    header = server.get(f"/{source}/header", params={"output": "json"})
    other = server.add(written(with_changes(words, 8), form=form))
    answer = server.get(f"/{other}/header", params={"output": "json"})
    assert near_source(answer) == source
    assert answer.json() == header.json()
    assert_as_extracted(server, other)


def test_a_page_of_other_markup_with_the_same_text_is_answered_whole(server):
    words = words_of("markup")
    source = server.add(written(words))
    server.get(f"/{source}/header")
    other = server.add(written(words).replace(b"<p>", b"<p class='other'>"))
    for stage in FORMS:
        assert near_source(server.get(f"/{other}/{stage}")) == source
    assert_as_extracted(server, other)


def test_pages_that_declare_something_else_have_headers_of_their_own(server):
    words = words_of("declared")
    source = server.add(written(words, declared='<meta name="citation_title" content="One">'))
    assert server.get(f"/{source}/header", params={"output": "json"}).json()["title"] == "One"
    meta = f'<meta name="citation_abstract" content="{"long " * 300}">'
    other = server.add(written(words, declared=meta))
    answer = server.get(f"/{other}/header", params={"output": "json"})
    assert "rowen-reuse" not in answer.headers
    assert answer.json()["title"] != "One"
    assert_as_extracted(server, other)
