"""Learning from noisy recognizers on real sites: the protocol of figure 7.5 of the thesis.

All fields but one are recognized with mistakes at a rate from 0 to 40%. A trial splits a site's
pages in halves and gives the learner one page, then two, and so on, until its wrapper is perfect on
the other half. Needs the shared data; run it with `python -m benchmarks.noise`.
"""

import random
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.shared import DATA
from benchmarks.wrappers.sites import Marked, sites
from rowen import Example, LabelError, NoConsistentWrapper, Page, Wrapper, learn
from rowen.learning.recognizers.recognizer import Recognizer, Soundness
from rowen.maintenance.comparison import compare

Site: TypeAlias = list[Marked]

COLLECTIONS = ("swde", "procyclingstats", "pacer_attachments")
FEWEST = 4
"""Sites with fewer pages can't be split."""

RATES = (0.0, 0.1, 0.2, 0.3, 0.4)
KINDS = ("incomplete", "unsound", "one of both", "unreliable")
"""What is wrong with all fields but one: misses; false instances; each field by chance the one or
the other, as in the thesis; both in each field, told by two recognizers with one-sided errors."""

TRIALS = 3
"""Trials a site, a kind and a rate."""

SPLITS = 20
"""How often a site is split anew where labels, too, would not be enough to learn from."""

MOST = 44
"""The pages that the thesis' learner needed at worst."""

LONG, SHORT = 15, 5
"""The lengths of false instances."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One trial."""

    pages: int | None
    """How many it took until the wrapper was perfect; None where all were too few."""
    seconds: float
    """What all learning took, from one page to the last number."""


STOPPED = 4.0
"""What a failure adds to a page's doubt: there is certainly something to learn there."""

NOTHING = 2.0
"""What a page without records adds."""


def resources() -> Iterator[tuple[str, Site]]:
    """The sites that HLRT wraps, with at least two of their fields; then one that is made up."""
    for collection in COLLECTIONS:
        for name, pages in sites(collection):
            wrapped = _wrapped(list(pages)) if len(pages) >= FEWEST else []
            if wrapped:
                yield name, wrapped
    chance = random.Random("directory")
    yield "made up: a directory", [made_up(chance, number) for number in range(2 * MOST)]


def _wrapped(site: Site) -> Site:
    """The site with as many of its fields as one HLRT wrapper finds on all pages."""
    names = set.intersection(
        *(
            {name for name, spans in row.items() if spans and isinstance(spans[0], int)}
            for _, rows in site
            for row in rows
        )
    )
    kept: list[str] = []
    for name in sorted(names):
        try:
            learn([Example(*one) for one in _only(site, [*kept, name])], "hlrt")
        except (NoConsistentWrapper, LabelError):
            continue
        kept.append(name)
    return _only(site, kept) if len(kept) > 1 else []


def _only(site: Site, names: Sequence[str]) -> Site:
    return [(page, [{name: one[name] for name in names} for one in rows]) for page, rows in site]


TAGS = ("<td><b>%</b>", "<td><a>%</a>", "<td><i>%</i>", "<td>%</td>", "<tt>%</tt>", "<em>%</em>")
ADS = ("<b>Buy now</b>", "<i>Win a car</i> <a>here</a>", "<td>Sale</td>", "<em>New</em>", "")


def made_up(chance: random.Random, number: int) -> tuple[Page, list[dict[str, tuple[int, int]]]]:
    """A page of a directory like the thesis' BIGBOOK: six fields, and advertisements before it."""
    text = f"<html>{chance.choice(ADS)}<h1>Found</h1>{chance.choice(ADS)}<p><b>Here:</b><table>\n"
    rows = []
    for _ in range(chance.randint(5, 25)):
        row = {}
        text += "<tr>"
        for field, tag in enumerate(TAGS):
            left, right = tag.split("%")
            value = "".join(chance.choices("abcdefgh 0123", k=chance.randint(4, 14))).strip() or "a"
            row[f"f{field}"] = (len(text) + len(left), len(text) + len(left) + len(value))
            text += left + value + right
        text += "</tr>\n"
        rows.append(row)
    text += f"</table><hr>{chance.choice(ADS)}<p><b>End</b></html>"
    return Page(text, id=f"{number}"), rows


def trial(site: Site, kind: str, rate: float, chance: random.Random) -> Outcome:
    """Pages until perfect, with noise on all fields but one."""
    known, others = _split(site, chance)
    names = list(site[0][1][0])
    kinds = dict.fromkeys(chance.sample(names, len(names) - 1), kind)
    recognizers = noisy_recognizers(known, kinds, rate, chance)
    seconds = 0.0
    for count in range(1, min(len(known), MOST) + 1):
        started = time.perf_counter()
        wrapper = _learned([page for page, _ in known[:count]], recognizers)
        seconds += time.perf_counter() - started
        if wrapper is not None and is_perfect(wrapper, others):
            return Outcome(count, seconds)
    return Outcome(None, seconds)


