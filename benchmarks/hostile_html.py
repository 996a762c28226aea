"""HTML that was made to be slow: how long each path takes on it, and how that grows with its size.

`python -m benchmarks.hostile_html [--megabytes 1 2 4] [--path paper tree] [--family deep-div ...]`

A path that is linear takes twice as long for twice the bytes; what is refused or cut is no trouble
either. Each trial runs in a process of its own with a limit of time.
"""

import argparse
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from random import Random
from string import ascii_lowercase
from typing import Final

SECONDS: Final = 60.0
"""How much of a processor's time a trial may take before it counts as hung."""


def _repeated(piece: str, *, before: str = "<p>", after: str = "") -> Callable[[int], str]:
    return lambda size: before + piece * (size // len(piece)) + after


def _numbered(form: str, *, before: str = "", after: str = "") -> Callable[[int], str]:
    """Pieces that all differ: a number goes into each."""

    def page(size: int) -> str:
        length = len(form.format(1_000_000))
        return before + "".join(form.format(number) for number in range(size // length)) + after

    return page


def _words(size: int, *, ends: str = " ") -> str:
    random = Random(15)
    words = ["".join(random.choices(ascii_lowercase, k=random.randint(2, 9))) for _ in range(5000)]
    return ends.join(random.choices(words, k=size // 7))


def _meta(name: str, content: str) -> str:
    return f"<meta name={name} content='{content}'>"


def _closed_late(size: int) -> str:
    half = size // 11
    return "<div>" * half + "</div>" * half


def _tables(size: int) -> str:
    return "<table><tr><td>" * (size // 15)


FAMILIES: Final[dict[str, Callable[[int], str]]] = {
    # the tree
    "deep-div": _repeated("<div>"),
    "deep-span": _repeated("<span>"),
    "deep-closed": _closed_late,
    "formatting": _repeated("<b><i><u>"),
    "formatting-paragraphs": _repeated("<p><b>"),
    "formatting-differing": _numbered("<font size={}>x"),
    "formatting-blocks": _numbered("<b id={}><div>x"),
    "adoption": _repeated("<a><div><b></a>"),
    "adoption-nested": _repeated("<b><p></b>x"),
    "anchors": _repeated("<a href=x>y"),
    "foster": _repeated("<table>x"),
    "foster-text": _repeated("x<b>", before="<table>"),
    "foster-rows": _repeated("<tr>x", before="<table>"),
    "tables": _tables,
    "select": _repeated("<option>x<optgroup>", before="<select>"),
    "svg": _repeated("<svg><g>"),
    "svg-breakout": _repeated("<svg><p>x"),
    "cdata": _repeated("<svg></p><![CDATA[ x ]]>"),
    "templates": _repeated("<template><p>x"),
    "lists": _repeated("<ul><li>x"),
    "list-items": _repeated("<li>x"),
    "headings": _repeated("<h1>Heading</h2>x"),
    "end-tags": _repeated("</x>", before="<div>" * 400),
    "end-tags-deep": _repeated("</p>", before="<div>" * 400),
    "bodies": _numbered("<body a{}=1>"),
    "comments": _repeated("<!--x-->"),
    "nul": _repeated("\0<svg>\0"),
    # tokens
    "lesser-than": _repeated("<"),
    "ampersands": _repeated("&"),
    "references": _repeated("&notit;&copy"),
    "references-unended": _repeated("&CounterClockwiseContourIntegra"),
    "numbers-long": _repeated("9", before="<p>&#"),
    "attributes": _numbered("a{}=1 ", before="<p ", after=">x"),
    "attributes-same": _repeated("a=1 ", before="<p ", after=">x"),
    "attributes-many-tags": _numbered("<p id=x{} class='a b' title='&amp;'>x"),
    "comment-open": _repeated("<!--"),
    "quotes": _repeated("<a b='", before="<p>"),
    "titles": _repeated("<title>x</title>"),
    "title-text": _repeated("x </x>", before="<title>"),
    "metas": _numbered("<meta name=citation_author content='Family{}, Given'>"),
    "metas-institutions": _numbered(
        "<meta name=citation_author_institution content='Institute {}'>",
        before="<meta name=citation_author content='A, B'>",
    ),
    "meta-authors-one": lambda size: _meta("citation_authors", _words(size, ends="; ")),
    "meta-keywords-one": lambda size: _meta("citation_keywords", _words(size, ends=", ")),
    "meta-doi": _repeated("10.1234", before="<meta name=citation_doi content='", after="'>"),
    "aside-nested": _repeated("<nav><form><aside>"),
    "aside-unmatched": _repeated("</nav>", before="<aside>" * 20_000),
    "superscripts": _repeated("a<sup>1</sup>"),
    "superscripts-open": _repeated("<sup>a"),
    "cells": _repeated("<td>x"),
    # texts
    "one-word": _repeated("x"),
    "one-line": lambda size: "<p>" + _words(size),
    "spaces": _repeated(" "),
    "breaks": _repeated("x<br>"),
    "paragraphs": _repeated("<p>Some words of a text."),
    "paragraphs-short": _repeated("<p>x"),
    "paragraphs-prose": lambda size: "<p>".join(_words(600) for _ in range(size // 600)),
    "numbers": _repeated("1 "),
    "digits": _repeated("1"),
    "brackets": _repeated("[1] "),
    "brackets-open": _repeated("["),
    "brackets-lists": _repeated("[1, 2-9; 3] "),
    "parentheses": _repeated("("),
    "years": _repeated("(Smith, 2001; Jones et al., 1999a) "),
    "capitals": _repeated("A. B. "),
    "initials": _repeated("A."),
    "commas": _repeated("Smith, J., "),
    "and": _repeated("Smith and "),
    "et-al": _repeated("Smith et al. "),
    "addresses": _repeated("http://a.b/"),
    "dots": _repeated("."),
    "dashes": _repeated("-"),
    "dashes-words": _repeated("x- "),
    "mails": _repeated("a@b.cd "),
    "mails-open": _repeated("a."),
    "dois": _repeated("10.1234/"),
    "marks": _repeated("é\u0301"),
    "wide": _repeated("漢"),
    "headings-many": _repeated("<h2>Introduction</h2><p>x"),
    "references-list": _repeated(
        "<p>[1] A. Smith. A title of some words. Journal of Things, 12(3):1-9, 2001.",
        before="<h1>Title of it</h1><p>x<h2>References</h2>",
    ),
    "reference-long": _repeated(
        "A. Smith. A title of some words. Journal of Things, 12(3):1-9, 2001. ",
        before="<h1>Title of it</h1><p>x<h2>References</h2><p>[1] ",
    ),
    "abstracts": _repeated("<h2>Abstract</h2><p>x"),
    "authors": _repeated(
        "<p>Ada Lovelace<sup>1</sup>, Alan Turing<sup>2</sup>", before="<h1>A Title</h1>"
    ),
    "keywords": _repeated("alpha, beta; ", before="<h1>A Title</h1><p>Keywords: "),
    "citations-body": _repeated(
        "as [1] and (Smith, 2001) say. ",
        before="<h1>A title</h1><h2>Introduction</h2><p>",
        after="<h2>References</h2><p>[1] A. Smith. A title. 2001.<p>[2] B. Jones. Other. 1999.",
    ),
}


def _paper(html: str) -> None:
    from rowen.scholar.paper import read_flow

    read_flow(html, html=True)


def _tree(html: str) -> None:
    from rowen.documents.tree import parse

    parse(html)


def _tokens(html: str) -> None:
    from rowen.documents.html import tokenize

    tokenize(html)


def _charset(html: str) -> None:
    from rowen.documents.charset import decode

    decode(b"<html>\xe9" + html.encode())


PATHS: Final[dict[str, Callable[[str], None]]] = {
    "paper": _paper,
    "tree": _tree,
    "tokens": _tokens,
    "charset": _charset,
}


def _trial(path: str, family: str, size: int, pipe: Connection) -> None:
    from rowen.model import RowenError

    resource.setrlimit(resource.RLIMIT_CPU, (int(SECONDS), int(SECONDS) + 5))
    html = FAMILIES[family](size)
    PATHS[path]("<p>x")  # what is loaded at first use is no part of the trial
    start = time.process_time()
    told = ""
    try:
        PATHS[path](html)
    except RowenError as error:
        told = str(error)
    except RecursionError:
        told = "RecursionError"
    pipe.send((time.process_time() - start, told))


def seconds(path: str, family: str, size: int) -> tuple[float, str]:
    """The processor time of one trial, and what was said of the page where it was refused."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=_trial, args=(path, family, size, theirs)
    )
    process.start()
    theirs.close()
    try:
        taken: tuple[float, str] = ours.recv()
    except EOFError:
        return SECONDS, "hung"
    else:
        return taken
    finally:
        process.kill()
        process.join()


def rows(paths: list[str], families: list[str], sizes: list[float]) -> Iterator[str]:
    """A line for each path and family: seconds by size, how they grow, and what was told."""
    for path in paths:
        for family in families:
            taken: list[float] = []
            told = ""
            for size in sizes:
                second, told = seconds(path, family, int(size * 1_000_000))
                taken.append(second)
                if told == "hung":
                    break
            growth = taken[-1] / taken[-2] if len(taken) > 1 and taken[-2] > 0.05 else 1.0
            shown = "".join(f"{one:8.2f}" for one in taken).ljust(8 * len(sizes))
            yield f"{path:8} {family:24}{shown} {growth:5.1f}  {told[:70]}".rstrip()


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--megabytes", nargs="+", type=float, default=[1.0, 2.0, 4.0])
    parser.add_argument("--path", nargs="+", choices=[*PATHS], default=["paper", "tree"])
    parser.add_argument("--family", nargs="+", choices=[*FAMILIES], default=[*FAMILIES])
    given = parser.parse_args()
    sizes = "".join(f"{one:5g} MB" for one in given.megabytes)
    print("path     family".ljust(33) + sizes + " growth")
    for row in rows(given.path, given.family, given.megabytes):
        print(row)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
