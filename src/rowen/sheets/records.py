"""The extractor `paper`: what a paper's file says of itself, as records of a run.

A run of it reads the files of its snapshot as papers (see `sheet`, `snapshot`). Each paper is one
record, with its references as nested records:

    title     "On Wrappers"
    author    ["Ada Lovelace", "Alan Turing"]
    citation  [{"raw": "Smith, A. (2020). On webs.", "title": "On webs", "date": "2020", ...}]
    text      the whole text, for chains: `input = "paper.text"`
"""

from typing import Any, Final, Self

from rowen.extractors.definition import Defined, Definition
from rowen.extractors.locality import Locality, WholePage
from rowen.model import Page
from rowen.records import Records
from rowen.records.record import Record
from rowen.records.schema import Field, Schema
from rowen.sheets.sheet import CITATION, SEVERAL, SINGLE, read_sheet

RAW: Final = "raw"
"""The field of a citation with the whole string."""


class PaperRecords(Defined):
    """One record per paper: header fields, `citation` with nested records, and its `text`."""

    kind = "paper"

    def __init__(
        self,
        *,
        name: str = "paper",
        version: str | None = None,
        locality: Locality | None = None,
        schema: object = None,
    ) -> None:
        super().__init__(name, version, locality, schema)
        self.fields = (*SINGLE[:1], *SEVERAL, *SINGLE[1:], CITATION, "text")
        self.reads_papers = True

    def extract(self, page: Page | str) -> Records:
        """The record of a sheet; other pages have none."""
        page = Page.of(page)
        sheet = read_sheet(page.text)
        schema = self.schema
        if sheet is None:
            return Records((), schema=schema, fields=self.fields)
        spans: dict[str, Any] = dict.fromkeys(SINGLE)
        for name in SINGLE:
            spans[name] = next(iter(sheet.fields.get(name, [])), None)
        for name in SEVERAL:
            spans[name] = sheet.fields.get(name, [])
        spans[CITATION] = [{RAW: place, **parts} for place, parts in sheet.citations]
        spans["text"] = sheet.text
        record = Record(page, {name: spans[name] for name in self.fields}, schema=schema)
        return Records((record,), schema=schema, fields=self.fields)

    def derive_schema(self) -> Schema:
        """All values are as they were read: no markup is in them."""
        text, several = Field("source"), Field("source", many=True)
        fields = {name: several if name in SEVERAL else text for name in self.fields}
        # Every part of a reference may occur several times, as authors do.
        fields[CITATION] = Field(fields=Schema({RAW: text}))
        return Schema(fields)

    def derive_locality(self) -> Locality:
        """The whole sheet."""
        return WholePage()

    def settings(self) -> dict[str, Any]:
        """None: what it reads is in the sheets."""
        return {}

    @classmethod
    def from_definition(cls, definition: Definition) -> Self:
        """Read a saved definition."""
        definition.expect()
        return cls(**definition.identity())


paper = PaperRecords()
"""What `rowen run paper` runs."""
