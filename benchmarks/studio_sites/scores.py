"""What the studio proposes, compared with labels: by the texts that a reader sees."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple, TypeAlias

from benchmarks.measure import Table
from benchmarks.studio_sites.cases import Case
from benchmarks.wrappers.texts import record_of
from rowen import Page

RIGHT = 0.95
"""A site is right with this F1 over the values of its pages. Labels of other people's programs have
a few oddities of their own, so not every page has to agree in every value."""

Marks: TypeAlias = Mapping[str, Any]


class Played(NamedTuple):
    """How a site went."""

    site: str
    f1: float
    pages_right: int
    pages: int
    milliseconds: Sequence[float]
    """From each mark to its proposals."""
    stuck: str = ""
    """Why there was no way on."""
    kind: str = ""
    """The class of the wrapper that was learned last."""

    @property
    def outcome(self) -> str:
        """The site in one word."""
        return "stuck" if self.stuck else "right" if self.f1 >= RIGHT else "wrong"


def compare(case: Case, proposed: Mapping[str, Sequence[Marks]]) -> tuple[float, int]:
    """The F1 of all values, and the number of pages whose records all are as labelled."""
    agreed = expected = extracted = pages_right = 0
    for page in case.pages:
        wanted = _records(page, case.labels[page.id])
        got = _records(page, proposed.get(page.id, ()))
        theirs, ours = _values(wanted), _values(got)
        agreed += (theirs & ours).total()
        expected += theirs.total()
        extracted += ours.total()
        pages_right += wanted == got
    return 2 * agreed / max(expected + extracted, 1), pages_right


def _records(page: Page, records: Sequence[Marks]) -> list[dict[str, list[str]]]:
    texts = [record_of(page, record) for record in records]
    return [{name: sorted(set(values)) for name, values in record.items()} for record in texts]


def _values(records: Sequence[Mapping[str, Sequence[str]]]) -> Counter[tuple[str, str]]:
    return Counter(
        (name, text) for record in records for name, texts in record.items() for text in texts
    )


def table_of(title: str, played: Sequence[Played], *, all_sites: bool) -> str:
    """All sites in one line, and each in a line of its own where it is wanted."""
    counts = Counter(site.outcome for site in played)
    times = [time for site in played for time in site.milliseconds]
    summary = Table(
        f"studio: {title}",
        (
            "sites",
            "right",
            "wrong",
            "stuck",
            "every value right",
            "pages right",
            "median ms",
            "most",
        ),
    )
    summary.add(
        str(len(played)),
        *(str(counts[outcome]) for outcome in ("right", "wrong", "stuck")),
        str(sum(site.pages_right == site.pages for site in played)),
        f"{sum(site.pages_right for site in played)}/{sum(site.pages for site in played)}",
        f"{median(times):.0f}" if times else "-",
        f"{max(times):.0f}" if times else "-",
    )
    if not all_sites:
        return str(summary)
    sites = Table("", ("site", "outcome", "F1", "pages right", "class", "most ms", "why"))
    for site in sorted(played, key=lambda site: (site.outcome, site.f1)):
        pages, most = f"{site.pages_right}/{site.pages}", max(site.milliseconds, default=0)
        sites.add(
            site.site, site.outcome, f"{site.f1:.3f}", pages, site.kind, f"{most:.0f}", site.stuck
        )
    return f"{summary}\n{sites}"
