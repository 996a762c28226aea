"""Records and values by paths in the data of a page: the class data."""

from typing import Any

from rowen.programs.parts.data_tree import ORIGINS, Node, Root, follow
from rowen.programs.parts.result import Place, Record, Result, program, stretches


@program("data")
def read_data(
    page: str,
    fields: list[str],
    *,
    record: dict[str, Any] | None,
    rules: dict[str, dict[str, Any]],
    several: list[str],
    required: list[str],
) -> Result:
    """Follow the path to the records, and from each those to its fields.

    Without a path to records the page is one, and each field has a source of its own.
    """
    data = PageData(page)
    if record is None:
        whole: Record = dict.fromkeys(fields)
        for name, rule in rules.items():
            for root in data.roots(**rule["source"]):
                whole[name] = _places(root.node, rule["path"], several=name in several)
                if whole[name] is not None:
                    break
        return ([whole], True) if any(whole.values()) else ([], False)
    roots = data.roots(**record["source"])
    records: list[Record] = []
    for node in (node for root in roots for node in follow(root.node, record["path"])):
        row: Record = dict.fromkeys(fields)
        for name, rule in rules.items():
            row[name] = _places(node, rule["path"], several=name in several)
        counted = required or list(rules)
        filled = sum(row[name] is not None for name in counted)
        if filled and (not required or 2 * filled >= len(counted)):
            records.append(row)
    return records, bool(roots)


@stretches("data")
def data_stretches(page: str, settings: dict[str, Any]) -> list[Place] | None:
    """Where the nodes are that the path to the records leads to."""
    record = settings["record"]
    if record is None:
        return None
    roots = PageData(page).roots(**record["source"])
    nodes = (node for root in roots for node in follow(root.node, record["path"]))
    return sorted(node.place for node in nodes) or None


class PageData:
    """The data of a page, by where it is written."""

    def __init__(self, page: str) -> None:
        self._page = page
        self._roots: dict[str, list[Root]] = {}

    def roots(self, origin: str, name: str | None = None, type: str | None = None) -> list[Root]:  # noqa: A002  # as in `WRAPPER`
        """The roots of one kind, all or those with a name or a type, in page order."""
        if origin not in self._roots:
            roots = ORIGINS[origin](self._page)
            self._roots[origin] = [root for root in roots if root.origin == origin]
        return [
            root
            for root in self._roots[origin]
            if (name is None or name in root.names) and (type is None or type in root.types)
        ]


def _places(node: Node, path: list[Any], *, several: bool) -> Any:
    """The places of the leaves to which a path leads that say something; of arrays their elements.

    Without `several` the first one counts.
    """
    leaves = [
        leaf.place
        for end in follow(node, path)
        for leaf in end.elements()
        if leaf.kind == "leaf" and leaf.text.strip()
    ]
    if not leaves:
        return None
    return leaves if several and len(leaves) > 1 else leaves[0]
