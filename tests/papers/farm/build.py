"""`python tests/papers/farm/build.py [NAME...]` writes documents/NAME.pdf and NAME.json.

It needs TeX Live (texlive-publishers, texlive-science, texlive-lang-*), Chromium, LibreOffice and
qpdf from Debian, and is run by hand: the documents are kept in the repository.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unicodedata
from pathlib import Path
from typing import Any

import jinja2
import pypdfium2
from contents import HERE, LABELS, Content, Work, content_of
from latex import Writer, bib_of, escaped, printed_in
from markup import Page, html_environment
from styles import STYLES

DOCUMENTS = HERE / "documents"
TOOLS = {
    "pdflatex": ["pdflatex", "-interaction=nonstopmode", "paper.tex"],
    "xelatex": ["xelatex", "-interaction=nonstopmode", "paper.tex"],
    "dvips": ["latex", "-interaction=nonstopmode", "paper.tex"],
}


class Raw(str):
    """LaTeX that is not to be escaped."""

    __slots__ = ()


def main() -> None:
    templates = tomllib.loads((HERE / "templates.toml").read_text(encoding="utf-8"))
    DOCUMENTS.mkdir(exist_ok=True)
    failed = []
    for name in sys.argv[1:] or templates:
        try:
            build(name, templates[name])
        except (RuntimeError, OSError, jinja2.TemplateError, subprocess.SubprocessError) as error:
            failed.append(name)
            sys.stderr.write(f"{name}: {error}\n")
    sys.exit(f"failed: {' '.join(failed)}" if failed else 0)


def build(name: str, spec: dict[str, Any]) -> None:
    content = content_of(name, spec)
    with tempfile.TemporaryDirectory(prefix="farm-") as folder:
        place = Path(folder)
        source = spec.get("file", name)
        if (HERE / "templates" / f"{source}.tex").exists():
            references = _typeset(place, source, content, spec)
        else:
            references = _printed(place, source, content, spec)
        _finish(place, spec.get("after", ""), shrink=spec.get("shrink", True))
        pdf = place / "paper.pdf"
        gold = _gold(content, references, spec)
        _check(name, gold, pdf, spec)
        shutil.copy(pdf, DOCUMENTS / f"{name}.pdf")
    text = json.dumps(gold, ensure_ascii=False, indent=1)
    (DOCUMENTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    size = (DOCUMENTS / f"{name}.pdf").stat().st_size // 1024
    sys.stderr.write(f"{name}: {gold['n_pages']} pages, {size} KB\n")


def _run(arguments: list[str], place: Path) -> None:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1620000000", "HOME": str(place)}
    subprocess.run(
        arguments, cwd=place, env=environment, capture_output=True, timeout=240, check=False
    )


def _typeset(
    place: Path, source: str, content: Content, spec: dict[str, Any]
) -> list[dict[str, Any]]:
    """Run LaTeX and return the references as the .bbl file prints them."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        variable_start_string="<<", variable_end_string=">>", block_start_string="<%",
        block_end_string="%>", comment_start_string="<#", comment_end_string="#>",
        finalize=lambda value: value if isinstance(value, Raw) else escaped(str(value)),
        undefined=jinja2.StrictUndefined, autoescape=False,
    )  # fmt: skip
    environment.filters["raw"] = Raw
    writer = Writer(content, cite=spec.get("cite", "cite"), labels=spec.get("labels", LABELS))
    body = writer.body(numbered=spec.get("numbered", True))
    if spec.get("chapters"):
        body = body.replace("\\section{", "\\chapter{").replace("\\subsection{", "\\section{")
    style = STYLES.get(spec["bib"])
    tex = environment.get_template(f"{source}.tex").render(
        {
            **vars(content), "body": Raw(body), "appendix": Raw(writer.appendix()),
            "bib": Raw(spec["bib"]), "options": Raw(spec.get("options", "")),
            "references": [(work.key, style(work)) for work in content.works] if style else [],
        }
    )  # fmt: skip
    (place / "paper.tex").write_text(tex, encoding="utf-8")
    (place / "works.bib").write_text(bib_of(content.works), encoding="utf-8")
    engine = spec.get("engine", "pdflatex")
    _run(TOOLS[engine], place)
    if not style:
        _run(["bibtex", "paper"], place)
        _run(TOOLS[engine], place)
    _run(TOOLS[engine], place)
    if engine == "dvips":
        # Bitmap fonts, as in papers of the nineties.
        _run(["dvips", "-V", "-D300", "-mode", "cx", "-o", "paper.ps", "paper.dvi"], place)
        _run(["ps2pdf", "paper.ps", "paper.pdf"], place)
    if not (place / "paper.pdf").exists():
        log = (place / "paper.log").read_text(encoding="utf-8", errors="replace")
        raise RuntimeError("\n".join(re.findall(r"^! .*(?:\n.*){3}", log, re.MULTILINE)[:3]))
    _complain(place)
    if style:
        return [_reference(work, style(work), printed=None) for work in content.works]
    works = {work.key: work for work in content.works}
    printed = printed_in((place / "paper.bbl").read_text(encoding="utf-8"))
    if set(printed) != set(works):
        raise RuntimeError(f"works not printed: {set(works) ^ set(printed)}")
    return [_reference(works[key], "", printed=text) for key, text in printed.items()]


