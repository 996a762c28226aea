"""A language model as the recognizer: the protocol of figure 7.5, with all fields mistaken.

A local server answers in the protocol of language models, with mistakes at a rate from 0 to 40%.
Unlike in `benchmarks.noise`, no field is recognized perfectly. A trial splits a site's pages in
halves. The model is asked about one page, then two, and so on, until the wrapper is perfect on the
other half; what three pages give is noted. Needs the shared data; run it with
`python -m benchmarks.model`.
"""

import random
import statistics
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.model_server import ModelServer
from benchmarks.noise import Site, resources
from benchmarks.shared import DATA
from rowen import Page, RowenError, Wrapper, learn
from rowen.learning.recognizers.model import MODEL_PAGES, Model, readable, recognizers_of_model

RATES = (0.0, 0.1, 0.2, 0.3, 0.4)
EACH = 4
"""Each fourth site is tried."""

MOST = 6
"""A model is asked about no more pages of a site."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One trial."""

    pages: int | None
    """How many were asked about until the wrapper was perfect; None where all were too few."""
    perfect: bool
    """Whether it was with `MODEL_PAGES`, ..."""
    right: float
    """... and which share of the values it then found."""
    answered: float
    """The share of the values that the model itself has right."""


Answers: TypeAlias = dict[str, list[dict[str, str | None]]]
"""The records of a site's pages, by the text that the model gets."""


def answers_of(site: Site) -> Answers:
    """What a model without mistakes answers."""
    return {
        readable(page.text): [
            {name: page.text[slice(*span)] for name, span in row.items()} for row in rows
        ]
        for page, rows in site
    }


def trial(site: Site, records: Answers, rate: float, seed: str) -> Outcome:
    """Pages until perfect, and what three pages give."""
    chance = random.Random(seed)
    shuffled = chance.sample(site, len(site))
    known, others = shuffled[: len(site) // 2], shuffled[len(site) // 2 :]
    needed: int | None = None
    perfect, right = False, 0.0
    with ModelServer(records, rate=rate, seed=seed) as server:
        fields = dict.fromkeys(site[0][1][0], "a field of this site")
        table = {"use": "model", "url": server.url, "model": "noisy", "fields": fields}
        recognizers = recognizers_of_model({**table, "pages": MOST})
        limit = min(len(known), MOST)
        for count in range(1, limit + 1):
            try:
                wrapper = learn(recognizers=recognizers, pages=[page for page, _ in known[:count]])
            except RowenError:
                wrapper = None
            good = wrapper is not None and share(wrapper, others) == 1
            if needed is None and good:
                needed = count
            if count == min(MODEL_PAGES, limit):
                perfect, right = good, 0.0 if wrapper is None else share(wrapper, others)
            if needed is not None and count >= MODEL_PAGES:
                break
        model = recognizers[0].model
        assert model is not None
        answered = _answered(model, known[:MODEL_PAGES])
    return Outcome(needed, perfect, right, answered)


def share(wrapper: Wrapper, site: Site) -> float:
    """The F1 of the values that a wrapper finds; a model does not say which of equal texts."""
    hits = found = expected = 0
    for page, rows in site:
        true = {(name, page.text[slice(*span)]) for row in rows for name, span in row.items()}
        records = wrapper.extract(page)
        ours = {
            (name, at.of(page.text)) for one in records for name, of in one.items() for at in of
        }
        hits, found, expected = hits + len(true & ours), found + len(ours), expected + len(true)
    return 2 * hits / max(1, found + expected)


def _answered(model: Model, site: list[tuple[Page, list[dict[str, tuple[int, int]]]]]) -> float:
    right = total = 0
    for page, rows in site:
        for name in model.fields:
            true = {page.text[slice(*row[name])] for row in rows}
            places = model.find(page.text, name)
            right += len(true & {page.text[slice(*at)] for at in places})
            total += len(true)
    return right / total


def noise() -> Table:
    """Calls needed by rate of mistakes, and what three calls give."""
    table = Table(
        "model: calls until the wrapper is perfect, and with three calls",
        ("mistakes", "trials", "calls: mean", "at most", "reached with 6", "3 calls: perfect",
         "3 calls: values right", "the answers themselves"),
    )  # fmt: skip
    points = []
    sites = [(name, site, answers_of(site)) for name, site in islice(resources(), 0, None, EACH)]
    for rate in RATES:
        outcomes = [trial(site, records, rate, f"{name} {rate}") for name, site, records in sites]
        pages = [one.pages for one in outcomes if one.pages is not None]
        points.append((100 * rate, statistics.mean(pages)))
        table.add(
            f"{rate:.0%}",
            str(len(outcomes)),
            f"{statistics.mean(pages):.1f}",
            str(max(pages)),
            f"{len(pages) / len(outcomes):.0%}",
            f"{statistics.mean(one.perfect for one in outcomes):.0%}",
            f"{statistics.mean(one.right for one in outcomes):.3f}",
            f"{statistics.mean(one.answered for one in outcomes):.3f}",
        )
    figures.lines(
        "model",
        {"calls": points},
        title="Calls of a model until the wrapper is perfect",
        axes=("the model's mistakes, %", "calls, on average"),
        logarithmic=False,
    )
    return table


def run() -> str:
    """The table."""
    if not (DATA / "wrappers").exists():
        return "### model\n\nThe shared data is not there."
    return str(noise())


if __name__ == "__main__":
    print(run())
