"""Lists from one, two and three marked records of one page: macro F1 over sites.

Sites whose name's digest is divisible by `HELD` are reported apart: their results were not looked
at one by one while the region class was developed. Of the small collections all were.
"""

from hashlib import sha1
from statistics import mean

from benchmarks.measure import Table
from benchmarks.wrappers.sites import LISTS, Site, sites
from benchmarks.wrappers.trial import Score, score, try_learn

COUNTS = (1, 2, 3)
"""So many records are marked."""
HELD = 6
"""One in so many sites is held out."""
TOO_MANY = 1.5
"""So many times the records there are is too many."""


def is_held(site: Site) -> bool:
    """Whether a site took no part in development."""
    return int(sha1(site.name.encode()).hexdigest(), 16) % HELD == 0


def run() -> str:
    """By collection: F1 of the page's other values, and sites with far too many records."""
    heads = [f"{count} marked" for count in COUNTS]
    table = Table("wrappers: lists by marked records, macro F1", ("sites", "number", *heads))
    excess = []
    for collection in LISTS:
        for held in (False, True):
            chosen = [site for site in sites(collection) if is_held(site) == held]
            results = [result for site in chosen if (result := _results(site)) is not None]
            if results:
                means = [mean(each[number][0].f1 for each in results) for number in range(3)]
                name = f"{collection}, {'held out' if held else 'seen'}"
                table.add(name, str(len(results)), *(f"{figure:.3f}" for figure in means))
                excess += [each[0][1] > TOO_MANY for each in results]
    far = f"Sites with more than {TOO_MANY} times the records, from one mark"
    return f"{table}\n\n{far}: {sum(excess)} of {len(excess)}"


def _results(site: Site) -> list[tuple[Score, float]] | None:
    """The score and the share of records for each count, on the first page with enough records."""
    for page, label in site.pages:
        if len(label) > COUNTS[-1] + 1:
            results = []
            for count in COUNTS:
                wrapper = try_learn([(page, label[:count])], "auto", partial=True)
                found = 0 if wrapper is None else len(wrapper.extract(page))
                results.append((score(wrapper, page, label, label[:count]), found / len(label)))
            return results
    return None
