"""Labels for the lines of PDFs, from what their publishers say they contain.

The gold files have texts, not places. A line gets the label of the field that its letters are
found in; what gold doesn't tell (conference papers have no body, no affiliations there) is filled
in by the place and the type of lines, so that the model learns the same zones from all sources.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from rowen.papers.zones.features import body_size, usual_face
from rowen.papers.zones.typography import type_of
from rowen.pdf import Layout, Line
from rowen.pdf.furniture import furniture_of

_REFERENCES = re.compile(
    r"\W*(?:\d+\.?|[ivx]+\.)?\s*(?:references?(?: and notes)?|bibliography|bibliographie"
    r"|referencias|literature cited|works cited|literature|r e f e r e n c e s)\W*$",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"\W*(?:fig(?:ure)?|table|scheme|box|algorithm|listing)\b\.?\s*s?\d", re.IGNORECASE
)
_ORGANISATION = re.compile(
    r"universi|institut|department|dept\b|facult|hospital|college|laborator|academy|school of"
    r"|center for|centre|\binc\b|ltd\b|gmbh|corporation|research|@",
    re.IGNORECASE,
)
_NO_AUTHORS = re.compile(r"@|correspond|cite this|et al|copyright|©|licen", re.IGNORECASE)
_ABSTRACT = re.compile(r"\W*(?:a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|summary)\W*$", re.IGNORECASE)
_NAMED_ABSTRACT = re.compile(r"\W*a\s?b\s?s\s?t\s?r\s?a\s?c\s?t", re.IGNORECASE)
_NAMED_KEYWORDS = re.compile(r"\W*key\s?words\b", re.IGNORECASE)
_NAMED_NEXT = re.compile(
    r"\W*(?:key\s?words|(?:1|i)?\W*introduction|(?:1|i)?\W*background|\d\.?\s+[A-Z])", re.IGNORECASE
)
_MARKED = re.compile(r"\W*(?:\d{1,2}|[*†‡§])\s?[A-Za-z]")
_HEADING = re.compile(r"(?:\d+(?:\.\d+)*\.?\s+)?[A-Z]")
_HEADING_LINES = 4
_NUMBER = re.compile(r"^(?:\d+|[ivxl]+)+")
_BETWEEN_NAMES = re.compile(r"\d+|\b(?:and|by|md|phd|msc|dr|prof)\b", re.IGNORECASE)


def _plain(text: str | None) -> str:
    letters = unicodedata.normalize("NFKD", text or "").lower()
    return re.sub(
        r"[\W_]+", "", "".join(letter for letter in letters if not unicodedata.combining(letter))
    )


class _Field:
    """The letters of one field, or of several values of one, and how much of a line is in them."""

    def __init__(self, texts: Iterable[str | None], length: int) -> None:
        self.texts = [plain for text in texts if (plain := _plain(text))]
        self.length = length
        self.parts = {
            text[i : i + length] for text in self.texts for i in range(len(text) - length + 1)
        }

    def share(self, text: str) -> float:
        """The share of a line's letters that is in stretches of the field."""
        if not text or not self.texts:
            return 0.0
        if len(text) < self.length:
            return float(any(text in field_text for field_text in self.texts))
        covered = bytearray(len(text))
        for i in range(len(text) - self.length + 1):
            if text[i : i + self.length] in self.parts:
                covered[i : i + self.length] = b"\1" * self.length
        return sum(covered) / len(text)


def labels_of(gold: dict[str, Any], layout: Layout) -> list[str]:
    """A label for each line."""
    return _Alignment(gold, layout).labels()