def _complain(place: Path) -> None:
    log = (place / "paper.log").read_text(encoding="utf-8", errors="replace")
    for error in re.findall(r"^! .*(?:\n.*){2}|.*Citation.*undefined.*", log, re.MULTILINE)[:3]:
        sys.stderr.write(f"  {error}\n")


def _printed(
    place: Path, source: str, content: Content, spec: dict[str, Any]
) -> list[dict[str, Any]]:
    """Print a page of HTML with Chromium or LibreOffice; the references as its style has them."""
    style = STYLES[spec["bib"]]
    page = Page(content, style, spec)
    html = html_environment().get_template(f"{source}.html").render(page.names())
    (place / "paper.html").write_text(html, encoding="utf-8")
    if spec.get("engine") == "libreoffice":
        _run(
            ["soffice", "--headless", "--infilter=HTML (StarWriter)", "--convert-to",
             "pdf:writer_pdf_Export", "paper.html"], place,
        )  # fmt: skip
    else:
        _run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
             f"--user-data-dir={place / 'profile'}", "--print-to-pdf=paper.pdf",
             (place / "paper.html").as_uri()], place,
        )  # fmt: skip
    if not (place / "paper.pdf").exists():
        raise RuntimeError("no PDF was printed")
    return [_reference(work, style(work), printed=None) for work in page.works]


def _reference(work: Work, raw: str, *, printed: str | None) -> dict[str, Any]:
    """A reference of the gold: what is not printed is null."""
    text = raw if printed is None else printed
    bare = _norm(text)

    def shown(value: str) -> str | None:
        return value if value and _norm(value) in bare else None

    first, last = [*work.pages.split("–"), ""][:2]
    return {
        "raw": raw or None,
        "kind": work.kind,
        "authors": [
            {"given": person.given, "family": person.family}
            for person in work.authors
            if _norm(person.family) in bare
        ],
        "title": shown(work.title),
        "container": shown(work.container),
        "year": shown(work.year),
        "volume": shown(work.volume),
        "issue": work.issue if work.issue and re.search(rf"\b{work.issue}\b", text) else None,
        "first_page": shown(first),
        "last_page": shown(last),
        "publisher": shown(work.publisher),
        "doi": work.doi if work.doi and work.doi in re.sub(r"\s", "", text) else None,
    }


def _printed_order(content: Content, *, grouped: bool) -> list[Any]:
    """The people in the order of the page: by their first affiliation where a class groups them."""
    if not grouped:
        return list(content.people)
    places = [place.text for place in content.places]
    return sorted(content.people, key=lambda person: places.index(person.places[0].text))


