"""Warnings: what a result lacks or may have wrong, each with where."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from rowen.model.errors import ExtractorError

LABELS_REPRODUCED = frozenset(
    {
        "search-cut-short",
        "page-stopped",
        "record-reaches-over",
        "pages-left-out",
        "pages-without-records",
        "field-never-marked",
        "not-converted",
    }
)
"""The kinds that say nothing against the labels; all others do, those of later versions too."""


@dataclass(frozen=True, slots=True)
class Warning:  # noqa: A001  # the design's word, and always used with its module or `rowen.`
    """Something to look at before a result is trusted.

    `kind` is for programs, `message` for people. What a warning is not about is None: a field that
    is never extracted belongs to no single record. `record` counts from 0 in the page's label.

    >>> print(Warning("value-differs", "'12' was extracted", "p1.html", 0, "price"))
    p1.html, record 1, price: '12' was extracted
    """

    kind: str
    message: str
    page: str | None = None
    record: int | None = None
    field: str | None = None

    @property
    def is_about_labels(self) -> bool:
        """Whether it says that a label is not reproduced."""
        return self.kind not in LABELS_REPRODUCED

    def to_dict(self) -> dict[str, Any]:
        """The warning as it is saved, without what it is not about."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @classmethod
    def from_dict(cls, saved: object) -> Self:
        """The warning that was saved; kinds and keys of later versions are no error."""
        if not isinstance(saved, Mapping):
            raise ExtractorError("'warnings' must be a list of objects")
        texts = {name: saved.get(name) for name in ("kind", "message", "page", "field")}
        record = saved.get("record")
        if not isinstance(texts["kind"], str) or not isinstance(texts["message"], str):
            raise ExtractorError("'warnings': each must have a 'kind' and a 'message'")
        if any(value is not None and not isinstance(value, str) for value in texts.values()):
            raise ExtractorError("'warnings': 'page' and 'field' must be strings")
        if record is not None and type(record) is not int:
            raise ExtractorError("'warnings': 'record' must be a number")
        return cls(**texts, record=record)  # type: ignore[arg-type]  # checked above

    def __str__(self) -> str:
        record = None if self.record is None else f"record {self.record + 1}"
        where = ", ".join(part for part in (self.page, record, self.field) if part)
        return f"{where}: {self.message}" if where else self.message
