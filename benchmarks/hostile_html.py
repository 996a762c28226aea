"""HTML and texts that were made to be slow: how long each path takes, and how that grows.

`python -m benchmarks.hostile_html [--megabytes 1 2 4] [--path paper text] [--family deep-div ...]`

A path that is linear takes twice as long for twice the bytes; what is refused or cut is no trouble
either. Each trial runs in a process of its own with a limit of time.
"""

import argparse
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
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


@cache
def _lexicon() -> list[str]:
    random = Random(15)
    return ["".join(random.choices(ascii_lowercase, k=random.randint(2, 9))) for _ in range(5000)]


def _words(size: int, *, ends: str = " ") -> str:
    return ends.join(Random(size).choices(_lexicon(), k=size // 7))


def _prose(size: int) -> str:
    words = _words(size).split()
    return "<p>".join(" ".join(words[at : at + 85]) for at in range(0, len(words), 85))


def _meta(name: str, content: str) -> str:
    return f"<meta name={name} content='{content}'>"


def _closed_late(size: int) -> str:
    half = size // 11
    return "<div>" * half + "</div>" * half


def _tables(size: int) -> str:
    return "<table><tr><td>" * (size // 15)


_LINES: Final = "<p>x" * 50_000
"""More lines than are read of a page: what follows them goes another way."""
_SELECT: Final = "<select><button><selectedcontent></selectedcontent></button>"

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
    "formatting-again": _repeated(
        "<p>x</p>", before="<div>" + "".join(f"<b id={n}>" for n in range(50)) + "</div>"
    ),
    "cdata-one": _repeated("<![CDATA[x>y]]>", before="<svg>"),
    "cdata-one-broken": _repeated("<![CDATA[x>y]]>", before="<svg></p>"),
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
    "instructions": _repeated("<?a>"),
    "names": _numbered("<x{}>"),
    "frames": _repeated("<frameset>", before=""),
    "nobr": _repeated("<nobr>x"),
    "buttons": _repeated("<button>x"),
    "captions": _repeated("<table><caption>x"),
    "definitions": _repeated("<dd><dt>x"),
    "ruby": _repeated("<ruby><rt>x"),
    "scripts": _repeated("<script>x</script>"),
    "scripts-escaped": _repeated("<!--<script>x</script>", before="<script>"),
    "textareas": _repeated("<textarea>\n</textarea>"),
    "options-copied": _repeated("<option selected>x", before=_SELECT),
    "options-nested": _repeated("<option selected><div>", before=_SELECT),
    "cdata-brackets": _repeated("<svg><![CDATA[x>y]]></svg>"),
    "formatting-closed": _repeated("</b>x", before="<b>" * 400),
    "formatting-marked": _repeated("<b><object>x"),
    "attribute-long": _repeated("x", before="<p a='", after="'>x"),
    "attribute-classes": _repeated("x ", before="<p class='", after="'>x"),
    "references-tags": _repeated("&amp<b>"),
    "references-numbered": _numbered("&#{};"),
    "meta-references": _repeated("&amp", before="<meta name=citation_title content='", after="'>"),
    "cells-late": _repeated("<td>", before=_LINES),
    "spaces-late": _repeated(" <b>", before=_LINES),
    "breaks-late": _repeated(" <br>", before=_LINES),
    "blocks-late": _repeated(" <p>", before=_LINES),
    "superscripts-late": _repeated("<sup>x", before=_LINES),
    "raised-line": _repeated("<sup>x</sup>y"),
    # texts
    "space-kinds": _repeated(" \n\u2003\u00a0"),
    "line-separators": _repeated("x\u2028"),
    "one-word": _repeated("x"),
    "one-line": lambda size: "<p>" + _words(size),
    "spaces": _repeated(" "),
    "breaks": _repeated("x<br>"),
    "paragraphs": _repeated("<p>Some words of a text."),
    "paragraphs-short": _repeated("<p>x"),
    "paragraphs-prose": _prose,
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


_REFERENCE: Final = "A. Smith. A title of some words. Journal of Things, 12(3):1-9, 2001."
TEXTS: Final[dict[str, Callable[[int], str]]] = {
    "text-words": _words,
    "text-word": _repeated("x", before=""),
    "text-prose": lambda size: _prose(size).replace("<p>", "\n\n"),
    "text-lines": _repeated("x\n", before=""),
    "text-paragraphs": _repeated("x\n\n", before=""),
    "text-titles": _repeated("Some Words of It\n\n", before=""),
    "text-wide-lines": lambda size: _words(size).replace(" z", "\n"),
    "text-newlines": _repeated("\n", before=""),
    "text-returns": _repeated("\r", before="x"),
    "text-blanks": _repeated("\n ", before=""),
    "text-blanks-long": _repeated("\n" + " " * 1000, before="x"),
    "text-spaces": _repeated(" ", before="x"),
    "text-feeds": _repeated("\f", before=""),
    "text-pages": _repeated("x\f", before=""),
    "text-pages-blank": _repeated("\n\f", before=""),
    "text-separators": _repeated("x\u2028", before=""),
    "text-tabs": _repeated("x\t", before=""),
    "text-marks": _repeated("\x0ex\x0f", before=""),
    "text-hyphens": _repeated("exam-\n", before=""),
    "text-hyphens-line": _repeated("exam- ", before=""),
    "text-dashes": _repeated("-", before=""),
    "text-dashes-lines": _repeated("-\n", before=""),
    "text-digits": _repeated("1", before=""),
    "text-digits-lines": _repeated("1\n", before=""),
    "text-numbers": _numbered("{} "),
    "text-numbers-lines": _numbered("{}\n"),
    "text-sections": _repeated("1.1 Words\n\n", before=""),
    "text-sections-deep": _repeated("1.", before="\n\n"),
    "text-romans": _repeated("IVX", before=""),
    "text-capitals": _repeated("A", before=""),
    "text-labels": _repeated("[1] ", before=""),
    "text-labels-lines": _repeated("[1] x\n", before=""),
    "text-labels-long": lambda size: "".join(
        f"[{n % 1000}] {_REFERENCE} " for n in range(size // 74)
    ),
    "text-items": _repeated("1. 2. ", before=""),
    "text-headings": _repeated("References\n\n", before=""),
    "text-headings-lines": _repeated("References\n", before=""),
    "text-abstracts": _repeated("Abstract\nx\n", before=""),
    "text-references": _repeated(f"{_REFERENCE}\n", before="A Title of it\n\nx\n\nReferences\n\n"),
    "text-references-apart": _repeated(
        f"[1] {_REFERENCE}\n\n", before="A Title of it\n\nx\n\nReferences\n\n"
    ),
    "text-references-numbers": _repeated("[1] 2001.\n", before="A Title of it\n\nReferences\n\n"),
    "text-references-dots": _repeated("[1] .,;:\n", before="A Title of it\n\nReferences\n\n"),
    "text-reference-initials": _repeated("A. B. ", before="A Title of it\n\nReferences\n\n[1] "),
    "text-authors": _repeated("Ada Lovelace, Alan Turing and ", before="A Title of it\n\n"),
    "text-authors-lines": _repeated("Ada Lovelace\n", before="A Title of it\n\n"),
    "text-keywords": _repeated("alpha, beta; ", before="A Title of it\n\nKeywords: "),
    "text-mails": _repeated("a@b.cd\n", before="A Title of it\n\n"),
    "text-mails-braces": _repeated("{a,b}@", before="A Title of it\n\n"),
    "text-years": _repeated("(Smith, 2001; Jones et al., 1999a)\n", before=""),
    "text-years-cited": lambda size: (
        "A Title of it\n\n"
        + "".join(f"As Smith (2001) and Jones, Smith {n} say, 2001. " for n in range(12_000))
        + "\n\nReferences\n\n"
        + "".join(f"[{n}] A. Smith, B. Jones{n}. A title {n}. 2001.\n" for n in range(size // 40))
    ),
    "text-addresses": _repeated("http://a.b/\n", before=""),
    "text-dois": _repeated("10.1234/\n", before=""),
    "text-brackets": _repeated("[", before=""),
    "text-parentheses": _repeated("(\n", before=""),
    "text-dots": _repeated(". ", before=""),
    "text-leaders": _repeated("Words . . . . . . 1\n", before=""),
    "text-combining": _repeated("e\u0301", before=""),
    "text-wide": _repeated("漢\n", before=""),
}


def _paper(html: str) -> None:
    from rowen.papers.paper import read_flow

    read_flow(html, html=True)


def _text(text: str) -> None:
    from rowen.papers.paper import read_flow

    read_flow(text, html=False)


def _tree(html: str) -> None:
    from rowen.text.tree import parse

    parse(html)


def _tokens(html: str) -> None:
    from rowen.text.html_tokens import tokenize

    tokenize(html)


def _charset(html: str) -> None:
    from rowen.text.charset import decode

    decode(b"<html>\xe9" + html.encode())


PATHS: Final[dict[str, Callable[[str], None]]] = {
    "paper": _paper,
    "text": _text,
    "tree": _tree,
    "tokens": _tokens,
    "charset": _charset,
}


def _trial(path: str, family: str, size: int, pipe: Connection) -> None:
    from rowen.model import RowenError

    html = (FAMILIES | TEXTS)[family](size)
    PATHS[path]("<p>x")  # what is loaded at first use is no part of the trial
    start = time.process_time()
    most = int(start + SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
    told = ""
    try:
        PATHS[path](html)
    except RowenError as error:
        told = str(error)
    except Exception as error:  # noqa: BLE001  # whatever it is, it is no matter of time
        told = f"failed: {error!r}"
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
        for family in (one for one in families if (one in TEXTS) == (path == "text")):
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
    parser.add_argument("--path", nargs="+", choices=[*PATHS], default=["paper", "text", "tree"])
    every = [*FAMILIES, *TEXTS]
    parser.add_argument("--family", nargs="+", choices=every, default=every)
    given = parser.parse_args()
    sizes = "".join(f"{one:5g} MB" for one in given.megabytes)
    print("path     family".ljust(33) + sizes + " growth")
    for row in rows(given.path, given.family, given.megabytes):
        print(row)
        sys.stdout.flush()


if __name__ == "__main__":
    main()
