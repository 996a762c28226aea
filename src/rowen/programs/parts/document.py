"""The tree that browsers build from a page: the WHATWG's tree construction, with places.

Left out is what pages with data don't have: frames.
"""

import re

from rowen.programs.parts.open_elements import (
    BLOCKS,
    CELLS,
    FOSTERING,
    HEAD_ELEMENTS,
    HEADINGS,
    INTEGRATING,
    LITERAL,
    MARKING,
    SCOPE,
    SECTIONS,
    SPECIAL,
    TABLE_PARTS,
    TABLE_SCOPE,
    VOID,
    Element,
    OpenElements,
)
from rowen.programs.parts.result import Place
from rowen.programs.parts.tags import Tag, read_tags

# fmt: off
FORMATTING = {
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
}
BREAKING_OUT = {
    "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em",
    "embed", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre",
    "ruby", "s", "small", "span", "strike", "strong", "sub", "sup", "table", "tt", "u", "ul", "var",
    *HEADINGS,
}
"""Start tags that end SVG and MathML."""
# fmt: on
HOLDING_TEXT = {*LITERAL, "textarea", "title"}
CONTEXTS = {
    **dict.fromkeys(CELLS, "cell"),
    **dict.fromkeys(SECTIONS, "section"),
    "tr": "row",
    "caption": "caption",
    "colgroup": "columns",
    "table": "table",
    "template": "",
    "body": "",
    "html": "",
}
"""Where in a table a tag is, by the innermost element of those."""

_QUIRKS = re.compile(
    r"(?!html\b)|html\s+public\s+[\"'](?:-//(?:ietf|w3o|netscape|microsoft)//|html[\"']"
    r"|-//w3c//dtd (?:w3 html|html (?:3|4\.0 ))"
    r"|-//w3c//dtd html 4\.01 (?:transitional|frameset)//[^\"']*[\"']\s*>)",
    re.IGNORECASE,
)
"""Doctypes with which tables may be in paragraphs."""
_JUNK_TAG = "</>"
_LINE = re.compile(r"\r?\n|\r")
_BLANKS = re.compile(r"[ \t\n\f\r]+")


def read_document(page: str) -> Element:
    """The tree of a page; its root stands for the page."""
    builder = Builder(page)
    for tag in read_tags(page):
        if tag.name == "!doctype" and not builder.open:
            declared = page[tag.start + len("<!doctype") : tag.end].lstrip()
            builder.quirks = _QUIRKS.match(declared) is not None
        elif tag.name == "!--":
            builder.current.children.append(None)
        elif tag.name.startswith("/"):
            builder.end(tag.name[1:], tag)
        elif tag.name and tag.name != "!doctype":
            builder.start(tag.name, tag)
        builder.text(tag)
    return builder.finish()


