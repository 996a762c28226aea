"""The lines of the title: of all that may be it, what is set largest and is no journal's name."""

import re
from collections import Counter
from collections.abc import Sequence

from rowen.scholar.layout import Line
from rowen.scholar.zones.columns import body_size
from rowen.scholar.zones.stretches import Stretch, stretches_of

_PAGES = 2
_BANNER = re.compile(
    r"\b(?:journal|proceedings|transactions|annals|archives|bulletin|issn|open access|www\.)\b"
    r"|^(?:original |research |review |short |case )?(?:article|report|research|paper|review"
    r"|communication)s?$",
    re.IGNORECASE,
)
_LONGEST, _LONGEST_BANNER = 50, 8  # words
_OPENING = 3  # words by which a journal's name is known again
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_UNSURE = frozenset({"title", "header", "heading", "body", "author"})

Labelled = Sequence[tuple[Line, str]]


def title_lines(labelled: Labelled) -> list[Line]:
    """The title's lines.

    Where no line was taken for one, or a journal's name was, it is what is set largest on the first
    page, if that is not a single word.
    """
    front = [(line, label) for line, label in labelled if line.page < _PAGES]
    lines = [line for line, _ in front]
    stretches = stretches_of(lines)
    dated = [line.text for line in lines if _YEAR.search(line.text)]
    told = [one for one in stretches if _share(front, one, frozenset({"title"})) > 0.4]
    usual = body_size(lines)
    others = [
        one for one in stretches
        if one.page == 0 and 1 < len(_text(lines, one).split()) < _LONGEST
        and one.size > usual - 0.6 and (_share(front, one, _UNSURE) > 0.9 or one.size > usual + 2)
    ]  # fmt: skip
    likely = next(
        filter(None, ([one for one in group if not _banner(_text(lines, one), dated)]
                      for group in (told, others))),
        told or others,
    )  # fmt: skip
    if not likely:
        return []
    best = max(likely, key=lambda one: (round(one.size), one.letters > 20, -one.first))
    parts = [one for one in likely if abs(one.size - best.size) < 0.3 and one.page == best.page]
    around = _beside(best, parts)
    return _trimmed(front[around[0].first : around[-1].end])


def _share(front: Labelled, stretch: Stretch, labels: frozenset[str]) -> float:
    own = front[stretch.first : stretch.end]
    return sum(len(line.text) for line, label in own if label in labels) / max(stretch.letters, 1)


def _text(lines: Sequence[Line], stretch: Stretch) -> str:
    return " ".join(line.text for line in lines[stretch.first : stretch.end])


def _banner(text: str, dated: Sequence[str]) -> bool:
    """Whether a text is a journal's name: it has words for that, or a year stands behind it."""
    words = text.split()
    opening = " ".join(words[:_OPENING])
    return len(words) <= _LONGEST_BANNER and (
        bool(_BANNER.search(text))
        or any(
            line.startswith(f"{opening} ") and _YEAR.search(line[: len(text) + 8]) for line in dated
        )
    )


def _beside(best: Stretch, parts: Sequence[Stretch]) -> list[Stretch]:
    """The parts that follow one another up to the best one, and from it on."""
    ordered = sorted(parts, key=lambda one: one.first)
    at = ordered.index(best)
    first = end = at
    while first > 0 and ordered[first - 1].end == ordered[first].first:
        first -= 1
    while end + 1 < len(ordered) and ordered[end].end == ordered[end + 1].first:
        end += 1
    return ordered[first : end + 1]


def _trimmed(found: Labelled) -> list[Line]:
    """Without lines at both ends that are set in another face and were not taken for the title."""
    faces = Counter(line.font for line, label in found for _ in line.text if label == "title")
    face = faces.most_common(1)[0][0] if faces else None
    kept = [i for i, (line, label) in enumerate(found) if label == "title" or line.font == face]
    if not kept:
        return [line for line, _ in found]
    return [line for line, _ in found[kept[0] : kept[-1] + 1]]
