r"""LaTeX sources to a paper: the commands of the usual classes for header, sections and references.

    \title{On Pages} \author{Ada Lovelace \and Charles Babbage}
    \section{Results} as shown~\cite{ada}        a section with a marker
    \bibitem{ada} A. Lovelace. Notes. 1843.      a citation, parsed as those of PDFs are

References come from `thebibliography`, so a source that uses BibTeX needs the text of its .bbl
file in place of `\bibliography`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rowen.citations.citation import Citation
from rowen.citations.markers import Marker
from rowen.citations.names import parse_names
from rowen.citations.parser import parse_citations
from rowen.elements.element import Figure, PaperTable
from rowen.markup import WRITTEN_REFERENCES, Written, WrittenAuthor, WrittenSection
from rowen.text.tex import (
    arguments,
    divided,
    environments,
    plain,
    with_macros,
    without_arguments,
    without_comments,
)

_HEADING = re.compile(
    r"\\(part|chapter|section|subsection|subsubsection)\*?\s*(?:\[[^\]]*\]\s*)?(?=\{)"
)
_LEVELS = {"part": 1, "chapter": 1, "section": 1, "subsection": 2, "subsubsection": 3}
_CITE = re.compile(r"\\[Cc]ite\w*\*?\s*(?:\[[^\]]*\]\s*)*\{([^{}]*)\}")
_ITEM = re.compile(r"\\bibitem\s*(?:\[(?:[^\[\]]|\{[^{}]*\})*\]\s*)?")
_MATHS = ("equation", "align", "eqnarray", "gather", "multline", "displaymath")
_FLOATS = ("figure", "table", "algorithm", "lstlisting", "verbatim")
_FRONT = ("abstract", "keyword", "keywords", "IEEEkeywords", "frontmatter", "CCSXML")
_AND = re.compile(r"\\(?:and|And|AND)(?![A-Za-z])")
_BREAK = re.compile(r"\\\\(?:\[[^\]]*\])?|\n\s*\n")
_SEPARATORS = re.compile(r"\s*(?:[,;·•]|\\sep(?![A-Za-z])|\\and(?![A-Za-z])|\\cdot)\s*")
_DASHES = re.compile(r"\s+(?:--+|–|—)\s+")
_WORD = re.compile(
    r"\b(?:key\s?words(?: and phrases)?|index terms|schlagw[öo]rter|schlüsselwörter|mots[- ]clés"
    r"|palabras clave|palavras-chave|parole chiave|ключевые слова)\s*[:.—–]\s*",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\b(?:JEL|MSC|PACS|AMS)\b")
_MAIL = re.compile(r"[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)+")
_NOTES = re.compile(r"\\(?:footnote|thanks|label)\*?\s*(?:\[[^\]]*\]\s*)?(?=\{)")
_ASIDE = re.compile(
    r"\\(?:thanks|footnote|IEEEmembership|IEEEcompsocitemizethanks|Email|email|orcid|orcidlink)\s*(?=\{)"
)
_MARK = re.compile(
    r"\$\s*\^\s*\{?([^${}]*)\}?\s*\$"
    r"|\\(?:textsuperscript|supit|inst|IEEEauthorrefmark)\s*\{([^{}]*)\}"
)
_LISTED = re.compile(r",\s*(?:and\s+)?|\s+and\s+")
_IS_WITH = re.compile(r"\b(?:is|are) with (?:the )?(.*?)(?:\s*\(?e-?mail\b|\.?\s*$)", re.IGNORECASE)
_PLACES = ("affil", "affiliation", "address", "alsoaffiliation")
_PLACE_PARTS = re.compile(
    r"\\(?:department|institution|streetaddress|city|state|postcode|country)\s*\{([^{}]*)\}"
)


def read_latex(text: str) -> Written:
    """Read a paper from the LaTeX source of its main file, or from a .bbl file."""
    tex = with_macros(without_comments(text))
    keys, citations = _bibliography(tex)
    numbers = {key: number for number, key in enumerate(keys)}
    return Written(
        title=_first(tex, "title"),
        authors=tuple(_authors(tex)),
        abstract=_abstract(tex),
        keywords=tuple(_keywords(tex)),
        doi=next((plain(doi) or None for _, doi, _ in arguments(tex, "acmDOI", "doi")), None),
        date=_first(tex, "date") if "\\today" not in tex else None,
        sections=tuple(_sections(tex, numbers)),
        figures=tuple(Figure(None, caption) for caption in _captions(tex, "figure")),
        tables=tuple(PaperTable(None, caption) for caption in _captions(tex, "table")),
        citations=citations,
    )


def _first(tex: str, name: str) -> str | None:
    for _, content, _ in arguments(tex, name):
        if text := plain(without_arguments(content, _NOTES)):
            return text
    return None


def _abstract(tex: str) -> str | None:
    text = _whole_abstract(tex)
    return _WORD.split(text, maxsplit=1)[0].strip() or None if text else None


def _whole_abstract(tex: str) -> str | None:
    for content, _, _ in environments(tex, "abstract"):
        inner = content
        for match, _, end in arguments(content, "keywords"):
            inner = content[: match.start()] + content[end:]
        return plain(inner) or None
    return _first(tex, "abstract")


def _keywords(tex: str) -> Iterator[str]:
    environment = environments(tex, "keyword", "keywords", "IEEEkeywords")
    contents = [content for content, _, _ in environment]
    contents += [content for _, content, _ in arguments(tex, "keywords")]
    # Some classes have no command for keywords, and authors write them below the abstract.
    contents += _WORD.split(_whole_abstract(tex) or "", maxsplit=1)[1:]
    content = _AFTER.split(contents[0], maxsplit=1)[0] if contents else ""
    between = _DASHES if _DASHES.search(content) else _SEPARATORS
    for part in between.split(content):
        if word := plain(part).rstrip(". "):
            yield word


def _captions(tex: str, kind: str) -> Iterator[str]:
    for content, _, _ in environments(tex, kind):
        for _, caption, _ in arguments(content, "caption"):
            yield plain(caption)


def _authors(tex: str) -> Iterator[WrittenAuthor]:
    commands = [own for own in arguments(tex, "author") if own[1].strip()]
    if len(commands) == 1:
        yield from _shared_command(tex, commands[0][1])
    elif commands:
        yield from _own_commands(tex, [(m.group(2), c, m.start()) for m, c, _ in commands])


def _own_commands(tex: str, commands: Sequence[tuple[str, str, int]]) -> Iterator[WrittenAuthor]:
    """One command per author; places by their marks, or after the authors that they belong to."""
    places = [
        (_marks(match.group(2)), _place(content), match.start())
        for match, content, _ in arguments(tex, *_PLACES)
    ]
    by_mark = {mark: text for marks, text, _ in places for mark in marks}
    ends = [start for _, _, start in commands[1:]] + [len(tex)]
    waiting: list[WrittenAuthor] = []
    for (options, content, start), end in zip(commands, ends, strict=True):
        author = _author(content)
        if author is None:
            continue
        own = [by_mark[mark] for mark in _marks(options) if mark in by_mark]
        after = [text for marks, text, at in places if start < at < end and not marks]
        mails = [
            m
            for _, mail, _ in arguments(tex[start:end], "email", "ead")
            for m in _MAIL.findall(mail)
        ]
        author = replace(author, email=author.email or (mails[0] if mails else None))
        if own or not after:
            waiting.append(replace(author, affiliations=tuple(own)))
        else:
            # Authors before a place without one of their own share it.
            waiting.append(author)
            for each in waiting:
                yield replace(each, affiliations=each.affiliations or tuple(after))
            waiting = []
    yield from waiting


def _shared_command(tex: str, content: str) -> Iterator[WrittenAuthor]:
    r"""All authors in one command, divided by `\and`, each with the lines below the name."""
    places = [plain(part) for _, own, _ in arguments(tex, "institute") for part in _AND.split(own)]
    by_mark = {str(number): place for number, place in enumerate(places, start=1)}
    by_mark.update(_marked_places(content))
    notes = [note for _, note, _ in arguments(content, "thanks")]
    for _, listed, _ in arguments(content, "IEEEcompsocitemizethanks"):
        notes += listed.split("\\IEEEcompsocthanksitem")
    for cell in divided(content, _AND):
        mails = _MAIL.findall(cell)
        head, *below = divided(without_arguments(_named(cell), _ASIDE), _BREAK)
        lines = [plain(line) for line in below if not _MARK.match(line.strip())]
        lines = [line for line in lines if line and not _MAIL.search(line)]
        own_notes = [note for _, note, _ in arguments(cell, "thanks")]
        for part in divided(head, _LISTED):
            author = _author(part)
            if author is None:
                continue
            own = [by_mark[mark] for mark in _marks_in(part) if mark in by_mark]
            own = own or ([", ".join(lines)] if lines else [])
            own = own or [*_noted(author, notes, own_notes)]
            own = own or (places if len(places) == 1 else [])
            yield replace(author, affiliations=tuple(own), email=_mail_of(author, mails))


def _marked_places(content: str) -> Iterator[tuple[str, str]]:
    """Places that begin with a mark, on lines of their own or in IEEE's blocks."""
    blocks = [own for _, own, _ in arguments(content, "IEEEauthorblockA")]
    for line in blocks or divided(content, _BREAK):
        if match := _MARK.match(line.strip()):
            for mark in _marks(match.group(1) or match.group(2) or ""):
                yield mark, _place(line.strip()[match.end() :])


