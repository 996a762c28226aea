"""Papers from JATS and LaTeX, other formats that are refused, and hostile ones of all of these."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowen import read_paper
from rowen.errors import DocumentError
from rowen.markup.latex import read_latex
from rowen.text.tex import divided, group_at, plain, with_macros, without_comments
from rowen.text.xml_tree import XML_DEPTH, parse_xml

JATS = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) v1.2//EN" "JATS-journalpublishing1.dtd">
<article xml:lang="en"><front><article-meta>
<article-id pub-id-type="doi">10.5299/x.1</article-id>
<title-group><article-title>On <italic>Pages</italic>&nbsp;and wrappers<xref ref-type="fn"
  rid="f1">*</xref></article-title></title-group>
<contrib-group>
<contrib contrib-type="author"><name><surname>Søndergård</surname><given-names>Ada</given-names>
  </name><xref ref-type="aff" rid="a1">1</xref><email>ada@example.org</email></contrib>
<contrib contrib-type="author"><name><surname>Babbage</surname><given-names>Charles</given-names>
  </name><xref ref-type="aff" rid="a1 a2"/></contrib>
<contrib contrib-type="editor"><name><surname>Else</surname></name></contrib></contrib-group>
<aff id="a1"><label>1</label>University of London</aff><aff id="a2">Royal Society</aff>
<pub-date><day>3</day><month>5</month><year>2021</year></pub-date>
<abstract abstract-type="graphical"><p>A picture.</p></abstract>
<abstract><p>We study.</p></abstract>
<kwd-group><kwd>pages</kwd><kwd>wrappers</kwd></kwd-group></article-meta></front>
<body><sec><title>Results</title><p>As shown <xref ref-type="bibr" rid="b2">[2]</xref>, it is.</p>
<sec><title>Speed</title><p>Fast.</p><fig><label>Fig. 1</label><caption><p>Bars.</p></caption></fig>
<table-wrap><label>Table 1</label><caption><p>Times.</p></caption><table><thead><tr><th>a</th>
<th>b</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table></table-wrap></sec></sec></body>
<back><ack><p>Thanks.</p></ack><ref-list>
<ref id="b1"><mixed-citation>Smith, A. (2020). On wrappers. Journal of Webs, 3, 14-15.
</mixed-citation></ref>
<ref id="b2"><element-citation><person-group person-group-type="author"><name>
<surname>Kim</surname><given-names>S</given-names></name></person-group><article-title>Seeds
</article-title><source>J Plants</source><year>2001</year><volume>3</volume><fpage>5</fpage>
<lpage>9</lpage><pub-id pub-id-type="doi">10.5299/y</pub-id></element-citation></ref>
</ref-list></back></article>"""

LATEX = r"""% a comment with \title{Not This}
\documentclass[runningheads]{llncs}
\newcommand{\tool}{Rowen}
\begin{document}
\title{Reading \tool{} Pages\thanks{Supported by nobody.}}
\author{Ada S{\o}nderg\aa rd\inst{1,2} \and J\'anos Erd\H{o}s\inst{2}}
\institute{University of London \and Royal Society\\ \email{ada@example.org}}
\maketitle
\begin{abstract}We study 5\% of all \emph{pages}.\keywords{pages \and wrappers.}\end{abstract}
\section{Introduction}\label{sec:one}
As shown~\cite{smith}, it is.\footnote{Not here.}
\begin{figure}\caption{Bars of $x$.}\end{figure}
\subsection{Speed}
Fast \citep[p.~3]{kim,unknown}.
\begin{thebibliography}{9}
\bibitem{smith} Smith, A. (2020). On wrappers. \emph{Journal of Webs}, 3, 14--15.
\bibitem[Kim(2001)]{kim} Kim, S. (2001). Seeds. J Plants, 3, 5--9.
\end{thebibliography}
\end{document}
"""


def test_jats_is_taken_as_it_is():
    paper = read_paper(JATS.encode("iso-8859-1"))
    assert (paper.title, paper.abstract) == ("On Pages and wrappers", "We study.")
    assert (paper.doi, paper.date, paper.language) == ("10.5299/x.1", "2021-05-03", "en")
    assert [author.family for author in paper.authors] == ["Søndergård", "Babbage"]
    assert paper.authors[0].email == "ada@example.org"
    assert paper.authors[1].affiliations == ("University of London", "Royal Society")
    assert paper.keywords == ("pages", "wrappers")
    assert [(s.heading, s.level) for s in paper.body] == [
        ("Results", 1), ("Speed", 2), ("Acknowledgements", 1),
    ]  # fmt: skip
    marker = paper.body[0].markers[0]
    assert paper.body[0].text[marker.start : marker.end] == "[2]"
    assert marker.citations == (1,)
    assert [figure.caption for figure in paper.figures] == ["Bars."]
    assert paper.tables[0].cells == (("a", "b"), ("1", ""))


def test_fields_of_jats_are_taken_and_plain_strings_are_parsed():
    plain_string, marked = read_paper(JATS.encode("iso-8859-1")).citations
    assert (plain_string.title, plain_string.container) == ("On wrappers", "Journal of Webs")
    assert (marked.title, marked.container, marked.pages) == ("Seeds", "J Plants", "5-9")
    assert (marked.authors[0].family, marked.doi) == ("Kim", "10.5299/y")
    start, end = marked.spans["title"][0]
    assert marked.raw[start:end] == "Seeds"


