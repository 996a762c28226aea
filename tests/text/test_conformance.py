"""Tokens and trees against the standard, case by case, and against another parser at random."""

import os
import random

import pytest
from conformance import cases, tokens_of, tree_of
from markup import BLOCKS, PHRASES, TABLES

TOKENS = cases("tokens.txt")
TREES = cases("trees.txt")


@pytest.mark.parametrize(("page", "expected"), TOKENS, ids=range(len(TOKENS)))
def test_tokens_are_the_standards(page, expected):
    assert tokens_of(page) == expected


@pytest.mark.parametrize(("page", "expected"), TREES, ids=range(len(TREES)))
def test_trees_are_the_standards(page, expected):
    assert tree_of(page) == expected


def their_tree(page):
    """The tree of html5lib, written in the same way."""
    html5lib = pytest.importorskip("html5lib", reason="html5lib is the other parser")
    prefixes = {
        "http://www.w3.org/1999/xhtml": "",
        "http://www.w3.org/2000/svg": "svg:",
        "http://www.w3.org/1998/Math/MathML": "math:",
    }

    def written(node):
        if node.nodeType == node.COMMENT_NODE:
            return f"<!{node.data}>"
        if node.nodeType == node.DOCUMENT_TYPE_NODE:
            return f"<!DOCTYPE {node.name or ''}>"
        values = sorted((one.nodeName, one.value) for one in node.attributes.values())
        tag = prefixes[node.namespaceURI] + node.nodeName
        tag += "".join(f" {name}={value!r}" for name, value in values)
        parts = []  # neighbouring texts are one
        for child in node.childNodes:
            if child.nodeType != node.TEXT_NODE:
                parts.append(written(child))
            elif parts and isinstance(parts[-1], list):
                parts[-1].append(child.data)
            else:
                parts.append([child.data])
        shown = " ".join(one if isinstance(one, str) else repr("".join(one)) for one in parts)
        return f"{tag}({shown})" if shown else tag

    document = html5lib.parse(page, treebuilder="dom")
    return " ".join(map(written, document.childNodes))


# What both know of the standard alike: it has changed for select, template and, in SVG and MathML,
# for </p> and </br>. html5lib errs where formatting is opened again before a textarea, and drops a
# line feed of a <pre> after tags that it ignores.
SOUP = [
    *(PHRASES + BLOCKS + TABLES),
    *(
        "</table>",
        "</tr>",
        "<th>",
        "<thead>",
        "</tbody>",
        "</caption>",
        "<ul>",
        "</ul>",
        "<dd>",
        "<dt>",
    ),
    *("<h1>", "</h2>", "</li>", "</form>", "</button>", "<span>", "</span>", "<u>", "</u>", "<em>"),
    *(
        "<!doctype html>",
        "<!--c-->",
        "<title>t</title>",
        "<body a=1>",
        "</body>",
        "</html>",
        "<head>",
    ),
    *(
        "<svg>",
        "</svg>",
        "<g>",
        "<math>",
        "<mi>",
        "</math>",
        "<hr>",
        "<input>",
        "<image>",
        "<nobr>",
    ),
    *("x", " y ", "&amp;", "&notit;", "<xmp><i></xmp>", "</x>"),
]


PAGES = 20_000 if os.environ.get("ROWEN_EXPLORE") else 500
ERRORS = 100
"""One page in so many may differ: html5lib 1.1 moves a second tag out of a table but once, and has
some more such errors. The differences that were looked at are errors of its own."""


def test_trees_of_random_soup_are_those_of_another_parser():
    dice = random.Random(15)
    different = []
    for _ in range(PAGES):
        page = "".join(dice.choices(SOUP, k=dice.randint(2, 14)))
        if "<svg>" in page or "<math>" in page:
            page = page.replace("</p>", "").replace("</br>", "")
        if tree_of(page) != their_tree(page):
            different.append(page)
    assert len(different) * ERRORS <= PAGES, different[:10]
