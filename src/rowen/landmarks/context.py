"""Contexts: the HTML tokens that all occurrences have around them, and which of these to require.

Which of the many consistent landmarks is learned decides how many examples are needed. Each token
of a landmark has a price, and the cheapest landmark that fits wins:

- Tags cost 1 each, after the value a little more.
- Attributes that name things (class, id) and texts that look like captions cost next to nothing. In
  lists, where records share words by chance, only texts with a colon do.
- Attributes and texts that look like data cost much: what two pages share by chance, the third does
  not.
- In lists the number of a cell in its row is a token, too, dearer than a few tags.

A name that records agree on is required even where all could do without it: the element that
replaces a missing value has another name.

    <td>Price:</td><td class="n">48</td>       value: 48
    landmark   after Slot("Price:") Tag(td, class=n)       price 0.2 + 1
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from rowen._core import name_digest
from rowen.landmarks.occurrence import Occurrence, tag_name
from rowen.wrappers.token.landmark import Landmark, Slot, Tag, Token, squeezed
from rowen.wrappers.token.outline import Outline, Pair

DEPTH = 14
"""Limit: at most this many tags before a value are considered. Beyond, pages differ anyway."""

AFTER = 6
FAR_AFTER = 12
"""Limit: at most this many HTML tokens after a value may be part of a landmark, and of one that is
tried where others find nothing."""

TAG = 1.0
TAG_AFTER = 1.3
LABEL = 0.2
WORDS = 0.6
WORDS_IN_LISTS = 3.0
DATA = 7.0
VOLATILE = 6.0
PLACE = 5.0
"""Prices: of a tag before and after a value, of a text with a colon, of one that looks like a
caption on a page of its own and in a list, of a text that looks like data, of an attribute that
does, and of the number of a cell in its row."""

NAMING = (
    "class id itemprop property rel name type scope role headers itemtype typeof for data-label"
)
"""Attributes that name things; all others hold data."""


_LONG_NUMBER = re.compile(r"[0-9]{4}")

NOTHING = 0
"""The digest of an empty value."""


@cache
def _naming() -> frozenset[int]:
    return frozenset(name_digest(name) for name in NAMING.split())


def is_name(pair: Pair) -> bool:
    """Whether an attribute names things rather than holds data; an empty one names nothing."""
    return pair.name in _naming() and pair.value != NOTHING


@cache
def _rank(name: int) -> int:
    """The rank of a naming attribute: which of several says most."""
    order = ("id", "itemprop", "property", "class", *NAMING.split())
    return next(
        (place for place, attribute in enumerate(order) if name_digest(attribute) == name), 99
    )


@cache
def _cells() -> frozenset[int]:
    return frozenset(name_digest(name) for name in ("td", "th"))


class Shared(NamedTuple):
    """An HTML token that all occurrences have at the same distance."""

    by: int
    """Its distance from the value in tags; negative before it."""
    name: int | None
    """A tag's digest; None for a slot."""
    pairs: frozenset[Pair] = frozenset()
    slot: int | None = None
    """The slot's digest; None where the occurrences differ."""
    text: str = ""
    """The slot's text, where they don't differ."""
    place: int | None = None
    """The number of a cell in its row."""


@dataclass(frozen=True, slots=True)
class Detail:
    """How much of a context counts.

    Attributes: none, the one that names best, all that name, or all. Texts: captions (`labels`),
    none, or all. `places` says whether the number of a cell in its row counts.
    """

    attributes: str
    texts: str
    places: bool = False

    def token(self, shared: Shared, sample: Occurrence) -> Token:
        """The token of a landmark at this detail."""
        if shared.name is None:
            keep = shared.slot is not None and self._keeps(shared)
            return Slot(shared.text if keep else None)
        outline, tag = sample.outline, sample.tag + shared.by
        name = tag_name(outline, tag)
        assert name is not None
        return Tag(name, _attributes(outline, tag, self.pairs(shared)), self.place(shared))

    def pairs(self, shared: Shared) -> frozenset[Pair]:
        """The attributes that count."""
        if self.attributes == "all":
            return shared.pairs
        if self.attributes == "none":
            return frozenset()
        named = [pair for pair in shared.pairs if is_name(pair)]
        if self.attributes == "one":
            named = sorted(named, key=lambda pair: _rank(pair.name))[:1]
        return frozenset(named)

    def place(self, shared: Shared) -> int | None:
        """The number of a cell that counts."""
        return shared.place if self.places else None

    def slot(self, shared: Shared) -> int | None:
        """The text that counts."""
        return shared.slot if shared.slot is not None and self._keeps(shared) else None

    def price(self, shared: Shared, tag_price: float, *, listed: bool) -> float:
        """What the token costs, in a list or on a page of its own."""
        if shared.name is not None:
            volatile = sum(not is_name(pair) for pair in self.pairs(shared))
            place = 0.0 if self.place(shared) is None else PLACE
            return tag_price + VOLATILE * volatile + place
        if self.slot(shared) is None or not shared.text:
            return 0.0
        if not _is_label(shared.text):
            return DATA * tag_price
        if shared.text.endswith(":"):
            return LABEL * tag_price
        return (WORDS_IN_LISTS if listed else WORDS) * tag_price

    def key(self, shared: Shared) -> tuple[object, ...]:
        """What counts of a token: details with the same keys choose the same."""
        if shared.name is None:
            return (self.slot(shared),)
        return self.pairs(shared), self.place(shared)

    def _keeps(self, shared: Shared) -> bool:
        if self.texts == "labels":
            return bool(shared.text) and _is_label(shared.text)
        return self.texts == "all"


