"""Texts that are no references: what a paper has beside its list, to be left unlabelled.

Lines of the body, headings, entries of tables of contents, rows of tables and of forms come out of
a document as if they were references where its list was cut wrongly. Passages are those of papers
with gold; contents, rows and forms are made from their words.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

from training.data import SHARED

_FORMS = (
    "Name", "Date of birth", "Address", "Signature", "Amount", "Total", "Line {n}", "Form {n}",
    "Part II", "Year ended 31 December {year}", "Enter the amount from line {n}", "Check the box",
    "Yes", "No", "Telephone", "Employer identification number", "For office use only", "Schedule A",
    "Tax year {year}", "Page {n} of {n}", "Please print", "Cat. No. {n}", "Subtotal",
)  # fmt: skip


def passages(without: frozenset[str] = frozenset()) -> list[str]:
    """Paragraphs and headings of the papers with gold, but those of some papers."""
    texts = []
    for path in sorted((SHARED / "pdf" / "gold").glob("*.json")):
        gold = json.loads(path.read_text("utf-8"))
        if gold["id"] not in without and gold["source"] == "pmc":
            texts += gold.get("body_paragraphs") or []
            texts += gold.get("section_titles") or []
    return [" ".join(text.split()) for text in texts if text.strip()]


def unlabelled(texts: Sequence[str], count: int, seed: int = 7) -> Iterator[dict[str, Any]]:
    """Rows without any field, in the form of the annotated strings."""
    draw = random.Random(seed)  # noqa: S311  # nothing secret: the same each time
    for _ in range(count):
        raw = draw.choice((_sentences, _sentences, _sentences, _line, _contents, _row, _form))(
            draw, texts
        )
        yield {"raw": raw, "spans": [], "labels": []}


def _sentences(draw: random.Random, texts: Sequence[str]) -> str:
    """One to three sentences of a paragraph."""
    sentences = re.split(r"(?<=[.?!])\s+(?=[A-Z])", draw.choice(texts))
    first = draw.randrange(len(sentences))
    return " ".join(sentences[first : first + draw.choice((1, 1, 2, 3))])[:600]


def _line(draw: random.Random, texts: Sequence[str]) -> str:
    """A line that begins and ends inside a sentence."""
    words = draw.choice(texts).split()
    first = draw.randrange(len(words))
    return " ".join(words[first : first + draw.randint(4, 25)])


def _contents(draw: random.Random, texts: Sequence[str]) -> str:
    """An entry or two of a table of contents."""
    entries = []
    for _ in range(draw.choice((1, 1, 2, 3))):
        words = _line(draw, texts).split()[: draw.randint(1, 7)]
        number = draw.choice(
            ("", f"{draw.randint(1, 9)}", f"{draw.randint(1, 9)}.{draw.randint(1, 9)}")
        )
        leader = draw.choice((" ", " . . . . . . ", " ........ ", "  "))
        title = " ".join(words).strip(",.;:").capitalize()
        entries.append(f"{number} {title}{leader}{draw.randint(1, 300)}".strip())
    return " ".join(entries)


def _row(draw: random.Random, texts: Sequence[str]) -> str:
    """A row of a table."""
    words = _line(draw, texts).split()[: draw.randint(1, 3)]
    cells = [
        draw.choice((f"{draw.random() * 100:.{draw.randint(0, 3)}f}", f"{draw.randint(0, 2100)}",
                     f"{draw.randint(1, 99)} ({draw.randint(1, 99)}%)", "–", "<0.001"))
        for _ in range(draw.randint(2, 8))
    ]  # fmt: skip
    return " ".join([*words, *cells])


def _form(draw: random.Random, texts: Sequence[str]) -> str:
    """Some lines of a form."""
    lines = [
        draw.choice(_FORMS).format(n=draw.randint(1, 99), year=draw.randint(1990, 2025))
        for _ in range(draw.randint(2, 6))
    ]
    if draw.random() < 0.4:
        lines.append(_line(draw, texts))
    return draw.choice((" ", " ", ". ", ": ")).join(lines)
