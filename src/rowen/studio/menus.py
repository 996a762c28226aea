"""Menus of pages without style sheets: folded, because they would take the first screens."""

import re
from itertools import islice
from typing import Final

from rowen.text.tree import Element, Text

MENU_LINKS = 4
"""Limit: how many links a menu has at least. A shorter one takes less room than what stands for
it."""

MENU_NODES = 2_000
"""Limit: how much of an element is looked at. Hostile pages nest thousands of menus."""

_ROLES = frozenset({"navigation", "menu", "menubar", "contentinfo", "banner"})
_NAMED: Final = re.compile(
    r"(?i)(?:^|[\s_-])(?:nav|navbar|navigation|menu|submenu|megamenu|breadcrumbs?|sitemap|toolbar"
    r"|footer|foot)(?:$|[\s_-])"
)
_SHARE = 0.6  # of the characters of a menu are in links; of a table of data much fewer are


def folded_menu(element: Element) -> str | None:
    """The text that stands for a menu: its first links and how many it has; None if it is none."""
    if not _is_named(element):
        return None
    links: list[str] = []
    characters = in_links = 0
    for node in islice(element.descendants(), MENU_NODES):
        if isinstance(node, Text):
            characters += len(node.text.strip())
        elif isinstance(node, Element) and node.tag == "a":
            text = _words(node)
            links.append(text)
            in_links += len(text)
    if len(links) < MENU_LINKS or in_links < _SHARE * characters:
        return None
    first = ", ".join(filter(None, links))[:60].rstrip(", ")
    return f"{first}… ({len(links)} links)"


def _is_named(element: Element) -> bool:
    if element.namespace != "html" or element.tag in ("body", "main", "a"):
        return False
    role = (element.attribute("role") or "").lower()
    if element.tag in ("nav", "menu", "footer") or role in _ROLES:
        return True
    names = f"{element.attribute('id') or ''} {element.attribute('class') or ''}"
    return bool(_NAMED.search(names))


def _words(element: Element) -> str:
    nodes = islice(element.descendants(), MENU_NODES)
    return " ".join("".join(node.text for node in nodes if isinstance(node, Text)).split())