DETAILS = tuple(
    Detail(attributes, texts)
    for attributes in ("none", "one", "naming", "all")
    for texts in ("labels", "none", "all")
)
PLACED = (Detail("none", "labels", places=True), Detail("one", "labels", places=True))
"""More details, for lists: tables have rows of cells."""


def before(occurrences: Sequence[Occurrence], depth: int = DEPTH) -> list[Shared]:
    """The tokens that all have before the value, nearest first: tag, slot, tag and so on."""
    shared: list[Shared] = []
    placed = False
    for back in range(depth):
        tags = [occurrence.tag - back for occurrence in occurrences]
        if min(tags) < 0:
            break
        if back:
            shared.append(_shared_slot(occurrences, tags, -back))
        token = _shared_tag(occurrences, tags, -back)
        if token is None:
            break
        # Only the nearest cell: the number of an outer one says where the whole table is.
        if not placed and token.name in _cells():
            places = {
                int(occurrence.outline.places[tag])
                for occurrence, tag in zip(occurrences, tags, strict=True)
            }
            token = token._replace(place=places.pop() if len(places) == 1 else None)
            placed = True
        # The value's own attribute is data.
        if not back and (attribute := occurrences[0].attribute) is not None:
            remaining = frozenset(pair for pair in token.pairs if pair.name != attribute)
            token = token._replace(pairs=remaining)
        shared.append(token)
    return shared


def after(
    occurrences: Sequence[Occurrence], *, slot_first: bool, most: int = AFTER
) -> list[Shared]:
    """The tokens that all have after the value; with `slot_first`, the slot after its tag, too."""
    shared: list[Shared] = []
    for ahead in range(1, most):
        tags = [occurrence.tag + ahead for occurrence in occurrences]
        if any(
            tag >= occurrence.outline.size
            for tag, occurrence in zip(tags, occurrences, strict=True)
        ):
            break
        if ahead > 1 or slot_first:
            slots = [tag - 1 for tag in tags]
            shared.append(_shared_slot(occurrences, slots, ahead - 1))
        token = _shared_tag(occurrences, tags, ahead)
        if token is None:
            break
        shared.append(token)
    return shared[:most]


class Choice(NamedTuple):
    """A landmark to try: how many tokens on each side, at which detail, and its price."""

    price: float
    before: int
    after: int
    detail: Detail


def choices(
    back: Sequence[Shared],
    ahead: Sequence[Shared],
    occurrences: Sequence[Occurrence],
    *,
    listed: bool = False,
    limit: float | None = None,
) -> list[Choice]:
    """All landmarks to try, the cheapest first; with a limit only cheaper ones without data."""
    alone = (
        len({occurrence.record for occurrence in occurrences}) == 1
    )  # a name may be this record's own
    candidates: list[Choice] = []
    placed = listed and any(token.place is not None for token in back)
    details = sorted(DETAILS, key=lambda detail: detail.attributes == "none" and not alone)
    seen = set()
    for detail in (*details, *PLACED) if placed else details:
        if limit is not None and "all" in (detail.attributes, detail.texts):
            continue
        # Where tags have few attributes, most details are the same.
        same = tuple(map(detail.key, (*back, *ahead)))
        if same in seen:
            continue
        seen.add(same)
        behind = list(_running(detail, back, TAG, listed=listed))
        front = [0.0, *_running(detail, ahead, TAG_AFTER, listed=listed)]
        candidates.extend(
            Choice(price_before + price_after, count_before, count_after, detail)
            for count_before, price_before in enumerate(behind, 1)
            for count_after, price_after in enumerate(front)
            if limit is None or price_before + price_after < limit
        )
    # The sort is stable: at the same price fewer tokens, and then the detail, come first.
    return sorted(candidates, key=lambda choice: (choice.price, choice.before + choice.after))


def fullest(back: Sequence[Shared], ahead: Sequence[Shared]) -> Choice:
    """The choice with the most tokens and details."""
    return Choice(0.0, len(back), len(ahead), DETAILS[-1])


