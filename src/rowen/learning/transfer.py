"""Transfer: rules for a layout of which no page is marked.

Some sites have two layouts. Where the learned rules find nothing on a group of unlabelled pages,
these are searched for what looks like the values on the other pages: the same shape, the same
words, the same label, in the page's title or not. Each place that is on most of these pages, and
holds something else on each, is a candidate column; a field gets the one that fits it clearly best.
What is learned this way is a guess, and is said to be one.

    marked layout    <td>Phone</td><td>(617) 555-1000</td>         (617) 555-1000, (512) 555-7321
    other layout     <h3>Call</h3><p>(303) 555-4444</p>            phone: the text after Call
                     <h3>Where</h3><p>12 Oak St</p>                no phone
"""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rowen.landmarks.learn import learn_doubting, learn_token
from rowen.landmarks.occurrence import tag_name
from rowen.landmarks.votes import Votes
from rowen.learning.partial_marks import VOTERS
from rowen.model import NoConsistentWrapper, Page
from rowen.model.suggestion import Suggestion
from rowen.records import Example, Record
from rowen.wrappers.base import Wrapper
from rowen.wrappers.mixture import Mixture
from rowen.wrappers.profile import shape_of
from rowen.wrappers.token.outline import Outline
from rowen.wrappers.token.wrapper import Token

LEAST_PAGES = 2
"""A layout has at least this many pages: on a single one nothing shows what varies."""

MOST_PAGES = 8
"""Limit: rules are learned from at most this many pages of the other layout."""

FOUND = 0.5
"""Where no more than this share of the fields is found, a page has another layout. And this share
of the fields has to have a column in the other layout, else the pages hold something else."""

FITS = 0.55
CLEARLY = 0.08
"""A column has to fit a field this well, and better than other columns by this much."""

OFTEN = 0.5
"""A column has a value on this share of the pages."""

REPEATED = 3
"""What comes more often than this on a page is a list of other things."""

LONGEST = 300
"""Limit: longer texts are prose, and look like nothing."""

WEIGHTS = {"shape": 0.3, "words": 0.3, "title": 0.15, "label": 0.15, "tag": 0.1}
"""How much each likeness of a column and a field counts."""

_LABELLED = re.compile(r"\s*([^\W\d_][^:<>\n]{0,30}:)\s+(?=\S)")
_WORD = re.compile(r"\w+")
_MACHINERY = ("title", "script", "style")
_TITLE = re.compile(r"<title[^>]*>(.*?)</title", re.DOTALL | re.IGNORECASE)