def _split(site: Site, chance: random.Random) -> tuple[Site, Site]:
    """Halves, of which labels of the first would be enough for the second."""
    for _ in range(SPLITS):
        shuffled = chance.sample(site, len(site))
        known, others = shuffled[: len(site) // 2], shuffled[len(site) // 2 :]
        if is_perfect(learn([Example(*one) for one in known], "hlrt"), others):
            break
    return known, others


def _listed(spans: Mapping[str, Any]) -> dict[str, list[int]]:
    return {name: list(span or ()) for name, span in spans.items()}


def is_perfect(wrapper: Wrapper, site: Site) -> bool:
    """Whether it finds each record of these pages, and nothing else."""
    return all(
        [
            {name: list(span or ()) for name, span in one.spans.items()}
            for one in wrapper.extract(page)
        ]
        == [{name: list(span) for name, span in row.items()} for row in rows]
        for page, rows in site
    )


def _learned(pages: list[Page], recognizers: Sequence[Recognizer]) -> Wrapper | None:
    try:
        return learn(recognizers=recognizers, pages=pages)
    except NoConsistentWrapper:
        return None


def noisy_recognizers(
    site: Site, kinds: Mapping[str, str], rate: float, chance: random.Random
) -> list[Recognizer]:
    """Recognizers that know the labels and make mistakes; of a field without a kind none."""
    found: list[Recognizer] = []
    for name in site[0][1][0]:
        kind = kinds.get(name, "perfect")
        if kind == "one of both":
            kind = chance.choice(["incomplete", "unsound"])
        for one in ("incomplete", "unsound") if kind == "unreliable" else (kind,):
            instances = {
                page.text: _mutated(page, [tuple(row[name]) for row in rows], one, rate, chance)
                for page, rows in site
            }
            found.append(Recognizer(name, instances.__getitem__, Soundness(one)))
    return found


def _mutated(
    page: Page, spans: list[tuple[int, int]], kind: str, rate: float, chance: random.Random
) -> list[tuple[int, int]]:
    """7.3's mutations: a share of the instances is dropped, or as many random ones are added.

    Where a page has few instances, chance rounds the share to a whole number of them.
    """
    if kind == "perfect":
        return spans
    if kind == "incomplete":
        return chance.sample(spans, len(spans) - _rounded(rate * len(spans), chance))
    added = []
    for _ in range(_rounded(rate / (1 - rate) * len(spans), chance)):
        start = chance.randrange(len(page.text) - LONG)
        added.append((start, start + chance.randint(SHORT, LONG)))
    return [*spans, *added]


def _rounded(number: float, chance: random.Random) -> int:
    return int(number) + (chance.random() < number % 1)


def noise() -> Table:
    """Pages needed and time, by kind of noise and rate."""
    table = Table(
        "noise: pages needed until perfect / median seconds a trial",
        ("kind", "trials", *(f"{rate:.0%}" for rate in RATES)),
    )
    outcomes: dict[tuple[str, float], list[Outcome]] = defaultdict(list)
    for name, site in resources():
        for kind in KINDS:
            for rate in RATES:
                chance = random.Random(f"{name} {kind} {rate}")
                outcomes[kind, rate] += [trial(site, kind, rate, chance) for _ in range(TRIALS)]
    for kind in KINDS:
        cells = [_summary(outcomes[kind, rate]) for rate in RATES]
        table.add(kind, str(len(outcomes[kind, RATES[0]])), *cells)
    figures.lines(
        "noise",
        {kind: [(100 * rate, _mean(outcomes[kind, rate])) for rate in RATES] for kind in KINDS},
        title="Pages needed until perfect",
        axes=("recognizers' noise, %", "pages, on average"),
        logarithmic=False,
    )
    return table


def _mean(outcomes: Sequence[Outcome]) -> float:
    return statistics.mean(one.pages for one in outcomes if one.pages is not None)


def _summary(outcomes: Sequence[Outcome]) -> str:
    pages = [one.pages for one in outcomes if one.pages is not None]
    seconds = statistics.median(one.seconds for one in outcomes)
    reached = len(pages) / len(outcomes)
    return f"{_mean(outcomes):.1f}, at most {max(pages)}, {reached:.0%} / {seconds:.2f} s"


def choosing() -> Table:
    """Pages marked until perfect, the next one by the doubt of the wrapper or by chance (7.8)."""
    table = Table(
        "suggest: pages marked until the wrapper (hlrt) is perfect on the other half",
        ("trials", "chosen", "by chance", "chosen needs fewer", "more"),
    )
    pairs = []
    for name, site in resources():
        for number in range(TRIALS):
            known, others = _split(site, random.Random(f"{name} {number}"))
            pairs.append([_marked(known, others, chosen=choice) for choice in (True, False)])
    table.add(
        str(len(pairs)),
        f"{statistics.mean(chosen for chosen, _ in pairs):.2f}",
        f"{statistics.mean(other for _, other in pairs):.2f}",
        str(sum(chosen < other for chosen, other in pairs)),
        str(sum(chosen > other for chosen, other in pairs)),
    )
    return table


def _marked(known: Site, others: Site, *, chosen: bool) -> int:
    """How many of the known pages are marked; all, where they are not enough."""
    marked, left = list(known[:1]), list(known[1:])
    while left:
        wrapper = learn([Example(*one) for one in marked], "hlrt")
        if is_perfect(wrapper, others):
            break
        pages = [page for page, _ in left]
        doubts = [_doubt(wrapper, page) for page in pages]
        at = doubts.index(max(doubts)) if chosen else 0
        marked.append(left.pop(at))
    return len(marked)


def _doubt(wrapper: Wrapper, page: Page) -> float:
    """How unsure a wrapper is of a page: where it stops, finds nothing, or finds odd values."""
    records = wrapper.extract(page)
    doubt = STOPPED * (records.failure is not None) + NOTHING * (not records)
    assert wrapper.profile is not None
    odd = sum(finding.field is not None for finding in compare(wrapper.profile, [records]))
    return doubt + odd


def run() -> str:
    """The tables."""
    if not (DATA / "wrappers").exists():
        return "### noise\n\nThe shared data is not there."
    return "\n\n".join(str(table()) for table in (noise, choosing))


if __name__ == "__main__":
    print(run())
