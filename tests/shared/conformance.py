"""Tokens and trees of HTML written on one line, to compare parsers with what the standard says.

A text is its `repr`; a start tag `<a b='c'>`, an end tag `</a>`, a comment `<!x>`, a doctype
`<!DOCTYPE name>`. In a tree children follow in parentheses: `html(head body(p('A')))`, and elements
of SVG and MathML have their namespace before them: `svg:g`.
"""

import ast
from pathlib import Path

from rowen.text.character_references import decode
from rowen.text.html_tokens import Kind, tokenize
from rowen.text.tree import Comment, Doctype, Element, Text, parse

FOLDER = Path(__file__).parents[1] / "text" / "conformance"


def cases(name):
    """The cases of a file: a line with a page, a line with what it gives, both as `repr`."""
    lines = [
        line
        for line in (FOLDER / name).read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    return [(ast.literal_eval(page), expected.strip()) for page, expected in pairs]


def _normal(text):
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _attributes(values):
    return "".join(f" {name}={value!r}" for name, value in values)


def tokens_of(page):
    """The tokens of a page; what gives nothing is left out, neighbouring texts are joined."""
    page = _normal(page)
    pieces = []
    for token in tokenize(page):
        source = token.span.of(page)
        if token.kind is Kind.TEXT:
            text = source if token.literal else decode(source).text
            if pieces and isinstance(pieces[-1], list):
                pieces[-1].append(text)
            else:
                pieces.append([text])
        elif token.kind is Kind.START_TAG:
            values = {}
            for attribute in token.attributes:
                raw = (
                    decode(page, attribute.value_span, attribute=True).text
                    if attribute.value_span
                    else ""
                )
                values.setdefault(attribute.name, raw.replace("\0", "\ufffd"))
            slash = "/" if token.self_closing else ""
            pieces.append(f"<{token.name}{_attributes(values.items())}{slash}>")
        elif token.kind is Kind.END_TAG:
            pieces.append(f"</{token.name}>")
        elif token.kind is Kind.COMMENT:
            pieces.append("<!>")
        elif token.kind is Kind.DOCTYPE:
            pieces.append("<!DOCTYPE>")
    return " ".join(
        piece if isinstance(piece, str) else repr("".join(piece).replace("\0", "\ufffd"))
        for piece in pieces
    )


def tree_of(page):
    """The tree of a page."""
    return " ".join(map(_written, parse(page).children))


def _written(node):
    if isinstance(node, Text):
        return repr(node.text)
    if isinstance(node, Comment):
        return f"<!{node.text}>"
    if isinstance(node, Doctype):
        return f"<!DOCTYPE {node.name}>"
    assert isinstance(node, Element)
    prefix = {"html": "", "svg": "svg:", "math": "math:", "mathml": "math:"}[node.namespace]
    values = sorted((attribute.name, attribute.value) for attribute in node.attributes)
    tag = f"{prefix}{node.tag}{_attributes(values)}"
    return f"{tag}({' '.join(map(_written, node.children))})" if node.children else tag
