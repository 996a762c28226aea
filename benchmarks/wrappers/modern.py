"""The hand-made modern pages: learned by texts from one to three pages, compared by values.

Values are compared as the design has them: typed, nested, clean. Beside them the texts at the same
places are compared with the texts that a person would mark, which leaves out how well values are
cleaned and converted. Fields that can't be learned count as missed.
"""

from collections.abc import Iterator, Mapping, Sequence
from inspect import signature
from itertools import islice
from statistics import mean
from typing import Any, NamedTuple

from benchmarks.measure import Table
from benchmarks.wrappers.modern_pages import Fields, GoldPage, ModernSite, Tree, modern_sites
from benchmarks.wrappers.modern_peers import beside_peers
from benchmarks.wrappers.modern_values import (
    Comparison,
    as_read,
    compare,
    text_form,
    total,
    value_form,
)
from rowen import Example, Page, Record, RowenError, Span, Wrapper, learn

COUNTS = (1, 2, 3)
"""So many pages are marked."""
MARKS = (1, 2)
"""So many records of one page are marked on lists."""
SPLITS = 4
"""A site's pages are marked from this many different first pages on, at the most."""
LEAST = 0.9
"""Fields below are named."""
SECONDS = 20.0
"""Of processor time for learning once."""


class Task(NamedTuple):
    """What is marked, what is asked about, and with `partial` what is known of the marked page."""

    site: ModernSite
    marked: Sequence[GoldPage]
    asked: Sequence[GoldPage]
    partial: bool = False


class Result(NamedTuple):
    """A site's comparison by values and by texts."""

    values: Comparison
    texts: Comparison


def page_tasks(site: ModernSite, count: int) -> Iterator[Task]:
    """Some following pages marked, all others asked about."""
    if count >= len(site.pages):
        return
    for first in range(min(len(site.pages), SPLITS)):
        turned = [*site.pages[first:], *site.pages[:first]]
        yield Task(site, turned[:count], turned[count:])


def record_tasks(site: ModernSite, count: int) -> Iterator[Task]:
    """The first records of a page marked, all others of the site asked about."""
    if not site.is_list:
        return
    for page in islice(site.pages, SPLITS):
        if len(page.labels) > count:
            marked = page._replace(labels=page.labels[:count], values=page.values[:count])
            yield Task(site, [marked], site.pages, partial=True)


def learned(task: Task) -> Wrapper | None:
    """A wrapper for all fields, or else for those that can be learned; None where none can."""
    names = list(task.site.fields)
    wrapper = _try(task, names)
    if wrapper is None:
        able = [name for name in names if _try(task, [name]) is not None]
        wrapper = _try(task, able) if able else None
    return wrapper


def _try(task: Task, names: Sequence[str]) -> Wrapper | None:
    options: dict[str, Any] = {"seconds": SECONDS}
    if "schema" in signature(learn).parameters:
        options["schema"] = {name: task.site.fields[name] for name in names}
    try:
        examples = [
            Example(page.page, [_only(label, names) for label in page.labels], partial=task.partial)
            for page in task.marked
        ]
        return learn(examples, **options)
    except (RowenError, TypeError, ValueError):  # the latter two: nested labels before 0.2
        return None


def _only(record: Tree, names: Sequence[str]) -> Tree:
    return {name: record[name] for name in names}


def result(task: Task) -> Result:
    """What is learned from the marked pages, on those that are asked about."""
    wrapper = learned(task)
    values, texts = [], []
    for gold in task.asked:
        records = [] if wrapper is None else list(wrapper.extract(gold.page))
        known = next((page for page in task.marked if page.page is gold.page), None)
        given, wanted, marked = (
            [_html_read(record, task.site.fields) for record in trees]
            for trees in (map(_values, records), gold.values, known.values if known else ())
        )
        values.append(compare(given, wanted, value_form, marked))
        read = [_source(gold.page, record) for record in records]
        texts.append(compare(read, gold.labels, text_form, known.labels if known else ()))
    return Result(total(values), total(texts))


def _values(record: Record) -> Tree:
    """A record's values; those of a record that does not know clean values are read here."""
    return record.values if hasattr(record, "source") else _read(record.values)


def _html_read(record: Tree, fields: Fields) -> Tree:
    """A record with its HTML as texts: marked by its text, it may lack the outermost tags."""
    html = [name for name in record if fields[name].get("type") == "html"]
    return {**record, **{name: _read(record[name]) for name in html}}


def _source(page: Page, record: Record) -> Tree:
    """The texts that a reader sees at a record's places."""
    if hasattr(record, "source"):
        return _read(record.source)
    places = {
        name: [where] if isinstance(where, Span) else where or []
        for name, where in record.spans.items()
    }
    return {
        name: [as_read(page.text[span.start : span.end]) for span in spans]
        for name, spans in places.items()
    }


def _read(content: Any) -> Any:
    match content:
        case str():
            return as_read(content)
        case list() | tuple():
            return [_read(each) for each in content]
        case dict():
            return {name: _read(inner) for name, inner in content.items()}
        case _:
            return content


def run() -> str:
    """Tables by site from whole pages and from single records, fields that fail, and peers."""
    by_pages = {count: _results(page_tasks, count) for count in COUNTS}
    by_marks = {count: _results(record_tasks, count) for count in MARKS}
    parts = [
        _table(f"{about}, {way}", unit, way, results)
        for about, unit, results in (
            ("pages marked", "page", by_pages),
            ("lists, records of one page marked", "record", by_marks),
        )
        for way in Result._fields
    ]
    return "\n\n".join([*parts, _fields(by_pages[2]), beside_peers(modern_sites())])


def _results(tasks: Any, count: int) -> dict[str, Result]:
    found = {}
    for site in modern_sites():
        results = [result(task) for task in tasks(site, count)]
        if results:
            found[site.name] = Result(
                total(one.values for one in results), total(one.texts for one in results)
            )
    return found


def _table(about: str, unit: str, way: str, by_count: Mapping[int, Mapping[str, Result]]) -> str:
    heads = [f"{count} {unit}{'s' if count > 1 else ''}" for count in by_count]
    table = Table(
        f"wrappers, modern pages: {about}: F1 / records right / pages right", ("site", *heads)
    )
    compared = [
        {name: getattr(one, way) for name, one in results.items()} for results in by_count.values()
    ]
    for name in dict.fromkeys(name for results in compared for name in results):
        table.add(
            name, *(_means([results[name]] if name in results else []) for results in compared)
        )
    table.add("mean over sites", *(_means(list(results.values())) for results in compared))
    return str(table)


def _means(comparisons: Sequence[Comparison]) -> str:
    if not comparisons:
        return ""
    figures = (
        mean(one.f1 for one in comparisons),
        mean(one.records_right for one in comparisons),
        mean(one.pages_part for one in comparisons),
    )
    return " / ".join(f"{figure:.2f}" for figure in figures)


def _fields(results: Mapping[str, Result]) -> str:
    lines = [
        f"Fields with F1 of values below {LEAST} from two pages (F1 of texts in brackets):",
        "",
    ]
    for name, one in results.items():
        texts = one.texts.field_f1()
        low = [
            f"{field} {figure:.2f} ({texts[field]:.2f})"
            for field, figure in one.values.field_f1().items()
            if figure < LEAST
        ]
        if low:
            lines.append(f"- {name}: {', '.join(low)}")
    return "\n".join(lines)
