"""One of the versions that a record had over time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Version:
    r"""The values that a record had for some time.

    >>> import rowen
    >>> prices = rowen.Pattern(r"(?P<title>\w+): (?P<price>\d+)", name="prices")
    >>> store = rowen.Store("store")
    >>> for text in ("Emma: 7", "Emma: 7", "Emma: 8"):
    ...     _ = store.run([prices], {"list.txt": text})
    >>> for version in store.history("prices", key={"title": "Emma"}):
    ...     print(version.values["price"], version.snapshot, version.until_snapshot)
    7 0 2
    8 2 None
    """

    record: int
    """Versions of one record have the same number, ..."""
    name: str
    """... and the same name: the values of its key, or else the page that it was first on."""
    page: str
    values: Mapping[str, Any]
    """As they are written to files."""
    snapshot: int
    """The snapshot since which it has had these values, ..."""
    since: str
    """... and when that was, in ISO 8601."""
    until_snapshot: int | None = None
    """The snapshot that has other values or no such record; None if this is the last version."""
    until: str | None = None
    change: str = "came"
    """`came`, `changed` or `moved` (to another page)."""
    matched: str = ""
    """How a changed record was identified: by its `key`, or as `likely` the same."""

    def to_dict(self) -> dict[str, Any]:
        """The version as it is written to files."""
        return {
            "record": self.record,
            "name": self.name,
            "page": self.page,
            "values": dict(self.values),
            "snapshot": self.snapshot,
            "since": self.since,
            "until_snapshot": self.until_snapshot,
            "until": self.until,
            "change": self.change,
            **({"matched": self.matched} if self.matched else {}),
        }
