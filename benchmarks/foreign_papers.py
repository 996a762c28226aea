"""`python -m benchmarks.foreign_papers`: references of papers in other languages, in many layouts.

The papers are made up from the words and styles of `foreign.toml`, which nothing is trained on, and
printed by Chromium. A digest of its name holds about half of them out. A reference is found if a
citation has nearly its text.
"""

import argparse
import difflib
import random
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from training.foreign import Language, foreign, languages

from benchmarks.measure import Table
from benchmarks.printing import printed

_ALIKE = 0.9
_LABEL = re.compile(
    r"^(?:\[[^\]]{1,12}\]|\(\d+\)|\d+[.)])\s*"
)  # of lists that are numbered otherwise
_STYLES = ("articles", "chapters", "monographs")
_TEXTS = Path(__file__).with_name("foreign_papers.toml")
_WORDS = Path(__file__).with_name("foreign.toml")


@dataclass(frozen=True, slots=True)
class Made:
    """A paper that was made up: its HTML and the references in it."""

    name: str
    html: str
    references: tuple[str, ...]

    @property
    def held_out(self) -> bool:
        """Whether its errors must not be looked at."""
        return sha256(self.name.encode()).digest()[0] % 2 == 1


class Draft:
    """The texts of one paper."""

    def __init__(self, language: Language, name: str, *, size: int) -> None:
        self.draw = draw = random.Random(name)  # the same each time
        self.text = _texts()[language.code]
        self.subjects = language.words("subjects")
        # A paper has one style: one template of each kind, one way of names.
        table: dict[str, Any] = dict(language.table)
        for kind in (*_STYLES, "names", "joins"):
            if table.get(kind):
                table[kind] = [draw.choice(table[kind])]
        one = Language(language.code, table)
        rows = list(foreign([one], [], size, seed=draw.randrange(10**6)))
        self.references = sorted({_LABEL.sub("", row["raw"]) for row in rows})
        self.heading = draw.choice(self.text["references"])

    def fill(self, form: str) -> str:
        """A text with subjects in it."""
        a, b = self.draw.sample(self.subjects, 2)
        return escape(form.replace("{a}", a).replace("{b}", b))

    def paragraph(self, *, notes: Sequence[int] = ()) -> str:
        """Some sentences; `notes` are numbers of footnotes behind them."""
        sentences = [self.fill(self.draw.choice(self.text["sentences"])) for _ in range(6)]
        for at, number in enumerate(notes):
            sentences[at % 6] += f"<sup>{number}</sup>"
        return f"<p>{' '.join(sentences)}</p>"

    def front(self) -> str:
        """Title, an author and the abstract."""
        family = self.draw.choice(("A. Brandt", "M. Rossi", "L. Faure"))
        return (
            f"<h1>{self.fill(self.text['title'])}</h1><p class='author'>{family}</p>"
            f"<p class='abstract'><b>{self.text['abstract']}</b> {self.paragraph()[3:]}"
        )

    def body(self, *, paragraphs: int = 3) -> str:
        """Sections with headings."""
        return "".join(
            f"<h2>{heading}</h2>" + "".join(self.paragraph() for _ in range(paragraphs))
            for heading in self.text["headings"]
        )


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(_TEXTS.read_text("utf-8"))


Layout = Callable[[Draft], tuple[str, str]]
"""The style sheet and the body of a paper."""

_BASE = "body{font:10.5pt 'DejaVu Serif',serif} h1{font-size:17pt;text-align:center}"
_BASE += " h2{font-size:12.5pt} .author{text-align:center} p{text-align:justify;margin:.4em 0}"
_HANGING = " .r{padding-inline-start:2em;text-indent:-2em;margin:.2em 0}"


def _list(references: Sequence[str], *, mark: str = "") -> str:
    return "".join(
        f"<p class='r'>{mark.format(n=n)}{escape(raw)}</p>" for n, raw in enumerate(references, 1)
    )


def hanging(draft: Draft) -> tuple[str, str]:
    """A list with hanging indents in small type."""
    style = _BASE + _HANGING + ".r{font-size:9pt}"
    return style, f"{draft.body()}<h2>{draft.heading}</h2>{_list(draft.references)}"


def numbered(draft: Draft) -> tuple[str, str]:
    """Two columns with a numbered list."""
    style = _BASE + _HANGING + "main{columns:2;column-gap:2em}"
    return style, f"{draft.body()}<h2>{draft.heading}</h2>{_list(draft.references, mark='[{n}] ')}"


def spaced(draft: Draft) -> tuple[str, str]:
    """Paragraphs without indents, as from a word processor."""
    style = _BASE + ".r{text-align:left;margin:.7em 0} h2{font-size:10.5pt}"
    return style, f"{draft.body()}<h2>{draft.heading}</h2>{_list(draft.references)}"


def bulleted(draft: Draft) -> tuple[str, str]:
    """A list of bullets, heading in capitals with letters apart, and a biography behind it."""
    items = "".join(f"<li>{escape(raw)}</li>" for raw in draft.references)
    style = _BASE + "h2{letter-spacing:.1em;text-transform:uppercase} li{font-size:9.5pt}"
    end = f"<h2>{draft.text['headings'][-1]} II</h2>{draft.paragraph()}{draft.paragraph()}"
    return style, f"{draft.body()}<h2>{draft.heading}</h2><ul>{items}</ul>{end}"


