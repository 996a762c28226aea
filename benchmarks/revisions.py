"""`python -m benchmarks.revisions [--texts N] [--pdfs N] [--seed N]`: reuse against extraction.

Random edits of the shared papers come to a service after the papers themselves. Each answer, of all
stages in all forms, is compared with that of extraction from scratch, byte by byte; and the
processor time of the two is compared by kind of edit.
"""

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.edits import PDF_EDITS, edited_layout, edited_text
from benchmarks.measure import Table
from benchmarks.reused import Service
from benchmarks.shared import DATA
from rowen.papers.paper import examine
from rowen.papers.parts import Parts
from rowen.papers.zones import zones_of
from rowen.pdf import Layout, read_layout
from rowen.text.sniffing import HTML, PDF

PDFS = sorted((DATA / "scholar" / "pdf").glob("*/*.pdf"))
TEXT = "text/plain"
EXCERPT = 60
"""Lines from the begin, the middle and the end of a paper that its text is cut down to: front, body
and references all take part, and ten thousand edits take minutes, not hours."""
IN_TURN = 40
"""How many edits of a paper come to one service."""
KEY = bytes(16)


class Tally:
    """What is counted and added up by kind of edit."""

    def __init__(self) -> None:
        self.count: defaultdict[str, int] = defaultdict(int)
        self.different: defaultdict[str, int] = defaultdict(int)
        self.fresh: defaultdict[str, float] = defaultdict(float)
        self.reused: defaultdict[str, float] = defaultdict(float)
        self.whole: defaultdict[str, int] = defaultdict(int)

    def table(self, title: str) -> Table:
        """A row for each kind."""
        table = Table(
            title,
            ("edit", "documents", "different", "all reused", "extraction, ms each", "time saved"),
        )
        for kind, count in sorted(self.count.items()):
            saved = 1 - self.reused[kind] / self.fresh[kind] if self.fresh[kind] else 0.0
            table.add(
                kind, f"{count:,}", str(self.different[kind]), f"{self.whole[kind] / count:.0%}",
                f"{1000 * self.fresh[kind] / count:.0f}", f"{saved:.0%}",
            )  # fmt: skip
        return table


@contextmanager
def new_service() -> Iterator[Service]:
    """A service in a folder of its own."""
    with TemporaryDirectory() as folder, Service(Path(folder)) as service:
        yield service


def try_document(service: Service, data: bytes, media_type: str, kind: str, tally: Tally) -> None:
    """Let a document come, and compare its answers with those of extraction."""
    document = service.add(data, media_type)
    start = time.process_time()
    fresh = service.fresh(document)
    tally.fresh[kind] += time.process_time() - start
    before = service.seconds
    answers, kinds = service.answers(document)
    tally.reused[kind] += service.seconds - before
    tally.count[kind] += 1
    tally.whole[kind] += set(kinds.values()) == {"near"}
    if answers != fresh:
        tally.different[kind] += 1
        print("DIFFERENT", kind, [where for where in fresh if fresh[where] != answers.get(where)])


def excerpt_of(path: Path) -> str:
    """A paper's lines as text, but for most of the body."""
    lines = [line.text for line in read_layout(path).lines]
    middle = len(lines) // 2
    if len(lines) > 3 * EXCERPT:
        lines = lines[:EXCERPT] + lines[middle : middle + EXCERPT] + lines[-EXCERPT:]
    return "\n".join(lines)


def as_html(text: str) -> str:
    """Lines as a page's paragraphs, the first as its heading."""
    first, *rest = (line.replace("&", "&amp;").replace("<", "&lt;") for line in text.split("\n"))
    return f"<html><body><h1>{first}</h1>\n" + "\n".join(f"<p>{line}</p>" for line in rest)


def texts(count: int, drawn: random.Random) -> Tally:
    """Edits of papers' texts: a third each as plain text, as HTML, and of the lines of the PDF."""
    tally = Tally()
    while sum(tally.count.values()) < count:
        path = drawn.choice(PDFS)
        text = excerpt_of(path)
        for kind, media_type, shown in (
            ("plain text", TEXT, text),
            ("HTML", HTML, as_html(text)),
        ):
            with new_service() as service:
                service.answers(service.add(_encoded(shown), media_type))
                for _ in range(IN_TURN):
                    other = edited_text(shown, drawn)
                    try_document(service, _encoded(other), media_type, kind, tally)
        _lines(_excerpt(read_layout(path)), drawn, tally)
    return tally


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _excerpt(layout: Layout) -> Layout:
    kept = [*layout.lines[: 2 * EXCERPT], *layout.lines[-EXCERPT:]]
    lines = kept if len(layout.lines) > 3 * EXCERPT else layout.lines
    return Layout(lines, layout.pages, layout.warnings)


def _lines(layout: Layout, drawn: random.Random, tally: Tally) -> None:
    known = Parts(KEY)
    examine(layout, zones_of(layout, words=known.words), parts=known)
    for _ in range(IN_TURN):
        other = edited_layout(layout, drawn)
        start = time.process_time()
        fresh = examine(other, zones_of(other)).paper
        middle = time.process_time()
        parts = Parts(KEY, lambda asked: {one: known.all[one] for one in asked if one in known.all})
        reused = examine(other, zones_of(other, words=parts.words), parts=parts).paper
        tally.reused["lines of PDFs"] += time.process_time() - middle
        tally.fresh["lines of PDFs"] += middle - start
        tally.count["lines of PDFs"] += 1
        if reused != fresh:
            tally.different["lines of PDFs"] += 1
            print("DIFFERENT lines of PDFs")


def pdfs(count: int, drawn: random.Random) -> Tally:
    """Edits of real PDFs, of all kinds in turn; all of a paper's come to one service."""
    tally = Tally()
    while sum(tally.count.values()) < count:
        data = drawn.choice(PDFS).read_bytes()
        with new_service() as service:
            service.answers(service.add(data, PDF))
            for kind, edit in PDF_EDITS.items():
                try_document(service, edit(data, drawn), PDF, kind, tally)
    return tally


def run(texts_count: int = 600, pdfs_count: int = 44, seed: int = 1) -> str:
    """The tables; without the shared data there is nothing to measure."""
    if not PDFS:
        return ""
    drawn = random.Random(seed)
    tables = []
    if pdfs_count:
        tally = pdfs(pdfs_count, drawn)
        tables.append(tally.table("revisions: random edits of real PDFs (target: 0 different)"))
    if texts_count:
        tally = texts(texts_count, drawn)
        tables.append(tally.table("revisions: random edits of papers' texts (target: 0 different)"))
    return "\n\n".join(map(str, tables))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=600)
    parser.add_argument("--pdfs", type=int, default=44)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    print(run(asked.texts, asked.pdfs, asked.seed))
