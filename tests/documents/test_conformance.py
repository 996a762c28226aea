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


# What both know of the standard alike: it has changed for select, template and tags in SVG.
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
    *("x", " y ", "\n", "&amp;", "&notit;", "<textarea>\n<b></textarea>", "<xmp><i></xmp>", "</x>"),
]


@pytest.mark.parametrize("seed", range(50_000 if os.environ.get("ROWEN_EXPLORE") else 150))
def test_trees_of_random_soup_are_those_of_another_parser(seed):
    dice = random.Random(seed)
    page = "".join(dice.choices(SOUP, k=dice.randint(2, 14)))
    ours, theirs = tree_of(page), their_tree(page)
    assert ours == theirs, page
