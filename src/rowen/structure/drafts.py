"""Drafts of tables: the groups of regions of pages with their columns.

Regions that hold several regions of another group, a different number each, are no records: they
are the lists that the records are in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rowen.structure.columns import Place, find_columns
from rowen.structure.groups import LEAST, find_groups, page_pattern
from rowen.structure.ranking import AROUND, CELLS, Novelty, score
from rowen.structure.slots import Contents
from rowen.structure.ways import ONCE
from rowen.wrappers.region.part import WITH_DIGIT
from rowen.wrappers.region.spot import Spot
from rowen.wrappers.region.tree import Numbers, Tree, View
from rowen.wrappers.region.wrapper import Pattern

REGIONS = 400
"""Limit: the columns of a group are chosen by at most about this many of its regions."""

PAGE = 0.5
"""What the table counts whose records are the pages themselves."""

SEVERAL = 3
"""So many regions on a page, or so many in all, say something by their number."""

MOSTLY = 0.5
"""The columns of a list are filled in this share of its regions."""

ALIKE = 0.8
"""Columns of records are filled at least as much as this share of those of what is around them."""

LABELS = 2
"""So many labels that regions have once make a region a record."""

MAIN = 0.3
"""A list with this share of the pages' text is what they are for."""

FORM = 0.25
"""Labels name this share of the columns of a form. The headers of a table name far fewer."""

GRID = 2
"""Cells with so many texts of their own, nearly all of them, are records side by side."""

VARIED = 0.3
"""These texts vary so much: labels that come again in each row do not."""

HELD = 0.4
"""A region with this share of its columns in regions of another group is no record."""


@dataclass
class Draft:
    """A group with its columns, before the best are chosen."""

    pattern: Pattern
    places: list[Place]
    views: list[View]
    score: float
    is_grid: bool = False
    """Whether the regions are cells, and a record each: several stand side by side in a row."""

    @property
    def filled(self) -> float:
        """The mean share of regions in which a column has a value."""
        filled = [place.filled for place in self.places if not place.is_run]
        return sum(filled) / max(len(filled), 1)

    @property
    def breadth(self) -> int:
        """How many columns it has, but for those that say once more what others say."""
        return sum(
            not (place.is_run or (place.is_part and place.rules[0].part.shape == WITH_DIGIT))
            for place in self.places
        )

    @property
    def is_page(self) -> bool:
        """Whether the pages themselves are the regions."""
        return all(view.count <= 1 for view in self.views)

    @property
    def is_cell(self) -> bool:
        """Whether the regions are cells of a table of columns."""
        return self.pattern.path[-1].name in CELLS and not self.is_grid

    @property
    def order(self) -> str:
        """Which of two drafts with the same score comes first."""
        return str(self.pattern)

    def novelty(self, known: Novelty) -> float:
        """A factor for how much of its text is in no better table."""
        return known.of(self.views)

    def choose(self, known: Novelty) -> None:
        """Count its text as known."""
        known.choose(self.views)


def find_drafts(trees: Sequence[Tree], lengths: Sequence[Numbers]) -> list[Draft]:
    """The groups of regions of pages that may be tables, with their columns."""
    contents = [Contents(tree) for tree in trees]
    drafts = []
    for pattern in find_groups(trees, lengths):
        views = [View(tree, pattern.find(tree)) for tree in trees]
        if sum(view.count for view in views) < LEAST or all(view.count <= 1 for view in views):
            continue
        places = find_columns(_sampled(views), contents)
        if places:
            draft = Draft(pattern, places, views, score(views, places))
            if draft.is_cell and _are_records(draft):
                draft = replace(draft, score=draft.score / AROUND, is_grid=True)
            drafts.append(draft)
    whole = page_pattern(trees)
    if whole is not None:
        views = [View(tree, whole.find(tree)) for tree in trees]
        listed, main = _listed(drafts, lengths)
        places = _outside(find_columns(views, contents), views, main)
        if places:
            worth = PAGE * score(views, places) * (1 - listed) ** 2
            drafts.append(Draft(whole, places, views, worth))
    return [
        draft
        for draft in drafts
        if draft.is_page or not _holds_other(draft, drafts) or _is_labelled(draft)
    ]


def _listed(drafts: Sequence[Draft], lengths: Sequence[Numbers]) -> tuple[float, Draft | None]:
    """The largest share of the pages' text that is in one list: such pages are no records. And the
    list that has most of it, if its records are alike.
    """
    novelty = Novelty(lengths)
    lists = [
        draft
        for draft in drafts
        if sum(view.count for view in draft.views) >= SEVERAL * len(lengths)
        and draft.filled >= MOSTLY
        and not draft.is_cell
        and len(draft.places) > 1
    ]
    shares = {id(draft): novelty.share(draft.views) for draft in lists}
    alike = [draft for draft in lists if draft.filled >= ALIKE and shares[id(draft)] >= MAIN]
    main = max(alike, key=lambda draft: (shares[id(draft)], draft.order), default=None)
    return max(shares.values(), default=0.0), main


