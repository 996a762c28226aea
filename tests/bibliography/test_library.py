"""Libraries are read back: what Rowen writes, and what Zotero exports."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rowen
from rowen.bibliography.bibtex import read_bibtex
from rowen.bibliography.csl import read_csl
from rowen.bibliography.item import name_of
from rowen.bibliography.rdf import read_rdf
from rowen.bibliography.ris import read_ris

READERS = {
    "bibtex": lambda text: list(read_bibtex(text)),
    "ris": lambda text: list(read_ris(text)),
    "csl": lambda text: list(read_csl(text, "library.json")),
}

WORDS = "abcdefgxyzÄßéø.:&%$#_~^{}\\<>ABC"
words = st.text(WORDS, min_size=1, max_size=8).filter(lambda text: any(map(str.isalpha, text)))
texts = st.lists(words, min_size=1, max_size=6).map(" ".join)
families = st.sampled_from(
    ["Knuth", "van der Berg", "Müller-Lüdenscheidt", "O'Neill", "Ó Séaghdha"]
)
names = st.builds(
    rowen.Name, given=st.sampled_from(["Donald E.", "A.", "Jean-Luc"]), family=families
)
numbers = st.integers(1, 9999).map(str)
citations = st.builds(
    rowen.Citation,
    raw=st.just(""),
    spans=st.just({}),
    authors=st.lists(names, max_size=4).map(tuple),
    title=texts,
    container=st.none() | texts,
    year=st.none() | st.integers(1500, 2099).map(str),
    volume=st.none() | numbers,
    issue=st.none() | numbers,
    pages=st.none() | st.tuples(numbers, numbers).map("-".join),
    doi=st.none() | st.sampled_from(["10.1000/abc_d(1)", "10.21105/jose.00050"]),
    url=st.none() | st.just("https://example.org/a_b?c=1"),
)
FIELDS = ("authors", "title", "container", "year", "volume", "issue", "doi", "url")


def compared(citation, format_):
    return {
        name: getattr(citation, name)
        for name in FIELDS
        # BibTeX has no container for a book, and a web page's is how it was published.
        if not (format_ == "bibtex" and name == "container")
    }


@pytest.mark.parametrize("format_", READERS)
@given(items=st.lists(citations, min_size=1, max_size=3))
def test_what_is_written_is_read_back(format_, items, tmp_path_factory):
    path = tmp_path_factory.mktemp("library") / "library"
    rowen.write_citations(path, items, format=format_)
    back = rowen.read_library(path)
    assert [compared(one, format_) for one in back] == [compared(one, format_) for one in items]
    # A single page may come back as a range of one.
    ends = [[one.pages and set(one.pages.split("-")) for one in both] for both in (back, items)]
    assert ends[0] == ends[1]


BETTER_BIBTEX = r"""
Exported by Zotero. % not an entry
@comment{ @article{no, title = {No}} }
@string{cacm = "Commun. {ACM}"}
@article{knuth_literate_1984,
	title = {Literate {P}rogramming: {\"U}ber {\LaTeX} \& more},
	volume = {27},
	issn = {0010-4620},
	doi = {10.1093/comjnl/27.2.97},
	number = 2,
	journal = cacm # { (Online)},
	author = {Knuth, Donald E. and {van der Berg}, Jan and {The {TeX} Users Group} and others},
	month = may,
	year = {1984},
	pages = {97--111},
}
@BOOK(lamport, author = "Leslie Lamport", title = "La{T}e{X}: a {"}system{"}",
  publisher = {Addison-Wesley}, address = {Reading, MA}, date = {1986-05-01})
"""


def test_bibtex_of_zotero_and_of_people():
    knuth, lamport = read_bibtex(BETTER_BIBTEX)
    assert knuth.title == "Literate Programming: Über LaTeX & more"
    assert knuth.container == "Commun. ACM (Online)"
    assert (knuth.volume, knuth.issue, knuth.pages, knuth.year) == ("27", "2", "97-111", "1984")
    assert knuth.doi == "10.1093/comjnl/27.2.97"
    assert list(map(str, knuth.authors)) == [
        "Donald E. Knuth", "Jan van der Berg", "The TeX Users Group",
    ]  # fmt: skip
    assert lamport.title == 'LaTeX: a "system"'
    assert (lamport.publisher, lamport.place, lamport.year) == (
        "Addison-Wesley", "Reading, MA", "1986",
    )  # fmt: skip
    assert str(lamport.authors[0]) == "Leslie Lamport"


RIS = """\ufeffTY  - JOUR
TI  - Literate Programming
AU  - Knuth, D. E.
AU  - Lamport, Leslie
T2  - The Computer Journal
DA  - 1984/01/01/
PY  - 1984
SP  - 97
EP  - 111
AB  - A long abstract
  that goes on.
N1  - first
line two
ER  -

TY  - BOOK
A1  - Lamport, L.
T1  - LaTeX
Y1  - 1986
ER  -
"""


def test_ris_of_zotero():
    knuth, lamport = read_ris(RIS.lstrip("\ufeff"))
    assert (knuth.title, knuth.container) == ("Literate Programming", "The Computer Journal")
    assert (knuth.year, knuth.pages, knuth.note) == ("1984", "97-111", "first line two")
    assert [name.family for name in knuth.authors] == ["Knuth", "Lamport"]
    assert (lamport.title, lamport.year, lamport.authors[0].family) == ("LaTeX", "1986", "Lamport")


RDF = """<rdf:RDF
 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:z="http://www.zotero.org/namespaces/export#"
 xmlns:dcterms="http://purl.org/dc/terms/"
 xmlns:bib="http://purl.org/net/biblio#"
 xmlns:foaf="http://xmlns.com/foaf/0.1/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:prism="http://prismstandard.org/namespaces/1.2/basic/">
 <bib:Article rdf:about="https://doi.org/10.1093/comjnl/27.2.97">
  <z:itemType>journalArticle</z:itemType>
  <dcterms:isPartOf rdf:resource="urn:issn:0010-4620"/>
  <bib:authors><rdf:Seq>
   <rdf:li><foaf:Person><foaf:surname>Knuth</foaf:surname><foaf:givenName>D. E.</foaf:givenName></foaf:Person></rdf:li>
   <rdf:li><foaf:Person><foaf:surname>The TeX Users Group</foaf:surname></foaf:Person></rdf:li>
  </rdf:Seq></bib:authors>
  <dc:title>Literate Programming &amp; more</dc:title>
  <dc:date>1984-05</dc:date>
  <bib:pages>97-111</bib:pages>
  <dc:identifier><dcterms:URI><rdf:value>https://example.org/k</rdf:value></dcterms:URI></dc:identifier>
 </bib:Article>
 <bib:Journal rdf:about="urn:issn:0010-4620">
  <prism:volume>27</prism:volume><dc:title>The Computer Journal</dc:title>
  <prism:number>2</prism:number>
  <dc:identifier>DOI 10.1093/comjnl/27.2.97</dc:identifier>
 </bib:Journal>
 <z:Attachment rdf:about="#a"><z:itemType>attachment</z:itemType><dc:title>PDF</dc:title></z:Attachment>
 <bib:Book rdf:about="#b"><z:itemType>book</z:itemType>
  <dc:publisher><foaf:Organization><foaf:name>Addison-Wesley</foaf:name></foaf:Organization></dc:publisher>
  <dc:title>LaTeX</dc:title></bib:Book>
</rdf:RDF>
"""  # noqa: E501  # as Zotero writes it


def test_rdf_of_zotero():
    knuth, lamport = read_rdf(RDF, "library.rdf")
    assert knuth.title == "Literate Programming & more"
    assert (knuth.container, knuth.volume, knuth.issue) == ("The Computer Journal", "27", "2")
    assert (knuth.year, knuth.pages, knuth.doi) == ("1984", "97-111", "10.1093/comjnl/27.2.97")
    assert knuth.url == "https://example.org/k"
    assert [name.family for name in knuth.authors] == ["Knuth", "The TeX Users Group"]
    assert (lamport.title, lamport.publisher) == ("LaTeX", "Addison-Wesley")


def test_csl_of_zotero():
    item = {
        "id": "http://zotero.org/users/1/items/A", "type": "article-journal", "title": "T",
        "author": [{"family": "Berg", "given": "Jan", "non-dropping-particle": "van der"},
                   {"literal": "TeX Users Group"}],
        "issued": {"date-parts": [["1984", 5]]}, "page": "97\u2013111", "DOI": "10.1000/x",
    }  # fmt: skip
    (citation,) = read_csl(json.dumps([item]), "x")
    assert [name.family for name in citation.authors] == ["van der Berg", "TeX Users Group"]
    assert (citation.year, citation.pages, citation.doi) == ("1984", "97-111", "10.1000/x")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", None),
        (b"plain text, no items", "has no items"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"[1, null, {}]", None),
        (b"[{" + b"[" * 100_000, "can't be read as JSON"),
        (b"<rdf>", "is not XML"),
        (b"<html/>", "its root is 'html'"),
        (b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>', "document type"),
        (b"@article{a, title = {never closed", None),
        (b"@article{a, title = " + b"{" * 50_000, None),
        (b'@article{a, title = "' + b"}" * 50_000, None),
        (b"@string{a = a # a} @article{b, title = a # a, year =", None),
    ],
)
def test_files_that_are_no_good_end_with_an_error_or_with_what_is_there(content, message, tmp_path):
    (tmp_path / "library").write_bytes(content)
    if message is None:
        rowen.read_library(tmp_path / "library")
    else:
        with pytest.raises(rowen.errors.InputError, match=message):
            rowen.read_library(tmp_path / "library")


@given(st.text('@{}=,"#\\abcAND \n<>[]TY-', max_size=300))
def test_no_text_makes_a_reader_fail(text):
    list(read_bibtex(text))
    list(read_ris(text))


@given(st.text(max_size=60))
def test_names_of_any_text_keep_a_family(text):
    name = name_of(text)
    assert name is None or name.family
