"""Tools that find lists or tables without any mark: from a page, tables of columns of texts."""

from collections.abc import Iterator
from io import StringIO

from benchmarks.optional import optional
from benchmarks.wrappers.texts import cleaned
from rowen import Page

Columns = list[list[str]]


def libextract_tables(page: Page) -> Iterator[Columns]:
    """libextract: the elements with the most children of one name. It gives elements only: here
    the children are rows and their texts and links, in order, the columns.
    """
    for element in optional("libextract.api").extract(page.text.encode()):
        rows = [_texts_and_links(child) for child in element if isinstance(child.tag, str)]
        width = max(map(len, rows), default=0)
        yield [[row[place] for row in rows if place < len(row)] for place in range(width)]


def _texts_and_links(element: object) -> list[str]:
    found = optional("lxml.etree").XPath(".//text() | .//@href")(element)
    return [text for each in found if (text := cleaned(str(each)))]


def pandas_tables(page: Page) -> Iterator[Columns]:
    """pandas: each `<table>`, its cells as texts; links are cells of their own."""
    pandas = optional("pandas")
    try:
        frames = pandas.read_html(StringIO(page.text), extract_links="body", flavor="lxml")
    except ValueError:  # no tables
        return
    for frame in frames:
        columns = []
        for place in range(frame.shape[1]):
            cells = [cell for cell in frame.iloc[:, place] if isinstance(cell, tuple)]
            columns += [
                [cleaned(text) for cell in cells if isinstance(text := cell[part], str)]
                for part in (0, 1)
            ]
        yield columns


FINDERS = {"libextract": libextract_tables, "pandas": pandas_tables}
