"""The PAC model's number of examples against the number that was enough (figure 7.7)."""

from statistics import mean, median

from benchmarks import figures
from benchmarks.measure import Table
from benchmarks.wrappers.examples import needed_by
from benchmarks.wrappers.trial import try_learn
from rowen.assurance.pac import pages_needed, simple_pages_for

EPSILON = DELTA = 0.1
"""As in the thesis."""


def run() -> str:
    """Site by site for HLRT, the class that the model is about."""
    table = Table(
        "wrappers: pages predicted by the PAC model and needed, hlrt, ε = δ = 0.1",
        ("site", "fields", "records a page", "eq. 4.5", "eq. 4.11", "needed", "times"),
    )
    points = []
    for site, needed in needed_by("hlrt"):
        enough = [one for one in needed if one is not None]
        wrapper = try_learn(site.pages[:3], "hlrt")
        if not enough or wrapper is None or wrapper.evidence is None:
            continue
        predicted = pages_needed(wrapper, EPSILON, DELTA)
        simple = simple_pages_for(EPSILON, DELTA, shortest=wrapper.evidence.shortest)
        actual = mean(enough)
        points.append((actual, predicted))
        table.add(
            site.name,
            str(len(wrapper.fields)),
            f"{wrapper.evidence.records / wrapper.evidence.pages:.1f}",
            str(predicted),
            str(simple),
            f"{actual:.1f}",
            f"{predicted / actual:.0f}",
        )
    figures.points(
        "prediction",
        points,
        title="PAC model: pages predicted and needed (HLRT)",
        axes=("pages needed, mean of the splits", "pages predicted, ε = δ = 0.1"),
    )
    predictions = [predicted for _, predicted in points]
    times = [predicted / actual for actual, predicted in points]
    return (
        f"{table}\n\nPredicted: {min(predictions)} to {max(predictions)} pages, "
        f"{median(predictions):.0f} at the median; {median(times):.0f} times what was enough, at "
        "the median. The thesis predicted 251 to 1131 where 2 to 44 were enough."
    )
