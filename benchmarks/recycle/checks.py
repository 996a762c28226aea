"""What it costs to check copies, and how long it takes until all have been checked."""

import shutil

from benchmarks.measure import Table
from benchmarks.recycle.corpora import snapshots, workspace
from benchmarks.recycle.tasks import TASKS
from benchmarks.recycle.trial import Effort
from rowen import Store


def run(effort: Effort) -> str:
    """A row an extractor: seconds of checking beside all work of the runs."""
    tables = []
    for corpus in effort.corpora:
        table = Table(
            f"recycle: checking copies, {corpus}",
            ("extractor", "runs", "seconds of work", "of checking", "%", "pages checked a run"),
        )
        for task in TASKS:
            place = workspace() / f"{corpus}-{task.extractor.name}-checks"
            days = effort.snapshots_of(corpus, task)
            Store(place).run([task.extractor], snapshots(corpus)[0], jobs=1)
            work = checking = 0.0
            pages = copied = 0
            for day in days[1:]:
                report = Store(place).run([task.extractor], day, jobs=1)
                spent = report.seconds.get("verify", 0.0)
                work += report.seconds["total"] - spent
                checking += spent
                pages += report.checked
                copied += report.pages["all"] - report.pages["new"]
            runs = len(days) - 1
            table.add(
                task.name,
                str(runs),
                f"{work:.2f}",
                f"{checking:.3f}",
                f"{100 * checking / work:.2f}",
                f"{pages / runs:.0f} of {copied / runs:.0f}",
            )
            shutil.rmtree(place)
        tables.append(table)
    return "\n\n".join(map(str, tables))
