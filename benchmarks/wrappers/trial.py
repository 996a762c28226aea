"""A trial: a wrapper is learned from some pages and compared with the labels of others."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from benchmarks.wrappers.sites import Label, Marked, Site, nested, plain
from rowen import Example, LabelError, NoConsistentWrapper, Page, Record, Wrapper, learn

TABULAR = ("lr", "hlrt", "oclr", "hoclrt")
NESTED = ("n-lr", "n-hlrt")
SIX = (*TABULAR, *NESTED)
CLASSES = (*SIX, "m-lr", "m-hlrt", "token", "auto")

Value: TypeAlias = tuple[str, int, int]


class Score(NamedTuple):
    """Values, and records that are right in every field."""

    right: int = 0
    found: int = 0
    wanted: int = 0
    whole: int = 0
    records: int = 0

    @property
    def f1(self) -> float:
        """Of the values."""
        return 2 * self.right / max(self.found + self.wanted, 1)

    @property
    def whole_part(self) -> float:
        """Of the records."""
        return self.whole / max(self.records, 1)

    def plus(self, other: "Score") -> "Score":
        """Both together."""
        return Score(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def form_for(name: str, site: Site, *, whole: bool) -> Site | None:
    """A site as a class wants it: nested for the nested ones; all fields only with `whole`.

    Fields that are missing or repeated somewhere make a label that can't be nested as a chain.
    """
    if name in NESTED:
        flat = plain(site)
        if flat is None or (whole and flat.pages != _sorted(site).pages):
            return None
        return nested(flat)
    return site if whole else plain(site)


def _sorted(site: Site) -> Site:
    return Site(
        site.name,
        [(page, [dict(sorted(one.items())) for one in label]) for page, label in site.pages],
    )


def try_learn(pages: Iterable[Marked], name: str, *, partial: bool = False) -> Wrapper | None:
    """A wrapper, or None where there is none or a label is refused."""
    try:
        return learn([Example(*one, partial=partial) for one in pages], name)
    except (NoConsistentWrapper, LabelError):
        return None


def values_of(record: Mapping[str, Any]) -> frozenset[Value]:
    """A label's or an extracted record's values, with those of its children."""
    values: set[Value] = set()
    for name, spans in record.items():
        if name == "children":
            values.update(value for child in spans for value in values_of(child))
        elif spans is not None:
            each = [spans] if isinstance(spans[0], int) else spans
            values.update((name, *span) for span in each)
    return frozenset(values)


def found_by(wrapper: Wrapper | None, page: Page) -> list[frozenset[Value]]:
    """The values of each record that a wrapper finds; of none without a wrapper."""
    return [] if wrapper is None else [_values(record) for record in wrapper.extract(page)]


def _values(record: Record) -> frozenset[Value]:
    return values_of(record.spans).union(*map(_values, record.children))


def score(
    wrapper: Wrapper | None,
    page: Page,
    label: Label,
    known: Label = (),
    fields: Sequence[str] | None = None,
) -> Score:
    """What a wrapper finds on a page beyond what was marked on it, in all or some fields."""
    skip = frozenset[Value]().union(*map(values_of, known))
    found = found_by(wrapper, page)
    if fields is not None:
        found = [frozenset(value for value in record if value[0] in fields) for record in found]
    wanted = [values_of(record) for record in label if record not in known]
    all_found = frozenset[Value]().union(*found) - skip
    all_wanted = frozenset[Value]().union(*wanted) - skip
    return Score(
        len(all_found & all_wanted),
        len(all_found),
        len(all_wanted),
        sum(record in found for record in wanted),
        len(wanted),
    )


def perfect(wrapper: Wrapper, pages: Sequence[Marked]) -> bool:
    """Whether a wrapper gives exactly the labels of pages."""
    return all(
        found_by(wrapper, page) == [values_of(record) for record in label] for page, label in pages
    )
