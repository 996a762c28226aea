"""`python -m benchmarks.structure`: paragraphs, tables and figures of the shared PMC papers.

The gold has the paragraphs of the body as texts. Papers are divided by their journals: the causes
of errors were looked at for one half only (`developed`), the other is held out.
"""

import json
import re
import unicodedata
import zlib
from collections import Counter
from typing import Any

from benchmarks.measure import Table
from benchmarks.shared import DATA

PDFS = DATA / "scholar" / "pdf"
_LEAST = 60  # letters of a paragraph that is scored


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text).lower()
    return re.sub(r"[\W_]+", "", letters)


def scores_of(gold: dict[str, Any]) -> Counter[str]:
    """Counts for one paper: paragraphs, and how many are in the text, begin, end and are equal."""
    from rowen import read_paper

    paper = read_paper(PDFS / gold["pdf"])
    text = _plain(" ".join(section.text for section in paper.body))
    own = [
        _plain(section.text[paragraph.start : paragraph.end])
        for section in paper.body
        for paragraph in section.paragraphs
    ]
    paragraphs = [plain for one in gold["body_paragraphs"] if len(plain := _plain(one)) > _LEAST]
    starts, ends = {plain[:40] for plain in own}, {plain[-40:] for plain in own}
    return Counter(
        papers=1,
        paragraphs=len(paragraphs),
        text=sum(plain[:_LEAST] in text and plain[-_LEAST:] in text for plain in paragraphs),
        begin=sum(plain[:40] in starts for plain in paragraphs),
        end=sum(plain[-40:] in ends for plain in paragraphs),
        equal=sum(plain in set(own) for plain in paragraphs),
        letters=len(text),
        gold=sum(map(len, paragraphs)),
        tables=len(paper.tables),
        cells=sum(bool(table.cells) for table in paper.tables),
        figures=len(paper.figures),
        graphics=sum(figure.graphic is not None for figure in paper.figures),
    )


def structure() -> Table:
    """The scores of both halves."""
    halves = {"developed": Counter[str](), "held out": Counter[str]()}
    for path in sorted(PDFS.glob("gold/PMC*.json")):
        gold = json.loads(path.read_text("utf-8"))
        half = "held out" if zlib.crc32((gold["journal"] or "").encode()) % 2 else "developed"
        if len(gold["body_paragraphs"]) > 3:
            halves[half] += scores_of(gold)
    table = Table(
        "papers: paragraphs of the body, PMC",
        ("journals", "papers", "paragraphs", "in the text", "begin right", "end right", "equal",
         "letters of text to gold", "tables with cells", "figures with graphic"),
    )  # fmt: skip
    for half, counts in halves.items():
        count = counts["paragraphs"]
        table.add(
            half, str(counts["papers"]), str(count),
            *(f"{counts[name] / count:.3f}" for name in ("text", "begin", "end", "equal")),
            f"{counts['letters'] / counts['gold']:.2f}",
            f"{counts['cells']} of {counts['tables']}",
            f"{counts['graphics']} of {counts['figures']}",
        )  # fmt: skip
    return table


if __name__ == "__main__":
    print(structure())
