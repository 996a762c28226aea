"""Which classes can wrap which sites at all (figures 7.2 and 7.3)."""

from collections import defaultdict
from collections.abc import Mapping

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.wrappers.survey import AUTO_PAGES, PAGES, Answer, survey
from benchmarks.wrappers.trial import CLASSES, NESTED, SIX, TABULAR

GROUPS: dict[str, tuple[str, ...]] = {
    "the thesis' six": SIX,
    "lr, hlrt, oclr or hoclrt": TABULAR,
    "lr or oclr": ("lr", "oclr"),
    "hlrt or hoclrt": ("hlrt", "hoclrt"),
    "n-lr or n-hlrt": NESTED,
    "m-lr or m-hlrt": ("m-lr", "m-hlrt"),
    "all eight of strings": CLASSES[:8],
    **{name: (name,) for name in CLASSES},
}
THESIS = {
    "the thesis' six": 70,
    "lr, hlrt, oclr or hoclrt": 60,
    "lr or oclr": 53,
    "hlrt or hoclrt": 57,
    "n-lr or n-hlrt": 53,
    "lr": 53,
    "hlrt": 57,
    "oclr": 53,
    "hoclrt": 57,
    "n-lr": 13,
    "n-hlrt": 50,
}
"""Percent of 30 sites of 1997 (figure 7.3)."""


def run() -> str:
    """Coverage by class, relations between classes, and the sites by what wraps them."""
    whole = _wrapped(survey(whole=True))
    plain = _wrapped(survey(whole=False))
    figures.matrix(
        "coverage",
        {site: [name in by for name in CLASSES] for site, by in whole.items()},
        columns=CLASSES,
        title=f"Sites wrapped by each class, all fields, up to {PAGES} pages",
    )
    return "\n\n".join(map(str, (_counts(whole, plain), _relations(whole), _patterns(whole))))


def _wrapped(answers: Mapping[str, Mapping[str, Answer]]) -> dict[str, frozenset[str]]:
    return {
        site: frozenset(name for name, answer in found.items() if answer.wrapped)
        for site, found in answers.items()
    }


def _counts(whole: dict[str, frozenset[str]], plain: dict[str, frozenset[str]]) -> Table:
    table = Table(
        f"wrappers: sites wrapped, {PAGES} pages each (auto: {AUTO_PAGES})",
        (
            "class",
            f"all fields, of {len(whole)}",
            f"plain fields, of {len(plain)}",
            "thesis, of 30",
        ),
    )
    for group, names in GROUPS.items():
        cells = [_share(whole, names)]
        cells.append(_share(plain, names) if set(names) <= set(SIX) else "")
        table.add(group, *cells, f"{THESIS[group]}%" if group in THESIS else "")
    return table


def _share(wrapped: dict[str, frozenset[str]], names: tuple[str, ...]) -> str:
    count = sum(not by.isdisjoint(names) for by in wrapped.values())
    return f"{count} ({count / len(wrapped):.0%})"


def _relations(wrapped: dict[str, frozenset[str]]) -> Table:
    table = Table("wrappers: sites wrapped by the row and not by the column", ("", *CLASSES))
    for row in CLASSES:
        cells = [
            str(sum(row in by and column not in by for by in wrapped.values()))
            for column in CLASSES
        ]
        table.add(row, *cells)
    return table


def _patterns(wrapped: dict[str, frozenset[str]]) -> Table:
    table = Table("wrappers: sites by the classes that wrap them", ("classes", "sites", "which"))
    patterns = defaultdict(list)
    for site, by in wrapped.items():
        patterns[by].append(site.removeprefix("court_opinions/"))
    for by, names in sorted(patterns.items(), key=lambda item: -len(item[1])):
        shown = " ".join(name for name in CLASSES if name in by)
        table.add(shown or "none", str(len(names)), ", ".join(names))
    return table
