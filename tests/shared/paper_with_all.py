"""A small paper that has every kind of part."""

from rowen.citations.citation import Citation, Name
from rowen.citations.markers import Marker
from rowen.elements.element import Figure, Footnote, Formula, PaperTable, Paragraph
from rowen.papers.body import Section
from rowen.papers.paper import Paper
from rowen.papers.people import Author

BOX = (1, 72.0, 600.0, 172.0, 612.0)
CELLS = (("a", "b|c"), ("1", "2"))
TEXT = "As shown [1], pages have parts.2 where a is a page. 1. first item"
KNUTH = Citation(
    "Knuth 1984.", {}, (Name("D. E.", "Knuth"),), title="Literate programming",
    container="The Computer Journal", year="1984", volume="27", pages="97-111", page=1,
    boxes=(BOX,),
)  # fmt: skip
BODY = Section(
    "1 Parts", TEXT, (Marker(9, 12, (0,), 1, (BOX,)),), 1, "1", None,
    (Paragraph(0, 51, "text", 1, (BOX,)), Paragraph(52, 65, "item", 1, (BOX,))), 1, (BOX,),
)  # fmt: skip
THANKS = Section("Acknowledgements", "We thank all.", kind="acknowledgements")
PAPER = Paper(
    "On *parts*", (Author("Ada", "Lovelace", ("London",), None),), "Short.", ("parts",), "10.1/x",
    "3 May 2019", (KNUTH,), (BODY, THANKS), "text",
    figures=(Figure("Figure 1", "A drawing.", 1, (BOX,), None, 0, 51),),
    tables=(PaperTable("Table 1", "Cells.", CELLS, 1, "n", 1, (BOX,), BOX, 0, 51),),
    formulas=(Formula("(1)", "a = b", 1, (BOX,), 0, 32),),
    footnotes=(Footnote("2", "By hand.", 1, (BOX,), 0, (31, 32)),),
    ids={"arxiv": "2001.00001", "issn": "2049-3630"}, dates={"received": "2019-05-03"},
    pages=((612.0, 792.0),), language="en", licence="CC BY 4.0",
)  # fmt: skip
