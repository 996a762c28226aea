"""The report of `check`: what differs from before, page by page and in all pages together."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from rowen.model import Warning  # noqa: A004  # the design's word

Severity: TypeAlias = Literal["drift", "note"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A difference from before; a `note` is worth a look, `drift` makes the check fail.

    >>> import rowen
    >>> str(rowen.Finding("drift", "100% empty values, used to be 0%", field="price"))
    'price: 100% empty values, used to be 0%'
    """

    severity: Severity
    message: str
    field: str | None = None

    def __str__(self) -> str:
        where = "" if self.field is None else f"{self.field}: "
        return f"{where}{self.message}"


@dataclass(frozen=True, slots=True)
class PageReport:
    """What `check` found on one page.

    >>> import rowen
    >>> records = [{"name": "Congo"}, {"name": "Egypt"}]
    >>> wrapper = rowen.learn([rowen.Example("<b>Congo</b><b>Egypt</b>", records)], "lr")
    >>> (page,) = rowen.check(wrapper, [rowen.Page("<b>Peru</b>", id="p2.html")]).pages
    >>> page.page, page.records, page.drifted
    ('p2.html', 1, False)
    """

    page: str
    records: int
    findings: tuple[Finding, ...]

    @property
    def drifted(self) -> bool:
        """Whether something here can't be a matter of chance."""
        return has_drift(self.findings)


@dataclass(frozen=True, slots=True)
class DriftReport:
    """Whether an extractor still fits, with the reasons; made by `check`.

    >>> import rowen
    >>> records = [{"name": "Congo"}, {"name": "Egypt"}]
    >>> wrapper = rowen.learn([rowen.Example("<b>Congo</b><b>Egypt</b>", records)], "lr")
    >>> report = rowen.check(wrapper, [rowen.Page("<i>Peru</i>", id="p2.html")])
    >>> report.drifted, report.compared
    (True, True)
    >>> report.to_dict()["findings"][-1]
    {'severity': 'drift', 'message': 'no records on the page', 'field': None}
    """

    pages: tuple[PageReport, ...]
    findings: tuple[Finding, ...]
    """What shows in all pages together."""
    compared: bool
    """Whether there was a profile to compare with; without one only failures are found."""
    warnings: tuple[Warning, ...] = ()
    """What was wrong with the extractor from the start."""

    @property
    def drifted(self) -> bool:
        """Whether the extractor no longer fits."""
        return has_drift(self.findings) or any(page.drifted for page in self.pages)

    def _repr_html_(self) -> str:
        from rowen.records.notebook import ROWS, text_table

        verdict = "The extractor no longer fits." if self.drifted else "The extractor still fits."
        # Pages with findings are what a reader looks for.
        pages = sorted(self.pages, key=lambda page: (not page.drifted, not page.findings))
        rows = [("all pages", "", [str(finding) for finding in self.findings])] * bool(
            self.findings
        )
        rows += [
            (page.page, str(page.records), [str(finding) for finding in page.findings])
            for page in pages[:ROWS]
        ]
        more = f"<p>{len(pages) - ROWS} more pages</p>" if len(pages) > ROWS else ""
        return f"<p><b>{verdict}</b></p>{text_table(('page', 'records', 'findings'), rows)}{more}"

    def to_dict(self) -> dict[str, Any]:
        """The report as it is written to JSON."""
        return {
            "drift": self.drifted,
            "compared": self.compared,
            "warnings": [warning.to_dict() for warning in self.warnings],
            "findings": [asdict(finding) for finding in self.findings],
            "pages": [
                {
                    "page": page.page,
                    "records": page.records,
                    "drift": page.drifted,
                    "findings": [asdict(finding) for finding in page.findings],
                }
                for page in self.pages
            ],
        }


def has_drift(findings: Iterable[Finding]) -> bool:
    """Whether one of the findings makes the check fail."""
    return any(finding.severity == "drift" for finding in findings)
