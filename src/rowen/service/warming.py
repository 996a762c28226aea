"""Everything that the service's workers take from files, loaded at once."""

from rowen.export.paper_report import written_report
from rowen.scholar.paper import read_closely
from rowen.scholar.warming import TEXT, warm_up_scholar
from rowen.service.stages import paper_stages
from rowen.service.visible import visible_text
from rowen.workers.loading import load_packages


def warm_up() -> None:
    """Load the parts that read papers, and all kinds of extractors; write a paper in all forms."""
    warm_up_scholar()
    load_packages("rowen.documents", "rowen.extractors", "rowen.wrappers")
    reading = read_closely(TEXT)
    paper_stages(reading.paper, digest="")
    "".join(written_report([("", reading)]))
    visible_text("<p>A page &amp; its text</p>")
