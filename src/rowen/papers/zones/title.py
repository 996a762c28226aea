"""The lines of the title: the candidate in the largest type that is not a journal's name.

    line                            size   label    candidate
    International Journal of Webs    24    title    no: a banner, the name of a journal
    A study of wrappers              16    header   yes, the largest of the others: the title
    for web pages                    16    title    the same stretch: part of the title
    Ada Lovelace                     12    author   smaller

Where all candidates look like journals' names, the largest of them is the title. The heading of a
section and the number of a report are never the title.
"""

import re
from collections import Counter
from collections.abc import Sequence

from rowen.citations.lexicon import lexicon_class
from rowen.papers.zones.features import body_size
from rowen.papers.zones.words import beginning_of
from rowen.pdf import Line
from rowen.pdf.stretches import Stretch, stretches_of

_PAGES = 2  # pages that are searched
_BANNER = re.compile(
    r"\b(?:journal|proceedings|transactions|annals|archives|bulletin|issn|open access|www\.)\b"
    r"|^(?:original |research |review |short |case )?(?:article|report|research|paper|review"
    r"|communication)s?$",
    re.IGNORECASE,
)
_LONGEST, _LONGEST_BANNER = 50, 8  # words
_OPENING = 3  # words by which a journal's name is recognized where it is repeated
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_AUTHORS = 0.6  # of the letters of a stretch are on lines of authors
_NAME = range(2, 5)  # words of a name
_LARGER = 1.25  # of the authors' size: a title is hardly smaller
_PARTS = frozenset({"abstract", "keywords", "introduction", "references", "section", "end"})
_HEADING = 4  # words of a numbered line that opens one of these parts: longer ones may be titles
_NUMBERED = re.compile(r"\W*(?:\d+|[IVX]+)\W*\s")
_REPORT = re.compile(r"[A-Z]{2,}[\w./\-]*\d[\w./\-]*")
# Labels that the lines of a title may have if the CRF missed it.
_UNSURE = frozenset({"title", "header", "heading", "body", "author"})

Labelled = Sequence[tuple[Line, str]]


def title_lines(labelled: Labelled) -> list[Line]:
    """The title's lines.

    Where no line is labelled `title`, or only a journal's name is, the title is the largest text of
    the first page that has more than one word.
    """
    front = [(line, label) for line, label in labelled if line.page < _PAGES]
    lines = [line for line, _ in front]
    stretches = [own for own in stretches_of(lines) if not _opens_part(_text(lines, own))]
    dated = [line.text for line in lines if _YEAR.search(line.text)]
    titled = [
        stretch for stretch in stretches if _share(front, stretch, frozenset({"title"})) > 0.4
    ]
    usual = body_size(lines)
    others = [
        stretch for stretch in stretches
        if stretch.page == 0 and 1 < _words(_text(lines, stretch)) < _LONGEST
        and stretch.size > usual - 0.6
        and (_share(front, stretch, _UNSURE) > 0.9 or stretch.size > usual + 2)
    ]  # fmt: skip
    likely = next(
        filter(None, ([stretch for stretch in group if not _banner(_text(lines, stretch), dated)]
                      for group in (titled, others))),
        titled or others,
    )  # fmt: skip
    if not likely:
        return []
    # Sizes are rounded: of nearly equal ones, more text wins over less, and then the first.
    best = max(
        likely, key=lambda stretch: (round(stretch.size), stretch.letters > 20, -stretch.first)
    )
    if best.size < usual + 0.6 or _names_authors(front, best):
        # What is left may be authors or body, below a title that has the words of a banner.
        above = [own for own in others if own.end <= best.first and own.size > _LARGER * best.size]
        best, likely = (above[-1], above) if above else (best, likely)
    # The last word of a title may be a stretch of its own.
    words = [own for own in stretches if own not in likely and _is_word(lines, own)]
    parts = [
        stretch
        for stretch in (*likely, *words)
        if abs(stretch.size - best.size) < 0.3 and stretch.page == best.page
        and _weight(lines, stretch) == _weight(lines, best)
    ]  # fmt: skip
    around = _beside(best, parts)
    return _trimmed(front[around[0].first : around[-1].end])


def _words(text: str) -> int:
    """The number of words of a text; of scripts without spaces two characters count as one."""
    unspaced = sum(letter > "\u2e7f" and letter.isalpha() for letter in text)
    return max(len(text.split()), unspaced // 2)


def _names_authors(front: Labelled, stretch: Stretch) -> bool:
    """Whether a stretch is a list of authors, by its labels or because it begins with a name."""
    if _share(front, stretch, frozenset({"author"})) > _AUTHORS:
        return True
    words = " ".join(line.text for line, _ in front[stretch.first : stretch.end]).split()
    return len(words) in _NAME and "g" in lexicon_class(words[0].lower())


def _opens_part(text: str) -> bool:
    """Whether a text is the heading of another part of the paper, or the number of a report."""
    words = len(text.split())
    heading = words == 1 or (words <= _HEADING and _NUMBERED.match(text) is not None)
    return (heading and beginning_of(text) in _PARTS) or _REPORT.fullmatch(text) is not None


def _weight(lines: Sequence[Line], stretch: Stretch) -> bool:
    """Whether most letters of a stretch are bold: names set apart below a bold title are not."""
    own = lines[stretch.first : stretch.end]
    return 2 * sum(len(line.text) for line in own if line.bold) > stretch.letters


def _is_word(lines: Sequence[Line], stretch: Stretch) -> bool:
    return _text(lines, stretch).isalpha()


def _share(front: Labelled, stretch: Stretch, labels: frozenset[str]) -> float:
    """The share of a stretch's letters on lines with one of these labels."""
    own = front[stretch.first : stretch.end]
    return sum(len(line.text) for line, label in own if label in labels) / max(stretch.letters, 1)


def _text(lines: Sequence[Line], stretch: Stretch) -> str:
    return " ".join(line.text for line in lines[stretch.first : stretch.end])


def _banner(text: str, dated: Sequence[str]) -> bool:
    """Whether a text is a journal's name, by its words or because a citation line repeats it.

    Journals print how to cite the paper: `Nature of Tests 2019, 6:3` repeats the name with a year.
    """
    words = text.split()
    opening = " ".join(words[:_OPENING])
    return len(words) <= _LONGEST_BANNER and (
        bool(_BANNER.search(text))
        or any(
            line.startswith(f"{opening} ") and _YEAR.search(line[: len(text) + 8]) for line in dated
        )
    )


def _beside(best: Stretch, parts: Sequence[Stretch]) -> list[Stretch]:
    """The best part with its neighbours, as far as no other line is between them."""
    ordered = sorted(parts, key=lambda stretch: stretch.first)
    at = ordered.index(best)
    first = end = at
    while first > 0 and ordered[first - 1].end == ordered[first].first:
        first -= 1
    while end + 1 < len(ordered) and ordered[end].end == ordered[end + 1].first:
        end += 1
    return ordered[first : end + 1]


def _trimmed(title: Labelled) -> list[Line]:
    """The title without lines at its ends that have another font and another label."""
    faces = Counter(line.font for line, label in title for _ in line.text if label == "title")
    face = faces.most_common(1)[0][0] if faces else None
    indexes = [i for i, (line, label) in enumerate(title) if label == "title" or line.font == face]
    if not indexes:
        return [line for line, _ in title]
    return [line for line, _ in title[indexes[0] : indexes[-1] + 1]]
