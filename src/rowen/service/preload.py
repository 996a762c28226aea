"""Loads everything that workers need from files, before they are confined."""

from rowen.export.paper_report import written_report
from rowen.papers.paper import read_closely
from rowen.papers.preload import TEXT, warm_up_papers
from rowen.service.stages import paper_stages
from rowen.service.visible import visible_text
from rowen.values.tables import load_tables
from rowen.workers.loading import load_packages


def warm_up() -> None:
    """Load the paper models and all kinds of extractors, and write a paper in all forms once."""
    warm_up_papers()
    load_packages(
        "rowen.text", "rowen.values", "rowen.records", "rowen.extractors", "rowen.wrappers"
    )
    load_tables()
    reading = read_closely(TEXT)
    paper_stages(reading.paper, digest="")
    "".join(written_report([("", reading)]))
    visible_text("<p>A page &amp; its text</p>")