def test_latex_is_taken_as_it_is():
    paper = read_paper(LATEX.encode())
    assert paper.title == "Reading Rowen Pages"
    assert paper.abstract == "We study 5% of all pages."
    assert paper.keywords == ("pages", "wrappers")
    assert [str(author.family) for author in paper.authors] == ["Søndergård", "Erdős"]
    assert paper.authors[0].affiliations == ("University of London", "Royal Society")
    assert [(s.heading, s.level) for s in paper.body] == [("Introduction", 1), ("Speed", 2)]
    assert paper.body[0].text == "As shown [1], it is."
    assert paper.body[1].markers[0].citations == (1,)
    assert [figure.caption for figure in paper.figures] == ["Bars of x."]
    assert [citation.year for citation in paper.citations] == ["2020", "2001"]


def test_a_bbl_file_is_a_list_of_references():
    bbl = LATEX[LATEX.index(r"\begin{theb") : LATEX.index(r"\end{document}")]
    paper = read_paper(bbl.encode())
    assert [citation.title for citation in paper.citations] == ["On wrappers", "Seeds"]


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"%!PS-Adobe-3.0\n/x 1 def", "PostScript"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n", "an EPS graphic"),
        (rb"{\rtf1\ansi Hello}", "RTF"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><text>Hi</text></svg>', "an SVG graphic"),
        (b'{"title": "On Pages", "n": [1]}', "JSON"),
        (b'[{"title": "On Pages"}]', "JSON"),
        (b"% mine\n@Article{k,\n title = {On Pages}}", "BibTeX"),
        (b"TY  - JOUR\nTI  - On Pages\n", "RIS"),
        ("On pages, with many words. ".encode("cp500") * 4, "EBCDIC"),
        (b'<?xml version="1.0"?><TEI><text/></TEI>', "XML with the root element <TEI>"),
    ],
)
def test_other_formats_are_refused_by_name(content, name):
    with pytest.raises(DocumentError) as refusal:
        read_paper(content)
    assert refusal.value.reason == (
        f"is {name}, which can't be read; give a PDF, HTML, JATS XML, LaTeX or plain text"
    )


@pytest.mark.parametrize(
    "content",
    [
        b"[1] is a citation, and { is a brace.\n\nOn Pages",
        b"On \\documentclass\n\nA paper about LaTeX.",
        b'<?xml version="1.0"?><html><head><title>On Pages</title></head><body><p>Hi</p></html>',
        b"@ home with pages\n\nAda Lovelace",
    ],
)
def test_prose_with_signs_of_other_formats_is_still_read(content):
    assert read_paper(content).text


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("?>\n", '?><!DOCTYPE article [<!ENTITY a "b">]>\n'), "declares entities"),
        (("<body>", "<body>" + "<p>" * (XML_DEPTH + 1)), "nested"),
        (("</body>", ""), "broken XML"),
    ],
)
def test_hostile_and_broken_xml_is_refused(change, reason):
    # A document has one type declaration: that with an entity takes the place of the usual one.
    kept = JATS.replace(JATS.splitlines()[1], "") if "ENTITY" in change[1] else JATS
    with pytest.raises(DocumentError, match=reason):
        read_paper(kept.replace(*change).encode("iso-8859-1"))


def test_a_table_that_one_long_row_makes_huge_has_no_cells():
    rows = "<tr><td>x</td></tr>" * 2_000 + "<tr>" + "<td>x</td>" * 2_000 + "</tr>"
    wrap = f"<table-wrap><label>Table 1</label><table>{rows}</table></table-wrap>"
    front = "<front><article-meta><title-group><article-title>T</article-title></title-group>"
    text = f"<article>{front}</article-meta></front><body><sec>{wrap}</sec></body></article>"
    [table] = read_paper(text.encode()).tables
    assert (table.label, table.cells) == ("Table 1", ())


def test_a_marker_leads_to_a_work_once():
    text = JATS.replace('rid="b2"', f'rid="{"b2 " * 1_000}"')
    assert text != JATS
    paper = read_paper(text.encode("latin-1"))
    [marker] = [marker for section in paper.body for marker in section.markers]
    assert len(marker.citations) == 1


def test_macros_that_grow_end():
    bomb = r"\documentclass{a}\def\a{\b\b\b\b}\def\b{\c\c\c\c}\def\c{\d\d\d\d}\def\d{\e\e}"
    text = bomb + r"\begin{document}\title{\a}" + r"\a" * 1000 + r"\end{document}"
    assert len(with_macros(without_comments(text))) < 4_100_000


@given(st.text(alphabet="\\{}[]$%abc,&~ \n", max_size=60))
def test_any_tex_is_read(tex):
    read_latex(r"\documentclass{a}\begin{document}\author{" + tex + r"}\section{" + tex)
    assert "{" not in plain(tex.replace("\\", ""))
    group = group_at("{" + tex.replace("\\", ""), 0)
    assert group is None or group[0].count("{") == group[0].count("}")


@given(st.lists(st.sampled_from(["a", "{b,c}", "{}", "d e"]), min_size=1))
def test_dividing_and_joining_are_inverse(parts):
    import re

    assert divided(",".join(parts), re.compile(",")) == parts


@given(st.text(alphabet="<>/&;!?[]abc \"'=", max_size=80))
def test_any_xml_is_read_or_refused(text):
    try:
        parse_xml(f"<a>{text}", "x")
    except DocumentError as error:
        assert error.page == "x"  # noqa: PT017
