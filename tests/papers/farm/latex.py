"""Content as LaTeX: a template of `templates/` filled in, and a .bib file."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from contents import Content, Person, Section, Work

_SPECIAL = re.compile(r"[&%#_$]")
_MARK = re.compile(r"\{(cite|note):([^{}]*)\}|\{(figure|table)\}")
_ACCENTS = {
    "̀": "`", "́": "'", "̂": "^", "̈": '"', "̃": "~", "̌": "v",
    "̋": "H", "̧": "c", "̨": "k", "̆": "u", "̇": ".", "̊": "r",
}  # fmt: skip
_LETTERS = {
    "ø": r"{\o}", "Ø": r"{\O}", "ł": r"{\l}", "Ł": r"{\L}", "ı": r"{\i}", "Đ": r"{\DJ}",
    "đ": r"{\dj}", "Þ": r"{\TH}", "þ": r"{\th}", "ß": r"{\ss}", "–": "--", "’": "'",
}  # fmt: skip
_LEVELS = {1: "section", 2: "subsection"}


def escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def accented(text: str) -> str:
    """Text in ASCII with LaTeX's accents: BibTeX would cut letters of several bytes."""
    out = []
    for letter in text:
        base, *marks = unicodedata.normalize("NFD", letter)
        if letter in _LETTERS:
            out.append(_LETTERS[letter])
        elif marks and marks[0] in _ACCENTS:
            accent = _ACCENTS[marks[0]]
            base = rf"\{base}" if base in "ij" and accent in "`'^\"~" else base
            out.append(f"{{\\{accent}{{{base}}}}}")
        else:
            out.append(letter)
    return _SPECIAL.sub(r"\\\g<0>", "".join(out))


def bib_of(works: Iterable[Work]) -> str:
    return "\n".join(map(_entry, works))


def _entry(work: Work) -> str:
    fields = {
        "author": " and ".join(_bib_name(person) for person in work.authors),
        "title": accented(work.title),
        "journal" if work.kind == "article" else "booktitle": accented(work.container),
        "year": work.year,
        "volume": work.volume,
        "number": work.issue,
        "pages": work.pages.replace("–", "--"),
        "publisher": accented(work.publisher),
        "address": accented(work.place),
        "doi": work.doi,
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{work.kind}{{{work.key},\n{lines}}}\n"


def _bib_name(person: Person) -> str:
    # Without a group BibTeX takes the first of two family names for a given name.
    family = accented(person.family)
    words = family.split()
    if len(words) > 1 and not words[0][0].islower():
        family = f"{{{family}}}"
    return f"{family}, {accented(person.given)}" if person.given else f"{{{family}}}"


class Writer:
    """Writes the body of a content with the commands of a class."""

    def __init__(self, content: Content, *, cite: str, labels: Sequence[str]) -> None:
        self.content = content
        self.cite = cite
        self.labels = labels

    def prose(self, text: str) -> str:
        out, end = [], 0
        for match in _MARK.finditer(text):
            out.append(escaped(text[end : match.start()]))
            end = match.end()
            kind, value, float_ = match.groups()
            if kind == "cite":
                out.append(f"\\{self.cite}{{{value}}}")
            elif kind == "note":
                out.append(f"\\footnote{{{escaped(value)}}}")
            elif float_ == "figure" and self.content.figure:
                out.append(rf"{self.labels[0]}~\ref{{fig:one}}")
            elif float_ == "table" and self.content.table:
                out.append(rf"{self.labels[1]}~\ref{{tab:one}}")
            else:
                out.append(self.labels[2])
        return "".join(out) + escaped(text[end:])

    def section(self, section: Section, *, numbered: bool = True) -> str:
        star = "" if numbered else "*"
        parts = [f"\\{_LEVELS[section.level]}{star}{{{escaped(section.title)}}}"]
        paragraphs = [self.prose(text) for text in section.paragraphs]
        blocks = [getattr(self, block)() for block in section.blocks]
        return "\n\n".join(parts + paragraphs[:1] + blocks + paragraphs[1:])

    def figure(self) -> str:
        bars = "".join(
            f"\\put({10 + 22 * index},14){{\\rule{{14\\unitlength}}{{{height}\\unitlength}}}}"
            f"\\put({11 + 22 * index},3){{{2010 + index}}}"
            for index, height in enumerate((20, 34, 27, 48, 41))
        )
        return (
            f"\\begin{{figure}}[htb]\\centering\\setlength{{\\unitlength}}{{1.5pt}}"
            f"\\begin{{picture}}(130,70){bars}\\put(6,12){{\\line(1,0){{118}}}}"
            r"\put(45,64){\small observed values}\end{picture}"
            f"\\caption{{{escaped(self.content.figure)}.}}\\label{{fig:one}}\\end{{figure}}"
        )

    def table(self) -> str:
        rows = " \\\\\n".join(" & ".join(map(escaped, row)) for row in self.content.cells)
        return (
            f"\\begin{{table}}[htb]\\centering"
            f"\\caption{{{escaped(self.content.table)}.}}\\label{{tab:one}}\n"
            f"\\begin{{tabular}}{{lrrr}}\\hline\n{rows} \\\\\\hline\n\\end{{tabular}}\\end{{table}}"
        )

    def formula(self) -> str:
        return (
            r"\begin{equation} f(x) = \sum_{i=1}^{n} \frac{a_i}{1 + e^{-b_i (x - c_i)}}"
            r" + \varepsilon, \qquad \varepsilon \sim N(0, \sigma^2) \end{equation}"
            "\nHere $a_i$, $b_i$ and $c_i$ are estimated from the data."
        )

    def body(self, *, numbered: bool = True) -> str:
        return "\n\n".join(
            self.section(section, numbered=numbered) for section in self.content.sections
        )

    def appendix(self) -> str:
        content = self.content
        if not content.appendix:
            return ""
        text = self.prose(content.sections[-1].paragraphs[-1])
        return f"\\appendix\n\\section{{{escaped(content.appendix)}}}\n\n{text}"


def printed_in(bbl: str) -> dict[str, str]:
    """The text of each entry of a .bbl file by its key, in order."""
    entries = re.split(r"\\(?:bibitem|harvarditem)\b", bbl)[1:]
    texts = {}
    for entry in entries:
        # The optional label may hold braces and brackets: the key is the first bare {w12}.
        match = re.search(r"\{(w\d+)\}", entry)
        if match:
            texts[match.group(1)] = plain(entry[match.end() :])
    return texts


def plain(tex: str) -> str:
    """TeX without commands, as good as needed to look for names and numbers."""
    tex = tex.replace("\n", " ").replace(r"\natexlab", "")
    tex = re.sub(r"\\(?:[`'^\"~=.]|[cvHkur](?=[\s{]))", "", tex)
    tex = re.sub(r"\\(o|O|l|L|i|j|ss|DJ|dj|TH|th)\b", r"\1", tex)
    tex = re.sub(r"\\[A-Za-z@]+\*?", " ", tex)
    return re.sub(r"[{}]", "", tex).replace("--", "–").replace("~", " ")
