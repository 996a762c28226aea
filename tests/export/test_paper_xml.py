"""Papers as XML: what is read back is the JSON form."""

import re
from xml.etree import ElementTree as ET

from hypothesis import given, settings
from paper_with_all import PAPER
from papers_made_up import PAPERS, TEXTS

from rowen.export.paper_xml import plain_xml

FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# The reference: the JSON form, made again from the elements.

LISTS = {
    "author": "authors", "keyword": "keywords", "citation": "citations", "section": "body",
    "figure": "figures", "table": "tables", "formula": "formulas", "footnote": "footnotes",
    "warning": "warnings", "affiliation": "affiliations", "editor": "editors",
    "paragraph": "paragraphs", "marker": "markers",
}  # fmt: skip
MAPPINGS = {"ids", "dates"}
PROBABILITIES = {"confidence", "field_confidence"}
NUMBERS = {"page", "level", "section", "at", "start", "end"}
LEAVES = {"keyword", "warning", "affiliation"}


def box(element):
    page, *edges = (element.get(name) for name in ("page", "left", "bottom", "right", "top"))
    return [int(page), *map(float, edges)]


def form(element):
    """An element as the JSON form of what it was written from."""
    made = {name: int(text) if name in NUMBERS else text for name, text in element.items()}
    if "citations" in made:
        made["citations"] = list(map(int, made["citations"].split()))
    if "start" in made:
        made["span"] = [made.pop("start"), made.pop("end")]
    if element.tag == "citation" and "confidence" in made:
        made["confidence"] = float(made["confidence"])
    for child in element:
        add(made, child)
    return made


def add(made, child):
    """Add a child to the JSON form of its parent."""
    name, text = child.tag, child.text or ""
    if name in LISTS:
        made.setdefault(LISTS[name], []).append(text if name in LEAVES else form(child))
    elif name in MAPPINGS | PROBABILITIES:
        own = made.setdefault(name, {})
        own[child.get("name")] = float(text) if name in PROBABILITIES else text
    elif name == "spans":
        own = made.setdefault(name, {}).setdefault(child.get("name"), [])
        own.append([int(child.get("start")), int(child.get("end"))])
    elif name == "page":
        size = [float(child.get("width")), float(child.get("height"))]
        made.setdefault("pages", []).append(size)
    elif name == "row":
        made.setdefault("cells", []).append([cell.text or "" for cell in child])
        made["head"] = made.get("head", 0) + (child.get("head") is not None)
    elif name == "box":
        made.setdefault("boxes", []).append(box(child))
    else:
        made[name] = box(child) if name in ("graphic", "area") else text


def shown(value, *, in_cells=False):
    """The JSON form as XML has it: nothing empty, no letters that XML does not allow."""
    if isinstance(value, dict):
        kept = {shown(name): shown(own, in_cells=name == "cells") for name, own in value.items()}
        if kept.get("head") == 0:
            del kept["head"]
        return {name: own for name, own in kept.items() if own not in (None, "", [], {})}
    if isinstance(value, list):
        kept = [shown(own, in_cells=in_cells) for own in value]
        return kept if in_cells else [own for own in kept if own not in ("", None)]
    if isinstance(value, str):
        return re.sub("\r\n?", "\n", FORBIDDEN.sub("\ufffd", value))
    return value


@settings(deadline=None)
@given(PAPERS, TEXTS)
def test_all_of_the_json_form_is_in_the_xml(paper, file):
    read = form(ET.fromstring(plain_xml(paper, file=file)))
    assert read.pop("file", "") == FORBIDDEN.sub("\ufffd", file)
    assert shown(read) == shown(paper.to_dict())


def test_every_part_of_a_paper_has_its_place():
    read = form(ET.fromstring(plain_xml(PAPER, file="a.pdf")))
    assert read.keys() - {"file"} == {name for name, own in PAPER.to_dict().items() if own}