def _outside(places: list[Place], views: Sequence[View], main: Draft | None) -> list[Place]:
    """The columns of pages but for those in the records of their list: the first of these is no
    field of the page.
    """
    if main is None:
        return places
    kept = []
    for place in places:
        inside = [
            inner.numbers[place.spot.find(view)] >= 0
            for view, inner in zip(views, main.views, strict=True)
        ]
        flags = np.concatenate(inside)
        if not len(flags) or flags.mean() <= MOSTLY:
            kept.append(place)
    return kept


def _sampled(views: Sequence[View]) -> list[View]:
    """Views of some of the regions, from all pages, where there are very many."""
    count = sum(view.count for view in views)
    if count <= REGIONS:
        return list(views)
    step = -(-count // REGIONS)
    return [
        View(
            view.tree,
            view.regions._replace(heads=view.regions.heads[::step], ends=view.regions.ends[::step]),
        )
        for view in views
    ]


def _holds_other(draft: Draft, drafts: Sequence[Draft]) -> bool:
    """Whether most columns of a group are in regions of another one, several of them in each."""
    others = [other for other in drafts if other is not draft]
    return any(_lays_out(draft, other) or _holds(draft, other) for other in others)


def _lays_out(rows: Draft, cells: Draft) -> bool:
    """Whether rows of a table only put records side by side."""
    if rows.pattern.path[-1].name != "tr" or not cells.is_grid:
        return False
    counts = [_inner_counts(*views) for views in zip(rows.views, cells.views, strict=True)]
    return bool((np.concatenate(counts) > 0).mean() >= ALIKE)


def _labels(draft: Draft) -> list[str]:
    """The labels of columns, those that name what follows."""
    labels = (place.spot.label for place in draft.places)
    return [label for label in labels if label is not None]


def _is_labelled(draft: Draft) -> bool:
    """Whether labels name several columns, each at most once in a region, as in a form: regions of
    a list have the labels of all of its records.
    """
    if draft.is_page:
        return False
    labels = _labels(draft)
    counts = []
    for label in labels:
        numbers = [view.numbers[Spot(label=label).find(view)] for view in draft.views]
        counts.append(sum(map(len, numbers)) / max(sum(len(np.unique(own)) for own in numbers), 1))
    return sum(count <= ONCE for count in counts) >= max(LABELS, FORM * len(draft.places))


def _are_records(cells: Draft) -> bool:
    """Whether cells are records: as in a table that only lays out cards side by side."""
    texts = [
        place
        for place in cells.places
        if not (place.is_part or place.is_run or place.several or place.spot.attribute)
        and place.filled >= ALIKE
        and place.varied >= VARIED
    ]
    rows = sum(len(np.unique(view.regions.parents(view.tree))) for view in cells.views)
    return len(texts) >= GRID and sum(view.count for view in cells.views) >= GRID * rows


def _holds(draft: Draft, other: Draft) -> bool:
    # A row of a table is a record, whatever is in its cells, unless it is another table.
    if draft.pattern.path[-1].name == "tr" and other.pattern.path[-1].name != "tr":
        return False
    # Cells are columns, not records, and so is what has most of its columns only here and there.
    if other.is_cell or other.breadth < 2 or other.filled < ALIKE * draft.filled:
        return False
    if any(
        (inner.numbers[view.regions.heads] >= 0).any()
        for view, inner in zip(draft.views, other.views, strict=True)
    ):
        return False  # it is the other way round
    inside = [_inner_counts(*views) for views in zip(draft.views, other.views, strict=True)]
    counts = np.concatenate(inside).tolist()
    # The same number in each: these are parts of records. Else they are records of their own.
    usual = max(set(counts), key=counts.count)
    if usual and counts.count(usual) >= ALIKE * len(counts) and len(counts) >= SEVERAL:
        return False
    if sum(counts) < 2 * max(sum(map(bool, counts)), 1):
        return False
    # On the page that shows most: the other group may also be on pages that have none of these.
    page = max(range(len(inside)), key=lambda page: int(inside[page].sum()))
    view, inner = draft.views[page], other.views[page]
    held = sum(bool((inner.numbers[p.spot.find(view)] >= 0).any()) for p in draft.places)
    return held >= HELD * len(draft.places)


def _inner_counts(view: View, inner: View) -> Numbers:
    """How many regions of another group are in each region."""
    numbers = view.numbers[inner.regions.heads]
    return np.bincount(numbers[numbers >= 0], minlength=view.count)
