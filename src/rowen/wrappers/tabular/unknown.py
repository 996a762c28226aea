"""Unknown values: what a wrapper that was learned without them makes of their pages (6.5.1).

Each delimiter is learned from the values, heads, gaps and tails that are known; these constraints
are necessary, but where values are unknown they are not enough: the scan has to pass those, too.
"""

from typing import TypeVar

from rowen.model import NoConsistentWrapper, Page
from rowen.wrappers.base import Wrapper
from rowen.wrappers.tabular.table import Table, TablePage

AnyWrapper = TypeVar("AnyWrapper", bound=Wrapper)


def check_known(wrapper: AnyWrapper, table: Table) -> AnyWrapper:
    """The wrapper, unless on its way over unknown values it misses known ones."""
    for page in table.pages:
        if not page.is_known and not _gives_back(wrapper, page):
            raise NoConsistentWrapper(
                "some values are unknown, and none was found that gives the others back; mark them",
                pages=(page.id,),
            )
    return wrapper


def _gives_back(wrapper: Wrapper, page: TablePage) -> bool:
    found = wrapper.extract(Page(page.text, id=page.id))
    if len(found) < len(page.rows) or (len(found) > len(page.rows) and not page.partial):
        return False
    return all(
        bounds is None or record.spans[name] == bounds
        for record, row in zip(found, page.rows, strict=False)
        for name, bounds in zip(wrapper.fields, row, strict=True)
    )