def _marks_in(tex: str) -> list[str]:
    return [mark for own in _MARK.findall(tex) for mark in _marks(own[0] or own[1])]


def _noted(author: WrittenAuthor, notes: Sequence[str], own: Sequence[str]) -> Iterator[str]:
    """Where an author is by a note that names them, or that hangs on the name."""
    for note in notes:
        if author.family in plain(note) and (match := _IS_WITH.search(plain(note))):
            yield match.group(1).rstrip(" .")
            return
    for note in own[:1]:
        text = re.split(r"[\s.;,(]*(?:e-?mail\b|\S+@)", plain(note), flags=re.IGNORECASE)[0]
        if "," in text:
            yield text.rstrip(" .")


def _mail_of(author: WrittenAuthor, mails: Sequence[str]) -> str | None:
    """The address that has the author's name in it, or the only one."""
    family = author.family.split()[-1].lower()
    own = [mail for mail in mails if family in mail.lower()]
    return own[0] if own else mails[0] if len(mails) == 1 else None


def _named(cell: str) -> str:
    """A cell as lines: the block of names first, then that of the place."""
    names = [own for _, own, _ in arguments(cell, "IEEEauthorblockN")]
    if not names:
        return cell
    places = [own for _, own, _ in arguments(cell, "IEEEauthorblockA")]
    marked = any("IEEEauthorrefmark" in own for own in places)
    return "\\\\".join([*names, *([] if marked else places)])


