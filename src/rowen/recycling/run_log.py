"""What a run did, for programs that use Rowen: as log messages, and as Prometheus metrics.

The logger is `rowen.run`. Nothing is printed unless the program sets up logging.
"""

import logging
import time
from collections.abc import Iterator, Mapping

from rowen.model.text import replace_surrogates
from rowen.recycling.report import Report

_logger = logging.getLogger("rowen.run")
# Without any handler, Python would print warnings that the commands print themselves.
logging.getLogger("rowen").addHandler(logging.NullHandler())


def log_run(report: Report) -> None:
    """Log the summary of a run, and what went wrong in it."""
    for line in report.lines():
        _logger.info(line)
    for problem in report.problems():
        # The ids of pages may have what no log file and no terminal can write.
        _logger.warning(replace_surrogates(problem))


def prometheus_text(report: Report) -> str:
    """The run as Prometheus metrics, for the text file collector of its node exporter."""
    lines: list[str] = []
    for name, about, samples in _metrics(report):
        lines += [f"# HELP rowen_run_{name} {about}", f"# TYPE rowen_run_{name} gauge"]
        lines += [f"rowen_run_{name}{_labels(labels)} {value}" for labels, value in samples]
    return replace_surrogates("\n".join(lines) + "\n")


def _metrics(
    report: Report,
) -> Iterator[tuple[str, str, list[tuple[Mapping[str, str], float]]]]:
    yield "end_time_seconds", "When the last run ended.", [({}, time.time())]
    yield "snapshot", "The number of its snapshot.", [({}, report.snapshot)]
    yield (
        "pages",
        "Pages by what became of them.",
        [({"fate": fate}, count) for fate, count in report.pages.items()],
    )
    yield (
        "seconds",
        "Seconds by step, summed over workers; the step total is that of the clock.",
        [({"step": step}, round(spent, 6)) for step, spent in report.seconds.items()],
    )
    counts = {
        "records": "Records by extractor.",
        "copied": "Records that were copied with whole pages.",
        "known_pages": "New and changed pages whose text was known.",
        "extracted_characters": "Characters that were extracted.",
        "failed": "Pages on which an extractor failed.",
        "checked": "Pages whose copied records were checked.",
    }
    for name, about in counts.items():
        yield (
            name,
            about,
            [
                ({"extractor": extractor}, getattr(tally, name))
                for extractor, tally in report.tallies.items()
            ],
        )
    yield "unreadable_pages", "Pages that could not be read.", [({}, len(report.unreadable))]
    yield "differing_extractors", "Extractors with wrong copies.", [({}, len(report.differed))]


def _labels(labels: Mapping[str, str]) -> str:
    escapes = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})
    parts = [f'{name}="{value.translate(escapes)}"' for name, value in labels.items()]
    return f"{{{','.join(parts)}}}" if parts else ""
