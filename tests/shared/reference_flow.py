"""The paragraphs of pages and texts, token by token and line by line: slow, and easy to follow."""

import re

from rowen.text.character_references import decode
from rowen.text.html_tokens import Kind, tokenize

INLINE = {
    *("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em"),
    *("font", "i", "ins", "kbd", "label", "mark", "nobr", "q", "ruby", "s", "samp", "small"),
    *("span", "strike", "strong", "sub", "time", "tt", "u", "var", "wbr"),
}
ASIDE = {
    *("title", "nav", "footer", "aside", "form", "button", "select", "noscript", "template", "svg"),
}
SIZES = {"h1": 18.0, "h2": 14.0, "h3": 12.0, "h4": 11.0, "h5": 10.0, "h6": 10.0}
WRITTEN = {"<sup>": "\x0e", "</sup>": "\x0f", **dict.fromkeys(["<br>", "</br>"], "\n")}
WRITTEN |= dict.fromkeys(["<td>", "</td>", "<th>", "</th>"], "\t")


def html_paragraphs(html):
    """The lines, size and boldness of each paragraph; all of a page where nothing else is left."""
    paragraphs, passed_over = _paragraphs(html, ASIDE)
    return paragraphs if paragraphs or not passed_over else _paragraphs(html, {"title"})[0]


def _paragraphs(html, aside):
    paragraphs, pieces, heading = [], [], ""
    open_elements = []
    passed_over = False
    for token in tokenize(html):
        starts, ends = token.kind is Kind.START_TAG, token.kind is Kind.END_TAG
        if open_elements or (starts and token.name in aside):
            passed_over = True
            _nest(open_elements, token, aside)
        elif token.kind is Kind.TEXT and not token.literal:
            text = decode(re.sub("[\ud800-\udfff]", "\ufffd", token.span.of(html))).text
            pieces.append(re.sub(r"[\s\x0e\x0f]+", " ", text))
        elif sign := WRITTEN.get(f"{'<' if starts else '</'}{token.name}>"):
            pieces.append(sign)
        elif (starts or ends) and token.name not in INLINE:
            paragraphs.append((pieces, heading))
            pieces, heading = [], token.name if starts and token.name in SIZES else ""
    paragraphs.append((pieces, heading))
    split = [("".join(pieces).split("\n"), heading) for pieces, heading in paragraphs]
    lines = [(tuple(line.strip() for line in texts if line.strip()), head) for texts, head in split]
    return [
        (texts, SIZES.get(head, 10.0), head != "") for texts, head in lines if texts
    ], passed_over


def _nest(open_elements, token, aside):
    """Open or close an element that is passed over; an end tag closes all down to its own."""
    if token.kind is Kind.START_TAG and token.name in aside and not token.self_closing:
        open_elements.append(token.name)
    elif token.kind is Kind.END_TAG and token.name in open_elements:
        while open_elements.pop() != token.name:
            pass


def text_blocks(text):
    """What blank lines part, each with whether it is the first on its page, and its lines."""
    text = text.replace("\x0e", "").replace("\x0f", "")
    blocks = []
    for page in text.replace("\r\n", "\n").replace("\r", "\n").split("\f"):
        first = True
        for block in re.split(r"\n[^\S\n]*(?:\n[^\S\n]*)+", page.strip("\n")):
            lines = [line for line in block.split("\n") if line.strip()]
            if lines:
                blocks.append((first, lines))
                first = False
    return blocks
