"""Formats of texts that must not be read as prose, recognized by how they begin.

Bytes that decode as text may still be PostScript, JSON or BibTeX. Read as plain text they would
give a header that is wrong throughout. JATS and LaTeX are read as what they are, others refused.
"""

import re

ACCEPTED = "give a PDF, HTML, JATS XML, LaTeX or plain text"
"""What can be read instead, for messages."""

JATS, LATEX = "JATS XML", "LaTeX"

_REFUSED = f"which can't be read; {ACCEPTED}"

_SNIFFED = 20_000
"""How many characters are looked at."""

_PROLOG = re.compile(
    r"\s*(?:<\?xml\b[^>]*\?>\s*|<\?[^>]*\?>\s*|<!--.*?-->\s*|<!DOCTYPE\b(?:[^>\[]|\[[^\]]*\])*>\s*)*",
    re.DOTALL | re.IGNORECASE,
)
_ROOT = re.compile(r"<([A-Za-z_][\w.\-]*(?::[\w.\-]+)?)(?=[\s/>])")
_FRONT = re.compile(r"<(?:front|journal-meta|article-meta)[\s>/]|JATS|NLM//DTD|dtd-version")
_DECLARED_XML = re.compile(r"\s*<\?xml\b")
_TEX = re.compile(
    r"(?:[ \t]*(?:%[^\n]*|\\(?!documentclass|documentstyle|begin)[^\n]*|[{}\]][^\n]*)?\n)*"
    r"[ \t]*\\(?:documentclass|documentstyle|begin\s*\{(?:document|thebibliography)\})"
)
_FORMATS = (
    (re.compile(r"[\x04\s]*%!PS-Adobe-\S+ EPSF"), "an EPS graphic"),
    (re.compile(r"[\x04\s]*%!(?:PS|\s)"), "PostScript"),
    (re.compile(r"\s*\{\\rtf\d?"), "RTF"),
    (re.compile(r"\s*[\[{]\s*(?:\{\s*)?\"(?:[^\"\\\n]|\\.)*\"\s*[:,\]]"), "JSON"),
    (
        re.compile(
            r"(?:\s*%[^\n]*\n)*\s*@(?:article|book|booklet|comment|conference|inbook|incollection"
            r"|inproceedings|manual|mastersthesis|misc|online|phdthesis|preamble|proceedings|string"
            r"|techreport|thesis|unpublished)\s*[{(]",
            re.IGNORECASE,
        ),
        "BibTeX",
    ),
    (re.compile(r"\s*TY {2}- \w+\s*\n"), "RIS"),
)
_FEW_SPACES, _MANY_SIGNS, _LONG = 0.01, 0.08, 40


def format_of(text: str) -> str | None:
    r"""The name of the format of a text that is not prose or HTML, or None.

    >>> format_of('{"title": "On Pages"}')
    'JSON'
    >>> format_of("On Pages\n\nAda Lovelace") is None
    True
    """
    head = text[:_SNIFFED]
    for pattern, name in _FORMATS:
        if pattern.match(head):
            return name
    if _TEX.match(head):
        return LATEX
    if _is_ebcdic(head):
        return "EBCDIC"
    return _foreign_xml(head)


def refusal_of(name: str) -> str:
    """The reason why a text of this format is refused."""
    return f"is {name}, {_REFUSED}"


def is_refusal(reason: str) -> bool:
    """Whether this is the reason why a format is refused.

    >>> is_refusal(refusal_of("RTF"))
    True
    """
    return reason.endswith(_REFUSED)


def _foreign_xml(head: str) -> str | None:
    prolog = _PROLOG.match(head)
    root = _ROOT.match(head, prolog.end() if prolog else 0)
    if root is None:
        return None
    name = root.group(1).rpartition(":")[2].lower()
    if name == "svg":
        return "an SVG graphic"
    if name == "pmc-articleset" or (name == "article" and _FRONT.search(head)):
        return JATS
    if name == "html" or not _DECLARED_XML.match(head):
        return None
    return f"XML with the root element <{root.group(1)[:40]}>"


def _is_ebcdic(head: str) -> bool:
    """Whether the text has EBCDIC's code of a space, an at sign elsewhere, in place of spaces."""
    return (
        len(head) >= _LONG
        and head.count("@") > _MANY_SIGNS * len(head)
        and head.count(" ") < _FEW_SPACES * len(head)
    )