def landmark(
    choice: Choice, back: Sequence[Shared], ahead: Sequence[Shared], sample: Occurrence
) -> Landmark:
    """The landmark of a choice."""
    tokens = [choice.detail.token(shared, sample) for shared in back[: choice.before]]
    following = [choice.detail.token(shared, sample) for shared in ahead[: choice.after]]
    return Landmark(tuple(_without_open_end(tokens)), tuple(_without_open_end(following)))


def shared_tag(tags: Sequence[tuple[Outline, int]], *, all_attributes: bool = False) -> Tag | None:
    """The tag that generalises these: their name, and the naming attributes that all have."""
    names = {int(outline.names[tag]) for outline, tag in tags}
    if len(names) != 1:
        return None
    pairs = frozenset.intersection(*(outline.pairs(tag) for outline, tag in tags))
    chosen = frozenset(pair for pair in pairs if all_attributes or is_name(pair))
    outline, first = tags[0]
    name = tag_name(outline, first)
    return None if name is None else Tag(name, _attributes(outline, first, chosen))


def _running(
    detail: Detail, shared: Sequence[Shared], tag_price: float, *, listed: bool
) -> Iterator[float]:
    price = 0.0
    for token in shared:
        price += detail.price(token, tag_price, listed=listed)
        yield price


def _without_open_end(tokens: list[Token]) -> list[Token]:
    """Drop slots at the end that match any text: they say nothing."""
    while tokens and isinstance(tokens[-1], Slot) and tokens[-1].text is None:
        tokens.pop()
    return tokens


def _shared_slot(occurrences: Sequence[Occurrence], slots: list[int], by: int) -> Shared:
    digests = {
        int(occurrence.outline.slots[slot])
        for occurrence, slot in zip(occurrences, slots, strict=True)
    }
    if len(digests) != 1:
        return Shared(by, None)
    outline, slot = occurrences[0].outline, slots[0]
    text = outline.text[outline.slot_starts[slot] : outline.slot_ends[slot]]
    return Shared(by, None, slot=digests.pop(), text=squeezed(text))


def _shared_tag(occurrences: Sequence[Occurrence], tags: list[int], by: int) -> Shared | None:
    names = {
        int(occurrence.outline.names[tag])
        for occurrence, tag in zip(occurrences, tags, strict=True)
    }
    if len(names) != 1:
        return None
    pairs = occurrences[0].outline.pairs(tags[0])
    for occurrence, tag in zip(occurrences, tags, strict=True):
        if not pairs:  # as with most tags; the others need not be compared
            break
        pairs &= occurrence.outline.pairs(tag)
    if pairs and len({occurrence.record for occurrence in occurrences}) == 1:
        pairs -= _numbered(occurrences[0].outline, tags[0])
    return Shared(by, names.pop(), pairs)


def _numbered(outline: Outline, tag: int) -> frozenset[Pair]:
    """The attributes of a tag that hold a long number, as `id="post-20817"` does.

    On a single page nothing says that it is a name, and it is nearly always this page's own.
    """
    numbered = set()
    for index in range(outline.attributes_from[tag], outline.attributes_from[tag + 1]):
        start, end = outline.value_starts[index], outline.value_ends[index]
        if start >= 0 and _LONG_NUMBER.search(outline.text, start, end):
            pair = Pair(int(outline.attribute_names[index]), int(outline.attribute_values[index]))
            numbered.add(pair)
    return frozenset(numbered)


def _attributes(outline: Outline, tag: int, pairs: frozenset[Pair]) -> tuple[tuple[str, str], ...]:
    """The names and values of a tag's attributes."""
    attributes: dict[str, str] = {}
    for index in range(outline.attributes_from[tag], outline.attributes_from[tag + 1]):
        pair = Pair(int(outline.attribute_names[index]), int(outline.attribute_values[index]))
        if pair in pairs:
            start, end = outline.value_starts[index], outline.value_ends[index]
            value = squeezed(outline.text[start:end]) if start >= 0 else ""
            attributes.setdefault(_name_before(outline, tag, index), value)
    return tuple(attributes.items())


def _name_before(outline: Outline, tag: int, index: int) -> str:
    from rowen.text.html_tokens import tokenize

    start, end = int(outline.starts[tag]), int(outline.ends[tag])
    token = tokenize(outline.text[start:end])[0]
    return token.attributes[index - int(outline.attributes_from[tag])].name


def _is_label(text: str) -> bool:
    words = text.split()
    if text.endswith(":"):
        return len(words) <= 6
    return len(words) <= 4 and len(text) <= 30 and not any(sign.isdigit() for sign in text)


def looks(outline: Outline, tag: int) -> tuple[object, ...]:
    """A tag by its name and its naming attributes."""
    pairs = outline.pairs(tag)
    named = frozenset(pair for pair in pairs if is_name(pair))
    return int(outline.names[tag]), named