class _Alignment:
    def __init__(self, gold: dict[str, Any], layout: Layout) -> None:
        self.gold = gold
        self.pages = layout.pages
        self.lines: Sequence[Line] = layout.lines
        self.plain = [_plain(line.text) for line in self.lines]
        self.size = body_size(self.lines)
        self.face = usual_face(self.lines)
        self.body = _Field(gold.get("body_paragraphs") or [], 6)
        self.found = ["body"] * len(self.lines)
        for i in furniture_of(self.lines, self.pages):
            self.found[i] = "furniture"

    def labels(self) -> list[str]:
        self._title()
        self._keywords()
        self._abstract()
        self._people()
        self._headings()
        self._references()
        self._named_parts()
        self._untold()
        return self.found

    def _open(self, pages: int | None = None) -> list[int]:
        """The lines of the first pages that have no label yet."""
        return [
            i for i, line in enumerate(self.lines)
            if self.found[i] == "body" and self.plain[i] and (pages is None or line.page < pages)
        ]  # fmt: skip

    def _runs(self, indexes: Iterable[int], apart: int) -> list[list[int]]:
        """Indexes that follow each other in one block, but for a few between."""
        runs: list[list[int]] = []
        for i in indexes:
            near = runs and self.lines[i].block == self.lines[runs[-1][-1]].block
            if near and i - runs[-1][-1] <= apart + 1:
                runs[-1].append(i)
            else:
                runs.append([i])
        return runs

    def _weight(self, run: Sequence[int]) -> int:
        return sum(len(self.plain[i]) for i in run)

    def _title(self) -> None:
        """The largest stretch of lines that has the title is it; others only mention it."""
        title = _Field([self.gold.get("title"), *(self.gold.get("title_alt") or [])], 5)
        lines = [
            i for i in self._open(pages=2)
            if self.lines[i].size >= 9 and title.share(self.plain[i]) > 0.8
        ]  # fmt: skip
        runs = [run for run in self._runs(lines, 0) if self._weight(run) > 8]
        if runs:
            best = max(
                runs,
                key=lambda run: (
                    round(max(self.lines[i].size for i in run)),
                    self._weight(run),
                ),
            )
            for i in best:
                self.found[i] = "title"

    def _abstract(self) -> None:
        """Stretches that hold the abstract's text, with what stands between their lines."""
        text = _NAMED_ABSTRACT.sub("", self.gold.get("abstract") or "")
        if not text:
            return
        abstract = _Field([text], 12)
        lines = [i for i in self._open(pages=2) if abstract.share(self.plain[i]) > 0.6]
        runs = sorted(self._runs(lines, 2), key=self._weight, reverse=True)
        seen = 0
        for run in runs:
            if seen > 0.8 * len(abstract.texts[0]) or self._weight(run) < 60:
                break
            seen += self._weight(run)
            for i in run:
                self.found[i] = "abstract"
            for before, after in pairwise(run):
                if self.lines[before].block == self.lines[after].block:
                    self.found[before + 1 : after] = ["abstract"] * (after - before - 1)
        for before, i in pairwise(range(len(self.lines))):
            ended = self.found[before] == "abstract" and self.found[i] == "body"
            if ended and self.plain[i] and abstract.texts[0].endswith(self.plain[i]):
                self.found[i] = "abstract"

    def _people(self) -> None:
        authors = [author for author in self.gold.get("authors") or [] if isinstance(author, dict)]
        names = _Field(
            [f"{author.get('given') or ''} {author.get('family') or ''}" for author in authors]
            + [author.get("family") for author in authors],
            3,
        )
        affiliations = _Field(self.gold.get("affiliations") or [], 8)
        titles = [i for i, label in enumerate(self.found) if label == "title"]
        for i in self._open(pages=2):
            line = self.lines[i]
            letters = _plain(_BETWEEN_NAMES.sub(" ", line.text))
            own = affiliations.share(_NUMBER.sub("", self.plain[i]))
            if (
                len(letters) > 2
                and names.share(letters) > 0.66
                and own < 0.7
                and not _NO_AUTHORS.search(line.text)
                and self._near_title(i, titles)
            ):
                self.found[i] = "author"
            elif len(self.plain[i]) > 6 and own > 0.6:
                self.found[i] = "affiliation"

    def _near_title(self, i: int, titles: Sequence[int]) -> bool:
        """Whether names may be the authors': under the title, and above the abstract."""
        line = self.lines[i]
        if not titles:
            return line.page == 0
        title = self.lines[titles[0]]
        if title.page != line.page or i < titles[0]:
            return False
        far = title.baseline - line.baseline > 0.45 * self.pages[line.page][1]
        return not far and not any(
            label == "abstract" and near.page == line.page and near.baseline > line.baseline
            for near, label in zip(self.lines, self.found, strict=True)
        )

    def _keywords(self) -> None:
        keywords = [_plain(keyword) for keyword in self.gold.get("keywords") or []]
        for i in self._open(pages=2) if keywords else []:
            text = self.plain[i]
            said = sum(len(keyword) for keyword in keywords if keyword in text)
            if said > 0.6 * len(text) or _NAMED_KEYWORDS.match(self.lines[i].text):
                self.found[i] = "keywords"

    def _headings(self) -> None:
        titles = {
            _NUMBER.sub("", _plain(title)) or _plain(title)
            for title in self.gold.get("section_titles") or []
        }
        for i in self._open():
            for count in range(1, _HEADING_LINES + 1):
                indexes = range(i, min(i + count, len(self.lines)))
                if self._one_heading(indexes) and self._text(indexes) in titles:
                    for k in indexes:
                        self.found[k] = "heading"
        self._typed_headings()

    def _one_heading(self, indexes: Sequence[int]) -> bool:
        """Whether lines may be one heading: of one type and one block, and not body for sure."""
        lines = [self.lines[i] for i in indexes]
        line = lines[0]
        shown = (
            line.bold
            or line.size > 9.5
            or line.text.isupper()
            or len(line.text) < 40
            or line.font != self.face
        )
        alike = len({(line.block, line.font, round(line.size)) for line in lines}) == 1
        return (
            shown
            and alike
            and all(self.found[i] == "body" and len(self.lines[i].text) < 120 for i in indexes)
        )

    def _text(self, indexes: Iterable[int]) -> str:
        text = "".join(self.plain[i] for i in indexes)
        return _NUMBER.sub("", text) or text

    def _typed_headings(self) -> None:
        """Headings that gold leaves out, such as `Funding`: they have the type of others."""
        types = Counter(
            type_of(self.lines[i]) for i, label in enumerate(self.found) if label == "heading"
        )
        usual = Counter(
            type_of(line) for line, text in zip(self.lines, self.plain, strict=True)
            if self.body.share(text) > 0.8
        )  # fmt: skip
        for i in self._open():
            line = self.lines[i]
            type_ = type_of(line)
            begins = line.text[:1].isupper() or line.text[:1].isdigit()
            rare = types[type_] > 1 and usual[type_] < types[type_]
            if rare and begins and len(line.text) < 80:
                self.found[i] = "heading"

    def _references(self) -> None:
        count = len(self.lines)
        headings = [
            i for i, line in enumerate(self.lines)
            if i > 0.2 * count and self.found[i] != "furniture" and _REFERENCES.match(line.text)
        ]  # fmt: skip
        if references := self.gold.get("references"):
            self._told_references(references, headings)
        elif headings:
            self._untold_references(headings[-1])

    def _told_references(
        self, references: Sequence[dict[str, Any]], headings: Sequence[int]
    ) -> None:
        """From the first line to the last that are mostly what gold's references say."""
        said = _Field(
            [ref.get(name) for ref in references for name in ("title", "container", "raw")], 6
        )
        stretch = range(int(0.2 * len(self.lines)), len(self.lines))
        indexes = [i for i in stretch if self.found[i] != "furniture" and self.plain[i]]
        worth = [self._worth(_letters(self.plain[i]), said) for i in indexes]
        start, end = _best_stretch(worth)
        if start == end:
            return
        first = start
        for heading in headings:
            between = [i for i in indexes if heading < i < indexes[start]]
            told_of = sum(self.body.share(self.plain[i]) for i in between)
            if heading < indexes[start] and told_of <= 0.4 * len(between):
                self.found[heading] = "reference heading"
                start -= len(between)
        for k in range(start, end):
            around = worth[max(start, k - 4) : min(end, k + 5)]
            if sum(around) > 0 or worth[k] > 0 or k < first:
                self.found[indexes[k]] = "reference"
        for i in indexes[end:]:
            self.found[i] = "after"

    def _worth(self, text: str, said: _Field) -> float:
        """What speaks for a line as part of a reference, and not of the body."""
        return said.share(text) - max(self.body.share(text), 0.4)

    def _untold_references(self, start: int) -> None:
        """All from the last heading on, to what is set like a heading again."""
        self.found[start] = "reference heading"
        over = False
        for i in range(start + 1, len(self.lines)):
            if self.found[i] == "furniture":
                continue
            line = self.lines[i]
            if i > start + 8 and len(line.text) < 80 and not re.match(r"\W*\[?\d", line.text):
                over = over or line.bold or line.size > self.size + 1.5
            self.found[i] = "after" if over else "reference"

    def _named_parts(self) -> None:
        """Abstract and keywords that gold doesn't have, where the paper names them itself."""
        for label, form, value in (
            ("abstract", _NAMED_ABSTRACT, self.gold.get("abstract")),
            ("keywords", _NAMED_KEYWORDS, self.gold.get("keywords")),
        ):
            starts = [i for i in self._named(form) if not value]
            for i in starts[:1]:
                alone = len(self.plain[i]) < 12
                self.found[i] = "abstract heading" if alone and label == "abstract" else label
                for k in range(i + 1, len(self.lines)):
                    line = self.lines[k]
                    if self.found[k] != "body" or line.page > 1 or _NAMED_NEXT.match(line.text):
                        break
                    if line.bold and not self.lines[i + 1].bold:
                        break
                    self.found[k] = label

    def _named(self, form: re.Pattern[str]) -> list[int]:
        open_ = {"body", "heading", "header", "abstract heading"}
        return [
            i for i, line in enumerate(self.lines)
            if line.page < 2 and self.found[i] in open_ and form.match(line.text)
        ]  # fmt: skip

    def _untold(self) -> None:
        """Lines that gold says nothing of."""
        if self.gold.get("abstract"):
            for i in self._named(_ABSTRACT):
                self.found[i] = "abstract heading"
        for i in self._open():
            line = self.lines[i]
            if _CAPTION.match(line.text):
                self.found[i] = "caption"
            elif line.page == 0 and (label := self._front(i)):
                self.found[i] = label
            elif not self.body.texts and self._looks_like_heading(line):
                self.found[i] = "heading"

    def _front(self, i: int) -> str:
        """What a line of the first page is that gold doesn't have; nothing where it is the body."""
        line, text = self.lines[i], self.plain[i]
        heads = [k for k, label in enumerate(self.found) if label in {"title", "author"}]
        abstracts = [k for k, label in enumerate(self.found) if label == "abstract"]
        if heads and i < heads[0]:
            return "header"
        if heads and i < (abstracts[0] if abstracts else heads[-1] + 8):
            place = _ORGANISATION.search(line.text) or (line.raised and _MARKED.match(line.text))
            if place and not self.gold.get("affiliations"):
                return "affiliation"
            return "header" if abstracts else ""
        if self.body.texts and len(text) > 5 and self.body.share(text) < 0.4:
            return "header"
        return ""

    def _looks_like_heading(self, line: Line) -> bool:
        shown = line.bold or line.size > self.size + 0.8
        short = len(line.text) < 90 and line.size >= self.size - 0.6
        return bool(
            shown
            and short
            and _HEADING.match(line.text)
            and re.search("[a-z]{3}|[A-Z]{4}", line.text)
        )


def _letters(text: str) -> str:
    """Without numbers: volumes and pages are in gold's fields, but in no stretch of letters."""
    return re.sub(r"\d+", "", text)


def _best_stretch(worth: Sequence[float]) -> tuple[int, int]:
    """Where the sum of some values is largest: from an index up to another."""
    best, stretch = 0.0, (0, 0)
    total, start = 0.0, 0
    for i, value in enumerate(worth):
        if total <= 0:
            total, start = 0.0, i
        total += value
        if total > best:
            best, stretch = total, (start, i + 1)
    return stretch
