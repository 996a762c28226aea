"""Content as HTML, for Chromium and LibreOffice to print."""

import re
from typing import Any

import jinja2
from contents import HERE, LABELS, Content, Section
from markupsafe import Markup, escape
from styles import Style, by_name

_MARK = re.compile(r"\{(cite|note):([^{}]*)\}|\{(figure|table)\}")


def html_environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"), autoescape=True,
        undefined=jinja2.StrictUndefined,
    )  # fmt: skip


class Page:
    """The names that the templates of HTML use."""

    def __init__(self, content: Content, style: Style, spec: dict[str, Any]) -> None:
        self.content = content
        self.style = style
        self.spec = spec
        self.named = spec.get("cite", "numbers") == "names"
        self.notes: list[str] = []
        order = (lambda work: (work.authors[0].family, work.year)) if self.named else None
        self.works = sorted(content.works, key=order) if order else self._as_cited()
        self.numbers = {work.key: number for number, work in enumerate(self.works, start=1)}

    def _as_cited(self) -> list[Any]:
        keys = [
            key
            for section in self.content.sections
            for text in section.paragraphs
            for match in re.finditer(r"\{cite:([^{}]*)\}", text)
            for key in match.group(1).split(",")
        ]
        order = list(dict.fromkeys(keys))
        return sorted(self.content.works, key=lambda work: order.index(work.key))

    def names(self) -> dict[str, Any]:
        words = self.spec.get("words", {})
        return {
            **vars(self.content),
            "sections": [self.section(*item) for item in self._numbered()],
            "references": [self.style(work) for work in self.works],
            "notes": self.notes,
            "words": words,
        }

    def _numbered(self) -> list[tuple[Section, str]]:
        if not self.spec.get("numbered", False):
            return [(section, "") for section in self.content.sections]
        out, top, sub = [], 0, 0
        for section in self.content.sections:
            top, sub = (top + 1, 0) if section.level == 1 else (top, sub + 1)
            out.append((section, f"{top}." if section.level == 1 else f"{top}.{sub}."))
        return out

    def section(self, section: Section, number: str) -> dict[str, Any]:
        return {
            "title": section.title,
            "level": section.level,
            "number": number,
            "paragraphs": [self.prose(text) for text in section.paragraphs],
            "blocks": section.blocks,
        }

    def prose(self, text: str) -> Markup:
        out, end = Markup(), 0
        figure, table, supplement = self.spec.get("labels", LABELS)
        for match in _MARK.finditer(text):
            out += escape(text[end : match.start()])
            end = match.end()
            kind, value, block = match.groups()
            if kind == "cite":
                out += self.cited(value.split(","))
            elif kind == "note":
                self.notes.append(value)
                out += Markup("<sup>{}</sup>").format(self.spec.get("note", "a"))
            elif block == "figure" and self.content.figure:
                out += f"{figure} 1"
            elif block == "table" and self.content.table:
                out += f"{table} 1"
            else:
                out += supplement
        return out + escape(text[end:])

    def cited(self, keys: list[str]) -> Markup:
        if self.named:
            citation = by_name(
                self.works,
                keys,
                and_=self.spec.get("and", "&"),
                others=self.spec.get("others", "et al."),
            )
            return escape(citation)
        numbers = ",".join(map(str, sorted(self.numbers[key] for key in keys)))
        if self.spec.get("cite") == "superscripts":
            return Markup("<sup>{}</sup>").format(numbers)
        return escape(f"[{numbers}]")