@dataclass(slots=True)
class Column:
    """The values of a field, or of a place on the pages of another layout."""

    label: str = ""
    bounds: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Where they are, by number of page."""
    texts: list[str] = field(default_factory=list)
    titled: int = 0
    """How many of them are in the title of their page."""
    most: int = 1
    """How often the place comes on a page."""
    tags: set[int] = field(default_factory=set)
    """The names of the tags before them."""

    def add(self, text: str, tag: int, title: str) -> None:
        """Add a value, the name of the tag before it, and the title of its page."""
        self.texts.append(text)
        self.tags.add(tag)
        self.titled += _plain(text) in title

    def in_title(self) -> float:
        """The share of values that are in the title of their page."""
        return self.titled / max(len(self.texts), 1)


def learn_other_layout(
    wrapper: Wrapper, examples: Sequence[Example], pages: Sequence[Page]
) -> Wrapper:
    """The wrapper, with rules for pages on which it finds little, if they have the same fields."""
    strange: list[Page] = []
    familiar: list[Page] = []
    for page in pages[:VOTERS]:
        (strange if _is_strange(wrapper, page) else familiar).append(page)
    labels = [(example.page, example.records) for example in examples]
    known = [*labels, *((page, list(wrapper.extract(page))) for page in familiar)]
    guessed = _guessed(wrapper, strange[:MOST_PAGES], _fields(known))
    other = _learned(guessed)
    if other is None:
        return wrapper
    wrappers = wrapper.wrappers if isinstance(wrapper, Mixture) else (wrapper,)
    mixture = Mixture(wrapper.fields, wrappers=[*wrappers, other], evidence=wrapper.evidence)
    count, example = len(strange), guessed[0]
    reason = (
        f"{count} other pages have a layout of which no page is marked, such as {example.page.id}: "
        "its rules are guessed from what the values look like"
    )
    mixture.reason = "; ".join(filter(None, [wrapper.reason, reason]))
    mixture.suggestions = (*wrapper.suggestions, _suggestion(example))
    return mixture


def _guessed(
    wrapper: Wrapper, pages: Sequence[Page], fields: Mapping[str, Column]
) -> list[Example]:
    """Pages of another layout with the values that look like those of the fields."""
    if len(pages) < LEAST_PAGES:
        return []
    columns = _columns(pages)
    chosen = _matched(fields, columns)
    if len(chosen) < 2 or len(chosen) < FOUND * len(wrapper.fields):
        return []
    guessed = [
        Example(page, [{name: columns[at].bounds.get(number) for name, at in chosen.items()}])
        for number, page in enumerate(pages)
    ]
    return [example for example in guessed if example.records[0].extent is not None]


def _suggestion(example: Example) -> Suggestion:
    extent = example.records[0].extent
    assert extent is not None
    message = (
        "no page of this layout is marked, and what is found on it is a guess; mark its record"
    )
    return Suggestion(example.page.id, extent.start, extent.end, message)


def _is_strange(wrapper: Wrapper, page: Page) -> bool:
    records = list(wrapper.extract(page))
    if not records:
        return True
    values = [spans for _, spans in records[0].items()]
    return sum(map(bool, values)) <= FOUND * len(values)


def _learned(examples: Sequence[Example]) -> Token | None:
    if len(examples) < LEAST_PAGES:
        return None
    for learner in (learn_token, learn_doubting):
        try:
            learned = learner(examples)
        except NoConsistentWrapper:
            continue
        learned.evidence = None  # a guess is no evidence
        return learned
    return None


def _fields(known: Sequence[tuple[Page, Sequence[Record]]]) -> dict[str, Column]:
    """The values of each field on pages of the marked layout."""
    fields: dict[str, Column] = defaultdict(Column)
    for page, records in known:
        title, outline = _title(page), Outline(page.text)
        for name, spans in records[0].items() if records else ():
            fields[name].label = name
            for span in spans[:1]:
                tag = int(outline.names[outline.tag_at(span.start)])
                fields[name].add(span.of(page.text), tag, title)
    return dict(fields)


def _columns(pages: Sequence[Page]) -> list[Column]:
    """The places that are on most pages and hold something else on each."""
    outlines = [Outline(page.text) for page in pages]
    votes = Votes(outlines, ())
    columns: dict[tuple[Hashable, int], Column] = defaultdict(Column)
    for number, (page, outline) in enumerate(zip(pages, outlines, strict=True)):
        title, seen = _title(page), Counter[Hashable]()
        for key, label, bounds in _slots(outline, votes):
            seen[key] += 1
            column = columns[key, seen[key]]
            column.label, column.bounds[number] = label, bounds
            tag = int(outline.names[outline.tag_at(bounds[0])])
            column.add(page.text[slice(*bounds)], tag, title)
        for (key, _), column in columns.items():
            column.most = max(column.most, seen[key])
    return [
        column
        for column in columns.values()
        if len(column.texts) >= max(OFTEN * len(pages), LEAST_PAGES)
        and column.most <= REPEATED
        and len(set(column.texts)) > 1
    ]


def _slots(outline: Outline, votes: Votes) -> Iterator[tuple[Hashable, str, tuple[int, int]]]:
    """The texts of a page's body, each with the key of its place and the label before it."""
    label = ""
    for tag in range(1, outline.size):
        start, end = int(outline.slot_starts[tag]), int(outline.slot_ends[tag])
        if not outline.slots[tag]:
            continue
        text = outline.text[start:end]
        if votes.is_template(int(outline.slots[tag])):
            label = text
            continue
        place = votes.place(outline, (start, end))
        if place is None or end - start > LONGEST or tag_name(outline, tag) in _MACHINERY:
            continue
        key = (place.tag, place.block, place.around, _plain(label))
        yield key, label, (start, end)
        if (inner := _LABELLED.match(text)) is not None:
            yield (*key, inner[1]), inner[1], (start + inner.end(), end)


def _matched(fields: Mapping[str, Column], columns: Sequence[Column]) -> dict[str, int]:
    """For each field the number of the column that fits it clearly best, if any."""
    fits = sorted(
        (
            (_fit(values, column), -at, name)
            for name, values in fields.items()
            if values.texts
            for at, column in enumerate(columns)
        ),
        reverse=True,
    )
    chosen: dict[str, int] = {}
    taken: set[int] = set()
    for name in dict.fromkeys(name for _, _, name in fits):
        own = [(fit, -at) for fit, at, of_field in fits if of_field == name and -at not in taken]
        if not own:
            continue
        best, at = own[0]
        # The same values at another place, as in a trail of links, are no rivals.
        same = {other for _, other in own if columns[other].texts == columns[at].texts}
        rival = max((fit for fit, other in own if other not in same), default=0.0)
        if best >= FITS and best - rival >= CLEARLY:
            chosen[name] = at
            taken |= same
    return chosen


def _fit(values: Column, column: Column) -> float:
    shapes = Counter(map(shape_of, values.texts))
    words = Counter(word for text in values.texts for word in set(_words(text)))
    texts = {_plain(text) for text in values.texts}
    parts = {
        "shape": sum(shape_of(text) in shapes for text in column.texts) / len(column.texts),
        "words": sum(_overlap(text, texts, words) for text in column.texts) / len(column.texts),
        "title": 1 - abs(values.in_title() - column.in_title()),
        "tag": float(bool(values.tags & column.tags)),
        "label": float(_plain(values.label).strip(": ") == _plain(column.label).strip(": ")),
    }
    return sum(WEIGHTS[name] * part for name, part in parts.items())


def _overlap(text: str, texts: set[str], words: Counter[str]) -> float:
    if _plain(text) in texts:
        return 1.0
    own = _words(text)
    return sum(word in words for word in own) / max(len(own), 1)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _title(page: Page) -> str:
    match = _TITLE.search(page.text)
    return "" if match is None else _plain(match[1])