def parted(draft: Draft) -> tuple[str, str]:
    """A list in two parts, each with a heading of its own."""
    half = len(draft.references) // 2
    first, second = (f"<h3>{part}</h3>" for part in draft.text["parts"])
    lists = f"{first}{_list(draft.references[:half])}{second}{_list(draft.references[half:])}"
    return _BASE + _HANGING, f"{draft.body()}<h2>{draft.heading}</h2>{lists}"


def noted(draft: Draft) -> tuple[str, str]:
    """References in footnotes only, some of them `ibid.`."""
    style = _BASE + (
        "@page{margin:0} .page{position:relative;height:290mm;padding:20mm;box-sizing:border-box;"
        "break-after:page} .notes{position:absolute;bottom:15mm;left:20mm;right:20mm;"
        "font-size:8.5pt;border-top:.5pt solid} .notes p{margin:.1em 0}"
    )
    pages, number = [], 0
    for start in range(0, len(draft.references), 4):
        own = draft.references[start : start + 4]
        notes = []
        for raw in own:
            number += 1
            text = draft.text["note"].replace("{reference}", raw) if number % 2 else raw
            notes.append(f"<p><sup>{number}</sup> {escape(text)}</p>")
        number += 1
        notes.append(f"<p><sup>{number}</sup> {draft.text['again']}</p>")
        numbers = range(number - len(own), number + 1)
        heading = draft.text["headings"][min(len(pages), 3)]
        text = f"<h2>{heading}</h2>{draft.paragraph(notes=numbers)}"
        text += "".join(draft.paragraph() for _ in range(3))
        pages.append(f"<div class='page'>{text}<div class='notes'>{''.join(notes)}</div></div>")
    return style, "".join(pages)


LAYOUTS: dict[str, Layout] = {
    "hanging": hanging, "numbered": numbered, "spaced": spaced, "bulleted": bulleted,
    "parted": parted, "noted": noted,
}  # fmt: skip


def made() -> Iterator[Made]:
    """The papers: German ones in all layouts three times, others once."""
    for language in languages(_WORDS):
        for layout, arrange in LAYOUTS.items():
            for number in range(3 if language.code == "de" else 1):
                name = f"{language.code}-{layout}-{number}"
                draft = Draft(language, name, size=14)
                style, body = arrange(draft)
                way = " dir='rtl'" if language.code == "ar" else ""
                html = (
                    f"<!doctype html><html lang='{language.code}'{way}><meta charset='utf-8'>"
                    f"<style>{style}</style><main>{draft.front()}{body}</main></html>"
                )
                yield Made(name, html, tuple(draft.references))


def plain(text: str) -> str:
    """Letters and digits, which is what two forms of a reference have in common."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


def matches(references: Sequence[str], citations: Sequence[str]) -> int:
    """How many references have a citation with nearly their text, each citation used once."""
    rest = [plain(raw) for raw in citations]
    hits = 0
    for reference in map(plain, references):
        alike = next((own for own in rest if own == reference), None) or next(
            (own for own in rest if _alike(reference, own)), None
        )
        if alike is not None:
            rest.remove(alike)
            hits += 1
    return hits


def _alike(text: str, other: str) -> bool:
    if not 0.8 < len(text) / max(len(other), 1) < 1.25:
        return False
    return difflib.SequenceMatcher(None, text, other, autojunk=False).ratio() >= _ALIKE


def run(*, half: bool | None = None, errors: bool = False, folder: Path | None = None) -> str:
    """Recall and precision by language and layout."""
    from rowen import read_paper

    counts: dict[str, list[int]] = {}
    for paper in made():
        if half is not None and paper.held_out != half:
            continue
        kept = folder / f"{paper.name}.pdf" if folder else None
        if kept and kept.exists():
            content = kept.read_bytes()
        else:
            content = printed(paper.html)
            if kept:
                kept.write_bytes(content)
        citations = [citation.raw for citation in read_paper(content).citations]
        own = [matches(paper.references, citations), len(paper.references), len(citations)]
        if errors and not paper.held_out:
            print(paper.name, own)
        code, layout, _ = paper.name.split("-")
        side = "held out" if paper.held_out else "developed"
        kind = "footnotes" if layout == "noted" else "lists"
        for key in (f"{code}, {kind}, {side}", f"all, {kind}, {side}"):
            counts[key] = [a + b for a, b in zip(counts.get(key, [0, 0, 0]), own, strict=True)]
    table = Table(
        "papers: references of made-up papers in other languages",
        ("papers", "printed", "read", "recall", "precision"),
    )
    for key, (hits, total, read) in sorted(counts.items()):
        table.add(key, str(total), str(read), f"{hits / total:.2f}", f"{hits / max(read, 1):.2f}")
    return str(table)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    side = parser.add_mutually_exclusive_group()
    side.add_argument("--developed", action="store_true", help="only papers that may be looked at")
    side.add_argument("--held-out", action="store_true", help="only papers that are held out")
    parser.add_argument("--errors", action="store_true", help="also counts of each developed paper")
    parser.add_argument("--keep", type=Path, help="a folder in which the PDFs are kept")
    chosen = parser.parse_args()
    half = True if chosen.held_out else False if chosen.developed else None
    if chosen.keep:
        chosen.keep.mkdir(parents=True, exist_ok=True)
    print(run(half=half, errors=chosen.errors, folder=chosen.keep))


if __name__ == "__main__":
    main()