class Builder(OpenElements):
    """Takes the tags and texts of a page one after the other."""

    def __init__(self, page: str) -> None:
        super().__init__(page)
        self.form: Element | None = None
        self.head: Element | None = None
        self.body: Element | None = None
        self.quirks = True

    def _context(self) -> str:
        names = (each.name for each in reversed(self.open) if not each.foreign)
        return next((CONTEXTS[name] for name in names if name in CONTEXTS), "")

    def _is_foreign(self) -> bool:
        return self.current.foreign and self.current.name not in INTEGRATING

    def _in_template(self) -> bool:
        return any(element.name == "template" for element in self.open)

    def text(self, tag: Tag) -> None:
        """The text after a tag."""
        at = tag.end
        if self.current.name in ("listing", "pre", "textarea") and self.current.tag is tag:
            # A line that is empty before the text is no part of it; SVG knows no such rule.
            line = None if self.current.foreign else _LINE.match(self.page, at)
            at = line.end() if line else at
        outside = self.body is None and not self._in_template() and tag.name not in HOLDING_TEXT
        if outside and (blank := _BLANKS.match(self.page, at, tag.after)):
            at = blank.end()
        places: list[Place] = []
        if tag.name not in HOLDING_TEXT:
            while (junk := self.page.find(_JUNK_TAG, at, tag.after)) >= 0:
                places.append((at, junk))
                at = junk + len(_JUNK_TAG)
        places = [place for place in (*places, (at, tag.after)) if place[0] < place[1]]
        is_blank = not any(self.page[slice(*place)].strip(" \t\n\f\r") for place in places)
        if not places:
            return
        if not self._is_foreign() and tag.name not in HOLDING_TEXT:
            self._prepare_text(is_blank=is_blank)
        self.insert_text(places)
        self.fostering = False

    def _prepare_text(self, *, is_blank: bool) -> None:
        if self.body is None and not self._in_template():
            self._open_body(None)
        if self._context() == "columns" and not is_blank:
            self.pop_until({"colgroup"})
        if self.current.name in FOSTERING:
            self.fostering = not is_blank
        if self.current.name not in FOSTERING or not is_blank:
            self.reopen()

    def finish(self) -> Element:
        """The page, once all of it is read."""
        if self.body is None:
            self._open_body(None)
        return self.root

    def _open_body(self, tag: Tag | None) -> None:
        if not self.open:
            self.insert("html")
        if self.head is None:
            self.head = self.insert("head")
        self.pop_to({"html"})
        self.body = self.insert("body", tag)

    # Start tags

    def start(self, name: str, tag: Tag) -> None:
        """A start tag."""
        if self._is_foreign() and self._start_foreign(name, tag):
            return
        name = "img" if name == "image" else name
        if self.body is None and not self._in_template() and self._start_before_body(name, tag):
            return
        if name in ("html", "head", "body", "frame", "frameset"):
            self._add_attributes(name, tag)
            return
        context = self._context()
        if not context or not self._start_in_table(context, name, tag):
            self._start_in_body(name, tag)
        self.fostering = False

    def _add_attributes(self, name: str, tag: Tag) -> None:
        """A second `<html>` or `<body>` adds those that the first does not have."""
        element = next((each for each in self.open if each.name == name), None)
        if name in ("html", "body") and element is not None and element.tag is not tag:
            own = {key for key, *_ in element.tag.attributes} if element.tag else set()
            for key, start, end in tag.attributes:
                if key not in own:
                    element.added.setdefault(key, self.page[start:end])

    def _start_foreign(self, name: str, tag: Tag) -> bool:
        attributes = {key for key, *_ in tag.attributes}
        if name in BREAKING_OUT or (name == "font" and attributes & {"color", "face", "size"}):
            while self._is_foreign():
                self.open.pop()
            return False
        self.insert(name, tag, foreign=True)
        if tag.alone:
            self.open.pop()
        return True

    def _start_before_body(self, name: str, tag: Tag) -> bool:
        """The tags up to `<body>`; whether nothing is left to do."""
        if not self.open:
            self.insert("html", tag if name == "html" else None)
        if name in ("html", "frame", "frameset"):
            self._add_attributes(name, tag)
            return True
        if self.head is None:
            self.head = self.insert("head", tag if name == "head" else None)
        if name == "head" or (self.current.name == "noscript" and self._start_noscript(name, tag)):
            return True
        if name in HEAD_ELEMENTS or (name == "noscript" and self.current is self.head):
            self._start_in_head(name, tag, self.head)
            return True
        self._open_body(tag if name == "body" else None)
        return name == "body"

    def _start_noscript(self, name: str, tag: Tag) -> bool:
        """In the head it holds only what may be there; anything else ends it."""
        if name in ("basefont", "bgsound", "link", "meta", "noframes", "style"):
            self._insert_whole(name, tag)
        elif name != "noscript":
            self.open.pop()
            return False
        return True

    def _start_in_head(self, name: str, tag: Tag, head: Element) -> None:
        is_closed = head not in self.open
        if is_closed:
            self.open.append(head)
        self._insert_whole(name, tag)
        if is_closed:
            self.open.remove(head)

    def _insert_whole(self, name: str, tag: Tag | None) -> None:
        """Insert an element that holds nothing, a text, or what comes up to its end tag."""
        self.insert(name, tag)
        if name in VOID:
            self.open.pop()
        elif name == "template":
            self.formatting.append(None)

    def _start_in_table(self, context: str, name: str, tag: Tag) -> bool:
        """A start tag in a table; whether nothing is left to do."""
        if context in ("cell", "caption"):
            if name not in TABLE_PARTS or not self.has({*CELLS, "caption"}, TABLE_SCOPE):
                return False
            self._close_cell()
            self.start(name, tag)
            return True
        if context == "columns":
            if name in ("col", "template"):
                self._insert_whole(name, tag)
            else:
                self.pop_until({"colgroup"})
                self.start(name, tag)
            return True
        if name in TABLE_PARTS:
            self._start_part(context, name, tag)
            return True
        return self._start_beside_parts(name, tag)

    def _close_cell(self) -> None:
        """Close the innermost cell or caption."""
        self.imply_ends()
        self.pop_until({*CELLS, "caption"})
        self.clear_formatting()

    def _start_part(self, context: str, name: str, tag: Tag) -> None:
        """A part of a table: those around it are opened or closed first."""
        if context == "row":
            self.pop_to({"tr"})
            if name in CELLS:
                self.insert(name, tag)
                self.formatting.append(None)
                return
            self.open.pop()
        elif context == "section":
            self.pop_to(SECTIONS)
            if name == "tr":
                self.insert(name, tag)
                return
            if name in CELLS:
                self.insert("tr")
            else:
                self.open.pop()
        else:
            self.pop_to({"table"})
            around = "tbody" if name in CELLS or name == "tr" else "colgroup"
            if name in ("caption", "colgroup", *SECTIONS):
                self.insert(name, tag)
                if name == "caption":
                    self.formatting.append(None)
                return
            self.insert(around)
        self.start(name, tag)

    def _start_beside_parts(self, name: str, tag: Tag) -> bool:
        """What else is in a table: most of it is put before the table."""
        if name == "table":
            self.pop_until({"table"})
            self.start(name, tag)
        elif name in ("style", "script", "template") or (name == "input" and self._is_hidden(tag)):
            self._insert_whole(name, tag)
        elif name == "form":
            if self.form is None and not self._in_template():
                self.form = self.insert(name, tag)
                self.open.pop()
        else:
            self.fostering = True
            return False
        return True

    def _is_hidden(self, tag: Tag) -> bool:
        kinds = [self.page[start:end] for key, start, end in tag.attributes if key == "type"]
        return kinds[:1] != [] and kinds[0].lower() == "hidden"

    def _start_in_body(self, name: str, tag: Tag) -> None:
        if name in HEAD_ELEMENTS or (name in TABLE_PARTS and self._in_template()):
            self._insert_whole(name, tag)
        elif name in FORMATTING:
            self._start_formatting(name, tag)
        elif name in ("svg", "math"):
            self.reopen()
            self.insert(name, tag, foreign=True)
            if tag.alone:
                self.open.pop()
        elif name not in TABLE_PARTS and self._make_room(name):
            element = self.insert(name, tag)
            if name in VOID:
                self.open.pop()
            elif name in MARKING:
                self.formatting.append(None)
            elif name == "form" and not self._in_template():
                self.form = element

    def _make_room(self, name: str) -> bool:
        """Close and open again what a start tag in the body does; False where it is ignored."""
        if name in BLOCKS or name in HEADINGS or name in ("form", "plaintext", "hr", "xmp"):
            return self._end_paragraph_for(name)
        if name in ("li", "dd", "dt"):
            self._end_item(name)
        elif name == "table":
            if not self.quirks:
                self.close_paragraph()
        elif name in ("option", "optgroup", "select", "input", "button"):
            return self._make_room_for_control(name)
        elif name in ("rb", "rp", "rt", "rtc"):
            if self.has({"ruby"}):
                self.imply_ends("rtc" if name in ("rp", "rt") else "")
        elif name not in ("iframe", "noembed", "param", "source", "textarea", "track"):
            self.reopen()
        return True

    def _end_paragraph_for(self, name: str) -> bool:
        if name == "form" and self.form is not None and not self._in_template():
            return False
        self.close_paragraph()
        if name in HEADINGS and self.current.name in HEADINGS:
            self.open.pop()
        elif name == "hr" and self.has({"select"}):
            self.imply_ends()
        elif name == "xmp":
            self.reopen()
        return True

    def _end_item(self, name: str) -> None:
        """Close the item of a list before the next one."""
        names = {"li"} if name == "li" else {"dd", "dt"}
        for element in reversed(self.open):
            if element.name in names and not element.foreign:
                self.imply_ends(element.name)
                self.pop_until({element.name})
                break
            if element.name in SPECIAL - {"address", "div", "p"} and not element.foreign:
                break
        self.close_paragraph()

    def _make_room_for_control(self, name: str) -> bool:
        in_select = self.has({"select"}, SCOPE - {"select"})
        if name == "select" and in_select:
            self.pop_until({"select"})
            return False
        if name in ("option", "optgroup"):
            if in_select:
                self.imply_ends("optgroup" if name == "option" else "")
            elif self.current.name == "option":
                self.open.pop()
        elif name == "input" and in_select:
            self.pop_until({"select"})
        elif name == "button" and self.has({"button"}):
            self.imply_ends()
            self.pop_until({"button"})
        self.reopen()
        return True

    def _start_formatting(self, name: str, tag: Tag) -> None:
        if name == "a" and (link := self._formatting_element("a")) is not None:
            self.end_formatting("a")
            self.formatting = [each for each in self.formatting if each is not link]
            self.open = [each for each in self.open if each is not link]
        self.reopen()
        if name == "nobr" and self.has({"nobr"}):
            self.end_formatting("nobr")
            self.reopen()
        self.remember(self.insert(name, tag))

    # End tags

    def end(self, name: str, tag: Tag) -> None:
        """An end tag."""
        # Also where the innermost element of SVG holds HTML: its own end tag is meant.
        if self.current.foreign and self._end_foreign(name):
            return
        if self.body is None and not self._in_template() and self._end_before_body(name):
            return
        context = self._context()
        if not context or not self._end_in_table(context, name, tag):
            self._end_in_body(name)
        self.fostering = False

    def _end_foreign(self, name: str) -> bool:
        """An end tag in SVG or MathML; whether nothing is left to do."""
        if name in ("br", "p"):
            while self._is_foreign():
                self.open.pop()
            return False
        for number in range(len(self.open) - 1, -1, -1):
            if not self.open[number].foreign:
                return False
            if self.open[number].name == name:
                del self.open[number:]
                return True
        return True

    def _end_before_body(self, name: str) -> bool:
        if self.current.name == name and name in (*HEAD_ELEMENTS, "noscript", "head"):
            self.open.pop()
        elif name in ("body", "html", "br"):
            self._open_body(None)
            return name != "br"
        elif name == "head" and self.head is None:
            if not self.open:
                self.insert("html")
            self.head = self.insert("head")
            self.open.pop()
        return True

    def _end_in_table(self, context: str, name: str, tag: Tag) -> bool:
        """An end tag in a table; whether nothing is left to do."""
        own = {"cell": CELLS, "caption": {"caption"}, "columns": {"colgroup"}, "row": {"tr"}}
        around = {"cell": {"table", "tr", *SECTIONS}, "row": {"table", *SECTIONS}}
        closing = own.get(context, SECTIONS if context == "section" else {"table"})
        if name in closing or name in around.get(context, {"table"}):
            if context == "columns" and name == "table":
                self.pop_until({"colgroup"})
                self.end(name, tag)
            elif self.has({name}, TABLE_SCOPE):
                self._close_part(context, name)
                if name not in closing:
                    self.end(name, tag)
            return True
        if name in (*TABLE_PARTS, "body", "html"):
            return True
        if context == "columns":
            self.pop_until({"colgroup"})
            self.end(name, tag)
            return True
        self.fostering = context in ("row", "section", "table")
        return False

    def _close_part(self, context: str, name: str) -> None:
        if context == "cell":
            self.imply_ends()
            self.pop_until({name} if name in CELLS else CELLS)
            self.clear_formatting()
        elif context == "caption":
            self._close_cell()
        elif context == "table":
            self.pop_until({"table"})
        else:
            self.pop_to({"tr"} if context == "row" else SECTIONS | {"colgroup"})
            self.open.pop()

    def _end_in_body(self, name: str) -> None:
        if name in FORMATTING:
            self.end_formatting(name)
        elif name in ("p", "br"):
            self._end_without_start(name)
        elif name in HEADINGS:
            if self.has(HEADINGS):
                self.imply_ends()
                self.pop_until(HEADINGS)
        elif name == "form" and not self._in_template():
            self._end_form()
        elif name == "template":
            self._end_template()
        elif name in BLOCKS or name in ("button", "dd", "dt", "form", "li", "select", *MARKING):
            self._end_block(name)
        elif name not in ("body", "html"):
            self.end_any(name)

    def _end_without_start(self, name: str) -> None:
        """`</p>` and `</br>` count as elements without content."""
        if name == "br":
            self.reopen()
            self.insert("br")
            self.open.pop()
            return
        if not self.has_in_buttons("p"):
            self.insert("p")
        self.close_paragraph()

    def _end_template(self) -> None:
        if self._in_template():
            self.imply_ends()
            self.pop_until({"template"})
            self.clear_formatting()

    def _end_block(self, name: str) -> None:
        stops = SCOPE | {"ol", "ul"} if name == "li" else SCOPE
        if self.has({name}, stops):
            self.imply_ends(name if name in ("li", "dd", "dt") else "")
            self.pop_until({name})
            if name in MARKING:
                self.clear_formatting()

    def _end_form(self) -> None:
        form, self.form = self.form, None
        if form is not None and form in self.open and self.has({"form"}):
            self.imply_ends()
            self.open.remove(form)