def _author(tex: str) -> WrittenAuthor | None:
    text = without_arguments(_MARK.sub("", tex), _ASIDE).strip(" ,~\n\t")
    names = parse_names(plain(text))
    return WrittenAuthor(names[0].given, names[0].family) if names else None


def _marks(options: str) -> list[str]:
    return [mark.strip() for mark in re.split(r"[,\s]+", options.strip("[] \t\n")) if mark.strip()]


def _place(content: str) -> str:
    parts = _PLACE_PARTS.findall(content) or re.findall(r"\w+\s*=\s*\{([^{}]*)\}", content)
    return ", ".join(map(plain, parts)) if parts else plain(_BREAK.sub(", ", content))


def _sections(tex: str, numbers: dict[str, int]) -> Iterator[WrittenSection]:
    body = tex.partition("\\begin{document}")[2].partition("\\end{document}")[0]
    body = re.split(r"\\begin\s*\{thebibliography\}|\\bibliography\s*\{", body, maxsplit=1)[0]
    for names in (_FRONT, _FLOATS, _MATHS):
        for _, start, end in reversed([*environments(body, *names)]):
            body = body[:start] + " " + body[end:]
    starts = [*_HEADING.finditer(body)]
    if not starts or plain(body[: starts[0].start()]):
        first = body[: starts[0].start()] if starts else body
        first = first.partition("\\maketitle")[2] or ("" if "\\title" in first else first)
        if plain(first):
            yield WrittenSection(None, 1, *_marked(first, numbers))
    for index, match in enumerate(starts):
        end = starts[index + 1].start() if index + 1 < len(starts) else len(body)
        heading = next(arguments(body[match.start() : end], match.group(1)), None)
        if heading is not None:
            inside = body[match.start() + heading[2] : end]
            title = plain(without_arguments(heading[1], _NOTES))
            yield WrittenSection(title, _LEVELS[match.group(1)], *_marked(inside, numbers))


def _marked(tex: str, numbers: dict[str, int]) -> tuple[str, tuple[Marker, ...]]:
    """The text of a section, in which citations are their numbers in brackets."""
    pieces: list[str] = []
    markers: list[Marker] = []
    length = at = 0
    tex = without_arguments(tex, _NOTES)
    for match in [*_CITE.finditer(tex), None]:
        prose = tex[at : match.start() if match else len(tex)]
        text = plain(prose)
        if text and pieces and (prose[:1].isspace() or prose[:1] == "~"):
            text = f" {text}"
        if text and match and (prose[-1:].isspace() or prose[-1:] == "~"):
            text += " "
        pieces.append(text)
        length += len(text)
        if match:
            keys = list(dict.fromkeys(key.strip() for key in match.group(1).split(",")))
            own = tuple(numbers[key] for key in keys if key in numbers)
            label = (
                f"[{', '.join(str(numbers[key] + 1) if key in numbers else '?' for key in keys)}]"
            )
            pieces.append(label)
            markers.append(Marker(length, length + len(label), own))
            length += len(label)
            at = match.end()
    return "".join(pieces), tuple(markers)


def _bibliography(tex: str) -> tuple[list[str], tuple[Citation, ...]]:
    keys: list[str] = []
    strings: list[str] = []
    for content, _, _ in environments(tex, "thebibliography"):
        items = [*_ITEM.finditer(content)]
        for index, item in enumerate(items[: WRITTEN_REFERENCES - len(keys)]):
            end = items[index + 1].start() if index + 1 < len(items) else len(content)
            key, _, entry = content[item.end() : end].lstrip("{").partition("}")
            if string := plain(entry):
                keys.append(key.strip())
                strings.append(string)
    return keys, tuple(parse_citations(strings))
