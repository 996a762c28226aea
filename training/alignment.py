"""Labels for the lines of PDFs, from what their publishers say they contain.

The gold files have texts, not places. A line gets the label of the field that its text is found
in; what gold doesn't tell (conference papers have no body, no affiliations there) is filled in by
the place and the type of lines, so that the model learns the same zones from all sources.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from rowen.scholar.layout import Layout, Line
from rowen.scholar.layout.furniture import furniture_of
from rowen.scholar.zones.columns import body_size

_REFERENCES = re.compile(
    r"\W*(?:\d+\.?|[ivx]+\.)?\s*(?:references?(?: and notes)?|bibliography"
    r"|literature cited|works cited|literature|r e f e r e n c e s)\W*$",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"\W*(?:fig(?:ure)?|table|scheme|box|algorithm|listing)\b\.?\s*\d", re.IGNORECASE
)
_ORGANISATION = re.compile(
    r"universi|institut|department|dept\b|facult|hospital|college|laborator|academy|school of"
    r"|center for|centre|\binc\b|ltd\b|gmbh|corporation|research|@",
    re.IGNORECASE,
)
_NO_AUTHORS = re.compile(r"@|correspond|cite this|et al|copyright|©|licen", re.IGNORECASE)
_NO_AFFILIATION = re.compile(r"correspond|@|cite|license|copyright|received", re.IGNORECASE)
_ABSTRACT = re.compile(r"\W*(?:a\s?b\s?s\s?t\s?r\s?a\s?c\s?t|summary)\W*$", re.IGNORECASE)
_NAMED_ABSTRACT = re.compile(r"\W*a\s?b\s?s\s?t\s?r\s?a\s?c\s?t\b", re.IGNORECASE)
_NAMED_KEYWORDS = re.compile(r"\W*key\s?words\b", re.IGNORECASE)
_NAMED_NEXT = re.compile(
    r"\W*(?:key\s?words|(?:1|i)?\W*introduction|(?:1|i)?\W*background|\d\.?\s+[A-Z])", re.IGNORECASE
)
_MARKED = re.compile(r"\W*(?:\d{1,2}|[*†‡§])\s?[A-Za-z]")
_HEADING = re.compile(r"(?:\d+(?:\.\d+)*\.?\s+)?[A-Z]")
_NUMBER = re.compile(r"^(?:\d+|[ivxl]+)+")


def _plain(text: str | None) -> str:
    letters = unicodedata.normalize("NFKD", text or "").lower()
    return re.sub(r"[\W_]+", "", "".join(one for one in letters if not unicodedata.combining(one)))


def _words(text: str) -> list[str]:
    letters = unicodedata.normalize("NFKD", text).lower()
    return re.findall(
        r"[a-z0-9]+", "".join(one for one in letters if not unicodedata.combining(one))
    )


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
        self.found = ["body"] * len(self.lines)
        for i in furniture_of(self.lines, self.pages):
            self.found[i] = "furniture"

    def labels(self) -> list[str]:
        self._header()
        self._headings()
        self._references()
        self._one_title()
        self._authors_near_title()
        self._named_parts()
        self._untold()
        return self.found

    def _open(self, pages: int | None = None) -> list[int]:
        """The lines of the first pages that have no label yet."""
        return [
            i for i, line in enumerate(self.lines)
            if self.found[i] == "body" and self.plain[i] and (pages is None or line.page < pages)
        ]  # fmt: skip

    def _header(self) -> None:
        gold = self.gold
        title, abstract = _plain(gold.get("title")), _plain(gold.get("abstract"))
        families = {
            _plain(one.get("family")) for one in gold.get("authors") or [] if isinstance(one, dict)
        }
        affiliations = [_plain(one) for one in gold.get("affiliations") or []]
        keywords = [_plain(one) for one in gold.get("keywords") or []]
        for i in self._open(pages=2):
            text, line = self.plain[i], self.lines[i]
            before = self.found[i - 1] if i else ""
            if line.size >= 9 and len(text) > (3 if before == "title" else 8) and text in title:
                self.found[i] = "title"
            elif abstract and (
                (len(text) > 20 and text[:40] in abstract)
                or (before == "abstract" and text in abstract)
            ):
                self.found[i] = "abstract"
            elif (
                self._names_share(text, families) > 0.25
                and len(text) < 200
                and not _NO_AUTHORS.search(line.text)
            ):
                self.found[i] = "author"
            elif len(text) > 6 and any(
                _NUMBER.sub("", text) in one or (len(one) > 10 and one in text)
                for one in affiliations
            ):
                self.found[i] = "affiliation"
            elif keywords and (
                sum(len(one) for one in keywords if one in text) > 0.5 * len(text)
                or re.match(r"\W*key ?words", line.text, re.IGNORECASE)
            ):
                self.found[i] = "keywords"

    def _names_share(self, text: str, families: set[str]) -> float:
        letters = re.sub(r"\d", "", text)
        named = sum(len(one) for one in families if len(one) > 1 and one in text)
        return named / len(letters) if letters else 0.0

    def _headings(self) -> None:
        titles = {
            _NUMBER.sub("", _plain(one)) or _plain(one)
            for one in self.gold.get("section_titles") or []
        }
        for i in self._open():
            line = self.lines[i]
            text = _NUMBER.sub("", self.plain[i]) or self.plain[i]
            shown = line.bold or line.size > 9.5 or line.text.isupper() or len(line.text) < 40
            if text in titles and len(line.text) < 120 and shown:
                self.found[i] = "heading"

    def _references(self) -> None:
        count = len(self.lines)
        starts = [
            i for i, line in enumerate(self.lines)
            if i > 0.2 * count and self.found[i] != "furniture" and _REFERENCES.match(line.text)
        ]  # fmt: skip
        if not starts:
            return
        start = starts[-1]
        self.found[start] = "reference heading"
        rest = [i for i in range(start + 1, count) if self.found[i] != "furniture"]
        told = self.gold.get("references") or []
        known = {
            word for one in told
            for field in ("raw", "title", "container")
            for word in _words(one.get(field) or "")
        }  # fmt: skip
        over = False
        for i in rest:
            line = self.lines[i]
            if told:
                words = _words(line.text)
                over = sum(word in known for word in words) < 0.5 * len(words)
            elif i > start + 8 and len(line.text) < 80 and not re.match(r"\W*\[?\d", line.text):
                over = over or line.bold or line.size > self.size + 1.5
            self.found[i] = "after" if over else "reference"
        for at, i in enumerate(rest):  # one line amid others is no end
            around = rest[max(at - 3, 0) : at] + rest[at + 1 : at + 4]
            if told and sum(self.found[k] == "reference" for k in around) >= 4:
                self.found[i] = "reference"

    def _one_title(self) -> None:
        """The largest stretch that has the title is it; others only mention it."""
        runs: list[list[int]] = []
        for i, label in enumerate(self.found):
            if label == "title":
                if runs and i - runs[-1][-1] <= 2:
                    runs[-1].append(i)
                else:
                    runs.append([i])
        if not runs:
            return
        best = max(
            runs,
            key=lambda run: (
                max(self.lines[i].size for i in run),
                sum(len(self.plain[i]) for i in run),
            ),
        )
        for run in runs:
            if run is not best:
                for i in run:
                    self.found[i] = self._elsewhere(i)

    def _elsewhere(self, i: int) -> str:
        return "header" if self.lines[i].page == 0 else "body"

    def _authors_near_title(self) -> None:
        titles = [self.lines[i] for i, label in enumerate(self.found) if label == "title"]
        abstracts = [self.lines[i] for i, label in enumerate(self.found) if label == "abstract"]
        for i, line in enumerate(self.lines):
            if self.found[i] != "author":
                continue
            far = titles and (
                titles[0].page != line.page
                or abs(titles[0].baseline - line.baseline) > 0.45 * self.pages[line.page][1]
            )
            if far or any(
                one.page == line.page and one.baseline > line.baseline for one in abstracts
            ):
                self.found[i] = self._elsewhere(i)

    def _named_parts(self) -> None:
        """Abstract and keywords that gold doesn't have, where the paper names them itself."""
        for label, form, told in (
            ("abstract", _NAMED_ABSTRACT, self.gold.get("abstract")),
            ("keywords", _NAMED_KEYWORDS, self.gold.get("keywords")),
        ):
            starts = [i for i in self._named(form) if not told]
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
        body = _plain(" ".join(self.gold.get("body_paragraphs") or []))
        for i in self._open():
            line = self.lines[i]
            if _CAPTION.match(line.text):
                self.found[i] = "caption"
            elif line.page == 0 and (label := self._front(i, body)):
                self.found[i] = label
            elif not body and self._looks_like_heading(line):
                self.found[i] = "heading"
        if self.gold.get("abstract"):
            for i in self._named(_ABSTRACT):
                self.found[i] = "abstract heading"

    def _front(self, i: int, body: str) -> str:
        """What a line of the first page is that gold doesn't have; nothing where it is the body."""
        line, text = self.lines[i], self.plain[i]
        heads = [k for k, label in enumerate(self.found) if label in {"title", "author"}]
        abstracts = [k for k, label in enumerate(self.found) if label == "abstract"]
        if heads and i < heads[0]:
            return "header"
        if heads and i < (abstracts[0] if abstracts else heads[-1] + 8):
            if _ORGANISATION.search(line.text) or (line.raised and _MARKED.match(line.text)):
                return "affiliation"
            return "header" if abstracts else ""
        if body and len(text) > 5 and text[:40] not in body:
            small = line.size < self.size - 0.4 and i < 60 and not _NO_AFFILIATION.search(line.text)
            return "affiliation" if small and _ORGANISATION.search(line.text) else "header"
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
