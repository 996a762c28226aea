"""`rowen match`: citations to the works of a library's dump."""

import json
import sys
from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from rowen.cli.app import common_options
from rowen.cli.output import format_of, output_option
from rowen.model.errors import InputError, UsageError

if TYPE_CHECKING:
    from rowen.citations.citation import Citation
    from rowen.matching.match import Match

ENDINGS = {
    "json": "json",
    "jsonl": "json",
    "bib": "bibtex",
    "ris": "ris",
    "csl.json": "csl",
    "csl": "csl",
}
"""The format by the suffix of the output."""


@click.command(short_help="Find the works that citations name in a dump of Crossref or OpenAlex.")
@click.argument("citations", required=False)
@click.option(
    "--works",
    multiple=True,
    required=True,
    type=click.Path(exists=True),
    help="A Parquet file of works, or a folder of such files; may be repeated.",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    default=0.5,
    show_default=True,
    help="Leave out matches that are less probable than this.",
)
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(("json", "bibtex", "ris", "csl")),
    help="json: each citation with its match; the others: the citations, with the DOI of the "
    "match. [default: by the suffix of -o, else json]",
)
@output_option
@common_options
def command(
    *,
    citations: str | None,
    works: tuple[str, ...],
    least: float,
    format_: str | None,
    output: str | None,
    quiet: bool,
    verbose: bool,
) -> int:
    """Find the work that each citation names, by title, authors and year. Works offline.

    CITATIONS is what `rowen cite` or `rowen paper` writes: JSON, one object per line. Without it,
    or if it is -, they are read from standard input. Each is written with `match`: the work's
    `id`, `doi`, `title`, `authors`, `year` and `confidence`, or null.

    The works have the columns of Crossref (title, author, issued, DOI), of OpenAlex (title,
    authorships, publication_year, doi), or plain ones (title, authors, year, doi).

    \b
    rowen cite refs.txt -o citations.jsonl
    rowen match citations.jsonl --works works.parquet
    rowen paper a.pdf | rowen match --works openalex/ -o refs.bib
    """  # noqa: D301  # click reads the backspace
    from rowen.cli.console import Console
    from rowen.export.papers import write_citations
    from rowen.export.target import open_target
    from rowen.export.unicode import encode
    from rowen.matching.match import match_citations

    chosen = format_ or format_of(output, ENDINGS, default="json")
    if citations in {None, "-"} and sys.stdin.isatty():
        raise UsageError("no citations: give a file, or pipe them to standard input")
    console = Console(quiet=quiet, verbose=verbose)
    found = total = 0

    def matched() -> "Iterator[tuple[dict[str, Any], Match | None]]":
        nonlocal found, total
        with console.gauge(None, doing="comparing works", unit="works") as tell:
            pairs = match_citations(
                _citations(citations), works, least=least, progress=lambda done, _all: tell(done)
            )
            for citation, match in pairs:
                assert isinstance(citation, dict)
                total += 1
                found += match is not None
                yield citation, match

    if chosen == "json":
        target = open_target(output)
        try:
            for citation, match in matched():
                line = {**citation, "match": match and match.to_dict()}
                target.write(encode(json.dumps(line, ensure_ascii=False) + "\n"))
            target.commit()
        except BaseException:
            target.abandon()
            raise
    else:
        write_citations(output, (_completed(*pair) for pair in matched()), format=chosen)
    console.inform(f"{found:,} of {total:,} citations matched")
    return 0


def _completed(citation: dict[str, Any], match: "Match | None") -> "Citation":
    """A citation with the DOI of its match."""
    from rowen.citations.citation import Citation, Name

    def people(value: object) -> tuple[Name, ...]:
        return tuple(
            Name(str(one.get("given") or ""), str(one.get("family") or ""))
            for one in (value if isinstance(value, list) else [])
            if isinstance(one, dict)
        )

    texts = {
        field.name: citation[field.name]
        for field in fields(Citation)
        if isinstance(citation.get(field.name), str)
    }
    if match is not None and match.doi:
        texts["doi"] = match.doi
    return Citation(
        **{"raw": "", **texts},
        spans={},
        authors=people(citation.get("authors")),
        editors=people(citation.get("editors")),
    )


def _citations(file: str | None) -> Iterator[dict[str, Any]]:
    """The citations of a file or of standard input; those of a paper, with its `file`."""
    if file is None or file == "-":
        yield from _read(sys.stdin.buffer, "standard input")
        return
    try:
        with Path(file).open("rb") as lines:
            yield from _read(lines, file)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}") from error


def _read(lines: BinaryIO, name: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(iter(partial(lines.readline, LINE_BYTES), b""), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(
                f"{name}: line {number} is not JSON: give what `rowen cite` or `rowen paper` writes"
            ) from None
        own = value.get("citations") if isinstance(value, dict) else None
        if isinstance(own, list):
            named = {"file": value["file"]} if isinstance(value.get("file"), str) else {}
            yield from ({**named, **one} for one in own if isinstance(one, dict))
        elif isinstance(value, dict) and (value.get("title") or value.get("raw")):
            yield value
        else:
            raise InputError(f"{name}: line {number} is no citation: it has no `title` or `raw`")


LINE_BYTES = 256 * 1024 * 1024
"""Limit: how long a line of citations may be: that of a paper has its whole text."""