def _gold(
    content: Content, references: list[dict[str, Any]], spec: dict[str, Any]
) -> dict[str, Any]:
    numbered = spec.get("numbered", True)
    headings = [{"text": section.title, "level": section.level} for section in content.sections]
    tail = [spec.get("thanks", "Acknowledgements")] if content.acknowledgements else []
    initials = spec.get("initials", False)
    return {
        "id": content.name,
        "source": "farm",
        "language": content.language,
        "title": content.title,
        "authors": [
            {
                "given": person.initials if initials else person.given,
                "family": person.family,
                "affiliations": [place.text for place in person.places],
                "email": person.email or None,
            }
            for person in _printed_order(content, grouped=spec.get("grouped", False))
        ],
        "affiliations": [place.text for place in content.places],
        "abstract": content.abstract,
        "keywords": content.keywords,
        "doi": content.doi or None,
        "references": references,
        "headings": headings,
        "section_titles": [heading["text"] for heading in headings],
        "acknowledgements": content.acknowledgements or None,
        "end_headings": tail,
        "figures": [content.figure] if content.figure else [],
        "tables": [content.table] if content.table else [],
        "cells": content.cells or None,
        "footnotes": content.notes,
        "appendix": content.appendix or None,
        "body_paragraphs": [
            re.sub(r"\{[^{}]*\}", "", text)
            for section in content.sections
            for text in section.paragraphs
        ],
        "numbered": numbered,
    }


def _finish(place: Path, after: str, *, shrink: bool) -> None:
    pdf = place / "paper.pdf"
    if after == "two-up":
        (place / "sheets.tex").write_text(
            r"\documentclass[a4paper,landscape]{article}\usepackage{pdfpages}\begin{document}"
            r"\includepdf[pages=-,nup=2x1]{paper.pdf}\end{document}",
            encoding="utf-8",
        )
        _run(["pdflatex", "-interaction=nonstopmode", "sheets.tex"], place)
        pdf.write_bytes((place / "sheets.pdf").read_bytes())
    if shrink and (place / "paper.tex").exists():
        # Ghostscript writes fonts in a format that is half as large as that of TeX.
        _run(
            ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", "-o", "gs.pdf", "paper.pdf"],
            place,
        )
        pdf.write_bytes((place / "gs.pdf").read_bytes())
    if after == "rotate":
        # Stored sideways, and turned upright by /Rotate: as scanners and printers' drivers do.
        _run([sys.executable, str(HERE / "turn.py"), "paper.pdf", "turned.pdf"], place)
        pdf.write_bytes((place / "turned.pdf").read_bytes())
    _run(
        ["qpdf", "--object-streams=generate", "--recompress-flate", "--compression-level=9",
         "--deterministic-id", "paper.pdf", "small.pdf"], place,
    )  # fmt: skip
    small = place / "small.pdf"
    if small.exists() and small.stat().st_size < pdf.stat().st_size:
        pdf.write_bytes(small.read_bytes())


def _norm(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    return "".join(letter for letter in letters if letter.isalnum())


_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "ı": "i",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ß": "ss",
        "æ": "ae",
        "¨": "",
        "´": "",
    }
)


def _check(name: str, gold: dict[str, Any], pdf: Path, spec: dict[str, Any]) -> None:
    """Report what the gold has and the PDF does not show."""
    document = pypdfium2.PdfDocument(pdf)
    gold["n_pages"] = len(document)
    text = _norm(" ".join(page.get_textpage().get_text_bounded() for page in document))
    claims = [("title", gold["title"]), ("abstract", gold["abstract"][-40:])]
    claims += [("author", author["family"]) for author in gold["authors"]]
    claims += [
        ("affiliation", part) for whole in gold["affiliations"] for part in whole.split(", ")
    ]
    claims += [("keyword", keyword) for keyword in gold["keywords"]]
    claims += [("heading", heading) for heading in gold["section_titles"]]
    claims += [("caption", caption) for caption in gold["figures"] + gold["tables"]]
    claims += [("mail", author["email"]) for author in gold["authors"] if author["email"]]
    claims += [("doi", gold["doi"])] if gold["doi"] else []
    claims += [("appendix", gold["appendix"])] if gold["appendix"] else []
    for kind, value in claims:
        if _norm(value) not in text and not spec.get("unchecked"):
            sys.stderr.write(f"  {name}: the PDF lacks the {kind} {value!r}\n")


if __name__ == "__main__":
    main()
