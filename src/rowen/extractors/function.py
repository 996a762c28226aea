"""Functions as extractors."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import update_wrapper
from typing import TypeAlias, overload

from rowen.extractors.locality import Locality, WholePage
from rowen.model import ExtractionError, Page, Record, Records, RowenError

Found: TypeAlias = Iterable[Mapping[str, object]]


class Function:
    """A function of a text that gives mappings of fields to spans, made an extractor.

    It can still be called as the function that it was. What it raises, and spans outside the page,
    become an `ExtractionError` that names the page.
    """

    def __init__(
        self,
        function: Callable[[str], Found],
        *,
        name: str,
        version: str,
        locality: Locality,
        fields: tuple[str, ...] = (),
    ) -> None:
        update_wrapper(self, function)
        self.function = function
        self.name = name
        self.version = version
        self.locality = locality
        self.fields = fields

    def __call__(self, text: str) -> Found:
        """What the function itself gives."""
        return self.function(text)

    def extract(self, page: Page | str) -> Records:
        """The function's records, in its order."""
        return Records(self._records(Page.of(page)))

    def _records(self, page: Page) -> Iterator[Record]:
        try:
            for found in self.function(page.text) or ():
                yield Record.from_mapping(page, found)
        except RowenError:
            raise
        except Exception as error:
            reason = f"failed: {type(error).__name__}: {error}"
            raise ExtractionError(self.name, page.id, reason) from error

    def __repr__(self) -> str:
        return f"<extractor {self.name!r} version {self.version}>"


@overload
def extractor(function: Callable[[str], Found], /) -> Function: ...
@overload
def extractor(
    *,
    name: str | None = None,
    version: str = "1",
    locality: Locality | None = None,
    fields: Iterable[str] = (),
) -> Callable[[Callable[[str], Found]], Function]: ...
def extractor(
    function: Callable[[str], Found] | None = None,
    /,
    *,
    name: str | None = None,
    version: str = "1",
    locality: Locality | None = None,
    fields: Iterable[str] = (),
) -> Function | Callable[[Callable[[str], Found]], Function]:
    """Make a function an extractor: plainly `@extractor`, or with options `@extractor(name=...)`.

    Without a locality the whole page counts: correct for any function, and reused least.
    """

    def decorate(function: Callable[[str], Found]) -> Function:
        return Function(
            function,
            name=name or function.__name__,
            version=version,
            locality=locality or WholePage(),
            fields=tuple(fields),
        )

    return decorate if function is None else decorate(function)
