"""Markers of citations in the body: how many lead to a reference, and how many to the right one.

Papers of PMC have their references in the gold in the order of their numbers. A number that a
marker names leads to the right one if the title that the gold has for it stands in what was found.
Paragraphs of the gold have markers in square brackets as they are printed: how many of these are
found, and lead to references, is told where a paper has at least five.
"""

import json
import re
from collections import Counter
from typing import TYPE_CHECKING

from benchmarks.measure import Table
from benchmarks.shared import DATA

if TYPE_CHECKING:
    from rowen import Paper

_PDFS = DATA / "scholar" / "pdf"
_NUMBERS = re.compile(r"[\s\[\](]*\d{1,3}(?:[\s,;\[\]()\u2013-]+\d{1,3})*[\s\])]*$")
_SQUARE = re.compile(r"\[\d{1,3}(?:[\s,\u2013-]+\d{1,3})*\]")


def _digits(text: str) -> str:
    """A marker without blanks, with plain dashes."""
    return re.sub(r"\s", "", text).replace("\u2013", "-")


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()


def markers() -> Table:
    """By source; the references that are right only where the gold can tell."""
    from rowen import read_paper

    table = Table(
        "papers: markers of citations in the body",
        (
            "source",
            "papers",
            "markers",
            "linked",
            "references cited",
            "checked",
            "right",
            "of gold's [n]",
        ),
    )

    for source in sorted(folder.name for folder in _PDFS.iterdir() if folder.name != "gold"):
        counts: Counter[str] = Counter()
        for path in sorted((_PDFS / source).glob("*.pdf")):
            paper = read_paper(path)
            found = [marker for section in paper.body for marker in section.markers]
            counts["papers"] += 1
            counts["markers"] += len(found)
            counts["linked"] += sum(bool(marker.citations) for marker in found)
            counts["references"] += len(paper.citations)
            counts["cited"] += len({one for marker in found for one in marker.citations})
            gold = json.loads((_PDFS / "gold" / f"{path.stem}.json").read_text("utf-8"))
            _recall(paper, gold.get("body_paragraphs") or [], counts)
            _check(paper, [one.get("title") for one in gold.get("references") or ()], counts)
        table.add(
            source, str(counts["papers"]), str(counts["markers"]),
            f"{counts['linked'] / max(counts['markers'], 1):.3f}",
            f"{counts['cited'] / max(counts['references'], 1):.3f}",
            str(counts["checked"]),
            f"{counts['right'] / counts['checked']:.3f}" if counts["checked"] else "",
            f"{counts['found'] / counts['expected']:.3f}" if counts["expected"] else "",
        )  # fmt: skip
    return table


def _check(paper: "Paper", titles: list[str | None], counts: Counter[str]) -> None:
    """The first and the last number of each marker."""
    for section in paper.body:
        for marker in section.markers:
            shown = section.text[marker.start : marker.end]
            if not marker.citations or not _NUMBERS.match(shown):
                continue
            numbers = [int(number) for number in re.findall(r"\d+", shown)]
            for number, place in {
                (numbers[0], marker.citations[0]),
                (numbers[-1], marker.citations[-1]),
            }:
                title = titles[number - 1] if 0 < number <= len(titles) else None
                if title and len(_letters(title)) > 10:
                    counts["checked"] += 1
                    raw = _letters(paper.citations[place].raw)
                    counts["right"] += _letters(title)[:30] in raw


def _recall(paper: "Paper", gold: list[str], counts: Counter[str]) -> None:
    """The gold's markers in square brackets, as often as they occur."""
    expected = Counter(_digits(one) for text in gold for one in _SQUARE.findall(text))
    if expected.total() >= 5:
        found = Counter(
            _digits(section.text[marker.start : marker.end])
            for section in paper.body
            for marker in section.markers
            if marker.citations
        )
        counts["expected"] += expected.total()
        counts["found"] += (expected & found).total()


if __name__ == "__main__":
    print(markers())
